import { i18n, type T } from '@/shared/i18n';

/** The first link of a message's text, to open or copy. */
export function linkOf(text: string): string | null {
  return splitLinks(text).find((part) => part.link)?.text ?? null;
}

/** A text cut into plain parts and links, in order. */
export function splitLinks(text: string): { text: string; link: boolean }[] {
  return (
    text
      .split(/(https?:\/\/[^\s<>"')]+)/)
      // A link whose secret is hidden or gone leads nowhere.
      .map((part, index) => ({ text: part, link: index % 2 === 1 && !part.includes('•') }))
      .filter((part) => part.text !== '')
  );
}

/** What failures are counted as; anything newer is one of the others. */
const REASONS = [
  'timeout',
  'unreachable',
  'unavailable',
  'limited',
  'credentials',
  'recipient',
  'refused',
  'bad_answer',
  'undelivered',
  'other',
] as const;
export type Reason = (typeof REASONS)[number];
export const reasonOf = (name: string): Reason => REASONS.find((reason) => reason === name) ?? 'other';

export const CHANNELS = ['sms', 'email', 'whatsapp'] as const;
export type ChannelName = (typeof CHANNELS)[number];
export const channelOf = (name: string): ChannelName => CHANNELS.find((channel) => channel === name) ?? 'sms';

export const STATES = ['queued', 'captured', 'sent', 'delivered', 'failed'] as const;

/** The newest of the channels' last deliveries. */
export function lastDelivery(channels: { lastDeliveredAt?: string | null }[]): string | null {
  const times = channels.flatMap(({ lastDeliveredAt }) => lastDeliveredAt ?? []);
  return times.sort((one, other) => Date.parse(other) - Date.parse(one))[0] ?? null;
}

/** Templates by the message they belong to: an e-mail and the SMS of the same purpose stay together. */
export const purposeOf = (key: string) => key.replace(/\.sms$/, '');

/** What a message is about; one that this bundle does not know yet keeps its key. */
export function purposeText(t: T, key: string): string {
  const name = `messageservice.tpl_${purposeOf(key).replaceAll('-', '_')}`;
  return i18n.exists(name) ? (t as (key: string) => string)(name) : purposeOf(key);
}
