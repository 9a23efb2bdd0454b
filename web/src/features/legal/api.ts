import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';

/** A legal text. `type`: 1 general, 2 particular conditions (SPEC §3). */
export interface LegalText {
  _id: string;
  type: number;
  title: string;
  version: number | string;
  language: string;
  html: string;
  /** RFC 3339 or a plain date. */
  inForceFrom: string | null;
}

/** The texts in force in this language, or one older text by its id. Open to everybody (DESIGN §3). */
export const legalTexts = (language: string, legalId = '0') =>
  queryOptions({
    queryKey: ['legal_texts', legalId, language],
    queryFn: async () => {
      const path = `/api/v1/legalbylanguage/${encodeURIComponent(legalId)}/${encodeURIComponent(language)}`;
      const { legal } = await api.get<{ legal: LegalText | LegalText[] }>(path, { anonymous: true });
      return Array.isArray(legal) ? legal : [legal];
    },
    staleTime: 10 * 60_000,
  });
