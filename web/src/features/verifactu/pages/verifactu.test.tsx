import { modals } from '@mantine/modals';
import { notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { session } from '@/shared/session';
import { fakeServer, press, problem, showPage, type } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { declaration, record, rejected, state, WORDED_XML, XML } from '../testing';
import { DeclarationPage } from './DeclarationPage';
import { VerifactuPage } from './VerifactuPage';

beforeAll(() => useTexts());

let server: ReturnType<typeof fakeServer>;
const logIn = (role: number) =>
  session.save(tokenWith({ role, exp: Math.floor(Date.now() / 1000) + 3600 }), { ...nuria, role }, []);
const open = (href = '/verifactu') => showPage(VerifactuPage, '/verifactu', href);

beforeEach(async () => {
  notifications.clean();
  modals.closeAll();
  server = fakeServer();
  // The fake server takes the first name that fits, so the longer ones go first.
  server.answers['verifactu-records'] = () =>
    Response.json({ records: [record, rejected], total: 2, nextCursor: null });
  server.answers['verifactu-record/'] = () => new Response(XML, { headers: { 'Content-Type': 'application/xml' } });
  server.answers['verifactu-check'] = () =>
    Response.json({ ok: true, records: 1204, checkedAt: '2026-11-05T09:00:00Z', brokenAt: null });
  server.answers['verifactu-resend/'] = () => Response.json({ record: rejected });
  server.answers['verifactu-declaration'] = () => Response.json(declaration);
  server.answers['verifactu-export'] = () => problem(404, 'RECORD_NOT_FOUND');
  server.answers.verifactu = () => Response.json(state);
  await logIn(1);
});

it('shows mode, chain, queue and what the agency answered', async () => {
  open();
  await screen.findByText('Producción');
  const chain = screen.getByRole('region', { name: 'Cadena de registros' });
  expect(within(chain).getByText('1.204')).toBeTruthy();
  expect(within(chain).getByText('AB12AB12AB12…')).toBeTruthy();
  const queue = screen.getByRole('region', { name: 'Envío a la AEAT' });
  expect(queue.textContent).toContain('Aceptados: 1.200');
  expect(queue.textContent).toContain('Próximo envío');
  const row = (await screen.findByText('A2026-001203')).closest('tr');
  expect(row?.textContent).toContain('Rechazado');
  expect(row?.textContent).toContain('El NIF del destinatario no está identificado');
  expect(server.to('verifactu-records')[0]?.path).toBe('/api/v1/verifactu-records?limit=50');
});

it('says that nothing is sent when the mode is off', async () => {
  server.answers.verifactu = () => Response.json({ ...state, mode: 'off', certificate: null });
  server.answers['verifactu-records'] = () =>
    Response.json({ records: [{ ...record, state: 'local' }], total: 1, nextCursor: null });
  open();
  await screen.findByText('Sin envío');
  expect(screen.getByText('No configurado')).toBeTruthy();
  await screen.findByText('No se envía');
});

// FACTU-3
it('says in whose words a call was refused, and what became of the records', async () => {
  const queue = {
    ...state.queue,
    lastError: 'VERIFACTU_FAULT',
    lastErrorText: 'env:Client Codigo[4102].El XML no cumple el esquema',
    lastErrorAt: '2026-11-02T08:00:30Z',
  };
  server.answers.verifactu = () => Response.json({ ...state, queue });
  const flawed = { ...rejected, code: 'VERIFACTU_FLAWED', message: 'NIF' };
  server.answers['verifactu-records'] = () => Response.json({ records: [flawed], total: 1, nextCursor: null });
  open();
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('La AEAT ha rechazado el envío completo.');
  expect(alert.textContent).toContain('La AEAT responde: env:Client Codigo[4102].El XML no cumple el esquema');
  await screen.findByText('No se ha enviado: el esquema de la AEAT no admite este dato. · NIF');
});

// FACTU-6
it('says why no invoice is issued, and before that from when on', async () => {
  server.answers.verifactu = () => Response.json({ ...state, mode: 'off', certificate: null, blocked: true });
  open();
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('No se expide ninguna factura');
  expect(alert.textContent).toContain('ATALAYA_VERIFACTU_MODE');
});

// FACTU-6
it('announces the day while there is time', async () => {
  server.answers.verifactu = () => Response.json({ ...state, mode: 'off', certificate: null });
  open();
  await screen.findByText(/solo se expiden facturas en modo de producción/);
  expect(screen.queryByText('No se expide ninguna factura')).toBeNull();
});

// FACTU-9
it('exports the records of a period, and asks for its days first', async () => {
  open();
  await screen.findByText('Producción');
  press('Exportar registros');
  const form = within(screen.getByRole('form', { name: 'Exportar registros' }));
  form.getByRole('button', { name: 'Exportar' }).click();
  expect(await form.findAllByText('Elija el día')).toHaveLength(2);
  expect(server.to('verifactu-export')).toEqual([]);
  type('Desde', '01/10/2026');
  type('Hasta', '31/12/2026');
  type('Referencia del requerimiento', ' REQ-1 ');
  form.getByRole('button', { name: 'Exportar' }).click();
  await form.findByText('Este registro no existe.');
  server.answers['verifactu-export'] = () =>
    new Response('<a/>', { headers: { 'Content-Disposition': 'attachment; filename="registros.xml"' } });
  form.getByRole('button', { name: 'Exportar' }).click();
  await waitFor(() => expect(screen.queryByRole('form', { name: 'Exportar registros' })).toBeNull());
  expect(server.to('verifactu-export').at(-1)?.path).toBe(
    '/api/v1/verifactu-export?from=2026-10-01&to=2026-12-31&reference=REQ-1',
  );
});

it('checks the chain, and says where it breaks', async () => {
  open();
  await screen.findByText('Producción');
  press('Comprobar la cadena');
  await screen.findByText('La cadena está íntegra');
  expect(screen.getByText(/1.204 registros comprobados/)).toBeTruthy();
  server.answers['verifactu-check'] = () =>
    Response.json({
      ok: false,
      records: 1204,
      brokenAt: { seq: 17, number: 'A2026-000017', reason: 'hash' },
    });
  press('Comprobar la cadena');
  const broken = await screen.findByRole('alert');
  expect(broken.textContent).toContain('La cadena se rompe en el registro 17');
  expect(broken.textContent).toContain('Factura A2026-000017: la huella no corresponde a su contenido.');
});

it('opens a record with its XML, and sends a rejected one again after asking', async () => {
  open('/verifactu?open=r1203');
  const drawer = within(await screen.findByRole('dialog', { name: 'Registro 1203' }));
  await drawer.findByText(/<NumSerieFactura>A2026-001204<\/NumSerieFactura>/);
  expect(drawer.getByText('1153 · El NIF del destinatario no está identificado')).toBeTruthy();
  drawer.getByRole('button', { name: 'Reenviar' }).click();
  const question = within(await screen.findByRole('dialog', { name: 'Reenviar el registro de A2026-001203' }));
  expect(server.to('verifactu-resend')).toEqual([]);
  question.getByRole('button', { name: 'Reenviar' }).click();
  await screen.findByText('Registro en la cola de envío');
  expect(server.to('verifactu-resend').map(({ method, path }) => [method, path])).toEqual([
    ['POST', '/api/v1/verifactu-resend/r1203'],
  ]);
});

it('sends a rejected record with the words that were wrong', async () => {
  server.answers['verifactu-record/'] = () => new Response(WORDED_XML);
  open('/verifactu?open=r1203');
  const drawer = within(await screen.findByRole('dialog', { name: 'Registro 1203' }));
  await drawer.findByText(/<NumSerieFactura>/);
  press('Corregir los datos');
  const name = drawer.getByLabelText('Nombre del destinatario') as HTMLInputElement;
  expect(name.value).toBe('Peritaciones Levante');
  expect((drawer.getByLabelText('Descripción') as HTMLTextAreaElement).value).toBe('Servicio de videoasistencia');
  press('Enviar corregido');
  expect(await drawer.findByText(/Cambie el nombre o la descripción/)).toBeTruthy();
  server.answers['verifactu-resend/'] = () =>
    problem(422, 'INVALID_FIELDS', [{ field: 'recipientName', code: 'TOO_LONG', message: 'Demasiado largo' }]);
  type('Nombre del destinatario', 'Peritaciones Levante, S.L.');
  press('Enviar corregido');
  expect(await drawer.findByText('Demasiado largo')).toBeTruthy();
  server.answers['verifactu-resend/'] = () => Response.json({ record });
  type('Nombre del destinatario', 'Peritaciones Levante SL');
  press('Enviar corregido');
  await screen.findByText('Registro en la cola de envío');
  expect(server.to('verifactu-resend').at(-1)?.body).toEqual({
    recipientName: 'Peritaciones Levante SL',
    description: 'Servicio de videoasistencia',
  });
});

it('offers no correction of what may not be corrected', async () => {
  open('/verifactu?open=r1204');
  const drawer = within(await screen.findByRole('dialog', { name: 'Registro 1204' }));
  await drawer.findByText(/<NumSerieFactura>/);
  expect(drawer.queryByRole('button', { name: 'Corregir los datos' })).toBeNull();
  expect(drawer.queryByRole('button', { name: 'Reenviar' })).toBeNull();
});

it('offers another try', async () => {
  server.answers.verifactu = () => problem(403, 'ROLE_NOT_ALLOWED');
  open();
  await screen.findByText('No se ha podido cargar el estado de Veri*Factu');
  server.answers.verifactu = () => Response.json(state);
  press('Reintentar');
  await screen.findByText('Producción');
});

it('shows the statement to everybody, in its order, and what is not filled in', async () => {
  await logIn(3);
  showPage(DeclarationPage, '/declaracion-responsable', '/declaracion-responsable');
  await screen.findByRole('heading', { name: 'Nombre del sistema informático' });
  const points = screen.getAllByRole('listitem').map((item) => item.textContent);
  expect(points).toEqual([
    'a)Nombre del sistema informáticoAtalaya',
    'e)Uso exclusivo como VERI*FACTUSí, solo VERI*FACTU',
    'l)Fecha y lugarSin completar en la configuración del servidor.',
  ]);
  await waitFor(() => expect(document.title).toContain('Declaración responsable'));
});
