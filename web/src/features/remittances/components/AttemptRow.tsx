import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { reasonText } from '@/shared/lib/bank-reason';
import { shortDate } from '@/shared/lib/dates';
import { euros } from '@/shared/lib/money';
import { paths } from '@/shared/routes/paths';
import { outcomesOf } from '../model';
import type { Attempt, Remittance } from '../types';
import classes from './remittances.module.css';
import { SettleForm } from './SettleForm';
import { AttemptTag } from './StateTag';

/** A debit of a remittance: the bank's answer may be noted by hand, and of a paid one that it came back. */
export function AttemptRow({ attempt, remittance }: { attempt: Attempt; remittance: Remittance }) {
  const t = useT();
  const language = useLanguage();
  const [settling, settle] = useState(false);
  const { reason, number } = attempt;
  const back = attempt.status === 'paid';
  const settleable = outcomesOf(attempt).length > 0;
  return (
    <li className={classes.debit}>
      <div className={classes.row}>
        <div className={classes.words}>
          <b className="num">{number}</b>
          <span>
            <Link to={paths.companyProfile(attempt.customerId)}>{attempt.company}</Link>
            {attempt.attempt > 1 && ` · ${t('sepa.attemptN', { n: attempt.attempt })}`}
          </span>
          {reason && (
            <span className={classes.quiet}>
              {reasonText(t, reason)} ({reason.code})
            </span>
          )}
          {(attempt.charges > 0 || attempt.retryAt) && (
            <span className={`${classes.quiet} num`}>
              {[
                attempt.charges > 0 && t('sepa.attemptCharges', { amount: euros(attempt.charges, language) }),
                attempt.retryAt && t('sepa.attemptRetry', { date: shortDate(attempt.retryAt, language) }),
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          )}
        </div>
        {settleable && !settling && (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={t(back ? 'sepa.settleBackOf' : 'sepa.settleOf', { number })}
            onClick={() => settle(true)}
          >
            {t(back ? 'sepa.settleBack' : 'sepa.settle')}
          </Button>
        )}
        <AttemptTag status={attempt.status} />
        <b className={`${classes.sum} num`}>{euros(attempt.amount, language)}</b>
      </div>
      {settleable && settling && <SettleForm attempt={attempt} remittance={remittance} onClose={() => settle(false)} />}
    </li>
  );
}
