import { ActionIcon, Tooltip } from '@mantine/core';
import clsx from 'clsx';
import { Icon, type IconName } from './Icon';
import classes from './IconAction.module.css';

interface IconActionProps {
  icon: IconName;
  label: string;
  onClick: () => void;
  disabled?: boolean;
  loading?: boolean;
  /** Px of the square. */
  size?: 28 | 36;
  className?: string;
  pressed?: boolean;
}

/** A button with an icon alone: it has a name and a tooltip. */
export function IconAction({ icon, label, size = 36, pressed, className, ...rest }: IconActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={size}
        aria-label={label}
        aria-pressed={pressed}
        c="inherit"
        className={clsx(classes.root, className)}
        {...rest}
      >
        <Icon name={icon} size={size === 28 ? 16 : 20} />
      </ActionIcon>
    </Tooltip>
  );
}
