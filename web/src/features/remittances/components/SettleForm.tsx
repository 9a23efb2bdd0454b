import { Autocomplete } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { DayField } from '@/shared/forms/DayField';
import { useCheckedForm } from '@/shared/forms/use-checked-form';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { reasonText } from '@/shared/lib/bank-reason';
import { madridDay } from '@/shared/lib/dates';
import { euros } from '@/shared/lib/money';
import { dayText } from '@/shared/lib/months';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Note } from '@/shared/ui/Note';
import { Segmented } from '@/shared/ui/Segmented';
import { outcomesOf, REASON_CODES, type SettleValues, settlementOf, settleProblems } from '../model';
import type { Attempt, Remittance } from '../types';
import classes from './remittances.module.css';
import { useSettle } from './use-settle';

interface SettleFormProps {
  attempt: Attempt;
  remittance: Remittance;
  onClose: () => void;
}

/**
 * How a debit ended, noted by hand: first what the bank said, then the same read back and confirmed in its place.
 */
export function SettleForm({ attempt, remittance, onClose }: SettleFormProps) {
  const t = useT();
  const settle = useSettle(remittance._id);
  const [sure, beSure] = useState(false);
  const outcomes = outcomesOf(attempt);
  const words = {
    reason: t('sepa.settleReasonRequired'),
    at: t('sepa.settleAtRequired'),
  };
  const checked = useCheckedForm<SettleValues>({
    initialValues: { outcome: outcomes[0] ?? 'paid', reason: '', at: '' },
    problems: (values) => Object.fromEntries(settleProblems(values).map((field) => [field, words[field]])),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!checked.check()) return checked.focusFirstError();
    if (!sure) return beSure(true);
    const onError = (error: Error) => {
      beSure(false);
      checked.refuse(error);
      checked.focusFirstError();
    };
    settle.mutate({ id: attempt._id, settlement: settlementOf(checked.values) }, { onSuccess: onClose, onError });
  };
  return (
    <form ref={checked.ref} className={classes.settle} onSubmit={submit} noValidate>
      {sure ? (
        <Sure attempt={attempt} values={checked.values} />
      ) : (
        <Fields checked={checked} attempt={attempt} remittance={remittance} />
      )}
      {settle.error && !checked.covers(settle.error) && (
        <Note tone="bad" icon="warn" title={t('sepa.failed')} text={errorText(t, settle.error)} />
      )}
      <DialogButtons
        onCancel={sure ? () => beSure(false) : onClose}
        cancel={sure ? t('common.back') : undefined}
        go={sure ? t(`sepa.settleGo_${checked.values.outcome}`) : t('sepa.settleNext')}
        busy={settle.isPending}
      />
    </form>
  );
}

interface FieldsProps {
  checked: ReturnType<typeof useCheckedForm<SettleValues>>;
  attempt: Attempt;
  remittance: Remittance;
}

function Fields({ checked, attempt, remittance }: FieldsProps) {
  const t = useT();
  const { values } = checked;
  const outcomes = outcomesOf(attempt);
  const textOf = (code: string) => reasonText(t, { code, label: '' });
  return (
    <>
      <p className={classes.quiet}>{t('sepa.settleText')}</p>
      {outcomes.length > 1 && (
        <div>
          <Segmented
            label={t('sepa.settleOutcome')}
            value={values.outcome}
            onChange={(outcome) => checked.set({ outcome })}
            options={outcomes.map((outcome) => ({ value: outcome, label: t(`sepa.attempt_${outcome}`) }))}
          />
        </div>
      )}
      {values.outcome !== 'paid' && (
        <Autocomplete
          label={t('sepa.settleReason')}
          description={t('sepa.settleReasonHelp')}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          data={REASON_CODES}
          filter={({ options, search }) =>
            options.filter(
              (option) =>
                'value' in option &&
                `${option.value} ${textOf(option.value)}`
                  .toLocaleLowerCase()
                  .includes(search.trim().toLocaleLowerCase()),
            )
          }
          renderOption={({ option }) => (
            <span>
              <b className="num">{option.value}</b> {textOf(option.value)}
            </span>
          )}
          maxLength={40}
          {...checked.field('reason')}
        />
      )}
      <DayField
        label={t('sepa.settleAt')}
        min={attempt.status === 'paid' && attempt.settledAt ? attempt.settledAt : madridDay(remittance.createdAt)}
        max={madridDay(new Date().toISOString())}
        {...checked.field('at')}
        value={values.at}
      />
    </>
  );
}

/** What will be noted and what comes of it. */
function Sure({ attempt, values }: { attempt: Attempt; values: SettleValues }) {
  const t = useT();
  const language = useLanguage();
  const { reason } = settlementOf(values);
  const said = t(`sepa.settleSure_${values.outcome}`, {
    number: attempt.number,
    company: attempt.company,
    amount: euros(attempt.amount, language),
    date: dayText(values.at, language),
    reason: reason ? `${reasonText(t, { code: reason, label: '' })} (${reason})` : '',
  });
  return <Note tone="warn" icon="warn" title={t('sepa.settleFinal')} text={said} />;
}
