import { useSyncExternalStore } from 'react';

/** What the request-files modal is given; what is absent is simply not shown. */
export interface RequestFilesInput {
  conferenceId: string;
  expedientNumber: string;
  /** The client's mobile. */
  phoneNumber: string;
  /** `true` or the text 'true'. */
  filesRequested: boolean | 'true';
  contactPerson?: string | null;
  email?: string | null;
  /** 1 Autos, 2 Diversos. */
  type?: number;
  createdAt?: string;
  mediaRequestExpired?: string | null;
}

/** Where the incidence form is opened from: a new one, or an addition to an existing one. */
export type Opener = 'list-add' | 'support';

/** A conference that an incidence is about. */
export interface ConferenceChoice {
  _id: string;
  expedientNumber: string;
  contactPerson?: string | null;
  createdAt: string;
}

export interface IncidenceInput {
  opener: Opener;
  /** Of the list-add opener: chosen already. */
  conference?: ConferenceChoice;
  /** Of the support opener: chosen already. */
  incidenceId?: string;
}

/** The dialogs that any feature may open without knowing the one that draws them, and what each is given. */
export interface ModalInputs {
  'conference-media': { conferenceId: string };
  'request-files': RequestFilesInput;
  /** The requests already made for a conference, with their items. */
  'file-requests': { conferenceId: string };
  incidence: IncidenceInput;
}

export type ModalId = keyof ModalInputs;
export type OpenModal = {
  [Id in ModalId]: { key: number; id: Id; input: ModalInputs[Id]; opened: boolean; path: string };
}[ModalId];

/** As long as a dialog takes to leave. Milliseconds. */
const LEAVING_MS = 250;

let stack: readonly OpenModal[] = [];
let lastKey = 0;
const listeners = new Set<() => void>();

function set(next: readonly OpenModal[]): void {
  stack = next;
  for (const listener of listeners) listener();
}

/** Opens a dialog by its id; answers how to close it. Drawn by `app/modals.tsx`. */
export function openModal<Id extends ModalId>(id: Id, input: ModalInputs[Id]): () => void {
  lastKey += 1;
  const key = lastKey;
  set([...stack, { key, id, input, opened: true, path: window.location.pathname } as OpenModal]);
  return () => closeModal(key);
}

/** Lets a dialog leave, then forgets it. */
export function closeModal(key: number): void {
  set(stack.map((one) => (one.key === key ? { ...one, opened: false } : one)));
  setTimeout(() => set(stack.filter((one) => one.key !== key)), LEAVING_MS);
}

/** Forgets the dialogs of other pages: the page below has changed. */
export function keepModalsOf(path: string): void {
  if (stack.some((one) => one.path !== path)) set(stack.filter((one) => one.path === path));
}

/** For the host. */
export const useOpenModals = (): readonly OpenModal[] =>
  useSyncExternalStore(
    (onChange) => {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    () => stack,
  );
