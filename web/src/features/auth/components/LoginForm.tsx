import { ActionIcon, Button, Select, TextInput } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import { useLogin } from '../use-login';
import { BrowserNote } from './BrowserNote';
import { LoginFailureNote } from './LoginFailureNote';
import classes from './LoginForm.module.css';

/** E-mail or phone, company when there are several, password. `onEntered` is called with the session stored. */
export function LoginForm({ onEntered }: { onEntered: () => void }) {
  const t = useT();
  const { accounts, busy, failure, preCheck, enter, forget, clearFailure } = useLogin();
  const [userName, setUserName] = useState('');
  const [password, setPassword] = useState('');
  const [company, setCompany] = useState<string | null>(null);
  const [shown, setShown] = useState(false);
  const [missing, setMissing] = useState<'user' | 'password' | 'company' | null>(null);
  const userField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);
  const companyField = useRef<HTMLInputElement>(null);
  const several = accounts.length > 1;
  const locked = failure?.kind === 'locked';

  const demand = (field: 'user' | 'password' | 'company') => {
    setMissing(field);
    ({ user: userField, password: passwordField, company: companyField })[field].current?.focus();
  };

  const submit = async () => {
    const name = userName.trim();
    if (!name) return demand('user');
    if (!password) return demand('password');
    if (several && !company) return demand('company');
    setMissing(null);
    const entered = await enter(name, password, company);
    if (entered) onEntered();
    // Several accounts, found out just now: the company has to be chosen first.
    else if (entered === false) setTimeout(() => companyField.current?.focus());
    else passwordField.current?.select();
  };

  // Enter in the first field asks who this is: one account logs in at once, several show their companies.
  const onUserKey = async (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    const name = userName.trim();
    if (!name) return demand('user');
    if (password && !several) return void submit();
    const users = await preCheck(name);
    if (!users) return userField.current?.select();
    setTimeout(() => (users.length > 1 ? companyField : passwordField).current?.focus());
  };

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy && !locked) void submit();
  };

  return (
    <form className={classes.form} onSubmit={onSubmit} noValidate aria-labelledby="login-title">
      <div>
        <h1 id="login-title" className={classes.title}>
          {t('login.title')}
        </h1>
        <p className={classes.subtitle}>{t('login.subtitle')}</p>
      </div>
      <BrowserNote />
      {failure && <LoginFailureNote failure={failure} onUnlocked={clearFailure} />}
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
        onChange={(event) => {
          setUserName(event.currentTarget.value);
          setCompany(null);
          setMissing(null);
          if (accounts.length > 0) forget();
        }}
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
          data={accounts.flatMap(({ company: name }) => (name ? [name] : []))}
          value={company}
          error={missing === 'company' && t('login.companyRequired')}
          onChange={(value) => {
            setCompany(value);
            setMissing(null);
            passwordField.current?.focus();
          }}
          rightSection={<Icon name="down" size={16} />}
        />
      )}
      <TextInput
        ref={passwordField}
        size="md"
        label={t('login.password')}
        name="password"
        type={shown ? 'text' : 'password'}
        autoComplete="current-password"
        value={password}
        error={missing === 'password' && t('login.passwordRequired')}
        onChange={(event) => {
          setPassword(event.currentTarget.value);
          setMissing(null);
        }}
        rightSectionWidth={44}
        rightSection={
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            aria-label={shown ? t('login.hide') : t('login.show')}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            <Icon name="eye" />
          </ActionIcon>
        }
      />
      <Button type="submit" size="md" fullWidth loading={busy} disabled={locked}>
        {t('login.enter')}
      </Button>
    </form>
  );
}
