import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { conference, item } from '@/test/conference';
import { answerCalls, logIn, renderPage, seriousFindings, setViewport } from '@/test/render';
import * as files from '../api';
import * as copies from '../marks';
import { ConferenceMediaView } from './ConferenceMediaView';

const media = [
  item('m1', { capturedAt: '2026-11-19T10:00:00Z', originalFileName: 'foto-001.jpg' }),
  item('m2', { capturedAt: '2026-11-19T10:01:00Z' }),
];
const LAYER = '/uploads/m1.svg?revision=3';

beforeEach(async () => {
  setViewport(1440, 900);
  await logIn();
  answerCalls((_method, path) => {
    if (path.includes('/conference-media/conf1')) return { body: { conference, media } };
    if (path.endsWith('/conference-drawings/conf1')) {
      const drawing = {
        mediaId: 'm1',
        revision: 3,
        marks: [],
        sha256: 'ab',
        url: LAYER,
        by: 'u1',
        at: '2026-11-19T10:50:00Z',
      };
      return { body: { frozen: null, drawings: [drawing] } };
    }
    return undefined;
  });
  await renderPage(<ConferenceMediaView conferenceId="conf1" />);
  await screen.findByText('2 archivos');
});

const layers = () => [...document.querySelectorAll('[data-layer]')].map((one) => one.getAttribute('src'));

// DRAW-9
it('shows the marks over their picture, turns them with it, hides them, and compares with them', async () => {
  const first = await screen.findByAltText('Marcas dibujadas en Foto 1');
  expect(first.getAttribute('src')).toBe(LAYER);
  await userEvent.click(screen.getByRole('button', { name: 'Girar' }));
  expect(first.getAttribute('data-turn')).toBe('90');
  expect(await seriousFindings()).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Ocultar las marcas' }));
  expect(layers()).toEqual([]);
  await userEvent.click(screen.getByRole('button', { name: 'Mostrar las marcas' }));
  expect(layers()).toEqual([LAYER]);
  await userEvent.click(screen.getByRole('button', { name: 'Comparar con otra foto' }));
  expect(layers()).toEqual([LAYER]);
});

// DRAW-9
it('exports a copy that says in its name and in the picture that it has marks', async () => {
  const made = vi.spyOn(copies, 'withMarks').mockResolvedValue(new Blob(['x']));
  const saved = vi.spyOn(files, 'save').mockImplementation(() => undefined);
  await userEvent.click(await screen.findByRole('button', { name: 'Exportar con marcas' }));
  await waitFor(() => expect(saved).toHaveBeenCalledWith(expect.stringMatching(/^blob:/), 'foto-001-con-marcas.jpg'));
  const [picture, above, caption] = made.mock.calls[0] ?? [];
  expect([picture, above]).toEqual([media[0]?.url, [LAYER]]);
  expect(caption).toContain('Copia con marcas de foto-001.jpg. El original no las lleva.');
  expect(caption).toContain(media[0]?.hash);
});
