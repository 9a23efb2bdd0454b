import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { session } from '@/shared/session';
import { fakeServer, press, problem, showPage, type } from '@/test/pages';
import { seriousFindings } from '@/test/render';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { SmsConferencePage } from './SmsConferencePage';

const standard = 'Pulse el enlace para iniciar la videoasistencia:';
const text = {
  sms: standard,
  own: false,
  max: 100,
  default: standard,
  accents: true,
  whatsapp: false,
  whatsappFirst: false,
  whatsappAvailable: false,
  link: 'https://v.example.es/c/a1B2c3D4e5',
  encoding: { encoding: 'GSM-7', units: 82, segments: 1 },
};
const sender = {
  sms: '',
  max: 11,
  status: 'draft',
  holderNif: 'B12345674',
  evidenceAt: null,
  provider: null,
  companyId: 'c1',
};
let server: ReturnType<typeof fakeServer>;

beforeAll(() => useTexts());
beforeEach(() => {
  server = fakeServer();
  server.answers['sms-conference-client/u1'] = (body) =>
    Response.json('sms' in body ? { ...text, ...body, own: body.sms !== standard } : text);
  server.answers['sms-conference-sender-client/u1'] = () => Response.json(sender);
  server.answers['sms-conference-sender/u1'] = (body) =>
    Response.json({ ...sender, sms: body.sms, status: body.requested ? 'requested' : 'draft' });
});
const open = async (role: number, id = 'u1') => {
  const exp = Math.floor(Date.now() / 1000) + 3600;
  await session.save(tokenWith({ role, exp }), { ...nuria, role }, []);
  showPage(SmsConferencePage, '/sms-client-conference/$id', `/sms-client-conference/${id}`);
};
const posted = (name: string) => server.to(name).filter(({ method }) => method === 'POST');
const words = () => screen.findByLabelText<HTMLTextAreaElement>('Texto del SMS', { selector: 'textarea' });

it('counts the text with its link as it is sent, and shows what the client gets', async () => {
  await open(2);
  const field = await words();
  expect(field.value).toBe(standard);
  screen.getByText(`${standard.length}/100 · 1 SMS`);
  fireEvent.change(field, { target: { value: 'Conexión para ver los daños de su vehículo con nosotros:' } });
  await waitFor(() =>
    expect(screen.getByTestId('sms-bubble').textContent).toBe(
      `Conexion para ver los daños de su vehiculo con nosotros: ${text.link}`,
    ),
  );
  screen.getByText(/^56\/100 · 1 SMS$/);
  fireEvent.click(screen.getByLabelText('Quitar tildes en los SMS'));
  await screen.findByText(/^56\/100 · 2 SMS$/);
  screen.getByText(/caben 70 por mensaje/);
  expect(await seriousFindings()).toEqual([]);
});

it('saves the text with its options, and gives it up again', async () => {
  await open(2);
  fireEvent.change(await words(), { target: { value: 'Entre aquí:' } });
  press('Guardar el texto');
  await screen.findByText('Texto guardado');
  expect(posted('sms-conference-client').map(({ body }) => body)).toEqual([
    { sms: 'Entre aquí:', accents: true, whatsapp: false, whatsappFirst: false },
  ]);
  await screen.findByText('Texto propio');
  press('Volver al texto por defecto');
  expect((await words()).value).toBe(standard);
});

it('refuses a long text, and shows beside the field what the server refuses', async () => {
  await open(2);
  fireEvent.change(await words(), { target: { value: 'x'.repeat(101) } });
  press('Guardar el texto');
  await screen.findByText('El texto puede tener 100 caracteres como máximo');
  expect(posted('sms-conference-client')).toEqual([]);
  server.answers['sms-conference-sender/u1'] = () =>
    problem(422, 'INVALID_FIELDS', [{ field: 'sms', code: 'SMS_SENDER_GENERIC', message: 'Demasiado general' }]);
  type('Nombre del remitente', 'AB');
  press('Guardar el remitente');
  await screen.findByText('Escriba al menos 3 caracteres');
  type('Nombre del remitente', 'Info');
  press('Guardar el remitente');
  await screen.findByText('Demasiado general');
});

it('leads a sender through its registration', async () => {
  await open(2);
  await screen.findByText('Sin remitente propio');
  type('Nombre del remitente', 'Peritos-1');
  screen.getByText('9/11');
  press('Guardar el remitente');
  await screen.findByText('Sin solicitar');
  press('Ya lo he solicitado');
  const dialog = within(await screen.findByRole('dialog', { name: '¿Ha solicitado ya «Peritos-1» en el Registro?' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Ya lo he solicitado' }));
  await screen.findByText('Solicitado');
  expect(posted('sms-conference-sender/').map(({ body }) => body)).toEqual([
    { sms: 'Peritos-1', requested: false },
    { sms: 'Peritos-1', requested: true },
  ]);
});

it('asks before a name in use is given up', async () => {
  server.answers['sms-conference-sender-client/u1'] = () =>
    Response.json({ ...sender, sms: 'Levante', status: 'registered', evidenceAt: '2026-11-20T00:00:00Z' });
  await open(2);
  await screen.findByText('Los SMS salen con este nombre.');
  expect(screen.getByText('De: Levante')).toBeTruthy();
  expect(screen.queryByText('Inscripción en el Registro')).toBeNull();
  type('Nombre del remitente', '');
  press('Guardar el remitente');
  await screen.findByText('¿Cambiar el remitente?');
  expect(posted('sms-conference-sender/')).toEqual([]);
  press('Cambiar el remitente');
  await screen.findByText('Remitente quitado');
});

it('has the administrator choose a customer, and note what the Registry answered', async () => {
  server.answers['sms-conference-client/u2'] = () => Response.json(text);
  server.answers['sms-conference-sender-client/u2'] = () =>
    Response.json({ ...sender, sms: 'Levante', status: 'requested' });
  server.answers['sms-sender-status/c1'] = (body) => Response.json({ ...sender, sms: 'Levante', ...body });
  await open(1, 'u2');
  await screen.findByRole('heading', { name: 'Inscripción en el Registro' });
  type('Fecha de la respuesta', '2026-11-20');
  fireEvent.click(screen.getByLabelText('Estado', { selector: 'input' }));
  fireEvent.click(await screen.findByRole('option', { name: 'Inscrito' }));
  press('Guardar la inscripción');
  await screen.findByText('Los SMS salen con este nombre.');
  expect(server.to('sms-sender-status')[0]?.body).toEqual({
    status: 'registered',
    evidenceAt: '2026-11-20',
    provider: '',
  });
});

it('shows the administrator no texts of the platform', async () => {
  await open(1);
  await screen.findByText('Elija un cliente');
  expect(server.to('sms-conference')).toEqual([]);
});
