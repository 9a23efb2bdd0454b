import { useCallback, useEffect, useRef, useState } from 'react';
import type { LivePicture, PictureSettings, PointChannel } from '@/rtc';
import { keepsKeys } from '../keyboard';

interface PointerInput {
  channel: PointChannel;
  /** Identity of whose camera is on the stage; null when there is none to point at. */
  of: string | null;
  nameOf: (identity: string) => string;
  onHelp: () => void;
}

/** The adjuster's pointer on the picture, the dots of the others and how far the picture is enlarged, with their keys. */
export function usePointer({ channel, of, nameOf, onHelp }: PointerInput) {
  const picture = useRef<LivePicture>(null);
  const [on, setOn] = useState(false);
  const [scale, setScale] = useState(1);
  const [pointedBy, setPointedBy] = useState<string | null>(null);
  const toggle = useCallback(() => setOn((before) => !before), []);
  const stop = useCallback(() => setOn(false), []);
  const whole = useCallback(() => picture.current?.whole(), []);

  useEffect(
    () => channel.onPoint((pointed) => pointed.of === of && picture.current?.take(pointed.from, pointed)),
    [channel, of],
  );

  const pointable = of !== null;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || keepsKeys(event)) return;
      const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
      if (key === '?') onHelp();
      else if (key === 'p' && pointable && !event.repeat) toggle();
      else if (key === 'Escape' && on) setOn(false);
      else if (!picture.current?.press(key, event.shiftKey)) return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [on, pointable, toggle, onHelp]);

  const settings: PictureSettings = {
    fit: 'contain',
    mirrored: false,
    pointsBy: on && pointable ? 'hover' : null,
    send: (spot) => of !== null && channel.send(of, spot),
    look: (from) => ({
      name: from === null ? '' : nameOf(from),
      tone: from?.startsWith('client:') ? 'client' : 'staff',
    }),
    onScale: setScale,
    onPointed: setPointedBy,
  };
  return { picture, settings, on: on && pointable, pointable, toggle, stop, scale, whole, pointedBy };
}
