import { Button, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import classes from './Shell.module.css';

interface UnretrievedProps {
  text: string;
  /** A button alone, with the text in its tip. */
  compact: boolean;
  /** Compact with the text beside it where there is room. */
  wide?: boolean;
  onRetry: () => Promise<void>;
}

/** What the sidebar or the header could not retrieve, and another try. */
export function Unretrieved({ text, compact, wide, onRetry }: UnretrievedProps) {
  const t = useT();
  const [busy, setBusy] = useState(false);
  const again = async () => {
    setBusy(true);
    await onRetry();
    setBusy(false);
  };
  const retry = (
    <Button
      size="xs"
      variant="default"
      loading={busy}
      leftSection={<Icon name="refresh" size={16} />}
      aria-label={compact ? `${text}. ${t('common.retry')}` : undefined}
      onClick={() => void again()}
    >
      <span className={compact ? classes.retryWord : undefined}>{t('common.retry')}</span>
    </Button>
  );
  return (
    <div className={classes.unretrieved} data-compact={compact || undefined} role="alert">
      <span className={wide ? classes.wideWord : compact ? 'visually-hidden' : undefined}>{text}</span>
      {compact ? <Tooltip label={text}>{retry}</Tooltip> : retry}
    </div>
  );
}
