import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { send } from '@/api/client';
import { operation } from '@/api/operation';
import { KEYS_PATH, readKeys, type VerifiedCertificate } from './model';

/** The public keys by which this installation signs seals and certificates, newest first. */
export const evidenceKeys = queryOptions({
  queryKey: ['evidence_keys'],
  queryFn: async ({ signal }) => readKeys(await (await send('GET', KEYS_PATH, { signal, anonymous: true })).text()),
  retry: false,
});

/** Where the roots of closed days are. */
export const ROOTS_PATH = '/api/v1/evidence-roots';

/** The roots of closed days, newest first, a page after another. */
export const evidenceRoots = infiniteQueryOptions({
  queryKey: ['evidence_roots'],
  queryFn: ({ pageParam, signal }) => {
    const query = pageParam === null ? {} : { before: pageParam };
    return operation('get', ROOTS_PATH, { query, signal, anonymous: true });
  },
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
});

/** What the certificate of this code says. 404 CERTIFICATE_NOT_FOUND, 429 TOO_MANY_REQUESTS. */
export const verification = (code: string) =>
  queryOptions({
    queryKey: ['get_verification', code],
    queryFn: async ({ signal }) => {
      const given = { path: { code }, signal, anonymous: true };
      return (await operation('get', '/api/v1/verification/{code}', given)).certificate as VerifiedCertificate;
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
