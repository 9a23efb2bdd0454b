import { ActionIcon, Tooltip } from '@mantine/core';
import { Icon, type IconName } from './Icon';

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

/** A button with an icon alone: it has a name and a tooltip (LOOK.md "Icons"). */
export function IconAction({ icon, label, size = 36, pressed, ...rest }: IconActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={size}
        aria-label={label}
        aria-pressed={pressed}
        c="inherit"
        {...rest}
      >
        <Icon name={icon} size={size === 28 ? 16 : 20} />
      </ActionIcon>
    </Tooltip>
  );
}
