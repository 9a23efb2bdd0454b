import { MonthPickerInput } from '@mantine/dates';
import type { ReactNode } from 'react';
import { useLanguage } from '@/shared/i18n';
import { calendarPopover, monthLooks, useCalendarLabels } from '@/shared/ui/calendar';
import { Icon } from '@/shared/ui/Icon';

interface MonthFieldProps {
  label: ReactNode;
  name?: string;
  /** `2026-11`. */
  value: string;
  onChange: (month: string) => void;
  onBlur?: () => void;
  error?: ReactNode;
}

/** One month, in the words of the page's language. */
export function MonthField({ value, onChange, ...field }: MonthFieldProps) {
  const language = useLanguage();
  const ariaLabels = useCalendarLabels();
  return (
    <MonthPickerInput
      {...field}
      value={value ? `${value}-01` : null}
      onChange={(day) => onChange(day?.slice(0, 7) ?? '')}
      locale={language}
      valueFormat="MMMM YYYY"
      leftSection={<Icon name="cal" size={16} />}
      leftSectionPointerEvents="none"
      popoverProps={calendarPopover}
      ariaLabels={ariaLabels}
      classNames={{ input: 'num', ...monthLooks }}
    />
  );
}
