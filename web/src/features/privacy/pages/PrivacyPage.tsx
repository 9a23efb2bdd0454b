import { CompanyPicker } from '@/shared/company/CompanyPicker';
import { usePageCompany } from '@/shared/company/use-page-company';
import { useT } from '@/shared/i18n';
import { useListTab } from '@/shared/lib/list-state';
import { usePage } from '@/shared/lib/page';
import { paths } from '@/shared/routes/paths';
import { Segmented } from '@/shared/ui/Segmented';
import { StateView } from '@/shared/ui/StateView';
import { Papers } from '../components/Papers';
import { PersonSearch } from '../components/PersonSearch';
import classes from '../components/privacy.module.css';
import { Erasures, Requests } from '../components/Registers';
import { Retention } from '../components/Retention';
import { Preview, Terms } from '../components/Terms';

const TABS = ['person', 'retention', 'requests', 'erasures', 'papers'] as const;

/**
 * `/privacy/{parent}`: what stays how long, a person's data handed over or erased, and the registers of both.
 */
export function PrivacyPage() {
  const t = useT();
  const [tab, show] = useListTab(TABS);
  const company = usePageCompany(paths.privacy);
  const title = t('privacy.title');
  usePage({ title });
  const tools = (
    <div className={classes.tools}>
      <Segmented
        label={title}
        value={tab}
        onChange={show}
        options={TABS.filter((name) => name !== 'papers' || company.admin).map((name) => ({
          value: name,
          label: t(`privacy.${name}`),
        }))}
      />
      {company.admin && (
        <CompanyPicker
          className={classes.company}
          label={t('privacy.company')}
          kinds={[2]}
          value={company.value}
          chosenName={company.name}
          onChange={company.choose}
        />
      )}
    </div>
  );
  if (tab === 'requests') return <Requests key={company.id} company={company.id} above={tools} />;
  if (tab === 'erasures') return <Erasures key={company.id} company={company.id} above={tools} />;
  if (tab === 'papers' && company.admin) return <Papers above={tools} />;
  return (
    <section className={classes.root}>
      <h1>{title}</h1>
      {tools}
      {tab === 'retention' ? (
        <>
          <Retention company={company.id} />
          <Terms />
          {company.admin && <Preview />}
        </>
      ) : company.id === '0' ? (
        <div className={classes.panel}>
          <StateView icon="bld" title={t('privacy.chooseCompany')} text={t('privacy.chooseCompanyText')} />
        </div>
      ) : (
        <>
          <p className={classes.lead}>{t('privacy.lead')}</p>
          <PersonSearch key={company.id} company={company.id} />
        </>
      )}
    </section>
  );
}
