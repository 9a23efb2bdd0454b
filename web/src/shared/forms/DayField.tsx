import { DateInput } from '@mantine/dates';
import type { ReactNode } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { dayPattern, readDay, writtenDay } from '@/shared/lib/day-range';
import { calendarPopover, dayLooks, useCalendarLabels } from '@/shared/ui/calendar';
import { Icon } from '@/shared/ui/Icon';

interface DayFieldProps {
  label: ReactNode;
  description?: ReactNode;
  name?: string;
  /** `2026-11-05`; empty without one. */
  value?: string;
  onChange: (day: string) => void;
  onBlur?: () => void;
  error?: ReactNode;
  /** First and last day that may be chosen. */
  min?: string;
  max?: string;
  clearable?: boolean;
}

/** One day, typed in the order of the language or chosen from a calendar. Not the browser's own field: that follows the browser's language. */
export function DayField({ value, onChange, min, max, clearable, ...field }: DayFieldProps) {
  const t = useT();
  const language = useLanguage();
  const ariaLabels = useCalendarLabels();
  return (
    <DateInput
      {...field}
      value={value || null}
      onChange={(day) => onChange(day ?? '')}
      valueFormat={dayPattern(language)}
      dateParser={(text) => readDay(text, language)}
      placeholder={writtenDay('2026-11-24', language)}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      locale={language}
      firstDayOfWeek={1}
      hideOutsideDates
      minDate={min}
      maxDate={max}
      clearable={clearable}
      clearButtonProps={{ 'aria-label': t('common.clear') }}
      inputMode="numeric"
      autoComplete="off"
      leftSection={<Icon name="cal" size={16} />}
      leftSectionPointerEvents="none"
      popoverProps={calendarPopover}
      ariaLabels={ariaLabels}
      classNames={{ input: 'num', ...dayLooks }}
    />
  );
}
