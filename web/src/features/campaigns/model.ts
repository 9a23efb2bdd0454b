import { limits } from '@/api/generated/limits';
import type { T } from '@/shared/i18n';
import { madridMoment } from '@/shared/lib/dates';
import type { IconName } from '@/shared/ui/Icon';
import type { CampaignStatus, NewCampaign } from './api';

/** E-mail title max. */
export const SUBJECT_MAX = limits.emailTitleMax;
export const TEXT_MAX = limits.campaignTextMax;
/** How far ahead it may be planned, milliseconds. */
const AHEAD_MS = 365 * 86_400_000;
export const ROLES = [1, 2, 3, 4, 5, 6, 7, 8] as const;

/** What the form holds. The time as a clock in Madrid shows it. */
export interface CampaignForm extends Record<string, unknown> {
  subject: string;
  text: string;
  /** Numbers as texts; none is everybody. */
  audience: string[];
  /** Empty: people of every language. */
  language: string;
  /** Null: at once. */
  sendAt: string | null;
}

export const emptyForm = (): CampaignForm => ({ subject: '', text: '', audience: [], language: '', sendAt: null });

export type Problem = 'required' | 'long' | 'date' | 'past' | 'far';

/** What is wrong with each field; the server has the last word. `now` in milliseconds. */
export function problemsOf(values: CampaignForm, now: number): Partial<Record<keyof CampaignForm & string, Problem>> {
  const wrong: Partial<Record<string, Problem>> = {};
  const words = (name: 'subject' | 'text', max: number) => {
    const text = values[name].trim();
    if (!text) wrong[name] = 'required';
    else if ([...text].length > max) wrong[name] = 'long';
  };
  words('subject', SUBJECT_MAX);
  words('text', TEXT_MAX);
  if (values.sendAt) {
    const at = Date.parse(madridMoment(values.sendAt) ?? '');
    if (Number.isNaN(at)) wrong.sendAt = 'date';
    else if (at < now) wrong.sendAt = 'past';
    else if (at > now + AHEAD_MS) wrong.sendAt = 'far';
  }
  return wrong;
}

export const problemText = (t: T, field: string, problem: Problem): string =>
  ({
    required: field === 'text' ? t('common.write_text') : t('common.write_subject'),
    long: t('marketing.tooLong', { max: field === 'text' ? TEXT_MAX : SUBJECT_MAX }),
    date: t('notifications.dateInvalid'),
    past: t('notifications.expiresPast'),
    far: t('marketing.tooFar'),
  })[problem];

export const toCampaign = (values: CampaignForm): NewCampaign => ({
  subject: values.subject.trim(),
  text: values.text.trim(),
  audience: values.audience.length > 0 ? { roles: values.audience.map(Number).sort((a, b) => a - b) } : 'all',
  language: values.language || null,
  sendAt: madridMoment(values.sendAt),
});

/** `Cliente, Taller`, or everybody. */
export function audienceText(t: T, roles: number[]): string {
  if (roles.length === ROLES.length) return t('marketing.everybody');
  return roles.map((role) => t(`roles.${role as 1}`)).join(', ');
}

interface StateLook {
  text: string;
  tone: 'ok' | 'acc' | 'quiet' | 'warn';
  icon: IconName;
}

export const stateLook = (t: T, status: CampaignStatus): StateLook =>
  (
    ({
      scheduled: { text: t('marketing.st_scheduled'), tone: 'acc', icon: 'clock' },
      running: { text: t('marketing.st_running'), tone: 'warn', icon: 'send' },
      done: { text: t('marketing.st_done'), tone: 'ok', icon: 'check' },
      stopped: { text: t('marketing.st_stopped'), tone: 'quiet', icon: 'stop' },
    }) as const
  )[status];
