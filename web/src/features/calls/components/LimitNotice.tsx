import { useNow } from '@/rtc';
import { useLanguage, useT } from '@/shared/i18n';
import { euros } from '@/shared/lib/money';
import { Icon } from '@/shared/ui/Icon';
import { type CallBilling, limitState } from '../limit';
import classes from './Stage.module.css';

interface LimitNoticeProps {
  billing: CallBilling | null | undefined;
  /** When the client first came in, ms since the epoch; null before that. */
  connectedAt: number | null;
}

/** Over the picture's foot: the included minutes are about to end, or what the further ones cost so far. */
export function LimitNotice({ billing, connectedAt }: LimitNoticeProps) {
  const t = useT();
  const language = useLanguage();
  const counts = connectedAt !== null && billing?.minuteLimit != null;
  const now = useNow(1_000, counts);
  const state = connectedAt === null ? null : limitState(billing, now - connectedAt);
  // The region stands from the start, so that its first words are announced too.
  return (
    <div role="status" className={classes.limit}>
      {state && (
        <span className={`${classes.banner} num`}>
          <Icon name={state.name === 'near' ? 'clock' : 'euro'} size={16} />
          {state.name === 'near'
            ? t('call.limitNear', { count: state.left, price: euros(billing?.exceededMinute, language) })
            : t('call.limitOver', { count: state.exceeded, cost: euros(state.cost, language) })}
        </span>
      )}
    </div>
  );
}
