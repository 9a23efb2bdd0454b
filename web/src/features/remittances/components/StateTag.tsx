import { useT } from '@/shared/i18n';
import { menuLabel } from '@/shared/routes/labels';
import { Tag } from '@/shared/ui/Tag';
import { ATTEMPT_STATES, MANDATE_STATES, mandateState, noticeText, REMITTANCE_STATES } from '../model';
import type { Attempt, Mandate, Remittance } from '../types';

/** Where a mandate stands, in a word. */
export function MandateTag({ mandate }: { mandate: Mandate }) {
  const t = useT();
  const state = mandateState(mandate);
  return <Tag {...MANDATE_STATES[state]}>{menuLabel(t, `sepa.mandate_${state}`)}</Tag>;
}

export function RemittanceTag({ status }: { status: Remittance['status'] }) {
  const t = useT();
  return <Tag {...REMITTANCE_STATES[status]}>{menuLabel(t, `sepa.remittance_${status}`)}</Tag>;
}

export function AttemptTag({ status }: { status: Attempt['status'] }) {
  const t = useT();
  return <Tag {...ATTEMPT_STATES[status]}>{menuLabel(t, `sepa.attempt_${status}`)}</Tag>;
}

/** Whether the customer knows amount and day of a debit already. */
export function NoticeTag({ notified }: { notified: boolean }) {
  const t = useT();
  return (
    <Tag tone={notified ? 'ok' : 'quiet'} icon={notified ? 'check' : 'clock'}>
      {noticeText(t, { notified })}
    </Tag>
  );
}
