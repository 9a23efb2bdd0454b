import type { T } from '@/shared/i18n';
import type { IconName } from '@/shared/ui/Icon';
import type { GeneralState } from '../api';
import { BODY_MAX, type Problem, TEXT_MAX } from '../general';

/** `0` everybody, else the people of a role. */
export const audienceText = (t: T, group: number): string =>
  ({
    0: t('notifications.role0'),
    2: t('notifications.role2'),
    3: t('notifications.role3'),
    4: t('notifications.role4'),
    5: t('notifications.role5'),
    6: t('notifications.role6'),
    7: t('notifications.role7'),
  })[group] ?? String(group);

interface StateWords {
  text: string;
  tone: 'ok' | 'acc' | 'quiet';
  icon: IconName;
}

export const stateWords = (t: T, state: GeneralState): StateWords =>
  (
    ({
      scheduled: { text: t('notifications.state_scheduled'), tone: 'acc', icon: 'clock' },
      active: { text: t('notifications.state_active'), tone: 'ok', icon: 'check' },
      expired: { text: t('notifications.state_expired'), tone: 'quiet', icon: 'minus' },
      withdrawn: { text: t('notifications.state_withdrawn'), tone: 'quiet', icon: 'undo' },
    }) as const
  )[state];

export const problemText = (t: T, field: string, problem: Problem): string =>
  ({
    required: field === 'expiresAt' ? t('common.write_endDate') : t('common.write_text'),
    long: t('notifications.textLong', { max: field === 'body' ? BODY_MAX : TEXT_MAX }),
    url: t('notifications.urlInvalid'),
    date: t('notifications.dateInvalid'),
    before: t('notifications.expiresBefore'),
    past: t('notifications.expiresPast'),
    far: t('notifications.expiresFar'),
  })[problem];
