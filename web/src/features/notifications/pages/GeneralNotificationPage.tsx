import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ComposerModal, useComposer } from '@/shared/forms/Composer';
import { errorText, type T, useT } from '@/shared/i18n';
import { noticeDate } from '@/shared/lib/dates';
import { useListState } from '@/shared/lib/list-state';
import { usePage } from '@/shared/lib/page';
import { DataList, type ListColumn } from '@/shared/ui/DataList';
import { confirm } from '@/shared/ui/dialogs';
import { Icon } from '@/shared/ui/Icon';
import { IconAction } from '@/shared/ui/IconAction';
import { Tag } from '@/shared/ui/Tag';
import { toast } from '@/shared/ui/toast';
import { GENERAL, type GeneralNotice, type GeneralState, listGeneral, withdrawGeneral } from '../api';
import classes from '../components/General.module.css';
import { GeneralComposer } from '../components/GeneralComposer';
import { showHtml } from '../components/use-act';
import { audienceText, problemText, stateWords } from '../components/words';
import { emptyForm, markup, type Problem, problemsOf } from '../general';

/** `/general-notification`: the administrator's notices to many, sent and to be sent. */
export function GeneralNotificationPage() {
  const t = useT();
  const title = t('notifications.generalTitle');
  usePage({ title });
  const list = useListState({ sort: '-startAt' });
  const source = useQuery(listGeneral(list.page, list.pageSize));
  const composer = useComposer({
    empty: emptyForm,
    problemsOf,
    problemText: (field, problem: Problem) => problemText(t, field, problem),
  });
  return (
    <>
      <DataList<GeneralNotice>
        name="general-notices"
        title={title}
        subtitle={source.data && t('notifications.count', { count: source.data.total })}
        action={
          <Button leftSection={<Icon name="plus" />} onClick={composer.open}>
            {t('notifications.newGeneral')}
          </Button>
        }
        list={list}
        source={source}
        columns={columnsOf(t)}
        rowKey={(row) => row._id}
        narrow={(row) => ({
          title: row.text,
          badge: <StateTag state={row.state} />,
          text: audienceText(t, row.roleGroup),
          aside: noticeDate(row.startAt),
        })}
        actions={(row) => <RowActions row={row} />}
        empty={{
          icon: 'spark',
          title: t('notifications.generalEmpty'),
          text: t('notifications.generalEmptyText'),
          action: { label: t('notifications.newGeneral'), icon: 'plus', run: composer.open },
        }}
      />
      <ComposerModal opened={composer.opened} onClose={composer.close} title={t('notifications.newGeneral')}>
        <GeneralComposer form={composer.form} onClose={composer.close} onSent={composer.sent} />
      </ComposerModal>
    </>
  );
}

const columnsOf = (t: T): ListColumn<GeneralNotice>[] => [
  {
    key: 'text',
    title: t('notifications.text'),
    render: (row) => <span className={classes.twoLines}>{row.text}</span>,
    fixed: true,
  },
  { key: 'state', title: t('notifications.state'), render: (row) => <StateTag state={row.state} /> },
  { key: 'roleGroup', title: t('notifications.audience'), render: (row) => audienceText(t, row.roleGroup) },
  {
    key: 'startAt',
    title: t('notifications.startAt'),
    render: (row) => <span className="num">{noticeDate(row.startAt)}</span>,
  },
  {
    key: 'expiresAt',
    title: t('notifications.expiresAt'),
    render: (row) => <span className="num">{noticeDate(row.expiresAt)}</span>,
  },
  {
    key: 'readers',
    title: t('notifications.readers'),
    help: t('notifications.readersHelp'),
    render: (row) => <span className="num">{row.readers}</span>,
    right: true,
  },
];

function StateTag({ state }: { state: GeneralState }) {
  const { text, tone, icon } = stateWords(useT(), state);
  return (
    <Tag tone={tone} icon={icon}>
      {text}
    </Tag>
  );
}

/** See it as people do; take it back while that still changes something. */
function RowActions({ row }: { row: GeneralNotice }) {
  const t = useT();
  const queries = useQueryClient();
  const withdrawing = useMutation({
    mutationFn: () => withdrawGeneral(row._id),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: [GENERAL] });
      toast.ok({ title: t('notifications.withdrawn'), text: row.text });
    },
    onError: (error) => toast.error({ title: t('notifications.withdrawFailed'), text: errorText(t, error) }),
  });
  const withdraw = async () => {
    const sure = await confirm({
      title: t('notifications.withdrawTitle'),
      text: t('notifications.withdrawText'),
      confirm: t('notifications.withdraw'),
      danger: true,
    });
    if (sure) withdrawing.mutate();
  };
  const html = row.type === 3 && row.targetValue ? row.targetValue : markup(row.url ?? '');
  return (
    <>
      <IconAction
        icon="eye"
        size={28}
        label={t('notifications.look')}
        onClick={() => void showHtml({ title: row.text, html, url: row.url })}
      />
      {(row.state === 'active' || row.state === 'scheduled') && (
        <IconAction
          icon="undo"
          size={28}
          label={t('notifications.withdraw')}
          loading={withdrawing.isPending}
          onClick={() => void withdraw()}
        />
      )}
    </>
  );
}
