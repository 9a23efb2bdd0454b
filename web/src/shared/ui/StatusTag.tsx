import { type T, useT } from '@/shared/i18n';
import type { IconName } from './Icon';
import { Tag } from './Tag';

type Status = 0 | 1 | 2 | 3 | 4 | 5;

const look: Record<Status, { tone: 'ok' | 'warn' | 'bad' | 'acc' | 'quiet'; icon: IconName }> = {
  0: { tone: 'warn', icon: 'clock' },
  1: { tone: 'quiet', icon: 'minus' },
  2: { tone: 'ok', icon: 'check' },
  3: { tone: 'acc', icon: 'clock' },
  4: { tone: 'quiet', icon: 'x' },
  5: { tone: 'bad', icon: 'warn' },
};

export const STATUSES: Status[] = [0, 1, 2, 3, 4, 5];
const isStatus = (value: number): value is Status => value in look;

export function statusText(t: T, status: number): string {
  const texts = [
    t('common.status0'),
    t('common.status1'),
    t('common.status2'),
    t('common.status3'),
    t('common.status4'),
    t('common.status5'),
  ];
  return texts[status] ?? String(status);
}

/** Choices of a status filter or select: all six for the administrator, else inactive and active. */
export const statusOptions = (t: T, statuses: number[] = STATUSES) =>
  statuses.map((status) => ({ value: String(status), label: statusText(t, status) }));

/** Status of a user or a company in a word. */
export function StatusTag({ status }: { status: number }) {
  const t = useT();
  const { tone, icon } = look[isStatus(status) ? status : 1];
  return (
    <Tag tone={tone} icon={icon}>
      {statusText(t, status)}
    </Tag>
  );
}
