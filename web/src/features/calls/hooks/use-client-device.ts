import { useCallback, useEffect, useRef } from 'react';
import { type CallEngine, type CommandError, useReadable } from '@/rtc';
import { type T, useT } from '@/shared/i18n';
import { toast } from '@/shared/ui/toast';
import { FocusOrigin } from '../keyboard';
import { problemText } from '../problems';

function tell(t: T, error: CommandError | null): void {
  if (error === 'NO_CLIENT') toast.error({ title: t('call.commandNoClient') });
  else if (error === 'STILLS_BUSY') toast.info({ title: t('call.stillsBusy') });
  else if (error) toast.error({ title: t('call.commandFailed') });
}

/**
 * The client's camera from here: torch, zoom, lens and full-resolution pictures. The space bar takes one, except in
 * fields and on a button that the keyboard reached. `myName` is shown on the client's phone, `clientName` in what is said about it; `onAsked` is told
 * the id of each picture that is asked for.
 */
export function useClientDevice(
  engine: CallEngine,
  myName: string,
  clientName: string,
  photoReady: boolean,
  onAsked: (stillId: string) => void,
) {
  const t = useT();
  const { client } = engine;
  const state = useReadable(client.state);

  const photo = useCallback(async () => {
    const before = new Set(client.state.get().stills.map((still) => still.id));
    const sending = client.takeStill(myName);
    const asked = client.state.get().stills.find((still) => !before.has(still.id));
    if (asked) onAsked(asked.id);
    tell(t, await sending);
  }, [client, myName, onAsked, t]);
  useEffect(() => {
    if (!photoReady) return;
    const origin = new FocusOrigin(document);
    const isOurs = (event: KeyboardEvent) => {
      const plain = !event.ctrlKey && !event.altKey && !event.metaKey;
      return event.code === 'Space' && plain && !origin.keepsSpace(event.target);
    };
    const onKey = (event: KeyboardEvent) => {
      if (!isOurs(event)) return;
      event.preventDefault();
      if (!event.repeat) void photo();
    };
    // Some browsers press a button when the key comes up.
    const onUp = (event: KeyboardEvent) => {
      if (isOurs(event)) event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    window.addEventListener('keyup', onUp);
    return () => {
      origin.dispose();
      window.removeEventListener('keydown', onKey);
      window.removeEventListener('keyup', onUp);
    };
  }, [photo, photoReady]);

  const { notice } = state;
  const told = useRef(0);
  useEffect(() => {
    // Once per notice, not again when the language changes.
    if (!notice || notice.n === told.current) return;
    told.current = notice.n;
    const { title, text } = problemText(t, notice.reason, clientName);
    toast.info({ title, text });
  }, [notice, clientName, t]);

  const torch = useCallback(async (on: boolean) => tell(t, await client.torch(on)), [client, t]);
  const zoom = useCallback(async (value: number) => tell(t, await client.zoom(value)), [client, t]);
  const next = useCallback(async () => tell(t, await client.camera('next')), [client, t]);
  const dismiss = useCallback((id: string) => client.dismissStill(id), [client]);
  return { state, photo, torch, zoom, next, dismiss };
}
