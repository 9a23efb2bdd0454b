import { cleanNotifications } from '@mantine/notifications';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UserCompany } from '@/api/types';
import { queryClient } from '@/app/providers';
import { Shell } from '@/app/shell/Shell';
import { usePage } from '@/shared/lib/page';
import { alarmState, muteAlarm } from '@/shared/lib/sounds';
import { session } from '@/shared/session';
import { sockets } from '@/test/fake-socket';
import { fakeServer, showPage } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';

/** A browser that lets the page sound. */
class Audio extends EventTarget {
  state = 'running';
  sampleRate = 8_000;
  resume = async () => {};
  createBuffer = () => ({ copyToChannel: () => {} });
  createBufferSource = () => ({ connect: () => {}, disconnect: () => {}, start: () => {}, stop: () => {} });
}
vi.stubGlobal('AudioContext', Audio);
vi.mock('socket.io-client', () => import('@/test/fake-socket'));

beforeAll(() => useTexts());

const company: UserCompany = { _id: 'c1', company: 'Peritaciones Levante, S.L.', companyType: '2', blocked: false };
const entry = {
  name: 'shell.activeVideocallRequest',
  url: '/active-videocall-request/c1',
  icon: 'ring',
  type: 'badge',
};
const request = {
  _id: 'r1',
  starterCompany: 'Carrocerías Benicalap',
  plate: '5208 KVC',
  expedient: '2026-118404',
  state: 'waiting',
};

let server: ReturnType<typeof fakeServer>;
/** How many wait, for the server. */
let waiting: number;
let user: typeof nuria;

beforeEach(() => {
  server = fakeServer();
  waiting = 0;
  sockets.length = 0;
  window.sessionStorage.clear();
  // The news opens by itself otherwise, over whatever takes two seconds.
  localStorage.setItem('hasSeenNewFeautures', 'true');
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  server.answers.videoCallNumber = () => Response.json({ count: waiting });
  server.answers['socket-user'] = () => Response.json({});
  server.answers.me = () => Response.json({ user, menu: [entry] });
});
afterEach(() => {
  act(() => {
    session.end('logout');
    cleanNotifications();
  });
  setHidden(false);
});

async function show({ role = 3, of = company, at = '/vp-form', pattern = '' } = {}) {
  user = { ...nuria, role, company: of };
  await session.save(tokenWith({ role, exp: Math.floor(Date.now() / 1000) + 3600 }), user, [entry]);
  showPage(Shell, pattern || at, at);
  await vi.waitFor(() => expect(sockets).toHaveLength(1));
  const [socket] = sockets;
  if (!socket) throw new Error('no socket');
  act(() => socket.accept());
  return socket;
}
/** A page that needs the whole window. */
function Call() {
  usePage({ title: 'Videollamada', immersive: true });
  return null;
}
const setHidden = (hidden: boolean) => {
  Object.defineProperty(document, 'visibilityState', { value: hidden ? 'hidden' : 'visible', configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
};
const counter = () => screen.queryByRole('link', { name: /^Solicitudes de videollamada/ });
const counted = (text: string) => waitFor(() => expect(counter()?.textContent).toContain(text));

describe('the counter', () => {
  it('counts at the start and again after each connection', async () => {
    waiting = 2;
    const socket = await show();
    await counted('2 en espera');
    expect(counter()?.getAttribute('href')).toBe('/active-videocall-request/c1');
    socket.drop();
    waiting = 5;
    act(() => socket.accept('s2'));
    await counted('5 en espera');
    expect(server.to('socket-user/u1').map(({ body }) => body)).toEqual([{ socketId: 's1' }, { socketId: 's2' }]);
  });

  it('follows the events of its own company, in header and menu', async () => {
    const socket = await show();
    await counted('0 en espera');
    waiting = 1;
    act(() => socket.emit('videocallIn_c1', request));
    await counted('1 en espera');
    expect(screen.getByRole('link', { name: /^Solicitudes 1/ })).toBeTruthy();
    act(() => socket.emit('videocallIn_c2', { ...request, _id: 'r2' }));
    expect(counter()?.textContent).toContain('1 en espera');
    waiting = 0;
    act(() => socket.emit('videocallOut_c1', { _id: 'r1', reason: 'accepted' }));
    await counted('0 en espera');
    waiting = 3;
    act(() => socket.emit('videocallBulkDelete_'));
    await counted('3 en espera');
  });

  it('is right again after an event that was wrong', async () => {
    const socket = await show();
    await counted('0 en espera');
    // The same request told twice.
    waiting = 1;
    act(() => {
      socket.emit('videocallIn_c1', request);
      socket.emit('videocallIn_c1', request);
    });
    await counted('1 en espera');
    act(() => socket.emit('videocallIn_c1', 'nonsense'));
    expect(counter()?.textContent).toContain('1 en espera');
  });

  it.each([1, 4, 5, 6, 7, 8])('role %i has neither counter nor alarm', async (role) => {
    waiting = 2;
    const socket = await show({ role });
    act(() => socket.emit('videocallIn_c1', request));
    await vi.waitFor(() => expect(server.to('me')).not.toEqual([]));
    expect(counter()).toBeNull();
    expect(alarmState()).toBe('off');
    expect(server.to('videoCallNumber')).toEqual([]);
  });

  it('is hidden where one waits oneself', async () => {
    waiting = 1;
    await show({ at: '/videocall-request' });
    await waitFor(() => expect(server.to('videoCallNumber')).not.toEqual([]));
    expect(counter()).toBeNull();
  });
});

describe('the alarm', () => {
  it('rings when somebody comes, until the last one was answered', async () => {
    const socket = await show();
    await counted('0 en espera');
    waiting = 1;
    act(() => socket.emit('videocallIn_c1', request));
    expect(alarmState()).toBe('ringing');
    waiting = 0;
    act(() => socket.emit('videocallOut_c1', { _id: 'r1', reason: 'accepted' }));
    await waitFor(() => expect(alarmState()).toBe('off'));
  });

  it('is muted by a click, until the next one comes', async () => {
    waiting = 1;
    const socket = await show();
    await waitFor(() => expect(alarmState()).toBe('ringing'));
    fireEvent.click(screen.getByRole('button', { name: 'Silenciar la alarma' }));
    expect(alarmState()).toBe('silent');
    expect(screen.queryByRole('button', { name: 'Silenciar la alarma' })).toBeNull();
    waiting = 2;
    act(() => socket.emit('videocallIn_c1', { ...request, _id: 'r2' }));
    expect(alarmState()).toBe('ringing');
    // Muted elsewhere, such as on the page of the requests.
    act(() => muteAlarm());
    await waitFor(() => expect(window.sessionStorage.getItem('atalaya.alarmMuted')).toBe('u1 2'));
    waiting = 1;
    act(() => socket.emit('videocallOut_c1', { _id: 'r1', reason: 'withdrawn' }));
    await counted('1 en espera');
    expect(alarmState()).toBe('silent');
  });

  it('stays muted over a reload', async () => {
    window.sessionStorage.setItem('atalaya.alarmMuted', 'u1 1');
    waiting = 1;
    await show();
    await waitFor(() => expect(alarmState()).toBe('silent'));
  });

  it('does not ring while the menu is blocked, and does once it is unblocked', async () => {
    waiting = 1;
    const socket = await show({ of: { ...company, blocked: true } });
    act(() => socket.emit('videocallIn_c1', request));
    expect([alarmState(), counter()]).toEqual(['off', null]);
    // What is asked at the start has come before the state changes.
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    user = { ...user, company };
    act(() => socket.emit('unblockMenu_u1', { state: 'unblocked' }));
    await counted('1 en espera');
    expect(alarmState()).toBe('ringing');
    user = { ...user, company: { ...company, blocked: true } };
    act(() => socket.emit('unblockMenu_u1', { state: 'blocked' }));
    await waitFor(() => expect(alarmState()).toBe('off'));
    expect(counter()).toBeNull();
  });

  it('does not ring into a call, and goes on after it', async () => {
    waiting = 1;
    const socket = await show();
    await waitFor(() => expect(alarmState()).toBe('ringing'));
    const call = render(<Call />);
    await waitFor(() => expect(alarmState()).toBe('off'));
    waiting = 2;
    act(() => socket.emit('videocallIn_c1', request));
    await screen.findByText('Otra solicitud espera');
    // A link would leave the call.
    expect(screen.queryByRole('link', { name: 'Ver solicitudes' })).toBeNull();
    expect(alarmState()).toBe('off');
    call.unmount();
    await waitFor(() => expect(alarmState()).toBe('ringing'));
  });

  // MENU-4
  it('leaves Ctrl-K to a call', async () => {
    await show();
    const finder = () => screen.queryByLabelText(/^Expediente, matrícula/);
    const press = () => fireEvent.keyDown(document.documentElement, { key: 'k', code: 'KeyK', ctrlKey: true });
    const call = render(<Call />);
    await waitFor(() => expect(document.title).toContain('Videollamada'));
    press();
    call.unmount();
    expect(finder()).toBeNull();
    press();
    await waitFor(() => expect(finder()).not.toBeNull());
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
  });

  it('stops at the log-out, with its socket', async () => {
    waiting = 1;
    const socket = await show();
    await waitFor(() => expect(alarmState()).toBe('ringing'));
    act(() => session.end('logout'));
    await waitFor(() => expect(alarmState()).toBe('off'));
    expect(socket.closed).toBe(true);
  });
});

describe('the call for attention', () => {
  const icon = () => document.querySelector('link[rel="icon"]')?.getAttribute('href');
  beforeEach(() => {
    document.head.innerHTML = '<link rel="icon" href="/mark.svg">';
    document.title = 'Atalaya';
  });

  it('blinks on another page, and not once nobody waits', async () => {
    waiting = 2;
    const socket = await show();
    await waitFor(() => expect(document.title).toBe('(2) Solicitudes en espera'));
    expect(icon()).toBe('/mark-waiting.svg');
    await waitFor(() => expect(document.title).toBe('Atalaya'), { timeout: 3_000 });
    expect(icon()).toBe('/mark.svg');
    waiting = 0;
    act(() => socket.emit('videocallBulkDelete_'));
    await counted('0 en espera');
    expect([document.title, icon()]).toEqual(['Atalaya', '/mark.svg']);
  });

  it('is quiet on the page itself while it is looked at', async () => {
    waiting = 1;
    await show({ at: '/active-videocall-request/c1', pattern: '/active-videocall-request/$parent' });
    await counted('1 en espera');
    expect(document.title).toBe('Atalaya');
    act(() => setHidden(true));
    await waitFor(() => expect(document.title).toBe('(1) Solicitud en espera'));
    act(() => setHidden(false));
    await waitFor(() => expect(document.title).toBe('Atalaya'));
  });

  it('tells who comes, with a link, until he has left', async () => {
    const socket = await show();
    act(() => socket.emit('videocallIn_c1', request));
    await screen.findByText('Carrocerías Benicalap · 5208 KVC');
    const link = screen.getByRole('link', { name: 'Ver solicitudes' });
    expect(link.getAttribute('href')).toBe('/active-videocall-request/c1');
    act(() => socket.emit('videocallOut_c1', { _id: 'r1', reason: 'accepted' }));
    await waitFor(() => expect(screen.queryByText('Carrocerías Benicalap · 5208 KVC')).toBeNull());
  });
});

describe('the session', () => {
  it('ends when the server closed the socket because it had ended', async () => {
    const socket = await show();
    server.answers.me = () => Response.json({ code: 'SESSION_EXPIRED' }, { status: 401 });
    act(() => socket.drop('io server disconnect'));
    await waitFor(() => expect(session.peek()).toBeNull());
    expect(socket.closed).toBe(true);
  });

  it('says that what is shown may be old', async () => {
    const socket = await show();
    expect(screen.queryByText('Sin conexión, reintentando')).toBeNull();
    act(() => socket.drop());
    await screen.findByText('Sin conexión, reintentando');
    act(() => socket.accept('s2'));
    await waitFor(() => expect(screen.queryByText('Sin conexión, reintentando')).toBeNull());
  });
});
