import { queryOptions } from '@tanstack/react-query';
import type { components } from '@/api/generated/schema';
import { operation } from '@/api/operation';

/** A browser that gets this account's notices; `current` was registered by this log-in. */
export type PushDevice = components['schemas']['PushDevice'];
/** What a push service answered to a test, at once. Without a status it did not answer. */
export type TestAnswer = components['schemas']['PushTestAnswer'];

/** The server's public VAPID key: an uncompressed P-256 point, base64url (RFC 8292). */
export const pushKey = async () => (await operation('get', '/api/v1/push-key')).key;

/** Registers this browser for the account, again at each page load. Throws `ApiError` INVALID_FIELDS at `token`. */
export const registerDevice = (userId: string, parentId: string, token: PushSubscriptionJSON) =>
  operation('post', '/api/v1/message-token', { body: { userId, parentId, token: token as never } });

/** `endpoint` of the subscription. A device that is not there any more counts as removed. */
export const forgetEndpoint = (endpoint: string) =>
  operation('post', '/api/v1/message-delete-token', { body: { token: endpoint as never }, keepalive: true });

export const listPushDevices = (userId: string) =>
  queryOptions({
    queryKey: ['push-devices', userId],
    queryFn: async () => (await operation('get', '/api/v1/push-devices')).devices,
  });

export const removePushDevice = (id: string) => operation('post', '/api/v1/push-device-delete/{id}', { path: { id } });

/** Sends one to this browser and answers what its push service said, within 5 s. */
export const testPush = (token: PushSubscriptionJSON) =>
  operation('post', '/api/v1/push-test', { body: { token: token as never } });

/** Ids of the requests that wait at a customer. */
export const openRequests = async (parent: string) => {
  const path = { customerId: parent };
  return (await operation('get', '/api/v1/video-call-request/{customerId}', { path })).videoCallRequests.map(
    ({ _id }) => _id,
  );
};
