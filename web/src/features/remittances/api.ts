import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { operation } from '@/api/operation';
import { listQuery } from '@/shared/lib/list-state';
import type { ListControls } from '@/shared/ui/DataList';
import type { BankFileResult, Mandate, Remittance, Scheme, Settlement, SignedPaper } from './types';

const V1 = '/api/v1';
const part = encodeURIComponent;

/** What the next remittance takes and leaves out. */
export const getDue = () =>
  queryOptions({
    queryKey: ['get_remittance_due'],
    queryFn: ({ signal }) => operation('get', '/api/v1/remittance-due', { signal }),
  });

/** Whether a secret protects the IBANs already; never the secret. */
export const getSecretState = () =>
  queryOptions({
    queryKey: ['get_sepa_secret'],
    queryFn: ({ signal }) => operation('get', '/api/v1/sepa-secret', { signal }),
  });

/** Makes the file of everything due and mails it to the administration. 422 SECRET_MISMATCH at `secret`. */
export const makeRemittance = (secret: string) => operation('post', '/api/v1/mail-xml-sepa', { body: { secret } });

/** Puts a company's IBAN under the secret: from then on the server cannot read it alone. */
export const encryptIban = (secret: string, customerId: string) =>
  operation('post', '/api/v1/encrypt-iban', { body: { secret, customerId } });

/** These lists have one order, newest first. */
function queryOf(list: ListControls): Record<string, string> {
  const { sort: _newestFirst, ...query } = listQuery(list, list.pageSize);
  return query;
}

export const listRemittances = (list: ListControls) => {
  const query = queryOf(list);
  return queryOptions({
    queryKey: ['list_remittances', query],
    queryFn: async ({ signal }) => {
      const answer = await operation('get', '/api/v1/remittances', { query, signal });
      return { rows: answer.remittances as Remittance[], total: answer.total };
    },
    placeholderData: keepPreviousData,
  });
};

export const getRemittance = (id: string) =>
  queryOptions({
    queryKey: ['get_remittance', id],
    queryFn: async ({ signal }) => {
      const { remittance, attempts } = await operation('get', '/api/v1/remittance/{id}', { path: { id }, signal });
      return { remittance: remittance as Remittance, attempts };
    },
  });

/** The bank refused the file as a whole: its invoices are due again. */
export const cancelRemittance = (id: string, reason: string) =>
  operation('post', '/api/v1/remittance-cancel/{id}', { path: { id }, body: { reason } });

/** Notes how an open debit ended, when the bank told it otherwise than by a file. */
export const settleAttempt = (id: string, body: Settlement) =>
  operation('post', '/api/v1/remittance-attempt/{id}', { path: { id }, body });

export const listBankFiles = (list: ListControls) => {
  const query = queryOf(list);
  return queryOptions({
    queryKey: ['list_sepa_files', query],
    queryFn: async ({ signal }) => {
      const answer = await operation('get', '/api/v1/sepa-files', { query, signal });
      return { rows: answer.files, total: answer.total };
    },
    placeholderData: keepPreviousData,
  });
};

export const getBankFile = (id: string) =>
  queryOptions({
    queryKey: ['get_sepa_file', id],
    queryFn: async ({ signal }) =>
      (await operation('get', '/api/v1/sepa-file/{id}', { path: { id }, signal })) as BankFileResult,
  });

/** Says whether a transfer pays the invoice that it quotes. */
export const decidePayment = (id: string, accept: boolean) =>
  operation('post', '/api/v1/payment-proposal/{id}', { path: { id }, body: { accept } });

/** Takes in a file of the bank. The same file again changes nothing and answers what it did then. */
export function parseBankFile(file: File): Promise<BankFileResult> {
  const form = new FormData();
  form.append('file', file);
  return api.post<BankFileResult>(`${V1}/parse-sepa`, form);
}

export const listMandates = (list: ListControls) => {
  const query = queryOf(list);
  return queryOptions({
    queryKey: ['list_mandates', query],
    queryFn: async ({ signal }) => {
      const answer = await operation('get', '/api/v1/mandates', { query, signal });
      return { rows: answer.mandates as Mandate[], total: answer.total };
    },
    placeholderData: keepPreviousData,
  });
};

/** A company's mandates, newest first. `account` is its masked IBAN: another account asks again. */
export const mandatesOf = (company: string, account: string | null) =>
  queryOptions({
    queryKey: ['list_mandates', { company, account }],
    queryFn: async ({ signal }) => {
      const answer = await operation('get', '/api/v1/mandates', { query: { company, limit: 50 }, signal });
      return [...(answer.mandates as Mandate[])].sort((a, b) => b.createdAt.localeCompare(a.createdAt));
    },
  });

const mandateOf = ({ mandate }: { mandate: unknown }) => mandate as Mandate;

/** The mandate of a company's account, made when it has none. */
export const makeMandate = async (customer: string) =>
  mandateOf(await operation('post', '/api/v1/sepa', { body: { customer } }));

/** Signs it on the screen. */
export const acceptMandate = async (id: string) =>
  mandateOf(await operation('post', '/api/v1/mandate-sign/{id}', { path: { id }, body: { accept: true } }));

/** Signs it by a paper that was signed by hand. */
export async function uploadSigned(id: string, { file, signedAt, place }: SignedPaper): Promise<Mandate> {
  const form = new FormData();
  form.append('signedAt', signedAt);
  if (place) form.append('place', place);
  form.append('file', file);
  return mandateOf(await api.post<{ mandate: Mandate }>(`${V1}/mandate-sign/${part(id)}`, form));
}

export const cancelMandate = async (id: string) =>
  mandateOf(await operation('post', '/api/v1/mandate-cancel/{id}', { path: { id }, body: {} }));

export const changeScheme = async (id: string, scheme: Scheme) =>
  mandateOf(await operation('post', '/api/v1/mandate-scheme/{id}', { path: { id }, body: { scheme } }));

/** The account can be debited again after all. */
export const resumeMandate = async (id: string) =>
  mandateOf(await operation('post', '/api/v1/mandate-resume/{id}', { path: { id } }));

/** The files of a mandate: the text (with `paper` the form to be signed by hand), that form as it came back, what was shown at the signature. */
export const mandateFiles = {
  pdf: (id: string) => `${V1}/mandate-pdf/${part(id)}`,
  paper: (id: string) => `${V1}/mandate-document/${part(id)}`,
  evidence: (id: string) => `${V1}/mandate-evidence/${part(id)}`,
};
