import { TextInput } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { useState } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { madridDay } from '@/shared/lib/dates';
import { type PresetName, presetDays, rangeText, readDay, typedRange, writtenDay } from '@/shared/lib/day-range';
import { dayLooks, useCalendarLabels } from './calendar';
import classes from './DayRange.module.css';
import { RangeButton } from './RangeButton';

interface DayRangeProps {
  /** First and last day, `2026-11-05`; empty when not chosen. */
  from: string;
  to: string;
  /** The last day that may be chosen; today in Madrid without it (from tomorrow on disabled). */
  max?: string;
  /** True while nobody has chosen: the days shown are those the list starts with. */
  isDefault?: boolean;
  /** Both days, or null for both when the choice is taken back. */
  onRange: (from: string | null, to: string | null) => void;
}

/** Two days of a list: a button that says them, a calendar with usual ranges behind it. Typed, clicked or by arrow keys. */
export function DayRange({ from, to, max, isDefault, onRange }: DayRangeProps) {
  const t = useT();
  const language = useLanguage();
  const last = max ?? madridDay(new Date().toISOString());
  const given = from && to ? { from, to } : null;
  return (
    <RangeButton
      label={t('common.dateRange')}
      text={given ? rangeText(given, language) : t('common.allDays')}
      chosen={given !== null && !isDefault}
      position="bottom-start"
      onClear={() => onRange(null, null)}
    >
      {(close) => (
        <Choice
          key={`${from}${to}`}
          {...{ from, to, language }}
          max={last}
          onChoose={(days) => {
            onRange(days.from, days.to);
            close();
          }}
        />
      )}
    </RangeButton>
  );
}

interface ChoiceProps {
  from: string;
  to: string;
  max: string;
  language: string;
  onChoose: (days: { from: string; to: string }) => void;
}

const PRESETS: PresetName[] = ['today', 'week', 'month', 'thisMonth'];

function Choice({ from, to, max, language, onChoose }: ChoiceProps) {
  const t = useT();
  const ariaLabels = useCalendarLabels();
  const [range, setRange] = useState<[string | null, string | null]>([from || null, to || null]);
  /** What stands in the two fields while somebody types there. */
  const [typed, setTyped] = useState<[string | null, string | null]>([null, null]);
  const [wrong, setWrong] = useState(false);
  const words: Record<PresetName, string> = {
    today: t('common.rangeToday'),
    week: t('common.rangeWeek'),
    month: t('common.rangeMonth'),
    thisMonth: t('common.rangeThisMonth'),
  };
  const presets = presetDays(max);
  const pick = (next: [string | null, string | null]) => {
    setRange(next);
    const days = next[0] && next[1] ? typedRange(next[0], next[1], max) : null;
    if (days && (days.from !== from || days.to !== to)) onChoose(days);
  };
  const take = () => {
    const read = typed.every((text) => text === null || text === '' || readDay(text, language) !== null);
    setWrong(!read);
    if (read) pick(range);
  };
  const isWrong = (text: string | null) => wrong && text !== null && text !== '' && readDay(text, language) === null;
  const field = (label: string, index: 0 | 1) => (
    // Not the browser's own date field: that one follows the browser's language, not the page's.
    <TextInput
      label={label}
      inputMode="numeric"
      autoComplete="off"
      maxLength={10}
      placeholder={writtenDay(max, language)}
      error={isWrong(typed[index]) && t('common.dayWrong', { example: writtenDay(max, language) })}
      value={typed[index] ?? (range[index] ? writtenDay(range[index], language) : '')}
      onChange={(event) => {
        const text = event.currentTarget.value;
        const day = readDay(text, language);
        setWrong(false);
        setTyped(index === 0 ? [text, typed[1]] : [typed[0], text]);
        if (day || text === '') setRange(index === 0 ? [day, range[1]] : [range[0], day]);
      }}
      onKeyDown={(event) => {
        // A half-typed date must not jump into the list: it is taken with Enter.
        if (event.key === 'Enter') take();
      }}
      onBlur={(event) => {
        // Leaving for the calendar keeps it open.
        if (!event.currentTarget.closest('[role=dialog]')?.contains(event.relatedTarget)) take();
      }}
    />
  );
  return (
    <div className={classes.choice}>
      <div className={classes.presets}>
        {PRESETS.map((name) => (
          <button
            key={name}
            type="button"
            className={classes.preset}
            aria-pressed={presets[name].from === from && presets[name].to === to}
            onClick={() => onChoose(presets[name])}
          >
            {words[name]}
          </button>
        ))}
      </div>
      <div className={classes.days}>
        <DatePicker
          type="range"
          allowSingleDateInRange
          locale={language}
          firstDayOfWeek={1}
          hideOutsideDates
          maxDate={max}
          defaultDate={to || max}
          value={range}
          onChange={(next) => {
            setTyped([null, null]);
            pick(next);
          }}
          ariaLabels={ariaLabels}
          classNames={dayLooks}
        />
        <div className={classes.typed}>
          {field(t('common.from'), 0)}
          {field(t('common.to'), 1)}
        </div>
      </div>
    </div>
  );
}
