import { Checkbox, Modal } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { errorText, useT } from '@/shared/i18n';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Note } from '@/shared/ui/Note';
import type { Mandate } from '../types';
import classes from './remittances.module.css';
import { useMandate } from './use-mandate';

interface SignModalProps {
  mandate: Mandate;
  company: string;
  opened: boolean;
  onClose: () => void;
}

/** What is signed, in full, and the tick that signs it. */
export function SignModal({ mandate, company, opened, onClose }: SignModalProps) {
  const t = useT();
  return (
    <Modal opened={opened} onClose={onClose} size={640} title={t('sepa.signTitle')}>
      <Form mandate={mandate} company={company} onClose={onClose} />
    </Modal>
  );
}

function Form({ mandate, company, onClose }: Omit<SignModalProps, 'opened'>) {
  const t = useT();
  const { accept } = useMandate();
  const [agreed, agree] = useState(false);
  const [checked, setChecked] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A dialog's events reach the page below it, which is a form as well.
    event.stopPropagation();
    setChecked(true);
    if (agreed && !accept.isPending) accept.mutate(mandate._id, { onSuccess: onClose });
  };
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <p className={classes.text}>
        {t('sepa.signLead', { company, iban: mandate.iban, umr: mandate.umr, creditorId: mandate.creditorId })}
      </p>
      <ul className={classes.points}>
        <li>{t('sepa.signCharge')}</li>
        <li>{t('sepa.signNotice', { days: mandate.noticeDays })}</li>
        <li>{mandate.scheme === 'CORE' ? t('sepa.signRefundCore') : t('sepa.signRefundB2b')}</li>
        <li>{t('sepa.signCancel')}</li>
      </ul>
      <Checkbox
        checked={agreed}
        error={checked && !agreed && t('sepa.signRequired')}
        label={t('sepa.signAgree')}
        onChange={(event) => agree(event.currentTarget.checked)}
      />
      <p className={classes.quiet}>{t('sepa.signProof')}</p>
      {accept.error && <Note tone="bad" icon="warn" title={t('sepa.failed')} text={errorText(t, accept.error)} />}
      <DialogButtons onCancel={onClose} go={t('sepa.sign')} icon="pen" busy={accept.isPending} />
    </form>
  );
}
