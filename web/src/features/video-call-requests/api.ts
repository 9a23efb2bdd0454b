import { queryOptions } from '@tanstack/react-query';
import { request } from '@/api/client';
import { operation } from '@/api/operation';
import type { ConferenceType, Customer, VideoCallRequest } from './model';

const at = (path: string, id = '') => `/api/v1/${path}${id && `/${encodeURIComponent(id)}`}`;

/** How long one trusts what no event tells, such as who is free, in ms. */
const FRESH_MS = 15_000;

/** The insurance companies to choose from. */
export const insurers = () =>
  queryOptions({
    queryKey: ['list_insurance_companies', false],
    queryFn: async ({ signal }) =>
      (await operation('get', '/api/v1/insuranceCompanies', { query: {}, signal })) as { _id: string; name: string }[],
    staleTime: 60_000,
  });

/** The customers that work for an insurance company, with who is free now. */
export const customersOf = (insurer: string) =>
  queryOptions({
    queryKey: ['request_customers', insurer],
    queryFn: ({ signal }) => request<Customer[]>('GET', at('customer-insurance', insurer), { signal }),
    refetchInterval: FRESH_MS,
    enabled: insurer !== '',
  });

/** The starter's own requests: those still open and those of the last hour; the company's for customers. */
export const ownRequests = () =>
  queryOptions({
    queryKey: ['list_video_call_requests'],
    queryFn: async ({ signal }) =>
      (await request<{ videoCallRequests: VideoCallRequest[] }>('GET', at('video-call-request'), { signal }))
        .videoCallRequests,
  });

/** The open requests to a customer. */
export const requestsTo = (customerId: string) =>
  queryOptions({
    queryKey: ['list_video_call_requests', customerId],
    queryFn: async ({ signal }) =>
      (
        await request<{ videoCallRequests: VideoCallRequest[] }>('GET', at('video-call-request', customerId), {
          signal,
        })
      ).videoCallRequests,
    // Events carry the changes; this mends what a lost one left.
    refetchInterval: 2 * FRESH_MS,
  });

type PresenceState = 'free' | 'call' | 'away';
export interface Colleague {
  _id: string;
  name: string;
  role: number;
  state: PresenceState;
}
/** `people` only for the company's own. */
export interface Availability {
  people?: Colleague[];
  available: boolean;
  waiting: number;
  averageWaitSeconds: number | null;
}

/** Who of a customer's people is free, in a call or away. */
export const availability = (companyId: string) =>
  queryOptions({
    queryKey: ['get_availability', companyId],
    queryFn: ({ signal }) => request<Availability>('GET', at('availability', companyId), { signal }),
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
  (await request<{ videoCallRequest: VideoCallRequest }>('POST', at('video-call-request'), { body })).videoCallRequest;

/** Takes back one open request of the starter. */
export const withdrawRequest = (starterId: string, videoCallRequestId: string) =>
  request<{ removed: number }>('POST', at('delete-active-request-user', starterId), { body: { videoCallRequestId } });

/** Leaves the queue for an agreed time, 5 minutes to 14 days ahead; 409 REQUEST_CLOSED. */
export const agreeCallback = (videoCallRequestId: string, callbackAt: string) =>
  request<unknown>('POST', at('video-call-callback'), { body: { videoCallRequestId, callbackAt } });

/** Takes the request; one of all who try. 409 ALREADY_TAKEN, REQUEST_CLOSED, VIDEO_CALL_BLOCKED. */
export const respond = (activeVideoCallRequest: string) =>
  request<{ conference: { _id: string } }>('POST', at('video-call-respond'), { body: { activeVideoCallRequest } });

/** Passes it on to colleagues, or refuses for `all` (principal). */
export const refuseRequest = (body: { videoCallRequestId: string; reason?: string; all?: boolean }) =>
  request<unknown>('POST', at('video-call-refuse'), { body });
