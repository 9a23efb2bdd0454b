import { TextInput } from '@mantine/core';
import { useT } from '@/shared/i18n';
import classes from './DayRange.module.css';

interface DayRangeProps {
  /** First and last day, `2026-11-05`; empty when not chosen. */
  from: string;
  to: string;
  /** The last day that may be chosen at all. */
  max?: string;
  onFrom: (day: string | null) => void;
  onTo: (day: string | null) => void;
}

/** Two days of a list, each bounded by the other. */
export function DayRange({ from, to, max, onFrom, onTo }: DayRangeProps) {
  const t = useT();
  const day = (
    label: string,
    value: string,
    bounds: { min?: string; max?: string },
    choose: (day: string | null) => void,
  ) => (
    <div className={classes.day}>
      <span aria-hidden="true">{label}</span>
      <TextInput
        type="date"
        aria-label={label}
        {...bounds}
        value={value}
        onChange={(event) => choose(event.currentTarget.value || null)}
      />
    </div>
  );
  return (
    <>
      {day(t('common.from'), from, { max: to || max }, onFrom)}
      {day(t('common.to'), to, { min: from || undefined, max }, onTo)}
    </>
  );
}
