import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '@/api/errors';
import { codeText, errorText, type T, useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { useListState } from '@/shared/lib/list-state';
import { euros } from '@/shared/lib/money';
import { useOpened } from '@/shared/lib/use-opened';
import { DataList, type ListColumn } from '@/shared/ui/DataList';
import { Note } from '@/shared/ui/Note';
import { Tag } from '@/shared/ui/Tag';
import { toast } from '@/shared/ui/toast';
import { getBankFile, listBankFiles, parseBankFile } from '../api';
import { fileProblem } from '../model';
import type { BankFile, Tally } from '../types';
import { BankFileDrawer } from './BankFileDrawer';
import { FileDrop } from './FileDrop';

const num = (text: string | number) => <span className="num">{text}</span>;

/** Lists that a bank file changes. */
const CHANGED = ['list_sepa_files', 'list_remittances', 'get_remittance', 'get_remittance_due', 'list_mandates'];

/** A file that was not sent, since it would be refused. */
class FileProblem extends Error {}

/** What the refusal of a file says: the field's own code says more than the answer's. */
function refusalText(t: T, error: unknown): string {
  if (error instanceof FileProblem) return error.message;
  const wrong = error instanceof ApiError ? error.errors.find(({ field }) => field === 'file') : undefined;
  return (wrong && (codeText(t, wrong.code) ?? wrong.message)) || errorText(t, error);
}

/** Files of the bank: each is taken in once and says what it did. */
export function FilesTab({ above }: { above: ReactNode }) {
  const t = useT();
  const language = useLanguage();
  const queries = useQueryClient();
  const list = useListState({ sort: '-receivedAt' });
  const source = useQuery(listBankFiles(list));
  const panel = useOpened();
  const upload = useMutation({
    mutationFn: (file: File) => {
      const wrong = fileProblem(t, file);
      return wrong ? Promise.reject(new FileProblem(wrong)) : parseBankFile(file);
    },
    onSuccess: (result) => {
      for (const key of CHANGED) void queries.invalidateQueries({ queryKey: [key] });
      queries.setQueryData(getBankFile(result.fileId).queryKey, result);
      if (!result.repeated) toast.ok({ title: t('sepa.fileDone'), text: result.name });
      panel.open(result.fileId);
    },
  });
  return (
    <>
      <DataList<BankFile>
        name="sepa-files"
        title={t('sepa.title')}
        subtitle={source.data && t('sepa.filesCount', { count: source.data.total })}
        above={
          <>
            {above}
            <FileDrop busy={upload.isPending} onFile={(file) => upload.mutate(file)} />
            {upload.error && (
              <Note
                tone="bad"
                icon="warn"
                title={t('sepa.fileFailed', { name: upload.variables?.name ?? '' })}
                text={`${refusalText(t, upload.error).replace(/\.$/, '')}. ${t('sepa.fileNothingChanged')}`}
              />
            )}
          </>
        }
        list={list}
        source={source}
        columns={columnsOf(t, language)}
        rowKey={(row) => row.fileId}
        narrow={(row) => ({
          title: row.name,
          badge: row.totals.unmatched.count > 0 && <UnmatchedTag tally={row.totals.unmatched} />,
          text: t('sepa.fileLine', { paid: row.totals.confirmed.count, returned: row.totals.returned.count }),
          aside: shortDateTime(row.receivedAt, language),
        })}
        open={{ href: (row) => panel.href(row.fileId), go: (row) => panel.open(row.fileId) }}
        empty={{ icon: 'doc', title: t('sepa.noFiles'), text: t('sepa.noFilesText') }}
      />
      <BankFileDrawer id={panel.opened} onClose={panel.close} />
    </>
  );
}

function UnmatchedTag({ tally }: { tally: Tally }) {
  const t = useT();
  return (
    <Tag tone="warn" icon="warn">
      {t('sepa.unmatchedCount', { count: tally.count })}
    </Tag>
  );
}

const columnsOf = (t: T, language: string): ListColumn<BankFile>[] => {
  const sum = ({ count, amount }: Tally) => num(count ? `${euros(amount, language)} (${count})` : '–');
  return [
    { key: 'name', title: t('sepa.file'), render: (row) => row.name, fixed: true },
    { key: 'message', title: t('sepa.message'), render: (row) => num(row.message), help: t('sepa.messageHelp') },
    { key: 'receivedAt', title: t('sepa.receivedAt'), render: (row) => num(shortDateTime(row.receivedAt, language)) },
    { key: 'by', title: t('sepa.by'), render: (row) => row.receivedBy ?? '–', off: true },
    { key: 'confirmed', title: t('sepa.paidSum'), render: (row) => sum(row.totals.confirmed), right: true },
    {
      key: 'returned',
      title: t('sepa.returnedSum'),
      help: t('sepa.returnedHelp'),
      render: (row) => sum(row.totals.returned),
      right: true,
    },
    {
      key: 'charges',
      title: t('sepa.charges'),
      help: t('sepa.chargesHelp'),
      render: (row) => sum(row.totals.charges),
      right: true,
    },
    {
      key: 'unmatched',
      title: t('sepa.unmatched'),
      help: t('sepa.unmatchedHelp'),
      render: (row) => (row.totals.unmatched.count > 0 ? <UnmatchedTag tally={row.totals.unmatched} /> : '–'),
    },
  ];
};
