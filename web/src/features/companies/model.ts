import type { MissingPiece } from '@/api/types';
import type { Company, LegalEntry } from '@/shared/company/kinds';
import { madridDay } from '@/shared/lib/dates';

/** Where the company stands between its registration and its first invoice. */
export type Period = 'pending' | 'trial' | 'trialMissing' | 'ended' | 'billed' | 'unpaid' | 'inactive';

/**
 * Trial and billing of a company in one word. Before the payment start
 * (pay_startAt, else created_at) it is a trial; afterwards it is billed when complete and active, else its trial has
 * ended.
 */
export function periodOf(
  company: Pick<Company, 'status' | 'pay_startAt' | 'created_at' | 'missing'>,
  now: number,
): Period {
  if (company.status === 0) return 'pending';
  if (company.status === 1 || company.status === 4) return 'inactive';
  if (company.status === 5) return 'unpaid';
  const lacking = company.missing.includes('legal') || company.missing.includes('iban');
  if (Date.parse(company.pay_startAt ?? company.created_at) > now) return lacking ? 'trialMissing' : 'trial';
  return lacking ? 'ended' : 'billed';
}

/** What a company itself has to bring before it may call: the rest is a matter of time or of the administrator. */
export const ownPieces = (missing: MissingPiece[]): MissingPiece[] =>
  missing.filter((piece) => piece === 'legal' || piece === 'iban');

/** What was accepted in one act: texts and prices. */
export interface Acceptance {
  accepted_at: string;
  expires_at: string | null;
  ids: string[];
  priceId: string | null;
}

/** The acceptances of the terms, newest first; the texts that were accepted together are one. */
export function acceptances(history: LegalEntry[]): Acceptance[] {
  const acts = new Map<string, Acceptance>();
  for (const { id, priceId = null, accepted_at, expires_at = null } of history) {
    const key = `${madridDay(accepted_at)} ${madridDay(expires_at)} ${priceId}`;
    const act = acts.get(key);
    if (act) act.ids.push(id);
    else acts.set(key, { accepted_at, expires_at, ids: [id], priceId });
  }
  return [...acts.values()].sort((a, b) => b.accepted_at.localeCompare(a.accepted_at));
}

/** What holds now of what was accepted, each kind of text once. */
export function acceptedNow(history: LegalEntry[]): Pick<Acceptance, 'ids' | 'priceId'> {
  const open = history.filter(({ expires_at }) => !expires_at);
  return { ids: [...new Set(open.map(({ id }) => id))], priceId: open.find(({ priceId }) => priceId)?.priceId ?? null };
}

export const ACTIVE = 2;

/** What of a company is blocked: its video calls, or its log-in as well. */
export type Block = 'calls' | 'all';

/** The status that blocks so: unpaid still logs in, inactive does not. */
export const STATUS_OF: Record<Block, number> = { calls: 5, all: 1 };

/** How a status blocks; a company that is active, on trial or still to be activated is not blocked. */
export const blockOf = (status: number): Block | null =>
  status === STATUS_OF.calls ? 'calls' : status === STATUS_OF.all || status === 4 ? 'all' : null;

/** Until when a blocked company may still open calls: the status bars them only once its payment has started. */
export const callsUntil = (
  { pay_startAt, missing }: Pick<Company, 'pay_startAt' | 'missing'>,
  now: number,
): string | null =>
  pay_startAt && Date.parse(pay_startAt) > now && ownPieces(missing).length === 0 ? pay_startAt : null;
