import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CompanyPicker } from '@/shared/company/CompanyPicker';
import { usePageCompany } from '@/shared/company/use-page-company';
import { useLanguage, useT } from '@/shared/i18n';
import { longDate, madridClock } from '@/shared/lib/dates';
import { usePage } from '@/shared/lib/page';
import { paths } from '@/shared/routes/paths';
import { CaseNumber } from '@/shared/ui/CaseNumber';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { StateView } from '@/shared/ui/StateView';
import { Tag } from '@/shared/ui/Tag';
import { type AgendaEntry, agendaOf, byDay } from '../api';
import classes from './AgendaPage.module.css';

/** `/agenda/{parent}`: the appointments to come, day by day; the administrator's of everybody (VISIT-8). */
export function AgendaPage() {
  const t = useT();
  const language = useLanguage();
  const company = usePageCompany(paths.agenda);
  const agenda = useQuery(agendaOf(company.id));
  const title = t('agenda.title');
  usePage({ title });
  return (
    <section className={classes.root}>
      <div className={classes.head}>
        <h1>{title}</h1>
        <span className={classes.zone}>{t('agenda.madrid')}</span>
        <span className={classes.grow} />
        {company.admin && (
          <CompanyPicker
            className={classes.company}
            label={t('agenda.company')}
            kinds={[2]}
            value={company.value}
            chosenName={company.name}
            onChange={company.choose}
          />
        )}
      </div>
      {agenda.error && !agenda.data ? (
        <LoadFailed title={t('agenda.failed')} error={agenda.error} onRetry={() => void agenda.refetch()} />
      ) : !agenda.data ? (
        <Skeleton h={240} radius="lg" />
      ) : agenda.data.length === 0 ? (
        <StateView icon="cal" title={t('agenda.empty')} text={t('agenda.emptyText')} />
      ) : (
        byDay(agenda.data).map(({ day, entries }) => (
          <section key={day} aria-labelledby={`day-${day}`}>
            <h2 id={`day-${day}`} className={classes.day}>
              {longDate(`${day}T12:00:00Z`, language)}
            </h2>
            <ul className={classes.list}>
              {entries.map((entry) => (
                <Entry key={entry.conferenceId} entry={entry} everybody={company.admin} />
              ))}
            </ul>
          </section>
        ))
      )}
    </section>
  );
}

function Entry({ entry, everybody }: { entry: AgendaEntry; everybody: boolean }) {
  const t = useT();
  const language = useLanguage();
  const agreed = entry.state === 'agreed';
  const asked = entry.proposedBy === 'client';
  const state = agreed ? t('agenda.agreed') : asked ? t('agenda.fromClient') : t('agenda.fromStaff');
  return (
    <li className={classes.entry}>
      <time className={`${classes.time} num`} dateTime={entry.at}>
        {madridClock(entry.at, language)}
      </time>
      <span className={classes.what}>
        <a href={paths.conference(entry.conferenceId)}>
          <CaseNumber number={entry.expedientNumber} />
        </a>
        <span className={classes.who}>
          {[entry.contactPerson, entry.userName, everybody && entry.customerName].filter(Boolean).join(' · ')}
        </span>
      </span>
      <Tag tone={agreed ? 'ok' : 'warn'}>{state}</Tag>
    </li>
  );
}
