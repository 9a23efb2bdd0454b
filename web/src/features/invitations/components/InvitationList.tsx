import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { InvitationListProps } from '@/shared/company/invitations';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { shortDate, shortDateTime } from '@/shared/lib/dates';
import { useListState } from '@/shared/lib/list-state';
import { formatPhone } from '@/shared/lib/phone';
import { DataList, type ListColumn } from '@/shared/ui/DataList';
import { confirm } from '@/shared/ui/dialogs';
import { IconAction } from '@/shared/ui/IconAction';
import { Tag } from '@/shared/ui/Tag';
import { toast } from '@/shared/ui/toast';
import { type Invitation, listInvitations, resendInvitation, revokeInvitation } from '../api';
import { INVITATION_STATES, type InvitationState, mayResend, stateLook, stateText } from '../model';

const person = (inviter: Invitation['inviter']) => (typeof inviter === 'object' ? inviter?.name : inviter) ?? '–';

/** Who was invited and what became of it; what was not used can be sent again. */
export function InvitationList({ title, type, company, above, action, onInvite }: InvitationListProps) {
  const t = useT();
  const language = useLanguage();
  const list = useListState({ sort: '-createdAt', filters: ['state'] });
  const source = useQuery(listInvitations(type, list, company));
  const columns: ListColumn<Invitation>[] = [
    { key: 'to', title: t('activation.to'), render: ({ emailOPhone }) => <Address text={emailOPhone} />, fixed: true },
    { key: 'state', title: t('activation.state'), render: ({ state }) => <StateTag state={state} /> },
    { key: 'sent', title: t('activation.sentAt'), render: (row) => shortDateTime(row.createdAt, language) },
    { key: 'opened', title: t('activation.openedAt'), render: (row) => shortDateTime(row.openedAt, language) },
    { key: 'activated', title: t('activation.activatedAt'), render: (row) => shortDateTime(row.activatedAt, language) },
    { key: 'expires', title: t('activation.expiresAt'), render: (row) => shortDateTime(row.expiresAt, language) },
    { key: 'inviter', title: t('activation.inviter'), render: ({ inviter }) => person(inviter), off: true },
  ];
  return (
    <DataList<Invitation>
      name="invitations"
      title={title}
      above={above}
      action={action}
      list={list}
      source={source}
      columns={columns}
      rowKey={(row) => row._id}
      narrow={(row) => ({
        title: <Address text={row.emailOPhone} />,
        badge: <StateTag state={row.state} />,
        text: person(row.inviter),
        aside: shortDate(row.createdAt, language),
      })}
      actions={(row) =>
        mayResend(row.state) && (
          <>
            <Resend id={row._id} />
            <Revoke id={row._id} to={row.emailOPhone} />
          </>
        )
      }
      search={t('activation.search')}
      filters={[
        {
          name: 'state',
          label: t('activation.state'),
          options: INVITATION_STATES.map((state) => ({ value: state, label: stateText(t, state) })),
        },
      ]}
      empty={{
        icon: 'send',
        title: t('activation.noInvitations'),
        text: t('activation.noInvitationsText'),
        action: { label: t('activation.new'), icon: 'userplus', run: onInvite },
      }}
    />
  );
}

const Address = ({ text }: { text: string }) => (
  <span className="num">{text.includes('@') ? text : formatPhone(text)}</span>
);

function StateTag({ state }: { state: InvitationState }) {
  const t = useT();
  const { tone, icon } = stateLook[state] ?? stateLook.sent;
  return (
    <Tag tone={tone} icon={icon}>
      {stateText(t, state)}
    </Tag>
  );
}

function Resend({ id }: { id: string }) {
  const t = useT();
  const queries = useQueryClient();
  const resending = useMutation({
    mutationFn: () => resendInvitation(id),
    onSuccess: ({ invitation }) => {
      toast.ok({ title: t('activation.resent'), text: t('activation.invitedTo', { to: invitation.emailOPhone }) });
      return queries.invalidateQueries({ queryKey: ['list_invitations'] });
    },
    onError: (error) => toast.error({ title: t('activation.inviteFailed'), text: errorText(t, error) }),
  });
  return (
    <IconAction
      icon="send"
      size={28}
      label={t('activation.resend')}
      loading={resending.isPending}
      onClick={() => resending.mutate()}
    />
  );
}

function Revoke({ id, to }: { id: string; to: string }) {
  const t = useT();
  const queries = useQueryClient();
  const revoking = useMutation({
    mutationFn: () => revokeInvitation(id),
    onSuccess: () => {
      toast.ok({ title: t('activation.revoked'), text: to });
      return queries.invalidateQueries({ queryKey: ['list_invitations'] });
    },
    onError: (error) => toast.error({ title: t('activation.revokeFailed'), text: errorText(t, error) }),
  });
  const ask = async () => {
    const sure = await confirm({
      title: t('activation.revokeTitle'),
      text: t('activation.revokeText', { to }),
      confirm: t('activation.revoke'),
      danger: true,
    });
    if (sure) revoking.mutate();
  };
  return (
    <IconAction
      icon="x"
      size={28}
      label={t('activation.revoke')}
      loading={revoking.isPending}
      onClick={() => void ask()}
    />
  );
}
