import { Button } from '@mantine/core';
import { useT } from '@/shared/i18n';
import { Icon, type IconName } from '@/shared/ui/Icon';
import { problemText } from '../problems';
import type { StageState } from '../stage';
import { StageNote } from './StageNote';

interface StageMessageProps {
  state: StageState;
  client: string;
  onResend: () => void;
  onCopyLink: () => void;
  resending: boolean;
}

const ICONS: Record<string, IconName> = { PHONE_CALL: 'phone', CAMERA_LOST: 'camoff', HIDDEN: 'eye' };

/** The stage without a picture: the reason in plain words and the ways out, best first. */
export function StageMessage({ state, client, onResend, onCopyLink, resending }: StageMessageProps) {
  const t = useT();
  if (state.kind === 'joining') return <StageNote icon="video" title={t('call.joining')} />;
  if (state.kind === 'clientLost') {
    return (
      <StageNote icon="wifi" title={t('call.clientLost', { name: client })} text={t('call.clientLostText')}>
        <Button variant="default" leftSection={<Icon name="sms" size={16} />} loading={resending} onClick={onResend}>
          {t('call.resendSms')}
        </Button>
        <Button variant="default" leftSection={<Icon name="link" size={16} />} onClick={onCopyLink}>
          {t('call.copyLink')}
        </Button>
      </StageNote>
    );
  }
  if (state.kind === 'paused') {
    return <StageNote icon="pause" title={t('call.videoPaused', { name: client })} text={t('call.videoPausedText')} />;
  }
  if (state.kind === 'problem') {
    const { title, text } = problemText(t, state.reason, client);
    return <StageNote icon={ICONS[state.reason] ?? 'warn'} title={title} text={text} />;
  }
  const why = state.reason ? problemText(t, state.reason, client).text : t('call.voiceOnlyText');
  return <StageNote icon="mic" title={t('call.voiceOnly', { name: client })} text={why} />;
}
