import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CompanyPicker } from '@/shared/company/CompanyPicker';
import { EVERYBODY, type PageCompany, usePageCompany } from '@/shared/company/use-page-company';
import { errorText, useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { paths } from '@/shared/routes/paths';
import { StatementLines } from '@/shared/statement/StatementLines';
import { countsCalls } from '@/shared/statement/words';
import { Icon } from '@/shared/ui/Icon';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { Note } from '@/shared/ui/Note';
import { StateView } from '@/shared/ui/StateView';
import { getRunningMonth, getUnits } from '../api';
import classes from '../components/consumption.module.css';
import { Figures, Minimum } from '../components/Figures';
import { Tiers } from '../components/Tiers';
import { isEmpty } from '../model';
import type { Units } from '../types';

/** `/consumption/{parent}`: what a company has consumed of the running month, every line down to its calls. */
export function ConsumptionPage() {
  const t = useT();
  const company = usePageCompany(paths.consumption);
  const chosen = company.id !== EVERYBODY;
  const title = t('consumption.title');
  usePage({ title });
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <h1>{title}</h1>
        <span className={classes.grow} />
        {chosen && company.admin && <Picker company={company} />}
        {chosen && (
          <Button
            component={Link}
            to={paths.invoices(company.id)}
            variant="default"
            leftSection={<Icon name="invoice" size={16} />}
          >
            {t('consumption.invoices')}
          </Button>
        )}
      </div>
      {chosen ? (
        <RunningMonth key={company.id} company={company.id} />
      ) : (
        <StateView
          icon="chart"
          title={t('consumption.chooseTitle')}
          text={
            <div className={classes.choose}>
              {t('consumption.chooseText')}
              <Picker company={company} />
            </div>
          }
        />
      )}
    </div>
  );
}

function Picker({ company }: { company: PageCompany }) {
  const t = useT();
  return (
    <CompanyPicker
      className={classes.company}
      label={t('consumption.company')}
      kinds={[2]}
      value={company.value}
      chosenName={company.name}
      onChange={company.choose}
    />
  );
}

function RunningMonth({ company }: { company: string }) {
  const t = useT();
  const { data, error, refetch } = useQuery(getUnits(company));
  if (error && !data)
    return <LoadFailed title={t('consumption.failed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton h={360} radius="lg" />;
  return (
    <>
      {data.trial && <Note icon="spark" title={t('consumption.trialTitle')} text={t('consumption.trialText')} />}
      <Figures units={data} />
      <div className={classes.body}>
        {isEmpty(data) ? (
          <StateView icon="video" title={t('consumption.empty')} text={t('consumption.emptyText')} />
        ) : (
          <Lines company={company} />
        )}
        <Side units={data} />
      </div>
    </>
  );
}

function Lines({ company }: { company: string }) {
  const t = useT();
  const { data, error, isFetching, refetch } = useQuery(getRunningMonth(company));
  const retry = (
    <Button variant="default" size="xs" loading={isFetching} onClick={() => void refetch()}>
      {t('common.retry')}
    </Button>
  );
  return (
    <section className={classes.main} aria-labelledby="lines">
      <h2 id="lines">{t('consumption.linesTitle')}</h2>
      {data?.lines.some(countsCalls) && <p className={classes.hint}>{t('consumption.linesText')}</p>}
      {data ? (
        <StatementLines id={company} lines={data.lines} totals={data.totals} caseHref={paths.expedient} />
      ) : error ? (
        <Note tone="bad" icon="warn" title={t('consumption.linesFailed')} text={errorText(t, error)} action={retry} />
      ) : (
        <Skeleton h={220} radius="lg" />
      )}
    </section>
  );
}

function Side({ units }: { units: Units }) {
  const t = useT();
  return (
    <div className={classes.side}>
      <Tiers units={units} />
      {!units.trial && <Minimum units={units} />}
      <section className={classes.box} aria-labelledby="rules">
        <h2 id="rules">{t('consumption.ruleTitle')}</h2>
        <ul className={classes.rules}>
          <li>{t('consumption.rule1')}</li>
          <li>{t('consumption.rule2')}</li>
          <li>{t('consumption.rule3')}</li>
        </ul>
      </section>
    </div>
  );
}
