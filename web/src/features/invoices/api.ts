import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { operation } from '@/api/operation';
import { download } from '@/shared/lib/download';
import { exportQuery, listQuery } from '@/shared/lib/list-state';
import type { Months } from '@/shared/lib/months';
import { openFile } from '@/shared/lib/open-file';
import type { ListControls, ListState } from '@/shared/ui/DataList';
import type { Invoice, InvoiceDetails, MessageInput, Messages, Rectification } from './types';

const part = encodeURIComponent;

/** One page of a company's invoices, newest first; company `0` is everybody's, for the administrator. */
export const listInvoices = (company: string, months: Months, list: ListControls) => {
  const { sort: _newestFirst, ...rest } = listQuery(list, list.pageSize);
  const query = { ...rest, ...months };
  return queryOptions({
    queryKey: ['list_invoices', company, query],
    queryFn: async ({ signal }) => {
      const page = await operation('get', '/api/v1/get-invoices/{id}', { path: { id: company }, query, signal });
      return { rows: page.invoices as Invoice[], total: page.total };
    },
    placeholderData: keepPreviousData,
  });
};

export function exportInvoices(company: string, months: Months, list: ListState, name: string): Promise<void> {
  const { sort: _newestFirst, ...rest } = exportQuery(list);
  const query = { ...rest, ...months };
  return download(`/api/v1/invoices-excel/${part(company)}`, query, `${name}.xlsx`);
}

/** The totals of each month of a range, what runs, what will be charged and what came back. */
export const getStatistics = (company: string, months: Months) =>
  queryOptions({
    queryKey: ['get_invoice_statistics', company, months],
    queryFn: ({ signal }) =>
      operation('get', '/api/v1/invoice-statistics/{id}', { path: { id: company }, query: { ...months }, signal }),
    placeholderData: keepPreviousData,
  });

/** An invoice's header, lines and totals. Its calls are asked for when a line is opened (`shared/statement`). */
export const getInvoice = (id: string) =>
  queryOptions({
    queryKey: ['get_invoice', id],
    queryFn: async ({ signal }) =>
      (await operation('get', '/api/v1/get-details/{id}', {
        path: { id },
        query: { limit: 1 },
        signal,
      })) as unknown as InvoiceDetails,
  });

/** The file's name is that of the server, `A2026-000001.pdf`. */
const pdfOf = ({ _id }: Pick<Invoice, '_id'>) => `/api/v1/print-invoice/${part(_id)}`;
export const openPdf = (invoice: Invoice) => openFile(pdfOf(invoice), `${invoice.number}.pdf`);
export const downloadPdf = (invoice: Invoice) => download(pdfOf(invoice), {}, `${invoice.number}.pdf`);
export const downloadFacturae = (invoice: Invoice) =>
  download(`/api/v1/invoice-facturae/${part(invoice._id)}`, {}, `${invoice.number}.xml`);
export const downloadUbl = (invoice: Invoice) =>
  download(`/api/v1/invoice-ubl/${part(invoice._id)}`, {}, `${invoice.number}-ubl.xml`);
export const downloadCii = (invoice: Invoice) =>
  download(`/api/v1/invoice-cii/${part(invoice._id)}`, {}, `${invoice.number}-cii.xml`);

const invoiceOf = ({ invoice }: { invoice: unknown }) => invoice as Invoice;

/** Issues a rectifying invoice, which is answered. */
export const rectify = async (id: string, body: Rectification) =>
  invoiceOf(await operation('post', '/api/v1/invoice-rectify/{id}', { path: { id }, body }));
export const cancel = async (id: string) =>
  invoiceOf(await operation('post', '/api/v1/invoice-cancel/{id}', { path: { id }, body: {} }));
/** `paidAt` is a plain day. */
export const markPaid = async (id: string, paidAt: string) =>
  invoiceOf(await operation('post', '/api/v1/invoice-paid/{id}', { path: { id }, body: { paidAt } }));
export const markUnpaid = async (id: string) =>
  invoiceOf(await operation('post', '/api/v1/invoice-unpaid/{id}', { path: { id } }));

/** What the recipient said of an invoice, and whether more may be written down. */
export const invoiceMessages = (id: string) =>
  queryOptions({
    queryKey: ['get_invoice_messages', id],
    queryFn: ({ signal }): Promise<Messages> =>
      operation('get', '/api/v1/invoice-messages/{id}', { path: { id }, signal }),
  });
export const addInvoiceMessage = (id: string, body: MessageInput): Promise<Messages> =>
  operation('post', '/api/v1/invoice-messages/{id}', { path: { id }, body });
