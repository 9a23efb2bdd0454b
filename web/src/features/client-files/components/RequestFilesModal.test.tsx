import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { i18n } from '@/shared/i18n';
import type { RequestFilesInput } from '@/shared/lib/modals';
import { answerCalls, logIn, renderPage, seriousFindings, setViewport } from '@/test/render';
import files from '../../../../../locales/es/clientfiles.json';
import { dropDraft } from '../drafts';
import { RequestFilesModal } from './RequestFilesModal';

i18n.addResourceBundle('es', 'clientfiles', files, true, true);

const input: RequestFilesInput = {
  conferenceId: 'conf1',
  expedientNumber: '2026-118392',
  phoneNumber: '+34612034578',
  filesRequested: false,
  contactPerson: 'Carmen Ortega Ruiz',
  type: 1,
  createdAt: '2026-11-19T10:00:00.000Z',
};
const shots = [
  { key: 'plate', label: 'Matrícula', hint: null, overlay: null, state: 'done', mediaId: null, at: null },
  { key: 'vin', label: 'Bastidor', hint: null, overlay: null, state: 'missing', mediaId: null, at: null },
];

describe('RequestFilesModal', () => {
  let refusal: { status: number; body: unknown } | null;
  let asked: ReturnType<typeof answerCalls>;
  beforeEach(async () => {
    setViewport(1440, 900);
    await logIn();
    dropDraft('conf1');
    refusal = null;
    asked = answerCalls((method, path) => {
      if (path.endsWith('/conference-shots/conf1')) return { body: { shots } };
      if (method === 'POST' && path.endsWith('/client-files/new'))
        return refusal ?? { body: { request: { _id: 'r1', conferenceId: 'conf1' } } };
      return undefined;
    });
  });
  const open = async (changes: Partial<RequestFilesInput> = {}) => {
    const onClose = vi.fn();
    await renderPage(<RequestFilesModal input={{ ...input, ...changes }} opened onClose={onClose} />);
    return onClose;
  };
  const go = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Continuar' }));
    return screen.findByRole('button', { name: 'Enviar SMS' });
  };
  const sent = () => asked.find((one) => one.method === 'POST')?.body as Record<string, unknown> | undefined;

  it('says when the window ends once that is near', async () => {
    const end = new Date(Date.now() + 30 * 3_600_000);
    await open({ mediaRequestExpired: end.toISOString() });
    await go();
    expect(screen.getByText(/^El plazo de este caso termina el/)).toBeDefined();
  });

  it('says nothing of the end while it is far', async () => {
    await open({ mediaRequestExpired: new Date(Date.now() + 4 * 86_400_000).toISOString() });
    await go();
    expect(screen.queryByText(/El plazo de este caso/)).toBeNull();
  });

  it('warns first and once, then asks by SMS for what was missing', async () => {
    const onClose = await open();
    const send = await go();
    expect(await screen.findByRole('checkbox', { name: 'Bastidor' })).toHaveProperty('checked', true);
    expect(screen.getByRole('checkbox', { name: 'Matrícula' })).toHaveProperty('checked', false);
    expect(screen.getByText('52 / 100 · 1 SMS')).toBeDefined();
    expect(await seriousFindings()).toEqual([]);
    await userEvent.click(send);
    const alert = await screen.findByRole('alert');
    expect(within(alert).getByText('Solicitud enviada')).toBeDefined();
    expect(onClose).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole('button', { name: 'Aceptar' }));
    expect(onClose).toHaveBeenCalledOnce();
    expect(sent()).toMatchObject({ contactType: 1, to: '+34612034578', items: [{ shot: 'vin', label: 'Bastidor' }] });
  });

  it('tells every wrong field of an e-mail, and that the data want checking', async () => {
    await open();
    await go();
    await userEvent.click(screen.getByRole('radio', { name: 'Correo electrónico' }));
    for (const label of ['Asunto', 'Mensaje', 'Texto que verá el cliente']) {
      fireEvent.change(screen.getByLabelText(label), { target: { value: '' } });
    }
    const to = screen.getByLabelText('Destinatario');
    expect(to.getAttribute('maxlength')).toBe('100');
    fireEvent.change(to, { target: { value: 'carmen@correo' } });
    await userEvent.click(screen.getByRole('button', { name: 'Enviar correo' }));
    expect(await screen.findByText('Revise los datos')).toBeDefined();
    expect(screen.getByText('El correo electrónico no está completo')).toBeDefined();
    expect(screen.getByText('El asunto es obligatorio')).toBeDefined();
    expect(screen.getAllByText('Escriba el texto')).toHaveLength(2);
    expect(sent()).toBeUndefined();
  });

  it('asks for the text of the page only the first time, also when the flag is a text', async () => {
    await open({ filesRequested: 'true' });
    await go();
    expect(screen.queryByLabelText('Texto que verá el cliente')).toBeNull();
  });

  it('keeps the words of each channel', async () => {
    await open();
    await go();
    fireEvent.change(screen.getByLabelText('Mensaje'), { target: { value: 'Solo la matrícula' } });
    await userEvent.click(screen.getByRole('radio', { name: 'Correo electrónico' }));
    expect((screen.getByLabelText('Mensaje') as HTMLTextAreaElement).value).toContain('Hola, Carmen');
    await userEvent.click(screen.getByRole('radio', { name: 'SMS' }));
    expect((screen.getByLabelText('Mensaje') as HTMLTextAreaElement).value).toBe('Solo la matrícula');
  });

  it('shows the message of a code and keeps what was typed; closed and opened, it is there without a warning', async () => {
    refusal = { status: 410, body: { status: 410, code: 'MEDIA_ERASED', detail: '' } };
    await open();
    await go();
    fireEvent.change(screen.getByLabelText('Mensaje'), { target: { value: 'Mi texto' } });
    await userEvent.click(screen.getByRole('button', { name: 'Enviar SMS' }));
    expect(await screen.findByText('Los archivos de esta videollamada se han borrado.')).toBeDefined();
    expect((screen.getByLabelText('Mensaje') as HTMLTextAreaElement).value).toBe('Mi texto');
    await open();
    await waitFor(() => expect(screen.getAllByLabelText('Mensaje')).toHaveLength(2));
    expect((screen.getAllByLabelText('Mensaje')[1] as HTMLTextAreaElement).value).toBe('Mi texto');
    expect(screen.queryByRole('button', { name: 'Continuar' })).toBeNull();
  });

  it('says that an error persists when the server gave no code', async () => {
    refusal = { status: 502, body: 'bad gateway' };
    await open();
    await go();
    await userEvent.click(screen.getByRole('button', { name: 'Enviar SMS' }));
    expect(await screen.findByText('Si el error persiste, contacte con soporte')).toBeDefined();
  });

  it('puts a refused recipient beside its field', async () => {
    const errors = [
      {
        field: 'to',
        code: 'PHONE_INVALID',
        message: 'El teléfono no es válido. Escriba todas sus cifras; si no es de España, con el prefijo.',
      },
    ];
    refusal = { status: 422, body: { status: 422, code: 'INVALID_FIELDS', detail: 'Hay campos mal', errors } };
    await open();
    await go();
    await userEvent.click(screen.getByRole('button', { name: 'Enviar SMS' }));
    expect(
      await screen.findByText(
        'El teléfono no es válido. Escriba todas sus cifras; si no es de España, con el prefijo.',
      ),
    ).toBeDefined();
    expect(screen.getByLabelText('Destinatario').getAttribute('aria-invalid')).toBe('true');
  });

  it('adds another thing and asks for it', async () => {
    await open();
    const send = await go();
    await userEvent.click(screen.getByRole('button', { name: 'Añadir otra cosa' }));
    await userEvent.type(screen.getByLabelText('Qué necesita'), 'Etiqueta del neumático');
    await userEvent.click(screen.getByRole('button', { name: 'Añadir' }));
    expect(screen.getByRole('checkbox', { name: 'Etiqueta del neumático' })).toHaveProperty('checked', true);
    await userEvent.click(send);
    await screen.findByText('Solicitud enviada');
    expect(sent()?.items).toContainEqual({ shot: null, label: 'Etiqueta del neumático', hint: null });
  });
});
