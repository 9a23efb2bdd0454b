import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import { Tag } from '@/shared/ui/Tag';
import { toast } from '@/shared/ui/toast';
import { encryptIban } from '../api';
import classes from './remittances.module.css';
import { SecretForm } from './SecretForm';

interface EncryptIbanProps {
  company: { _id: string; company: string; bankAccount: string | null; ibanProtected?: boolean };
  /** The company's data have changed. */
  onEncrypted: () => void;
}

/** For the administrator: puts a company's IBAN under the secret, so that the server alone cannot read it. */
export function EncryptIban({ company, onEncrypted }: EncryptIbanProps) {
  const t = useT();
  const [opened, open] = useState(false);
  if (!company.bankAccount) return null;
  if (company.ibanProtected) {
    return (
      <div className={classes.shield}>
        <Tag tone="ok" icon="lock">
          {t('sepa.protected')}
        </Tag>
        <span className={classes.quiet}>{t('sepa.protectedText')}</span>
      </div>
    );
  }
  return (
    <div className={classes.shield}>
      <Button variant="default" leftSection={<Icon name="lock" size={16} />} onClick={() => open(true)}>
        {t('sepa.protect')}
      </Button>
      <span className={classes.quiet}>{t('sepa.protectHelp')}</span>
      <Modal opened={opened} onClose={() => open(false)} size={440} title={t('sepa.protectTitle')}>
        <SecretForm
          label={t('sepa.protectGo')}
          run={(typed) => encryptIban(typed, company._id)}
          onDone={() => {
            open(false);
            toast.ok({ title: t('sepa.protectDone'), text: company.company });
            onEncrypted();
          }}
          onClose={() => open(false)}
        >
          <p className={classes.text}>
            {t('sepa.protectText', { company: company.company, iban: company.bankAccount })}
          </p>
        </SecretForm>
      </Modal>
    </div>
  );
}
