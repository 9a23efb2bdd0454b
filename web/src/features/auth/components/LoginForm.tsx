import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useT } from '@/shared/i18n';
import { passkeysSupported } from '@/shared/lib/webauthn';
import { session } from '@/shared/session';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { useLogin } from '../use-login';
import { BrowserNote } from './BrowserNote';
import { CodeStep } from './CodeStep';
import { LoginFailureNote } from './LoginFailureNote';
import classes from './LoginForm.module.css';
import { lastPlace, PasswordStep, type Typed } from './PasswordStep';

/**
 * The log-in with its two steps, or a passkey in their place; it ends with the session stored.
 * `children` stand below the first step: the way to a forgotten password.
 */
export function LoginForm({ children }: { children?: ReactNode }) {
  const t = useT();
  const login = useLogin();
  const [typed, setTyped] = useState<Typed>({ userName: '', password: '', place: null });
  const { accounts, pending, busy, failure } = login;
  const locked = failure?.kind === 'locked';

  // The last company is proposed when the list comes.
  useEffect(() => setTyped((now) => ({ ...now, place: lastPlace(accounts) })), [accounts]);

  const onType = (changed: Partial<Typed>) => {
    setTyped((now) => ({ ...now, ...changed }));
    if (changed.userName !== undefined && (accounts.length > 0 || failure)) login.forget();
  };
  const verify = async (code: string) => {
    // Whatever comes next, the password is typed again: the first step is over or the log-in is.
    if ((await login.verify(code)) !== 'entered') setTyped((now) => ({ ...now, password: '' }));
  };

  return (
    <div className={classes.form}>
      <div>
        <StepTitle step={pending ? 'code' : 'password'} />
        <p className={classes.subtitle}>{pending ? t('login.mfaCode') : t('login.subtitle')}</p>
      </div>
      <BrowserNote />
      {!failure && !pending && session.problem() && (
        <Note
          tone="warn"
          icon="warn"
          title={t('login.lostTitle')}
          text={t(`login.lost_${session.problem()?.piece ?? 'user'}`)}
        />
      )}
      {failure && <LoginFailureNote failure={failure} onUnlocked={login.clearFailure} />}
      {pending ? (
        <CodeStep busy={busy !== null} onCode={(code) => void verify(code)} onBack={login.backToStart} />
      ) : (
        <>
          <PasswordStep
            typed={typed}
            onType={onType}
            accounts={accounts}
            busy={busy === 'password'}
            locked={locked}
            preCheck={login.preCheck}
            onIncomplete={login.refuseIncomplete}
            onEnter={() => login.enter(typed.userName.trim(), typed.password, typed.place)}
          />
          {passkeysSupported() && (
            <Button
              variant="default"
              size="md"
              fullWidth
              leftSection={<Icon name="key" />}
              loading={busy === 'passkey'}
              onClick={() => void login.enterWithPasskey()}
            >
              {t('login.passkey')}
            </Button>
          )}
          {children}
        </>
      )}
    </div>
  );
}

/** The title of the step; a change of step is read out. */
function StepTitle({ step }: { step: 'password' | 'code' }) {
  const t = useT();
  return (
    <h1 id="login-title" className={classes.title} aria-live="polite">
      {step === 'code' ? t('login.mfaTitle') : t('login.title')}
    </h1>
  );
}
