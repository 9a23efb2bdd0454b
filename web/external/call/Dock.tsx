/** The buttons of the call. Only what this phone really has is shown. */
import { Icon, type IconName, useAround } from '../ui';
import type { Session } from './session';
import type { View } from './view';

interface RoundProps {
  icon: IconName;
  label: string;
  onClick: () => void;
  pressed?: boolean;
  tone?: 'plain' | 'bad';
  busy?: boolean;
}

function Round({ icon, label, onClick, pressed, tone = 'plain', busy = false }: RoundProps) {
  return (
    <button
      class={`round ${tone}`}
      type="button"
      aria-pressed={pressed}
      aria-disabled={busy}
      onClick={busy ? undefined : onClick}
    >
      <span>{busy ? <i class="spin" /> : <Icon name={icon} />}</span>
      {label}
    </button>
  );
}

export function Dock({ view, session, onLeave }: { view: View; session: Session; onLeave: () => void }) {
  const { t } = useAround();
  return (
    <div class="dock" role="toolbar">
      {view.microphone ? (
        <Round
          icon={view.muted ? 'microphoneOff' : 'microphone'}
          label={t(view.muted ? 'call_unmute' : 'call_mute')}
          pressed={view.muted}
          onClick={session.toggleMute}
        />
      ) : (
        <Round icon="microphoneOff" label={t('call_mic_on')} onClick={() => session.turnOn('microphone')} />
      )}
      {view.camera ? (
        <Round
          icon={view.cameraPaused ? 'cameraOff' : 'camera'}
          label={t(view.cameraPaused ? 'call_unpause' : 'call_pause')}
          pressed={view.cameraPaused}
          onClick={session.togglePause}
        />
      ) : (
        <Round icon="cameraOff" label={t('call_camera_on')} onClick={() => session.turnOn('camera')} />
      )}
      {view.camera && view.torch && (
        <Round icon="torch" label={t('call_torch')} pressed={view.torchOn} onClick={session.toggleTorch} />
      )}
      {view.camera && view.canFlip && (
        <Round icon="flip" label={t('call_flip')} busy={view.flipping} onClick={session.flip} />
      )}
      <Round icon="hang" label={t('call_leave')} tone="bad" onClick={onLeave} />
    </div>
  );
}
