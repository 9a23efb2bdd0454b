import { CompanyPicker } from '@/shared/company/CompanyPicker';
import { useT } from '@/shared/i18n';
import type { ListControls } from '@/shared/ui/DataList';
import { DayRange } from '@/shared/ui/DayRange';
import type { Incidence } from '../types';
import classes from './WhichIncidences.module.css';

interface WhichIncidencesProps {
  list: Pick<ListControls, 'filters' | 'setFilter' | 'setFilters'>;
  /** Who sees several companies chooses one. */
  admin: boolean;
  rows: Incidence[];
}

/** Whose incidences are listed and of which days; each is part of the address of the page. */
export function WhichIncidences({ list, admin, rows }: WhichIncidencesProps) {
  const t = useT();
  const { company = null, begin = '', end = '' } = list.filters;
  return (
    <div className={classes.which}>
      <DayRange from={begin} to={end} onRange={(first, last) => list.setFilters({ begin: first, end: last })} />
      {admin && (
        <CompanyPicker
          className={classes.company}
          label={t('incidences.company')}
          kinds={[2, 4, 6]}
          value={company}
          chosenName={rows.find((row) => row.company._id === company)?.company.company}
          onChange={(id) => list.setFilter('company', id)}
        />
      )}
    </div>
  );
}
