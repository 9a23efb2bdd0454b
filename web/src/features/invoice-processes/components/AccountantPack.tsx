import { Button, Select, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { count, euros } from '@/shared/lib/money';
import { dayText } from '@/shared/lib/months';
import { Icon, type IconName } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { toast } from '@/shared/ui/toast';
import { type BookFile, type BookSummary, bookSummary, downloadBook } from '../api';
import { periodsOf, periodText } from '../books';
import type { Process } from '../model';
import classes from './processes.module.css';

/** What the accountant takes of a period: the register, entries, and every invoice. */
export function AccountantPack({ processes }: { processes: Process[] }) {
  const t = useT();
  const language = useLanguage();
  const periods = periodsOf(processes);
  const [chosen, choose] = useState<string>();
  const period = chosen ?? periods[0] ?? '';
  const source = useQuery(bookSummary(period));
  return (
    <section className={classes.panel} aria-labelledby="accountant-pack">
      <div>
        <h2 id="accountant-pack">{t('invoiceprocesses.pack')}</h2>
        <p className={classes.lead}>{t('invoiceprocesses.packText')}</p>
      </div>
      <Select
        className={classes.period}
        label={t('invoiceprocesses.packPeriod')}
        allowDeselect={false}
        value={period}
        data={periods.map((value) => ({ value, label: periodText(t, value, language) }))}
        onChange={(value) => value && choose(value)}
      />
      {source.error ? (
        <Note
          tone="bad"
          icon="warn"
          title={t('invoiceprocesses.packFailed')}
          text={errorText(t, source.error)}
          action={
            <Button variant="default" size="xs" onClick={() => void source.refetch()}>
              {t('common.retry')}
            </Button>
          }
        />
      ) : source.data ? (
        <Summary of={source.data} />
      ) : (
        <Skeleton h={48} aria-hidden="true" />
      )}
      <Downloads period={period} empty={source.data?.invoices === 0} />
    </section>
  );
}

function Summary({ of }: { of: BookSummary }) {
  const t = useT();
  const language = useLanguage();
  if (of.invoices === 0) return <p className={classes.lead}>{t('invoiceprocesses.packEmpty')}</p>;
  const figures: [string, string][] = [
    [t('invoiceprocesses.toInvoice'), count(of.invoices, language)],
    [t('invoiceprocesses.packRectifying'), count(of.rectifying, language)],
    [t('invoiceprocesses.base'), euros(of.base, language)],
    [t('invoiceprocesses.packTax'), euros(of.vat, language)],
    [t('invoiceprocesses.total'), euros(of.total, language)],
  ];
  return (
    <div>
      <dl className={`${classes.figures} num`}>
        {figures.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className={`${classes.when} num`}>
        {t('invoiceprocesses.packDays', { from: dayText(of.from, language), to: dayText(of.to, language) })}
      </p>
    </div>
  );
}

const FILES: [BookFile, IconName][] = [
  ['register', 'dl'],
  ['entries', 'dl'],
  ['pdf', 'doc'],
  ['xml', 'doc'],
];

function Downloads({ period, empty }: { period: string; empty: boolean }) {
  const t = useT();
  const [running, setRunning] = useState<BookFile | null>(null);
  const run = async (file: BookFile): Promise<void> => {
    setRunning(file);
    try {
      await downloadBook(file, period);
    } catch (error) {
      const again = { label: t('common.retry'), run: () => void run(file) };
      toast.error({ title: t('invoices.downloadFailed'), text: errorText(t, error), action: again });
    } finally {
      setRunning(null);
    }
  };
  return (
    <div className={classes.buttons}>
      {FILES.map(([file, icon]) => (
        <Button
          key={file}
          variant="default"
          leftSection={<Icon name={icon} size={16} />}
          loading={running === file}
          disabled={empty || running !== null}
          onClick={() => void run(file)}
        >
          {t(`invoiceprocesses.pack_${file}`)}
        </Button>
      ))}
    </div>
  );
}
