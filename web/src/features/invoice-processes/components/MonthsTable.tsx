import { type T, useLanguage, useT } from '@/shared/i18n';
import { count, euros } from '@/shared/lib/money';
import { monthText } from '@/shared/lib/months';
import { DataList, type ListColumn, type ListControls } from '@/shared/ui/DataList';
import { Tag } from '@/shared/ui/Tag';
import { isOverdue, type Process } from '../model';
import { StateTag } from './MonthPanel';

interface MonthsTableProps {
  list: ListControls;
  processes: Process[];
  href: (period: string) => string;
  onOpen: (period: string) => void;
}

/** Every closed month with its state; a row shows its month above. */
export function MonthsTable({ list, processes, href, onOpen }: MonthsTableProps) {
  const t = useT();
  const language = useLanguage();
  const from = (list.page - 1) * list.pageSize;
  const rows = processes.slice(from, from + list.pageSize);
  const data = { rows, total: processes.length };
  return (
    <DataList<Process>
      name="invoice-processes"
      embedded
      title={t('invoiceprocesses.months')}
      list={list}
      source={{ data, error: null, isPending: false, refetch: () => undefined }}
      columns={columnsOf(t, language)}
      rowKey={(row) => row.period}
      narrow={(row) => ({
        title: monthText(row.period, language),
        badge: hasWarnings(row) ? <Warnings row={row} /> : <StateTag state={row.state} />,
        text: t('invoiceprocesses.invoicesCount', { count: row.toInvoice }),
        aside: euros(row.total, language),
      })}
      open={{ href: (row) => href(row.period), go: (row) => onOpen(row.period) }}
      empty={{
        icon: 'euro',
        title: t('invoiceprocesses.empty'),
        text: t('invoiceprocesses.emptyText'),
      }}
    />
  );
}

function columnsOf(t: T, language: string): ListColumn<Process>[] {
  const counted = (key: 'customers' | 'toInvoice' | 'issued' | 'sent' | 'remitted'): ListColumn<Process> => ({
    key,
    title: t(`invoiceprocesses.${key}`),
    render: (row) => <span className="num">{count(row[key], language)}</span>,
    right: true,
  });
  const money = (key: 'base' | 'vat' | 'total'): ListColumn<Process> => ({
    key,
    title: t(`invoiceprocesses.${key}`),
    render: (row) => <span className="num">{row.state === 'pending' ? '–' : euros(row[key], language)}</span>,
    right: true,
  });
  return [
    {
      key: 'period',
      title: t('invoiceprocesses.period'),
      render: (row) => <b>{monthText(row.period, language)}</b>,
      fixed: true,
    },
    { key: 'state', title: t('invoiceprocesses.state'), render: (row) => <StateTag state={row.state} />, fixed: true },
    counted('customers'),
    counted('toInvoice'),
    counted('issued'),
    counted('sent'),
    counted('remitted'),
    money('base'),
    money('vat'),
    money('total'),
    { key: 'errors', title: t('invoiceprocesses.errors'), render: (row) => <Warnings row={row} /> },
  ];
}

/** On a phone there is room for one badge: what is wrong stands for the state. */
const hasWarnings = (row: Process) => row.errors.length > 0 || row.late || isOverdue(row, Date.now());

function Warnings({ row }: { row: Process }) {
  const t = useT();
  if (row.errors.length > 0) {
    return (
      <Tag tone="bad" icon="warn">
        {t('invoiceprocesses.problemsTag', { count: row.errors.length })}
      </Tag>
    );
  }
  if (row.late) {
    return (
      <Tag tone="warn" icon="clock">
        {t('invoiceprocesses.late')}
      </Tag>
    );
  }
  if (!isOverdue(row, Date.now())) return '–';
  return (
    <Tag tone="warn" icon="clock">
      {t('invoiceprocesses.overdue')}
    </Tag>
  );
}
