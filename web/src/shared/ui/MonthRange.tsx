import { MonthPicker } from '@mantine/dates';
import { useState } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { type Months, monthsAfter, monthsText } from '@/shared/lib/months';
import { monthLooks, useCalendarLabels } from './calendar';
import classes from './DayRange.module.css';
import { RangeButton } from './RangeButton';

interface MonthRangeProps extends Months {
  /** The last month that may be chosen. */
  max: string;
  /** True while nobody has chosen. */
  isDefault?: boolean;
  /** Both months, or null for both when the choice is taken back. */
  onRange: (from: string | null, to: string | null) => void;
}

/** Two months of a page: a button that says them, the months of a year behind it. The sister of `DayRange`. */
export function MonthRange({ from, to, max, isDefault, onRange }: MonthRangeProps) {
  const t = useT();
  const language = useLanguage();
  return (
    <RangeButton
      label={t('common.monthRange')}
      text={monthsText({ from, to }, language)}
      chosen={!isDefault}
      position="bottom-end"
      onClear={() => onRange(null, null)}
    >
      {(close) => (
        <Choice
          key={`${from}${to}`}
          {...{ from, to, max, language }}
          onChoose={(first, last) => {
            onRange(first, last);
            close();
          }}
        />
      )}
    </RangeButton>
  );
}

interface ChoiceProps extends Months {
  max: string;
  language: string;
  onChoose: (from: string, to: string) => void;
}

const first = (month: string) => `${month}-01`;

function Choice({ from, to, max, language, onChoose }: ChoiceProps) {
  const t = useT();
  const ariaLabels = useCalendarLabels();
  const [range, setRange] = useState<[string | null, string | null]>([first(from), first(to)]);
  const year = max.slice(0, 4);
  const before = String(Number(year) - 1);
  const presets: [string, Months][] = [
    [t('common.monthsTwelve'), { from: monthsAfter(max, -11), to: max }],
    [t('common.monthsSix'), { from: monthsAfter(max, -5), to: max }],
    [year, { from: `${year}-01`, to: max }],
    [before, { from: `${before}-01`, to: `${before}-12` }],
  ];
  return (
    <div className={classes.choice}>
      <div className={classes.presets}>
        {presets.map(([label, months]) => (
          <button
            key={label}
            type="button"
            className={classes.preset}
            aria-pressed={months.from === from && months.to === to}
            onClick={() => onChoose(months.from, months.to)}
          >
            <span className="num">{label}</span>
          </button>
        ))}
      </div>
      <div className={classes.days}>
        <MonthPicker
          type="range"
          allowSingleDateInRange
          locale={language}
          maxDate={first(max)}
          defaultDate={first(to)}
          value={range}
          onChange={(next) => {
            setRange(next);
            if (next[0] && next[1]) onChoose(next[0].slice(0, 7), next[1].slice(0, 7));
          }}
          ariaLabels={ariaLabels}
          classNames={monthLooks}
        />
      </div>
    </div>
  );
}
