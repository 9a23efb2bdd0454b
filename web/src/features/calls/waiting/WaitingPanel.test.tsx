import { fireEvent, render, screen, within } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { useOpenModals } from '@/shared/lib/modals';
import { Providers } from '@/test/providers';
import { useTexts } from '@/test/texts';
import { waitingDetails } from '@/test/waiting';
import type { WaitingActions } from './use-waiting-actions';
import { WaitingPanel } from './WaitingPanel';

const actions: WaitingActions = {
  sending: false,
  resend: vi.fn(async () => true),
  dictate: vi.fn(async () => ({ code: '482913554120', expiresAt: new Date(Date.now() + 600_000).toISOString() })),
  cancel: vi.fn(async () => undefined),
  openNew: vi.fn(),
};

const show = (details = waitingDetails(), status: 'live' | 'retrying' = 'live') =>
  render(
    <Providers env="test">
      <WaitingPanel details={details} status={status} actions={actions} />
    </Providers>,
  );

beforeAll(() => useTexts());
beforeEach(() => {
  vi.clearAllMocks();
  window.fetch = vi.fn(async () => Response.json([]));
});

const failed = waitingDetails({
  sent: { state: 'done', at: '2026-11-05T11:39:04Z' },
  opened: { state: 'done' },
  legal: { state: 'done' },
  permissions: {
    state: 'failed',
    reason: 'CAMERA_DENIED',
    detail: { camera: 'denied', microphone: 'granted', geolocation: 'pending' },
  },
});

describe('waiting panel', () => {
  it('shows six steps in their order and marks the one under way', () => {
    show(waitingDetails({ sent: { state: 'done' }, delivered: { state: 'active' } }));
    const steps = within(screen.getByRole('list', { name: 'Progreso del cliente' })).getAllByRole('listitem');
    expect(steps.map((step) => step.querySelector('b')?.textContent)).toEqual([
      'SMS enviado',
      'Entrega',
      'Abrir el enlace',
      'Aceptar el aviso legal',
      'Dar permisos',
      'Conectar',
    ]);
    expect(steps[1]?.getAttribute('aria-current')).toBe('step');
  });

  it('opens the failed step with its reason in words and the ways out', () => {
    show(failed);
    const step = screen.getByText('Cámara denegada').closest('li') as HTMLElement;
    expect(step.textContent).toContain('Carmen Ortega no ha permitido la cámara');
    expect(step.textContent).toContain('permitido: micrófono · denegado: cámara');
    const ways = within(step).getAllByRole('button');
    expect(ways.map((way) => way.textContent)).toEqual([
      'Pedir fotos',
      'Reenviar SMS',
      'Otro número',
      'Dictar código',
      'Dar cita',
    ]);
    fireEvent.click(ways[1] as HTMLElement);
    expect(actions.resend).toHaveBeenCalledWith('sms');
  });

  // CASE-41
  it('offers first what fits the cause: photos for a camera that does not work, a call for a question', async () => {
    const opened: string[] = [];
    function Spy() {
      opened.splice(0, opened.length, ...useOpenModals().map((one) => `${one.id} ${JSON.stringify(one.input)}`));
      return null;
    }
    render(<Spy />);
    show(failed);
    fireEvent.click(screen.getByRole('button', { name: 'Pedir fotos' }));
    expect(opened[0]).toContain('request-files');
    expect(opened[0]).toContain('"conferenceId":"conf1"');
  });

  // CASE-41
  it.each([
    ['PERMISSION_NO_ANSWER', 'Llamar por teléfono'],
    ['MICROPHONE_DENIED', 'Llamar por teléfono'],
    ['CAMERA_IN_USE', 'Pedir fotos'],
    ['IN_APP_BROWSER', 'Dictar código'],
  ])('first way out of %s', (reason, first) => {
    show(
      waitingDetails({ opened: { state: 'done' }, legal: { state: 'done' }, permissions: { state: 'failed', reason } }),
    );
    // EVID-31: a question that is open has not failed.
    const look = reason === 'PERMISSION_NO_ANSWER' ? 'warn' : 'failed';
    const step = document.querySelector(`li[data-state="${look}"]`) as HTMLElement;
    expect(within(step).getAllByRole('button')[0]?.textContent).toBe(first);
  });

  // CASE-40
  it('sends the link again by the channel that was used', () => {
    const details = waitingDetails({ sent: { state: 'done' } });
    const [message] = details.messages;
    show({ ...details, messages: message ? [{ ...message, channel: 'email' }] : [] });
    fireEvent.click(screen.getByRole('button', { name: 'Reenviar correo' }));
    expect(actions.resend).toHaveBeenCalledWith('email');
  });

  // EVID-31
  it('an unanswered question is no refusal', () => {
    const detail = { camera: 'unanswered', microphone: 'pending', geolocation: 'pending' } as const;
    show(waitingDetails({ permissions: { state: 'failed', reason: 'PERMISSION_NO_ANSWER', detail } }));
    const step = screen.getByText('No responde a la pregunta del permiso').closest('li') as HTMLElement;
    expect(step.textContent).toContain('sin respuesta: cámara');
    expect(step.textContent).not.toContain('denegado');
    expect(step.textContent).toContain('Dar permisos');
    expect(step.dataset.state).toBe('warn');
    expect(screen.getByRole('status').textContent).toContain('Carmen Ortega tiene una pregunta de permisos abierta.');
  });

  it('dictates a code, spaced for reading out', async () => {
    show();
    fireEvent.click(screen.getByRole('button', { name: 'Dictar código' }));
    expect(await screen.findByText('482 913 554 120')).toBeDefined();
    expect(screen.getByText(/atalaya\.example\/codigo/)).toBeDefined();
    expect(actions.dictate).toHaveBeenCalledOnce();
  });

  // CASE-53
  it('shows QR and code at once when nothing was sent', async () => {
    show({ ...waitingDetails(), messages: [] });
    const block = screen.getByRole('region', { name: 'El cliente entra con el QR o con el código' });
    within(block).getByTitle('Código QR del enlace');
    expect(await within(block).findByText('482 913 554 120')).toBeDefined();
    expect(actions.dictate).toHaveBeenCalledOnce();
  });

  // CASE-53
  it('shows neither once the client has opened the link', () => {
    show({ ...waitingDetails({ opened: { state: 'done' } }), messages: [] });
    expect(screen.queryByRole('region', { name: 'El cliente entra con el QR o con el código' })).toBeNull();
  });

  // CASE-52, RESCUE-1
  it('says that a link was late and went another way, with the ways out', () => {
    show(waitingDetails({ sent: { state: 'done' }, delivered: { state: 'active', reason: 'NOT_DELIVERED' } }));
    const step = screen.getByText('No ha llegado en 60 segundos').closest('li') as HTMLElement;
    expect(step.dataset.state).toBe('warn');
    expect(
      within(step)
        .getAllByRole('button')
        .map((way) => way.textContent),
    ).toEqual(['Mostrar QR', 'Dictar código', 'Otro número', 'Por correo', 'Dar cita']);
  });

  // VISIT-2
  it('shows what the client proposes, and accepts it', async () => {
    const at = '2026-11-05T11:40:00Z';
    const track = { _id: '9', seq: 9, type: 'APPOINTMENT_PROPOSED', actor: 'client', at, data: {}, hash: '' };
    const asked: [string, string][] = [];
    window.fetch = vi.fn(async (input, init) => {
      const request = new Request(input as RequestInfo, init);
      asked.push([request.method, await request.clone().text()]);
      const appointment = { at: '2026-11-06T09:30:00Z', state: 'proposed', proposedBy: 'client' };
      return Response.json({ appointment });
    });
    show({ ...waitingDetails(), tracks: [track] });
    await screen.findByText('Carmen Ortega propone el 6 de noviembre de 2026 a las 10:30.');
    fireEvent.click(screen.getByRole('button', { name: 'Aceptar' }));
    await vi.waitFor(() => expect(asked.at(-1)).toEqual(['POST', '{"at":"2026-11-06T09:30:00Z"}']));
  });

  it('checks another number before it sends', async () => {
    show();
    fireEvent.click(screen.getByRole('button', { name: 'Otro número' }));
    const field = await screen.findByLabelText('Móvil del cliente');
    fireEvent.change(field, { target: { value: '912 345 678' } });
    fireEvent.click(screen.getByRole('button', { name: 'Enviar SMS' }));
    await screen.findByText(/Un SMS solo llega a un móvil/);
    expect(actions.resend).not.toHaveBeenCalled();
    fireEvent.change(field, { target: { value: '634 567 890' } });
    fireEvent.click(screen.getByRole('button', { name: 'Enviar SMS' }));
    expect(actions.resend).toHaveBeenCalledWith('sms', '+34634567890');
  });

  it('asks before it cancels', async () => {
    show();
    fireEvent.click(screen.getByRole('button', { name: 'Anular' }));
    const dialog = await screen.findByRole('dialog', { name: '¿Anular esta videollamada?' });
    expect(actions.cancel).not.toHaveBeenCalled();
    fireEvent.click(within(dialog).getByRole('button', { name: 'Anular' }));
    expect(actions.cancel).toHaveBeenCalledOnce();
  });

  it('says when what it shows may be old', () => {
    show(waitingDetails(), 'retrying');
    expect(screen.getByText('Sin conexión, reintentando')).toBeDefined();
  });
});
