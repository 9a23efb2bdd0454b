import { Button, Modal } from '@mantine/core';
import { useT } from '@/shared/i18n';
import { copyText } from '@/shared/lib/clipboard';
import { Icon } from '@/shared/ui/Icon';
import classes from './Keys.module.css';

/** The key, once: this dialog closes only when one says so. */
export function NewKeyModal({ apiKey, onClose }: { apiKey: string | null; onClose: () => void }) {
  const t = useT();
  return (
    <Modal
      opened={apiKey !== null}
      onClose={onClose}
      title={t('apikeys.newTitle')}
      size={640}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <p className={classes.text}>{t('apikeys.newText')}</p>
      <div className={classes.key}>
        <code data-testid="new-key">{apiKey}</code>
        <Button
          variant="default"
          size="xs"
          leftSection={<Icon name="copy" size={16} />}
          onClick={() => void copyText(apiKey ?? '')}
        >
          {t('apikeys.copyKey')}
        </Button>
      </div>
      <div className={classes.buttons}>
        <Button onClick={onClose}>{t('apikeys.done')}</Button>
      </div>
    </Modal>
  );
}
