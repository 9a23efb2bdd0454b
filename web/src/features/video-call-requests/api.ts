import { queryOptions } from '@tanstack/react-query';
import type { components } from '@/api/generated/schema';
import { operation } from '@/api/operation';
import type { ConferenceType, Customer, VideoCallRequest } from './model';

type Schemas = components['schemas'];

/** How long one trusts what no event tells, such as who is free, in ms. */
const FRESH_MS = 15_000;

/** The insurance companies to choose from. */
export const insurers = () =>
  queryOptions({
    queryKey: ['list_insurance_companies', false],
    queryFn: async ({ signal }) => await operation('get', '/api/v1/insuranceCompanies', { query: {}, signal }),
    staleTime: 60_000,
  });

/** The customers that work for an insurance company, with who is free now. */
export const customersOf = (insurer: string) =>
  queryOptions({
    queryKey: ['request_customers', insurer],
    queryFn: ({ signal }): Promise<Customer[]> =>
      operation('get', '/api/v1/customer-insurance/{companyId}', { path: { companyId: insurer }, signal }),
    refetchInterval: FRESH_MS,
    enabled: insurer !== '',
  });

/** The starter's own requests: those still open and those of the last hour; the company's for customers. */
export const ownRequests = () =>
  queryOptions({
    queryKey: ['list_video_call_requests'],
    queryFn: async ({ signal }) =>
      (await operation('get', '/api/v1/video-call-request', { signal })).videoCallRequests as VideoCallRequest[],
  });

/** The open requests to a customer. */
export const requestsTo = (customerId: string) =>
  queryOptions({
    queryKey: ['list_video_call_requests', customerId],
    queryFn: async ({ signal }) =>
      (await operation('get', '/api/v1/video-call-request/{customerId}', { path: { customerId }, signal }))
        .videoCallRequests as VideoCallRequest[],
    // Events carry the changes; this mends what a lost one left.
    refetchInterval: 2 * FRESH_MS,
  });

export type Colleague = Schemas['AvailablePerson'];
/** `people` only for the company's own. */
export type Availability = Schemas['Availability'];

/** Who of a customer's people is free, in a call or away. */
export const availability = (companyId: string) =>
  queryOptions({
    queryKey: ['get_availability', companyId],
    queryFn: ({ signal }) => operation('get', '/api/v1/availability/{companyId}', { path: { companyId }, signal }),
    refetchInterval: FRESH_MS,
  });

export interface NewRequest {
  insuranceCompanyId: string;
  customerId: string;
  customerName?: string;
  region: string;
  expedient: string;
  type: ConferenceType;
  starterPhone?: string;
  plate?: string;
  /** RFC 3339; absent rings at once. */
  callbackAt?: string;
}

/** 422 with fields; 409 VIDEO_CALL_BLOCKED, REQUEST_OPEN; 429. */
export const createRequest = async (body: NewRequest) =>
  (await operation('post', '/api/v1/video-call-request', { body })).videoCallRequest as VideoCallRequest;

/** Takes back one open request of the starter. */
export const withdrawRequest = (starterId: string, videoCallRequestId: string) =>
  operation('post', '/api/v1/delete-active-request-user/{id}', {
    path: { id: starterId },
    // The document has this body as one that may be absent.
    body: { videoCallRequestId } as never,
  });

/** Leaves the queue for an agreed time, 5 minutes to 14 days ahead; 409 REQUEST_CLOSED. */
export const agreeCallback = (videoCallRequestId: string, callbackAt: string) =>
  operation('post', '/api/v1/video-call-callback', { body: { videoCallRequestId, callbackAt } });

/** Takes the request; one of all who try. 409 ALREADY_TAKEN, REQUEST_CLOSED, VIDEO_CALL_BLOCKED. */
export const respond = (activeVideoCallRequest: string) =>
  operation('post', '/api/v1/video-call-respond', {
    body: { activeVideoCallRequest: activeVideoCallRequest as never },
  });

/** Passes it on to colleagues, or refuses for `all` (principal). */
export const refuseRequest = (body: { videoCallRequestId: string; reason?: string; all?: boolean }) =>
  operation('post', '/api/v1/video-call-refuse', { body });
