import '@mantine/dates/styles.css';
import 'dayjs/locale/es';
import { Popover, TextInput } from '@mantine/core';
import { DatePicker } from '@mantine/dates';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { madridDay } from '@/shared/lib/dates';
import { type PresetName, presetDays, rangeText, readDay, typedRange, writtenDay } from '@/shared/lib/day-range';
import classes from './DayRange.module.css';
import { Icon } from './Icon';

interface DayRangeProps {
  /** First and last day, `2026-11-05`; empty when not chosen. */
  from: string;
  to: string;
  /** The last day that may be chosen; today in Madrid without it (SPEC §5 Other: from tomorrow on disabled). */
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
  const [opened, popover] = useDisclosure(false);
  const last = max ?? madridDay(new Date().toISOString());
  const given = from && to ? { from, to } : null;
  const chosen = given !== null && !isDefault;
  const choose = (days: { from: string; to: string }) => {
    onRange(days.from, days.to);
    popover.close();
  };
  return (
    <div className={classes.root} data-on={chosen || undefined}>
      <Popover
        opened={opened}
        onChange={(open) => !open && popover.close()}
        position="bottom-start"
        shadow="none"
        trapFocus
        returnFocus
        withRoles
      >
        <Popover.Target>
          <button
            type="button"
            className={classes.button}
            onClick={popover.toggle}
            aria-label={`${t('common.dateRange')}: ${given ? rangeText(given, language) : t('common.allDays')}`}
          >
            <Icon name="cal" size={16} />
            <span className="num">{given ? rangeText(given, language) : t('common.allDays')}</span>
            {!chosen && <Icon name="down" size={16} />}
          </button>
        </Popover.Target>
        <Popover.Dropdown className={classes.dropdown} aria-label={t('common.dateRange')}>
          <Choice key={`${from}${to}`} from={from} to={to} max={last} language={language} onChoose={choose} />
        </Popover.Dropdown>
      </Popover>
      {chosen && (
        <button
          type="button"
          className={classes.clear}
          aria-label={t('common.removeFilter', { name: t('common.dateRange') })}
          onClick={() => onRange(null, null)}
        >
          <Icon name="x" size={16} />
        </button>
      )}
    </div>
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
  const field = (label: string, index: 0 | 1) => (
    // Not the browser's own date field: that one follows the browser's language, not the page's.
    <TextInput
      label={label}
      inputMode="numeric"
      autoComplete="off"
      maxLength={10}
      placeholder={writtenDay(max, language)}
      error={wrong && typed[index] !== null && typed[index] !== '' && readDay(typed[index], language) === null}
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
          ariaLabels={{
            previousMonth: t('common.previousMonth'),
            nextMonth: t('common.nextMonth'),
            previousYear: t('common.previousYear'),
            nextYear: t('common.nextYear'),
            previousDecade: t('common.previousDecade'),
            nextDecade: t('common.nextDecade'),
          }}
          classNames={{
            calendarHeader: classes.header,
            calendarHeaderControl: classes.headerControl,
            calendarHeaderLevel: classes.headerControl,
            weekday: classes.weekday,
            day: classes.day,
            monthsListControl: classes.cell,
            yearsListControl: classes.cell,
          }}
        />
        <div className={classes.typed}>
          {field(t('common.from'), 0)}
          {field(t('common.to'), 1)}
        </div>
      </div>
    </div>
  );
}
