import { modals } from '@mantine/modals';
import { notifications } from '@mantine/notifications';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { session } from '@/shared/session';
import { fakeServer, press, problem, showPage } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import type { Process } from '../model';
import { october, september } from '../testing';
import { InvoiceProcessesPage } from './InvoiceProcessesPage';

beforeAll(() => useTexts());

afterEach(() => void vi.useRealTimers());

let server: ReturnType<typeof fakeServer>;
const answer = (processes: Process[], running = false) => {
  server.answers['invoice-processes'] = () => Response.json({ processes, running });
};
/** What the books of the newest quarter hold. */
const books = (invoices: number) => ({
  period: '2026-4T',
  from: '2026-10-01',
  to: '2026-12-31',
  invoices,
  rectifying: 1,
  base: 26,
  vat: 5.46,
  total: 31.46,
});
const open = (href = '/invoice-processes') => showPage(InvoiceProcessesPage, '/invoice-processes', href);
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });

beforeEach(async () => {
  // October may still be issued.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-03T09:00:00Z') });
  // What an earlier page left floating.
  notifications.clean();
  modals.closeAll();
  server = fakeServer();
  answer([october, september]);
  server.answers['accounting-summary'] = () => Response.json(books(0));
  // happy-dom stores no blobs.
  URL.createObjectURL = vi.fn(() => 'blob:x');
  URL.revokeObjectURL = vi.fn();
  await session.save(
    tokenWith({ role: 1, parent: 'p1', exp: Date.parse('2099-01-01') / 1000 }),
    { ...nuria, role: 1, parent: 'p1' },
    [],
  );
});

it('generates a month after saying what that means, and nothing before', async () => {
  server.answers['generate-all-invoices'] = () => Response.json({ process: october }, { status: 202 });
  open();
  const month = await screen.findByRole('region', { name: 'Octubre 2026' });
  expect(within(month).getByText('Se puede expedir hasta el 15/11/2026 (art. 13).')).toBeTruthy();
  expect(within(month).getByText(/^3\.962,21\s€$/)).toBeTruthy();
  press('Generar facturas');
  const dialog = await screen.findByRole('dialog', { name: 'Generar las facturas de octubre de 2026' });
  expect(dialog.textContent).toMatch(/Se van a expedir 4 facturas por un total de 3\.962,21\s€/);
  expect(dialog.textContent).toContain('no se podrán modificar ni borrar');
  within(dialog).getByRole('button', { name: 'Cancelar' }).click();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(server.to('generate-all-invoices')).toEqual([]);
  press('Generar facturas');
  (await screen.findByRole('button', { name: 'Generar 4 facturas' })).click();
  await waitFor(() =>
    expect(server.to('generate-all-invoices').map(({ method, path }) => [method, path])).toEqual([
      ['POST', '/api/v1/generate-all-invoices?period=2026-10'],
    ]),
  );
});

it('sends with the words of the specification', async () => {
  server.answers['send-all-invoices'] = () =>
    Response.json({
      message: 'Se han enviado los correos',
      queued: 1,
      failed: [
        {
          invoiceId: 'i9',
          number: 'A2026-000009',
          customerId: 'c9',
          company: 'Sin correo, S.L.',
          code: 'EMAIL_MISSING',
        },
      ],
    });
  open('/invoice-processes?period=2026-09');
  await screen.findByRole('region', { name: 'Septiembre 2026' });
  press('Enviar facturas');
  (await screen.findByRole('button', { name: 'Enviar 1 factura' })).click();
  await screen.findByText('Se han enviado los correos');
  const list = within(await screen.findByRole('list', { name: '1 factura no se ha podido enviar' }));
  expect(list.getByText('A2026-000009 · Sin correo, S.L.')).toBeTruthy();
  expect(list.getByText('El cliente no tiene correo electrónico')).toBeTruthy();
  expect(list.getByRole('link').getAttribute('href')).toBe('/customer/c9/perfil');
});

it('shows progress, and offers nothing meanwhile', async () => {
  answer([{ ...october, job: { running: true, kind: 'issue', done: 120, of: 1000 } }, september], true);
  open();
  const bar = await screen.findByRole('progressbar', { name: 'Expidiendo facturas · Octubre 2026' });
  expect(bar.getAttribute('aria-valuenow')).toBe('12');
  expect(screen.getByText('120 de 1.000')).toBeTruthy();
  for (const name of ['Recalcular', 'Enviar facturas', 'Generar facturas']) expect(button(name).disabled).toBe(true);
  answer([
    { ...october, state: 'issued', issued: 4, job: null },
    { ...september, state: 'pending' },
  ]);
  await screen.findByText('Facturas generadas');
  // The month that was issued stays in sight.
  expect(screen.getByRole('region', { name: 'Octubre 2026' })).toBeTruthy();
  expect(screen.queryByRole('progressbar')).toBeNull();
});

it('names who is left out, why, and leads to where it is mended', async () => {
  const errors = [
    { customerId: 'c7', company: 'Peritos Sur', code: 'CUSTOMER_INCOMPLETE', fields: ['cif', 'address'] },
    { customerId: null, company: '', code: 'ISSUER_INCOMPLETE', fields: ['bankAccount'] },
    { customerId: null, company: '', code: 'NETWORK' },
  ];
  answer([{ ...october, errors }]);
  open();
  const list = await screen.findByRole('list', { name: '1 cliente sin facturar' });
  expect(within(list).getByText('Falta: NIF/CIF, Dirección')).toBeTruthy();
  expect(within(list).getByText('Falta: IBAN')).toBeTruthy();
  expect(within(list).getByText('El proceso se detuvo')).toBeTruthy();
  const links = within(list).getAllByRole('link');
  expect(links.map((link) => [link.getAttribute('aria-label'), link.getAttribute('href')])).toEqual([
    ['Completar datos de Peritos Sur', '/customer/c7/perfil'],
    ['Completar datos de Empresa emisora', '/customer/p1/perfil'],
  ]);
});

// FACTU-6
it('says why nothing is issued without Veri*Factu', async () => {
  answer([{ ...october, errors: [{ customerId: null, company: '', code: 'VERIFACTU_REQUIRED' }] }]);
  open();
  await screen.findByText(/no se expide ninguna factura sin enviar su registro a la Agencia Tributaria/);
});

it('says in amber when the time to issue is over, also before anything is calculated', async () => {
  vi.setSystemTime(new Date('2026-11-15T23:00:00Z'));
  answer([{ ...october, state: 'pending' }, september]);
  open();
  const passed = await screen.findByText('El plazo para expedir terminó el 15/11/2026 (art. 13).');
  expect(passed.closest('[data-tone]')?.getAttribute('data-tone')).toBe('warn');
  const tag = within(await screen.findByRole('table', { name: 'Meses' })).getByText('Plazo vencido');
  expect(tag.getAttribute('data-tone')).toBe('warn');
});

// RUN-10
it.each<[string, Partial<Process>, string]>([
  ['calculated', { state: 'pending', toInvoice: 0 }, 'Calcular'],
  ['issued', {}, 'Generar facturas'],
  ['sent', { state: 'issued', issued: 4 }, 'Enviar facturas'],
  ['collected', { state: 'sent', issued: 4, sent: 4 }, 'Cobrar por remesa'],
])('fills the one step that comes next: to be %s', async (_what, change, name) => {
  answer([{ ...october, ...change }]);
  open();
  await screen.findByRole('region', { name: 'Octubre 2026' });
  const steps = ['Recalcular', 'Calcular', 'Generar facturas', 'Enviar facturas', 'Cobrar por remesa'];
  const shown = steps.flatMap((step) => [
    ...screen.queryAllByRole('button', { name: step }),
    ...screen.queryAllByRole('link', { name: step }),
  ]);
  expect(shown).toHaveLength(4);
  const filled = shown.filter((step) => step.getAttribute('data-variant') === 'filled');
  expect(filled.map((step) => step.textContent)).toEqual([name]);
});

// RUN-10
it('puts who is left out above the amounts', async () => {
  answer([
    { ...october, errors: [{ customerId: 'c7', company: 'Sur', code: 'CUSTOMER_INCOMPLETE', fields: ['cif'] }] },
  ]);
  open();
  const problems = await screen.findByRole('list', { name: '1 cliente sin facturar' });
  const amount = screen.getByText('Base imponible', { selector: 'dt' });
  expect(problems.compareDocumentPosition(amount) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});

it('leads from a month that was sent to the remittances', async () => {
  answer([{ ...october, state: 'sent', issued: 4, sent: 4 }]);
  open();
  const way = await screen.findByRole('link', { name: 'Cobrar por remesa' });
  expect(way.getAttribute('href')).toBe('/remittances');
});

it('warns when it is late, before and in the question', async () => {
  answer([{ ...october, late: true }]);
  open();
  const warning = await screen.findByText(/debían expedirse como muy tarde el 15\/11\/2026/);
  expect(warning.closest('[role=alert]')?.textContent).toContain('Fuera de plazo (art. 13)');
  press('Generar facturas');
  expect((await screen.findByRole('dialog')).textContent).toContain('Fuera de plazo (art. 13)');
});

it('leads to the data that the issuer lacks', async () => {
  server.answers['generate-all-invoices'] = () =>
    problem(422, 'ISSUER_INCOMPLETE', [{ field: 'address', code: 'REQUIRED', message: '' }]);
  open();
  await screen.findByRole('region', { name: 'Octubre 2026' });
  press('Generar facturas');
  (await screen.findByRole('button', { name: 'Generar 4 facturas' })).click();
  await screen.findByText('Faltan datos de la empresa emisora');
  expect(screen.getByText('Falta: Dirección')).toBeTruthy();
  const way = screen.getByRole('link', { name: 'Completar datos de la empresa' });
  expect(way.getAttribute('href')).toBe('/customer/p1/perfil');
});

it('says when there is nothing yet, and offers another try', async () => {
  server.answers['invoice-processes'] = () => problem(403, 'ROLE_NOT_ALLOWED');
  open();
  await screen.findByText('No se han podido cargar los procesos');
  answer([]);
  press('Reintentar');
  await screen.findByText('Todavía no hay ningún mes cerrado');
});

// BOOKS-1, BOOKS-2, BOOKS-4
it("downloads the accountant's files of the newest quarter", async () => {
  server.answers['accounting-summary'] = () => Response.json(books(2));
  server.answers['accounting-register'] = () => new Response('a;b');
  server.answers['accounting-documents'] = () => new Response('zip');
  open();
  const pack = await screen.findByRole('region', { name: 'Para la gestoría' });
  await within(pack).findByText('Del 01/10/2026 al 31/12/2026');
  expect(within(pack).getByText(/^31,46\s€$/)).toBeTruthy();
  expect(server.to('accounting-summary').map(({ path }) => path)).toEqual([
    '/api/v1/accounting-summary?period=2026-4T',
  ]);
  press('Libro registro (CSV)');
  await waitFor(() =>
    expect(server.to('accounting-register').map(({ path }) => path)).toEqual([
      '/api/v1/accounting-register?period=2026-4T',
    ]),
  );
  await waitFor(() => expect(button('Facturas en XML (ZIP)').disabled).toBe(false));
  press('Facturas en XML (ZIP)');
  await waitFor(() =>
    expect(server.to('accounting-documents').map(({ path }) => path)).toEqual([
      '/api/v1/accounting-documents?period=2026-4T&format=xml',
    ]),
  );
});

// BOOKS-1
it('has nothing to download of a period without invoices', async () => {
  open();
  await screen.findByText('En este periodo no hay facturas.');
  expect(button('Asientos (CSV)').disabled).toBe(true);
});
