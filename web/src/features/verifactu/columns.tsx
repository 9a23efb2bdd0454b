import type { T } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { euros } from '@/shared/lib/money';
import type { ListColumn } from '@/shared/ui/DataList';
import { RecordTag } from './components/Tags';
import { answerText, type ChainRecord, shortHash } from './model';

/** `Alta · F1 · Subsanación`. */
export function kindText(t: T, { kind, invoiceType, correction }: ChainRecord): string {
  const words = [kind === 'issued' ? t('verifactu.kind_issued') : t('verifactu.kind_annulled'), invoiceType];
  if (correction) words.push(t('verifactu.correction'));
  return words.filter(Boolean).join(' · ');
}

const num = (text: string | number) => <span className="num">{text}</span>;

export const recordColumns = (t: T, language: string): ListColumn<ChainRecord>[] => [
  { key: 'seq', title: t('verifactu.seq'), render: (row) => num(row.seq), fixed: true },
  { key: 'number', title: t('verifactu.number'), render: (row) => <b className="num">{row.number}</b>, fixed: true },
  { key: 'at', title: t('verifactu.at'), render: (row) => num(shortDateTime(row.at, language)) },
  { key: 'kind', title: t('verifactu.kind'), render: (row) => kindText(t, row) },
  { key: 'total', title: t('verifactu.total'), render: (row) => num(euros(row.total, language)), right: true },
  { key: 'state', title: t('verifactu.state'), render: (row) => <RecordTag state={row.state} /> },
  { key: 'hash', title: t('verifactu.hash'), render: (row) => <code title={row.hash}>{shortHash(row.hash)}</code> },
  { key: 'answer', title: t('verifactu.answer'), render: (row) => answerText(t, row) || '–' },
  { key: 'csv', title: t('verifactu.csv'), render: (row) => row.csv ?? '–', off: true },
  { key: 'sentAt', title: t('verifactu.sentAt'), render: (row) => num(shortDateTime(row.sentAt, language)), off: true },
];
