import type { Opener } from '@/shared/lib/modals';
import { session } from '@/shared/session';
import type { IncidenceValues } from './model';

// What was typed, with its images, outlives a dialog that closed or could not send. Only in memory, and only for this
// session: it may tell about a person.
const drafts = new Map<Opener, IncidenceValues>();

session.subscribe((current) => {
  if (!current) drafts.clear();
});

export const draftOf = (opener: Opener): IncidenceValues | null => drafts.get(opener) ?? null;
export const keepDraft = (opener: Opener, values: IncidenceValues): void => void drafts.set(opener, values);
export const dropDraft = (opener: Opener): void => void drafts.delete(opener);
