import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { UserCompany } from '@/api/types';
import { session } from '@/shared/session';
import { liveSocket } from '@/shared/socket';
import { fakeServer, press, problem, showPage } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import type { VideoCallRequest } from '../model';
import { iso, requestOf } from '../testing/data';
import { ActiveRequestsPage } from './ActiveRequestsPage';

beforeAll(() => useTexts());

const company: UserCompany = { _id: 'c9', company: 'Levante', companyType: '2', blocked: false, missing: [] };
const logIn = (role: number, given: Partial<UserCompany> = {}) =>
  session.save(
    tokenWith({ role, parent: 'c9', exp: Math.floor(Date.now() / 1000) + 3_600 }),
    { ...nuria, role, parent: 'c9', company: { ...company, ...given } },
    [],
  );
const live = (given: Partial<VideoCallRequest> = {}) => requestOf(given, Date.now());

let server: ReturnType<typeof fakeServer>;
let open: VideoCallRequest[];
beforeEach(async () => {
  await logIn(3);
  server = fakeServer();
  open = [live()];
  server.answers['video-call-request/c9'] = () => Response.json({ videoCallRequests: open });
  server.answers['video-call-request'] = () => Response.json({ videoCallRequests: [] });
  server.answers['availability/c9'] = () =>
    Response.json({
      people: [
        { _id: 'u1', name: 'Nuria Ferrer', role: 3, state: 'free' },
        { _id: 'u2', name: 'Iván Soler', role: 3, state: 'call' },
        { _id: 'u3', name: 'Marta Giner', role: 3, state: 'away' },
      ],
      available: true,
      waiting: 1,
      averageWaitSeconds: 72,
    });
});
const show = () => showPage(ActiveRequestsPage, '/active-videocall-request/$parent', '/active-videocall-request/c9');

describe('the queue', () => {
  it('shows who asks about what, how long it rings, and who could answer', async () => {
    show();
    const row = await screen.findByRole('article', { name: 'Talleres Ribera, S.L.' });
    expect(row.textContent).toMatch(/3:4\d/);
    expect(row.textContent).toMatch(/caduca en 6:1\d/);
    expect(row.textContent).toContain('Óscar Ribera');
    expect(row.textContent).toContain('2026-118401');
    expect(row.textContent).toContain('Valencia/València · Mutua Tramontana');
    const people = await screen.findByRole('region', { name: 'Compañeros' });
    expect(within(people).getByRole('img', { name: 'Nuria Ferrer (usted)' })).toBeTruthy();
    expect(within(people).getByRole('img', { name: 'Iván Soler' })).toBeTruthy();
    expect(within(people).queryByRole('img', { name: 'Marta Giner' })).toBeNull();
    expect(screen.getByText('espera media').parentElement?.textContent).toContain('1:12');
  });

  it('is empty in words', async () => {
    open = [];
    show();
    await screen.findByText('Nadie espera');
  });

  it('shows agreed calls with their time, and what became of the last hour', async () => {
    open = [live({ state: 'scheduled', callbackAt: iso(3_600, Date.now()), expiresAt: iso(5_400, Date.now()) })];
    const taken = live({ _id: 'h', state: 'accepted', acceptedBy: { _id: 'u2', name: 'Iván Soler' } });
    server.answers['video-call-request'] = () =>
      Response.json({ videoCallRequests: [taken, live({ _id: 'x', state: 'expired' })] });
    show();
    await screen.findByRole('heading', { name: 'Llamadas concertadas' });
    expect(screen.getByText(/^concertada para (hoy|mañana)$/)).toBeTruthy();
    const gone = await screen.findByRole('region', { name: 'La última hora' });
    expect(gone.textContent).toContain('La atiende Iván Soler');
    expect(within(gone).getByRole('link', { name: 'Devolver la llamada' }).getAttribute('href')).toBe(
      'tel:+34656210448',
    );
  });

  it('follows events', async () => {
    open = [];
    show();
    await screen.findByText('Nadie espera');
    open = [live()];
    (liveSocket as unknown as { dispatch: (name: string, payload: object) => void }).dispatch(
      'videocallIn_c9',
      open[0] ?? {},
    );
    await screen.findByRole('article', { name: 'Talleres Ribera, S.L.' });
  });

  it('tells that it could not be loaded, and tries again', async () => {
    server.answers['video-call-request/c9'] = () => problem(403, 'ROLE_NOT_ALLOWED');
    show();
    await screen.findByText('No se han podido cargar las solicitudes');
    server.answers['video-call-request/c9'] = () => Response.json({ videoCallRequests: open });
    press('Reintentar');
    await screen.findByRole('article', { name: 'Talleres Ribera, S.L.' });
  });
});

describe('answering', () => {
  it('leads to the conference', async () => {
    server.answers['video-call-respond'] = () =>
      Response.json({ conference: { _id: 'k1' }, token: 't', url: 'ws://x' });
    const { where } = show();
    fireEvent.click(await screen.findByRole('button', { name: 'Atender a Talleres Ribera, S.L.' }));
    await waitFor(() => expect(where()).toBe('/conference/k1'));
    expect(server.to('video-call-respond')[0]?.body).toEqual({ activeVideoCallRequest: 'r1' });
  });

  it('tells the loser kindly who took it, and the request leaves', async () => {
    server.answers['video-call-respond'] = () => {
      open = [];
      return problem(409, 'ALREADY_TAKEN', [{ field: 'acceptedBy', code: 'ALREADY_TAKEN_BY', message: 'Iván Soler' }]);
    };
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Atender a Talleres Ribera, S.L.' }));
    await screen.findByText('Ya la atiende Iván Soler');
    await screen.findByText('Nadie espera');
  });

  it('passes on for oneself with a reason', async () => {
    server.answers['video-call-refuse'] = () => {
      open = [];
      return Response.json({ refused: false });
    };
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Más acciones: Talleres Ribera, S.L.' }));
    expect(screen.queryByRole('menuitem', { name: 'Rechazar para todos' })).toBeNull();
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Rechazar solo para mí' }));
    const dialog = await screen.findByRole('dialog');
    fireEvent.change(within(dialog).getByLabelText(/Motivo/), { target: { value: ' No es mi zona ' } });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Rechazar' }));
    await screen.findByText('Nadie espera');
    expect(server.to('video-call-refuse')[0]?.body).toEqual({ videoCallRequestId: 'r1', reason: 'No es mi zona' });
  });

  it('is refused for everybody by the principal', async () => {
    await logIn(2);
    server.answers['video-call-refuse'] = () => Response.json({ refused: true });
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Más acciones: Talleres Ribera, S.L.' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Rechazar para todos' }));
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Rechazar' }));
    await waitFor(() =>
      expect(server.to('video-call-refuse')[0]?.body).toEqual({ videoCallRequestId: 'r1', all: true }),
    );
  });

  it('is nothing for a blocked company, nor for an administrator who looks on', async () => {
    await logIn(2, { blocked: true, missing: ['iban'] });
    show();
    await screen.findByText('Solicitudes de videollamada bloqueadas');
    expect(screen.getByText('Falta la cuenta bancaria (IBAN)')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Atender/ })).toBeNull();
  });
});
