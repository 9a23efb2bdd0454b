import { Button, Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { closeConference } from '@/features/conferences/api';
import { errorText, useT } from '@/shared/i18n';
import { toast } from '@/shared/ui/toast';
import classes from './HangUpModal.module.css';

interface HangUpModalProps {
  conferenceId: string;
  opened: boolean;
  client: string;
  recording: boolean;
  onClose: () => void;
  /** Leave; the others stay and the link goes on working. */
  onLeave: () => void;
  /** The server has ended the conference for everybody. */
  onEnded: () => void;
}

/** Hanging up asks once: leave, or end the conference for everybody. */
export function HangUpModal(props: HangUpModalProps) {
  const t = useT();
  const end = useMutation({
    mutationFn: () => closeConference(props.conferenceId),
    onSuccess: props.onEnded,
    onError: (error) => toast.error({ title: t('call.endFailed'), text: errorText(t, error) }),
  });
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      title={t('call.hangUpTitle')}
      size={440}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <p className={classes.text}>{t('call.hangUpText', { name: props.client })}</p>
      {props.recording && <p className={classes.text}>{t('call.hangUpRecording')}</p>}
      <div className={classes.actions}>
        <Button variant="subtle" onClick={props.onClose} disabled={end.isPending}>
          {t('common.cancel')}
        </Button>
        <Button variant="default" onClick={props.onLeave} disabled={end.isPending}>
          {t('call.leave')}
        </Button>
        <Button className={classes.end} loading={end.isPending} onClick={() => end.mutate()} data-autofocus>
          {t('call.end')}
        </Button>
      </div>
    </Modal>
  );
}
