import clsx from 'clsx';
import { type ComponentPropsWithRef, forwardRef } from 'react';
import { Icon, type IconName } from '@/shared/ui/Icon';
import classes from './Dock.module.css';

interface DockButtonProps extends Omit<ComponentPropsWithRef<'button'>, 'children'> {
  icon: IconName;
  label: string;
  /** on = this runs now; off = ours is switched off; rec = recording; end = ends something. */
  tone?: 'on' | 'off' | 'rec' | 'end';
  pressed?: boolean;
}

/** Icon over word. The word is the name also where only the icon fits. */
export const DockButton = forwardRef<HTMLButtonElement, DockButtonProps>(function DockButton(
  { icon, label, tone, pressed, className, ...rest },
  ref,
) {
  return (
    <button
      ref={ref}
      type="button"
      className={clsx(classes.button, className)}
      data-tone={tone}
      aria-pressed={pressed}
      aria-label={label}
      title={rest.title ?? label}
      {...rest}
    >
      <Icon name={icon} size={24} />
      <span className={classes.label}>{label}</span>
    </button>
  );
});
