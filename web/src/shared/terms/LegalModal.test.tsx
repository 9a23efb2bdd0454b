import { fireEvent, render, screen } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeServer, LEGAL, problem } from '@/test/pages';
import { Providers, queryClient } from '@/test/providers';
import { useTexts } from '@/test/texts';
import { LegalModal } from './LegalModal';

let server: ReturnType<typeof fakeServer>;
const onAccept = vi.fn();
const onDecline = vi.fn();

beforeAll(() => useTexts());
beforeEach(() => {
  queryClient.clear();
  onAccept.mockReset();
  onDecline.mockReset();
  server = fakeServer();
  server.answers.legalbylanguage = () => Response.json(LEGAL);
});

const show = (accepted: boolean | string = false) =>
  render(
    <Providers env="test">
      <LegalModal opened onClose={() => {}} accepted={accepted} onAccept={onAccept} onDecline={onDecline} />
    </Providers>,
  );

describe('legal terms', () => {
  it('shows the texts in force in this language, as words only', async () => {
    show();
    await screen.findByRole('heading', { name: 'Objeto' });
    expect(server.calls[0]?.path).toBe('/api/v1/legalbylanguage/0/es');
    screen.getByText('Versión 1, en vigor desde el 5 de noviembre de 2026');
    const dialog = screen.getByRole('dialog');
    expect(dialog.innerHTML).not.toMatch(/<script|onclick|alert\(1\)/);
    fireEvent.click(screen.getByLabelText('Particulares'));
    await screen.findByText('Texto particular.');
  });

  it('lets accept and decline, both as plain buttons', async () => {
    show();
    await screen.findByText('Objeto');
    const accept = screen.getByRole('button', { name: 'Acepto las condiciones' });
    const decline = screen.getByRole('button', { name: 'No acepto' });
    expect(accept.dataset.variant).toBe(decline.dataset.variant);
    fireEvent.click(accept);
    expect(onAccept).toHaveBeenCalledWith('general-1');
    fireEvent.click(decline);
    expect(onDecline).toHaveBeenCalledOnce();
  });

  it.each([
    ['2026-11-05T08:07:00Z', 'Condiciones aceptadas el 5 de noviembre de 2026'],
    [true, 'Condiciones aceptadas'],
  ])('shows the legend instead once accepted (%s)', async (accepted, legend) => {
    show(accepted);
    await screen.findByText('Objeto');
    screen.getByText(legend);
    expect(screen.queryByRole('button', { name: 'Acepto las condiciones' })).toBeNull();
  });

  it('says when the texts could not be had, and asks again', async () => {
    server.answers.legalbylanguage = () => problem(404, 'LEGAL_NOT_FOUND');
    show();
    await screen.findByText('Error al obtener los textos legales');
    expect((screen.getByRole('button', { name: 'Acepto las condiciones' }) as HTMLButtonElement).disabled).toBe(true);
    server.answers.legalbylanguage = () => Response.json(LEGAL);
    fireEvent.click(screen.getByRole('button', { name: 'Reintentar' }));
    await screen.findByText('Objeto');
  });
});
