import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { askProofsBy } from '@/api/proof';
import { session } from '@/shared/session';
import { fakeServer, press, problem, showPage } from '@/test/pages';
import { seriousFindings } from '@/test/render';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { MessageServicePage } from './MessageServicePage';

const channel = (name: string, provider: string | null) => ({
  channel: name,
  provider,
  queued: 2,
  captured: provider ? 0 : 7,
  sentLastHour: 5,
  failedLastHour: 1,
  lastDeliveredAt: name === 'sms' ? '2026-11-22T10:00:00Z' : null,
});
const status = {
  running: true,
  changedAt: null,
  changedBy: null,
  queued: 4,
  captured: 14,
  oldestQueuedAt: '2026-11-22T09:00:00Z',
  sentLastHour: 10,
  failedLastHour: 2,
  channels: [channel('sms', 'twilio'), channel('email', null), channel('whatsapp', null)],
  failures: [
    { reason: 'credentials', count: 3 },
    { reason: 'of_tomorrow', count: 1 },
  ],
};
const message = {
  _id: 'm1',
  channel: 'whatsapp',
  to: '+34600123123',
  text: 'Pulse https://v.example.es/c/x',
  state: 'failed',
  createdAt: '2026-11-22T09:00:00Z',
  attempts: 3,
  provider: 'waha',
  error: 'no such number',
  reason: 'recipient',
  fallbackOf: 'm0',
  attachments: [{ _id: 'a1', name: 'F-1.pdf', contentType: 'application/pdf', size: 10, kept: false }],
};
let server: ReturnType<typeof fakeServer>;
let now: Record<string, unknown>;

beforeAll(() => useTexts());
beforeEach(async () => {
  server = fakeServer();
  now = status;
  server.answers['own-message-service/status'] = () => Response.json(now);
  server.answers['own-message-service/change-run-status'] = ({ run }) => {
    now = { ...status, running: run, changedAt: '2026-11-22T11:00:00Z', changedBy: 'Nuria Ferrer' };
    return Response.json(now);
  };
  server.answers['own-message-service/reset'] = () => Response.json({ ...now, reset: 4 });
  server.answers.outbox = () => Response.json({ outbox: [message] });
  const exp = Math.floor(Date.now() / 1000) + 3600;
  await session.save(tokenWith({ role: 1, exp }), { ...nuria, role: 1 }, []);
});
const open = (search = '') => showPage(MessageServicePage, '/message-service', `/message-service${search}`);
const agree = async (title: string, name: string) =>
  fireEvent.click(within(await screen.findByRole('dialog', { name: title })).getByRole('button', { name }));

it('shows what waits, how the last hour went and why messages failed', async () => {
  open();
  await screen.findByText('En marcha');
  for (const words of ['4', '10', '2', 'Twilio', 'Credenciales no aceptadas', 'Otra causa', 'Ver los fallidos']) {
    expect(screen.getAllByText(words).length, words).toBeGreaterThan(0);
  }
  expect(screen.getAllByText('Se retienen aquí').length).toBe(2);
  screen.getByText(/No hay ningún servicio de WhatsApp configurado/);
  expect(server.to('whatsapp-status')).toEqual([]);
  expect(await seriousFindings()).toEqual([]);
});

// MSG-2, MSG-16
it('counts in amber what is held without a provider, and leads to it', async () => {
  open();
  const figure = (await screen.findByText('Retenidos')).closest('div');
  expect(figure?.dataset.tone).toBe('warn');
  within(figure as HTMLElement).getByText('14');
  expect(screen.getAllByText('7 retenidos sin proveedor')).toHaveLength(2);
  fireEvent.click(screen.getByRole('button', { name: 'Ver los retenidos' }));
  await waitFor(() => expect(server.to('outbox').at(-1)?.path).toContain('state=captured'));
});

it('opens with the held messages when its address says so, each with an amber state', async () => {
  server.answers.outbox = () => Response.json({ outbox: [{ ...message, state: 'captured', error: null }] });
  open('?tab=messages&state=captured');
  const row = (await screen.findByText('+34600123123')).closest('li') as HTMLElement;
  const tag = within(row).getByText('Retenido en la plataforma');
  expect(tag.closest<HTMLElement>('[data-tone]')?.dataset.tone).toBe('warn');
  expect(server.to('outbox').at(-1)?.path).toContain('state=captured');
});

// MSG-21
it('shows links only after a proof, and gives a hidden one no button', async () => {
  let proved = false;
  const stop = askProofsBy(async () => {
    proved = true;
    return true;
  });
  server.answers.outbox = () =>
    Response.json({
      outbox: [{ ...message, masked: !proved, text: proved ? message.text : 'Pulse https://v.example.es/c/••••••••' }],
    });
  open('?tab=messages');
  await screen.findByText('Enlaces y códigos ocultos');
  expect(screen.queryByRole('link', { name: 'Abrir' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Mostrar' }));
  await screen.findByText('https://v.example.es/c/x');
  await waitFor(() => expect(screen.queryByText('Enlaces y códigos ocultos')).toBeNull());
  stop();
});

it('stops and starts the delivery once it was confirmed', async () => {
  open();
  await screen.findByText('En marcha');
  press('Detener el envío');
  const dialog = within(await screen.findByRole('dialog', { name: '¿Detener el envío de mensajes?' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Cancelar' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.to('own-message-service/change')).toEqual([]);
  press('Detener el envío');
  await agree('¿Detener el envío de mensajes?', 'Detener el envío');
  await screen.findByText('Detenido');
  screen.getByText(/Detenido por Nuria Ferrer el 22 nov 2026/);
  fireEvent.click(await screen.findByRole('button', { name: 'Iniciar el envío' }));
  await screen.findByText('Saldrán 4 mensajes que esperan en la cola.');
  await agree('¿Iniciar el envío de mensajes?', 'Iniciar el envío');
  await screen.findByText('Envío iniciado');
  expect(server.to('own-message-service/change').map(({ body }) => body)).toEqual([{ run: false }, { run: true }]);
});

it('has everything tried again', async () => {
  open();
  fireEvent.click(await screen.findByRole('button', { name: 'Reintentar ahora' }));
  await agree('¿Reintentar los mensajes?', 'Reintentar ahora');
  await screen.findByText('4 mensajes se intentarán ahora');
  expect(server.to('own-message-service/reset')[0]?.body).toEqual({ reset: true });
});

it('says when the switch was refused, and keeps what it shows', async () => {
  server.answers['own-message-service/change-run-status'] = () => problem(503, 'DATABASE_UNAVAILABLE');
  open();
  await screen.findByText('En marcha');
  press('Detener el envío');
  await agree('¿Detener el envío de mensajes?', 'Detener el envío');
  await screen.findByText('No se ha podido cambiar el envío');
  screen.getByText('En marcha');
});

it('links a telephone by its code', async () => {
  now = { ...status, channels: [channel('whatsapp', 'waha')] };
  const qr = 'data:image/png;base64,iVBORw0KGgo=';
  server.answers['whatsapp-status'] = () => Response.json({ configured: true, status: 'SCAN_QR_CODE', qr, me: null });
  server.answers['whatsapp-cleanSession'] = () =>
    Response.json({ configured: true, status: 'STARTING', qr: null, me: null });
  server.answers['restart-whatsapp'] = () => problem(503, 'WHATSAPP_UNAVAILABLE');
  open();
  const code = await screen.findByRole<HTMLImageElement>('img', { name: 'Código para vincular el teléfono' });
  expect(code.src).toBe(qr);
  press('Reiniciar');
  await screen.findByText('No se ha podido cambiar la sesión de WhatsApp');
  press('Desvincular el teléfono');
  await agree('¿Desvincular el teléfono?', 'Desvincular el teléfono');
  await screen.findByText('Iniciando');
  expect(server.to('whatsapp-cleanSession').map(({ method }) => method)).toEqual(['POST']);
});

it('leads to the failed messages, with what became of each', async () => {
  open();
  fireEvent.click((await screen.findAllByRole('button', { name: 'Ver los fallidos' }))[0] as HTMLElement);
  await screen.findByText('Destinatario incorrecto: no such number');
  screen.getByText('Por WhatsApp · 3 intentos · En sustitución de otro mensaje que no llegó');
  expect(server.to('outbox').at(-1)?.path).toContain('state=failed');
  fireEvent.click(screen.getByRole('button', { name: 'F-1.pdf' }));
  expect(server.to('outbox-attachment')).toEqual([]);
});

it('shows the wordings with invented data, in each language', async () => {
  server.answers['message-templates'] = () =>
    Response.json({
      templates: [
        { key: 'session.sms', channel: 'sms', variables: [] },
        { key: 'reset', channel: 'email', variables: ['company', 'link'] },
      ],
    });
  server.answers['message-template/session.sms'] = () =>
    Response.json({ text: 'Pulse:', sms: { encoding: 'GSM-7', units: 40, segments: 1 } });
  server.answers['message-template/reset'] = () =>
    Response.json({ subject: 'Contraseña nueva', text: 'Hola', html: '<p>Hola</p>' });
  open('?tab=templates');
  await screen.findByRole('heading', { name: 'Contraseña nueva' });
  expect(screen.getByTitle<HTMLIFrameElement>('Como se ve').getAttribute('sandbox')).toBe('');
  fireEvent.click(screen.getByRole('button', { name: /session/ }));
  await screen.findByText('6 caracteres · 1 SMS con su enlace (GSM-7, 40 unidades)');
  fireEvent.click(screen.getByLabelText('Idioma', { selector: 'input' }));
  fireEvent.click(await screen.findByRole('option', { name: 'English' }));
  await waitFor(() => expect(server.to('message-template/session.sms').at(-1)?.path).toContain('language=en'));
});
