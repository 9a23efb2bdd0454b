import { Button, UnstyledButton } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { CodeField, isCode } from '@/shared/forms/CodeField';
import { useT } from '@/shared/i18n';
import classes from './LoginForm.module.css';

interface CodeStepProps {
  busy: boolean;
  onCode: (code: string) => void;
  onBack: () => void;
}

/** The second step: six digits of the app, sent when the last one is there, or a recovery code. */
export function CodeStep({ busy, onCode, onBack }: CodeStepProps) {
  const t = useT();
  const [code, setCode] = useState('');
  const [recovery, setRecovery] = useState(false);
  const [missing, setMissing] = useState(false);

  const send = (value: string) => {
    if (!isCode(value, recovery)) return setMissing(true);
    setMissing(false);
    if (!busy) onCode(value.trim());
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    send(code);
  };
  const change = (value: string) => {
    setCode(value);
    setMissing(false);
  };
  const swap = () => {
    setRecovery(!recovery);
    change('');
  };

  return (
    <form className={classes.fields} onSubmit={onSubmit} noValidate aria-labelledby="login-title">
      <CodeField
        value={code}
        onChange={change}
        onComplete={send}
        recovery={recovery}
        disabled={busy}
        error={missing && (recovery ? t('login.recoveryRequired') : t('login.mfaCode'))}
      />
      <Button type="submit" size="md" fullWidth loading={busy}>
        {t('login.verify')}
      </Button>
      <div className={classes.ways}>
        <UnstyledButton className={classes.way} onClick={swap} disabled={busy}>
          {recovery ? t('login.useCode') : t('login.useRecovery')}
        </UnstyledButton>
        <UnstyledButton className={classes.way} onClick={onBack} disabled={busy}>
          {t('login.change')}
        </UnstyledButton>
      </div>
    </form>
  );
}
