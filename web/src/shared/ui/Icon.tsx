import clsx from 'clsx';
import classes from './Icon.module.css';
import { type IconName, icons } from './icons';

export type { IconName };

interface IconProps {
  name: IconName;
  /** Box in px: 16 (in small buttons), 20 (default) or 28 (empty states). The stroke keeps its width in each. */
  size?: 14 | 16 | 20 | 24 | 28;
  className?: string;
  /** Accessible name. Without it the icon is decoration and hidden from assistive technology. */
  label?: string;
}

export const isIconName = (name: string): name is IconName => Object.hasOwn(icons, name);

const strokeOf = { 14: 2, 16: 1.9, 20: 1.6, 24: 1.5, 28: 1.4 } as const;

/** One icon of the own set, in the colour of the text around it. */
export function Icon({ name, size = 20, className, label }: IconProps) {
  return (
    <svg
      viewBox="0 0 20 20"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={strokeOf[size]}
      strokeLinecap="round"
      strokeLinejoin="round"
      className={clsx(classes.icon, className)}
      role={label ? 'img' : undefined}
      aria-label={label}
      aria-hidden={label ? undefined : true}
    >
      {icons[name]}
    </svg>
  );
}
