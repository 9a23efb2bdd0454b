import { render, screen, within } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PriceTable as Prices } from '@/shared/lib/prices';
import { samePrices } from '@/shared/lib/prices';
import { Providers } from '@/test/providers';
import { useTexts } from '@/test/texts';
import { PriceTable } from './PriceTable';

beforeAll(() => useTexts());

const prices: Prices = {
  connection: 6,
  otherConnections: 3,
  minuteLimit: 10,
  exceededMinute: 0.35,
  guestMinute: 0.2,
  minPayment: 1030,
  discounts: [
    { to: 250, percent: 10 },
    { to: 50, percent: 0 },
    { to: 500, percent: 12.5 },
  ],
};
const show = (before?: Prices) =>
  render(
    <Providers env="test">
      <PriceTable prices={prices} before={before} />
    </Providers>,
  );
const cells = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .map((row) => (row.textContent ?? '').replace(/\u00a0/g, ' '));

describe('price table', () => {
  it('writes euros with two decimals and tiers by percent, the last without an end', () => {
    show();
    expect(cells('Tabla de precios')).toEqual([
      'Conexión6,00 €',
      'Otras conexiones del mismo expediente3,00 €',
      'Minutos incluidos por conexión10 minutos',
      'Minuto excedido0,35 €',
      'Minuto de invitado0,20 €',
      'Consumo mínimo mensual1.030,00 €',
    ]);
    expect(cells('Descuentos por volumen')).toEqual([
      'Hasta 50 conexiones0 %',
      'Hasta 250 conexiones10 %',
      'Más de 250 conexiones12,5 %',
    ]);
    screen.getByText(/Precios en euros, IVA no incluido/);
  });

  it('shows both values of what changed, and only of that', () => {
    show({ ...prices, connection: 5.5, minuteLimit: null, discounts: [{ to: 50, percent: 0 }] });
    const rows = cells('Tabla de precios');
    expect(rows[0]).toBe('Conexiónantes 5,50 € ahora  6,00 €');
    expect(rows[1]).toBe('Otras conexiones del mismo expediente3,00 €');
    expect(rows[2]).toContain('antes Sin límite ahora  10 minutos');
    expect(cells('Descuentos por volumen anteriores')).toEqual(['Cualquier número de conexiones0 %']);
  });

  it('knows the same prices in another order of tiers', () => {
    expect(samePrices(prices, { ...prices, discounts: [...prices.discounts].reverse() })).toBe(true);
    expect(samePrices(prices, { ...prices, discounts: prices.discounts.slice(1) })).toBe(false);
    expect(samePrices(prices, { ...prices, minuteLimit: null })).toBe(false);
  });
});
