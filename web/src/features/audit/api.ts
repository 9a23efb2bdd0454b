import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { downloadXlsx } from '@/shared/lib/download';
import { exportQuery, listQuery } from '@/shared/lib/list-state';
import type { ListControls, ListState } from '@/shared/ui/DataList';

/** Something that was done to an account. `action` is a key of the texts, `audit.<action>`. */
export interface AuditLog {
  _id: string;
  at: string;
  action: string;
  /** `null` for a link or the system. */
  actor: { _id: string; name: string } | null;
  actorRole: number | null;
  company: { _id: string; company: string };
  /** `null` when it is about the company. */
  user: { _id: string; name: string; userName: string } | null;
  address: string | null;
  detail: Record<string, unknown>;
}

/** One page of the log, newest first: the administrator's all or one company's, a principal's own company's. */
export const listAudit = (list: ListControls) => {
  const { sort: _newestFirst, ...query } = listQuery(list, list.pageSize);
  return queryOptions({
    queryKey: ['list_audit', query],
    queryFn: async ({ signal }) => {
      const path = `/api/v1/audit?${new URLSearchParams(query)}`;
      const page = await api.get<{ logs: AuditLog[]; total: number }>(path, { signal });
      return { rows: page.logs, total: page.total };
    },
    placeholderData: keepPreviousData,
  });
};

export function exportAudit(list: ListState, name: string): Promise<void> {
  const { sort: _newestFirst, ...query } = exportQuery(list);
  return downloadXlsx('/api/v1/audit', query, name);
}
