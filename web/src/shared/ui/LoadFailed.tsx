import { errorText, useT } from '@/shared/i18n';
import { StateView } from './StateView';

interface LoadFailedProps {
  title: string;
  error: unknown;
  onRetry: () => void;
}

/** What stands where something should that could not be loaded: what failed, why, and another try. */
export function LoadFailed({ title, error, onRetry }: LoadFailedProps) {
  const t = useT();
  return (
    <StateView
      icon="warn"
      tone="bad"
      title={title}
      text={errorText(t, error)}
      action={{ label: t('common.retry'), icon: 'refresh', run: onRetry }}
    />
  );
}
