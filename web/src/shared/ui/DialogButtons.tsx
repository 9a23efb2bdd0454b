import { Button, type ButtonProps } from '@mantine/core';
import clsx from 'clsx';
import type { ReactNode } from 'react';
import { useT } from '@/shared/i18n';
import classes from './DialogButtons.module.css';
import { Icon, type IconName } from './Icon';

interface DialogButtonsProps {
  /** The way out. Absent where there is nothing to go back from. */
  onCancel?: () => void;
  /** Its words; "Cancelar" without them. */
  cancel?: string;
  /** The words of the button that goes on. */
  go: string;
  /** What it does; without it, it submits the form around it. */
  onGo?: () => void;
  icon?: IconName;
  /** Red, for what cannot be undone. */
  danger?: boolean;
  busy?: boolean;
  disabled?: boolean;
  /** Nothing is typed that could be given up or kept. */
  unchanged?: boolean;
  /** Which one has the focus when the dialog opens. */
  focus?: 'cancel' | 'go';
  size?: ButtonProps['size'];
  /** Set apart from what it follows; not where the form keeps distances itself. */
  apart?: boolean;
  /** At the start of the line: what has to be known before going on. */
  note?: ReactNode;
  /** Other ways on, none of them filled. */
  children?: ReactNode;
}

/** What ends a dialog or a form: the way out first, the main button last, and only that one filled. */
export function DialogButtons(props: DialogButtonsProps) {
  const { onCancel, cancel, go, onGo, icon, danger, busy, disabled, unchanged, focus, size } = props;
  const { apart, note, children } = props;
  const t = useT();
  return (
    <div className={clsx(classes.buttons, apart && classes.apart)}>
      {note && <span className={classes.note}>{note}</span>}
      {onCancel && (
        <Button
          variant="default"
          size={size}
          disabled={busy || unchanged}
          data-autofocus={focus === 'cancel' || undefined}
          onClick={onCancel}
        >
          {cancel ?? t('common.cancel')}
        </Button>
      )}
      {children}
      <Button
        type={onGo ? 'button' : 'submit'}
        color={danger ? 'red' : undefined}
        size={size}
        loading={busy}
        disabled={disabled || unchanged}
        data-autofocus={focus === 'go' || undefined}
        leftSection={icon && <Icon name={icon} size={16} />}
        onClick={onGo}
      >
        {go}
      </Button>
    </div>
  );
}
