import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { Providers } from '@/test/providers';
import { useTexts } from '@/test/texts';
import { DayRange } from './DayRange';

const onRange = vi.fn();
const show = (part: Partial<Parameters<typeof DayRange>[0]> = {}) =>
  render(
    <Providers env="test">
      <DayRange from="2026-11-14" to="2026-11-21" max="2026-11-21" onRange={onRange} {...part} />
    </Providers>,
  );
const opened = async () => {
  await userEvent.click(screen.getByRole('button', { name: /^Rango de fechas/ }));
  await screen.findByLabelText('Desde');
};

beforeAll(() => useTexts());
beforeEach(() => onRange.mockClear());

it('says the days and offers the usual ranges', async () => {
  show();
  expect(screen.getByRole('button', { name: /^Rango de fechas: 14.21 nov 2026$/ })).toBeTruthy();
  await opened();
  expect(screen.getByRole('button', { name: 'Últimos 7 días' }).getAttribute('aria-pressed')).toBe('true');
  fireEvent.click(screen.getByRole('button', { name: 'Este mes' }));
  expect(onRange).toHaveBeenCalledWith('2026-11-01', '2026-11-21');
  await waitFor(() => expect(screen.queryByLabelText('Desde')).toBeNull());
});

it('takes two days of the calendar, none from tomorrow on', async () => {
  show();
  await opened();
  const day = (name: string) => screen.getByRole('button', { name }) as HTMLButtonElement;
  expect(day('22 noviembre 2026').disabled).toBe(true);
  fireEvent.click(day('3 noviembre 2026'));
  expect(onRange).not.toHaveBeenCalled();
  fireEvent.click(day('5 noviembre 2026'));
  expect(onRange).toHaveBeenCalledWith('2026-11-03', '2026-11-05');
});

it('takes typed days with Enter, in order and cut at today', async () => {
  show();
  await opened();
  fireEvent.change(screen.getByLabelText('Desde'), { target: { value: '25/11/2026' } });
  expect(onRange).not.toHaveBeenCalled();
  fireEvent.change(screen.getByLabelText('Hasta'), { target: { value: '2/11/26' } });
  fireEvent.keyDown(screen.getByLabelText('Hasta'), { key: 'Enter' });
  expect(onRange).toHaveBeenCalledWith('2026-11-02', '2026-11-21');
});

it('writes the days as the language does, and marks what is no day', async () => {
  show();
  await opened();
  const from = screen.getByLabelText('Desde') as HTMLInputElement;
  expect(from.value).toBe('14/11/2026');
  fireEvent.change(from, { target: { value: '31/02/2026' } });
  fireEvent.keyDown(from, { key: 'Enter' });
  expect(onRange).not.toHaveBeenCalled();
  expect(from.getAttribute('aria-invalid')).toBe('true');
  const sentence = screen.getByText('Escriba un día que exista, como 21/11/2026');
  expect(from.getAttribute('aria-describedby')).toBe(sentence.id);
  expect((screen.getByLabelText('Hasta') as HTMLInputElement).getAttribute('aria-invalid')).toBeNull();
  fireEvent.change(from, { target: { value: '1/11/2026' } });
  expect(screen.queryByText(/^Escriba un día/)).toBeNull();
});

it('is closed by Escape and gives the focus back', async () => {
  show();
  await opened();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByLabelText('Desde')).toBeNull());
  expect(onRange).not.toHaveBeenCalled();
});

it('carries its × only once somebody has chosen', () => {
  const first = show({ isDefault: true });
  expect(screen.queryByRole('button', { name: 'Quitar el filtro Rango de fechas' })).toBeNull();
  first.unmount();
  show();
  fireEvent.click(screen.getByRole('button', { name: 'Quitar el filtro Rango de fechas' }));
  expect(onRange).toHaveBeenCalledWith(null, null);
});

it('says that nothing is chosen', () => {
  show({ from: '', to: '' });
  expect(screen.getByRole('button', { name: 'Rango de fechas: Cualquier fecha' })).toBeTruthy();
});
