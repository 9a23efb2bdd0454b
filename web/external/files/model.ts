/** What the server says about a request for files. */

export type RequestState = 'open' | 'finished' | 'expired' | 'cancelled' | 'erased';
export type ItemState = 'asked' | 'received' | 'approved' | 'rejected';

export type ShotOverlay = 'corner' | 'plate' | 'vin' | 'odometer' | 'near' | 'far' | 'wide';

/** One thing that the adjuster asks for. */
export interface Item {
  _id: string;
  /** Key of the shot list; null for a free item, which takes several files. */
  shot: string | null;
  label: string;
  hint: string | null;
  /** The frame of the shot as the company's list has it. */
  overlay?: ShotOverlay | null;
  state: ItemState;
  /** Why the adjuster wants it again. */
  note: string | null;
  /** Files of this item that the server has accepted. */
  files: number;
}

export interface ServerUpload {
  _id: string;
  itemId: string | null;
  /** The client's own id of it. */
  uploadKey: string;
  name: string;
  size: number;
  offset: number;
  state: 'running' | 'accepted' | 'refused';
  code: string | null;
  mediaId: string | null;
}

export interface FilesInfo {
  state: RequestState;
  company: string;
  adjuster: string | null;
  expedientNumber: string;
  type: number | null;
  contactPerson: string | null;
  contactPhone: string | null;
  pageShowText: string | null;
  language: string | null;
  expiresAt: string | null;
  items: Item[];
  uploads: ServerUpload[];
  /** Bytes of the largest file (a video). */
  maxBytes: number;
  /** Bytes of the largest picture or PDF. */
  maxPictureBytes: number;
  maxFiles: number;
}

const MIB = 1024 * 1024;
const MAX_PICTURE = 25 * MIB;
const MAX_VIDEO = 200 * MIB;

/** What a request that is not open leaves out is filled with nothing. */
export function filesInfo(answer: Partial<FilesInfo>): FilesInfo {
  return {
    state: answer.state ?? 'open',
    company: answer.company ?? '',
    adjuster: answer.adjuster ?? null,
    expedientNumber: answer.expedientNumber ?? '',
    type: answer.type ?? null,
    contactPerson: answer.contactPerson ?? null,
    contactPhone: answer.contactPhone ?? null,
    pageShowText: answer.pageShowText ?? null,
    language: answer.language ?? null,
    expiresAt: answer.expiresAt ?? null,
    items: answer.items ?? [],
    uploads: answer.uploads ?? [],
    maxBytes: answer.maxBytes || MAX_VIDEO,
    maxPictureBytes: answer.maxPictureBytes || MAX_PICTURE,
    maxFiles: answer.maxFiles || 200,
  };
}
