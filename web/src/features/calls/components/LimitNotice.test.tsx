import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderPage } from '@/test/render';
import { LimitNotice } from './LimitNotice';

const billing = { minuteLimit: 10, exceededMinute: 0.35 };
const after = (minutes: number) =>
  renderPage(<LimitNotice billing={billing} connectedAt={Date.now() - minutes * 60_000 - 500} />);
const said = () => screen.getByRole('status').textContent?.replace(/\u00a0/g, ' ');

it('says nothing while there is time', async () => {
  await after(5);
  expect(said()).toBe('');
});

it('warns before the minutes cost, with the price', async () => {
  await after(8);
  expect(said()).toBe('Quedan 2 minutos incluidos. Después, cada minuto empezado cuesta 0,35 €.');
});

it('counts what further minutes cost', async () => {
  await after(12);
  expect(said()).toBe('Minutos incluidos agotados: 3 minutos de más, 1,05 €.');
});
