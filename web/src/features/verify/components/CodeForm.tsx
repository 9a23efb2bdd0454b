import { Button, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { useT } from '@/shared/i18n';
import { paths } from '@/shared/routes/paths';
import { readCode } from '../model';
import classes from './verify.module.css';

/** A code typed from the paper; with `autoFocus` it is what its page is for. */
export function CodeForm({ autoFocus = false }: { autoFocus?: boolean }) {
  const t = useT();
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState(false);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const code = readCode(typed);
    if (code) return void navigate({ href: paths.verify(code) });
    setWrong(true);
    field.current?.focus();
  };
  return (
    <form className={classes.code} onSubmit={onSubmit} noValidate>
      <TextInput
        ref={field}
        className={classes.codeField}
        size="md"
        label={t('verify.code')}
        placeholder="XXXXX-XXXXX-XXXXX-XXXXX"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        autoFocus={autoFocus}
        maxLength={200}
        value={typed}
        error={wrong && t('verify.codeWrong')}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setWrong(false);
        }}
      />
      <Button type="submit" size="md" variant={autoFocus ? 'filled' : 'default'}>
        {t('verify.look')}
      </Button>
    </form>
  );
}
