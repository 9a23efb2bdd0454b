import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { components } from '@/api/generated/schema';
import { operation } from '@/api/operation';
import { downloadXlsx } from '@/shared/lib/download';
import { exportQuery, listQuery } from '@/shared/lib/list-state';
import type { ListControls, ListState } from '@/shared/ui/DataList';

/** Something that was done to an account. `action` is a key of the texts, `audit.<action>`. */
export type AuditLog = Omit<components['schemas']['AuditLog'], 'detail'> & { detail: Record<string, unknown> };

/** One page of the log, newest first: the administrator's all or one company's, a principal's own company's. */
export const listAudit = (list: ListControls) => {
  const { sort: _newestFirst, ...query } = listQuery(list, list.pageSize);
  return queryOptions({
    queryKey: ['list_audit', query],
    queryFn: async ({ signal }) => {
      const page = await operation('get', '/api/v1/audit', { query, signal });
      return { rows: page.logs, total: page.total };
    },
    placeholderData: keepPreviousData,
  });
};

/** Whether the log is as it was written. The server walks all of it, so an answer is kept for a while. */
export const auditChain = queryOptions({
  queryKey: ['audit_chain'],
  queryFn: ({ signal }) => operation('get', '/api/v1/audit-chain', { signal }),
  staleTime: 10 * 60_000,
});

export function exportAudit(list: ListState, name: string): Promise<void> {
  const { sort: _newestFirst, ...query } = exportQuery(list);
  return downloadXlsx('/api/v1/audit', query, name);
}
