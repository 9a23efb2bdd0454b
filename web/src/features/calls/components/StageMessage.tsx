import { Button } from '@mantine/core';
import { type T, useT } from '@/shared/i18n';
import { Icon, type IconName } from '@/shared/ui/Icon';
import type { LinkChannel } from '../model';
import { problemText } from '../problems';
import type { StageState } from '../stage';
import { StageNote } from './StageNote';

interface StageMessageProps {
  state: StageState;
  client: string;
  /** The channel that the link goes by again. */
  channel: LinkChannel;
  onResend: () => void;
  onCopyLink: () => void;
  resending: boolean;
}

const RESEND = { sms: 'call.resendSms', whatsapp: 'call.resendWhatsapp', email: 'call.resendEmail' } as const;
const ICONS: Record<string, IconName> = { PHONE_CALL: 'phone', CAMERA_LOST: 'camoff', HIDDEN: 'eye' };

function Gone({ state, client, channel, onResend, onCopyLink, resending }: StageMessageProps) {
  const t = useT();
  const why = state.kind === 'clientGone' ? state.why : 'lost';
  const words = {
    left: [t('call.clientLeft', { name: client }), t('call.clientLeftText')],
    removed: [t('call.clientRemoved', { name: client }), t('call.clientLeftText')],
    lost: [t('call.clientLost', { name: client }), t('call.clientLostText')],
    noMedia: [t('call.clientNoMedia', { name: client }), t('call.clientNoMediaText')],
  } as const;
  const [title, text] = words[why];
  return (
    <StageNote icon={why === 'lost' || why === 'noMedia' ? 'wifi' : 'out'} title={title} text={text}>
      <Button
        variant="default"
        leftSection={<Icon name={channel === 'email' ? 'mail' : 'sms'} size={16} />}
        loading={resending}
        onClick={onResend}
      >
        {t(RESEND[channel])}
      </Button>
      <Button variant="default" leftSection={<Icon name="link" size={16} />} onClick={onCopyLink}>
        {t('call.copyLink')}
      </Button>
    </StageNote>
  );
}

/** What is said when no picture comes; it never claims that somebody is heard whose microphone is off. */
function noPicture(t: T, state: Extract<StageState, { kind: 'noPicture' }>, name: string): [string, string] {
  if (state.reason === 'PERMISSION_NO_ANSWER') {
    const { title, text } = problemText(t, state.reason, name);
    return [title, text];
  }
  if (state.hearing === 'none') return [t('call.noDevices', { name }), t('call.noDevicesText', { name })];
  if (state.hearing === 'off') return [t('call.noPictureMuted', { name }), t('call.noPictureMutedText', { name })];
  const why = state.reason ? problemText(t, state.reason, name).text : t('call.voiceOnlyText');
  return [t('call.voiceOnly', { name }), why];
}

/** The stage without a picture: the reason in plain words and the ways out, best first. */
export function StageMessage(props: StageMessageProps) {
  const t = useT();
  const { state, client } = props;
  switch (state.kind) {
    case 'joining':
      return <StageNote icon="video" title={t('call.joining')} />;
    case 'clientGone':
      return <Gone {...props} />;
    case 'paused': {
      const text = state.hearing === 'on' ? t('call.videoPausedText') : t('call.noPictureMutedText', { name: client });
      return <StageNote icon="pause" title={t('call.videoPaused', { name: client })} text={text} />;
    }
    case 'problem': {
      const { title, text } = problemText(t, state.reason, client);
      return <StageNote icon={ICONS[state.reason] ?? 'warn'} title={title} text={text} />;
    }
    case 'noPicture': {
      const [title, text] = noPicture(t, state, client);
      return <StageNote icon={state.hearing === 'on' ? 'mic' : 'micoff'} title={title} text={text} />;
    }
  }
}
