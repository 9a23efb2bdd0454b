import { queryOptions } from '@tanstack/react-query';
import type { components } from '@/api/generated/schema';
import { operation } from '@/api/operation';

/** A legal text. `type`: 1 general, 2 particular conditions (SPEC §3). */
export type LegalText = components['schemas']['Legal'];

export const LEGAL_TEXTS = 'legal_texts';

/** The texts in force in this language, or one older text by its id. Open to everybody (DESIGN §3). */
export const legalTexts = (language: string, legalId = '0') =>
  queryOptions({
    queryKey: [LEGAL_TEXTS, legalId, language],
    queryFn: async () => {
      const path = { legalId, languageCode: language };
      return (await operation('get', '/api/v1/legalbylanguage/{legalId}/{languageCode}', { path, anonymous: true }))
        .legal;
    },
    staleTime: 10 * 60_000,
  });
