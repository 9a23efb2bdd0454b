import { Anchor, Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useRef, useState } from 'react';
import { errorText, useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { paths } from '@/shared/routes/paths';
import { notice } from '@/shared/ui/dialogs';
import { Note } from '@/shared/ui/Note';
import { PublicFrame } from '@/shared/ui/PublicFrame';
import { requestReset } from '../api';
import { readUserName, type UserName } from '../user-name';
import classes from './recovery.module.css';

export function RememberPage() {
  const t = useT();
  const navigate = useNavigate();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  usePage({ title: t('recovery.title') });

  const sending = useMutation({
    mutationFn: (user: UserName) => requestReset(user.value),
    onSuccess: (_nothing, { kind }) => {
      const sms = kind === 'phone';
      void notice({
        tone: 'ok',
        title: sms ? t('recovery.sentSms') : t('recovery.sent'),
        text: sms ? t('recovery.sentHintSms') : t('recovery.sentHint'),
      }).then(() => navigate({ href: paths.login() }));
    },
  });

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (sending.isPending) return;
    const user = readUserName(typed);
    if (user) return sending.mutate(user);
    setWrong(typed.trim() ? t('recovery.invalidUser') : t('login.userRequired'));
    field.current?.focus();
  };

  return (
    <PublicFrame title={t('recovery.title')} subtitle={t('recovery.subtitle')}>
      <form className={classes.form} onSubmit={onSubmit} noValidate>
        {sending.error && (
          <Note tone="bad" icon="warn" title={t('recovery.error')} text={errorText(t, sending.error)} />
        )}
        <TextInput
          ref={field}
          size="md"
          label={t('login.user')}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="email"
          autoFocus
          maxLength={350}
          value={typed}
          error={wrong}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setWrong(null);
          }}
        />
        <Button type="submit" size="md" fullWidth loading={sending.isPending}>
          {t('recovery.send')}
        </Button>
        <Anchor component={Link} to={paths.login()} className={classes.back}>
          {t('recovery.back')}
        </Anchor>
      </form>
    </PublicFrame>
  );
}
