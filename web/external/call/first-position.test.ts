import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import phrases from '../../../vectors/chat_phrases.json';
import { type Fix, Refused } from '../devices';
import type { ChatMessage } from '../model';
import { FirstPosition, POSITION_PATIENCE_MS } from './first-position';
import { wordsOf } from './view';

const FIX: Fix = { latitude: 39.57, longitude: 2.65, accuracy: 12, at: '2026-11-24T10:00:00.000Z' };

function started(outcome: 'pending' | 'granted' | 'denied' | 'skipped', read = () => Promise.resolve(FIX)) {
  const log: string[] = [];
  const position = new FirstPosition(outcome, {
    show: (ask) => log.push(`show ${ask}`),
    found: (fix) => log.push(`found ${fix.latitude}`),
    open: () => log.push('open'),
    answered: (what, kind) => log.push(`answered ${what} ${kind}`),
    read,
  });
  return { position, log };
}

// CLIENT-12
describe('the position at the first picture', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('is asked once, and the picture waits for the answer', async () => {
    const { position, log } = started('pending');
    let gone = false;
    const waiting = position.settled().then(() => {
      gone = true;
      expect(log).toContain('found 39.57');
    });
    await vi.advanceTimersByTimeAsync(1000);
    expect(gone).toBe(false);
    await position.allow();
    await waiting;
    expect(log).toEqual(['show question', 'show asking', 'show null', 'answered granted null', 'found 39.57']);
    await position.settled();
    expect(log.filter((entry) => entry === 'show question')).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(POSITION_PATIENCE_MS);
    expect(log).not.toContain('open');
  });

  it('does not hold the picture back for long, nor from a person who says no', async () => {
    const { position, log } = started('pending');
    const waiting = position.settled();
    await vi.advanceTimersByTimeAsync(POSITION_PATIENCE_MS);
    await waiting;
    // EVID-31
    expect(log.at(-1)).toBe('open');
    position.refuse();
    expect(log.at(-1)).toBe('answered skipped null');
    const other = started('pending');
    const refused = other.position.settled();
    other.position.refuse();
    await refused;
  });

  it('tells a refusal of the browser from a place that was not found', async () => {
    const { position, log } = started('pending', () => Promise.reject(new Refused('blocked')));
    void position.settled();
    await position.allow();
    expect(log.at(-1)).toBe('answered denied blocked');
  });

  it.each(['granted', 'denied', 'skipped'] as const)('is not asked again after %s', async (outcome) => {
    const { position, log } = started(outcome);
    await position.settled();
    expect(log).toEqual([]);
  });
});

// CHAT-3
describe('a ready phrase', () => {
  const said = (phrase: string | null): ChatMessage => ({
    _id: '1',
    from: 'user:1',
    name: 'N',
    kind: 'staff',
    text: 'Más cerca',
    phrase,
    at: '',
  });
  const t = (key: string) => `[${key}]`;
  it('is said in the language of the page, everything else as it was written', () => {
    expect(wordsOf(t, said('closer'))).toBe('[phrase_closer]');
    expect(wordsOf(t, said(null))).toBe('Más cerca');
    expect(wordsOf(t, said('unknown'))).toBe('Más cerca');
  });

  it('has words here, whatever the server lets be said', () => {
    for (const phrase of phrases) expect(wordsOf(t, said(phrase))).toBe(`[phrase_${phrase}]`);
  });
});
