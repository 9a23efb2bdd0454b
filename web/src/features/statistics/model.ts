import type { components } from '@/api/generated/schema';
import { daysBefore, shortRange } from '@/shared/lib/day-range';

/** The steps of a case, each within the one before. Source: issue 4 "weekly funnel", CONTRACT `funnel/{companyId}`. */
export const STEPS = ['invited', 'opened', 'accepted', 'connected', 'usable'] as const;
export type Step = (typeof STEPS)[number];

/** How many conferences came at least so far. */
export type Counts = components['schemas']['Counts'];

/** Weeks oldest first, the last one is running; `week` is its Monday, `2026-11-16`. */
export type Funnel = components['schemas']['FunnelBody'];

/** Cases with a sharp picture, by week, company and cause (REPORT-9). */
export type Usable = components['schemas']['UsableBody'];
export type Share = components['schemas']['UsableShare'];

/** Weeks to choose from; the first is the default. */
export const SPANS = ['12', '4', '26'] as const;
export type Span = (typeof SPANS)[number];

export const spanOf = (text: string | undefined): Span => SPANS.find((span) => span === text) ?? '12';

/** Share of a whole in percent, a whole number; `null` of nothing. Anything but all of it is below 100. */
export function percent(part: number, whole: number): number | null {
  if (whole <= 0) return null;
  const share = Math.round((part * 100) / whole);
  return part < whole ? Math.min(share, 99) : share;
}

/** How many of the step before went on, in percent; the first step has none before. */
export function goneOn(counts: Counts, step: Step): number | null {
  const before = STEPS[STEPS.indexOf(step) - 1];
  return before ? percent(counts[step], counts[before]) : null;
}

/** The step where the most went missing, or `null` while nothing did. */
export function largestLoss(counts: Counts): Step | null {
  const losses = STEPS.slice(1).map((step, index) => ({ step, lost: counts[STEPS[index] ?? step] - counts[step] }));
  const largest = losses.reduce((most, one) => (one.lost > most.lost ? one : most), {
    step: STEPS[0] as Step,
    lost: 0,
  });
  return largest.lost > 0 ? largest.step : null;
}

/** `16–22 nov`: the seven days from a Monday on. */
export const weekText = (monday: string, language: string): string =>
  shortRange({ from: monday, to: daysBefore(monday, -6) }, language);

/** `16 nov`: for the axis of a chart. */
export const mondayText = (monday: string, language: string): string =>
  shortRange({ from: monday, to: monday }, language);
