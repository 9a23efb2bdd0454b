import { queryOptions } from '@tanstack/react-query';
import type { components } from '@/api/generated/schema';
import { operation } from '@/api/operation';

type Schemas = components['schemas'];

/** The text of a company's SMS. */
export type SmsText = Schemas['SmsConference'];
export type SenderStatus = 'draft' | 'requested' | 'registered' | 'rejected';
/** The sender name of a company's SMS; `sms` is empty when there is none. */
export type SmsSender = Omit<Schemas['SmsSender'], 'status'> & { status: SenderStatus };

/** Texts by a user's id; they belong to his company. */
export const smsText = (user: string) =>
  queryOptions({
    queryKey: ['get_sms_text', user],
    queryFn: ({ signal }): Promise<SmsText> =>
      operation('get', '/api/v1/sms-conference-client/{id}', { path: { id: user }, signal }),
    // A form starts with it: fresh at every visit, never changed under somebody who types.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Errors on `sms`: `SMS_TEXT_TOO_LONG`, `CHARACTERS_NOT_ALLOWED`. */
export const saveSmsText = (user: string, change: Schemas['SmsConferenceChange']): Promise<SmsText> =>
  operation('post', '/api/v1/sms-conference-client/{id}', { path: { id: user }, body: change });

export const smsSender = (user: string) =>
  queryOptions({
    queryKey: ['get_sms_sender', user],
    queryFn: async ({ signal }) =>
      (await operation('get', '/api/v1/sms-conference-sender-client/{id}', {
        path: { id: user },
        signal,
      })) as SmsSender,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** `requested`: the company has applied for the name. Errors on `sms`: `SMS_SENDER_*`. */
export const saveSmsSender = async (user: string, sms: string, requested = false) =>
  (await operation('post', '/api/v1/sms-conference-sender/{id}', {
    path: { id: user },
    body: { sms, requested },
  })) as SmsSender;

/** Notes what the Registry answered. Administrators. Errors: `SMS_SENDER_STATUS`, `SMS_SENDER_MISSING`. */
export const saveRegistration = async (companyId: string, registration: Schemas['SmsSenderRegistration']) =>
  (await operation('post', '/api/v1/sms-sender-status/{companyId}', {
    path: { companyId },
    body: registration,
  })) as SmsSender;

export type SenderEntry = components['schemas']['SmsSenderEntry'];

/** Sender names of all companies, the longest waiting first; without a state what waits. */
export const listSenders = (status: string) =>
  queryOptions({
    queryKey: ['list_sms_senders', status],
    queryFn: ({ signal }) =>
      operation('get', '/api/v1/sms-senders', { query: { status: status || undefined }, signal }),
  });
