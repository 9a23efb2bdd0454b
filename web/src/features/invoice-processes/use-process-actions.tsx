import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { ApiError } from '@/api/errors';
import { errorText, type T, useLanguage, useT } from '@/shared/i18n';
import { count, euros } from '@/shared/lib/money';
import { dayText } from '@/shared/lib/months';
import { paths } from '@/shared/routes/paths';
import { useRequiredSession } from '@/shared/session';
import { confirm } from '@/shared/ui/dialogs';
import { toast } from '@/shared/ui/toast';
import { generateInvoices, processesKey, recalculate, sendInvoices } from './api';
import classes from './components/processes.module.css';
import {
  customersOut,
  deadlineOf,
  endedText,
  fieldsText,
  jobOf,
  monthOfYear,
  type Process,
  type Processes,
} from './model';

export type ProcessActions = ReturnType<typeof useProcessActions>;

/** The three things that are done with closed months, each after its question, each told when it failed. */
export function useProcessActions() {
  const t = useT();
  const language = useLanguage();
  const client = useQueryClient();
  const failed = useFailure();
  const onSettled = () => client.invalidateQueries({ queryKey: processesKey });

  const calculating = useMutation({
    mutationFn: recalculate,
    onSuccess: () => toast.info({ title: t('invoiceprocesses.recalculateStarted') }),
    onError: (error) => failed(t('invoiceprocesses.failedRecalculate'), error),
    onSettled,
  });
  const generating = useMutation({
    mutationFn: generateInvoices,
    onSuccess: () => toast.info({ title: t('invoiceprocesses.generateStarted') }),
    onError: (error) => failed(t('invoiceprocesses.failedGenerate'), error),
    onSettled,
  });
  const sending = useMutation({
    mutationFn: sendInvoices,
    onSuccess: ({ queued, failed: unsent }) => {
      if (queued > 0 || unsent.length === 0) {
        const text = t('invoiceprocesses.sentCount', { count: queued });
        toast.ok({ title: t('invoiceprocesses.sentOk'), text });
      }
    },
    onError: (error) => failed(t('invoiceprocesses.failedSend'), error),
    onSettled,
  });

  return {
    busy: calculating.isPending || generating.isPending || sending.isPending,
    calculating: calculating.isPending,
    generating: generating.isPending,
    sending: sending.isPending,
    /** What the last sending could not send. */
    unsent: sending.data?.failed ?? [],
    recalculate: () => calculating.mutate(),
    generate: async (process: Process) => {
      const open = process.toInvoice - process.issued;
      const known = process.state !== 'pending' && open > 0;
      const yes = await confirm({
        title: t('invoiceprocesses.generateTitle', { month: monthOfYear(t, process.period, language) }),
        text: <Question t={t} language={language} process={process} />,
        confirm: known
          ? t('invoiceprocesses.generateConfirm', { count: open, n: count(open, language) })
          : t('invoiceprocesses.generate'),
      });
      if (yes) generating.mutate(process.period);
    },
    send: async (unsent: number) => {
      const yes = await confirm({
        title: t('invoiceprocesses.sendTitle'),
        text: t('invoiceprocesses.sendCount', { count: unsent, n: count(unsent, language) }),
        confirm: t('invoiceprocesses.sendConfirm', { count: unsent, n: count(unsent, language) }),
      });
      if (yes) sending.mutate();
    },
  };
}

interface QuestionProps {
  t: T;
  language: string;
  process: Process;
}

/** What is about to happen: the dialog is drawn outside the page, so it is given its words. */
function Question({ t, language, process }: QuestionProps) {
  const date = dayText(deadlineOf(process), language);
  const open = process.toInvoice - process.issued;
  const n = count(open, language);
  const out = customersOut(process.errors);
  const total = euros(process.total, language);
  return (
    <div className={classes.ask}>
      <p>
        {process.state === 'pending' || open === 0
          ? t('invoiceprocesses.generateUnknown')
          : process.issued > 0
            ? t('invoiceprocesses.generateMore', { count: open, n })
            : t('invoiceprocesses.generateCount', { count: open, n, total })}
      </p>
      {out > 0 && <p>{t('invoiceprocesses.generateErrors', { count: out })}</p>}
      {process.late && (
        <p>
          <b>{t('invoiceprocesses.late')}.</b>{' '}
          {t('invoiceprocesses.lateOpen', { month: monthOfYear(t, process.period, language), date })}
        </p>
      )}
      <p>{t('invoiceprocesses.generateFinal')}</p>
    </div>
  );
}

/** Tells a failure; data of the issuer that are missing come with the way to them. */
function useFailure() {
  const t = useT();
  const router = useRouter();
  const { user } = useRequiredSession();
  return (title: string, error: Error) => {
    if (!(error instanceof ApiError) || error.code !== 'ISSUER_INCOMPLETE') {
      toast.error({ title, text: errorText(t, error) });
      return;
    }
    const href = paths.companyProfile(user.parent);
    const fields = error.errors.map(({ field }) => field);
    toast.error({
      title: t('invoiceprocesses.issuerIncomplete'),
      text: fields.length > 0 ? t('invoiceprocesses.missing', { fields: fieldsText(t, fields) }) : undefined,
      action: { label: t('invoiceprocesses.issuerMend'), href, run: () => void router.navigate({ href }) },
    });
  };
}

/** Says once that a job that was seen running has ended. */
export function useJobEnd(data: Processes | undefined): void {
  const t = useT();
  const seen = useRef<string | null>(null);
  const running = data && jobOf(data.processes)?.kind;
  useEffect(() => {
    if (data === undefined) return;
    if (!running && seen.current) toast.ok({ title: endedText(t, seen.current) });
    seen.current = running ?? null;
  }, [data, running, t]);
}
