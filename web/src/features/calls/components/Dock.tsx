import { Menu, Popover } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { RecordingState } from '@/api/types';
import type { Caps, DeviceKind, DevicesState } from '@/rtc';
import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import type { RecordingAction } from '../api';
import { DeviceMenu } from './DeviceMenu';
import classes from './Dock.module.css';
import { DockButton } from './DockButton';
import { ZoomControl, ZoomSlider } from './ZoomControl';

export interface DockProps {
  className?: string;
  devices: DevicesState;
  caps: Caps | null;
  recording: RecordingState;
  recordingBusy: boolean;
  /** False where the engine cannot record: the button is absent. */
  canRecord: boolean;
  /** Why no picture can be taken now; null = it can. */
  photoBlocked: string | null;
  positionOpen: boolean;
  onMicrophone: () => void;
  onCamera: () => void;
  onScreen: () => void;
  onTorch: (on: boolean) => void;
  onZoom: (value: number) => void;
  onSwitchCamera: () => void;
  onPhoto: () => void;
  onRecording: (action: RecordingAction) => void;
  onPosition: () => void;
  onDevicesOpen: () => void;
  onDevice: (kind: DeviceKind, id: string) => void;
  onHangUp: () => void;
}

const canShareScreen = () => typeof window.navigator.mediaDevices?.getDisplayMedia === 'function';

function PhotoButton({ blocked, onPhoto }: { blocked: string | null; onPhoto: () => void }) {
  const t = useT();
  return (
    <button
      type="button"
      className={classes.shot}
      disabled={blocked !== null}
      title={blocked ?? undefined}
      aria-keyshortcuts="Space"
      onClick={onPhoto}
    >
      <Icon name="cam" size={24} />
      {t('call.photoHd')} <kbd>{t('call.spaceKey')}</kbd>
    </button>
  );
}

function OwnControls({ devices, onMicrophone, onCamera }: DockProps) {
  const t = useT();
  return (
    <>
      <DockButton
        icon={devices.microphoneOn ? 'mic' : 'micoff'}
        label={t('call.mic')}
        title={devices.microphoneOn ? t('call.micOff') : t('call.micOn')}
        tone={devices.microphoneOn ? undefined : 'off'}
        pressed={devices.microphoneOn}
        disabled={devices.busy.includes('microphone')}
        onClick={onMicrophone}
      />
      <DockButton
        icon={devices.cameraOn ? 'video' : 'camoff'}
        label={t('call.camera')}
        title={devices.cameraOn ? t('call.cameraOff') : t('call.cameraOn')}
        tone={devices.cameraOn ? undefined : 'off'}
        pressed={devices.cameraOn}
        disabled={devices.busy.includes('camera')}
        onClick={onCamera}
      />
    </>
  );
}

/** The words of the recording button by state. */
function useRecordButton({ recording, onRecording }: DockProps) {
  const t = useT();
  if (recording.state === 'idle') return { label: t('call.record'), on: false, run: () => onRecording('start') };
  return {
    label: recording.state === 'paused' ? t('call.recPaused') : t('call.recOn'),
    on: true,
    run: () => onRecording('stop'),
  };
}

function WideDock(props: DockProps) {
  const t = useT();
  const record = useRecordButton(props);
  const { caps, devices } = props;
  return (
    <>
      <OwnControls {...props} />
      {canShareScreen() && (
        <DockButton
          icon="share"
          label={t('call.share')}
          tone={devices.screenOn ? 'on' : undefined}
          pressed={devices.screenOn}
          disabled={devices.busy.includes('screen')}
          onClick={props.onScreen}
        />
      )}
      <span className={classes.sep} />
      <span className={classes.grow} />
      {caps?.torch && (
        <DockButton
          icon="torch"
          label={t('call.torch')}
          tone={caps.torchOn ? 'on' : undefined}
          pressed={caps.torchOn}
          onClick={() => props.onTorch(!caps.torchOn)}
        />
      )}
      {caps?.zoom && <ZoomControl zoom={caps.zoom} onZoom={props.onZoom} />}
      {caps && caps.cameras > 1 && (
        <DockButton icon="swap" label={t('call.switchCamera')} onClick={props.onSwitchCamera} />
      )}
      <PhotoButton blocked={props.photoBlocked} onPhoto={props.onPhoto} />
      {props.canRecord && (
        <DockButton
          icon="rec"
          label={record.label}
          title={record.on ? t('call.recStop') : t('call.record')}
          tone={record.on ? 'rec' : undefined}
          pressed={record.on}
          disabled={props.recordingBusy}
          onClick={record.run}
        />
      )}
      <DockButton
        icon="pin"
        label={t('call.position')}
        tone={props.positionOpen ? 'on' : undefined}
        aria-expanded={props.positionOpen}
        onClick={props.onPosition}
      />
      <span className={classes.grow} />
      <span className={classes.sep} />
      <DeviceMenu devices={devices} onOpen={props.onDevicesOpen} onChoose={props.onDevice} />
    </>
  );
}

function NarrowDock(props: DockProps) {
  const t = useT();
  const record = useRecordButton(props);
  const { caps } = props;
  return (
    <>
      <OwnControls {...props} />
      <PhotoButton blocked={props.photoBlocked} onPhoto={props.onPhoto} />
      <Menu position="top-end" width={260}>
        <Menu.Target>
          <DockButton icon="dots" label={t('call.more')} />
        </Menu.Target>
        <Menu.Dropdown>
          {caps?.torch && (
            <Menu.Item leftSection={<Icon name="torch" />} onClick={() => props.onTorch(!caps.torchOn)}>
              {caps.torchOn ? t('call.torchTurnOff') : t('call.torchTurnOn')}
            </Menu.Item>
          )}
          {caps && caps.cameras > 1 && (
            <Menu.Item leftSection={<Icon name="swap" />} onClick={props.onSwitchCamera}>
              {t('call.switchCamera')}
            </Menu.Item>
          )}
          {props.canRecord && (
            <Menu.Item leftSection={<Icon name="rec" />} disabled={props.recordingBusy} onClick={record.run}>
              {record.on ? t('call.recStop') : t('call.record')}
            </Menu.Item>
          )}
          <Menu.Item leftSection={<Icon name="pin" />} onClick={props.onPosition}>
            {t('call.position')}
          </Menu.Item>
          {canShareScreen() && (
            <Menu.Item leftSection={<Icon name="share" />} onClick={props.onScreen}>
              {props.devices.screenOn ? t('call.shareStop') : t('call.shareStart')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {caps?.zoom && (
        <Popover position="top-end" width={240}>
          <Popover.Target>
            <DockButton icon="zoom" label={t('call.zoom')} />
          </Popover.Target>
          <Popover.Dropdown className={classes.pop}>
            <ZoomSlider zoom={caps.zoom} onZoom={props.onZoom} />
          </Popover.Dropdown>
        </Popover>
      )}
    </>
  );
}

/** Everything the adjuster does in a call, at most one press away; on a phone the rest is behind "Más". */
export function Dock(props: DockProps) {
  const t = useT();
  const narrow = useMediaQuery('(max-width: 768px)') ?? false;
  return (
    <footer className={`${classes.dock} ${props.className ?? ''}`}>
      <div className={classes.row} role="toolbar" aria-label={t('call.controls')}>
        {narrow ? <NarrowDock {...props} /> : <WideDock {...props} />}
        <DockButton icon="hang" label={t('call.hangUp')} tone="end" onClick={props.onHangUp} />
      </div>
    </footer>
  );
}
