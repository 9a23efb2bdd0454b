import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { operation } from '@/api/operation';
import { download } from '@/shared/lib/download';

/** How often a job under way is looked at. Milliseconds. */
const WHILE_RUNNING_MS = 1000;

export const processesKey = ['get_invoice_processes'];

/** The closed months, newest first, with the progress of what is under way. */
export const listProcesses = () =>
  queryOptions({
    queryKey: processesKey,
    queryFn: ({ signal }) => operation('get', '/api/v1/invoice-processes', { signal }),
    refetchInterval: ({ state }) => (state.data?.running ? WHILE_RUNNING_MS : false),
  });

// They were a GET once, which a link or a preview could send; nothing but a press of a button sends a POST.

/** Calculates the months that are not issued; gives no number to anything. */
export const recalculate = () => operation('post', '/api/v1/update-invoice-processes');

/** Issues what is missing of a month. A second press finds the first one's job. */
export const generateInvoices = (period: string) =>
  operation('post', '/api/v1/generate-all-invoices', { query: { period } });

/** E-mails every invoice that is issued and not sent. */
export const sendInvoices = () => operation('post', '/api/v1/send-all-invoices');

/** What the books of a period hold: `2026-10`, `2026-4T` or `2026`. */
export interface BookSummary {
  period: string;
  from: string;
  to: string;
  invoices: number;
  rectifying: number;
  base: number;
  vat: number;
  total: number;
}

export const bookSummary = (period: string) =>
  queryOptions({
    queryKey: ['get_accounting_summary', period],
    queryFn: ({ signal }) =>
      api.get<BookSummary>(`/api/v1/accounting-summary?period=${encodeURIComponent(period)}`, { signal }),
  });

export type BookFile = 'register' | 'entries' | 'pdf' | 'xml';

/** The server names the files; these are for a header that got lost. */
export function downloadBook(file: BookFile, period: string): Promise<void> {
  if (file === 'register') return download('/api/v1/accounting-register', { period }, `registro-${period}.csv`);
  if (file === 'entries') return download('/api/v1/accounting-entries', { period }, `asientos-${period}.csv`);
  return download('/api/v1/accounting-documents', { period, format: file }, `facturas-${period}.zip`);
}
