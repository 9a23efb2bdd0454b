import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';
import { t } from '@/shared/i18n';
import { DialogButtons } from './DialogButtons';
import classes from './dialogs.module.css';
import { Icon } from './Icon';

type Tone = 'ok' | 'bad';

interface ConfirmOptions {
  title: string;
  text: ReactNode;
  /** Of the button that goes on. */
  confirm: string;
  cancel?: string;
  /** Red, for what cannot be undone. */
  danger?: boolean;
  /** With a sign of it before the title. */
  tone?: Tone;
}

/** Asks before something is done. Answers true when it was confirmed; closing it any other way is a no. */
export function confirm({ title, text, confirm: label, cancel, danger, tone }: ConfirmOptions): Promise<boolean> {
  return new Promise((resolve) => {
    let answer = false;
    const id = modals.open({
      title: <Title tone={tone}>{title}</Title>,
      size: 440,
      onClose: () => resolve(answer),
      children: (
        <>
          <div className={classes.text}>{text}</div>
          <DialogButtons
            onCancel={() => modals.close(id)}
            cancel={cancel}
            go={label}
            onGo={() => {
              answer = true;
              modals.close(id);
            }}
            danger={danger}
            focus="go"
            apart
          />
        </>
      ),
    });
  });
}

function Title({ tone, children }: { tone?: Tone; children: string }) {
  if (!tone) return children;
  return (
    <span className={classes.title}>
      <Icon name={tone === 'ok' ? 'check' : 'warn'} className={classes[tone]} />
      {children}
    </span>
  );
}

interface NoticeOptions {
  title: string;
  text: ReactNode;
  tone?: Tone;
  /** Of the only button; "Aceptar" without it. */
  accept?: string;
}

/** Says something that has to be seen before going on. Resolves when it was closed. */
export function notice({ title, text, tone, accept }: NoticeOptions): Promise<void> {
  return new Promise((resolve) => {
    const id = modals.open({
      title: <Title tone={tone}>{title}</Title>,
      size: 440,
      onClose: () => resolve(),
      children: (
        <>
          <div className={classes.text}>{text}</div>
          <DialogButtons go={accept ?? t('common.accept')} onGo={() => modals.close(id)} focus="go" apart />
        </>
      ),
    });
  });
}
