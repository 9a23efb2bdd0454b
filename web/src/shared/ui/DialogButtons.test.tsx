// The buttons that end a dialog, as docs/LOOKS.md has them.
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { renderPage } from '@/test/render';
import { ConsentButtons } from '../terms/ConsentButtons';
import { DialogButtons } from './DialogButtons';

const shown = () =>
  screen.getAllByRole('button').map((button) => [button.textContent, button.getAttribute('data-variant')]);

it('has the way out first and the main button last, the only filled one', async () => {
  await renderPage(
    <DialogButtons onCancel={() => {}} go="Enviar" onGo={() => {}}>
      <span />
    </DialogButtons>,
  );
  expect(shown()).toEqual([
    ['Cancelar', 'default'],
    ['Enviar', 'filled'],
  ]);
});

it('fills what cannot be undone in red', async () => {
  await renderPage(<DialogButtons onCancel={() => {}} go="Borrar" danger onGo={() => {}} />);
  expect(screen.getByRole('button', { name: 'Borrar' }).style.getPropertyValue('--button-bg')).toBe(
    'var(--at-bad-fill)',
  );
});

it('submits the form around it when nothing else is said', async () => {
  const sent = vi.fn((event: React.FormEvent) => event.preventDefault());
  await renderPage(
    <form onSubmit={sent}>
      <DialogButtons onCancel={() => {}} go="Guardar" />
    </form>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Cancelar' }));
  expect(sent).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }));
  expect(sent).toHaveBeenCalledOnce();
});

it('draws acceptance and refusal of terms alike', async () => {
  await renderPage(<ConsentButtons decline="No acepto" accept="Acepto" onDecline={() => {}} onAccept={() => {}} />);
  expect(shown()).toEqual([
    ['No acepto', 'default'],
    ['Acepto', 'default'],
  ]);
  const [no, yes] = screen.getAllByRole('button');
  expect(yes?.className).toBe(no?.className);
});
