import type { components } from '@/api/generated/schema';
import { codeText, type T } from '@/shared/i18n';
import { parsed } from '@/shared/lib/trusted';
import type { IconName } from '@/shared/ui/Icon';

type Schemas = components['schemas'];

export type Mode = 'off' | 'test' | 'production';
export type RecordState = Schemas['VerifactuState'];

/** What the system does with its records, and how far it is. */
export type Verifactu = Omit<Schemas['VerifactuBody'], 'mode'> & { mode: Mode };
/** One link of the chain: an invoice issued or annulled. */
export type ChainRecord = Schemas['VerifactuRecord'];
export type ChainCheck = Schemas['VerifactuCheck'];
export type Declaration = Schemas['Declaration'];

/** Words of a record that its invoice had wrong; numbers, days and amounts are the invoice's. */
export interface Corrected extends Record<string, unknown> {
  recipientName: string;
  description: string;
}

/** The words that a record says now, out of its XML. */
export function wordsOf(xml: string): Corrected {
  const root = parsed(xml, 'application/xml');
  // By local name: the prefix is whoever's wrote it.
  const find = (within: Document | Element, name: string) =>
    [...within.getElementsByTagName('*')].find(({ localName, tagName }) => name === (localName ?? tagName));
  const recipients = find(root, 'Destinatarios');
  return {
    recipientName: (recipients && find(recipients, 'NombreRazon')?.textContent) ?? '',
    description: find(root, 'DescripcionOperacion')?.textContent ?? '',
  };
}

export const STATES: RecordState[] = ['local', 'pending', 'sent', 'accepted', 'withErrors', 'rejected'];

export const stateLook: Record<RecordState, { tone: 'ok' | 'warn' | 'bad' | 'acc' | 'quiet'; icon: IconName }> = {
  local: { tone: 'quiet', icon: 'minus' },
  pending: { tone: 'warn', icon: 'clock' },
  sent: { tone: 'acc', icon: 'send' },
  accepted: { tone: 'ok', icon: 'check' },
  withErrors: { tone: 'warn', icon: 'warn' },
  rejected: { tone: 'bad', icon: 'x' },
};

export const modeLook: Record<Mode, { tone: 'ok' | 'warn' | 'quiet'; icon: IconName }> = {
  off: { tone: 'quiet', icon: 'minus' },
  test: { tone: 'warn', icon: 'info' },
  production: { tone: 'ok', icon: 'check' },
};

/** What was answered about a record: the tax agency's code and words, or ours where it never got there. */
export function answerText(t: T, { code, message }: Pick<ChainRecord, 'code' | 'message'>): string {
  const own = code?.startsWith('VERIFACTU_') ? codeText(t, code) : null;
  return [own ?? code, message].filter(Boolean).join(' · ');
}

const REASONS = ['hash', 'link', 'content'] as const;

/** What is wrong with the first broken link, in words. */
export const brokenText = (t: T, reason: string): string =>
  t(`verifactu.broken_${REASONS.find((one) => one === reason) ?? 'other'}`);

/** A hash as it is recognised at a glance. */
export const shortHash = (hash: string): string => (hash.length > 16 ? `${hash.slice(0, 12)}…` : hash);

/** A certificate is to be renewed this many days before its end. */
const SOON_DAYS = 30;

export function certificateState(expiresAt: string, now: number): 'valid' | 'soon' | 'expired' {
  const left = new Date(expiresAt).getTime() - now;
  if (left <= 0) return 'expired';
  return left < SOON_DAYS * 86_400_000 ? 'soon' : 'valid';
}

const POINTS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'] as const;

/** The heading of a point of the statement, in the fixed order of art. 15 Orden HAC/1177/2024. */
export function pointTitle(t: T, point: string): string {
  const known = POINTS.find((one) => one === point);
  return known ? t(`verifactu.point_${known}`) : '';
}

/** The XML with a line for each element, to be read; what is sent has none. */
export function readableXml(xml: string): string {
  let depth = 0;
  return xml
    .replace(/>\s*</g, '>\n<')
    .split('\n')
    .map((line) => {
      if (/^<\//.test(line)) depth = Math.max(0, depth - 1);
      const indented = '  '.repeat(depth) + line.trim();
      if (/^<[^?!/][^>]*[^/]>$/.test(line) && !/<\//.test(line)) depth += 1;
      return indented;
    })
    .join('\n');
}
