import '@mantine/dates/styles.css';
import 'dayjs/locale/ca';
import 'dayjs/locale/es';
import 'dayjs/locale/eu';
import 'dayjs/locale/fr';
import 'dayjs/locale/gl';
import 'dayjs/locale/pt';
import { useT } from '@/shared/i18n';
import classes from './DayRange.module.css';

/** The names of a calendar's arrows; with this file come the words of its months and days. */
export function useCalendarLabels() {
  const t = useT();
  return {
    previousMonth: t('common.previousMonth'),
    nextMonth: t('common.nextMonth'),
    previousYear: t('common.previousYear'),
    nextYear: t('common.nextYear'),
    previousDecade: t('common.previousDecade'),
    nextDecade: t('common.nextDecade'),
  };
}

/** How months and years look in every calendar of ours. */
export const monthLooks = {
  calendarHeader: classes.header,
  calendarHeaderControl: classes.headerControl,
  calendarHeaderLevel: classes.headerControl,
  monthsListControl: classes.cell,
  yearsListControl: classes.cell,
};

/** And days. */
export const dayLooks = { ...monthLooks, weekday: classes.weekday, day: classes.day };

/** Where a calendar opens beside its field. */
export const calendarPopover = {
  position: 'bottom-start',
  shadow: 'none',
  classNames: { dropdown: classes.dropdown },
} as const;
