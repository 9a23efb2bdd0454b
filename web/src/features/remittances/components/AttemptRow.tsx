import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { reasonText } from '@/shared/lib/bank-reason';
import { shortDate } from '@/shared/lib/dates';
import { euros } from '@/shared/lib/money';
import { paths } from '@/shared/routes/paths';
import type { Attempt, Remittance } from '../types';
import classes from './remittances.module.css';
import { SettleForm } from './SettleForm';
import { AttemptTag } from './StateTag';

/** A debit of a remittance; while the bank has not answered, its answer may be noted by hand. */
export function AttemptRow({ attempt, remittance }: { attempt: Attempt; remittance: Remittance }) {
  const t = useT();
  const language = useLanguage();
  const [settling, settle] = useState(false);
  const { reason, number } = attempt;
  const open = attempt.status === 'open';
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
        {open && !settling && (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={t('sepa.settleOf', { number })}
            onClick={() => settle(true)}
          >
            {t('sepa.settle')}
          </Button>
        )}
        <AttemptTag status={attempt.status} />
        <b className={`${classes.sum} num`}>{euros(attempt.amount, language)}</b>
      </div>
      {open && settling && <SettleForm attempt={attempt} remittance={remittance} onClose={() => settle(false)} />}
    </li>
  );
}
