import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { isMasked, missingFigures } from '@/shared/checks/iban';
import type { CompanyValues } from '@/shared/company/company-form';
import type { CheckedForm } from '@/shared/forms/use-checked-form';
import { useT } from '@/shared/i18n';
import classes from './CompanyPage.module.css';

interface BankFieldProps {
  state: CheckedForm<CompanyValues>;
  /** The stored one, masked; `null` when there is none. */
  stored: string | null;
  bankName: string | null;
  /** What the account is for. */
  help: string;
}

/** The IBAN: shown masked, changed only on purpose. */
export function BankField({ state, stored, bankName, help }: BankFieldProps) {
  const t = useT();
  const [changing, setChanging] = useState(false);
  const { bankAccount } = state.values;
  // Saved or discarded: the mask is back, and so is the button.
  const masked = stored !== null && isMasked(bankAccount);
  if (masked) {
    return (
      <div className={classes.bank}>
        <TextInput
          label={t('companies.iban')}
          classNames={{ input: 'num' }}
          readOnly
          value={bankAccount}
          description={bankName ?? undefined}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
        />
        <Button
          variant="default"
          onClick={() => {
            setChanging(true);
            state.set({ bankAccount: '' });
          }}
        >
          {t('companies.ibanChange')}
        </Button>
      </div>
    );
  }
  const missing = missingFigures(bankAccount);
  return (
    <div className={classes.bank}>
      <TextInput
        label={t('companies.iban')}
        placeholder="ES00 0000 0000 0000 0000 0000"
        classNames={{ input: 'num' }}
        autoComplete="off"
        spellCheck={false}
        maxLength={60}
        autoFocus={changing}
        description={missing > 0 ? t('companies.ibanMissing', { count: missing }) : help}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        {...state.field('bankAccount')}
      />
      {stored !== null && (
        <Button
          variant="subtle"
          onClick={() => {
            state.set({ bankAccount: stored });
            state.form.clearFieldError('bankAccount');
          }}
        >
          {t('companies.ibanKeep')}
        </Button>
      )}
    </div>
  );
}
