import { Button, Select, TextInput } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import type { Account } from '@/api/types';
import { PasswordField } from '@/shared/forms/PasswordField';
import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import type { Outcome } from '../use-login';
import classes from './LoginForm.module.css';

/** What the person typed; kept by the form, so that coming back from the code step loses nothing. */
export interface Typed {
  userName: string;
  password: string;
  /** Place in the list of accounts. */
  place: number | null;
}

interface PasswordStepProps {
  typed: Typed;
  onType: (changed: Partial<Typed>) => void;
  accounts: Account[];
  busy: boolean;
  locked: boolean;
  preCheck: (userName: string) => Promise<Account[] | null>;
  /** Something is missing; which field, it says itself. */
  onIncomplete: () => void;
  onEnter: () => Promise<Outcome>;
}

type Field = 'user' | 'password' | 'company';

/** The one of several accounts that logged in last: the server knows, a logout leaves nothing of it here. */
export function lastPlace(accounts: Account[]): number | null {
  const place = accounts.findIndex((account) => account.last);
  return place < 0 ? null : place;
}

/** E-mail or phone, the company when there are several, password. */
export function PasswordStep(props: PasswordStepProps) {
  const { typed, onType, accounts, busy, locked, preCheck, onIncomplete, onEnter } = props;
  const t = useT();
  const [missing, setMissing] = useState<Field | null>(null);
  const userField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const companyField = useRef<HTMLInputElement>(null);
  const { userName, password, place } = typed;
  const several = accounts.length > 1;

  // After React has drawn the field, which may be new.
  const focus = (field: Field) =>
    setTimeout(() => ({ user: userField, password: passwordField, company: companyField })[field].current?.focus());
  const demand = (field: Field) => {
    setMissing(field);
    onIncomplete();
    focus(field);
  };

  const submit = async () => {
    if (!userName.trim()) return demand('user');
    if (!password) return demand('password');
    if (several && place === null) return demand('company');
    setMissing(null);
    const outcome = await onEnter();
    // Several accounts, found out just now: the company has to be chosen first.
    if (outcome === 'choose') focus('company');
    else if (outcome === 'failed') setTimeout(() => passwordField.current?.select());
  };

  // Enter in the first field asks who this is: one account logs in at once, several show their companies.
  const onUserKey = async (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (busy || locked) return;
    const name = userName.trim();
    if (!name) return demand('user');
    if (password && !several) return void submit();
    const users = await preCheck(name);
    if (!users) return userField.current?.select();
    focus(users.length > 1 && lastPlace(users) === null ? 'company' : 'password');
  };

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy && !locked) void submit();
  };
  const type = (changed: Partial<Typed>) => {
    onType(changed);
    setMissing(null);
  };

  return (
    <form className={classes.fields} onSubmit={onSubmit} noValidate aria-labelledby="login-title">
      <TextInput
        ref={userField}
        size="md"
        label={t('login.user')}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        inputMode="email"
        autoFocus
        value={userName}
        error={missing === 'user' && t('login.userRequired')}
        onChange={(event) => type({ userName: event.currentTarget.value })}
        onKeyDown={(event) => void onUserKey(event)}
      />
      {several && (
        <Select
          ref={companyField}
          size="md"
          label={t('login.company')}
          placeholder={t('login.companyDefault')}
          description={t('login.companyCount', { count: accounts.length })}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={accounts.map(({ company }, at) => ({ value: String(at), label: company ?? '–' }))}
          value={place === null ? null : String(place)}
          error={missing === 'company' && t('login.companyRequired')}
          onChange={(value) => {
            type({ place: value === null ? null : Number(value) });
            passwordField.current?.focus();
          }}
          allowDeselect={false}
          rightSection={<Icon name="down" size={16} />}
        />
      )}
      <PasswordField
        ref={passwordField}
        size="md"
        label={t('login.password')}
        name="password"
        autoComplete="current-password"
        value={password}
        error={missing === 'password' && t('login.passwordRequired')}
        onChange={(event) => type({ password: event.currentTarget.value })}
      />
      <Button type="submit" size="md" fullWidth loading={busy} disabled={locked}>
        {t('login.enter')}
      </Button>
    </form>
  );
}
