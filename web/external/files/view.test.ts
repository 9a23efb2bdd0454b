import { describe, expect, it } from 'vitest';
import en from '../../../locales/en/upload.json';
import es from '../../../locales/es/upload.json';
import { tokenOf } from './app';
import { filesInfo, type Item, type ServerUpload } from './model';
import { advance, EMPTY, type Queue, type QueueEvent } from './queue';
import { entry } from './queue.fixture';
import { counted, reasonOf, type Translate, translate } from './texts';
import {
  activeOf,
  kindOf,
  missingOf,
  nextMissing,
  obviousPlace,
  overlayOf,
  pictureName,
  picturesOf,
  placesFor,
  refusalOf,
  rowsOf,
} from './view';

const item = (id: string, change: Partial<Item> = {}): Item => ({
  _id: id,
  shot: 'plate',
  label: id,
  hint: null,
  state: 'asked',
  note: null,
  files: 0,
  ...change,
});
const info = (items: Item[], uploads: ServerUpload[] = []) => filesInfo({ items, uploads });
const queue = (events: QueueEvent[]): Queue => events.reduce(advance, EMPTY);
const add: QueueEvent = { type: 'ADD', entry: entry('a') };
const refusedUpload: ServerUpload = {
  _id: 'u',
  itemId: 'i1',
  uploadKey: 'k',
  mediaId: null,
  name: 'x.txt',
  size: 1,
  offset: 1,
  state: 'refused',
  code: 'NOT_A_PICTURE',
};

describe('a row', () => {
  it.each<[string, Partial<Item>, QueueEvent[], ServerUpload[], string]>([
    ['is to do', {}, [], [], 'todo'],
    ['is on its way', {}, [add], [], 'sending'],
    ['is stuck without a network', {}, [add, { type: 'OFFLINE' }], [], 'stuck'],
    ['is stuck after a cut', {}, [add, { type: 'CUT', key: 'a', now: 0 }], [], 'stuck'],
    ['has arrived before the server says so', {}, [add, { type: 'DONE', key: 'a', mediaId: 'm' }], [], 'sent'],
    ['was refused', {}, [add, { type: 'REFUSED', key: 'a', code: 'FILE_EMPTY' }], [], 'refused'],
    ['was refused at another visit', {}, [], [refusedUpload], 'refused'],
    [
      'is fine although one file was refused',
      { state: 'received', files: 1 },
      [add, { type: 'REFUSED', key: 'a', code: 'X' }],
      [],
      'sent',
    ],
    ['has been received', { state: 'received', files: 1 }, [], [], 'sent'],
    ['has been approved', { state: 'approved', files: 1 }, [], [], 'approved'],
    ['comes back', { state: 'rejected', files: 1 }, [], [], 'repeat'],
    ['comes back and is sent again', { state: 'rejected', files: 1 }, [add], [], 'sending'],
    [
      'comes back and has arrived again',
      { state: 'rejected' },
      [add, { type: 'DONE', key: 'a', mediaId: 'm' }],
      [],
      'sent',
    ],
  ])('%s', (_, change, events, uploads, state) => {
    expect(rowsOf(info([item('i1', change)], uploads), queue(events))[0]?.state).toBe(state);
  });

  it('names what was refused', () => {
    const rows = rowsOf(info([item('i1')]), queue([add, { type: 'REFUSED', key: 'a', code: 'FILE_EMPTY' }]));
    expect(rows[0]?.refused).toEqual([{ key: 'a', name: 'a.jpg', code: 'FILE_EMPTY' }]);
    expect(rowsOf(info([item('i1')], [refusedUpload]), EMPTY)[0]?.refused[0]?.code).toBe('NOT_A_PICTURE');
    // Something of it has come since: nothing to tell any more.
    expect(rowsOf(info([item('i1', { state: 'received' })], [refusedUpload]), EMPTY)[0]?.refused).toEqual([]);
  });
});

describe('what is next', () => {
  const rows = rowsOf(
    info([
      item('i1', { state: 'received' }),
      item('i2'),
      item('i3', { state: 'rejected' }),
      item('i4', { shot: null }),
    ]),
    EMPTY,
  );
  it('is what was sent back, then the first missing, unless another is chosen', () => {
    expect(missingOf(rows).map((row) => row.item._id)).toEqual(['i2', 'i3', 'i4']);
    expect(activeOf(rows, null)?.item._id).toBe('i3');
    expect(activeOf(rows, 'i1')?.item._id).toBe('i1');
    expect(activeOf(rows.slice(0, 1), null)).toBeNull();
  });
  it('goes round the shots and leaves out what is no photo', () => {
    expect(nextMissing(rows, 'i2')?.item._id).toBe('i3');
    expect(nextMissing(rows, 'i3')?.item._id).toBe('i2');
    expect(nextMissing(rows.slice(0, 2), 'i2')).toBeNull();
  });
});

describe('a chosen file', () => {
  it.each([
    ['image/jpeg', 'a.jpg', 'picture'],
    ['image/heic', 'IMG_1.HEIC', 'picture'],
    ['', 'IMG_1.HEIC', 'picture'],
    ['application/octet-stream', 'x.heif', 'picture'],
    ['application/pdf', 'x', 'pdf'],
    ['video/quicktime', 'x.mov', 'video'],
    ['text/plain', 'x.jpg', null],
    ['image/svg+xml', 'x.svg', null],
    ['', 'x.exe', null],
    ['', 'nothing', null],
  ])('%s %s is %s', (type, name, kind) => expect(kindOf({ type, name })).toBe(kind));

  const MIB = 1024 * 1024;
  it.each<[string, number, string | null]>([
    ['image/jpeg', 1, null],
    ['image/jpeg', 0, 'FILE_EMPTY'],
    ['image/jpeg', 25 * MIB, null],
    ['image/jpeg', 25 * MIB + 1, 'FILE_TOO_LARGE'],
    ['application/pdf', 26 * MIB, 'FILE_TOO_LARGE'],
    ['video/mp4', 200 * MIB, null],
    ['video/mp4', 200 * MIB + 1, 'FILE_TOO_LARGE'],
    ['application/zip', 5, 'FILE_TYPE_NOT_SUPPORTED'],
  ])('%s of %s bytes: %s', (type, size, code) => {
    expect(refusalOf({ type, name: 'x', size }, { maxBytes: 200 * MIB, maxPictureBytes: 25 * MIB })).toBe(code);
  });
});

// FILES-26
it.each([
  ['plate', 'line'],
  ['vin', 'line'],
  ['odometer', 'dial'],
  ['damage_near', 'close'],
  ['damage_far', 'scene'],
  ['damage', 'close'],
  ['corner_front_left', 'scene'],
  ['facade', 'scene'],
  [null, 'scene'],
])('the frame of %s is %s', (shot, overlay) => expect(overlayOf({ shot })).toBe(overlay));

// FILES-26
it.each([
  ['near', 'close'],
  ['vin', 'line'],
  ['wide', 'scene'],
  [null, 'line'],
] as const)('the frame of a list with %s goes before the words: %s', (overlay, frame) =>
  expect(overlayOf({ shot: 'plate', overlay })).toBe(frame),
);

describe('the texts', () => {
  const braces = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
  it('have the same keys and places in both languages', () => {
    expect(Object.keys(en).sort()).toEqual(Object.keys(es).sort());
    for (const key of Object.keys(es) as (keyof typeof es)[]) {
      expect(new Set(braces(en[key])), key).toEqual(new Set(braces(es[key])));
      expect(es[key].trim(), key).not.toBe('');
    }
  });
  const t = (key: keyof typeof es, values = {}) => translate('es', key, values);
  it('count', () => {
    expect(counted(t, 'missing_photos', 1, { name: ', Carmen' })).toBe('Falta 1 foto, Carmen');
    expect(counted(t, 'missing_photos', 2, { name: '' })).toBe('Faltan 2 fotos');
  });
  it('have a reason for every code, known or not', () => {
    const around = { t, info: info([]) };
    expect(reasonOf(around, 'FILE_TOO_LARGE')).toContain('25 MB; vídeos, hasta 200 MB');
    expect(reasonOf(around, 'SOMETHING_NEW')).toBe(t('code_OTHER', { company: '' }));
  });
});

it.each([
  ['/external/files/0123', '0123'],
  ['/external/files/0123/', '0123'],
  ['/external/files', '-'],
  ['/external/files/', '-'],
])('the token of %s is %s', (path, token) => expect(tokenOf(path)).toBe(token));

describe('a picture of the camera', () => {
  it.each([
    ['Esquina delantera izquierda', 1, 'image/jpeg', 'esquina-delantera-izquierda-1.jpg'],
    ['Daños (de cerca), ¿señal?', 2, '', 'danos-de-cerca-senal-2.jpg'],
    ['../../etc', 1, 'image/png', 'etc-1.png'],
    ['«»', 3, 'image/jpeg', 'foto-3.jpg'],
    [`${'a'.repeat(59)} bb`, 1, 'image/jpeg', `${'a'.repeat(59)}-1.jpg`],
  ])('of %j, number %s, is called %s %s', (label, n, type, name) => {
    expect(pictureName(label, n, type)).toBe(name);
  });

  it.each<[string, QueueEvent[], { itemId: string }[], number]>([
    ['none', [], [], 0],
    ['one on its way', [add], [], 1],
    ['one that arrived', [add, { type: 'DONE', key: 'a', mediaId: 'm' }], [], 1],
    ['one refused', [add, { type: 'REFUSED', key: 'a', code: 'X' }], [], 0],
    ['one held back, one of another item', [], [{ itemId: 'i1' }, { itemId: 'i2' }], 1],
  ])('counts %s', (_, events, held, n) => {
    const [row] = rowsOf(info([item('i1')]), queue(events));
    if (!row) throw new Error('the list has one row');
    expect(picturesOf(row, queue(events), held)).toBe(n);
  });
});

// FILES-41
describe('where a chosen file goes', () => {
  const rows = rowsOf(
    info([item('plate'), item('corner', { shot: 'corner_fr' }), item('policy', { shot: null })]),
    EMPTY,
  );
  const picture = { type: 'image/jpeg', name: 'a.jpg' };
  const pdf = { type: 'application/pdf', name: 'a.pdf' };
  const ids = (found: { item: Item }[]) => found.map(({ item: { _id } }) => _id);
  const [plate, , policy] = rows;

  it('is never a shot for a document', () => {
    expect(ids(placesFor(rows, pdf))).toEqual(['policy']);
    expect(ids(placesFor(rows, picture))).toEqual(['plate', 'corner', 'policy']);
    expect(placesFor(rows.slice(0, 2), pdf)).toEqual([]);
  });

  it.each<[string, { type: string; name: string }[], 'plate' | 'policy' | null, boolean, string | null]>([
    ['one picture to the item on the button', [picture], 'plate', false, 'plate'],
    ['several pictures are asked about: a shot takes one', [picture, picture], 'plate', true, null],
    ['several to a tapped item that takes several', [picture, pdf], 'policy', true, 'policy'],
    ['several without a tap are asked about', [picture, pdf], 'policy', false, null],
    ['a document never to a shot', [pdf], 'plate', true, null],
    ['nothing is missing and nothing was tapped', [picture], null, false, null],
  ])('%s', (_name, files, active, tapped, to) => {
    const row = active === 'plate' ? plate : active === 'policy' ? policy : null;
    expect(obviousPlace(rows, files, row ?? null, tapped)?.item._id ?? null).toBe(to);
  });

  it('is the only item there is, unless a document would become a shot', () => {
    const one = rowsOf(info([item('free', { shot: null })]), EMPTY);
    expect(obviousPlace(one, [picture, pdf], null, false)?.item._id).toBe('free');
    expect(obviousPlace(rowsOf(info([item('plate')]), EMPTY), [pdf], null, false)).toBeNull();
  });

  it('is said in words when only pictures are asked for', () => {
    const t: Translate = (key, values) => translate('es', key, values);
    expect(reasonOf({ t, info: null }, 'PHOTOS_ONLY')).toContain('solo se piden fotos');
  });
});
