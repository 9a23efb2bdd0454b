import { queryOptions } from '@tanstack/react-query';
import type { components } from '@/api/generated/schema';
import { operation } from '@/api/operation';

type Schemas = components['schemas'];

/** One version of a kind of text, with its languages and who accepted it. */
export type LegalVersion = Schemas['LegalVersion'];

export const LEGALS = 'list_legals';

/** Every version of every kind, newest first. Administrator only. */
export const listLegals = queryOptions({
  queryKey: [LEGALS],
  queryFn: async ({ signal }) => (await operation('get', '/api/v1/legals', { signal })).legals,
});

/** A new version; with `version` a further language of one that is there. `inForceFrom` absent: from now on. */
export type NewLegal = Omit<Schemas['NewLegal'], 'inForceFrom' | 'version'> & {
  inForceFrom?: string;
  version?: number;
};

export const publishLegal = async (body: NewLegal) => (await operation('post', '/api/v1/legal', { body })).legal;
