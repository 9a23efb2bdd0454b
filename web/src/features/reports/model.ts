import type { components } from '@/api/generated/schema';
import type { MediaItem, MessageState, Present, Track } from '@/api/types';
import { i18n, type T } from '@/shared/i18n';

type Schemas = components['schemas'];

/** What is reported by range of days, and the conferences of each customer. */
export const TABS = ['messages', 'tracks', 'media', 'customers'] as const;
export type Tab = (typeof TABS)[number];
export type RangeTab = Exclude<Tab, 'customers'>;

/** A message sent for a conference; `to` is masked. */
export type ReportedMessage = Omit<Present<Schemas['ReportedLog']>, 'channel' | 'state'> & {
  channel: 'sms' | 'email';
  state: MessageState;
};

/** A step of either side; `data` holds nothing personal. */
export type ReportedTrack = Omit<Schemas['ReportedTrack'], 'data'> & Pick<Track, 'data'>;

export type ReportedMedia = MediaItem & Pick<Schemas['ReportedMedia'], 'company' | 'userName'>;

/** A customer and what it has opened. */
export type CustomerCount = Schemas['CustomerCount'];

/** The rows of each report. */
export type Reported = { messages: ReportedMessage; tracks: ReportedTrack; media: ReportedMedia };

const loose = (t: T) => t as unknown as (key: string) => string;

/** What a message was for; the wire's word where there is no text. */
export function purposeText(t: T, purpose: string): string {
  const key = `reports.purpose_${purpose.replace(/-/g, '_')}`;
  return i18n.exists(key) ? loose(t)(key) : purpose;
}

/** Who did it: one of ours, the client, or the platform itself. */
export function actorText(t: T, actor: string): string {
  if (actor === 'client') return t('reports.actorClient');
  if (actor.startsWith('user:')) return t('reports.actorStaff');
  return t('reports.actorSystem');
}

/** The short facts of a step, `camera · denied`; nothing for those without. Only plain values, in the wire's order. */
export function factsText(data: Record<string, unknown> | null): string {
  return Object.entries(data ?? {})
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) => `${name}: ${value}`)
    .join(' · ');
}
