import type { ConferenceRow } from '@/api/types';
import { madridDay } from '@/shared/lib/dates';
import { paths } from '@/shared/routes/paths';

/** The address of a conference's panel in its list, with the day that holds it; `parent` is whose list the caller sees. */
export function panelHref(row: Pick<ConferenceRow, '_id' | 'type' | 'createdAt'>, parent: string): string {
  const list = Number(row.type) === 1 ? paths.conferencesAutos(parent) : paths.conferencesDiversos(parent);
  const day = madridDay(row.createdAt);
  return `${list}?${new URLSearchParams({ begin: day, end: day, open: row._id })}`;
}
