import { useLanguage, useT } from '@/shared/i18n';
import { countText } from '@/shared/lib/format';
import { type Counts, type Funnel, percent, STEPS, weekText } from '../model';
import classes from './statistics.module.css';

/** The numbers behind the chart, newest week first, with the totals below. */
export function WeeksTable({ funnel }: { funnel: Funnel }) {
  const t = useT();
  const language = useLanguage();
  const running = funnel.weeks.at(-1)?.week;
  const cells = (counts: Counts) =>
    STEPS.map((step) => {
      const share = step === 'invited' ? null : percent(counts[step], counts.invited);
      return (
        <td key={step} className="num">
          {countText(counts[step], language)}
          {step !== 'invited' && <small>{share === null ? '–' : t('statistics.percent', { percent: share })}</small>}
        </td>
      );
    });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that is wider than a phone is scrolled by keyboard too.
    <section className={classes.scroll} tabIndex={0} aria-label={t('statistics.table')}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('statistics.week')}</th>
            {STEPS.map((step) => (
              <th key={step} scope="col">
                {t(`statistics.${step}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...funnel.weeks].reverse().map((week) => (
            <tr key={week.week}>
              <th scope="row" className="num">
                {weekText(week.week, language)}
                {week.week === running && <small>{t('statistics.running')}</small>}
              </th>
              {cells(week)}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('statistics.total')}</th>
            {cells(funnel.totals)}
          </tr>
        </tfoot>
      </table>
    </section>
  );
}
