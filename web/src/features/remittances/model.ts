import type { T } from '@/shared/i18n';
import { coded } from '@/shared/lib/bank-reason';
import { dayText } from '@/shared/lib/months';
import type { IconName } from '@/shared/ui/Icon';
import type {
  Attempt,
  BankFileResult,
  BankItem,
  ExcludedInvoice,
  ItemKind,
  Mandate,
  Reason,
  Remittance,
  Settlement,
  UnmatchedItem,
} from './types';
import { OUTCOMES } from './types';

type Tone = 'ok' | 'warn' | 'bad' | 'acc' | 'quiet';
interface Look {
  tone: Tone;
  icon: IconName;
}

/** The bank's codes that we know, but for AM05: of a duplicate a person says what it was. */
export const REASON_CODES = [
  ...['AC01', 'AC04', 'AC06', 'AC13', 'AG01', 'AG02', 'AM04', 'BE05', 'CNOR', 'DNOR', 'FF01', 'FF05'],
  ...['MD01', 'MD02', 'MD06', 'MD07', 'MS02', 'MS03', 'RC01', 'RR01', 'RR02', 'RR03', 'RR04', 'SL01'],
];

/** What an administrator notes of a debit. */
export interface SettleValues extends Record<string, unknown> {
  outcome: Settlement['outcome'];
  /** A code of the bank, of what was not paid. */
  reason: string;
  at: string;
}

/** The fields that still miss something. */
export const settleProblems = ({ outcome, reason, at }: SettleValues): ('reason' | 'at')[] => [
  ...(outcome !== 'paid' && !reason.trim() ? (['reason'] as const) : []),
  ...(at ? [] : (['at'] as const)),
];

/** As it is sent; what was paid has no reason. */
export const settlementOf = ({ outcome, reason, at }: SettleValues): Settlement =>
  outcome === 'paid' ? { outcome, at } : { outcome, reason: reason.trim().toUpperCase(), at };

/** What a person has to do after such a reason. */
export const nextText = (t: T, reason: Reason | null | undefined): string =>
  coded(t, 'next', reason?.code ?? '', t('sepa.nextOther'));

/** Why an invoice stays out of a remittance, and what mends it. */
export const excludedText = (t: T, reason: string): string => coded(t, 'out', reason, reason);
export const excludedNext = (t: T, reason: string): string => coded(t, 'outNext', reason, '');

/** Why a line of the bank belongs to nothing of ours. */
export const unmatchedText = (t: T, why: string): string => coded(t, 'why', why, t('sepa.whyOther'));

/** Whether the customer knows of a debit, or when he will be told. */
export const noticeText = (t: T, { notified }: { notified: boolean }): string =>
  notified ? t('sepa.notified_yes') : t('sepa.notified_no');

export const kindText = (t: T, kind: ItemKind): string => coded(t, 'kind', kind, kind);

/** Where a mandate stands: a signature that is missing counts before anything else. */
export type MandateState = Mandate['status'] | 'unsigned';

/** It was signed by another taxpayer: the company makes another one, and this is not taken up again. */
export const isAnothers = ({ status, statusReason }: Pick<Mandate, 'status' | 'statusReason'>): boolean =>
  status === 'suspended' && statusReason === 'TAX_ID_CHANGED';

export const mandateState = (mandate: Mandate): MandateState =>
  mandate.status === 'active' && !mandate.signedAt ? 'unsigned' : mandate.status;

export const MANDATE_STATES: Record<MandateState, Look> = {
  active: { tone: 'ok', icon: 'check' },
  unsigned: { tone: 'warn', icon: 'pen' },
  suspended: { tone: 'bad', icon: 'warn' },
  expired: { tone: 'quiet', icon: 'clock' },
  cancelled: { tone: 'quiet', icon: 'x' },
};

/** The mandate that counts for the company's account now; those that are over stand behind it. */
export const currentMandate = (mandates: Mandate[]): Mandate | null =>
  mandates.find(({ status }) => status === 'active' || status === 'suspended') ?? null;

/** The documents that a mandate has, and the form while it may be signed by hand. */
export function filesOf(
  { hasDocument, evidence }: Mandate,
  byHand: boolean,
): ('pdf' | 'evidence' | 'paper' | 'form')[] {
  return [
    'pdf',
    ...(evidence?.pdf ? (['evidence'] as const) : []),
    ...(hasDocument ? (['paper'] as const) : []),
    ...(byHand ? (['form'] as const) : []),
  ];
}

export const REMITTANCE_STATES: Record<Remittance['status'], Look> = {
  live: { tone: 'acc', icon: 'clock' },
  settled: { tone: 'ok', icon: 'check' },
  cancelled: { tone: 'quiet', icon: 'x' },
};

export const ATTEMPT_STATES: Record<Attempt['status'], Look> = {
  open: { tone: 'acc', icon: 'clock' },
  paid: { tone: 'ok', icon: 'check' },
  returned: { tone: 'bad', icon: 'undo' },
  rejected: { tone: 'bad', icon: 'x' },
  cancelled: { tone: 'quiet', icon: 'minus' },
};

const plus = (sum: number, amount: number) => Math.round((sum + amount) * 100) / 100;

/** Sum of amounts in euros, to the cent. */
export const sumOf = (rows: { amount: number }[]): number => rows.reduce((sum, { amount }) => plus(sum, amount), 0);

function groupsOf<R>(rows: R[], keyOf: (row: R) => string): Map<string, R[]> {
  const groups = new Map<string, R[]>();
  for (const row of rows) {
    const key = keyOf(row);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return groups;
}

/** The excluded invoices by why, the most frequent first. */
export function excludedGroups(excluded: ExcludedInvoice[]): { reason: string; rows: ExcludedInvoice[] }[] {
  const groups = groupsOf(excluded, ({ reason }) => reason);
  return [...groups].map(([reason, rows]) => ({ reason, rows })).sort((a, b) => b.rows.length - a.rows.length);
}

export interface ResultGroup {
  key: string;
  kind: ItemKind;
  reason: Reason | null | undefined;
  items: BankItem[];
}

/** Returns, rejections and refunds by reason, the largest first; what was paid comes last: nothing is left to do there. */
export function resultGroups(items: BankItem[]): ResultGroup[] {
  const groups = groupsOf(items, ({ kind, reason }) => (kind === 'confirmation' ? kind : `${kind} ${reason?.code}`));
  const list = [...groups].flatMap(([key, rows]) => {
    const [first] = rows;
    return first ? [{ key, kind: first.kind, reason: first.reason, items: rows }] : [];
  });
  const last = ({ kind }: ResultGroup) => Number(kind === 'confirmation');
  return list.sort((a, b) => last(a) - last(b) || b.items.length - a.items.length);
}

/** What the system did with a debit. */
export const didText = (t: T, action: BankItem['action']): string => coded(t, 'did', action, action);

/** What the system did with these items, a sentence for each different thing. */
export function didTexts(t: T, items: BankItem[], language: string): string[] {
  const one = (item: BankItem) => [
    item.action === 'retry' && item.retryOn
      ? t('sepa.did_retryOn', { date: dayText(item.retryOn, language) })
      : didText(t, item.action),
    ...(item.mandate ? [coded(t, 'didMandate', item.mandate, item.mandate)] : []),
    ...(item.blocked ? [t('sepa.didBlocked')] : []),
  ];
  return [...new Set(items.flatMap(one))];
}

/** Lines that a person has to look for; what the company pays itself is not among them. */
const asks = ({ kind }: UnmatchedItem): boolean => kind !== 'outgoing';

/** Whether a person still has something to do after this file. */
export const needsCare = ({
  items,
  unmatched,
  proposals,
}: Pick<BankFileResult, 'items' | 'unmatched' | 'proposals'>): boolean =>
  unmatched.some(asks) ||
  proposals.some(({ status }) => status === 'open') ||
  items.some(({ kind, action }) => kind !== 'confirmation' && action !== 'known');

/** What may be noted of a debit by hand: of an open one everything, of a paid one that it came back. */
export const outcomesOf = ({ status }: Pick<Attempt, 'status'>): Settlement['outcome'][] =>
  status === 'open' ? [...OUTCOMES] : status === 'paid' ? ['returned'] : [];

/** CONTRACT `parse-sepa`: the largest file. */
export const BANK_FILE_MAX = 10 * 1024 * 1024;

/** What is wrong with a file before it is sent: it would be refused anyway, after its upload. */
export function fileProblem(t: T, file: { size: number }): string | null {
  if (file.size === 0) return t('sepa.fileEmpty');
  if (file.size > BANK_FILE_MAX) return t('sepa.fileTooLarge');
  return null;
}
