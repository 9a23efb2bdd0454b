import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useLanguage, useT } from '@/shared/i18n';
import { countText } from '@/shared/lib/format';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { usableOf } from '../api';
import { percent, type Share, type Span, type Usable as UsableCases, weekText } from '../model';
import classes from './statistics.module.css';

/** The number that it is all for: cases with a sharp picture, by cause, week and company, and the ways they came (REPORT-9). */
export function Usable({ company, span, everybody }: { company: string; span: Span; everybody: boolean }) {
  const t = useT();
  const found = useQuery(usableOf(company, span));
  if (found.error && !found.data) {
    return <LoadFailed title={t('statistics.usableFailed')} error={found.error} onRetry={() => void found.refetch()} />;
  }
  if (!found.data) return <Skeleton h={240} radius="lg" />;
  const { data } = found;
  return (
    <section className={classes.usable} aria-labelledby="usable-title" aria-busy={found.isPlaceholderData}>
      <header className={classes.usableHead}>
        <div>
          <h2 id="usable-title">{t('statistics.usableTitle')}</h2>
          <p>{t('statistics.usableLead')}</p>
        </div>
        <Figure share={data.totals} />
      </header>
      <div className={classes.usableParts}>
        <Causes data={data} />
        <Ways data={data} />
      </div>
      <Shares
        title={t('statistics.byWeek')}
        head={t('statistics.week')}
        rows={[...data.weeks].reverse().map((week) => ({ key: week.week, week: week.week, share: week }))}
      />
      {everybody && data.companies.length > 0 && (
        <Shares
          title={t('statistics.byCompany')}
          head={t('statistics.companyHead')}
          rows={data.companies.map((one) => ({ key: one.companyId, name: one.name, share: one }))}
        />
      )}
    </section>
  );
}

/** `58 %`, and of how many. */
function Figure({ share }: { share: Share }) {
  const t = useT();
  const language = useLanguage();
  const of = percent(share.usable, share.cases);
  const values = { usable: countText(share.usable, language), cases: countText(share.cases, language) };
  return (
    <p className={`${classes.figure} num`}>
      <b>{of === null ? '–' : t('statistics.percent', { percent: of })}</b> {t('statistics.usableOf', values)}
    </p>
  );
}

function Causes({ data }: { data: UsableCases }) {
  const t = useT();
  const language = useLanguage();
  return (
    <div>
      <h3>{t('statistics.causes')}</h3>
      <ul className={classes.facts}>
        {data.causes.map(({ cause, cases }) => {
          const share = percent(cases, data.totals.cases) ?? 0;
          return (
            <li key={cause}>
              <span className={classes.stepHead}>
                <span>{t(`statistics.cause_${cause}`)}</span>
                <span className="num">
                  <b>{countText(cases, language)}</b> {t('statistics.percent', { percent: share })}
                </span>
              </span>
              <span className={classes.track} aria-hidden="true">
                <span
                  className={classes.fill}
                  data-good={cause === 'call' || cause === 'ladder' || undefined}
                  style={{ width: `${share}%` }}
                />
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** What the ladder did, and how media came. */
function Ways({ data }: { data: UsableCases }) {
  const t = useT();
  const { routes, ladder } = data;
  const share = (part: number) => {
    const of = percent(part, routes.stays);
    return of === null ? '–' : t('statistics.percent', { percent: of });
  };
  const of = ({ usable, cases }: Share) => t('statistics.usableOf', { usable, cases });
  return (
    <div>
      <h3>{t('statistics.ways')}</h3>
      <dl className={classes.ways}>
        <dt>{t('statistics.relayed')}</dt>
        <dd className="num">{share(routes.relayed)}</dd>
        <dt>{t('statistics.overTcp')}</dt>
        <dd className="num">{share(routes.tcp)}</dd>
        <dt>{t('statistics.otherChannel')}</dt>
        <dd className="num">{of(ladder.otherChannel)}</dd>
        <dt>{t('statistics.appointments')}</dt>
        <dd className="num">{of(ladder.appointment)}</dd>
      </dl>
    </div>
  );
}

interface SharesProps {
  title: string;
  head: string;
  rows: { key: string; name?: string; week?: string; share: Share }[];
}

function Shares({ title, head, rows }: SharesProps) {
  const t = useT();
  const language = useLanguage();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that is wider than a phone is scrolled by keyboard too.
    <section className={classes.scroll} tabIndex={0} aria-label={title}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{head}</th>
            <th scope="col">{t('statistics.casesHead')}</th>
            <th scope="col">{t('statistics.usableHead')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, week, share }) => {
            const of = percent(share.usable, share.cases);
            return (
              <tr key={key}>
                <th scope="row">{week ? weekText(week, language) : name}</th>
                <td className="num">{countText(share.cases, language)}</td>
                <td className="num">
                  {countText(share.usable, language)}
                  <small>{of === null ? '–' : t('statistics.percent', { percent: of })}</small>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
