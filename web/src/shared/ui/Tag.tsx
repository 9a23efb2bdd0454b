import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon';
import classes from './Tag.module.css';

interface TagProps {
  tone?: 'ok' | 'warn' | 'bad' | 'acc' | 'quiet';
  icon?: IconName;
  children: ReactNode;
}

/** A state in a word: tint, icon and text together. */
export function Tag({ tone = 'quiet', icon, children }: TagProps) {
  return (
    <span className={classes.root} data-tone={tone}>
      {icon && <Icon name={icon} size={14} />}
      {children}
    </span>
  );
}
