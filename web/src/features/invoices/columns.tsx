import type { T } from '@/shared/i18n';
import { amount, count, euros } from '@/shared/lib/money';
import { dayText } from '@/shared/lib/months';
import type { ListColumn } from '@/shared/ui/DataList';
import classes from './components/invoices.module.css';
import { StatusCell } from './components/StatusTag';
import { isOverdue, periodText } from './model';
import type { Invoice } from './types';

/** The columns of look/12; whose invoice it is only where there are several customers, who take the room of two amounts. */
export function columnsOf(t: T, language: string, everybody: boolean): ListColumn<Invoice>[] {
  const company: ListColumn<Invoice> = {
    key: 'company',
    title: t('invoices.company'),
    render: (row) => (
      <span className={`${classes.strong} ${classes.clip}`} title={row.company}>
        {row.company}
      </span>
    ),
  };
  return [
    {
      key: 'number',
      title: t('invoices.number'),
      render: (row) => <span className={`${classes.number} num`}>{row.number}</span>,
      fixed: true,
    },
    ...(everybody ? [company] : []),
    // Beside what names it, so that the row's buttons never lie over it.
    {
      key: 'status',
      title: t('invoices.status'),
      render: (row) => <StatusCell invoice={row} className={classes.state} />,
    },
    {
      key: 'issueDate',
      title: t('invoices.issueDate'),
      render: (row) => <span className="num">{dayText(row.issueDate, language)}</span>,
      off: 'compact',
    },
    {
      key: 'period',
      title: t('invoices.period'),
      render: (row) => <span className={classes.strong}>{periodText(row, language)}</span>,
    },
    {
      key: 'connections',
      title: t('invoices.connections'),
      right: true,
      render: (row) => (
        <span className="num">{row.kind === 'rectifying' ? '–' : count(row.connections, language)}</span>
      ),
      off: everybody && 'compact',
    },
    {
      key: 'base',
      title: t('invoices.base'),
      right: true,
      off: everybody || 'compact',
      render: (row) => <span className="num">{amount(row.base, language)}</span>,
    },
    {
      key: 'vat',
      title: t('invoices.vatColumn'),
      right: true,
      off: everybody || 'compact',
      render: (row) => <span className="num">{amount(row.vat, language)}</span>,
    },
    {
      key: 'total',
      title: t('invoices.total'),
      right: true,
      fixed: true,
      render: (row) => <span className={`${classes.money} num`}>{euros(row.total, language)}</span>,
    },
    {
      key: 'dueDate',
      title: t('invoices.dueDate'),
      render: (row) => (
        <span className={`${classes.due} num`} data-overdue={isOverdue(row) || undefined}>
          {dayText(row.total < 0 ? null : row.dueDate, language)}
        </span>
      ),
    },
  ];
}
