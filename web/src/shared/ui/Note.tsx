import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon';
import classes from './Note.module.css';

interface NoteProps {
  tone?: 'quiet' | 'warn' | 'bad' | 'ok';
  icon?: IconName;
  title?: string;
  text?: ReactNode;
  /** On the right: a button, a cross. */
  action?: ReactNode;
}

/** A tinted line or two inside a page. Failures are announced. */
export function Note({ tone = 'quiet', icon = 'info', title, text, action }: NoteProps) {
  return (
    <div className={classes.root} data-tone={tone} role={tone === 'bad' || tone === 'warn' ? 'alert' : undefined}>
      <Icon name={icon} />
      <div className={classes.body}>
        {title && <b className={classes.title}>{title}</b>}
        {text && <div className={classes.text}>{text}</div>}
      </div>
      {action}
    </div>
  );
}
