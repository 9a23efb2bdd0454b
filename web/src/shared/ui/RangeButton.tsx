import { Popover } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useT } from '@/shared/i18n';
import classes from './DayRange.module.css';
import { Icon } from './Icon';

interface RangeButtonProps {
  /** What is chosen from: days, or months. */
  label: string;
  /** The range as words. */
  text: string;
  /** Somebody chose it: it can be taken back. */
  chosen: boolean;
  position: 'bottom-start' | 'bottom-end';
  onClear: () => void;
  /** What opens behind the button. */
  children: (close: () => void) => ReactNode;
}

/** A button that says a range of time, with what chooses it behind and a cross that takes the choice back. */
export function RangeButton({ label, text, chosen, position, onClear, children }: RangeButtonProps) {
  const t = useT();
  const [opened, popover] = useDisclosure(false);
  return (
    <div className={classes.root} data-on={chosen || undefined}>
      <Popover
        opened={opened}
        onChange={(open) => !open && popover.close()}
        position={position}
        shadow="none"
        trapFocus
        returnFocus
        withRoles
      >
        <Popover.Target>
          <button type="button" className={classes.button} onClick={popover.toggle} aria-label={`${label}: ${text}`}>
            <Icon name="cal" size={16} />
            <span className="num">{text}</span>
            {!chosen && <Icon name="down" size={16} />}
          </button>
        </Popover.Target>
        <Popover.Dropdown className={classes.dropdown} aria-label={label}>
          {children(popover.close)}
        </Popover.Dropdown>
      </Popover>
      {chosen && (
        <button
          type="button"
          className={classes.clear}
          aria-label={t('common.removeFilter', { name: label })}
          onClick={onClear}
        >
          <Icon name="x" size={16} />
        </button>
      )}
    </div>
  );
}
