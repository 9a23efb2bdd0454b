import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { useListState } from '@/shared/lib/list-state';
import { DataList } from '@/shared/ui/DataList';
import { confirm } from '@/shared/ui/dialogs';
import { IconAction } from '@/shared/ui/IconAction';
import { toast } from '@/shared/ui/toast';
import { listSuppressions, SUPPRESSIONS, setSuppressed } from '../api';
import classes from './campaigns.module.css';

/** Who must not be written to, whatever else says yes. */
export function Suppressions({ tabs }: { tabs: ReactNode }) {
  const t = useT();
  const language = useLanguage();
  const queries = useQueryClient();
  const list = useListState({ sort: '-at' });
  const source = useQuery(listSuppressions(list.search, list.page, list.pageSize));
  const setting = useMutation({
    mutationFn: ({ email, on }: { email: string; on: boolean }) => setSuppressed(email, on),
    onSuccess: ({ email, suppressed }) => {
      toast.ok({ title: suppressed ? t('marketing.blocked') : t('marketing.unblocked'), text: email });
      return queries.invalidateQueries({ queryKey: [SUPPRESSIONS] });
    },
    onError: (error) => toast.error({ title: t('marketing.blockFailed'), text: errorText(t, error) }),
  });
  const release = async (email: string) => {
    const sure = await confirm({
      title: t('marketing.unblockTitle'),
      text: t('marketing.unblockText', { email }),
      confirm: t('marketing.unblock'),
    });
    if (sure) setting.mutate({ email, on: false });
  };
  return (
    <DataList
      name="suppressions"
      title={t('marketing.broadcastTitle')}
      subtitle={t('marketing.suppressionsLead')}
      above={tabs}
      action={<BlockForm busy={setting.isPending} onBlock={(email) => setting.mutateAsync({ email, on: true })} />}
      list={list}
      source={source}
      search={t('marketing.email')}
      columns={[
        { key: 'email', title: t('marketing.email'), render: (row) => row.email, fixed: true },
        {
          key: 'reason',
          title: t('marketing.reason'),
          render: (row) => (row.reason === 'blocked' ? t('marketing.reason_blocked') : t('marketing.reason_left')),
        },
        {
          key: 'at',
          title: t('marketing.at'),
          render: (row) => <span className="num">{shortDateTime(row.at, language)}</span>,
        },
      ]}
      rowKey={(row) => row.email}
      narrow={(row) => ({ title: row.email, aside: shortDateTime(row.at, language) })}
      actions={(row) => (
        <IconAction icon="undo" size={28} label={t('marketing.unblock')} onClick={() => void release(row.email)} />
      )}
      empty={{ icon: 'mute', title: t('marketing.suppressionsEmpty'), text: t('marketing.suppressionsEmptyText') }}
    />
  );
}

function BlockForm({ busy, onBlock }: { busy: boolean; onBlock: (email: string) => Promise<unknown> }) {
  const t = useT();
  const [email, setEmail] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const typed = email.trim();
    // The failure is told by the list's toast; what was typed stays.
    if (typed)
      onBlock(typed).then(
        () => setEmail(''),
        () => {},
      );
  };
  return (
    <form className={classes.block} onSubmit={submit} noValidate>
      <TextInput
        aria-label={t('marketing.blockLabel')}
        placeholder={t('marketing.blockLabel')}
        type="email"
        autoComplete="off"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <Button type="submit" loading={busy} disabled={!email.trim()}>
        {t('marketing.block')}
      </Button>
    </form>
  );
}
