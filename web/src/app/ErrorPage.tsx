import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { ApiError } from '@/api/errors';
import { errorText, useT } from '@/shared/i18n';
import { StateView } from '@/shared/ui/StateView';

/** The error boundary of every route: what failed in words, and a retry. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const t = useT();
  const router = useRouter();
  const retry = () => {
    // A page whose code could not be fetched (a new version was deployed) needs the new index.
    if (isCodeMissing(error)) {
      window.location.reload();
      return;
    }
    reset();
    void router.invalidate();
  };
  return (
    <StateView
      icon="warn"
      tone="bad"
      title={t('shell.pageError')}
      text={error instanceof ApiError ? errorText(t, error) : t('shell.pageErrorText')}
      action={{ label: t('common.retry'), icon: 'refresh', run: retry }}
    />
  );
}

// What the browsers throw when a lazily loaded file is gone.
const isCodeMissing = (error: unknown) => error instanceof TypeError && /import|module/i.test(error.message);
