import { SegmentedControl } from '@mantine/core';
import { Icon, type IconName } from './Icon';
import classes from './Segmented.module.css';

interface SegmentedProps<V extends string> {
  label: string;
  value: V;
  onChange: (value: V) => void;
  options: { value: V; label: string; icon?: IconName }[];
}

/** A choice of few, all in sight. */
export function Segmented<V extends string>({ label, value, onChange, options }: SegmentedProps<V>) {
  return (
    <SegmentedControl
      aria-label={label}
      data-many={options.length > 3 || undefined}
      value={value}
      onChange={(next) => onChange(next as V)}
      classNames={{ root: classes.root, indicator: classes.indicator, label: classes.label }}
      data={options.map((option) => ({
        value: option.value,
        label: (
          <span className={classes.option}>
            {option.icon && <Icon name={option.icon} size={16} />}
            {option.label}
          </span>
        ),
      }))}
    />
  );
}
