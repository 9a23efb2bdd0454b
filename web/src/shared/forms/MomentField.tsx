import '@mantine/dates/styles.css';
import 'dayjs/locale/es';
import { DateTimePicker } from '@mantine/dates';
import type { ReactNode } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import classes from './MomentField.module.css';

interface MomentFieldProps {
  label: ReactNode;
  help?: string;
  placeholder?: string;
  /** As a clock in Madrid shows it, `2026-11-24 09:00:00`. */
  value: string | null;
  onChange: (value: string | null) => void;
  error?: string;
  /** First day that may be chosen. */
  min: string;
  clearable?: boolean;
}

/** A day with a time. */
export function MomentField({ label, help, min, ...field }: MomentFieldProps) {
  const t = useT();
  const language = useLanguage();
  return (
    <DateTimePicker
      {...field}
      label={label}
      description={help}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      locale={language}
      firstDayOfWeek={1}
      // Dates of notifications.
      valueFormat="D/MM/YYYY H:mm"
      minDate={min}
      hideOutsideDates
      leftSection={<Icon name="cal" size={16} />}
      classNames={{ input: classes.moment, day: classes.day, weekday: classes.weekday }}
      clearButtonProps={{ 'aria-label': t('common.clear') }}
      timePickerProps={{ hoursInputLabel: t('notifications.hours'), minutesInputLabel: t('notifications.minutes') }}
      submitButtonProps={{ 'aria-label': t('common.done') }}
      ariaLabels={{
        previousMonth: t('common.previousMonth'),
        nextMonth: t('common.nextMonth'),
        previousYear: t('common.previousYear'),
        nextYear: t('common.nextYear'),
        previousDecade: t('common.previousDecade'),
        nextDecade: t('common.nextDecade'),
      }}
    />
  );
}
