/** What the person does on the upload page, and what the screens show of it. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { finish as sendFinish } from './api';
import type { FilesInfo } from './model';
import type { Look } from './pictures';
import type { Verdict } from './quality';
import type { Queue } from './queue';
import type { Chosen, Sending } from './sending';
import {
  activeOf,
  nextMissing,
  obviousPlace,
  overlayOf,
  placesFor,
  type Row,
  refusalOf,
  rowsOf,
  kindOf as typeOf,
} from './view';

/** A picture that waits for the person's decision: repeat it, or send it all the same. */
export interface Held extends Chosen {
  url: string;
  verdict: Verdict;
}

/** Chosen files of which the person has still to say what each is. */
export interface Unplaced {
  file: File;
  url: string | null;
  places: Row[];
}

export type Mode = 'list' | 'camera' | 'stop';

export interface Desk {
  mode: Mode;
  rows: Row[];
  queue: Queue;
  active: Row | null;
  held: Held[];
  unplaced: Unplaced[];
  /** Small pictures of what this page has sent, by item. */
  thumbs: ReadonlyMap<string, string>;
  reading: boolean;
  finishing: boolean;
  failed: boolean;
  choose: (itemId: string) => void;
  shoot: () => void;
  pick: () => void;
  pickWithApp: () => void;
  take: (files: readonly File[], fromCamera: boolean) => Promise<void>;
  /** Sends each unplaced file to an item; `null` leaves it out. */
  place: (itemIds: readonly (string | null)[]) => Promise<void>;
  again: () => void;
  sendHeld: () => void;
  forget: (key: string) => void;
  retry: () => void;
  stop: () => void;
  back: () => void;
  finish: () => void;
}

const loadPictures = () => import('./pictures');

const newKey = (): string =>
  crypto.randomUUID?.() ??
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

const canFilm = () => typeof navigator.mediaDevices?.getUserMedia === 'function';

interface Parts {
  token: string;
  info: FilesInfo | null;
  /** Null until its code is here. */
  sending: () => Promise<Sending>;
  queue: Queue;
  refresh: () => Promise<void>;
}

/** Reads one chosen file; never throws. */
async function examine(file: File, row: Row): Promise<Chosen & { verdict: Verdict }> {
  const about: Chosen = {
    itemId: row.item._id,
    name: file.name,
    type: file.type || 'application/octet-stream',
    blob: file,
    capturedAt: new Date(file.lastModified || Date.now()).toISOString(),
    width: 0,
    height: 0,
    preview: null,
  };
  if (typeOf(file) !== 'picture') return { ...about, verdict: 'good' };
  const close = overlayOf(row.item) !== 'scene';
  const look: Look | null = await loadPictures()
    .then(({ lookAt }) => lookAt(file, file.name, close))
    .catch(() => null);
  return look ? { ...about, ...look } : { ...about, verdict: 'good' };
}

function useThumbs() {
  const thumbs = useRef(new Map<string, string>());
  const show = (itemId: string, blob: Blob) => {
    const old = thumbs.current.get(itemId);
    if (old) URL.revokeObjectURL(old);
    thumbs.current.set(itemId, URL.createObjectURL(blob));
  };
  return { thumbs: thumbs.current, show };
}

/** The two file inputs of the page: the picker, and the phone's own camera app. */
function open(id: 'pick' | 'shoot'): void {
  document.getElementById(id)?.click();
}

function useSelection(info: FilesInfo | null, queue: Queue) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [mode, setMode] = useState<Mode>('list');
  const rows = useMemo(() => (info ? rowsOf(info, queue) : []), [info, queue]);
  return { chosen, setChosen, mode, setMode, rows, active: activeOf(rows, chosen) };
}

export function useDesk({ token, info, sending, queue, refresh }: Parts): Desk {
  const { chosen, setChosen, mode, setMode, rows, active } = useSelection(info, queue);
  const [held, setHeld] = useState<Held[]>([]);
  const [unplaced, setUnplaced] = useState<Unplaced[]>([]);
  const [reading, setReading] = useState(false);
  const [finishing, setFinishing] = useState(false);
  const [failed, setFailed] = useState(false);
  const { thumbs, show } = useThumbs();
  const tapped = chosen !== null;
  const live = useRef({ rows, active, tapped });
  live.current = { rows, active, tapped };

  useEffect(() => {
    if (info && info.state !== 'open') setMode('list');
  }, [info?.state]);

  const send = async (chosen: Chosen) => {
    const queued = await sending();
    if (typeOf({ type: chosen.type, name: chosen.name }) === 'picture')
      show(chosen.itemId, chosen.preview ?? chosen.blob);
    await queued.add(newKey(), chosen);
  };

  const refuse = async (row: Row, file: File, code: string) =>
    (await sending()).refuse(newKey(), row.item._id, file, code);

  /** The person has read about an item's refused files; the new try replaces them. */
  const forgetRefused = async (row: Row) => {
    const queued = row.refused.length ? await sending() : null;
    await Promise.all(row.refused.map(({ key }) => queued?.forget(key)));
  };

  const sendTo = async (limits: FilesInfo, targets: readonly { file: File; row: Row }[], fromCamera: boolean) => {
    setReading(true);
    for (const row of new Set(targets.map(({ row }) => row))) await forgetRefused(row);
    const poor: Held[] = [];
    for (const { file, row } of targets) {
      const code = refusalOf(file, limits);
      if (code) {
        await refuse(row, file, code);
        continue;
      }
      const { verdict, ...chosen } = await examine(file, row);
      if (verdict === 'good') await send(chosen);
      else poor.push({ ...chosen, verdict, url: URL.createObjectURL(chosen.preview ?? chosen.blob) });
    }
    setReading(false);
    setHeld((before) => [...before, ...poor]);
    const last = targets[targets.length - 1]?.row.item._id;
    const next = fromCamera && !poor.length && last ? nextMissing(live.current.rows, last) : null;
    setChosen(next ? next.item._id : (poor[0]?.itemId ?? null));
    if (!next) setMode('list');
  };

  const take = async (files: readonly File[], fromCamera: boolean) => {
    const { rows, active, tapped } = live.current;
    if (!info || !rows.length) return;
    const place = fromCamera ? active : obviousPlace(rows, files, active, tapped);
    if (place) {
      await sendTo(
        info,
        files.map((file) => ({ file, row: place })),
        fromCamera,
      );
      return;
    }
    const asked: Unplaced[] = [];
    for (const file of files) {
      const places = placesFor(rows, file);
      const home = active ?? rows[0];
      const code = refusalOf(file, info) ?? (places.length ? null : 'PHOTOS_ONLY');
      if (code && home) await refuse(home, file, code);
      else asked.push({ file, places, url: typeOf(file) === 'picture' ? URL.createObjectURL(file) : null });
    }
    setUnplaced(asked);
  };

  const place = async (itemIds: readonly (string | null)[]) => {
    const targets = unplaced.flatMap(({ file }, at) => {
      const row = live.current.rows.find(({ item }) => item._id === itemIds[at]);
      return row ? [{ file, row }] : [];
    });
    for (const { url } of unplaced) if (url) URL.revokeObjectURL(url);
    setUnplaced([]);
    if (info) await sendTo(info, targets, false);
  };

  const drop = () => {
    const [first, ...rest] = held;
    if (first) URL.revokeObjectURL(first.url);
    setHeld(rest);
    return first;
  };
  const shoot = () => (canFilm() ? setMode('camera') : open('shoot'));

  return {
    mode,
    rows,
    queue,
    active,
    held,
    unplaced,
    thumbs,
    reading,
    finishing,
    failed,
    // A second tap on an arrived item deselects it.
    choose: (itemId) => setChosen((before) => (before === itemId ? null : itemId)),
    shoot,
    pick: () => open('pick'),
    pickWithApp: () => open('shoot'),
    take,
    place,
    again: () => {
      const first = drop();
      setChosen(first?.itemId ?? null);
      shoot();
    },
    sendHeld: () => {
      const first = drop();
      if (!first) return;
      setChosen(null);
      const { url: _, verdict: __, ...chosen } = first;
      void send(chosen);
    },
    forget: (key) => void sending().then((queued) => queued.forget(key)),
    retry: () => void sending().then((queued) => queued.online()),
    stop: () => setMode('stop'),
    back: () => setMode('list'),
    finish: () => {
      setFinishing(true);
      setFailed(false);
      sendFinish(token)
        .then(refresh, () => setFailed(true))
        .finally(() => setFinishing(false));
    },
  };
}
