import { Button, Modal, UnstyledButton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { ApiError } from '@/api/errors';
import { askProofsBy } from '@/api/proof';
import { CodeField, isCode } from '@/shared/forms/CodeField';
import { PasswordField } from '@/shared/forms/PasswordField';
import { errorText, useT } from '@/shared/i18n';
import { PasskeyDismissed, passkeysSupported } from '@/shared/lib/webauthn';
import { useRequiredSession } from '@/shared/session';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Icon } from '@/shared/ui/Icon';
import { listPasskeys, prove, proveByPasskey } from '../api';
import classes from './security.module.css';

/** Asks who is logged in to prove it, whenever a call needs a fresh proof. Inside the shell: it needs a session. */
export function FreshProof() {
  const [answer, setAnswer] = useState<((proved: boolean) => void) | null>(null);
  useEffect(() => askProofsBy(() => new Promise<boolean>((resolve) => setAnswer(() => resolve))), []);
  // The shell goes with the session: whoever waits is told no.
  useEffect(() => () => answer?.(false), [answer]);
  if (!answer) return null;
  const close = (proved: boolean) => {
    answer(proved);
    setAnswer(null);
  };
  return <ProofDialog onClose={close} />;
}

function ProofDialog({ onClose }: { onClose: (proved: boolean) => void }) {
  const t = useT();
  const { user } = useRequiredSession();
  const [text, setText] = useState('');
  const [recovery, setRecovery] = useState(false);
  const [missing, setMissing] = useState(false);
  const passkeys = useQuery({ ...listPasskeys(), enabled: passkeysSupported() });
  const proof = useMutation({
    mutationFn: (by: 'passkey' | 'text') => {
      if (by === 'passkey') return proveByPasskey();
      return prove(user.has2fa ? { code: text.trim() } : { password: text });
    },
    onSuccess: () => onClose(true),
    // A refused code is used up.
    onError: () => setText(''),
  });
  const change = (value: string) => {
    setText(value);
    setMissing(false);
    if (proof.error) proof.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (user.has2fa ? !isCode(text, recovery) : !text) return setMissing(true);
    if (!proof.isPending) proof.mutate('text');
  };
  const demand = () => {
    if (!user.has2fa) return t('login.passwordRequired');
    return recovery ? t('login.recoveryRequired') : t('login.mfaCode');
  };
  const failure = missing ? demand() : proof.error && reason(proof.error, t);
  return (
    <Modal opened onClose={() => onClose(false)} title={t('security.proofTitle')} size={440}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <p className={classes.lead}>{t('security.proofText')}</p>
        {user.has2fa ? (
          <CodeField
            value={text}
            onChange={change}
            recovery={recovery}
            disabled={proof.isPending}
            error={failure ?? false}
          />
        ) : (
          <>
            {/* Tells a password manager whose password this is. */}
            <input
              className="visually-hidden"
              name="username"
              autoComplete="username"
              value={user.userName}
              readOnly
              tabIndex={-1}
              aria-hidden="true"
            />
            <PasswordField
              label={t('security.password')}
              name="current-password"
              autoComplete="current-password"
              data-autofocus
              value={text}
              error={failure}
              onChange={(event) => change(event.currentTarget.value)}
            />
          </>
        )}
        {user.has2fa && (
          <div>
            <UnstyledButton
              className={classes.swap}
              mt={0}
              disabled={proof.isPending}
              onClick={() => {
                setRecovery(!recovery);
                change('');
              }}
            >
              {recovery ? t('login.useCode') : t('login.useRecovery')}
            </UnstyledButton>
          </div>
        )}
        {passkeysSupported() && (passkeys.data?.length ?? 0) > 0 && (
          <div>
            <Button
              variant="default"
              leftSection={<Icon name="key" size={16} />}
              disabled={proof.isPending}
              onClick={() => proof.mutate('passkey')}
            >
              {t('security.proofPasskey')}
            </Button>
          </div>
        )}
        <DialogButtons onCancel={() => onClose(false)} go={t('security.proofGo')} busy={proof.isPending} apart />
      </form>
    </Modal>
  );
}

function reason(error: Error, t: ReturnType<typeof useT>): string {
  if (error instanceof PasskeyDismissed) return t('security.passkeyDismissed');
  const field = error instanceof ApiError ? error.errors[0] : undefined;
  return field?.message || errorText(t, error);
}
