import { Input, PinInput, TextInput } from '@mantine/core';
import { useEffect, useId, useRef } from 'react';
import { useT } from '@/shared/i18n';
import classes from './CodeField.module.css';

/** Of an authenticator app: RFC 6238 with six digits. */
export const CODE_DIGITS = 6;

interface CodeFieldProps {
  value: string;
  onChange: (value: string) => void;
  /** The last digit is there. */
  onComplete?: (value: string) => void;
  /** A recovery code instead of the app's. */
  recovery?: boolean;
  error?: string | false;
  disabled?: boolean;
}

/** Whether this can be a code at all. */
export const isCode = (value: string, recovery: boolean) =>
  recovery ? value.trim() !== '' : new RegExp(`^\\d{${CODE_DIGITS}}$`).test(value);

/** Six digits that a phone fills in by itself, or one line for a recovery code. Takes the focus. */
export function CodeField({ value, onChange, onComplete, recovery = false, error, disabled }: CodeFieldProps) {
  const t = useT();
  const id = useId();
  const first = useRef<HTMLInputElement>(null);
  // A field that was sent and refused is typed into again.
  useEffect(() => {
    if (!disabled) first.current?.focus();
  }, [disabled]);
  // Not the input's own `onComplete`: that one does not notice a value that was emptied from outside.
  const change = (next: string) => {
    onChange(next);
    if (next.length === CODE_DIGITS && value.length < CODE_DIGITS) onComplete?.(next);
  };
  if (recovery) {
    return (
      <TextInput
        ref={first}
        key="recovery"
        size="md"
        label={t('login.recoveryCode')}
        description={t('login.recoveryHelp')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        data-autofocus
        disabled={disabled}
        value={value}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <Input.Wrapper labelElement="div" label={t('login.code')} labelProps={{ id: `${id}-label` }} error={error}>
      <PinInput
        ref={first}
        key="code"
        role="group"
        aria-labelledby={`${id}-label`}
        className={classes.pin}
        classNames={{ pinInput: classes.digit }}
        length={CODE_DIGITS}
        type="number"
        oneTimeCode
        autoFocus
        placeholder=""
        error={Boolean(error)}
        value={value}
        disabled={disabled}
        onChange={change}
        getInputProps={(index) => ({
          'aria-label': t('login.codeDigit', { n: index + 1, total: CODE_DIGITS }),
          'data-autofocus': index === 0 || undefined,
        })}
      />
    </Input.Wrapper>
  );
}
