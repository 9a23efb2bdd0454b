import { queryOptions } from '@tanstack/react-query';
import { operation } from '@/api/operation';
import type { VerifiedCertificate } from './model';

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
