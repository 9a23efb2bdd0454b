import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ComposerModal, useComposer } from '@/shared/forms/Composer';
import { errorText, type T, useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { useListState } from '@/shared/lib/list-state';
import { DataList, type ListColumn } from '@/shared/ui/DataList';
import { confirm, notice } from '@/shared/ui/dialogs';
import { Icon } from '@/shared/ui/Icon';
import { IconAction } from '@/shared/ui/IconAction';
import { Tag } from '@/shared/ui/Tag';
import { toast } from '@/shared/ui/toast';
import { CAMPAIGNS, type Campaign, type CampaignStatus, listCampaigns, stopCampaign } from '../api';
import { audienceText, emptyForm, type Problem, problemsOf, problemText, stateLook } from '../model';
import { CampaignComposer } from './CampaignComposer';
import classes from './campaigns.module.css';

/** Campaigns of a page: the server's page size. */
const PAGE = 20;

/** What was sent and what is to be sent, with what became of it. */
export function Campaigns({ tabs }: { tabs: ReactNode }) {
  const t = useT();
  const language = useLanguage();
  const list = useListState({ sort: '-createdAt', pageSize: PAGE });
  const source = useQuery(listCampaigns(list.page));
  const composer = useComposer({
    empty: emptyForm,
    problemsOf,
    problemText: (field, problem: Problem) => problemText(t, field, problem),
  });
  return (
    <>
      <DataList<Campaign>
        name="campaigns"
        title={t('marketing.broadcastTitle')}
        subtitle={t('marketing.broadcastLead')}
        above={tabs}
        action={
          <Button leftSection={<Icon name="plus" />} onClick={composer.open}>
            {t('marketing.newCampaign')}
          </Button>
        }
        list={list}
        source={source}
        columns={columnsOf(t, language)}
        rowKey={(row) => row._id}
        narrow={(row) => ({
          title: row.subject,
          badge: <StateTag status={row.status} />,
          text: audienceText(t, row.audience.roles),
          aside: shortDateTime(row.sendAt, language),
        })}
        actions={(row) => <RowActions row={row} />}
        empty={{
          icon: 'mail',
          title: t('marketing.empty'),
          text: t('marketing.emptyText'),
          action: { label: t('marketing.newCampaign'), icon: 'plus', run: composer.open },
        }}
      />
      <ComposerModal opened={composer.opened} onClose={composer.close} title={t('marketing.newCampaign')}>
        <CampaignComposer form={composer.form} onClose={composer.close} onSent={composer.sent} />
      </ComposerModal>
    </>
  );
}

const count = (value: number) => <span className="num">{value}</span>;

const columnsOf = (t: T, language: string): ListColumn<Campaign>[] => [
  { key: 'subject', title: t('marketing.subject'), render: (row) => row.subject, fixed: true },
  { key: 'status', title: t('marketing.state'), render: (row) => <StateTag status={row.status} /> },
  { key: 'audience', title: t('marketing.audience'), render: (row) => audienceText(t, row.audience.roles) },
  {
    key: 'sendAt',
    title: t('marketing.sendAt'),
    render: (row) => <span className="num">{shortDateTime(row.sendAt, language)}</span>,
  },
  { key: 'total', title: t('marketing.total'), render: (row) => count(row.total), right: true },
  { key: 'sent', title: t('marketing.sent'), render: (row) => count(row.sent), right: true },
  { key: 'queued', title: t('marketing.queued'), render: (row) => count(row.queued), right: true },
  { key: 'failed', title: t('marketing.failed'), render: (row) => count(row.failed), right: true },
  {
    key: 'captured',
    title: t('marketing.captured'),
    help: t('marketing.capturedHelp'),
    render: (row) => count(row.captured),
    right: true,
    off: true,
  },
  {
    key: 'unsubscribed',
    title: t('marketing.left'),
    help: t('marketing.leftHelp'),
    render: (row) => count(row.unsubscribed),
    right: true,
  },
  { key: 'author', title: t('marketing.author'), render: (row) => row.author.name || '–', off: true },
];

function StateTag({ status }: { status: CampaignStatus }) {
  const { text, tone, icon } = stateLook(useT(), status);
  return (
    <Tag tone={tone} icon={icon}>
      {text}
    </Tag>
  );
}

/** Read what it says; stop it while somebody is still to be written to. */
function RowActions({ row }: { row: Campaign }) {
  const t = useT();
  const queries = useQueryClient();
  const stopping = useMutation({
    mutationFn: () => stopCampaign(row._id),
    onSuccess: () => toast.ok({ title: t('marketing.stopped'), text: row.subject }),
    onError: (error) => toast.error({ title: t('marketing.stopFailed'), text: errorText(t, error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: [CAMPAIGNS] }),
  });
  const stop = async () => {
    const sure = await confirm({
      title: t('marketing.stopTitle'),
      text: t('marketing.stopText'),
      confirm: t('marketing.stop'),
      danger: true,
    });
    if (sure) stopping.mutate();
  };
  return (
    <>
      <IconAction
        icon="eye"
        size={28}
        label={t('marketing.read')}
        onClick={() =>
          void notice({
            title: row.subject,
            text: <div className={classes.message}>{row.text}</div>,
            accept: t('common.close'),
          })
        }
      />
      {(row.status === 'running' || row.status === 'scheduled') && (
        <IconAction
          icon="stop"
          size={28}
          label={t('marketing.stop')}
          loading={stopping.isPending}
          onClick={() => void stop()}
        />
      )}
    </>
  );
}
