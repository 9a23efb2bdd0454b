import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { getParent } from '@/shared/company/api';
import type { Invitations } from '@/shared/company/invitations';
import { type T, useLanguage, useT } from '@/shared/i18n';
import { shortDate, shortDateTime } from '@/shared/lib/dates';
import { useListState, useListTab } from '@/shared/lib/list-state';
import { usePage } from '@/shared/lib/page';
import { formatPhone } from '@/shared/lib/phone';
import { Role, roleOf } from '@/shared/routes/access';
import { roleTitle } from '@/shared/routes/labels';
import { paths } from '@/shared/routes/paths';
import { useRequiredSession } from '@/shared/session';
import { DataList, type ListColumn } from '@/shared/ui/DataList';
import { Icon } from '@/shared/ui/Icon';
import { IconAction } from '@/shared/ui/IconAction';
import { Segmented } from '@/shared/ui/Segmented';
import { StatusTag, statusOptions } from '@/shared/ui/StatusTag';
import { exportUsers, type ListedUser, listUsers } from '../api';
import { TwoFactorTag } from '../components/TwoFactorTag';
import { UserDrawer } from '../components/UserDrawer';
import { filterStatuses, fullName, invitableInto, rightsOver, userNameText } from '../model';
import { useUserActions } from '../use-user-actions';

/** `/users/{parent}`: the people of a company, and who was invited to join. */
export function UsersPage({ invitations }: { invitations: Invitations }) {
  const { parent } = useParams({ strict: false }) as { parent: string };
  return <People key={parent} parent={parent} invitations={invitations} />;
}

function People({ parent, invitations }: { parent: string; invitations: Invitations }) {
  const t = useT();
  const person = useRequiredSession();
  const [inviting, invite] = useDisclosure(false);
  const [tab, setTab] = useListTab(['users', 'invitations'] as const);
  const admin = roleOf(person) === Role.administrator;
  const own = person.user.parent === parent;
  const { data: company } = useQuery({ ...getParent(parent), enabled: !own });
  const kind = Number(own ? person.user.company?.companyType : company?.companyType);
  const types = invitableInto(person, kind);
  const [type] = types;
  const title = t('users.title');
  usePage({
    title,
    crumb: admin && company ? { label: company.company, href: paths.companyProfile(parent) } : undefined,
  });
  const shared = {
    title,
    above: type !== undefined && (
      <div>
        <Segmented
          label={title}
          value={tab}
          onChange={setTab}
          options={[
            { value: 'users', label: title },
            { value: 'invitations', label: t('activation.invitations') },
          ]}
        />
      </div>
    ),
    action: type !== undefined && (
      <Button leftSection={<Icon name="userplus" />} onClick={invite.open}>
        {t('users.invite')}
      </Button>
    ),
  };
  return (
    <>
      {tab === 'invitations' && type !== undefined ? (
        <invitations.List type={type} company={admin ? parent : undefined} {...shared} onInvite={invite.open} />
      ) : (
        <UserList parent={parent} {...shared} onInvite={type === undefined ? undefined : invite.open} />
      )}
      {type !== undefined && (
        <invitations.Dialog
          opened={inviting}
          onClose={invite.close}
          types={types}
          customerId={admin ? parent : undefined}
        />
      )}
    </>
  );
}

const columnsOf = (t: T, language: string): ListColumn<ListedUser>[] => [
  { key: 'name', title: t('users.fullName'), render: fullName, sort: true, fixed: true },
  { key: 'userName', title: t('users.userName'), render: (row) => <UserName row={row} />, sort: true },
  { key: 'role', title: t('users.role'), render: (row) => roleTitle(t, row.role), sort: true },
  { key: 'status', title: t('users.status'), render: (row) => <StatusTag status={row.status} />, sort: true },
  { key: 'has2fa', title: t('users.twoFactor'), render: (row) => <TwoFactorTag on={row.has2fa} /> },
  {
    key: 'lastLogin',
    title: t('users.lastLogin'),
    render: (row) => (
      <span className="num">{row.lastLogin ? shortDateTime(row.lastLogin, language) : t('users.never')}</span>
    ),
    sort: true,
  },
  {
    key: 'phone',
    title: t('users.phone'),
    render: (row) => <span className="num">{row.phone ? formatPhone(row.phone) : '–'}</span>,
    off: true,
  },
  { key: 'support', title: t('users.support'), render: (row) => (row.support ? t('common.yes') : '–'), off: true },
  {
    key: 'createdAt',
    title: t('users.createdAt'),
    render: (row) => <span className="num">{shortDate(row.createdAt, language)}</span>,
    sort: true,
    off: true,
  },
];

const UserName = ({ row }: { row: ListedUser }) => <span className="num">{userNameText(row.userName)}</span>;

interface UserListProps {
  parent: string;
  title: string;
  above: ReactNode;
  action: ReactNode;
  onInvite?: () => void;
}

function UserList({ parent, onInvite, ...shared }: UserListProps) {
  const t = useT();
  const language = useLanguage();
  const person = useRequiredSession();
  const list = useListState({ sort: 'name', filters: ['status'] });
  const source = useQuery(listUsers(parent, list));
  const [edited, setEdited] = useState<ListedUser | null>(null);
  return (
    <>
      <DataList<ListedUser>
        name="users"
        {...shared}
        subtitle={source.data && t('users.count', { count: source.data.total })}
        list={list}
        source={source}
        columns={columnsOf(t, language)}
        rowKey={(row) => row._id}
        narrow={(row) => ({
          title: fullName(row),
          badge: <StatusTag status={row.status} />,
          text: userNameText(row.userName),
          aside: roleTitle(t, row.role),
        })}
        open={{ href: (row) => paths.user(parent, row._id), go: setEdited }}
        actions={(row) => <RowActions user={row} onEdit={() => setEdited(row)} />}
        search={t('users.search')}
        filters={[{ name: 'status', label: t('users.status'), options: statusOptions(t, filterStatuses(person)) }]}
        onExport={() => exportUsers(parent, list, shared.title.toLowerCase())}
        empty={{
          icon: 'users',
          title: t('users.empty'),
          text: onInvite && t('users.emptyText'),
          action: onInvite && { label: t('users.invite'), icon: 'userplus', run: onInvite },
        }}
      />
      <UserDrawer user={edited} onClose={() => setEdited(null)} />
    </>
  );
}

function RowActions({ user, onEdit }: { user: ListedUser; onEdit: () => void }) {
  const t = useT();
  const person = useRequiredSession();
  const { deactivate, activate, busy } = useUserActions();
  const { statuses } = rightsOver(person, user);
  const inactive = user.status === 1;
  return (
    <>
      <IconAction icon="pen" size={28} label={t('users.edit')} onClick={onEdit} />
      {statuses.length > 0 && (
        <IconAction
          icon={inactive ? 'check' : 'pause'}
          size={28}
          label={inactive ? t('users.activate') : t('users.deactivate')}
          loading={busy}
          onClick={() => void (inactive ? activate(user) : deactivate(user))}
        />
      )}
    </>
  );
}
