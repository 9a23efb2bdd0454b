import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { reasonText } from '@/shared/lib/bank-reason';
import { euros } from '@/shared/lib/money';
import { dayText } from '@/shared/lib/months';
import { paths } from '@/shared/routes/paths';
import { Icon } from '@/shared/ui/Icon';
import { Tag } from '@/shared/ui/Tag';
import { didTexts, kindText, nextText, type ResultGroup, sumOf } from '../model';
import classes from './remittances.module.css';

/** Rows of a group that are shown at once. */
const FIRST = 8;

/** What came back for one reason: what it means, what the system did, what is left to do, and of which invoices. */
export function BankGroup({ group }: { group: ResultGroup }) {
  const t = useT();
  const language = useLanguage();
  const { kind, reason, items } = group;
  const [all, showAll] = useState(false);
  const paid = kind === 'confirmation';
  // What was known already asks for nothing.
  const fresh = items.some(({ action }) => action !== 'known');
  const rows = all ? items : items.slice(0, FIRST);
  return (
    <section className={classes.group}>
      <h3>
        {paid ? t('sepa.groupPaid') : reasonText(t, reason)}
        {!paid && <Tag tone="bad">{kindText(t, kind)}</Tag>}
        {reason && <code>{reason.code}</code>}
        <span className="num">
          {t('sepa.linesCount', { count: items.length })} · {euros(sumOf(items), language)}
        </span>
      </h3>
      <dl className={classes.what}>
        <div>
          <dt>
            <Icon name="gear" size={16} />
            {t('sepa.didTitle')}
          </dt>
          <dd>{didTexts(t, items, language).join(' ')}</dd>
        </div>
        {!paid && fresh && (
          <div>
            <dt>
              <Icon name="right" size={16} />
              {t('sepa.toDo')}
            </dt>
            <dd>{nextText(t, reason)}</dd>
          </div>
        )}
      </dl>
      <ul className={classes.rows}>
        {rows.map((item) => (
          <li key={`${item.endToEndId}${item.bookingDate}`} className={classes.row}>
            <div className={classes.words}>
              <b className="num">{item.invoice}</b>
              <Link to={paths.companyProfile(item.customerId)}>{item.company}</Link>
            </div>
            <span className={`${classes.quiet} num`}>{dayText(item.bookingDate, language)}</span>
            <b className={`${classes.sum} num`}>{euros(item.amount, language)}</b>
          </li>
        ))}
      </ul>
      {items.length > FIRST && !all && (
        <Button variant="subtle" size="xs" onClick={() => showAll(true)}>
          {t('sepa.showAll', { count: items.length })}
        </Button>
      )}
    </section>
  );
}
