import { Modal } from '@mantine/core';
import { useT } from '@/shared/i18n';
import type { ModalInputs } from '@/shared/lib/modals';
import { ConferenceMediaView } from './ConferenceMediaView';
import classes from './media.module.css';

interface ConferenceMediaModalProps {
  input: ModalInputs['conference-media'];
  opened: boolean;
  onClose: () => void;
}

/** The media view over another page: the dialog with the id `conference-media`. */
export function ConferenceMediaModal({ input, opened, onClose }: ConferenceMediaModalProps) {
  const t = useT();
  return (
    <Modal.Root opened={opened} onClose={onClose} size="min(1320px, 96vw)" centered>
      <Modal.Overlay />
      <Modal.Content aria-label={t('media.title')}>
        <Modal.CloseButton className={classes.modalClose} aria-label={t('common.close')} />
        <Modal.Body p={0}>
          <div className={classes.modalBody}>
            <ConferenceMediaView conferenceId={input.conferenceId} />
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
