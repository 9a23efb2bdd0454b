import { Popover } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Icon } from './Icon';
import classes from './InfoTip.module.css';

interface InfoTipProps {
  /** What the tip is about: its name for a screen reader. */
  label: string;
  children: ReactNode;
}

/** A small "i" with an explanation: by mouse on hover, by keyboard and touch on press; Escape closes it. */
export function InfoTip({ label, children }: InfoTipProps) {
  const [opened, tip] = useDisclosure(false);
  return (
    <Popover opened={opened} onChange={(open) => !open && tip.close()} width={280} position="bottom" shadow="none">
      <Popover.Target>
        <button
          type="button"
          className={classes.button}
          aria-label={label}
          onClick={(event) => {
            // A head around it sorts when it is clicked.
            event.stopPropagation();
            // Not a toggle: a touch tells a hover first.
            tip.open();
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || !opened) return;
            event.stopPropagation();
            tip.close();
          }}
          onMouseEnter={tip.open}
          onMouseLeave={tip.close}
          onBlur={tip.close}
        >
          <Icon name="info" size={14} />
        </button>
      </Popover.Target>
      <Popover.Dropdown className={classes.tip} role="note">
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}
