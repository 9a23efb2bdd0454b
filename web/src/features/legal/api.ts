import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { Price } from '@/shared/lib/prices';

export const LEGAL_PENDING = 'legal_pending';

/** A text in force that the company has not accepted; `previousId`: the version that it accepted. */
export interface PendingText {
  legalId: string;
  type: number;
  title: string;
  version: number;
  previousId: string | null;
}

export interface Pending {
  pending: PendingText[];
  price: (Price & { previousId?: string | null }) | null;
  /** When this very set was declined. */
  declinedAt?: string | null;
}

/** What is in force and not accepted yet. For principals. */
export const legalPending = queryOptions({
  queryKey: [LEGAL_PENDING],
  queryFn: ({ signal }) => api.get<Pending>('/api/v1/legal-pending', { signal }),
  staleTime: 60 * 60_000,
});

const decided = ({ pending, price }: Pending) => ({
  legalIds: pending.map(({ legalId }) => legalId),
  priceId: price?._id ?? null,
});

/** Accepts all that is pending at once. */
export const acceptPending = (pending: Pending) => api.post<unknown>('/api/v1/legal-accept', decided(pending));

/** Declines it: recorded, and nothing else changes until the old terms end. */
export const declinePending = (pending: Pending) => api.post<unknown>('/api/v1/legal-decline', decided(pending));

export type DiffKind = 'same' | 'added' | 'removed';

/** One block of a text (heading, paragraph, item of a list); `parts` are the words of a changed one. */
export interface DiffBlock {
  kind: DiffKind | 'changed';
  text: string;
  parts?: { kind: DiffKind; text: string }[];
}

/** What changed from one version of a text to another. */
export const legalDiff = (from: string, to: string) =>
  queryOptions({
    queryKey: ['legal_diff', from, to],
    queryFn: async ({ signal }) => {
      const path = `/api/v1/legal-diff/${encodeURIComponent(from)}/${encodeURIComponent(to)}`;
      return (await api.get<{ diff: DiffBlock[] }>(path, { signal })).diff;
    },
    // Versions are added, never edited.
    staleTime: Number.POSITIVE_INFINITY,
  });
