import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { session } from '@/shared/session';
import { fakeServer, press, problem, showPage, type } from '@/test/pages';
import { price } from '@/test/price';
import { seriousFindings } from '@/test/render';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { simulated, versions } from '../testing';
import { PricesPage } from './PricesPage';

let server: ReturnType<typeof fakeServer>;

beforeAll(() => useTexts());
beforeEach(async () => {
  server = fakeServer();
  // The first that fits answers: the longer names before the shorter ones.
  server.answers['price-simulate'] = () => Response.json({ examples: [simulated] });
  server.answers.prices = () => Response.json({ prices: versions });
  server.answers.price = () => Response.json({ price: { ...price, _id: 'p4' } }, { status: 201 });
  server.answers.customers = () => Response.json({ customers: [], total: 0, nextCursor: null });
  const exp = Math.floor(Date.now() / 1000) + 3600;
  await session.save(tokenWith({ role: 1, exp }), { ...nuria, role: 1 }, []);
});
const open = (href = '/prices') => showPage(PricesPage, '/prices', href);
const plain = (text: string | null | undefined) => (text ?? '').replace(/\u00a0/g, ' ');
const published = () => server.calls.filter(({ path, method }) => path === '/api/v1/price' && method === 'POST');

describe('versions', () => {
  it('shows which hold, for whom, who accepted them, and what changed from the one before', async () => {
    open();
    const list = within(await screen.findByRole('list', { name: 'Versiones' }));
    expect(list.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Desde el 1 nov 2026En vigorPara todos los clientes · 14 empresas la han aceptado',
      'Desde el 1 nov 2026En vigorSolo para Peritaciones Levante, S.L. · 1 empresa la ha aceptado',
      'Desde el 1 ene 2026AnteriorPara todos los clientes · 1 empresa la ha aceptado',
    ]);
    expect(plain(screen.getByRole('row', { name: /^Conexión/ }).textContent)).toContain('antes 5,50 € ahora  6,00 €');
    fireEvent.click(list.getByRole('button', { name: /Levante/ }));
    // The only one of its customer: nothing to compare with.
    expect(plain(screen.getByRole('row', { name: /^Conexión/ }).textContent)).toBe('Conexión4,95 €');
    expect(await seriousFindings()).toEqual([]);
  });

  it('says when there are none, and offers another try when they cannot be had', async () => {
    server.answers.prices = () => problem(403, 'ROLE_NOT_ALLOWED');
    open();
    await screen.findByText('No se han podido cargar las tarifas');
    server.answers.prices = () => Response.json({ prices: [] });
    press('Reintentar');
    await screen.findByText('Aún no hay tarifas');
  });
});

describe('a new version', () => {
  const start = async () => {
    open();
    await screen.findByRole('list', { name: 'Versiones' });
    press('Nueva tarifa');
    await screen.findByRole('heading', { name: 'Nueva tarifa' });
  };
  const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Publicar tarifa' }));
  const confirmIt = async () =>
    fireEvent.click(
      within(await screen.findByRole('dialog', { name: '¿Publicar la tarifa?' })).getByRole('button', {
        name: 'Publicar tarifa',
      }),
    );

  it('begins as the one in force and cannot be published unchanged', async () => {
    await start();
    expect(screen.getByLabelText<HTMLInputElement>('Minuto excedido').value).toBe('0,35');
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Publicar tarifa' }).disabled).toBe(true);
  });

  it('shows what a company will read while one types, beside what it reads today', async () => {
    await start();
    const preview = () => screen.getByRole('region', { name: 'Así la verán los clientes' });
    const line = (name: RegExp) => plain(within(preview()).getByRole('row', { name }).textContent);
    expect(line(/^Conexión/)).toBe('Conexión6,00 €');
    type('Conexión', '7,25');
    expect(line(/^Conexión/)).toBe('Conexiónantes 6,00 € ahora  7,25 €');
    type('Minutos incluidos por conexión', '');
    expect(line(/^Minutos incluidos/)).toContain('ahora  Sin límite');
    press('Quitar el tramo 2');
    expect(within(preview()).getByText('Descuentos por volumen anteriores')).toBeTruthy();
    expect(published()).toEqual([]);
  });

  it('checks tiers while one types, and says every wrong field at once', async () => {
    await start();
    type('Descuento del tramo 2 en tanto por ciento', '0');
    type('Hasta cuántas conexiones llega el tramo 2', '50');
    const sentence = screen.getByText('Cada tramo debe llegar más lejos que el anterior');
    const field = screen.getByLabelText('Hasta cuántas conexiones llega el tramo 2');
    expect(field.getAttribute('aria-describedby')).toBe(sentence.id);
    press('Añadir tramo');
    type('Conexión', '6,555');
    submit();
    await screen.findByText('Escriba un importe, con dos decimales como máximo');
    screen.getByText('Escriba hasta cuántas conexiones llega el tramo, desde 1');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(published()).toEqual([]);
  });

  it('is published after the question, as numbers', async () => {
    await start();
    type('Conexión', '7,25');
    type('Minutos incluidos por conexión', '');
    press('Quitar el tramo 2');
    expect(plain(screen.getByRole('row', { name: /^Conexión/ }).textContent)).toContain('7,25 €');
    submit();
    await confirmIt();
    await screen.findByText('Tarifa publicada');
    const { _id, validFrom, companyId, ...prices } = price;
    expect(published().map(({ body }) => body)).toEqual([
      { ...prices, connection: 7.25, minuteLimit: null, discounts: [{ to: 50, percent: 0 }] },
    ]);
    await screen.findByRole('list', { name: 'Versiones' });
  });

  it("puts the server's refusals beside the fields and the tiers, and keeps what was typed", async () => {
    server.answers.price = () =>
      problem(422, 'INVALID_FIELDS', [
        { field: 'connection', code: 'TOO_HIGH', message: 'Es demasiado' },
        { field: 'discounts', code: 'PERCENT_FALLING', message: 'El porcentaje baja' },
      ]);
    await start();
    type('Conexión', '99999');
    submit();
    await confirmIt();
    await screen.findByText('Es demasiado');
    expect(screen.getByLabelText<HTMLInputElement>('Conexión').value).toBe('99999');
    expect(screen.getAllByRole('alert').map(({ textContent }) => textContent).length).toBeGreaterThan(0);
  });

  it('ties what is wrong with the company to its field, and keeps the help', async () => {
    server.answers.price = () =>
      problem(422, 'INVALID_FIELDS', [
        { field: 'companyId', code: 'COMPANY_NOT_FOUND', message: 'Elija otro cliente' },
      ]);
    await start();
    type('Conexión', '7,25');
    submit();
    await confirmIt();
    const sentence = await screen.findByText('Elija otro cliente');
    const field = screen.getByRole('combobox', { name: 'Cliente' });
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(field.getAttribute('aria-describedby')).toContain(sentence.id);
    screen.getByText(/^Vacío: para todos\./);
  });
});

describe('calculator', () => {
  it('calculates a month in the words of an invoice', async () => {
    open('/prices?tab=calculator');
    fireEvent.click(await screen.findByRole('button', { name: 'Cambio de tramo' }));
    const result = within(screen.getByRole('region', { name: 'Resultado' }));
    await result.findByText('Descuento por volumen (10 %)', { normalizer: plain });
    const text = plain(screen.getByRole('region', { name: 'Resultado' }).textContent);
    for (const part of ['101 conexiones facturables', '101 × 6,00 €', '606,00 €', '−60,60 €', '659,93 €'])
      expect(text).toContain(part);
    const sent = server.to('price-simulate')[0]?.body as { sessions: object[]; prices: { connection: number }[] };
    expect([sent.sessions.length, sent.prices[0]?.connection]).toEqual([251, 600]);
  });

  it('says why nothing is invoiced', async () => {
    server.answers['price-simulate'] = () =>
      Response.json({
        examples: [
          { name: 'x', expected: { period: '2026-10', invoice: null, why: 'trial: payment has not started' } },
        ],
      });
    open('/prices?tab=calculator');
    fireEvent.click(await screen.findByRole('button', { name: 'Calcular' }));
    await screen.findByText('El mes es anterior al inicio de la facturación.');
  });

  it('calculates a file, and names the example that is wrong', async () => {
    server.answers['price-simulate'] = () =>
      problem(422, 'SIMULATION_INVALID', [
        { field: 'Octubre', code: 'TIERS_NOT_RISING', message: 'Los tramos no crecen' },
      ]);
    open('/prices?tab=calculator');
    fireEvent.click(await screen.findByLabelText('Fichero de ejemplos'));
    type('Ejemplos en JSON', '{');
    press('Calcular');
    await screen.findByText('No es un fichero JSON correcto');
    press('Poner un ejemplo');
    press('Calcular');
    await screen.findByText('Octubre: Los tramos no crecen');
    await waitFor(() => expect(server.to('price-simulate')).toHaveLength(1));
  });
});
