import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { conference, item } from '../../calls/testing/data';
import { answerCalls, logIn, renderPage, seriousFindings, setViewport } from '../../calls/testing/render';
import * as files from '../api';
import { ConferenceMediaView } from './ConferenceMediaView';

const media = [
  item('m1', { capturedAt: '2026-11-19T10:00:00Z' }),
  item('m2', { capturedAt: '2026-11-19T10:01:00Z', isNewMedia: true, originalFileName: 'IMG_dos.jpg' }),
  item('v1', { type: 'VIDEO', method: 'recording', durationMs: 320_000, url: '/uploads/v1.webm' }),
  item('d1', { type: 'DOCUMENT', originalFileName: 'parte.pdf', thumbnail: null, url: '/uploads-documents/d1.pdf' }),
];

describe('ConferenceMediaView', () => {
  let failing: string | null;
  let asked: ReturnType<typeof answerCalls>;
  beforeEach(async () => {
    setViewport(1440, 900);
    await logIn();
    failing = null;
    asked = answerCalls((_method, path) => {
      if (failing && path.includes(failing))
        return { status: 503, body: { status: 503, code: 'UNKNOWN_X', detail: 'Ahora no.' } };
      if (path.endsWith('/conference-media/conf1')) return { body: { conference, media } };
      if (path.endsWith('/zip/conf1')) return { body: { zip: '/uploads/conf1.zip' } };
      if (path.startsWith('/uploads')) return { body: {} };
      return undefined;
    });
  });
  const open = async () => {
    const view = await renderPage(<ConferenceMediaView conferenceId="conf1" />);
    await screen.findByText('4 archivos');
    return view;
  };

  it('shows files, counts, the new mark and the facts, without serious accessibility findings', async () => {
    await open();
    expect(screen.getByRole('button', { name: 'Foto 2, Nuevo' })).toBeDefined();
    expect(screen.getByRole('button', { name: 'Vídeo 1, 5:20' })).toBeDefined();
    expect(screen.getByText('3024 × 4032 · 5,8 MB')).toBeDefined();
    expect(await seriousFindings()).toEqual([]);
  });

  it('walks with the arrow keys through what the filter shows', async () => {
    await open();
    fireEvent.keyDown(document.body, { key: 'ArrowRight' });
    expect(await screen.findByText('IMG_dos.jpg')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Doc. 1' }));
    const link = await screen.findByRole('link', { name: 'Abrir en una pestaña nueva' });
    expect(link.getAttribute('href')).toBe('/uploads-documents/d1.pdf');
    expect(link.getAttribute('target')).toBe('_blank');
  });

  it('opens the preview over the window and Esc closes it', async () => {
    await open();
    await userEvent.click(screen.getByRole('button', { name: 'Ver en grande' }));
    const dialog = await screen.findByRole('dialog');
    expect(within(dialog).getByText('Foto 1')).toBeDefined();
    fireEvent.keyDown(document.body, { key: 'ArrowRight' });
    await waitFor(() => expect(within(dialog).getByText('Foto 2')).toBeDefined());
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  it('saves one file and all of them', async () => {
    const save = vi.spyOn(files, 'save').mockImplementation(() => undefined);
    await open();
    await userEvent.click(screen.getByRole('button', { name: 'Descargar' }));
    await waitFor(() => expect(save).toHaveBeenCalledWith('/uploads/m1.jpg?download=1', 'IMG_m1.jpg'));
    await userEvent.click(screen.getByRole('button', { name: /Descargar todo/ }));
    await waitFor(() => expect(save).toHaveBeenCalledWith('/uploads/conf1.zip', 'conf1.zip'));
  });

  it.each([
    ['/zip/conf1', /Descargar todo/, 'Error al descargar el ZIP'],
    ['/uploads/m1', 'Descargar', 'Error al descargar el archivo'],
  ])('tells a failure of %s in its dialog', async (path, button, title) => {
    await open();
    failing = path;
    await userEvent.click(screen.getByRole('button', { name: button }));
    const dialog = await screen.findByRole('dialog');
    expect(within(dialog).getByText(title)).toBeDefined();
    expect(within(dialog).getByText('Ahora no.')).toBeDefined();
  });

  it('tells a picture that cannot be opened', async () => {
    await open();
    fireEvent.error(screen.getByRole('img', { name: 'Foto 1' }));
    expect(within(await screen.findByRole('dialog')).getByText('Error al abrir el archivo')).toBeDefined();
  });

  it('tells when the media cannot be loaded, and tries again', async () => {
    failing = '/conference-media';
    await renderPage(<ConferenceMediaView conferenceId="conf1" />);
    const dialog = await screen.findByRole('dialog');
    expect(within(dialog).getByText('Error al cargar los archivos')).toBeDefined();
    failing = null;
    await userEvent.click(within(dialog).getByRole('button', { name: 'Reintentar' }));
    expect(await screen.findByText('4 archivos')).toBeDefined();
    expect(asked.filter((one) => one.path.endsWith('/conference-media/conf1')).length).toBeGreaterThan(1);
  });

  it('says when a conference has no files', async () => {
    asked = answerCalls(() => ({ body: { conference, media: [] } }));
    await renderPage(<ConferenceMediaView conferenceId="conf1" />);
    expect(await screen.findByText('Esta conferencia no tiene archivos')).toBeDefined();
  });
});
