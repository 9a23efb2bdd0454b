import { Button } from '@mantine/core';
import { useT } from '@/shared/i18n';
import { copyText } from '@/shared/lib/clipboard';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Icon } from '@/shared/ui/Icon';
import classes from './Keys.module.css';

interface ShownOnceProps {
  text: string;
  value: string;
  /** Of the button that copies. */
  copy: string;
  testId: string;
  onDone: () => void;
}

/** Something secret that is shown this once: to be copied before one goes on. */
export function ShownOnce({ text, value, copy, testId, onDone }: ShownOnceProps) {
  const t = useT();
  return (
    <>
      <p className={classes.text}>{text}</p>
      <div className={classes.key}>
        <code data-testid={testId}>{value}</code>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="copy" size={16} />}
          onClick={() => void copyText(value)}
        >
          {copy}
        </Button>
      </div>
      <DialogButtons go={t('apikeys.done')} onGo={onDone} apart />
    </>
  );
}
