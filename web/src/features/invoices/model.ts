import type { T } from '@/shared/i18n';
import { monthText } from '@/shared/lib/months';
import type { IconName } from '@/shared/ui/Icon';
import type { Cause, Claim, Invoice, InvoiceStatus, MonthTotal, Rectification, Relief } from './types';

type Tone = 'ok' | 'warn' | 'bad' | 'acc' | 'quiet';

/** Tint and sign of each status (look/12). */
export const STATUS_LOOK: Record<InvoiceStatus, { tone: Tone; icon: IconName }> = {
  draft: { tone: 'quiet', icon: 'pen' },
  issued: { tone: 'quiet', icon: 'doc' },
  sent: { tone: 'quiet', icon: 'send' },
  in_remittance: { tone: 'acc', icon: 'clock' },
  paid: { tone: 'ok', icon: 'check' },
  returned: { tone: 'bad', icon: 'x' },
  unpaid: { tone: 'bad', icon: 'warn' },
  rectified: { tone: 'quiet', icon: 'undo' },
  cancelled: { tone: 'quiet', icon: 'minus' },
};

export const statusText = (t: T, status: InvoiceStatus): string => t(`invoices.st_${status}`);

/** `Octubre 2026`: the month an invoice is of. */
export const periodText = ({ periodFrom }: Pick<Invoice, 'periodFrom'>, language: string): string =>
  monthText(periodFrom.slice(0, 7), language);

/** `ES•• •••• •••• 4417`: a masked IBAN where there is little room. */
export const shortIban = (iban: string): string => `${iban.slice(0, 2)}•• •••• •••• ${iban.slice(-4)}`;

/** Of these the status itself says that the money has not come, or has. */
const SETTLED: InvoiceStatus[] = ['returned', 'unpaid', 'paid', 'rectified', 'cancelled'];

/** Whether it should have been paid by now, and nothing but its day says so. */
export const isOverdue = ({ overdue, status }: Pick<Invoice, 'overdue' | 'status'>): boolean =>
  overdue && !SETTLED.includes(status);

/** What can be done about a receipt that the bank sent back. */
export type ReturnWay = 'data' | 'again' | 'paid' | 'unpaid';

/** The bank's codes after which the customer has to give another account, mandate or address first. */
const DATA_CODES = ['AC01', 'AC04', 'AC06', 'AG01', 'DNOR', 'MD01', 'MD02', 'MD07', 'RR01', 'RR02', 'SL01'];
/** Those after which the same debit may succeed: too little money, no reason, our file. */
const AGAIN_CODES = ['AC13', 'AG02', 'AM04', 'BE05', 'FF01', 'FF05', 'MS03', 'RC01'];

/** The ways out of a returned receipt, the best for this reason first (INV-10). */
export function returnWays({ returnReason }: Pick<Invoice, 'returnReason'>): ReturnWay[] {
  const code = returnReason?.code ?? '';
  if (DATA_CODES.includes(code)) return ['data', 'again', 'paid', 'unpaid'];
  if (AGAIN_CODES.includes(code)) return ['again', 'paid', 'data', 'unpaid'];
  return ['paid', 'again', 'data', 'unpaid'];
}

export type Action = 'rectify' | 'cancel' | 'paid' | 'unpaid';

/**
 * What the administrator may do to an invoice. The server has the last word; this only decides what is offered.
 */
export function actionsOf({ status, kind }: Pick<Invoice, 'status' | 'kind'>): Action[] {
  const found: Action[] = [];
  const among = (...some: InvoiceStatus[]) => some.includes(status);
  if (among('issued', 'sent', 'returned', 'unpaid')) found.push('paid');
  if (among('sent', 'returned')) found.push('unpaid');
  if (kind === 'normal' && among('issued', 'sent', 'paid', 'returned', 'unpaid')) found.push('rectify');
  if (status === 'issued') found.push('cancel');
  return found;
}

/** The month that stands full in the chart: the last one that was invoiced. */
export function currentMonth(months: MonthTotal[]): string | null {
  return months.findLast((month) => !month.provisional && month.total !== 0)?.period ?? null;
}

/** The months that a chart names when it has room for so many: evenly spaced, the one that stands full among them. */
export function namedMonths(months: Pick<MonthTotal, 'period'>[], current: string | null, room: number): string[] {
  const step = Math.ceil(months.length / room);
  const last = months.length - 1;
  const found = months.findIndex(({ period }) => period === current);
  const from = found < 0 ? last : found;
  return months.filter((_month, at) => (at - from) % step === 0).map(({ period }) => period);
}

const MAX_REASON = 500;
export const REASON_MAX = MAX_REASON;

/** An amount as somebody types it in either language, `-49,59` or `-49.59`, at most two decimals; null when it is none. */
export function readAmount(text: string): number | null {
  const plain = text.trim().replace('−', '-').replace(/\s|€/g, '');
  if (!/^[-+]?\d{1,9}([.,]\d{1,2})?$/.test(plain)) return null;
  return Number(plain.replace(',', '.'));
}

export interface RectifyValues extends Record<string, unknown> {
  kind: Rectification['kind'];
  cause: Cause;
  reissue: boolean;
  amount: string;
  reason: string;
  /** Of art. 80; empty where it is not asked for. */
  orderDate: string;
  publishedOn: string;
  claimedOn: string;
  claim: Claim | '';
  reference: string;
  smallCompany: boolean;
  businessRecipient: boolean;
  notExcluded: boolean;
}

export const NEW_RECTIFICATION: RectifyValues = {
  kind: 'differences',
  cause: 'error',
  reissue: false,
  amount: '',
  reason: '',
  orderDate: '',
  publishedOn: '',
  claimedOn: '',
  claim: '',
  reference: '',
  smallCompany: false,
  businessRecipient: true,
  notExcluded: false,
};

/** Which of the conditions of art. 80 a rectification states; none when it changes what is owed, or puts the base up again. */
export function reliefFields({ cause, kind, amount }: RectifyValues): (keyof Relief & keyof RectifyValues)[] {
  if (kind === 'differences' && (readAmount(amount) ?? -1) > 0) return [];
  if (cause === 'insolvency') return ['orderDate', 'publishedOn', 'reference', 'notExcluded'];
  if (cause !== 'bad-debt') return [];
  return ['claimedOn', 'claim', 'reference', 'smallCompany', 'businessRecipient', 'notExcluded'];
}

/** As it is sent: what is not asked for stays out. */
export function rectificationOf(values: RectifyValues): Rectification {
  const body: Rectification = { reason: values.reason.trim(), kind: values.kind, cause: values.cause };
  if (values.kind === 'differences') body.amount = readAmount(values.amount) ?? 0;
  else if (!isBaseOnly(values)) body.reissue = values.reissue;
  const fields = reliefFields(values).filter((field) => values[field] !== '');
  if (fields.length > 0) body.relief = Object.fromEntries(fields.map((field) => [field, values[field]])) as Relief;
  return body;
}

/** Only the base goes down: the debt stays due (RECT-8). */
export const isBaseOnly = ({ cause }: Pick<RectifyValues, 'cause'>): boolean =>
  cause === 'insolvency' || cause === 'bad-debt';

export type RectifyProblem = 'amountRequired' | 'amountTooLow' | 'reasonRequired' | 'reasonTooLong' | 'required';

/** What is wrong with a rectification before it is sent. */
export function rectifyProblems(values: RectifyValues, invoice: Pick<Invoice, 'base'>) {
  const problems: Partial<Record<keyof RectifyValues & string, RectifyProblem>> = {};
  const difference = readAmount(values.amount);
  if (values.kind === 'differences') {
    if (!difference) problems.amount = 'amountRequired';
    else if (difference < -invoice.base) problems.amount = 'amountTooLow';
  }
  const length = [...values.reason.trim()].length;
  if (length === 0) problems.reason = 'reasonRequired';
  else if (length > MAX_REASON) problems.reason = 'reasonTooLong';
  // Turnover and the kind of recipient are answers either way.
  const open = reliefFields(values).filter((field) => field !== 'smallCompany' && field !== 'businessRecipient');
  for (const field of open) if (!values[field] || !String(values[field]).trim()) problems[field] = 'required';
  return problems;
}

/** Base, tax and total of the rectifying invoice to come; null while no amount is typed. Half away from zero. */
export function rectifyTotals(values: RectifyValues, invoice: Pick<Invoice, 'base' | 'vatRate'>) {
  const base = values.kind === 'to-zero' ? -invoice.base : readAmount(values.amount);
  if (!base) return null;
  const cents = Math.round(Math.abs(base) * 100);
  const vat = (Math.sign(base) * Math.round((cents * invoice.vatRate) / 100 + 1e-9)) / 100;
  return { base, vat, total: Math.round((base + vat) * 100) / 100 };
}
