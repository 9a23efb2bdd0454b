import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { session } from '@/shared/session';
import { fakeServer, showPage } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { ceilingOf, SmsCeiling } from './SmsCeiling';

const stored = {
  companyId: 'c1',
  perHour: null,
  perDay: 40,
  defaultPerHour: 1000,
  defaultPerDay: 5000,
  lastHour: 3,
  today: 12,
};
let server: ReturnType<typeof fakeServer>;
const Page = () => <SmsCeiling company="c1" />;

beforeAll(() => useTexts());
beforeEach(async () => {
  server = fakeServer();
  server.answers['sms-ceiling/c1'] = (body) =>
    Response.json(body && 'perDay' in body ? { ...stored, ...body } : stored);
  const exp = Math.floor(Date.now() / 1000) + 3600;
  await session.save(tokenWith({ role: 1, exp }), { ...nuria, role: 1 }, []);
});

it('reads numbers as the server takes them', () => {
  for (const [text, value] of [
    ['', null],
    [' 0 ', 0],
    ['1000000', 1_000_000],
    ['1000001', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    ['muchos', undefined],
  ] as const) {
    expect(ceilingOf(text), text).toBe(value);
  }
});

it('shows what holds and how much is used, and saves it by itself', async () => {
  showPage(Page, '/customer/c1', '/customer/c1');
  const day = await screen.findByLabelText<HTMLInputElement>('SMS por día');
  const hour = screen.getByLabelText<HTMLInputElement>('SMS por hora');
  expect([hour.value, day.value]).toEqual(['', '40']);
  screen.getByText('Enviados: 3 en la última hora, 12 hoy.');
  fireEvent.change(hour, { target: { value: 'x' } });
  await screen.findByText('Escriba un número de 0 a 1.000.000');
  const save = screen.getByRole('button', { name: 'Guardar el límite' });
  expect((save as HTMLButtonElement).disabled).toBe(true);
  fireEvent.change(hour, { target: { value: '25' } });
  fireEvent.change(day, { target: { value: '' } });
  fireEvent.click(save);
  await screen.findByText('Límite de SMS guardado');
  const posted = server.to('sms-ceiling/c1').filter(({ method }) => method === 'POST');
  await waitFor(() => expect(posted.map(({ body }) => body)).toEqual([{ perHour: 25, perDay: null }]));
});
