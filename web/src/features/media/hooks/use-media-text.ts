import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { MediaItem } from '@/api/types';
import { type ConferenceMedia, mediaQuery } from '@/shared/conference/api';
import { session } from '@/shared/session';
import { type MediaText, saveText } from '../api';

export type TextState = 'idle' | 'typing' | 'saving' | 'saved' | 'failed';

interface Draft {
  value: string;
  state: TextState;
  error: unknown;
  /** The field was left while its text was on the way. */
  again?: boolean;
  /** What the file said when this was saved: until it says something else, this is newer. */
  base?: string;
}

/** "Guardado" stays this long. Milliseconds. */
const SAVED_MS = 4_000;

// What was typed and is not yet on the server outlives the field, the picture and the dialog it was typed in.
const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();
let version = 0;

function put(key: string, draft: Draft | null): void {
  if (draft) drafts.set(key, draft);
  else drafts.delete(key);
  version += 1;
  for (const listener of listeners) listener();
}

session.subscribe((current) => {
  if (!current) drafts.clear();
});

const subscribe = (onChange: () => void) => {
  listeners.add(onChange);
  return () => {
    listeners.delete(onChange);
  };
};

/** Whether something typed about these files is not saved: it failed, or its field was not left yet. */
export function useUnsavedTexts(items: readonly MediaItem[]): boolean {
  useSyncExternalStore(subscribe, () => version);
  return items.some((item) =>
    (['label', 'note'] as const).some((field) =>
      ['typing', 'failed'].includes(drafts.get(`${item._id} ${field}`)?.state ?? ''),
    ),
  );
}

/** One text about a file: saved when its field is left; a failure keeps what was typed and says so. */
export function useMediaText(item: MediaItem, field: MediaText) {
  const client = useQueryClient();
  const key = `${item._id} ${field}`;
  useSyncExternalStore(subscribe, () => version);
  const kept = item[field] ?? '';
  const found = drafts.get(key);
  const draft = found?.state === 'idle' && found.base !== kept ? undefined : found;

  const save = async (before = kept): Promise<void> => {
    const typed = drafts.get(key);
    if (!typed) return;
    if (typed.state === 'saving') return put(key, { ...typed, again: true });
    const value = typed.value.trim();
    if (value === before && typed.state !== 'failed') return put(key, null);
    put(key, { value: typed.value, state: 'saving', error: null });
    try {
      const saved = await saveText(item._id, field, value);
      client.setQueryData<ConferenceMedia>(mediaQuery(item.conferenceId).queryKey, (known) =>
        known
          ? { ...known, media: known.media.map((one) => (one._id === item._id ? { ...one, ...textsOf(saved) } : one)) }
          : known,
      );
    } catch (error) {
      return put(key, { value: drafts.get(key)?.value ?? typed.value, state: 'failed', error });
    }
    const now = drafts.get(key);
    if (!now || now.value === typed.value) {
      const done: Draft = { value, state: 'saved', error: null, base: kept };
      put(key, done);
      setTimeout(() => drafts.get(key) === done && put(key, { ...done, state: 'idle' }), SAVED_MS);
      return;
    }
    // Typed on while it was saved: that goes next, now or when the field is left.
    put(key, { value: now.value, state: 'typing', error: null });
    if (now.again) await save(value);
  };
  return {
    value: draft?.value ?? kept,
    state: draft?.state ?? ('idle' as TextState),
    error: draft?.error ?? null,
    change: (value: string) => {
      const saving = drafts.get(key)?.state === 'saving';
      put(key, { value, state: saving ? 'saving' : 'typing', error: null });
    },
    save: () => save(),
  };
}

const textsOf = ({ label, note }: MediaItem) => ({ label, note });
