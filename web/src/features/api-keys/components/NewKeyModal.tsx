import { Modal } from '@mantine/core';
import { useT } from '@/shared/i18n';
import { ShownOnce } from './ShownOnce';

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
      <ShownOnce
        text={t('apikeys.newText')}
        value={apiKey ?? ''}
        copy={t('apikeys.copyKey')}
        testId="new-key"
        onDone={onClose}
      />
    </Modal>
  );
}
