import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { listQuery } from '@/shared/lib/list-state';
import type { ListControls } from '@/shared/ui/DataList';
import type { InvitationState } from './model';

export interface Invitation {
  _id: string;
  emailOPhone: string;
  /** Role of the account to be made. */
  type: number;
  state: InvitationState;
  createdAt: string;
  expiresAt: string;
  openedAt: string | null;
  activatedAt: string | null;
  inviter: string | { name: string } | null;
  company: string | { company: string } | null;
}

/** Invitations for a role, newest first: the administrator's all or one company's, a principal's own company's. */
export const listInvitations = (type: number, list: ListControls, company?: string) => {
  const { sort: _newestFirst, ...filter } = listQuery(list, list.pageSize);
  const query: Record<string, string> = { ...filter, type: String(type), ...(company && { company }) };
  return queryOptions({
    queryKey: ['list_invitations', query],
    queryFn: async ({ signal }) => {
      const path = `/api/v1/invitations?${new URLSearchParams(query)}`;
      const page = await api.get<{ invitations: Invitation[]; total: number }>(path, { signal });
      return { rows: page.invitations, total: page.total };
    },
    placeholderData: keepPreviousData,
  });
};

/** `customerId` names the company of a member's invitation that an administrator sends. */
export const sendInvitation = (body: { emailOPhone: string; type: number; customerId?: string }) =>
  api.post<{ invitation: Invitation }>('/api/v1/activation', body);

export const resendInvitation = (id: string) =>
  api.post<{ invitation: Invitation }>(`/api/v1/invitation-resend/${encodeURIComponent(id)}`);
