import { useLanguage, useT } from '@/shared/i18n';
import { count, euros, percentText } from '@/shared/lib/money';
import { monthText } from '@/shared/lib/months';
import type { StatementLine } from '@/shared/statement/types';
import { lineFormula, lineName, lineProduct } from '@/shared/statement/words';
import { Note } from '@/shared/ui/Note';
import { type Simulated, statementLines } from '../simulation';
import classes from './prices.module.css';

interface SimulationResultProps {
  simulated: Simulated;
  /** For the sentence about exceeded minutes; null where it is not known. */
  minuteLimit: number | null;
  /** With its name as a heading. */
  titled?: boolean;
}

/** A calculated month as an invoice would show it: each line with its rule, then base, tax and total. */
export function SimulationResult({ simulated: { name, expected }, minuteLimit, titled }: SimulationResultProps) {
  const t = useT();
  const language = useLanguage();
  const money = (cents: number | undefined) => euros((cents ?? 0) / 100, language);
  const connections = t('prices.connections', {
    count: expected.connections ?? 0,
    n: count(expected.connections ?? 0, language),
  });
  const head = titled && (
    <h3 className={classes.resultName}>{[name, monthText(expected.period, language)].filter(Boolean).join(' · ')}</h3>
  );
  if (expected.lines === undefined) {
    const trial = expected.why?.startsWith('trial');
    return (
      <div className={classes.result}>
        {head}
        <Note
          icon="info"
          title={t('prices.noInvoice')}
          text={trial ? t('prices.noInvoiceTrial') : t('prices.noInvoiceNothing')}
        />
      </div>
    );
  }
  return (
    <div className={classes.result}>
      {head}
      <p className={`${classes.quiet} num`}>{connections}</p>
      <ul className={classes.resultLines}>
        {statementLines(expected, minuteLimit).map((line) => (
          <Line key={`${line.code} ${line.priceId}`} line={line} />
        ))}
      </ul>
      <dl className={`${classes.totals} num`}>
        <div>
          <dt>{t('consumption.base')}</dt>
          <dd>{money(expected.base)}</dd>
        </div>
        <div>
          <dt>{t('consumption.vat', { percent: percentText(expected.vatRate ?? 0, language) })}</dt>
          <dd>{money(expected.vat)}</dd>
        </div>
        <div data-total>
          <dt>{t('consumption.total')}</dt>
          <dd>{money(expected.total)}</dd>
        </div>
      </dl>
    </div>
  );
}

function Line({ line }: { line: StatementLine }) {
  const t = useT();
  const language = useLanguage();
  const formula = lineFormula(t, line, language);
  return (
    <li>
      <div className={classes.resultLine}>
        <span>{lineName(t, line, language)}</span>
        <span className={`${classes.product} num`}>{lineProduct(t, line, language)}</span>
        <b className="num">{euros(line.amount, language)}</b>
      </div>
      {formula && <p className={`${classes.help} num`}>{formula}</p>}
    </li>
  );
}
