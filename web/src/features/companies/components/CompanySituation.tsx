import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { announceLater } from '@/shared/company/activation-notice';
import { type Company, type Kind, kindOf, PLATFORM } from '@/shared/company/kinds';
import { errorText, type T, useLanguage, useT } from '@/shared/i18n';
import { longDate } from '@/shared/lib/dates';
import { paths } from '@/shared/routes/paths';
import { Icon } from '@/shared/ui/Icon';
import { StatusTag } from '@/shared/ui/StatusTag';
import { Tag } from '@/shared/ui/Tag';
import { toast } from '@/shared/ui/toast';
import { activateCompany } from '../api';
import { periodOf } from '../model';
import { useTakeCompany } from '../use-company-editor';
import { Blocking } from './Blocking';
import classes from './CompanyPage.module.css';
import { LegalHistory } from './LegalHistory';

interface CompanySituationProps {
  company: Company;
  admin: boolean;
}

/** Where the company stands, what it lacks, who leads it: the facts beside the form. */
export function CompanySituation({ company, admin }: CompanySituationProps) {
  const t = useT();
  const language = useLanguage();
  const kind = kindOf(company.companyType);
  return (
    <aside className={classes.aside} aria-label={t('companies.situation')}>
      {kind !== PLATFORM && (
        <section>
          <h2>{t('companies.situation')}</h2>
          <p className={classes.statusLine}>
            <StatusTag status={company.status} />
          </p>
          <p className={classes.plain}>{periodText(t, company, admin, language)}</p>
          <Checklist company={company} />
          {admin &&
            (company.status === 0 ? <Activate company={company} kind={kind} /> : <Blocking company={company} />)}
        </section>
      )}
      <section>
        <h2>{t('fiscal.title')}</h2>
        {company.fiscalRequest && (
          <p className={classes.statusLine}>
            <Tag tone="warn" icon="clock">
              {t('fiscal.pending')}
            </Tag>
          </p>
        )}
        <p className={classes.plain}>
          <Link to={paths.fiscalIdentity(company._id)}>{t('fiscal.situationLink')}</Link>
        </p>
      </section>
      {company.principal && (
        <section>
          <h2>{t('companies.principal')}</h2>
          <p className={classes.plain}>
            <Link to={paths.user(company._id, company.principal._id)}>{company.principal.name}</Link>
          </p>
          <p className={`${classes.quiet} num`}>{company.principal.email ?? company.principal.phone}</p>
        </section>
      )}
      <section>
        <h2>{t('shell.users')}</h2>
        <p className={classes.plain}>
          <Link to={paths.users(company._id)}>{t('companies.usersLink', { count: company.users })}</Link>
        </p>
        <p className={classes.quiet}>{t('companies.since', { date: longDate(company.created_at, language) })}</p>
      </section>
      {kind !== PLATFORM && <LegalHistory company={company} admin={admin} />}
    </aside>
  );
}

/** Trial and billing in plain words. */
function periodText(t: T, company: Company, admin: boolean, language: string): string {
  const date = longDate(company.pay_startAt ?? company.created_at, language);
  const texts = {
    pending: admin ? t('companies.pendingAdmin') : t('companies.pendingOwn'),
    trial: t('companies.periodTrial', { date }),
    trialMissing: t('companies.periodTrialMissing', { date }),
    ended: t('companies.periodEnded', { date }),
    billed: t('companies.periodBilled', { date }),
    unpaid: t('companies.periodUnpaid'),
    inactive: t('companies.periodInactive'),
  };
  return texts[periodOf(company, Date.now())];
}

/** What has to be there before the company may call; the date alone never bars a call. */
function Checklist({ company }: { company: Company }) {
  const t = useT();
  const { missing } = company;
  const pieces = [
    { key: 'legal', done: !missing.includes('legal'), has: t('companies.hasLegal'), lacks: t('companies.lacksLegal') },
    { key: 'iban', done: !missing.includes('iban'), has: t('companies.hasIban'), lacks: t('companies.lacksIban') },
    {
      key: 'status',
      done: !missing.includes('status'),
      has: t('companies.hasStatus'),
      lacks: t('companies.lacksStatus'),
    },
  ];
  return (
    <ul className={classes.checklist}>
      {pieces.map(({ key, done, has, lacks }) => (
        <li key={key} data-done={done || undefined}>
          <Icon name={done ? 'check' : 'clock'} size={16} />
          {done ? has : lacks}
        </li>
      ))}
    </ul>
  );
}

function Activate({ company, kind }: { company: Company; kind: Kind }) {
  const t = useT();
  const take = useTakeCompany();
  const activating = useMutation({
    mutationFn: () => activateCompany(kind, company._id),
    onSuccess: (fresh) => {
      take(fresh);
      announceLater(fresh.email);
      toast.ok({ title: t('companies.activated'), text: fresh.company });
    },
    onError: (error) => toast.error({ title: t('companies.activateError'), text: errorText(t, error) }),
  });
  return (
    <Button
      mt={16}
      fullWidth
      loading={activating.isPending}
      leftSection={<Icon name="check" size={16} />}
      onClick={() => activating.mutate()}
    >
      {t('companies.activate', { type: t(`companies.type${kind}`) })}
    </Button>
  );
}
