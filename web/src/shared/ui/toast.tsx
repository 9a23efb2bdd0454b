import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { limits } from '@/api/generated/limits';
import { Icon, type IconName } from './Icon';
import classes from './toast.module.css';

/** SPEC §9: a toast shows for 5000 ms, then fades for 500 ms before it is removed (`transitionDuration` in providers). */
const SHOWN_MS = limits.toastMs;

interface ToastOptions {
  title: string;
  text?: string;
  /** A way out, such as "Reintentar". */
  action?: { label: string; run: () => void };
}

function show(tone: 'ok' | 'error' | 'info', icon: IconName, { title, text, action }: ToastOptions): void {
  const id = notifications.show({
    title,
    icon: <Icon name={icon} className={classes[tone]} />,
    withBorder: false,
    message: (
      <>
        {text && <div>{text}</div>}
        {action && (
          <Button
            size="xs"
            variant="default"
            mt={8}
            onClick={() => {
              notifications.hide(id);
              action.run();
            }}
          >
            {action.label}
          </Button>
        )}
      </>
    ),
    // LOOK.md: errors stay and offer the way out.
    autoClose: tone === 'error' ? false : SHOWN_MS,
    role: tone === 'error' ? 'alert' : 'status',
  });
}

/** Messages that float bottom right. */
export const toast = {
  ok: (options: ToastOptions) => show('ok', 'check', options),
  error: (options: ToastOptions) => show('error', 'warn', options),
  info: (options: ToastOptions) => show('info', 'info', options),
};
