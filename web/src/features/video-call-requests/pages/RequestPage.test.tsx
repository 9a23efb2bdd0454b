import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import axe from 'axe-core';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { UserCompany } from '@/api/types';
import { session } from '@/shared/session';
import { liveSocket } from '@/shared/socket';
import { fakeServer, press, problem, showPage, type } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import type { VideoCallRequest } from '../model';
import { keepDraft, valuesOf } from '../request-form';
import { CUSTOMERS, iso, requestOf } from '../testing/data';
import { RequestPage } from './RequestPage';

beforeAll(() => useTexts());

const company: UserCompany = { _id: 'c1', company: 'Talleres Júcar', companyType: '6', blocked: false, missing: [] };
let server: ReturnType<typeof fakeServer>;
let requests: VideoCallRequest[];

beforeEach(async () => {
  window.localStorage.clear();
  await session.save(
    tokenWith({ role: 7, exp: Math.floor(Date.now() / 1000) + 3_600 }),
    { ...nuria, role: 7, phone: '+34600111222', company },
    [],
  );
  server = fakeServer();
  requests = [];
  server.answers['video-call-request'] = () => Response.json({ videoCallRequests: requests });
  server.answers.insuranceCompanies = () => Response.json([{ _id: 'i1', name: 'Mutua Tramontana' }]);
  server.answers['customer-insurance/i1'] = () => Response.json(CUSTOMERS);
  server.answers['availability/c9'] = () => Response.json({ available: true, waiting: 2, averageWaitSeconds: 72 });
});

const show = () => showPage(RequestPage, '/videocall-request', '/videocall-request');
const live = (given: Partial<VideoCallRequest> = {}) => requestOf(given, Date.now());

/** The form filled but for the case, from a draft as a request leaves it. */
async function filledForm() {
  keepDraft({ ...valuesOf(live(), true), expedient: '' });
  show();
  return screen.findByRole('radio', { name: /Levante/ });
}

describe('the form', () => {
  it('names every field that is missing and sends nothing', async () => {
    keepDraft({ ...valuesOf(live(), false), insuranceCompanyId: '', region: '', expedient: '', phone: '12' });
    show();
    await screen.findByRole('button', { name: 'Pedir videollamada' });
    press('Pedir videollamada');
    await screen.findByText('Elija la compañía de seguros');
    expect(screen.getByText('Elija la provincia')).toBeTruthy();
    expect(screen.getByText('Escriba el número de expediente')).toBeTruthy();
    expect(screen.getByText('Revise 3 datos')).toBeTruthy();
    expect(server.calls.filter(({ method }) => method === 'POST')).toEqual([]);
  });

  it('shows whom one may ask: region, presence and how many wait, the free ones first', async () => {
    await filledForm();
    const firms = within(screen.getByRole('radiogroup', { name: 'Gabinete pericial' }));
    const names = firms.getAllByRole('radio').map((radio) => radio.closest('label')?.textContent);
    expect(names[0]).toContain('Levante');
    expect(names[0]).toContain('Valencia');
    expect(names[0]).toContain('2 en espera');
    expect(names[0]).toContain('Libre');
    expect(names[2]).toContain('En una llamada');
    expect(names[3]).toContain('Ausente');
  });

  it('sends the fields of the request and then waits', async () => {
    const chosen = (await filledForm()) as HTMLInputElement;
    expect(chosen.checked).toBe(true);
    type('N.º de expediente', ' 2026-9 ');
    type(/Matrícula/, '1937 lmt');
    server.answers['video-call-request'] = (body) => {
      if (!('expedient' in body)) return Response.json({ videoCallRequests: requests });
      requests = [live({ expedient: '2026-9', position: 3 })];
      return Response.json({ videoCallRequest: requests[0] }, { status: 201 });
    };
    press('Pedir videollamada');
    await screen.findByText('Tiene 2 solicitudes por delante.');
    const sent = server.calls.find(({ method }) => method === 'POST');
    expect(sent?.body).toEqual({
      insuranceCompanyId: 'i1',
      customerId: 'c9',
      customerName: 'Levante',
      region: 'Valencia/València',
      expedient: '2026-9',
      type: 1,
      starterPhone: '+34656210448',
      plate: '1937 LMT',
    });
    expect(screen.getByText(/^3:4\d$/)).toBeTruthy();
    expect(await screen.findByText('Suelen contestar en 1:12')).toBeTruthy();
  });

  it.each([
    [422, 'INVALID_FIELDS', [{ field: 'expedient', code: 'TOO_LONG', message: 'Máximo 60' }], 'Máximo 60'],
    [
      409,
      'VIDEO_CALL_BLOCKED',
      [{ field: 'customerId', code: 'X', message: '' }],
      'Este gabinete no puede atender ahora',
    ],
    [
      409,
      'VIDEO_CALL_BLOCKED',
      [{ field: 'starterId', code: 'X', message: '' }],
      'Su empresa no puede pedir videollamadas',
    ],
    [500, 'INTERNAL', [], 'No se ha podido enviar la solicitud'],
  ])('explains %s %s and keeps what was typed', async (status, code, errors, text) => {
    await filledForm();
    type('N.º de expediente', '2026-9');
    server.answers['video-call-request'] = (body) =>
      'expedient' in body ? problem(status, code, errors) : Response.json({ videoCallRequests: [] });
    press('Pedir videollamada');
    await screen.findByText(text);
    expect((screen.getByLabelText('N.º de expediente') as HTMLInputElement).value).toBe('2026-9');
    expect((screen.getByRole('radio', { name: /Levante/ }) as HTMLInputElement).checked).toBe(true);
  });

  it('agrees on a time instead of ringing now', async () => {
    await filledForm();
    type('N.º de expediente', '2026-9');
    press('Que me llamen a una hora');
    const dialog = await screen.findByRole('dialog');
    fireEvent.click(within(dialog).getByRole('button', { name: /En una hora/ }));
    fireEvent.click(within(dialog).getByRole('button', { name: 'Concertar la llamada' }));
    await waitFor(() => expect(server.calls.some(({ method }) => method === 'POST')).toBe(true));
    const at = Date.parse(String(server.calls.find(({ method }) => method === 'POST')?.body.callbackAt));
    expect(Math.abs(at - Date.now() - 3_600_000)).toBeLessThan(61_000);
  });

  it('is not there for a company that may not ask', async () => {
    await session.refresh({ ...nuria, role: 7, company: { ...company, blocked: true, missing: ['status'] } }, []);
    show();
    await screen.findByRole('heading', { name: 'Su empresa no puede pedir videollamadas' });
    expect(screen.queryByRole('button', { name: 'Pedir videollamada' })).toBeNull();
  });
});

describe('the wait', () => {
  it('outlives a reload, and says its place and what is left', async () => {
    requests = [live({ position: 1 })];
    show();
    await screen.findByRole('heading', { name: 'Avisando a Peritaciones Levante, S.L.' });
    expect(screen.getByText('Es la primera de la cola. Suena ahora en sus pantallas.')).toBeTruthy();
    expect(screen.getByText(/^Queda 6:1\d$/)).toBeTruthy();
  });

  it('is withdrawn after a question, this request only', async () => {
    requests = [live()];
    server.answers['delete-active-request-user/u1'] = () => {
      requests = [live({ state: 'withdrawn' })];
      return Response.json({ removed: 1 });
    };
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Retirar la solicitud' }));
    const dialog = await screen.findByRole('dialog');
    fireEvent.click(within(dialog).getByRole('button', { name: 'Retirar la solicitud' }));
    await screen.findByRole('button', { name: 'Pedir videollamada' });
    expect(server.to('delete-active-request-user/u1')[0]?.body).toEqual({ videoCallRequestId: 'r1' });
  });

  it('reacts to an event without a reload', async () => {
    requests = [live()];
    show();
    await screen.findByText('Tiene 1 solicitud por delante.');
    requests = [live({ state: 'refused', endedAt: iso(0, Date.now()) })];
    (liveSocket as unknown as { dispatch: (name: string, payload: object) => void }).dispatch('videocallOut_c1', {
      _id: 'r1',
      reason: 'refused',
    });
    await screen.findByRole('heading', { name: 'Peritaciones Levante, S.L. no puede atenderle ahora' });
    expect(screen.getAllByText('2026-118401').length).toBe(1);
  });
});

describe('the answer', () => {
  it('leads to the room by itself, once, with the way back', async () => {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
    requests = [live({ state: 'accepted', url: '/external/h4sh', acceptedBy: { _id: 'u9', name: 'Ana Pérez' } })];
    show();
    await screen.findByRole('heading', { name: 'Ana Pérez le atiende' });
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/external/h4sh?from=request'), { timeout: 8_000 });
    // Back from the call: the form, and the way in again.
    await screen.findByRole('button', { name: 'Volver a entrar' });
    expect(assign).toHaveBeenCalledTimes(1);
    assign.mockRestore();
  });

  it('waits for the person who says "not now"', async () => {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
    requests = [live({ state: 'accepted', url: '/external/h4sh' })];
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Ahora no' }));
    await new Promise((done) => setTimeout(done, 4_200));
    expect(assign).not.toHaveBeenCalled();
    press('Entrar en la videollamada');
    expect(assign).toHaveBeenCalledWith('/external/h4sh?from=request');
    assign.mockRestore();
  });

  it('that nobody gave offers another firm with everything typed still there', async () => {
    requests = [live({ state: 'expired', endedAt: iso(-1, Date.now()) })];
    show();
    await screen.findByRole('heading', { name: 'Nadie ha contestado en 10 minutos' });
    press('Elegir otro gabinete');
    const field = (await screen.findByLabelText('N.º de expediente')) as HTMLInputElement;
    expect(field.value).toBe('2026-118401');
    const radio = (await screen.findByRole('radio', { name: /Levante/ })) as HTMLInputElement;
    expect(radio.checked).toBe(false);
  });

  it('that nobody gave becomes an agreed call of the same request', async () => {
    requests = [live({ state: 'refused', endedAt: iso(-1, Date.now()) })];
    server.answers['video-call-callback'] = () => {
      requests = [live({ state: 'scheduled', callbackAt: iso(3_600, Date.now()), expiresAt: iso(5_400, Date.now()) })];
      return Response.json({ videoCallRequest: requests[0] });
    };
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Que me llamen a una hora' }));
    const dialog = await screen.findByRole('dialog');
    fireEvent.click(within(dialog).getByRole('button', { name: 'Concertar la llamada' }));
    await screen.findByRole('heading', { name: 'Llamadas concertadas' });
    expect(server.to('video-call-callback')[0]?.body.videoCallRequestId).toBe('r1');
  });
});

it('has nothing serious for axe', async () => {
  await filledForm();
  const { violations } = await axe.run(document.body, {
    resultTypes: ['violations'],
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
  });
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([]);
});
