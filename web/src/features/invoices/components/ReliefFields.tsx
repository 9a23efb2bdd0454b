import { Checkbox, Radio, TextInput } from '@mantine/core';
import { DayField } from '@/shared/forms/DayField';
import type { CheckedForm } from '@/shared/forms/use-checked-form';
import { useT } from '@/shared/i18n';
import { madridDay } from '@/shared/lib/dates';
import { Note } from '@/shared/ui/Note';
import { type RectifyValues, reliefFields } from '../model';
import { CLAIMS, type Claim, type Invoice } from '../types';
import classes from './drawer.module.css';

interface ReliefFieldsProps {
  checked: CheckedForm<RectifyValues>;
  invoice: Pick<Invoice, 'operationDate'>;
}

/** What art. 80 LIVA asks before the base of an unpaid invoice is lowered; nothing for other causes. */
export function ReliefFields({ checked, invoice }: ReliefFieldsProps) {
  const t = useT();
  const fields = reliefFields(checked.values);
  if (fields.length === 0) return null;
  const { values, errors } = checked;
  const day = (name: 'orderDate' | 'publishedOn' | 'claimedOn', label: string, description?: string) =>
    fields.includes(name) && (
      <DayField
        label={label}
        description={description}
        min={invoice.operationDate}
        max={madridDay(new Date().toISOString())}
        {...checked.field(name)}
        value={values[name]}
      />
    );
  const tick = (name: 'smallCompany' | 'businessRecipient' | 'notExcluded', label: string) =>
    fields.includes(name) && (
      <Checkbox
        label={label}
        error={errors[name]}
        checked={values[name]}
        onChange={(event) => checked.set({ [name]: event.currentTarget.checked })}
      />
    );
  const court = values.cause === 'insolvency';
  return (
    <fieldset className={classes.relief}>
      <legend>{t('invoices.reliefTitle')}</legend>
      <Note icon="info" text={t('invoices.reliefText')} />
      {day('orderDate', t('invoices.reliefOrder'))}
      {day('publishedOn', t('invoices.reliefPublished'), t('invoices.reliefPublishedHelp'))}
      {fields.includes('claim') && (
        <Radio.Group
          label={t('invoices.reliefClaim')}
          value={values.claim}
          error={errors.claim}
          onChange={(claim) => checked.set({ claim: claim as Claim })}
        >
          <div className={classes.causeList}>
            {CLAIMS.map((claim) => (
              <Radio key={claim} value={claim} label={t(`invoices.reliefClaim_${claim}`)} />
            ))}
          </div>
        </Radio.Group>
      )}
      {day('claimedOn', t('invoices.reliefClaimed'))}
      <TextInput
        label={court ? t('invoices.reliefCourt') : t('invoices.reliefReference')}
        autoComplete="off"
        maxLength={200}
        {...checked.field('reference')}
      />
      {tick('smallCompany', t('invoices.reliefSmall'))}
      {tick('businessRecipient', t('invoices.reliefBusiness'))}
      {tick('notExcluded', t('invoices.reliefNotExcluded'))}
    </fieldset>
  );
}
