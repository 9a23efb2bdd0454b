import { useT } from '@/shared/i18n';
import { Tag } from '@/shared/ui/Tag';
import { STATUS_LOOK, statusText } from '../model';
import { STATUSES } from '../types';

/** An incidence's status in a word. */
export function StatusTag({ status }: { status: number }) {
  const t = useT();
  const known = STATUSES.find((one) => one === status);
  if (!known) return null;
  const { tone, icon } = STATUS_LOOK[known];
  return (
    <Tag tone={tone} icon={icon}>
      {statusText(t, known)}
    </Tag>
  );
}
