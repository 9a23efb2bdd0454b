import { Button, Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { limits } from '@/api/generated/limits';
import type { ConferenceShot } from '@/api/types';
import { errorText, useT } from '@/shared/i18n';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { toast } from '@/shared/ui/toast';
import { closeConference } from '../api';
import classes from './HangUpModal.module.css';

interface HangUpModalProps {
  conferenceId: string;
  opened: boolean;
  client: string;
  recording: boolean;
  onClose: () => void;
  /** Leave; the others stay and the link goes on working. */
  onLeave: () => void;
  /** Photos of the list that are not there. */
  missing: ConferenceShot[];
  /** When the client came in, ms since the epoch. */
  connectedAt: number | null;
  /** The server has ended the conference for everybody; `request`: what is missing is to be asked for now. */
  onEnded: (request: boolean) => void;
}

/** Hanging up asks once: leave, or end the conference for everybody. */
export function HangUpModal(props: HangUpModalProps) {
  const t = useT();
  const end = useMutation({
    mutationFn: (_request: boolean) => closeConference(props.conferenceId),
    onSuccess: (_closed, request) => props.onEnded(request),
    onError: (error) => toast.error({ title: t('call.endFailed'), text: errorText(t, error) }),
  });
  const count = props.missing.length;
  // Files are asked for only after a call of some length.
  const seconds = props.connectedAt === null ? 0 : (Date.now() - props.connectedAt) / 1_000;
  const requestable = seconds > limits.filesRequestDurationS;
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
      {count > 0 && (
        <div className={classes.missing}>
          <Note
            icon="shots"
            title={t('call.shotsMissing', { count })}
            text={props.missing.map((shot) => shot.label).join(', ')}
          />
          {requestable && (
            <Button
              variant="default"
              fullWidth
              leftSection={<Icon name="send" size={16} />}
              loading={end.isPending && end.variables}
              onClick={() => end.mutate(true)}
            >
              {t('call.endAndRequest')}
            </Button>
          )}
        </div>
      )}
      <DialogButtons
        onCancel={props.onClose}
        go={t('call.end')}
        onGo={() => end.mutate(false)}
        danger
        busy={end.isPending && !end.variables}
        focus="go"
        apart
      >
        <Button variant="default" onClick={props.onLeave} disabled={end.isPending}>
          {t('call.leave')}
        </Button>
      </DialogButtons>
    </Modal>
  );
}
