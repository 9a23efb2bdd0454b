import { i18n, type T } from '@/shared/i18n';
import type { IconName } from '@/shared/ui/Icon';
import type { Delivery, Webhook } from './api';

export interface Look {
  tone: 'ok' | 'warn' | 'bad' | 'acc' | 'quiet';
  icon: IconName;
  text: string;
}

/** What an event is, in a word; one that this bundle does not know yet keeps its name. */
export function eventText(t: T, event: string): string {
  const key = `apikeys.event_${event.replace(/[.-]/g, '_')}`;
  return i18n.exists(key) ? (t as (key: string) => string)(key) : event;
}

/** Whether an address takes what it is sent. */
export function webhookLook(t: T, { disabledAt, failingSince, lastDeliveredAt }: Webhook): Look {
  if (disabledAt) return { tone: 'bad', icon: 'x', text: t('apikeys.hookOff') };
  if (failingSince) return { tone: 'warn', icon: 'warn', text: t('apikeys.hookFailing') };
  if (lastDeliveredAt) return { tone: 'ok', icon: 'check', text: t('apikeys.hookWorks') };
  return { tone: 'quiet', icon: 'clock', text: t('apikeys.hookUnused') };
}

/** Where a delivery stands. */
export function deliveryLook(t: T, { state, attempts }: Delivery): Look {
  if (state === 'delivered') return { tone: 'ok', icon: 'check', text: t('apikeys.delivered') };
  if (state === 'failed') return { tone: 'bad', icon: 'x', text: t('apikeys.deliveryFailed') };
  if (attempts > 0) return { tone: 'warn', icon: 'refresh', text: t('apikeys.deliveryRetrying') };
  return { tone: 'acc', icon: 'clock', text: t('apikeys.deliveryQueued') };
}

/** What the receiver answered, or why nobody did, in one plain sentence. Empty while nobody was asked. */
export function answerText(t: T, { state, status, error }: Delivery): string {
  switch (error) {
    case 'TIMEOUT':
      return t('apikeys.answerTimeout');
    case 'UNREACHABLE':
      return t('apikeys.answerUnreachable');
    case 'WEBHOOK_ADDRESS':
      return t('apikeys.answerInside');
    case 'DISABLED':
      return t('apikeys.answerDisabled');
    default:
  }
  if (status === null || status === undefined) return '';
  return state === 'delivered' ? t('apikeys.answerTaken', { status }) : t('apikeys.answerStatus', { status });
}

/** The host of an address, which is short enough for a title. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** A check of the signature for Node.js, ready to be copied. Code, so in every language the same. */
export const SIGNATURE_EXAMPLE = `import { createHmac, timingSafeEqual } from 'node:crypto';

export function isFromAtalaya(secret, header, body) {
  const { t, v1 } = Object.fromEntries(header.split(',').map((part) => part.split('=')));
  const expected = createHmac('sha256', secret).update(\`\${t}.\`).update(body).digest();
  const sent = Buffer.from(v1 ?? '', 'hex');
  const recent = Math.abs(Date.now() / 1000 - Number(t)) < 300;
  return recent && sent.length === expected.length && timingSafeEqual(sent, expected);
}`;
