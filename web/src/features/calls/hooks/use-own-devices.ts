import { useCallback, useEffect, useRef } from 'react';
import { type CallEngine, type DeviceError, type DeviceKind, useReadable } from '@/rtc';
import { type T, useT } from '@/shared/i18n';
import { toast } from '@/shared/ui/toast';
import type { BeginWith } from '../components/WaitingPreview';

function tell(t: T, error: DeviceError | null): void {
  // Closing the browser's own picker is an answer, not a failure.
  if (!error || error === 'SCREEN_DENIED') return;
  const texts: Record<Exclude<DeviceError, 'SCREEN_DENIED'>, string> = {
    MICROPHONE_DENIED: t('call.ownMicrophoneDenied'),
    CAMERA_DENIED: t('call.ownCameraDenied'),
    MICROPHONE_NOT_FOUND: t('call.ownMicrophoneNotFound'),
    CAMERA_NOT_FOUND: t('call.ownCameraNotFound'),
    MICROPHONE_IN_USE: t('call.ownMicrophoneInUse'),
    CAMERA_IN_USE: t('call.ownCameraInUse'),
    SCREEN_FAILED: t('call.ownScreenFailed'),
    DEVICE_FAILED: t('call.ownDeviceFailed'),
  };
  toast.error({ title: texts[error] });
}

/**
 * The adjuster's microphone, camera and screen. Microphone and camera go on by themselves when the client comes in
 * (`clientIn`), once and if wanted (`begin`); after that only by hand.
 */
export function useOwnDevices(engine: CallEngine, clientIn: boolean, begin: BeginWith) {
  const t = useT();
  const { devices } = engine;
  const state = useReadable(devices.state);
  const status = useReadable(engine.session.status);
  const begun = useRef(false);
  const connected = status.name === 'connected';

  useEffect(() => {
    if (!clientIn || !connected || begun.current) return;
    begun.current = true;
    void (async () => {
      if (begin.microphone) tell(t, await devices.microphone(true));
      if (begin.camera) tell(t, await devices.camera(true));
    })();
  }, [clientIn, connected, devices, t, begin]);

  const microphone = useCallback(
    async () => tell(t, await devices.microphone(!devices.state.get().microphoneOn)),
    [devices, t],
  );
  const camera = useCallback(async () => tell(t, await devices.camera(!devices.state.get().cameraOn)), [devices, t]);
  const screen = useCallback(async () => tell(t, await devices.screen(!devices.state.get().screenOn)), [devices, t]);
  const choose = useCallback(
    async (kind: DeviceKind, id: string) => tell(t, await devices.choose(kind, id)),
    [devices, t],
  );
  const refresh = useCallback(() => void devices.enumerate(), [devices]);
  return { state, microphone, camera, screen, choose, refresh };
}
