import { describe, expect, it } from 'vitest';
import {
  answeredOf,
  answerOf,
  callbackProblem,
  inOrder,
  isRinging,
  localValue,
  matching,
  minutesAhead,
  progress,
  queueOf,
  remainingMs,
  ringsSince,
  roomHref,
  shownOf,
  tomorrowAtNine,
} from './model';
import { CUSTOMERS, iso, NOW, requestOf } from './testing/data';

const ids = (some: { _id: string }[]) => some.map(({ _id }) => _id);

describe('what rings', () => {
  const agreed = requestOf({ _id: 'later', state: 'scheduled', callbackAt: iso(600), expiresAt: iso(2_400) });
  const due = requestOf({ _id: 'due', state: 'scheduled', callbackAt: iso(-60), expiresAt: iso(1_740) });

  it('is what waits, and an agreed call from its time on', () => {
    expect(isRinging(requestOf(), NOW)).toBe(true);
    expect(isRinging(agreed, NOW)).toBe(false);
    expect(isRinging(agreed, NOW + 600_000)).toBe(true);
    expect(isRinging(requestOf({ state: 'accepted' }), NOW)).toBe(false);
  });

  it('counts from the agreed time, not from when it was asked for', () => {
    expect(ringsSince(due)).toBe(NOW - 60_000);
    expect(ringsSince(requestOf())).toBe(NOW - 221_000);
  });

  it('is answered in the order of the wait; agreed calls follow by their time', () => {
    const young = requestOf({ _id: 'young', createdAt: iso(-5) });
    const gone = requestOf({ _id: 'gone', state: 'withdrawn' });
    const soon = requestOf({ _id: 'soon', state: 'scheduled', callbackAt: iso(300) });
    const { ringing, agreed: calls } = queueOf([agreed, young, gone, due, soon, requestOf()], NOW);
    expect(ids(ringing)).toEqual(['r1', 'due', 'young']);
    expect(ids(calls)).toEqual(['soon', 'later']);
  });

  it('passes between 0 and 1 and never leaves less than nothing', () => {
    expect(progress(requestOf(), NOW)).toBeCloseTo(221 / 600);
    expect(progress(requestOf(), NOW + 3_600_000)).toBe(1);
    expect(progress(requestOf(), NOW - 3_600_000)).toBe(0);
    expect(remainingMs(requestOf(), NOW)).toBe(379_000);
    expect(remainingMs(requestOf(), NOW + 3_600_000)).toBe(0);
  });
});

describe('what the starter sees', () => {
  const accepted = requestOf({ _id: 'a', state: 'accepted', url: '/external/h', endedAt: iso(-10) });
  const expired = requestOf({ _id: 'e', state: 'expired', endedAt: iso(-20) });
  const shown = (requests: Parameters<typeof shownOf>[0], done: string[] = []) => shownOf(requests, 'u1', done, NOW);

  it.each([
    ['nothing: the form', [], 'form'],
    ['a wait, whatever else there is', [accepted, requestOf(), expired], 'waiting'],
    ['an answer', [accepted, expired], 'accepted'],
    ['a refusal', [requestOf({ state: 'refused', endedAt: iso(-5) })], 'refused'],
    ['an expiry', [expired], 'expired'],
    ['what he withdrew himself: the form', [requestOf({ state: 'withdrawn' })], 'form'],
    ['a call that is over: the form', [requestOf({ state: 'accepted', url: null })], 'form'],
    ['somebody else’s: the form', [requestOf({ starterId: 'u2' })], 'form'],
    ['an agreed call: the form beside it', [requestOf({ state: 'scheduled', callbackAt: iso(900) })], 'form'],
    ['an agreed call whose time has come', [requestOf({ state: 'scheduled', callbackAt: iso(-1) })], 'waiting'],
  ])('%s', (_name, requests, kind) => expect(shown(requests).kind).toBe(kind));

  it('is shown once, but leaves the way back into a call that goes on', () => {
    const after = shown([accepted], [answerOf(accepted)]);
    expect(after).toMatchObject({ kind: 'form', lately: { _id: 'a' } });
    expect(shown([expired], [answerOf(expired)])).toMatchObject({ kind: 'form', lately: null });
  });

  it('is shown again when a call-back after the refusal came to nothing too', () => {
    const again = { ...expired, expiresAt: iso(7_200), endedAt: iso(-1) };
    expect(shown([again], [answerOf(expired)]).kind).toBe('expired');
  });

  it('is not an old refusal that a newer request followed', () => {
    const refused = requestOf({ state: 'refused', endedAt: iso(-900) });
    expect(shown([refused, { ...accepted, url: null }]).kind).toBe('form');
  });

  it('keeps an answer that came while something else was withdrawn', () => {
    const withdrawn = requestOf({ _id: 'w', state: 'withdrawn', endedAt: iso(-1) });
    expect(shown([withdrawn, accepted]).kind).toBe('accepted');
  });
});

describe('customers to choose from', () => {
  it('come with the free ones first, then those of the region, then by name', () => {
    expect(ids(inOrder(CUSTOMERS, ''))).toEqual(['c8', 'c9', 'c2', 'c3']);
    expect(ids(inOrder(CUSTOMERS, 'Valencia/València'))).toEqual(['c9', 'c8', 'c2', 'c3']);
  });

  it('are found by name or region without accents', () => {
    expect(ids(matching(CUSTOMERS, 'abaco'))).toEqual(['c8']);
    expect(ids(matching(CUSTOMERS, 'castellon tur'))).toEqual(['c2']);
    expect(matching(CUSTOMERS, '  ')).toHaveLength(4);
    expect(matching(CUSTOMERS, 'nobody')).toEqual([]);
  });
});

describe('an agreed time', () => {
  const at = (ms: number) => localValue(NOW + ms);
  it.each([
    ['', 'empty'],
    ['tomorrow', 'empty'],
    [at(0), 'soon'],
    [at(4 * 60_000), 'soon'],
    [at(5 * 60_000), null],
    [at(14 * 24 * 3_600_000), null],
    [at(14 * 24 * 3_600_000 + 60_000), 'far'],
  ])('%s → %s', (value, problem) => expect(callbackProblem(value, NOW)).toBe(problem));

  it('is offered on full minutes', () => {
    expect(minutesAhead(30, NOW + 1)).toBe(NOW + 31 * 60_000);
    expect(minutesAhead(30, NOW)).toBe(NOW + 30 * 60_000);
    const nine = new Date(tomorrowAtNine(NOW));
    expect([nine.getHours(), nine.getMinutes(), nine.getDate()]).toEqual([9, 0, new Date(NOW).getDate() + 1]);
  });

  it('goes through the field unchanged', () => {
    expect(new Date(localValue(NOW)).getTime()).toBe(NOW);
  });
});

describe('the way into the room', () => {
  const origin = 'https://atalaya.example';
  it.each([
    ['/external/h4sh', '/external/h4sh?from=request'],
    ['https://atalaya.example/external/h4sh', '/external/h4sh?from=request'],
    // Only the path is taken, so no answer leads to another origin.
    ['https://evil.example/external/h4sh', '/external/h4sh?from=request'],
    ['//evil.example/external/h', '/external/h?from=request'],
    ['/conference/1', null],
    ['javascript:alert(1)', null],
    ['https://', null],
    [null, null],
  ])('%s → %s', (url, href) => expect(roomHref(url, origin)).toBe(href));
});

describe('the last hour', () => {
  it('has the customer’s answered ones, newest first', () => {
    const one = requestOf({ _id: '1', state: 'expired', endedAt: iso(-50) });
    const two = requestOf({ _id: '2', state: 'accepted', endedAt: iso(-5) });
    const other = requestOf({ _id: '3', state: 'accepted', customerId: 'c1' });
    expect(ids(answeredOf([one, requestOf(), two, other], 'c9'))).toEqual(['2', '1']);
  });
});
