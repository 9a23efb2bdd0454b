import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { ApiError } from '@/api/errors';
import {
  type DeskState,
  type DrawChannel,
  DrawingDesk,
  DrawingHand,
  type LineTool,
  newMarkId,
  nextNumber,
  type PictureSettings,
  TONES,
  type Tone,
} from '@/rtc';
import { errorText, useT } from '@/shared/i18n';
import { toast } from '@/shared/ui/toast';
import { changeDrawing } from './api';
import type { FrozenCall } from './use-frozen';

export type Tool = LineTool | 'text' | 'number';

type Draw = NonNullable<PictureSettings['draw']>;
type Spot = Exclude<Parameters<Draw>[0], null>;

const NOTHING: DeskState = { marks: [], canUndo: false, canRedo: false };
const isPassing = (error: unknown) => !(error instanceof ApiError) || error.status === 0 || error.status >= 429;
const round = (value: number) => Math.round(value * 1e4) / 1e4;

/** The adjuster's drawing on the frozen picture: the tool in hand, its colour, what lies there, undo and redo. */
export function useDrawing(frozen: FrozenCall, channel: DrawChannel) {
  const t = useT();
  const mediaId = frozen.item?._id ?? null;
  const [tool, setTool] = useState<Tool | null>(null);
  const [tone, setTone] = useState<Tone>(1);
  const [desk, setDesk] = useState<DrawingDesk | null>(null);
  /** Where a text is being written. */
  const [writing, setWriting] = useState<Spot | null>(null);

  const words = useRef(t);
  words.current = t;
  useEffect(() => {
    if (mediaId === null) return;
    const made = new DrawingDesk({
      of: mediaId,
      tell: (message) => channel.send(message),
      save: (change) => changeDrawing(mediaId, change),
      isPassing,
      failed: (error) =>
        error === 'FULL'
          ? toast.info({ title: words.current('call.drawFull') })
          : toast.error({ title: words.current('call.drawFailed'), text: errorText(words.current, error) }),
    });
    setDesk(made);
    const off = channel.onDraw((message) => made.take(message));
    return () => {
      off();
      setDesk(null);
      setTool(null);
      setWriting(null);
      made.dispose();
    };
  }, [mediaId, channel]);
  const { drawing } = frozen;
  useEffect(() => {
    if (drawing && drawing.mediaId === mediaId) desk?.load(drawing);
  }, [desk, drawing, mediaId]);

  const state = useSyncExternalStore(
    useMemo(() => desk?.state.subscribe ?? (() => () => undefined), [desk]),
    () => desk?.state.get() ?? NOTHING,
  );
  const hand = useMemo(
    () =>
      desk &&
      new DrawingHand({
        drawing: (mark, tell) => desk.drawing(mark, tell),
        done: (mark) => desk.done(mark),
        dropped: (id) => desk.dropped(id),
      }),
    [desk],
  );
  // A tool that is laid down leaves no half line.
  useEffect(() => () => hand?.drop(), [hand, tool]);

  const place = useRef<Spot | null>(null);
  const draw: Draw = (spot) => {
    if (!desk || !hand || tool === null) return;
    if (tool !== 'text' && tool !== 'number') return spot ? hand.at(spot, tool, tone) : hand.lift();
    if (spot) {
      place.current ??= spot;
      return;
    }
    const at = place.current;
    place.current = null;
    if (!at) return;
    if (tool === 'text') return setWriting(at);
    const number = nextNumber(state.marks);
    if (number === null) return toast.info({ title: t('call.drawFull') });
    desk.done({ id: newMarkId(), kind: 'number', tone, points: [round(at.x), round(at.y)], number });
  };
  const write = (text: string) => {
    if (writing && text.trim() !== '') {
      const points = [round(writing.x), round(writing.y)];
      desk?.done({ id: newMarkId(), kind: 'text', tone, points, text: text.trim() });
    }
    setWriting(null);
  };
  return {
    ready: desk !== null,
    marks: state.marks,
    canUndo: state.canUndo,
    canRedo: state.canRedo,
    tool,
    choose: setTool,
    tone,
    nextTone: () => setTone((before) => TONES[before % TONES.length] ?? 1),
    setTone,
    undo: () => desk?.undo(),
    redo: () => desk?.redo(),
    clear: () => desk?.clear(),
    draw: desk && tool !== null ? draw : null,
    writing,
    write,
  };
}

export type Drawing = ReturnType<typeof useDrawing>;
