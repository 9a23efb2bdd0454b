import { Modal, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useT } from '@/shared/i18n';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import type { VideoCallRequest } from '../model';
import classes from './CallbackModal.module.css';

export interface Refusing {
  request: VideoCallRequest;
  /** For everybody of the customer, by its principal. */
  all: boolean;
}

interface RefuseModalProps {
  refusing: Refusing | null;
  sending: boolean;
  onClose: () => void;
  onRefuse: (refusing: Refusing, reason: string | undefined) => void;
}

const REASON_MAX = 200;

/** Asks before a request is passed on, or refused for everybody; a reason helps whoever asked. */
export function RefuseModal({ refusing, sending, onClose, onRefuse }: RefuseModalProps) {
  const t = useT();
  const [reason, setReason] = useState('');
  const name = refusing?.request.starterCompany ?? '';
  const all = refusing?.all === true;
  return (
    <Modal
      opened={refusing !== null}
      onClose={onClose}
      onExitTransitionEnd={() => setReason('')}
      size={440}
      title={all ? t('videocallrequests.refuseTitleAll', { name }) : t('videocallrequests.refuseTitle', { name })}
    >
      <p className={classes.text}>{all ? t('videocallrequests.refuseTextAll') : t('videocallrequests.refuseText')}</p>
      <Textarea
        mt={16}
        autosize
        minRows={2}
        maxLength={REASON_MAX}
        label={
          <>
            {t('videocallrequests.refuseReason')} <span className={classes.optional}>{t('common.optional')}</span>
          </>
        }
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <DialogButtons
        onCancel={onClose}
        go={t('videocallrequests.refuse')}
        onGo={() => refusing && onRefuse(refusing, reason.trim() || undefined)}
        danger
        busy={sending}
        apart
      />
    </Modal>
  );
}
