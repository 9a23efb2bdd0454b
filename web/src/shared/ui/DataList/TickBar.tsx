import { ActionIcon } from '@mantine/core';
import type { ReactNode } from 'react';
import { useT } from '@/shared/i18n';
import { Icon } from '../Icon';
import classes from './TickBar.module.css';

interface TickBarProps {
  count: number;
  onClear: () => void;
  /** What can be done with the ticked rows. */
  children: ReactNode;
}

/** How many rows are ticked, and what can be done with them. */
export function TickBar({ count, onClear, children }: TickBarProps) {
  const t = useT();
  return (
    <section className={classes.bar} aria-label={t('common.ticked', { count })}>
      <b className="num" aria-live="polite">
        {t('common.ticked', { count })}
      </b>
      <div className={classes.actions}>{children}</div>
      <ActionIcon variant="subtle" color="gray" aria-label={t('common.untick')} onClick={onClear}>
        <Icon name="x" size={16} />
      </ActionIcon>
    </section>
  );
}
