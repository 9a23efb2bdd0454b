import type { ReactNode } from 'react';
import { Icon, type IconName } from '@/shared/ui/Icon';
import classes from './Stage.module.css';

interface StageNoteProps {
  icon: IconName;
  title: string;
  text?: string;
  children?: ReactNode;
}

/** What is said in place of a picture: what happened, what to do, the ways out. */
export function StageNote({ icon, title, text, children }: StageNoteProps) {
  return (
    <div className={classes.note} role="status">
      <Icon name={icon} size={28} className={classes.noteIcon} />
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {children && <div className={classes.actions}>{children}</div>}
    </div>
  );
}
