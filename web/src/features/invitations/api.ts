import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { components } from '@/api/generated/schema';
import { operation } from '@/api/operation';
import { listQuery } from '@/shared/lib/list-state';
import type { ListControls } from '@/shared/ui/DataList';
import type { InvitationState } from './model';

export type Invitation = Omit<components['schemas']['Invitation'], 'state'> & { state: InvitationState };

/**
 * Invitations for a role, newest first: the administrator's all or one `company`'s, a principal's own company's.
 */
export const listInvitations = (type: number, list: ListControls, company?: string) => {
  const { cursor, search, state } = listQuery(list, list.pageSize);
  const query = { type, company, state, search, limit: list.pageSize, cursor };
  return queryOptions({
    queryKey: ['list_invitations', query],
    queryFn: async ({ signal }) => {
      const { invitations, total } = await operation('get', '/api/v1/invitations', { query, signal });
      return { rows: invitations as Invitation[], total };
    },
    placeholderData: keepPreviousData,
  });
};

/** `customerId` names the company of a member's invitation that an administrator sends. */
export const sendInvitation = (body: { emailOPhone: string; type: number; customerId?: string }) =>
  operation('post', '/api/v1/activation', { body });

/** Takes an invitation back: its link stops working. */
export const revokeInvitation = (id: string) => operation('post', '/api/v1/invitation-revoke/{id}', { path: { id } });

export const resendInvitation = (id: string) => operation('post', '/api/v1/invitation-resend/{id}', { path: { id } });
