import { describe, expect, it } from 'vitest';
import { refusalOf } from './devices';
import { type Effect, type Event, START, type State, step } from './machine';
import { type LinkInfo, NOTHING_ASKED, type Outcomes, type RefusalKind } from './model';

const INFO: LinkInfo = {
  state: 'open',
  company: 'Mutua Tramontana',
  adjuster: 'Nuria Ferrer',
  expedientNumber: '2026-118392',
  type: 1,
  carId: null,
  contactPerson: null,
  language: 'es',
  expiredAt: null,
  retentionDays: 31,
  legal: { documentId: 'd', version: 2, language: 'es', title: 't', html: '<p>x</p>', sha256: 'f' },
  recording: null,
  contactPhone: null,
};
const DONE: Outcomes = { camera: 'granted', microphone: 'granted', geolocation: 'denied' };

const boot = (extra: Partial<Extract<Event, { type: 'BOOT' }>> = {}): Event => ({
  type: 'BOOT',
  hash: 'h',
  reason: null,
  clientKey: null,
  outcomes: null,
  browserProblem: null,
  ...extra,
});
const loaded = (extra: Partial<LinkInfo> = {}): Event => ({ type: 'LOADED', info: { ...INFO, ...extra } });

/** Runs the events and keeps every effect, as a name with what matters in it. */
function play(...events: Event[]): { state: State; at: string; effects: string[] } {
  let state = START;
  const effects: string[] = [];
  for (const event of events) {
    const next = step(state, event);
    state = next.state;
    effects.push(...next.effects.map(nameOf));
  }
  const { screen } = state;
  const at = screen.at === 'permission' ? `${screen.permission}:${screen.phase}` : screen.at;
  return { state, at, effects };
}

function nameOf(effect: Effect): string {
  if (effect.do === 'track') return [effect.type, effect.data.permission, effect.data.reason].filter(Boolean).join(' ');
  if (effect.do === 'ask' || effect.do === 'release') return `${effect.do} ${effect.permission}`;
  if (effect.do === 'reopen') return `reopen ${effect.permissions.join('+')}`;
  return effect.do;
}

const ACCEPTED: Event[] = [
  boot(),
  loaded(),
  { type: 'READ', on: true },
  { type: 'ACCEPT' },
  { type: 'ACCEPTED', clientKey: 'k' },
];

// VISIT-7
describe('an appointment', () => {
  const appointment = { at: '2026-11-21T10:00:00Z', state: 'proposed', proposedBy: 'staff' } as const;

  it('is read before anything is asked, and the notice is not said to be shown', () => {
    const here = play(boot(), loaded({ appointment }));
    expect(here.at).toBe('visit');
    expect(here.effects).toEqual(['load', 'LINK_OPENED']);
    const named = play(boot(), loaded({ appointment }), {
      type: 'NAMED',
      appointment: { ...appointment, state: 'agreed' },
    });
    expect([named.at, named.state.info?.appointment?.state]).toEqual(['visit', 'agreed']);
  });

  it('holds nobody up', () => {
    const inside = play(boot(), loaded({ appointment }), { type: 'ENTER' });
    expect(inside.at).toBe('notice');
    expect(inside.effects).toContain('LEGAL_SHOWN');
    expect(play(boot(), loaded({ appointment: null })).at).toBe('notice');
  });

  // RESCUE-2
  it('is offered to whoever cannot go on', () => {
    const refused: Event[] = [...ACCEPTED, { type: 'ASK' }, { type: 'REFUSED', permission: 'camera', kind: 'blocked' }];
    expect(play(...refused, { type: 'VISIT' }).at).toBe('visit');
    expect(play(...refused, { type: 'VISIT' }, { type: 'ENTER' }).at).toBe('devices:explain');
  });
});

// CLIENT-4, CLIENT-10
describe('opening the link', () => {
  it.each<[string, Event[], string]>([
    ['a hash is loaded', [boot()], 'loading'],
    ['no hash asks for the code', [boot({ hash: null })], 'code'],
    ['an unknown short link is explained', [boot({ hash: null, reason: 'unknown' })], 'unknown'],
    ['open', [boot(), loaded()], 'notice'],
    ['expired', [boot(), loaded({ state: 'expired' })], 'expired'],
    ['closed, on a strange phone', [boot(), loaded({ state: 'closed' })], 'closed'],
    ['closed, on the phone of the call', [boot({ clientKey: 'k' }), loaded({ state: 'closed' })], 'ended'],
    ['declined before', [boot(), loaded({ state: 'declined' })], 'declined'],
    ['unknown hash', [boot(), { type: 'LOAD_FAILED', reason: 'unknown' }], 'unknown'],
    ['no answer', [boot(), { type: 'LOAD_FAILED', reason: 'network' }], 'offline'],
    [
      'the server came back',
      [boot(), { type: 'LOAD_FAILED', reason: 'network' }, { type: 'RETRY' }, loaded()],
      'notice',
    ],
    ['unknown, then the code', [boot({ hash: null, reason: 'unknown' }), { type: 'ASK_CODE' }], 'code'],
    ['in an app without a camera', [boot({ browserProblem: 'inapp' }), loaded()], 'browser'],
    ['back with a key, all answered', [boot({ clientKey: 'k', outcomes: DONE }), loaded()], 'resume'],
    ['back with a key, nothing asked', [boot({ clientKey: 'k' }), loaded()], 'devices:explain'],
    [
      'back with a key in the middle of the permissions',
      [boot({ clientKey: 'k', outcomes: { ...NOTHING_ASKED, camera: 'denied' } }), loaded()],
      'microphone:explain',
    ],
  ])('%s', (_name, events, at) => expect(play(...events).at).toBe(at));

  // CLIENT-1
  it('only reads until something is visible: opened and shown are marked for a visible page', () => {
    const { effects } = step(step(START, boot()).state, loaded());
    expect(effects.filter((effect) => effect.do === 'track')).toEqual([
      expect.objectContaining({ type: 'LINK_OPENED', whenVisible: true }),
      expect.objectContaining({
        type: 'LEGAL_SHOWN',
        whenVisible: true,
        data: expect.objectContaining({ version: 2 }),
      }),
    ]);
  });

  it('fetches the call code while the notice is read, not before', () => {
    expect(play(boot()).effects).not.toContain('preloadCall');
    expect(play(boot(), loaded()).effects).toContain('preloadCall');
  });

  it('waits longer after each failure', () => {
    const failed: Event = { type: 'LOAD_FAILED', reason: 'network' };
    const { state, effects } = play(boot(), failed, { type: 'RETRY' }, failed);
    expect(state.screen).toEqual({ at: 'offline', tries: 2 });
    expect(effects).toEqual(['load', 'retryLater', 'load', 'retryLater']);
  });

  // CLIENT-15
  it('goes on without a camera where there is none: no device is asked for', () => {
    const events: Event[] = [boot({ browserProblem: 'unsupported' }), loaded(), { type: 'WITHOUT_DEVICES' }];
    expect(play(...events).at).toBe('notice');
    expect(
      play(...events, { type: 'READ', on: true }, { type: 'ACCEPT' }, { type: 'ACCEPTED', clientKey: 'k' }).at,
    ).toBe('call');
  });

  it('tells the adjuster which browser problem it is', () => {
    expect(play(boot({ browserProblem: 'inapp' }), loaded()).effects).toContain(
      'PERMISSION_DENIED camera IN_APP_BROWSER',
    );
    expect(play(boot({ browserProblem: 'unsupported' }), loaded()).effects).toContain(
      'PERMISSION_DENIED camera UNSUPPORTED_BROWSER',
    );
  });
});

// CLIENT-11
describe('the dictated code', () => {
  const code: Event = { type: 'CODE', code: '482913554120' };
  it.each<[string, Event[], unknown]>([
    ['wrong', [{ type: 'CODE_FAILED', reason: 'invalid' }], { at: 'code', error: 'invalid', sending: false }],
    ['too many', [{ type: 'CODE_FAILED', reason: 'tooMany' }], { at: 'code', error: 'tooMany', sending: false }],
    ['right', [{ type: 'CODE_OK', hash: 'h2', clientKey: null, outcomes: null }], { at: 'loading' }],
  ])('%s', (_name, events, screen) => expect(play(boot({ hash: null }), code, ...events).state.screen).toEqual(screen));

  it('is sent once', () => {
    expect(play(boot({ hash: null }), code, code).effects).toEqual(['code']);
  });
});

// CLIENT-5, CLIENT-7
describe('the notice', () => {
  it('never has the box ticked by itself, and asks for it before accepting', () => {
    const { state, effects } = play(boot(), loaded(), { type: 'ACCEPT' });
    expect(state.read).toBe(false);
    expect(state.screen).toMatchObject({ at: 'notice', nudged: true, sending: null });
    expect(effects).not.toContain('accept');
  });

  it('can be declined without the box, and reconsidered with the box empty again', () => {
    const declined: Event[] = [boot(), loaded(), { type: 'READ', on: true }, { type: 'DECLINE' }, { type: 'DECLINED' }];
    expect(play(...declined).at).toBe('declined');
    const again = play(...declined, { type: 'RECONSIDER' });
    expect(again.at).toBe('notice');
    expect(again.state.read).toBe(false);
    expect(again.effects.filter((name) => name === 'LEGAL_SHOWN')).toHaveLength(2);
  });

  it('sends one answer only, and says so when it did not arrive', () => {
    const sent: Event[] = [
      boot(),
      loaded(),
      { type: 'READ', on: true },
      { type: 'ACCEPT' },
      { type: 'ACCEPT' },
      { type: 'DECLINE' },
    ];
    expect(play(...sent).effects.filter((name) => name === 'accept' || name === 'decline')).toEqual(['accept']);
    const failed = play(...sent, { type: 'LEGAL_FAILED', gone: false });
    expect(failed.state.screen).toMatchObject({ at: 'notice', sending: null, failed: true });
    expect(failed.state.read).toBe(true);
  });

  it('reads the link again when it was closed meanwhile', () => {
    expect(
      play(boot(), loaded(), { type: 'READ', on: true }, { type: 'ACCEPT' }, { type: 'LEGAL_FAILED', gone: true }).at,
    ).toBe('loading');
  });

  it('is shown and recorded anew in another language, and stays', () => {
    const other = loaded({
      legal: { ...(INFO.legal as NonNullable<LinkInfo['legal']>), language: 'en', documentId: 'e' },
    });
    const { at, effects } = play(boot(), loaded(), other);
    expect(at).toBe('notice');
    expect(effects.filter((name) => name === 'LEGAL_SHOWN')).toHaveLength(2);
    expect(effects.filter((name) => name === 'LINK_OPENED')).toHaveLength(1);
  });
});

// CLIENT-12
describe('the permissions', () => {
  type Device = 'camera' | 'microphone';
  const both: Event[] = [{ type: 'ASK' }, { type: 'GRANTED', permission: 'devices' }];
  const grant = (permission: Device): Event[] => [{ type: 'ASK' }, { type: 'GRANTED', permission }];
  const refuse = (permission: Device, kind: RefusalKind = 'blocked'): Event[] => [
    { type: 'ASK' },
    { type: 'REFUSED', permission, kind },
  ];
  const skip: Event = { type: 'SKIP' };

  it('are one prompt for camera and microphone, then the call', () => {
    expect(play(...ACCEPTED).at).toBe('devices:explain');
    const all = play(...ACCEPTED, ...both);
    expect(all.at).toBe('call');
    expect(all.state.outcomes).toEqual({ camera: 'granted', microphone: 'granted', geolocation: 'pending' });
    expect(all.effects.filter((name) => name.startsWith('PERMISSION'))).toEqual([
      'PERMISSION_GRANTED camera',
      'PERMISSION_GRANTED microphone',
    ]);
  });

  it('make five taps from the SMS to the call', () => {
    // The link, the box, "accept", "allow", and the browser's own prompt.
    const taps = ['link', ...ACCEPTED.slice(2, 4), ...both];
    expect(taps).toHaveLength(5);
    expect(play(...ACCEPTED, ...both).at).toBe('call');
  });

  it('are asked only after a tap', () => {
    expect(play(...ACCEPTED).effects.filter((name) => name.startsWith('ask'))).toEqual([]);
    expect(play(...ACCEPTED, { type: 'ASK' }).effects).toContain('ask devices');
  });

  it.each<[string, Event[], string, Partial<Outcomes>]>([
    ['refused: one by one from there', [...refuse('camera'), skip], 'microphone:explain', { camera: 'denied' }],
    ['one by one by choice', [skip, skip], 'microphone:explain', { camera: 'skipped' }],
    [
      'refused, cured, tried again',
      [...refuse('camera'), ...grant('camera'), ...grant('microphone')],
      'call',
      { camera: 'granted', microphone: 'granted' },
    ],
    [
      'the microphone was blocked before: the camera is open, the microphone has its help',
      [
        { type: 'ASK' },
        { type: 'GRANTED', permission: 'camera' },
        { type: 'REFUSED', permission: 'microphone', kind: 'blocked' },
      ],
      'microphone:refused',
      { camera: 'granted' },
    ],
    [
      'closed without an answer, then gone on without',
      [...refuse('camera', 'unanswered'), skip],
      'microphone:explain',
      { camera: 'skipped' },
    ],
    [
      'nothing at all still enters',
      [...refuse('camera'), skip, ...refuse('microphone'), skip],
      'call',
      { camera: 'denied', microphone: 'denied' },
    ],
  ])('%s', (_name, events, at, outcomes) => {
    const result = play(...ACCEPTED, ...events);
    expect(result.at).toBe(at);
    expect(result.state.outcomes).toMatchObject(outcomes);
  });

  // CLIENT-13
  it('silence is a hint that cancels nothing: the late answer counts', () => {
    const slow: Event[] = [...ACCEPTED, { type: 'ASK' }, { type: 'SLOW', permission: 'devices' }];
    expect(play(...slow).at).toBe('devices:slow');
    expect(play(...slow).effects).toContain('PERMISSION_DENIED camera PERMISSION_NO_ANSWER');
    expect(play(...slow, { type: 'GRANTED', permission: 'devices' }).at).toBe('call');
    // Also when the person has gone on to the single questions meanwhile.
    expect(play(...slow, skip, { type: 'GRANTED', permission: 'devices' }).at).toBe('call');
  });

  it.each<[string, string, RefusalKind]>([
    ['NotAllowedError', 'Permission denied', 'blocked'],
    ['NotAllowedError', 'Permission dismissed', 'unanswered'],
    ['NotFoundError', 'Requested device not found', 'missing'],
    ['NotReadableError', 'Could not start video source', 'busy'],
  ])('%s, "%s" is %s', (name, message, kind) => expect(refusalOf(new DOMException(message, name))).toBe(kind));

  // CLIENT-13
  it('a prompt closed without an answer is not called a refusal', () => {
    const { state, effects } = play(...ACCEPTED, ...refuse('camera', 'unanswered'));
    expect(state.screen).toMatchObject({ permission: 'camera', phase: 'refused', refusal: 'unanswered' });
    expect(effects).toContain('PERMISSION_DENIED camera PERMISSION_NO_ANSWER');
    expect(effects).not.toContain('PERMISSION_DENIED camera CAMERA_DENIED');
  });

  it('an answer that comes after going on without is used before the call and released in it', () => {
    const passed: Event[] = [...ACCEPTED, skip, { type: 'ASK' }, skip];
    const used = play(...passed, { type: 'GRANTED', permission: 'camera' });
    expect(used.at).toBe('microphone:explain');
    expect(used.state.outcomes.camera).toBe('granted');
    const released = play(...passed, skip, { type: 'GRANTED', permission: 'camera' });
    expect(released.at).toBe('call');
    expect(released.effects).toContain('release camera');
  });

  it('the position is answered in the call, recorded and remembered', () => {
    const answered = (event: Partial<Extract<Event, { type: 'POSITION' }>>) =>
      play(...ACCEPTED, ...both, { type: 'POSITION', outcome: 'granted', kind: null, ...event });
    expect(answered({}).at).toBe('call');
    expect(answered({}).state.outcomes.geolocation).toBe('granted');
    expect(answered({}).effects.slice(-2)).toEqual(['PERMISSION_GRANTED geolocation', 'remember']);
    expect(answered({ outcome: 'skipped' }).effects).toContain('PERMISSION_DENIED geolocation SKIPPED');
    expect(answered({ outcome: 'denied', kind: 'blocked' }).effects).toContain(
      'PERMISSION_DENIED geolocation GEOLOCATION_DENIED',
    );
  });

  it.each([
    ['blocked', 'CAMERA_DENIED'],
    ['missing', 'CAMERA_NOT_FOUND'],
    ['busy', 'CAMERA_IN_USE'],
  ] as const)('%s reaches the adjuster as %s', (kind, reason) => {
    const { state, effects } = play(...ACCEPTED, { type: 'ASK' }, { type: 'REFUSED', permission: 'camera', kind });
    expect(state.screen).toMatchObject({ at: 'permission', phase: 'refused', refusal: kind });
    expect(effects).toContain(`PERMISSION_DENIED camera ${reason}`);
  });

  // CLIENT-14
  it('says that the adjuster knows only when the report arrived, and only on that screen', () => {
    const told = play(...ACCEPTED, ...refuse('camera'), { type: 'TOLD' });
    expect(told.state.told).toBe(true);
    expect(play(...ACCEPTED, ...refuse('camera')).state.told).toBe(false);
    expect(play(...ACCEPTED, ...refuse('camera'), { type: 'TOLD' }, { type: 'SKIP' }).state.told).toBe(false);
  });
});

describe('the call and after', () => {
  const back: Event[] = [boot({ clientKey: 'k', outcomes: DONE }), loaded()];

  // CLIENT-10
  it('a reload needs one tap and opens what had been allowed', () => {
    const opening = play(...back, { type: 'RESUME' });
    expect(opening.effects).toContain('reopen camera+microphone');
    expect(play(...back, { type: 'RESUME' }, { type: 'REOPENED', lost: [] }).at).toBe('call');
  });

  it('a device lost meanwhile goes through its own screen first', () => {
    const lost = play(
      ...back,
      { type: 'RESUME' },
      { type: 'REOPENED', lost: [{ permission: 'camera', kind: 'busy' }] },
    );
    expect(lost.at).toBe('camera:refused');
    expect(lost.effects).toContain('PERMISSION_DENIED camera CAMERA_IN_USE');
  });

  // CLIENT-23
  it('hanging up may be undone', () => {
    const call: Event[] = [...back, { type: 'RESUME' }, { type: 'REOPENED', lost: [] }];
    const left = play(...call, { type: 'HANG_UP' });
    expect(left.at).toBe('left');
    expect(left.effects).toContain('leave');
    expect(play(...call, { type: 'HANG_UP' }, { type: 'COME_BACK' }).at).toBe('resume');
    expect(play(...call, { type: 'CLOSED' }).at).toBe('ended');
  });

  it('a key that is no longer valid starts over with the notice', () => {
    const over = play(...back, { type: 'RESUME' }, { type: 'REOPENED', lost: [] }, { type: 'KEY_INVALID' }, loaded());
    expect(over.at).toBe('notice');
    expect(over.effects).toContain('forget');
    expect(over.state.clientKey).toBeNull();
  });

  it('ignores what does not fit the screen', () => {
    const { state } = play(boot(), loaded());
    for (const event of [{ type: 'ASK' }, { type: 'SKIP' }, { type: 'RESUME' }, { type: 'RETRY' }] as Event[]) {
      expect(step(state, event)).toEqual({ state, effects: [] });
    }
  });
});
