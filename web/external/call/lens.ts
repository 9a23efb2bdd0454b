/**
 * Which rear camera is the main one (CLIENT-16): a phone has up to four, and the ultra-wide one bends dents and blurs
 * plates. Pure: works on what the browser lists.
 */
export interface Lens {
  deviceId: string;
  label: string;
  facing: 'environment' | 'user' | null;
  /** Null when not known without opening it. */
  torch: boolean | null;
}

/** Words that phones use in labels, in the languages seen (iOS translates them, Android does not). */
const FRONT = /front|user|frontal|delantera|face ?time|vorder|avant/i;
const BACK = /back|rear|environment|trasera|posterior|arrière|rück/i;
const ULTRA_WIDE = /ultra|0[.,]5|wide ?angle|gran angular|grand angle/i;
const TELE = /tele|zoom|\b[2-9]x\b|macro|depth|infra|\bir\b|mono/i;
/** iPhone's combined lenses focus by themselves between near and far: the best choice there. */
const COMBINED = /triple|dual|doble/i;

export function facingOf(label: string, modes: readonly string[] = []): Lens['facing'] {
  if (modes.includes('environment')) return 'environment';
  if (modes.includes('user')) return 'user';
  if (FRONT.test(label)) return 'user';
  return BACK.test(label) ? 'environment' : null;
}

/** Android names them "camera2 0, facing back": the main lens has the lowest number. */
function number(label: string): number {
  const found = /camera2? ?(\d+)/i.exec(label);
  return found ? Number(found[1]) : 0;
}

function score(lens: Lens): number {
  let points = 0;
  if (lens.torch) points += 8;
  if (ULTRA_WIDE.test(lens.label) && !COMBINED.test(lens.label)) points -= 6;
  if (TELE.test(lens.label)) points -= 4;
  if (/wide/i.test(lens.label) && COMBINED.test(lens.label)) points += 1;
  return points - number(lens.label) / 10;
}

/** Rear cameras, the main one first. When none says where it looks, all of them in the browser's order. */
export function rankRear(lenses: readonly Lens[]): Lens[] {
  const rear = lenses.filter((lens) => lens.facing === 'environment');
  const usable = rear.length ? rear : lenses.filter((lens) => lens.facing === null);
  return usable
    .map((lens, index) => ({ lens, index, points: score(lens) }))
    .sort((a, b) => b.points - a.points || a.index - b.index)
    .map(({ lens }) => lens);
}

/** True when the open lens should be left for a better one. A lens with a torch is the main one on every phone. */
export function betterThan(current: Lens | undefined, ranked: readonly Lens[]): Lens | null {
  const best = ranked[0];
  if (!best || best.deviceId === current?.deviceId) return null;
  if (!current) return best;
  if (current.torch) return null;
  return current.facing === 'user' || score(best) > score(current) ? best : null;
}

/** The lens after the open one, for an adjuster who goes through them all. */
export function nextLens(currentId: string | undefined, lenses: readonly Lens[]): Lens | null {
  if (lenses.length < 2) return null;
  const index = lenses.findIndex((lens) => lens.deviceId === currentId);
  return lenses[(index + 1) % lenses.length] ?? null;
}

/** The rear camera shows plates and dents, so detail goes before fluent movement; a face is the other way round. */
export function hint(track: MediaStreamTrack): void {
  const rear = facingOf(track.label, [track.getSettings().facingMode ?? '']) === 'environment';
  if ('contentHint' in track) track.contentHint = rear ? 'detail' : 'motion';
}
