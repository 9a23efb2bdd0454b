import { notifications } from '@mantine/notifications';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { logout } from '@/api/client';
import { writePreference } from '@/shared/lib/preferences';
import { session } from '@/shared/session';
import { liveSocket } from '@/shared/socket';
import { Providers, queryClient } from '@/test/providers';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { bytesOf, type PushFacts, sameBytes, supportOf, undoOf } from './browser';
import { PushDevices } from './components/PushDevices';
import { PushKeeper } from './components/PushKeeper';
import { PushOffer } from './components/PushOffer';

const navigate = vi.fn();
vi.mock('@tanstack/react-router', async (original) => ({
  ...(await original<typeof import('@tanstack/react-router')>()),
  useRouter: () => router,
}));
const router = { navigate };

const KEY = 'BAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0-P0A';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Safari/604.1';

/** The browser's side: one subscription, a permission, the worker. */
class FakeBrowser {
  held: FakeSubscription | null = null;
  permission: NotificationPermission = 'default';
  answer: NotificationPermission = 'granted';
  broken = false;
  messages: ((event: { data: unknown; ports: { postMessage: (answer: unknown) => void }[] }) => void)[] = [];
  notices: { tag: string; data: object; close: () => void }[] = [];
  made = 0;
  readonly registration = {
    pushManager: {
      getSubscription: async () => this.held,
      subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array<ArrayBuffer> }) => {
        if (this.broken) throw new DOMException('Registration failed', 'AbortError');
        this.made += 1;
        this.held = new FakeSubscription(this, `https://push.example/${this.made}`, applicationServerKey.buffer);
        return this.held;
      },
    },
    getNotifications: async (filter?: { tag?: string }) =>
      this.notices.filter(({ tag }) => !filter?.tag || tag === filter.tag),
  };
}
class FakeSubscription {
  constructor(
    private readonly browser: FakeBrowser,
    readonly endpoint: string,
    private readonly key: ArrayBuffer,
  ) {}
  get options() {
    return { applicationServerKey: this.key };
  }
  toJSON() {
    return { endpoint: this.endpoint, keys: { p256dh: 'p', auth: 'a' } };
  }
  async unsubscribe() {
    this.browser.held = null;
    return true;
  }
}

let browser: FakeBrowser;
let calls: { path: string; body: unknown }[];
let failing: string[];
let events: Map<string, (payload: unknown) => void>;
const device = (id: string, current: boolean) => ({
  _id: id,
  browser: 'Chrome',
  os: current ? 'Windows' : 'Android',
  createdAt: '2026-11-20T10:00:00Z',
  lastOkAt: current ? '2026-11-21T09:30:00Z' : null,
  current,
});

beforeAll(() => useTexts());
beforeEach(async () => {
  browser = new FakeBrowser();
  calls = [];
  failing = [];
  events = new Map();
  queryClient.clear();
  notifications.clean();
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('Notification', {
    get permission() {
      return browser.permission;
    },
    async requestPermission() {
      browser.permission = browser.answer;
      return browser.answer;
    },
  });
  Object.defineProperty(window, 'isSecureContext', { value: true, configurable: true });
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: {
      register: vi.fn(async () => browser.registration),
      ready: Promise.resolve(browser.registration),
      getRegistration: async () => browser.registration,
      addEventListener: (_name: string, listener: FakeBrowser['messages'][number]) => browser.messages.push(listener),
      removeEventListener: vi.fn(),
    },
  });
  vi.spyOn(liveSocket, 'on').mockImplementation((name, handler) => {
    events.set(name, handler as (payload: unknown) => void);
    return () => events.delete(name);
  });
  window.fetch = vi.fn(async (input, init) => {
    const path = String(input).replace('/api/v1/', '');
    calls.push({ path, body: init?.body ? JSON.parse(String(init.body)) : undefined });
    if (failing.includes(path)) return Response.json({ code: 'UNEXPECTED' }, { status: 500 });
    const answers: Record<string, unknown> = {
      'push-key': { key: KEY },
      'push-devices': { devices: [device('d1', true), device('d2', false)] },
      'push-test': { state: 'delivered', status: 201 },
      'message-token': { device: device('d1', true) },
      'message-delete-token': { removed: 1 },
      'video-call-request/c1': { videoCallRequests: [{ _id: 'r2' }] },
    };
    return path in answers ? Response.json(answers[path]) : new Response(null, { status: 204 });
  });
  await session.save(tokenWith({ exp: Math.floor(Date.now() / 1000) + 3600 }), nuria, []);
  await writePreference('u1.push', undefined);
  await writePreference('u1.pushLater', undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  navigate.mockClear();
});

const draw = (what: React.ReactNode) => render(<Providers env="test">{what}</Providers>);
const sent = (path: string) => calls.filter((call) => call.path === path);
const click = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }));
const hear = (name: string, payload: unknown) => act(() => events.get(name)?.(payload));

describe('what a browser can do', () => {
  const full: PushFacts = {
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/150 Safari/537.36',
    touchPoints: 0,
    secure: true,
    standalone: false,
    worker: true,
    push: true,
    notification: true,
  };
  it.each([
    ['ok', full],
    ['insecure', { ...full, secure: false }],
    ['none', { ...full, push: false }],
    ['ios-install', { ...full, userAgent: IPHONE, push: false, notification: false }],
    ['ok', { ...full, userAgent: IPHONE, standalone: true }],
    ['none', { ...full, userAgent: IPHONE, standalone: true, push: false }],
    ['ios-install', { ...full, userAgent: 'Mozilla/5.0 (Macintosh) Safari/605', touchPoints: 5, push: false }],
    ['none', { ...full, userAgent: 'Mozilla/5.0 (Macintosh) Safari/605', push: false }],
  ] as const)('is %s', (support, facts) => expect(supportOf(facts)).toBe(support));

  it.each([
    ['ios', IPHONE],
    ['android', 'Mozilla/5.0 (Linux; Android 16) Chrome/150 Mobile Safari/537.36'],
    ['firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
    ['safari', 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15'],
    ['chrome', 'Mozilla/5.0 (Windows NT 10.0) Chrome/150 Safari/537.36 Edg/150'],
  ])('a refusal is undone the way of %s', (way, userAgent) => expect(undoOf({ userAgent, touchPoints: 0 })).toBe(way));

  it('reads the key', () => {
    const bytes = bytesOf(KEY);
    expect([bytes.length, bytes[0], bytes[64]]).toEqual([65, 4, 64]);
    expect(sameBytes(bytes.buffer, bytesOf(KEY))).toBe(true);
    expect(sameBytes(bytes.buffer.slice(1), bytes)).toBe(false);
    expect(sameBytes(null, bytes)).toBe(false);
  });
});

describe('the section of the devices', () => {
  it('turns notices on after a click, says who gets them, tests and turns them off', async () => {
    draw(<PushDevices />);
    await screen.findByText('Desactivados aquí');
    expect(sent('message-token')).toHaveLength(0);
    await click('Activar avisos');
    await screen.findByText('Activados aquí');
    expect(sent('message-token')[0]?.body).toEqual({
      userId: 'u1',
      parentId: 'c1',
      token: { endpoint: 'https://push.example/1', keys: { p256dh: 'p', auth: 'a' } },
    });
    await click('Enviar una prueba');
    await screen.findByText('Prueba enviada');
    expect(sent('push-test')[0]?.body).toMatchObject({ token: { endpoint: 'https://push.example/1' } });
    await click('Desactivar aquí');
    await screen.findByText('Desactivados aquí');
    expect(sent('message-delete-token')[0]?.body).toEqual({ token: 'https://push.example/1' });
    expect(browser.held).toBeNull();
  });

  it('lists every device and removes one', async () => {
    draw(<PushDevices />);
    const rows = await screen.findAllByRole('listitem');
    expect(within(rows[0] as HTMLElement).getByText('Este dispositivo')).toBeTruthy();
    expect(rows[1]?.textContent).toContain('Chrome en Android');
    expect(rows[1]?.textContent).toContain('Sin avisos todavía');
    await click('Quitar los avisos de Chrome en Android');
    await screen.findByText('Ese dispositivo ya no recibe avisos');
    expect(sent('push-device-delete/d2')).toHaveLength(1);
  });

  it('says how to undo a refusal', async () => {
    browser.answer = 'denied';
    draw(<PushDevices />);
    await click('Activar avisos');
    await screen.findByText('El navegador tiene bloqueados los avisos de Atalaya');
    expect(screen.queryByRole('button', { name: 'Activar avisos' })).toBeNull();
    expect(sent('message-token')).toHaveLength(0);
  });

  it('says that the push service does not answer, and stays off', async () => {
    browser.broken = true;
    draw(<PushDevices />);
    await click('Activar avisos');
    await screen.findByText(/El servicio de avisos de este navegador no responde/);
    expect(screen.getByText('Desactivados aquí')).toBeTruthy();
  });

  it('explains the home screen on an iPhone', async () => {
    vi.stubGlobal('PushManager', undefined);
    Reflect.deleteProperty(window, 'PushManager');
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(IPHONE);
    draw(<PushDevices />);
    await screen.findByText(/Elija «Añadir a pantalla de inicio»/);
    expect(screen.queryByRole('button', { name: 'Activar avisos' })).toBeNull();
  });
});

describe('each page load', () => {
  const load = () => draw(<PushKeeper />);

  it('tells the server the subscription again', async () => {
    browser.permission = 'granted';
    await writePreference('u1.push', true);
    load();
    await waitFor(() => expect(sent('message-token')).toHaveLength(1));
  });

  it('renews one of an older key', async () => {
    browser.permission = 'granted';
    browser.held = new FakeSubscription(browser, 'https://push.example/old', new ArrayBuffer(65));
    await writePreference('u1.push', true);
    load();
    await waitFor(() => expect(sent('message-token')).toHaveLength(1));
    expect(browser.held?.endpoint).toBe('https://push.example/1');
  });

  it('ends one that somebody else left, and never asks', async () => {
    browser.permission = 'granted';
    browser.held = new FakeSubscription(browser, 'https://push.example/theirs', new ArrayBuffer(65));
    load();
    await waitFor(() => expect(browser.held).toBeNull());
    expect(sent('message-token')).toHaveLength(0);
  });

  it('follows the worker only to own paths, and renews when it says so', async () => {
    browser.permission = 'granted';
    await writePreference('u1.push', true);
    load();
    await waitFor(() => expect(sent('message-token')).toHaveLength(1));
    const say = (data: unknown) => {
      for (const listener of browser.messages) listener({ data, ports: [{ postMessage: answered }] });
    };
    const answered = vi.fn();
    for (const url of ['//evil.example', 'https://evil.example/', '/\\evil.example', 7]) say({ type: 'open', url });
    expect(navigate).not.toHaveBeenCalled();
    say({ type: 'open', url: '/active-videocall-request/c1' });
    expect(navigate).toHaveBeenCalledWith({ href: '/active-videocall-request/c1' });
    say({ type: 'where' });
    expect(answered).toHaveBeenCalledWith({ path: window.location.pathname, search: '', busy: false });
    say({ type: 'subscription' });
    await waitFor(() => expect(sent('message-token')).toHaveLength(2));
  });

  it('a request that is over takes its notice away', async () => {
    const close = vi.fn();
    const other = vi.fn();
    browser.notices = [
      { tag: 'r1', data: { kind: 'request' }, close },
      { tag: 'r2', data: { kind: 'request' }, close: other },
      { tag: 'n1', data: { kind: 'notification' }, close: other },
    ];
    load();
    hear('videocallOut_c1', { _id: 'r1', reason: 'accepted' });
    await waitFor(() => expect(close).toHaveBeenCalledOnce());
    hear('videocallBulkDelete_', {});
    await waitFor(() => expect(close).toHaveBeenCalledTimes(2));
    expect(other).not.toHaveBeenCalled();
  });

  it.each([['heard'], ['refused by the server']])('a logout removes the subscription, %s', async (how) => {
    if (how !== 'heard') failing = ['message-delete-token', 'logout'];
    browser.permission = 'granted';
    await writePreference('u1.push', true);
    load();
    await waitFor(() => expect(sent('message-token')).toHaveLength(1));
    await act(logout);
    expect(browser.held).toBeNull();
    expect(sent('message-delete-token')[0]?.body).toEqual({ token: 'https://push.example/1' });
    expect(calls.at(-1)?.path).toBe('logout');
    expect(session.peek()).toBeNull();
  });
});

describe('the offer', () => {
  const hidden = (state: 'hidden' | 'visible') => vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  const title = '¿Quiere enterarse sin tener la pestaña delante?';
  const open = async () => {
    draw(<PushOffer />);
    await act(async () => {});
  };

  it('comes after something arrived while the tab was away, and turns notices on', async () => {
    await open();
    hear('videocallIn_c1', { _id: 'r1' });
    expect(screen.queryByText(title)).toBeNull();
    hidden('hidden');
    hear('videocallIn_c1', { _id: 'r2' });
    await screen.findByText(title);
    screen.getByText(/Ha llegado una solicitud mientras miraba otra cosa/);
    await click('Activar avisos');
    await waitFor(() => expect(screen.queryByText(title)).toBeNull());
    expect(sent('message-token')).toHaveLength(1);
  });

  it('comes after an answered request; "not now" is kept', async () => {
    await open();
    hear('videocallOut_c1', { _id: 'r1', reason: 'expired' });
    expect(screen.queryByText(title)).toBeNull();
    hear('videocallOut_c1', { _id: 'r1', reason: 'accepted' });
    await screen.findByText(title);
    await click('Ahora no');
    await waitFor(() => expect(screen.queryByText(title)).toBeNull());
    hear('videocallOut_c1', { _id: 'r2', reason: 'accepted' });
    await act(() => new Promise((done) => setTimeout(done, 50)));
    expect(screen.queryByText(title)).toBeNull();
  });

  it('does not come where notices are on, denied or impossible', async () => {
    browser.permission = 'denied';
    await open();
    hear('videocallOut_c1', { _id: 'r1', reason: 'accepted' });
    await act(() => new Promise((done) => setTimeout(done, 50)));
    expect(screen.queryByText(title)).toBeNull();
  });

  it('says how to undo a refusal in place', async () => {
    browser.answer = 'denied';
    await open();
    hear('videocallOut_c1', { _id: 'r1', reason: 'accepted' });
    await click('Activar avisos');
    await screen.findByText('El navegador tiene bloqueados los avisos de Atalaya');
    await click('Entendido');
    await waitFor(() => expect(screen.queryByText(title)).toBeNull());
  });
});
