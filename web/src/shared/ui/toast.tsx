import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { MouseEvent } from 'react';
import { limits } from '@/api/generated/limits';
import { Icon, type IconName } from './Icon';
import classes from './toast.module.css';

/** A toast shows for 5000 ms, then fades for 500 ms before it is removed (`transitionDuration` in providers). */
const SHOWN_MS = limits.toastMs;

interface ToastOptions {
  title: string;
  text?: string;
  /** A way out, such as "Reintentar"; with an address it is a link, which `run` follows inside the app. */
  action?: { label: string; run: () => void; href?: string };
  /** To take it away again; one with the same id is shown once. */
  id?: string;
}

function show(
  tone: 'ok' | 'error' | 'info' | 'waiting',
  icon: IconName,
  { id: given, title, text, action }: ToastOptions,
): void {
  const id = notifications.show({
    id: given,
    title,
    icon: <Icon name={icon} className={classes[tone]} />,
    withBorder: false,
    message: (
      <>
        {text && <div>{text}</div>}
        {action && <ActionButton {...action} onFollow={() => notifications.hide(id)} />}
      </>
    ),
    // Errors stay and offer the way out.
    autoClose: tone === 'error' ? false : SHOWN_MS,
    role: tone === 'error' ? 'alert' : 'status',
  });
}

function ActionButton({ label, run, href, onFollow }: NonNullable<ToastOptions['action']> & { onFollow: () => void }) {
  const follow = (event: MouseEvent) => {
    // A new tab or window is the browser's to open.
    if (href && (event.ctrlKey || event.metaKey || event.shiftKey)) return;
    event.preventDefault();
    onFollow();
    run();
  };
  const look = { size: 'xs', variant: 'default', mt: 8, onClick: follow } as const;
  return href ? (
    <Button component="a" href={href} {...look}>
      {label}
    </Button>
  ) : (
    <Button {...look}>{label}</Button>
  );
}

/** Messages that float bottom right. */
export const toast = {
  ok: (options: ToastOptions) => show('ok', 'check', options),
  error: (options: ToastOptions) => show('error', 'warn', options),
  info: (options: ToastOptions) => show('info', 'info', options),
  /** Somebody waits for this person. */
  waiting: (options: ToastOptions) => show('waiting', 'ring', options),
  hide: (id: string) => void notifications.hide(id),
};
