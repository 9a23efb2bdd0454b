import { isEmail } from '@/shared/checks/email';
import { checkPhone, toE164 } from '@/shared/checks/phone';
import type { T } from '@/shared/i18n';
import type { IconName } from '@/shared/ui/Icon';

export const INVITATION_STATES = ['sent', 'opened', 'activated', 'expired', 'failed'] as const;
export type InvitationState = (typeof INVITATION_STATES)[number];

export const stateLook: Record<InvitationState, { tone: 'ok' | 'warn' | 'bad' | 'acc' | 'quiet'; icon: IconName }> = {
  sent: { tone: 'quiet', icon: 'send' },
  opened: { tone: 'acc', icon: 'eye' },
  activated: { tone: 'ok', icon: 'check' },
  expired: { tone: 'warn', icon: 'clock' },
  failed: { tone: 'bad', icon: 'warn' },
};

export const stateText = (t: T, state: InvitationState): string =>
  ({
    sent: t('activation.stateSent'),
    opened: t('activation.stateOpened'),
    activated: t('activation.stateActivated'),
    expired: t('activation.stateExpired'),
    failed: t('activation.stateFailed'),
  })[state];

/** An activated one has served; every other may go out again. */
export const mayResend = (state: InvitationState): boolean => state !== 'activated';

export const roleText = (t: T, role: number): string =>
  ({
    1: t('roles.1'),
    2: t('roles.2'),
    3: t('roles.3'),
    4: t('roles.4'),
    5: t('roles.5'),
    6: t('roles.6'),
    7: t('roles.7'),
    8: t('roles.8'),
  })[role] ?? '';

export interface InviteValues {
  channel: 'email' | 'sms';
  email: string;
  country: string;
  phone: string;
}

export type InviteProblem = 'REQUIRED' | 'EMAIL_INVALID' | 'PHONE_INVALID' | 'PHONE_TOO_LONG';

/** What is wrong with the address; `null` when it can be sent. */
export function inviteProblem(values: InviteValues): InviteProblem | null {
  if (values.channel === 'email') {
    if (!values.email.trim()) return 'REQUIRED';
    return isEmail(values.email) ? null : 'EMAIL_INVALID';
  }
  const verdicts = { ok: null, absent: 'REQUIRED', long: 'PHONE_TOO_LONG', wrong: 'PHONE_INVALID' } as const;
  return verdicts[checkPhone(values.phone, values.country)];
}

/** An e-mail if it contains @, otherwise a phone (in E.164). */
export const emailOPhone = (values: InviteValues): string =>
  values.channel === 'email' ? values.email.trim() : (toE164(values.phone, values.country) ?? '');
