import type { ClientMessage } from './messages';

/** A still that was asked for and is on its way. `percent` 0–100. */
export interface Still {
  id: string;
  /** Identity of the device that was asked. */
  from: string | null;
  at: number;
  state: 'asked' | 'capturing' | 'uploading' | 'done' | 'failed';
  percent: number;
  mediaId: string | null;
  reason: string | null;
}

export type StillProgress = Extract<ClientMessage, { t: 'still-progress' }>;

/**
 * A still without news from the client's device for this long has failed (CALL-21). It is long because without a live
 * camera a person takes the picture by hand. Milliseconds.
 */
export const STILL_SILENCE_MS = 120_000;

export function ask(stills: readonly Still[], id: string, from: string | null, now: number): Still[] {
  return [...stills, { id, from, at: now, state: 'asked', percent: 0, mediaId: null, reason: null }];
}

/**
 * A progress message changes the still it names, if it comes from the device that was asked; percent never runs
 * backwards; unknown ids are ignored.
 */
export function progress(stills: readonly Still[], message: StillProgress, from: string, now: number): Still[] {
  return stills.map((still) =>
    still.id !== message.id || still.from !== from || still.state === 'done'
      ? still
      : {
          ...still,
          at: now,
          state: message.state,
          percent: message.state === 'done' ? 100 : Math.max(still.percent, message.percent),
          mediaId: message.mediaId ?? still.mediaId,
          reason: message.reason ?? null,
        },
  );
}

export function fail(stills: readonly Still[], id: string, reason: string): Still[] {
  return stills.map((still) => (still.id === id ? { ...still, state: 'failed', reason } : still));
}

/** Marks stills without news as failed; answers the same array when nothing changed. */
export function expire(stills: readonly Still[], now: number): readonly Still[] {
  const stale = (still: Still) =>
    still.state !== 'done' && still.state !== 'failed' && now - still.at > STILL_SILENCE_MS;
  if (!stills.some(stale)) return stills;
  return stills.map((still) => (stale(still) ? { ...still, state: 'failed', reason: 'STILL_SILENT' } : still));
}

/** What the strip still has to show: everything whose picture has not arrived as a media item. */
export function pending(stills: readonly Still[], arrived: ReadonlySet<string>): Still[] {
  return stills.filter((still) => !(still.mediaId && arrived.has(still.mediaId)) && still.state !== 'done');
}
