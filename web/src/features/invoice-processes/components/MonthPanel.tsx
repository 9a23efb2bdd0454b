import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { count, euros } from '@/shared/lib/money';
import { dayText, monthText } from '@/shared/lib/months';
import { paths } from '@/shared/routes/paths';
import { Icon, type IconName } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { Tag } from '@/shared/ui/Tag';
import {
  deadlineOf,
  isOverdue,
  mayGenerate,
  monthOfYear,
  type Process,
  type ProcessState,
  type Step,
  stateLook,
  stepsOf,
} from '../model';
import { Problems } from './Problems';
import classes from './processes.module.css';

export function StateTag({ state }: { state: ProcessState }) {
  const t = useT();
  const { tone, icon } = stateLook[state];
  return (
    <Tag tone={tone} icon={icon}>
      {t(`invoiceprocesses.state_${state}`)}
    </Tag>
  );
}

/** One month: what keeps somebody from being invoiced, how much it is, how far it has come. */
export function MonthPanel({ process }: { process: Process }) {
  const t = useT();
  const language = useLanguage();
  const title = monthText(process.period, language);
  const known = process.state !== 'pending';
  const figures: [string, string, boolean?][] = [
    [t('invoiceprocesses.total'), euros(process.total, language), true],
    [t('invoiceprocesses.base'), euros(process.base, language)],
    [t('invoiceprocesses.vat'), euros(process.vat, language)],
    [t('invoiceprocesses.toInvoice'), count(process.toInvoice, language)],
    [t('invoiceprocesses.customers'), count(process.customers, language)],
  ];
  return (
    <section className={classes.panel} aria-label={title}>
      <div className={classes.panelHead}>
        <h2>{title}</h2>
        <StateTag state={process.state} />
        {process.calculatedAt && (
          <span className={`${classes.when} num`}>
            {t('invoiceprocesses.calculatedAt', { date: shortDateTime(process.calculatedAt, language) })}
          </span>
        )}
      </div>
      <Lateness process={process} />
      <Problems errors={process.errors} />
      {known ? (
        <dl className={`${classes.figures} num`}>
          {figures.map(([label, value, main]) => (
            <div key={label} data-main={main}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <p className={classes.lead}>{t('invoiceprocesses.notCalculated')}</p>
      )}
      <ol className={classes.steps} aria-label={t('invoiceprocesses.steps')}>
        {stepsOf(process).map((step) => (
          <StepItem key={step.name} step={step} />
        ))}
      </ol>
      {process.issued > 0 && (
        <div className={classes.buttons}>
          <Button
            component={Link}
            to={paths.invoices('0')}
            search={{ from: process.period, to: process.period } as never}
            variant="default"
            leftSection={<Icon name="doc" size={16} />}
          >
            {t('invoiceprocesses.toInvoices')}
          </Button>
        </div>
      )}
    </section>
  );
}

/** Issued before day 16 of the next month; afterwards it still works, but it says so. */
function Lateness({ process }: { process: Process }) {
  const t = useT();
  const language = useLanguage();
  const date = dayText(deadlineOf(process), language);
  const month = monthOfYear(t, process.period, language);
  if (!process.late) {
    if (!mayGenerate(process)) return null;
    // A month that is not calculated may have nothing to issue, so it is not late yet; the day has passed all the same.
    if (isOverdue(process, Date.now()))
      return <Note tone="warn" icon="warn" text={t('invoiceprocesses.deadlinePassed', { date })} />;
    return <Note icon="cal" text={t('invoiceprocesses.deadline', { date })} />;
  }
  const text = mayGenerate(process)
    ? t('invoiceprocesses.lateOpen', { month, date })
    : t('invoiceprocesses.lateDone', { month, date });
  return <Note tone="warn" icon="warn" title={t('invoiceprocesses.late')} text={text} />;
}

const stepIcon: Record<Step['state'], IconName> = { done: 'check', partly: 'clock', waiting: 'minus' };

function StepItem({ step }: { step: Step }) {
  const t = useT();
  const language = useLanguage();
  const counted = step.done !== null && step.of > 0;
  return (
    <li className={classes.step} data-state={step.state}>
      <Icon name={stepIcon[step.state]} />
      <b>{t(`invoiceprocesses.step_${step.name}`)}</b>
      <span className="num">
        {counted
          ? t('invoiceprocesses.stepOf', {
              done: count(step.done ?? 0, language),
              of: count(step.of, language),
            })
          : step.state === 'done'
            ? t('invoiceprocesses.stepDone')
            : t('invoiceprocesses.stepWaiting')}
      </span>
    </li>
  );
}
