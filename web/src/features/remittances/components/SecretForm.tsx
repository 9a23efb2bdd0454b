import { Button, Skeleton } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { ApiError } from '@/api/errors';
import { PasswordField } from '@/shared/forms/PasswordField';
import { errorText, type T, useT } from '@/shared/i18n';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Note } from '@/shared/ui/Note';
import { getSecretState } from '../api';
import classes from './remittances.module.css';

/** Shortest first secret: it alone stands between a stolen database, or a mailed file, and every account number. */
export const SECRET_MIN = 14;

interface SecretFormProps<Done> {
  label: string;
  /** What it is about, above the field. */
  children: ReactNode;
  run: (secret: string) => Promise<Done>;
  onDone: (done: Done) => void;
  onClose: () => void;
}

/** Says so at the field: a wrong secret is no reason to lose what was typed, nor to end a session. */
function secretProblem(t: T, error: unknown): string | null {
  if (!(error instanceof ApiError)) return null;
  const wrong = error.errors.find(({ field }) => field.split('.').at(-1) === 'secret');
  const code = wrong?.code ?? error.code;
  if (code === 'SECRET_MISMATCH') return t('sepa.secretMismatch');
  if (code === 'TOO_SHORT' || code === 'SECRET_TOO_SHORT') return t('sepa.secretTooShort', { count: SECRET_MIN });
  if (code === 'SECRET_WEAK') return t('sepa.secretWeak');
  return wrong ? wrong.message || t('errors.invalid') : null;
}

const failureText = (t: T, error: unknown): string =>
  error instanceof ApiError && error.status === 429
    ? t('sepa.secretWait', { count: Math.max(1, Math.ceil((error.retryAfterS ?? 60) / 60)) })
    : errorText(t, error);

/**
 * Asks for the secret that protects the IBANs. It lives in this form alone: not in a cache, not in a store, not in the
 * browser's list of passwords, and it is gone when the form is.
 */
export function SecretForm<Done>(props: SecretFormProps<Done>) {
  const t = useT();
  // Known before anything is typed: the very first secret becomes the secret, so it is typed twice.
  const { data, error, isFetching, refetch } = useQuery({ ...getSecretState(), staleTime: 0 });
  if (error && !data) {
    const retry = (
      <Button variant="default" size="xs" loading={isFetching} onClick={() => void refetch()}>
        {t('common.retry')}
      </Button>
    );
    return <Note tone="bad" icon="warn" title={t('sepa.loadFailed')} text={errorText(t, error)} action={retry} />;
  }
  if (!data) return <Skeleton h={180} aria-hidden="true" />;
  return <Form {...props} first={!data.set} />;
}

function Form<Done>({ first, label, children, run, onDone, onClose }: SecretFormProps<Done> & { first: boolean }) {
  const t = useT();
  const queries = useQueryClient();
  const field = useRef<HTMLInputElement>(null);
  const [secret, setSecret] = useState('');
  const [repeat, setRepeat] = useState('');
  const [checked, setChecked] = useState(false);
  const go = useMutation({
    // No variables: a mutation's are kept after it.
    mutationFn: () => run(secret),
    gcTime: 0,
    onSuccess: (done) => {
      setSecret('');
      setRepeat('');
      if (first) void queries.invalidateQueries(getSecretState());
      onDone(done);
    },
    // Somebody else may have set the first secret meanwhile: then it is asked for once.
    onError: () => {
      if (first) void queries.invalidateQueries(getSecretState());
      field.current?.focus();
    },
  });
  const missing = !secret
    ? t('sepa.secretRequired')
    : first && secret.length < SECRET_MIN
      ? t('sepa.secretTooShort', { count: SECRET_MIN })
      : null;
  const different = first && repeat !== secret ? t('sepa.secretDifferent') : null;
  const refused = go.error ? secretProblem(t, go.error) : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A dialog's events reach the page below it, which may be a form as well.
    event.stopPropagation();
    setChecked(true);
    if (missing || different) field.current?.focus();
    else if (!go.isPending) go.mutate();
  };
  const type = (set: (value: string) => void) => (event: { currentTarget: HTMLInputElement }) => {
    set(event.currentTarget.value);
    if (go.error) go.reset();
  };
  const quiet = {
    autoComplete: 'off',
    'data-1p-ignore': true,
    'data-lpignore': 'true',
    readOnly: go.isPending,
  } as const;
  return (
    <form className={classes.form} onSubmit={submit} noValidate autoComplete="off">
      {children}
      <PasswordField
        ref={field}
        label={t('sepa.secret')}
        description={first ? t('sepa.secretFirst', { count: SECRET_MIN }) : t('sepa.secretHelp')}
        name="sepa-key"
        data-autofocus
        value={secret}
        error={refused ?? (checked && missing)}
        onChange={type(setSecret)}
        {...quiet}
      />
      {first && (
        <PasswordField
          label={t('sepa.secretRepeat')}
          name="sepa-key-again"
          value={repeat}
          error={checked && different}
          onChange={type(setRepeat)}
          {...quiet}
        />
      )}
      {first && <Note tone="warn" icon="key" title={t('sepa.secretLose')} text={t('sepa.secretLoseText')} />}
      {go.error && !refused && <Note tone="bad" icon="warn" title={t('sepa.failed')} text={failureText(t, go.error)} />}
      <DialogButtons onCancel={onClose} go={label} icon="lock" busy={go.isPending} />
    </form>
  );
}
