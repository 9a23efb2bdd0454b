import { Button, Input, PinInput, TextInput, UnstyledButton } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { useT } from '@/shared/i18n';
import classes from './LoginForm.module.css';

const DIGITS = 6;

interface CodeStepProps {
  busy: boolean;
  onCode: (code: string) => void;
  onBack: () => void;
}

/** The second step: six digits of the app, sent when the last one is there, or a recovery code. Source: SPEC §4, §5. */
export function CodeStep({ busy, onCode, onBack }: CodeStepProps) {
  const t = useT();
  const [code, setCode] = useState('');
  const [recovery, setRecovery] = useState(false);
  const [missing, setMissing] = useState(false);
  const id = useId();

  const send = (value: string) => {
    const clean = value.trim();
    if (!clean || (!recovery && clean.length < DIGITS)) return setMissing(true);
    setMissing(false);
    if (!busy) onCode(clean);
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
    <form className={classes.fields} onSubmit={onSubmit} noValidate>
      {recovery ? (
        <TextInput
          key="recovery"
          size="md"
          label={t('login.recoveryCode')}
          description={t('login.recoveryHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          className="num"
          value={code}
          error={missing && t('login.recoveryRequired')}
          onChange={(event) => change(event.currentTarget.value)}
        />
      ) : (
        <Input.Wrapper
          label={t('login.code')}
          labelElement="div"
          id={id}
          labelProps={{ id: `${id}-label` }}
          error={missing && t('login.mfaCode')}
        >
          <PinInput
            key="code"
            className={classes.pin}
            classNames={{ pinInput: classes.digit }}
            aria-labelledby={`${id}-label`}
            length={DIGITS}
            type="number"
            inputMode="numeric"
            oneTimeCode
            autoFocus
            placeholder=""
            gap={8}
            error={missing}
            value={code}
            disabled={busy}
            onChange={change}
            onComplete={send}
            getInputProps={(index) => ({ 'aria-label': t('login.codeDigit', { n: index + 1, total: DIGITS }) })}
          />
        </Input.Wrapper>
      )}
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
