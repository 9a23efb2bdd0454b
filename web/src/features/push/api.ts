import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import { operation } from '@/api/operation';

/** A browser that gets this account's notices. */
export interface PushDevice {
  _id: string;
  browser: string;
  os: string;
  createdAt: string;
  /** When a push service last took one for it. */
  lastOkAt: string | null;
  /** Registered by this log-in. */
  current?: boolean;
}

/** What a push service answered to a test, at once. */
export interface TestAnswer {
  state: 'delivered' | 'failed';
  /** Its HTTP status; 0 or null when it did not answer. */
  status: number | null;
}

/** The server's public VAPID key: an uncompressed P-256 point, base64url (RFC 8292). */
export const pushKey = async () => (await api.get<{ key: string }>('/api/v1/push-key')).key;

/** Registers this browser for the account, again at each page load. Throws `ApiError` INVALID_FIELDS at `token`. */
export const registerDevice = (userId: string, parentId: string, token: PushSubscriptionJSON) =>
  api.post<{ device: PushDevice }>('/api/v1/message-token', { userId, parentId, token });

/** `endpoint` of the subscription. A device that is not there any more counts as removed. */
export const forgetEndpoint = (endpoint: string) =>
  api.post<{ removed: number }>('/api/v1/message-delete-token', { token: endpoint }, { keepalive: true });

export const listPushDevices = (userId: string) =>
  queryOptions({
    queryKey: ['push-devices', userId],
    queryFn: async () => (await api.get<{ devices: PushDevice[] }>('/api/v1/push-devices')).devices,
  });

export const removePushDevice = (id: string) =>
  api.post<unknown>(`/api/v1/push-device-delete/${encodeURIComponent(id)}`);

/** Sends one to this browser and answers what its push service said, within 5 s. */
export const testPush = (token: PushSubscriptionJSON) => api.post<TestAnswer>('/api/v1/push-test', { token });

/** Ids of the requests that wait at a customer. */
export const openRequests = async (parent: string) => {
  const path = { customerId: parent };
  return (await operation('get', '/api/v1/video-call-request/{customerId}', { path })).videoCallRequests.map(
    ({ _id }) => _id,
  );
};
