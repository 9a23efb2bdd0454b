import { Skeleton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CompanyPicker } from '@/shared/company/CompanyPicker';
import { usePageCompany } from '@/shared/company/use-page-company';
import { useT } from '@/shared/i18n';
import { useListTab } from '@/shared/lib/list-state';
import { usePage } from '@/shared/lib/page';
import { confirmLeaving } from '@/shared/lib/use-unsaved';
import { paths } from '@/shared/routes/paths';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { Segmented } from '@/shared/ui/Segmented';
import { shotLists } from '../api';
import { ShotListEditor } from '../components/ShotListEditor';
import { listOf, type ShotType } from '../model';
import classes from './ShotsPage.module.css';

/**
 * `/shots/{parent}`: which photos a case of each type should have. A company's own lists, or the platform's (`0`), which
 * every company follows until it changes its own.
 */
export function ShotsPage() {
  const t = useT();
  const [tab, setTab] = useListTab(['autos', 'div'] as const);
  const company = usePageCompany(paths.shots);
  const queries = useQueryClient();
  const lists = useQuery(shotLists(company.id));
  const type: ShotType = tab === 'autos' ? 1 : 2;
  const title = t('shots.title');
  const [dirty, setDirty] = useState(false);
  usePage({ title });
  // The other list is the same address, so no route guards what was typed.
  const show = async (next: typeof tab) => {
    if (!dirty || (await confirmLeaving())) setTab(next);
  };
  return (
    <section className={classes.root}>
      <div className={classes.head}>
        <h1>{title}</h1>
        <p className={classes.lead}>{company.id === '0' ? t('shots.leadPlatform') : t('shots.lead')}</p>
      </div>
      <div className={classes.tools}>
        <Segmented
          label={title}
          value={tab}
          onChange={(next) => void show(next)}
          options={[
            { value: 'autos', label: t('shots.autos'), icon: 'car' },
            { value: 'div', label: t('shots.diversos'), icon: 'home' },
          ]}
        />
        {company.admin && (
          <CompanyPicker
            className={classes.company}
            label={t('shots.company')}
            kinds={[2]}
            value={company.value}
            chosenName={company.name}
            onChange={company.choose}
          />
        )}
      </div>
      {lists.error && !lists.data ? (
        <LoadFailed title={t('common.listFailed')} error={lists.error} onRetry={() => void lists.refetch()} />
      ) : lists.data ? (
        <ShotListEditor
          key={`${company.id} ${tab} ${lists.dataUpdatedAt}`}
          company={company.id}
          type={type}
          stored={lists.data.shots[listOf(type)]}
          custom={lists.data.custom[listOf(type)]}
          onDirty={setDirty}
          onStored={(stored) => queries.setQueryData(shotLists(company.id).queryKey, stored)}
        />
      ) : (
        <Skeleton h={420} radius="lg" />
      )}
    </section>
  );
}
