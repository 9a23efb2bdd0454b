import { queryOptions } from '@tanstack/react-query';
import type { components } from '@/api/generated/schema';
import { operation } from '@/api/operation';

export type Allow = 'YES' | 'NO';
export type MarketingLink = components['schemas']['MarketingTokenBody'];

/** What a link is for. Nothing is recorded by asking. */
export const marketingLink = (token: string) =>
  queryOptions({
    queryKey: ['marketing_token', token],
    queryFn: () => operation('post', '/api/v1/marketing-token', { anonymous: true, body: { marketingToken: token } }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Records an answer; the link's token is the bearer, not a session's. */
export const respond = (token: string, email: string, allow: Allow) =>
  operation('post', '/api/v1/marketing-response', {
    anonymous: true,
    headers: { Authorization: `Bearer ${token}` },
    body: { email, allow },
  });

/** What holds for the session's own address. */
export const ownConsent = queryOptions({
  queryKey: ['get_marketing_consent'],
  queryFn: () => operation('get', '/api/v1/marketing-consent'),
});

export const setOwnConsent = (allow: boolean) =>
  operation('post', '/api/v1/marketing-consent', { body: { allow: allow ? 'YES' : 'NO' } });
