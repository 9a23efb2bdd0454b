import { Collapse } from '@mantine/core';
import { useId, useState } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { euros, percentText } from '@/shared/lib/money';
import { Icon } from '@/shared/ui/Icon';
import { Calls } from './Calls';
import classes from './statement.module.css';
import type { StatementLine, StatementTotals } from './types';
import { countsCalls, lineFormula, lineName, lineProduct } from './words';

interface StatementLinesProps {
  /** An invoice, or a company for its running month: whose calls the lines open. */
  id: string;
  lines: StatementLine[];
  totals: StatementTotals;
  /** Address of a case; null where lines open nothing, as those that take others back. */
  caseHref: ((expedientNumber: string) => string) | null;
}

/** The lines of an invoice or a running month, each with the rule behind it and, opened, the calls it adds up. */
export function StatementLines({ id, lines, totals, caseHref }: StatementLinesProps) {
  const t = useT();
  return (
    <div className={classes.statement}>
      {lines.length === 0 && <p className={classes.nothing}>{t('consumption.noLines')}</p>}
      <ul className={classes.lines} aria-label={t('consumption.lines')}>
        {lines.map((line) => (
          <Line key={`${line.code}-${line.priceId}-${line.description}`} {...{ id, line, caseHref }} />
        ))}
      </ul>
      <Totals totals={totals} />
    </div>
  );
}

function Line({ id, line, caseHref }: Pick<StatementLinesProps, 'id' | 'caseHref'> & { line: StatementLine }) {
  const t = useT();
  const language = useLanguage();
  const [opened, setOpened] = useState(false);
  const panel = useId();
  const name = lineName(t, line, language);
  const words = (
    <>
      <span className={classes.lineName}>{name}</span>
      <span className={`${classes.product} num`}>{lineProduct(t, line, language)}</span>
      <b className={`${classes.lineAmount} num`}>{euros(line.amount, language)}</b>
    </>
  );
  const formula = line.amount < 0 && countsCalls(line) ? '' : lineFormula(t, line, language);
  if (!countsCalls(line) || !caseHref)
    return (
      <li className={classes.line}>
        <div className={classes.lineHead}>
          <span className={classes.mark} />
          {words}
        </div>
        {formula && <p className={`${classes.formula} num`}>{formula}</p>}
      </li>
    );
  return (
    <li className={classes.line} data-opened={opened || undefined}>
      <button
        type="button"
        className={classes.lineHead}
        aria-expanded={opened}
        aria-controls={panel}
        title={t('consumption.showCalls', { name })}
        onClick={() => setOpened(!opened)}
      >
        <span className={classes.mark}>
          <Icon name="right" size={16} />
        </span>
        {words}
      </button>
      {formula && <p className={`${classes.formula} num`}>{formula}</p>}
      <Collapse expanded={opened} id={panel}>
        {opened && <Calls query={{ id, line: line.code, priceId: line.priceId }} name={name} caseHref={caseHref} />}
      </Collapse>
    </li>
  );
}

function Totals({ totals }: { totals: StatementTotals }) {
  const t = useT();
  const language = useLanguage();
  const rows: [string, number][] = [
    [t('consumption.base'), totals.base],
    [t('consumption.vat', { percent: percentText(totals.vatRate, language) }), totals.vat],
  ];
  return (
    <>
      <dl className={`${classes.totals} num`}>
        {rows.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{euros(value, language)}</dd>
          </div>
        ))}
        <div className={classes.total}>
          <dt>{t('consumption.total')}</dt>
          <dd>{euros(totals.total, language)}</dd>
        </div>
      </dl>
      {(totals.exempt || totals.vatRate === 0) && (
        <p className={classes.exempt}>{totals.exempt || t('consumption.notSubject')}</p>
      )}
    </>
  );
}
