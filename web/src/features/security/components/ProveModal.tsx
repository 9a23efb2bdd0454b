import { Modal, UnstyledButton } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { CodeField, isCode } from '@/shared/forms/CodeField';
import { useT } from '@/shared/i18n';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import classes from './security.module.css';

interface ProveModalProps {
  title: string;
  text: string;
  /** Of the button. */
  label: string;
  danger?: boolean;
  busy: boolean;
  failure: string | null;
  onProve: (code: string) => void;
  /** The person types again: what was wrong no longer counts. */
  onType: () => void;
  onClose: () => void;
}

/** Asks for a code, or a recovery code, before the second factor is changed. */
export function ProveModal({ title, text, label, danger, busy, failure, onProve, onType, onClose }: ProveModalProps) {
  const t = useT();
  const [code, setCode] = useState('');
  const [recovery, setRecovery] = useState(false);
  const [missing, setMissing] = useState(false);
  // A refused code is used up.
  useEffect(() => {
    if (failure) setCode('');
  }, [failure]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isCode(code, recovery)) return setMissing(true);
    if (!busy) onProve(code.trim());
  };
  const change = (value: string) => {
    setCode(value);
    setMissing(false);
    if (failure) onType();
  };
  const demand = recovery ? t('login.recoveryRequired') : t('login.mfaCode');
  return (
    <Modal opened onClose={onClose} title={title} size={440}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <p className={classes.lead}>{text}</p>
        <CodeField
          value={code}
          onChange={change}
          recovery={recovery}
          disabled={busy}
          error={missing ? demand : (failure ?? false)}
        />
        <div>
          <UnstyledButton
            className={classes.swap}
            mt={0}
            disabled={busy}
            onClick={() => {
              setRecovery(!recovery);
              change('');
            }}
          >
            {recovery ? t('login.useCode') : t('login.useRecovery')}
          </UnstyledButton>
        </div>
        <DialogButtons onCancel={onClose} go={label} danger={danger} busy={busy} apart />
      </form>
    </Modal>
  );
}
