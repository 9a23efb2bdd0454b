/** What this phone stores between two visits of the link. Without storage the page starts over. */
import { NOTHING_ASKED, type Outcome, type Outcomes, PERMISSIONS } from './model';

const keyName = (hash: string) => `atalaya-client-${hash}`;
const outcomesName = (hash: string) => `atalaya-client-steps-${hash}`;

function guarded<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

export const recallKey = (hash: string): string | null => guarded(() => localStorage.getItem(keyName(hash)), null);

export function parseOutcomes(text: string | null): Outcomes | null {
  if (!text) return null;
  const found = guarded(() => JSON.parse(text) as Record<string, unknown>, {});
  const outcomes: Outcomes = { ...NOTHING_ASKED };
  for (const permission of PERMISSIONS) {
    const value = found?.[permission];
    if (value === 'granted' || value === 'denied' || value === 'skipped') outcomes[permission] = value as Outcome;
  }
  return outcomes;
}

export const recallOutcomes = (hash: string): Outcomes | null =>
  guarded(() => parseOutcomes(localStorage.getItem(outcomesName(hash))), null);

export function remember(hash: string, clientKey: string | null, outcomes: Outcomes): void {
  guarded(() => {
    if (clientKey) localStorage.setItem(keyName(hash), clientKey);
    localStorage.setItem(outcomesName(hash), JSON.stringify(outcomes));
  }, undefined);
}

export function forget(hash: string): void {
  guarded(() => {
    localStorage.removeItem(keyName(hash));
    localStorage.removeItem(outcomesName(hash));
  }, undefined);
}
