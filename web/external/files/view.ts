/** What the list shows: the server's items with this phone's files laid over them. Pure. */
import type { FilesInfo, Item, ServerUpload, ShotOverlay } from './model';
import type { Entry, Queue } from './queue';

export type RowState = 'todo' | 'repeat' | 'sending' | 'stuck' | 'sent' | 'approved' | 'refused';

export interface Row {
  item: Item;
  state: RowState;
  /** Of the bytes on their way. */
  percent: number;
  /** Files that have arrived. */
  files: number;
  /** Files that cannot be used, each with the server's code. */
  refused: { key: string; name: string; code: string }[];
}

const isMoving = (entry: Entry) => entry.state === 'waiting' || entry.state === 'sending';

/** Files refused at an earlier visit; forgotten once something of that item has arrived. */
function refusedBefore(uploads: readonly ServerUpload[], item: Item): Row['refused'] {
  if (item.state === 'received' || item.state === 'approved') return [];
  const own = uploads.filter((upload) => upload.itemId === item._id && upload.state !== 'running');
  const last = own[own.length - 1];
  if (last?.state !== 'refused') return [];
  return [{ key: last._id, name: last.name, code: last.code ?? '' }];
}

function stateOf(item: Item, own: readonly Entry[], refused: boolean, online: boolean): RowState {
  const moving = own.filter(isMoving);
  if (moving.length) return !online || moving.every((entry) => entry.tries > 0) ? 'stuck' : 'sending';
  if (own.some((entry) => entry.state === 'accepted')) return 'sent';
  if (item.state === 'approved') return 'approved';
  if (item.state === 'received') return 'sent';
  if (refused) return 'refused';
  return item.state === 'rejected' ? 'repeat' : 'todo';
}

export function rowsOf(info: FilesInfo, queue: Queue): Row[] {
  return info.items.map((item) => {
    const own = queue.entries.filter((entry) => entry.itemId === item._id);
    const moving = own.filter(isMoving);
    const size = moving.reduce((sum, entry) => sum + entry.size, 0);
    const sent = moving.reduce((sum, entry) => sum + entry.sent, 0);
    const now = own.flatMap(({ key, name, code, state }) =>
      state === 'refused' ? [{ key, name, code: code ?? '' }] : [],
    );
    const refused = now.length || moving.length ? now : refusedBefore(info.uploads, item);
    return {
      item,
      state: stateOf(item, own, refused.length > 0, queue.online),
      percent: size ? Math.min(99, Math.floor((sent / size) * 100)) : 0,
      files: item.files + own.filter((entry) => entry.state === 'accepted').length,
      refused,
    };
  });
}

/** Nothing has arrived for it, or it was sent back. */
export const isMissing = (row: Row): boolean =>
  row.state === 'todo' || row.state === 'repeat' || row.state === 'refused';

export const missingOf = (rows: readonly Row[]): Row[] => rows.filter(isMissing);

/** The row of the main button: the chosen one, else what the adjuster sent back, else the first missing one. */
export function activeOf(rows: readonly Row[], chosen: string | null): Row | null {
  const missing = missingOf(rows);
  const wanted = rows.find((row) => row.item._id === chosen);
  return wanted ?? missing.find((row) => row.item.state === 'rejected') ?? missing[0] ?? null;
}

/** The next missing shot after this one, wrapping around the list. */
export function nextMissing(rows: readonly Row[], after: string): Row | null {
  const at = rows.findIndex((row) => row.item._id === after);
  const round = [...rows.slice(at + 1), ...rows.slice(0, Math.max(0, at))];
  return round.find((row) => isMissing(row) && row.item.shot !== null) ?? null;
}

export type Overlay = 'line' | 'dial' | 'close' | 'scene';

const FRAMES: Record<ShotOverlay, Overlay> = {
  plate: 'line',
  vin: 'line',
  odometer: 'dial',
  near: 'close',
  corner: 'scene',
  far: 'scene',
  wide: 'scene',
};

/** The frame over the camera: the list's own, else one suggested by the shot's key (FILES-26). */
export function overlayOf({ shot, overlay }: Pick<Item, 'shot' | 'overlay'>): Overlay {
  if (overlay) return FRAMES[overlay] ?? 'scene';
  const key = (shot ?? '').toLowerCase();
  if (/plate|matricula|vin|bastidor|meter_label|label/.test(key)) return 'line';
  if (/odo|km|mileage|meter|contador/.test(key)) return 'dial';
  if (/near|close|detail|detalle|cerca|damage(?!.*(far|wide))/.test(key)) return 'close';
  return 'scene';
}

/** Pictures of an item so far: arrived, on their way, or waiting for the person's word (`held`). */
export const picturesOf = (row: Row, queue: Queue, held: readonly { itemId: string }[]): number =>
  row.files +
  queue.entries.filter((entry) => entry.itemId === row.item._id && isMoving(entry)).length +
  held.filter(({ itemId }) => itemId === row.item._id).length;

/** `esquina-delantera-izquierda-1.jpg`: what the adjuster asked for and which picture of it this is, from 1. */
export function pictureName(label: string, n: number, type: string): string {
  const words = label
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '');
  return `${words || 'foto'}-${n}.${type === 'image/png' ? 'png' : 'jpg'}`;
}

export type FileKind = 'picture' | 'pdf' | 'video';

const ENDINGS: Record<string, FileKind> = {
  jpg: 'picture',
  jpeg: 'picture',
  png: 'picture',
  webp: 'picture',
  heic: 'picture',
  heif: 'picture',
  pdf: 'pdf',
  mp4: 'video',
  mov: 'video',
  webm: 'video',
};

/** By the phone's type, else by the name's ending (Android often gives HEIC none); null for anything else. */
export function kindOf(file: { type: string; name: string }): FileKind | null {
  const ending = ENDINGS[/\.([a-z0-9]+)$/i.exec(file.name)?.[1]?.toLowerCase() ?? ''];
  if (file.type === 'application/pdf') return 'pdf';
  if (/^image\/(jpeg|jpg|png|webp|hei[cf](-sequence)?)$/.test(file.type)) return 'picture';
  if (/^video\/(mp4|quicktime|webm)$/.test(file.type)) return 'video';
  return file.type === '' || file.type === 'application/octet-stream' ? (ending ?? null) : null;
}

/** The items that a file may answer: a document shows no "front right corner" (FILES-41). */
export function placesFor(rows: readonly Row[], file: { type: string; name: string }): Row[] {
  return kindOf(file) === 'pdf' ? rows.filter(({ item }) => item.shot === null) : [...rows];
}

/**
 * Where chosen files go without asking: to the only item there is, or to the one that the person has tapped; one file
 * also to the item on the main button. A shot takes one picture. `null`: the person says it for each file.
 */
export function obviousPlace(
  rows: readonly Row[],
  files: readonly { type: string; name: string }[],
  active: Row | null,
  tapped: boolean,
): Row | null {
  const fits = (row: Row) => files.every((file) => placesFor(rows, file).some(({ item }) => item._id === row.item._id));
  const [only] = rows;
  if (rows.length === 1 && only && fits(only)) return only;
  if (!active || !fits(active)) return null;
  if (files.length === 1) return active;
  return tapped && active.item.shot === null ? active : null;
}

/** The server's code for why the file cannot be sent, known before sending; null when it can. */
export function refusalOf(
  file: { type: string; name: string; size: number },
  limits: Pick<FilesInfo, 'maxBytes' | 'maxPictureBytes'>,
): string | null {
  const kind = kindOf(file);
  if (!kind) return 'FILE_TYPE_NOT_SUPPORTED';
  if (file.size === 0) return 'FILE_EMPTY';
  return file.size > (kind === 'video' ? limits.maxBytes : limits.maxPictureBytes) ? 'FILE_TOO_LARGE' : null;
}
