import type { components } from '@/api/generated/schema';
import { i18n, type T } from '@/shared/i18n';
import { madridDay } from '@/shared/lib/dates';
import { monthName } from '@/shared/lib/months';
import type { IconName } from '@/shared/ui/Icon';

type Schemas = components['schemas'];

export type ProcessState = Schemas['InvoiceProcessState'];
/** Why somebody cannot be invoiced; without a customer it is the issuer (`ISSUER_INCOMPLETE`) or the run itself. */
export type ProcessError = Schemas['InvoiceProcessError'];
export type Job = Schemas['InvoiceProcessJob'];
/** A closed month. */
export type Process = Schemas['InvoiceProcess'];
export type Processes = Schemas['ProcessesBody'];
/** What `send-all-invoices` answers. */
export type Sent = Schemas['SentBody'];

/** The month that the page is about: the one of the address, else the newest with something left to do, else the newest. */
export function chosenProcess(processes: Process[], wanted?: string): Process | undefined {
  return processes.find(({ period }) => period === wanted) ?? processes.find(unfinished) ?? processes[0];
}

const unfinished = (process: Process) => process.state === 'pending' || process.state === 'calculated';

/** The last day on which a month may be issued, day 15 of the next one (RD 1619/2012 art. 13). */
export function deadlineOf({ period, deadline }: Pick<Process, 'period'> & Partial<Process>): string {
  if (deadline) return deadline;
  const [year = 0, month = 0] = period.split('-').map(Number);
  return new Date(Date.UTC(year, month, 15)).toISOString().slice(0, 10);
}

/** Whether that day is over in Madrid. */
export const isPastDeadline = (process: Pick<Process, 'period'> & Partial<Process>, now: number): boolean =>
  madridDay(new Date(now).toISOString()) > deadlineOf(process);

/** Issued invoices of all months that nobody has got yet. */
export const unsentOf = (processes: Process[]): number =>
  processes.reduce((sum, { issued, sent }) => sum + Math.max(0, issued - sent), 0);

/** Whether there is something to issue, as far as is known: a month not calculated may have anything, who was left out may be mended. */
export const mayGenerate = ({ state, toInvoice, issued, errors }: Process): boolean =>
  state === 'pending' || toInvoice > issued || customersOut(errors) > 0;

/** How many customers are left out; the issuer is none. */
export const customersOut = (errors: ProcessError[]): number =>
  new Set(errors.flatMap(({ customerId }) => customerId ?? [])).size;

/** `octubre de 2026`: within a sentence. */
export const monthOfYear = (t: T, period: string, language: string): string =>
  t('invoiceprocesses.monthOfYear', { month: monthName(period, language), year: period.slice(0, 4) });

export type Task = 'calculate' | 'generate' | 'send' | 'collect' | null;

/** Whether something of the month is issued that neither the bank was asked for nor anybody has paid. */
export const mayCollect = ({ issued, remitted }: Process): boolean => issued > remitted;

/** What is to be done next, the one filled button: a month is calculated, issued, sent and collected (RUN-10). */
export function nextTask(process: Process, unsent: number): Task {
  if (process.state === 'pending') return 'calculate';
  if (process.toInvoice > process.issued) return 'generate';
  if (unsent > 0) return 'send';
  if (mayCollect(process)) return 'collect';
  // Whoever was left out holds nothing up, but is all that is left.
  return mayGenerate(process) ? 'generate' : null;
}

/** Whether the time to issue has run out while there may be something to issue. */
export const isOverdue = (process: Process, now: number): boolean =>
  mayGenerate(process) && isPastDeadline(process, now);

export interface Step {
  name: 'calculated' | 'issued' | 'sent' | 'remitted';
  state: 'done' | 'partly' | 'waiting';
  /** How many of how many; null where it is done as a whole. */
  done: number | null;
  of: number;
}

/** The way of a month from its calculation to the bank. */
export function stepsOf(process: Process): Step[] {
  const step = (name: Step['name'], done: number, of: number): Step => ({
    name,
    state: done > 0 && done >= of ? 'done' : done > 0 ? 'partly' : 'waiting',
    done,
    of,
  });
  const calculated = process.state !== 'pending';
  return [
    { name: 'calculated', state: calculated ? 'done' : 'waiting', done: null, of: 0 },
    step('issued', process.issued, process.toInvoice),
    step('sent', process.sent, process.issued),
    step('remitted', process.remitted, process.issued),
  ];
}

/** The job under way, of whichever month. */
export const jobOf = (processes: Process[]): (Job & { period: string }) | null => {
  const busy = processes.find(({ job }) => job?.running);
  return busy?.job ? { ...busy.job, period: busy.period } : null;
};

export const stateLook: Record<ProcessState, { tone: 'ok' | 'warn' | 'acc' | 'quiet'; icon: IconName }> = {
  pending: { tone: 'quiet', icon: 'clock' },
  calculated: { tone: 'warn', icon: 'clock' },
  issued: { tone: 'acc', icon: 'doc' },
  sent: { tone: 'ok', icon: 'send' },
  remitted: { tone: 'ok', icon: 'euro' },
};

/** Labels of missing fields, those of the company's form. */
export function fieldsText(t: T, fields: string[]): string {
  const label = (name: string) => {
    const key = name === 'bankAccount' ? 'companies.iban' : `companies.${name}`;
    // Fields are known at run time only; one without a label is shown as it came.
    return i18n.exists(key) ? (t as (key: string) => string)(key) : name;
  };
  return fields.map(label).join(', ');
}

const JOBS = ['calculate', 'issue', 'send', 'pdf'] as const;
const ENDED = ['calculate', 'issue'] as const;
const among = <K extends string>(known: readonly K[], kind: string): K | 'other' =>
  known.find((one) => one === kind) ?? 'other';

/** What a job does, in words. */
export const jobText = (t: T, kind: string): string => t(`invoiceprocesses.job_${among(JOBS, kind)}`);

/** That a job has ended, in words. */
export const endedText = (t: T, kind: string): string => t(`invoiceprocesses.ended_${among(ENDED, kind)}`);
