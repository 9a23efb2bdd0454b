import { queryOptions } from '@tanstack/react-query';
import type { components } from '@/api/generated/schema';
import { operation } from '@/api/operation';
import { madridDay } from '@/shared/lib/dates';

export type AgendaEntry = components['schemas']['AgendaEntry'];

/** The appointments of a company's open conferences in the next 31 days; `0` is everybody, for the administrator. */
export const agendaOf = (company: string) =>
  queryOptions({
    queryKey: ['list_appointments', company],
    queryFn: async ({ signal }): Promise<AgendaEntry[]> =>
      (await operation('get', '/api/v1/appointments/{companyId}', { path: { companyId: company }, signal }))
        .appointments,
    // The client answers meanwhile.
    refetchInterval: 60_000,
  });

export interface AgendaDay {
  /** `2026-11-20`, in Madrid. */
  day: string;
  entries: AgendaEntry[];
}

/** The same by days of Madrid, in their order. */
export function byDay(entries: readonly AgendaEntry[]): AgendaDay[] {
  const days = new Map<string, AgendaEntry[]>();
  for (const entry of entries) {
    const day = madridDay(entry.at);
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  return [...days].map(([day, found]) => ({ day, entries: found }));
}
