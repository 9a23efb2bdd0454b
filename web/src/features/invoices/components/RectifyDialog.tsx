import { Checkbox, Modal, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useCheckedForm } from '@/shared/forms/use-checked-form';
import { type T, useLanguage, useT } from '@/shared/i18n';
import { euros } from '@/shared/lib/money';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Segmented } from '@/shared/ui/Segmented';
import { toast } from '@/shared/ui/toast';
import { rectify } from '../api';
import {
  isBaseOnly,
  NEW_RECTIFICATION,
  periodText,
  REASON_MAX,
  type RectifyProblem,
  type RectifyValues,
  rectificationOf,
  rectifyProblems,
  rectifyTotals,
} from '../model';
import type { Invoice } from '../types';
import classes from './drawer.module.css';
import { Failure } from './PaidDialog';
import { RectifyCause } from './RectifyCause';
import { ReliefFields } from './ReliefFields';

interface RectifyDialogProps {
  invoice: Invoice;
  opened: boolean;
  onClose: () => void;
  /** With the rectifying invoice. */
  onDone: (made: Invoice) => Promise<void>;
}

/** Issues a rectifying invoice of an amount or of the whole. */
export function RectifyDialog({ opened, onClose, ...rest }: RectifyDialogProps) {
  const t = useT();
  const title = t('invoices.rectifyTitle', { number: rest.invoice.number });
  return (
    <Modal opened={opened} onClose={onClose} size={640} title={title}>
      {opened && <RectifyForm onClose={onClose} {...rest} />}
    </Modal>
  );
}

/** What a requirement of art. 80 LIVA that is not answered wants. */
const demand = (t: T, field: string, cause: RectifyValues['cause']): string | undefined =>
  ({
    orderDate: t('invoices.need_orderDate'),
    publishedOn: t('invoices.need_publishedOn'),
    claimedOn: t('invoices.need_claimedOn'),
    claim: t('invoices.need_claim'),
    reference: cause === 'insolvency' ? t('invoices.need_court') : t('invoices.need_reference'),
    notExcluded: t('invoices.need_notExcluded'),
  })[field];

function RectifyForm({ invoice, onClose, onDone }: Omit<RectifyDialogProps, 'opened'>) {
  const t = useT();
  const language = useLanguage();
  const words: Record<Exclude<RectifyProblem, 'required'>, string> = {
    amountRequired: t('invoices.amountRequired'),
    amountTooLow: t('invoices.amountTooLow', { base: euros(invoice.base, language) }),
    reasonRequired: t('invoices.reasonRequired'),
    reasonTooLong: t('invoices.reasonTooLong', { max: REASON_MAX }),
  };
  const checked = useCheckedForm<RectifyValues>({
    initialValues: NEW_RECTIFICATION,
    problems: (values) =>
      Object.fromEntries(
        Object.entries(rectifyProblems(values, invoice)).map(([field, problem]) => [
          field,
          problem === 'required' ? demand(t, field, values.cause) : problem && words[problem],
        ]),
      ),
    rename: { lines: 'amount' },
  });
  const { values } = checked;
  const save = useMutation({
    mutationFn: () => rectify(invoice._id, rectificationOf(values)),
    onSuccess: async (made) => {
      toast.ok({ title: t('invoices.rectified', { number: made.number }) });
      onClose();
      await onDone(made);
    },
    onError: (error) => {
      checked.refuse(error);
      checked.focusFirstError();
    },
  });
  const totals = rectifyTotals(values, invoice);
  const length = [...values.reason].length;
  return (
    <form
      ref={checked.ref}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (checked.check()) save.mutate();
        else checked.focusFirstError();
      }}
    >
      <Text className={classes.context}>{t('invoices.rectifyText')}</Text>
      <div className={classes.form}>
        <RectifyCause value={values.cause} error={checked.errors.cause} onChange={(cause) => checked.set({ cause })} />
        <Segmented
          label={t('invoices.rectifyKind')}
          value={values.kind}
          onChange={(kind) => checked.set({ kind })}
          options={[
            { value: 'differences', label: t('invoices.kind_differences') },
            { value: 'to-zero', label: t('invoices.kind_to-zero') },
          ]}
        />
        {values.kind === 'differences' && (
          <TextInput
            label={t('invoices.amountLabel')}
            description={t('invoices.amountHelp')}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            inputMode="decimal"
            autoComplete="off"
            maxLength={14}
            placeholder={language === 'en' ? '-49.59' : '-49,59'}
            classNames={{ input: 'num' }}
            {...checked.field('amount')}
          />
        )}
        {values.kind === 'to-zero' && !isBaseOnly(values) && (
          <Checkbox
            label={t('invoices.reissue', { period: periodText(invoice, language) })}
            description={t('invoices.reissueHelp')}
            checked={values.reissue}
            onChange={(event) => checked.set({ reissue: event.currentTarget.checked })}
          />
        )}
        <ReliefFields checked={checked} invoice={invoice} />
        <Textarea
          label={t('invoices.reasonLabel')}
          description={`${t('invoices.reasonHelp')} ${length}/${REASON_MAX}`}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          autosize
          minRows={3}
          maxRows={8}
          {...checked.field('reason')}
        />
        {totals && (
          <p className={`${classes.preview} num`} role="status">
            {t('invoices.rectifyPreview', {
              total: euros(totals.total, language),
              base: euros(totals.base, language),
              vat: euros(totals.vat, language),
            })}
          </p>
        )}
      </div>
      {save.error && !checked.covers(save.error) && <Failure error={save.error} />}
      <DialogButtons onCancel={onClose} go={t('invoices.rectifyConfirm')} busy={save.isPending} apart />
    </form>
  );
}
