import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { VerifiedCertificate } from './model';

/** What the certificate of this code says. 404 CERTIFICATE_NOT_FOUND, 429 TOO_MANY_REQUESTS. */
export const verification = (code: string) =>
  queryOptions({
    queryKey: ['get_verification', code],
    queryFn: async ({ signal }) => {
      const path = `/api/v1/verification/${encodeURIComponent(code)}`;
      return (await api.get<{ certificate: VerifiedCertificate }>(path, { signal, anonymous: true })).certificate;
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
