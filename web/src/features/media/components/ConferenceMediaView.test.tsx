import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { conference, item } from '@/test/conference';
import { answerCalls, logIn, renderPage, seriousFindings, setViewport } from '@/test/render';
import * as files from '../api';
import { ConferenceMediaView } from './ConferenceMediaView';

const media = [
  item('m1', { capturedAt: '2026-11-19T10:00:00Z' }),
  item('m2', {
    capturedAt: '2026-11-19T10:01:00Z',
    isNewMedia: true,
    originalFileName: 'IMG_dos.jpg',
    origin: 'request',
    itemId: 'i1',
  }),
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
    asked = answerCalls((method, path, body) => {
      if (failing && path.includes(failing))
        return { status: 503, body: { status: 503, code: 'UNKNOWN_X', detail: 'Ahora no.' } };
      if (path.includes('/conference-media/conf1')) return { body: { conference, media } };
      if (path.endsWith('/zip/conf1')) return { body: { zip: '/uploads/conf1.zip' } };
      if (method === 'PUT' && path.endsWith('/media/m1'))
        return { body: { media: { ...media[0], ...(body as { media: object }).media } } };
      if (method === 'POST' && path.endsWith('/media-review/m2'))
        return { body: { media: { ...media[1], review: 'rejected', reviewNote: 'Borrosa' } } };
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
    expect(screen.getByRole('button', { name: 'Foto 2, Nuevo, Pendiente de revisar' })).toBeDefined();
    expect(screen.getByRole('button', { name: 'Vídeo 1, 5:20' })).toBeDefined();
    expect(screen.getByText('3024 × 4032 · 5,8 MB')).toBeDefined();
    // STORE-22
    expect(screen.getByText('cliente · iPhone · Safari')).toBeDefined();
    expect(await seriousFindings()).toEqual([]);
  });

  // PLACE-1
  it('says what a position means, and that of the file as a claim', async () => {
    const insured = { province: 'Valencia/València', insuredProvince: 'Valencia/València' };
    const [one] = media;
    if (!one) throw new Error('a picture');
    media[0] = {
      ...one,
      latitude: '39.679100',
      longitude: '-0.278600',
      place: { ...insured, address: 'C/ Mayor, 14, Sagunto', distanceM: 320, verdict: 'near' },
      claimedLatitude: '40.416800',
      claimedLongitude: '-3.703800',
      claimedPlace: { ...insured, address: null, distanceM: null, province: 'Madrid', verdict: 'otherProvince' },
    } as typeof one;
    await open();
    media[0] = one;
    const told = (name: string) => screen.getByText(name).nextElementSibling;
    expect(told('Ubicación')?.textContent).toMatch(/39\.67910, -0\.\d{5}.*C\/ Mayor, 14, Sagunto.*320 m/);
    expect(told('Ubicación')?.querySelector('svg')).toBeNull();
    const claimed = told('Posición del archivo');
    expect(claimed?.textContent).toMatch(/40\.41680, -3\.70380.*Madrid.*Valencia/);
    expect(claimed?.querySelector('svg')).not.toBeNull();
  });

  // EVID-64
  it.each([
    ['valid', 'takePhoto', 'Sin cambios desde su captura en el dispositivo del cliente', true],
    ['valid', 'file', 'Sin cambios desde que se eligió en el dispositivo del cliente', true],
    ['invalid', 'takePhoto', 'La firma del dispositivo del cliente no encaja con esta foto', true],
    ['unsigned', 'takePhoto', 'Sin firma del dispositivo del cliente', false],
  ] as const)('says of a signature that is %s (%s) what it shows', async (deviceSignature, method, text, marked) => {
    const [one] = media;
    if (!one) throw new Error('a picture');
    media[0] = { ...one, deviceSignature, method } as typeof one;
    await open();
    media[0] = one;
    expect(screen.getByText(text)).toBeDefined();
    expect(screen.queryAllByTitle(text).length).toBe(marked ? 1 : 0);
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

  it('saves the photo report; without pictures there is none to save', async () => {
    await open();
    await userEvent.click(screen.getByRole('button', { name: 'Informe fotográfico' }));
    await waitFor(() => expect(asked.some(({ path }) => path.includes('/photo-report/conf1'))).toBe(true));
  });

  it('offers no photo report of documents', async () => {
    asked = answerCalls((_method, path) =>
      path.includes('/conference-media/conf1') ? { body: { conference, media: media.slice(3) } } : undefined,
    );
    await renderPage(<ConferenceMediaView conferenceId="conf1" />);
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Informe fotográfico' });
    expect(button.disabled).toBe(true);
  });

  it.each([
    ['/photo-report/conf1', 'Informe fotográfico', 'Error al descargar el informe fotográfico'],
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
    expect(asked.filter((one) => one.path.includes('/conference-media/conf1')).length).toBeGreaterThan(1);
  });

  it('saves a name as its field is left, and keeps it when that fails', async () => {
    await open();
    failing = '/media/m1';
    const name = screen.getByLabelText('Nombre');
    fireEvent.change(name, { target: { value: 'Paragolpes' } });
    fireEvent.blur(name);
    expect(await screen.findByText(/No se ha guardado\. Ahora no\./)).toBeDefined();
    expect((screen.getByLabelText('Nombre') as HTMLInputElement).value).toBe('Paragolpes');
    // Another picture and back: still there.
    fireEvent.keyDown(document.body, { key: 'ArrowRight' });
    await screen.findByText('IMG_dos.jpg');
    fireEvent.keyDown(document.body, { key: 'ArrowLeft' });
    await waitFor(() => expect((screen.getByLabelText('Nombre') as HTMLInputElement).value).toBe('Paragolpes'));
    failing = null;
    await userEvent.click(screen.getByRole('button', { name: 'Reintentar' }));
    expect(await screen.findByText('Guardado')).toBeDefined();
    expect(await screen.findByRole('button', { name: 'Foto 1: Paragolpes' })).toBeDefined();
  });

  it.each([
    [60, false],
    [61, true],
  ])('a name of %s characters', async (n, tooLong) => {
    await open();
    const name = screen.getByLabelText('Nombre');
    fireEvent.change(name, { target: { value: 'x'.repeat(n) } });
    expect(screen.queryByText('Máximo 60 caracteres') !== null).toBe(tooLong);
    fireEvent.change(name, { target: { value: '' } });
    fireEvent.blur(name);
  });

  it('rejects a requested file only with a reason', async () => {
    await open();
    await userEvent.click(screen.getByRole('button', { name: /^Foto 2/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Rechazar' }));
    await userEvent.click(screen.getByRole('button', { name: 'Rechazar y pedir otra' }));
    expect(screen.getByText('Escriba el motivo')).toBeDefined();
    await userEvent.type(screen.getByLabelText('Motivo para el cliente'), 'Borrosa');
    await userEvent.click(screen.getByRole('button', { name: 'Rechazar y pedir otra' }));
    expect(await screen.findByText('Rechazado')).toBeDefined();
    const verdict = asked.find((one) => one.path.includes('media-review'));
    expect(verdict?.body).toEqual({ approve: false, note: 'Borrosa' });
  });

  it('turns with R, zooms with + and 0, and compares two pictures', async () => {
    await open();
    fireEvent.keyDown(document.body, { key: 'r' });
    await waitFor(() => expect(screen.getByRole('img', { name: 'Foto 1' }).dataset.turn).toBe('90'));
    fireEvent.keyDown(document.body, { key: '+' });
    await waitFor(() => expect(screen.getByTestId('moved').style.transform).toContain('scale(1.5)'));
    fireEvent.keyDown(document.body, { key: '0' });
    await waitFor(() => expect(screen.getByTestId('moved').style.transform).toContain('scale(1)'));
    await userEvent.click(screen.getByRole('button', { name: 'Comparar con otra foto' }));
    await userEvent.click(within(screen.getByRole('list', { name: 'Fotos para comparar' })).getByRole('button'));
    expect(screen.getByRole('img', { name: 'Foto 2' })).toBeDefined();
    fireEvent.keyDown(document.body, { key: '+' });
    const moved = () => screen.getAllByTestId('moved').map((one) => one.style.transform);
    await waitFor(() => expect(moved()).toEqual([moved()[0], moved()[0]]));
    expect(moved()[0]).toContain('scale(1.5)');
  });

  it('takes the second picture from the gallery while comparing, and Esc leaves', async () => {
    await open();
    await userEvent.click(screen.getByRole('button', { name: 'Comparar con otra foto' }));
    await userEvent.click(screen.getByRole('button', { name: /^Foto 2, / }));
    expect(screen.getByRole('img', { name: 'Foto 1' })).toBeDefined();
    expect(screen.getByRole('img', { name: 'Foto 2' })).toBeDefined();
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('img', { name: 'Foto 2' })).toBeNull());
    expect(screen.getByRole('img', { name: 'Foto 1' })).toBeDefined();
    expect(screen.getByRole('button', { name: 'Comparar con otra foto' })).toBeDefined();
  });

  it('says what became of an expired file, and offers no way to load it', async () => {
    const gone = media.map((one) => ({ ...one, expired: true, thumbnail: null }));
    asked = answerCalls((_method, path) =>
      path.includes('/conference-media/conf1') ? { body: { conference, media: gone } } : undefined,
    );
    await open();
    expect(screen.getByText('Los archivos de esta conferencia han caducado')).toBeDefined();
    expect(screen.getByText('Archivo caducado')).toBeDefined();
    expect(screen.queryByRole('button', { name: /Descargar/ })).toBeNull();
    expect(screen.getByText(/^abababab/)).toBeDefined();
  });

  it('offers a download of a HEIC that the browser cannot show, and shows its preview when there is one', async () => {
    const heic = item('h1', { mime: 'image/heic', url: '/uploads/h1.heic' });
    asked = answerCalls((_method, path) =>
      path.includes('/conference-media/conf1') ? { body: { conference, media: [heic] } } : undefined,
    );
    const view = await renderPage(<ConferenceMediaView conferenceId="conf1" />);
    fireEvent.error(await screen.findByRole('img', { name: 'Foto 1' }));
    expect(await screen.findByText('Este navegador no muestra HEIC')).toBeDefined();
    view.unmount();
    answerCalls((_method, path) =>
      path.includes('/conference-media/conf1')
        ? { body: { conference, media: [{ ...heic, preview: '/uploads/h1.heic?preview=1' }] } }
        : undefined,
    );
    await renderPage(<ConferenceMediaView conferenceId="conf1" />);
    const shown = await screen.findByRole('img', { name: 'Foto 1' });
    expect(shown.getAttribute('src')).toBe('/uploads/h1.heic?preview=1');
  });

  it('says that everything was erased, without offering another try', async () => {
    asked = answerCalls(() => ({ status: 410, body: { status: 410, code: 'MEDIA_ERASED', detail: '' } }));
    await renderPage(<ConferenceMediaView conferenceId="conf1" />);
    expect(await screen.findByText('Los archivos de esta videollamada se han borrado.')).toBeDefined();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Reintentar' })).toBeNull();
  });

  it('says when a conference has no files', async () => {
    asked = answerCalls(() => ({ body: { conference, media: [] } }));
    await renderPage(<ConferenceMediaView conferenceId="conf1" />);
    expect(await screen.findByText('Esta conferencia no tiene archivos')).toBeDefined();
  });
});
