import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon';
import classes from './StateView.module.css';

interface StateViewProps {
  icon: IconName;
  tone?: 'quiet' | 'bad';
  title: string;
  text?: ReactNode;
  action?: { label: string; run: () => void; icon?: IconName };
}

/** An empty or failed place: icon, one sentence, what to do. */
export function StateView({ icon, tone = 'quiet', title, text, action }: StateViewProps) {
  return (
    <div className={classes.root} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon name={icon} size={28} className={classes[tone]} />
      <b className={classes.title}>{title}</b>
      {text && <div className={classes.text}>{text}</div>}
      {action && (
        <Button
          variant="default"
          size="xs"
          mt={8}
          leftSection={action.icon && <Icon name={action.icon} size={16} />}
          onClick={action.run}
        >
          {action.label}
        </Button>
      )}
    </div>
  );
}
