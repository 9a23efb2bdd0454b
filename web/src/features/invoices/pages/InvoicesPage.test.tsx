import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { session } from '@/shared/session';
import { fakeServer, press, problem, showPage, type } from '@/test/pages';
import { setViewport } from '@/test/render';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { calls, details, invoice, invoices, statistics } from '../testing';
import { InvoicesPage } from './InvoicesPage';

beforeAll(() => useTexts());

let server: ReturnType<typeof fakeServer>;

const open = async (role: number, href: string) => {
  const parent = role === 1 ? 'platform' : 'c1';
  const exp = Math.floor(Date.now() / 1000) + 3600;
  await session.save(tokenWith({ role, parent, exp }), { ...nuria, role, parent }, []);
  showPage(InvoicesPage, '/invoices/$parent', href);
};

beforeEach(() => {
  setViewport(1440, 900);
  vi.useFakeTimers({ now: new Date('2026-11-22T10:00:00Z'), toFake: ['Date'] });
  server = fakeServer();
  const list = { invoices, total: invoices.length, nextCursor: null };
  server.answers['get-invoices/'] = () => Response.json(list);
  server.answers['invoice-statistics/'] = () => Response.json(statistics);
  server.answers['get-details/i-249'] = () =>
    Response.json({
      ...details(invoices[2] ?? invoice()),
      connections: calls,
      connectionsTotal: 30,
      nextCursor: '25',
    });
  server.answers['get-details/r-12'] = () => Response.json(details(invoices[3] ?? invoice()));
  server.answers.customers = () => Response.json({ customers: [], total: 0, nextCursor: null });
  return () => vi.useRealTimers();
});

const row = async (number: string) => (await screen.findByText(number)).closest('tr') as HTMLElement;
const plain = (text: string | null | undefined) => text?.replace(/\s/g, ' ');

it('lists a year of invoices with their amounts, status and what came back', async () => {
  await open(2, '/invoices/c1');
  const returned = await row('A2026-000249');
  expect(within(returned).getByText('Devuelta')).toBeTruthy();
  expect(within(returned).getByText('Julio 2026')).toBeTruthy();
  expect(plain(returned.textContent)).toContain('2.236,36469,642.706,00 €30/08/2026');
  expect(within(await row('R2026-000012')).getByText('−49,59')).toBeTruthy();
  expect(screen.queryByRole('columnheader', { name: 'Cliente' })).toBeNull();
  const asked = server.to('get-invoices/c1')[0]?.path ?? '';
  expect(Object.fromEntries(new URL(asked, 'http://x').searchParams)).toEqual({
    limit: '50',
    from: '2025-12',
    to: '2026-11',
  });
  const figures = (await screen.findByText('Noviembre, hasta hoy')).parentElement?.parentElement;
  expect(plain(figures?.textContent)).toContain('2.148,40 €223 conexiones · IVA incluido');
  expect(plain(figures?.textContent)).toContain('3.962,21 €30/11/2026 · ES•• •••• •••• 4417');
  fireEvent.click(screen.getByRole('button', { name: /1 recibo devuelto/ }));
  await waitFor(() => expect(server.to('get-invoices/c1').at(-1)?.path).toContain('status=returned'));
});

it('says why a charge came back, and what the customer can do', async () => {
  await open(2, '/invoices/c1');
  fireEvent.click(await screen.findByRole('button', { name: 'Ver motivo de la devolución de A2026-000249' }));
  const dialog = await screen.findByRole('dialog');
  expect(plain(dialog.textContent)).toContain('Saldo insuficiente (AM04)');
  expect(dialog.textContent).toContain('Compruebe el IBAN en Datos de empresa');
});

// INV-10
it('offers the administrator the ways out of a return, the best one filled', async () => {
  server.answers['invoice-paid/i-249'] = () => Response.json({ invoice: invoice({ status: 'paid' }) });
  await open(1, '/invoices/c1');
  fireEvent.click(await screen.findByRole('button', { name: 'Ver motivo de la devolución de A2026-000249' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain('se presenta una vez más a los 10 días');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Qué se puede hacer' }));
  const ways = within(await screen.findByRole('list', { name: 'Qué se puede hacer' }));
  const shown = ways.getAllByRole('listitem').map((way) => way.firstElementChild as HTMLElement);
  expect(shown.map((way) => [way.textContent, way.getAttribute('href')])).toEqual([
    ['Ver la próxima remesa', '/remittances'],
    ['Ha pagado de otra forma', null],
    ['Revisar cuenta y mandato', '/customer/c1/perfil'],
    ['Dar por impagada', null],
  ]);
  const panel = shown[0]?.closest('[role=dialog]') as HTMLElement;
  const filled = [...panel.querySelectorAll('[data-variant=filled]')].map((button) => button.textContent);
  expect(filled).toEqual(['Ver la próxima remesa']);
  fireEvent.click(ways.getByRole('button', { name: 'Ha pagado de otra forma' }));
  await screen.findByLabelText('Fecha de cobro');
  press('Marcar como cobrada');
  await waitFor(() => expect(server.to('invoice-paid')[0]?.body).toEqual({ paidAt: '2026-11-22' }));
});

// INV-10
it('leads the customer from a return to the own account', async () => {
  await open(2, '/invoices/c1?open=i-249');
  const way = await screen.findByRole('link', { name: 'Revisar el IBAN' });
  expect(way.getAttribute('href')).toBe('/customer/c1/perfil');
  expect(screen.queryByRole('list', { name: 'Qué se puede hacer' })).toBeNull();
});

it('gives each row one badge, and amber to what is overdue', async () => {
  const late = invoice({ _id: 'i-9', number: 'A2026-000009', status: 'sent', overdue: true });
  const all = [late, ...invoices];
  server.answers['get-invoices/'] = () => Response.json({ invoices: all, total: all.length, nextCursor: null });
  await open(2, '/invoices/c1');
  for (const { number } of all) expect((await row(number)).querySelectorAll('[data-tone]'), number).toHaveLength(1);
  const overdue = await row('A2026-000009');
  expect(within(overdue).getByText('Vencida').getAttribute('data-tone')).toBe('warn');
  expect(within(overdue).getByText('Enviada').tagName).toBe('SMALL');
  expect(within(overdue).getByText('30/11/2026').hasAttribute('data-overdue')).toBe(true);
  expect(within(await row('A2026-000311')).getByText('Revocable hasta el 25/12/2026').tagName).toBe('SMALL');
  expect(within(await row('R2026-000012')).getByText('Rectificativa').tagName).toBe('SMALL');
});

it('opens an invoice down to the calls of a line', async () => {
  await open(2, '/invoices/c1?open=i-249');
  const panel = await screen.findByRole('dialog');
  fireEvent.click(await within(panel).findByRole('button', { name: /^Conexiones/ }));
  const table = await within(panel).findByRole('region', { name: 'Conexiones de Conexiones' });
  expect(within(table).getByRole('link', { name: 'EXP 77' }).getAttribute('href')).toBe('/expedient/EXP%2077');
  expect(within(table).getByText('10:01')).toBeTruthy();
  const asked = new URL(server.to('get-details/').at(-1)?.path ?? '', 'http://x').searchParams;
  expect(Object.fromEntries(asked)).toEqual({ limit: '25', line: 'connection', priceId: 'p1' });
  fireEvent.click(within(panel).getByRole('button', { name: /Mostrar más/ }));
  await waitFor(() => expect(server.to('get-details/').at(-1)?.path).toContain('cursor=25'));
  // Nothing of the administrator's.
  expect(within(panel).queryByRole('button', { name: 'Más acciones' })).toBeNull();
});

it('downloads an invoice by EN 16931 as UBL and as CII', async () => {
  for (const call of ['invoice-ubl/i-249', 'invoice-cii/i-249']) {
    server.answers[call] = () => new Response('<Invoice/>', { headers: { 'content-type': 'application/xml' } });
  }
  URL.createObjectURL = () => 'blob:x';
  URL.revokeObjectURL = () => undefined;
  await open(2, '/invoices/c1?open=i-249');
  for (const [format, call] of [
    ['UBL (EN 16931)', 'invoice-ubl/'],
    ['CII (EN 16931)', 'invoice-cii/'],
  ] as const) {
    fireEvent.click(await screen.findByRole('button', { name: 'Otros formatos' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: format }));
    await waitFor(() => expect(server.to(call).map(({ path }) => path)).toEqual([`/api/v1/${call}i-249?`]));
  }
});

// EINV-16, EINV-17
it('shows what a recipient said and takes a rejection with its reason', async () => {
  const said = {
    _id: 'm1',
    status: 'accepted',
    day: '2026-11-20',
    reason: null,
    byCustomer: true,
    at: '2026-11-20T10:00:00Z',
  };
  const answer = (open: boolean) => Response.json({ open, messages: open ? [said] : [] });
  server.answers['invoice-messages/i-249'] = () => answer(true);
  await open(2, '/invoices/c1?open=i-249');
  expect(await screen.findByRole('heading', { name: 'Respuestas del destinatario' })).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Anotar respuesta' }));
  fireEvent.click(await screen.findByRole('radio', { name: 'Rechazada' }));
  press('Guardar respuesta');
  expect(await screen.findByText('Indique el motivo del rechazo')).toBeTruthy();
  type('Motivo del rechazo', 'Importe equivocado');
  press('Guardar respuesta');
  await waitFor(() => {
    const posted = server.to('invoice-messages/i-249').filter(({ method }) => method === 'POST');
    expect(posted.map(({ body }) => body)).toEqual([
      { status: 'rejected', day: '2026-11-22', reason: 'Importe equivocado' },
    ]);
  });
});

it('says nothing of replies where none is taken', async () => {
  server.answers['invoice-messages/i-249'] = () => Response.json({ open: false, messages: [] });
  await open(2, '/invoices/c1?open=i-249');
  await waitFor(() => expect(server.to('invoice-messages/i-249')).toHaveLength(1));
  expect(screen.queryByText('Respuestas del destinatario')).toBeNull();
});

it('offers another try for the list, the figures and an invoice', async () => {
  server.answers['get-invoices/'] = () => problem(403, 'ROLE_NOT_ALLOWED');
  server.answers['invoice-statistics/'] = () => problem(403, 'ROLE_NOT_ALLOWED');
  server.answers['get-details/i-249'] = () => problem(404, 'INVOICE_NOT_FOUND');
  await open(2, '/invoices/c1?open=i-249');
  expect(await screen.findByText('No se ha podido cargar la factura')).toBeTruthy();
  expect(await screen.findByText('No se ha podido cargar el resumen')).toBeTruthy();
  expect(await screen.findByText('No se ha podido cargar la lista')).toBeTruthy();
});

it('tells a new customer when the first invoice comes', async () => {
  server.answers['get-invoices/'] = () => Response.json({ invoices: [], total: 0, nextCursor: null });
  await open(2, '/invoices/c1');
  expect(await screen.findByText('Aún no hay facturas')).toBeTruthy();
});

it("shows everybody's to the administrator, with the customer's name", async () => {
  await open(1, '/invoices/platform');
  expect(await screen.findByRole('columnheader', { name: 'Cliente' })).toBeTruthy();
  expect(server.to('get-invoices/0')).toHaveLength(1);
  expect(screen.queryByText('Ver el consumo')).toBeNull();
});

it('rectifies an amount, after asking for what is missing', async () => {
  const made = invoices[3] ?? invoice();
  server.answers['invoice-rectify/i-249'] = () => Response.json({ invoice: made });
  await open(1, '/invoices/c1?open=i-249');
  fireEvent.click(await screen.findByRole('button', { name: 'Más acciones' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Rectificar' }));
  await screen.findByText('Rectificar A2026-000249');
  press('Expedir rectificativa');
  expect(await screen.findByText('Indique una diferencia distinta de cero')).toBeTruthy();
  expect(screen.getByText('Indique el motivo')).toBeTruthy();
  expect(server.to('invoice-rectify')).toHaveLength(0);
  type('Diferencia de la base imponible', '-49,59');
  type('Motivo', 'Tarifa equivocada');
  expect(screen.getByText(/El cliente está en concurso de acreedores/)).toBeTruthy();
  fireEvent.click(screen.getByLabelText('Datos de la factura (R4)'));
  expect(plain((await screen.findByRole('status')).textContent)).toBe(
    'La rectificativa será de −60,00 €: base −49,59 € e IVA −10,41 €.',
  );
  press('Expedir rectificativa');
  await waitFor(() =>
    expect(server.to('invoice-rectify')[0]?.body).toEqual({
      reason: 'Tarifa equivocada',
      kind: 'differences',
      cause: 'other',
      amount: -49.59,
    }),
  );
  // The rectifying invoice is shown in its place.
  expect(await screen.findByText(/Rectifica a/)).toBeTruthy();
});

it('asks for the conditions of the law before a base is lowered', async () => {
  const relief = {
    claimedOn: '2026-11-10',
    claim: 'provable' as const,
    reference: 'Burofax 123',
    smallCompany: true,
    businessRecipient: true,
    notExcluded: true,
    orderDate: null,
    publishedOn: null,
    deadline: '2027-01-31',
    notifyBy: '2026-12-24',
  };
  const made = invoice({ _id: 'r-9', number: 'R2026-000009', kind: 'rectifying', relief });
  server.answers['invoice-rectify/i-249'] = () => Response.json({ invoice: made });
  await open(1, '/invoices/c1?open=i-249');
  fireEvent.click(await screen.findByRole('button', { name: 'Más acciones' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Rectificar' }));
  await screen.findByText('Rectificar A2026-000249');
  expect(screen.queryByText('Requisitos del art. 80 LIVA')).toBeNull();
  fireEvent.click(screen.getByLabelText(/Crédito incobrable/));
  fireEvent.click(screen.getByLabelText('La factura entera'));
  expect(screen.getByText('Requisitos del art. 80 LIVA')).toBeTruthy();
  expect(screen.queryByLabelText(/Volver a facturar/)).toBeNull();
  type('Motivo', 'Impago');
  press('Expedir rectificativa');
  for (const missing of [
    'Elija cómo se ha reclamado',
    'Elija la fecha de la reclamación',
    'Escriba la referencia de la reclamación',
    'Marque la casilla si se cumple; si no, elija otra causa',
  ])
    await screen.findByText(missing);
  expect(server.to('invoice-rectify')).toHaveLength(0);
  fireEvent.click(screen.getByLabelText(/burofax/));
  const day = screen.getByLabelText('Fecha de la reclamación');
  fireEvent.change(day, { target: { value: '10/11/2026' } });
  fireEvent.blur(day);
  type('Referencia de la reclamación', 'Burofax 123');
  fireEvent.click(screen.getByLabelText(/bastan seis meses/));
  fireEvent.click(screen.getByLabelText(/no está garantizado/));
  press('Expedir rectificativa');
  await waitFor(() =>
    expect(server.to('invoice-rectify')[0]?.body).toEqual({
      reason: 'Impago',
      kind: 'to-zero',
      cause: 'bad-debt',
      relief: {
        claimedOn: '2026-11-10',
        claim: 'provable',
        reference: 'Burofax 123',
        smallCompany: true,
        businessRecipient: true,
        notExcluded: true,
      },
    }),
  );
});

it('shows beside its field what the server refuses of a rectification', async () => {
  server.answers['invoice-rectify/i-249'] = () =>
    problem(422, 'INVALID_FIELDS', [
      { field: 'amount', code: 'AMOUNT_TOO_LOW', message: 'Queda menos por rectificar' },
    ]);
  await open(1, '/invoices/c1?open=i-249');
  fireEvent.click(await screen.findByRole('button', { name: 'Más acciones' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Rectificar' }));
  await screen.findByText('Rectificar A2026-000249');
  type('Diferencia de la base imponible', '-2000');
  type('Motivo', 'Tarifa equivocada');
  press('Expedir rectificativa');
  await screen.findByText('Queda menos por rectificar');
  expect(screen.getByLabelText('Diferencia de la base imponible').getAttribute('aria-invalid')).toBe('true');
  expect(screen.queryByText('No se ha podido guardar el cambio')).toBeNull();
});

it('marks a returned invoice as paid on a day that is not in the future', async () => {
  server.answers['invoice-paid/i-249'] = () => Response.json({ invoice: invoice({ status: 'paid' }) });
  await open(1, '/invoices/c1?open=i-249');
  fireEvent.click(await screen.findByRole('button', { name: 'Más acciones' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Marcar como cobrada' }));
  const day = await screen.findByLabelText('Fecha de cobro');
  expect((day as HTMLInputElement).value).toBe('22/11/2026');
  fireEvent.change(day, { target: { value: '23/11/2026' } });
  press('Marcar como cobrada');
  expect(await screen.findByText('Indique una fecha que no sea futura')).toBeTruthy();
  fireEvent.change(day, { target: { value: '20/11/2026' } });
  press('Marcar como cobrada');
  await waitFor(() => expect(server.to('invoice-paid')[0]?.body).toEqual({ paidAt: '2026-11-20' }));
});
