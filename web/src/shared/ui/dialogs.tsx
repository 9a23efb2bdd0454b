import { Button, Group } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';
import { t } from '@/shared/i18n';
import classes from './dialogs.module.css';
import { Icon } from './Icon';

type Tone = 'ok' | 'bad';

interface ConfirmOptions {
  title: string;
  text: ReactNode;
  /** Of the button that goes on. */
  confirm: string;
  cancel?: string;
  /** Red, for what cannot be undone (LOOK.md "Buttons"). */
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
          <Group justify="flex-end" gap={8} mt={24}>
            <Button variant="default" onClick={() => modals.close(id)}>
              {cancel ?? t('common.cancel')}
            </Button>
            <Button
              data-autofocus
              color={danger ? 'red' : undefined}
              onClick={() => {
                answer = true;
                modals.close(id);
              }}
            >
              {label}
            </Button>
          </Group>
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
          <Group justify="flex-end" mt={24}>
            <Button data-autofocus onClick={() => modals.close(id)}>
              {accept ?? t('common.accept')}
            </Button>
          </Group>
        </>
      ),
    });
  });
}
