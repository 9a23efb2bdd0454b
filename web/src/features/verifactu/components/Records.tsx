import { useQuery } from '@tanstack/react-query';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { useListState } from '@/shared/lib/list-state';
import { useOpened } from '@/shared/lib/use-opened';
import { DataList } from '@/shared/ui/DataList';
import { confirm } from '@/shared/ui/dialogs';
import { IconAction } from '@/shared/ui/IconAction';
import { toast } from '@/shared/ui/toast';
import { listRecords } from '../api';
import { kindText, recordColumns } from '../columns';
import { type ChainRecord, STATES } from '../model';
import { useResend } from '../use-resend';
import { RecordDrawer } from './RecordDrawer';
import { RecordTag } from './Tags';

/** The records of the chain, newest first; a row opens its facts and its XML. */
export function Records() {
  const t = useT();
  const language = useLanguage();
  const list = useListState({ sort: '-seq', filters: ['state'] });
  const source = useQuery(listRecords(list));
  const panel = useOpened();
  const resend = useAskedResend();
  const opened = source.data?.rows.find(({ _id }) => _id === panel.opened) ?? null;
  return (
    <>
      <DataList<ChainRecord>
        name="verifactu-records"
        embedded
        title={t('verifactu.list')}
        list={list}
        source={source}
        columns={recordColumns(t, language)}
        rowKey={(row) => row._id}
        search={t('verifactu.search')}
        filters={[
          {
            name: 'state',
            label: t('verifactu.stateFilter'),
            options: STATES.map((state) => ({ value: state, label: t(`verifactu.st_${state}`) })),
          },
        ]}
        narrow={(row) => ({
          title: <span className="num">{row.number}</span>,
          badge: <RecordTag state={row.state} />,
          text: kindText(t, row),
          aside: shortDateTime(row.at, language),
        })}
        open={{ href: (row) => panel.href(row._id), go: (row) => panel.open(row._id) }}
        actions={(row) =>
          row.resendable && (
            <IconAction
              icon="send"
              size={28}
              label={`${t('verifactu.resend')}: ${row.number}`}
              onClick={() => void resend(row)}
            />
          )
        }
        empty={{ icon: 'seal', title: t('verifactu.noRecords'), text: t('verifactu.noRecordsText') }}
      />
      <RecordDrawer record={opened} onClose={panel.close} onResend={(record) => void resend(record)} />
    </>
  );
}

/** The same record once more, after asking. */
function useAskedResend() {
  const t = useT();
  const { mutate } = useResend();
  return async ({ _id, number }: ChainRecord) => {
    const yes = await confirm({
      title: t('verifactu.resendTitle', { number }),
      text: t('verifactu.resendText'),
      confirm: t('verifactu.resend'),
    });
    const onError = (error: Error) => toast.error({ title: t('verifactu.resendFailed'), text: errorText(t, error) });
    if (yes) mutate({ id: _id }, { onError });
  };
}
