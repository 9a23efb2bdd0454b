import { Modal, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Erasure } from '@/api/types';
import { errorText, useT } from '@/shared/i18n';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import classes from './privacy.module.css';

/** CONTRACT `conference-erase`: the reason is kept in the register. */
const REASON_MAX = 250;

export interface ToErase {
  /** A person by what was searched, or one conference by its case number. */
  name: string;
  conferences: number;
  run: (reason: string) => Promise<Erasure[]>;
}

interface EraseModalProps {
  what: ToErase | null;
  onClose: () => void;
  onErased: (erasures: Erasure[]) => void;
}

/** Asks for real: what goes, what stays, why, and a word typed by hand. It cannot be undone. */
export function EraseModal({ what, onClose, onErased }: EraseModalProps) {
  const t = useT();
  return (
    <Modal opened={what !== null} onClose={onClose} size={640} title={t('privacy.eraseTitle')}>
      {what && <Form what={what} onClose={onClose} onErased={onErased} />}
    </Modal>
  );
}

function Form({ what, onClose, onErased }: EraseModalProps & { what: ToErase }) {
  const t = useT();
  const word = t('privacy.eraseWord');
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const [checked, setChecked] = useState(false);
  const erase = useMutation({ mutationFn: () => what.run(reason.trim()), onSuccess: onErased });
  const noReason = !reason.trim();
  const noWord = typed.trim().toLocaleUpperCase() !== word;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (!noReason && !noWord && !erase.isPending) erase.mutate();
  };
  return (
    <form className={classes.erase} onSubmit={onSubmit} noValidate>
      <p>{t('privacy.eraseOf', { name: what.name, count: what.conferences })}</p>
      <div className={classes.goes}>
        <div>
          <h3>{t('privacy.goes')}</h3>
          <ul>
            {(['goesFiles', 'goesPerson', 'goesMessages', 'goesTracks'] as const).map((key) => (
              <li key={key} data-tone="bad">
                <Icon name="trash" size={16} />
                {t(`privacy.${key}`)}
              </li>
            ))}
          </ul>
        </div>
        <div>
          <h3>{t('privacy.stays')}</h3>
          <ul>
            {(['staysHashes', 'staysCertificate', 'staysCounts', 'staysRegister'] as const).map((key) => (
              <li key={key} data-tone="ok">
                <Icon name="check" size={16} />
                {t(`privacy.${key}`)}
              </li>
            ))}
          </ul>
        </div>
      </div>
      <Textarea
        label={t('privacy.reason')}
        description={t('privacy.reasonHelp')}
        autosize
        minRows={2}
        maxLength={REASON_MAX}
        data-autofocus
        value={reason}
        error={checked && noReason && t('privacy.reasonRequired')}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <TextInput
        label={t('privacy.typeWord', { word })}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        error={checked && noWord && t('privacy.wordWrong', { word })}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {erase.error && <Note tone="bad" icon="warn" title={t('privacy.eraseFailed')} text={errorText(t, erase.error)} />}
      <DialogButtons onCancel={onClose} go={t('privacy.erase')} icon="trash" danger busy={erase.isPending} />
    </form>
  );
}
