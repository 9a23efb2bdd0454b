import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { send } from '@/api/client';
import { operation } from '@/api/operation';
import { download } from '@/shared/lib/download';
import { listQuery } from '@/shared/lib/list-state';
import type { ListControls } from '@/shared/ui/DataList';
import type { Corrected, Verifactu } from './model';

/** The queue moves by itself: looked at this often while something waits. Milliseconds. */
const WHILE_WAITING_MS = 5000;

export const getVerifactu = () =>
  queryOptions({
    queryKey: ['get_verifactu'],
    queryFn: async ({ signal }) => (await operation('get', '/api/v1/verifactu', { signal })) as Verifactu,
    refetchInterval: ({ state: { data } }) =>
      data && data.mode !== 'off' && data.queue.pending + data.queue.sent > 0 ? WHILE_WAITING_MS : false,
  });

/** One page of the chain, newest first. */
export const listRecords = (list: ListControls) => {
  const { sort: _newestFirst, ...query } = listQuery(list, list.pageSize);
  return queryOptions({
    queryKey: ['list_verifactu_records', query],
    queryFn: async ({ signal }) => {
      const page = await operation('get', '/api/v1/verifactu-records', { query, signal });
      return { rows: page.records, total: page.total };
    },
    placeholderData: keepPreviousData,
  });
};

export const recordPath = (id: string): string => `/api/v1/verifactu-record/${encodeURIComponent(id)}`;

/** The record as it is sent. It never changes. */
export const recordXml = (id: string) =>
  queryOptions({
    queryKey: ['get_verifactu_record', id],
    queryFn: async ({ signal }) => (await send('GET', recordPath(id), { signal })).text(),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Days in which records were made, and what an inspection calls its request. */
export interface Period extends Record<string, unknown> {
  from: string;
  to: string;
  reference: string;
}

/** The records of a period as a file. */
export function exportRecords({ from, to, reference }: Period): Promise<void> {
  const asked = reference.trim();
  return download(
    '/api/v1/verifactu-export',
    { from, to, ...(asked && { reference: asked }) },
    `registros-${from}-${to}.xml`,
  );
}

/** Calculates the whole chain again. */
export const checkChain = () => operation('post', '/api/v1/verifactu-check');

/** Puts a new record of the same invoice in the queue: as its invoice says, or with these words instead. */
export const resendRecord = (id: string, corrected?: Corrected) =>
  operation('post', '/api/v1/verifactu-resend/{id}', { path: { id }, body: corrected });

export const getDeclaration = (language: string) =>
  queryOptions({
    queryKey: ['get_verifactu_declaration', language],
    queryFn: ({ signal }) => operation('get', '/api/v1/verifactu-declaration', { signal }),
  });
