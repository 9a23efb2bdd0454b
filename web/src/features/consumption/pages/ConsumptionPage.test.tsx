import { fireEvent, screen, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { session } from '@/shared/session';
import type { StatementLine } from '@/shared/statement/types';
import { fakeServer, problem, showPage } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { units } from '../testing';
import { ConsumptionPage } from './ConsumptionPage';

beforeAll(() => useTexts());

const lines: StatementLine[] = [
  {
    code: 'connection',
    description: 'Conexiones',
    priceId: 'p1',
    quantity: 58,
    unitPrice: 6,
    amount: 348,
    formula: { key: 'connection', values: {} },
  },
];
const totals = { base: 361.09, vatRate: 21, vat: 75.83, total: 436.92 };
let server: ReturnType<typeof fakeServer>;

const open = async (role: number, href: string) => {
  const parent = role === 1 ? 'platform' : 'c1';
  const exp = Math.floor(Date.now() / 1000) + 3600;
  await session.save(tokenWith({ role, parent, exp }), { ...nuria, role, parent }, []);
  showPage(ConsumptionPage, '/consumption/$parent', href);
};
const plain = (text: string | null | undefined) => text?.replace(/\s/g, ' ');

beforeEach(() => {
  server = fakeServer();
  server.answers['customer-units/c1'] = () => Response.json(units());
  server.answers['get-details/c1'] = () =>
    Response.json({ lines, totals, connections: [], connectionsTotal: 0, nextCursor: null });
  server.answers.customers = () => Response.json({ customers: [], total: 0, nextCursor: null });
});

it('shows the month so far, its tier, the minimum and its lines', async () => {
  await open(2, '/consumption/c1');
  const total = (await screen.findByText('Noviembre, hasta hoy')).parentElement;
  expect(plain(total?.textContent)).toContain('436,92 €Provisional, IVA incluido · 361,09 € de base e IVA 75,83 €');
  expect(screen.getByText('58 primeras y 5 de expedientes ya contados')).toBeTruthy();
  const tier = screen.getByText('De 51 a 100').closest('li');
  expect(tier?.getAttribute('aria-current')).toBe('step');
  expect(plain(tier?.textContent)).toContain('63 conexiones este mes5 %');
  expect(plain(screen.getByText(/^Faltan 38/).textContent)).toBe('Faltan 38 conexiones para el 10 %');
  expect(screen.getByText(/supera el mínimo/)).toBeTruthy();
  fireEvent.click(await screen.findByRole('button', { name: /^Conexiones/ }));
  expect(await screen.findByText('Ninguna conexión')).toBeTruthy();
  expect(server.to('get-details/c1').at(-1)?.path).toContain('line=connection');
});

it('says what is missing to the minimum and that nothing limits a call', async () => {
  server.answers['customer-units/c1'] = () =>
    Response.json(units({ subtotal: 12, discount: 0, minuteLimit: null, tiers: [] }));
  await open(2, '/consumption/c1');
  expect(plain((await screen.findByText(/para el mínimo/)).textContent)).toBe(
    'Faltan 18,00 € para el mínimo de 30,00 €',
  );
  expect(screen.getByText('Sin límite')).toBeTruthy();
  expect(screen.queryByText('Descuento por volumen')).toBeNull();
});

it('says that nothing has been consumed, and asks for no lines', async () => {
  const none = { connections: 0, otherConnections: 0, subtotal: 0, discount: 0, base: 0, vat: 0, total: 0, minimum: 0 };
  server.answers['customer-units/c1'] = () => Response.json(units(none));
  await open(2, '/consumption/c1');
  expect(await screen.findByText('Aún no hay consumo este mes')).toBeTruthy();
  expect(screen.getByText('Sin consumo mínimo')).toBeTruthy();
  expect(server.to('get-details')).toHaveLength(0);
});

it('offers another try', async () => {
  server.answers['customer-units/c1'] = () => problem(403, 'ROLE_NOT_ALLOWED');
  await open(2, '/consumption/c1');
  const alert = (await screen.findByText('No se ha podido cargar el consumo')).closest('[role=alert]') as HTMLElement;
  server.answers['customer-units/c1'] = () => Response.json(units());
  fireEvent.click(within(alert).getByRole('button', { name: 'Reintentar' }));
  expect(await screen.findByText('Noviembre, hasta hoy')).toBeTruthy();
});

it('asks the administrator for a customer first', async () => {
  await open(1, '/consumption/platform');
  expect(await screen.findByText('Elija un cliente')).toBeTruthy();
  expect(server.to('customer-units')).toHaveLength(0);
});
