import type { components } from '@/api/generated/schema';
import { i18n, type T } from '@/shared/i18n';
import { menuLabel } from '@/shared/routes/labels';

type BankReason = components['schemas']['BankReason'];

/** The text of a code that only the server knows whole: ours when there is one, else `other`. */
export function coded(t: T, head: string, code: string, other: string): string {
  const key = `sepa.${head}_${code}`;
  return i18n.exists(key) ? menuLabel(t, key) : other;
}

/** `Saldo insuficiente`: the bank's reason in plain words. */
export const reasonText = (t: T, reason: BankReason | null | undefined): string =>
  reason ? coded(t, 'reason', reason.code, reason.label || t('sepa.reasonOther', { code: reason.code })) : '–';
