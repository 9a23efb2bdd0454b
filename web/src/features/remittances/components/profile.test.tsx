import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '@/shared/session';
import { fakeServer, press, problem, showPage } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { mandate, unsigned } from '../testing';
import type { Mandate } from '../types';
import { EncryptIban } from './EncryptIban';
import { MandateNotice } from './MandateNotice';
import { MandateSection } from './MandateSection';

let server: ReturnType<typeof fakeServer>;
let stored: Mandate[];
const company = { _id: 'c1', company: 'Peritaciones Levante, S.L.', bankAccount: mandate.iban };

beforeAll(() => useTexts());
beforeEach(async () => {
  stored = [mandate];
  server = fakeServer();
  server.answers['mandates?'] = () => Response.json({ mandates: stored, total: stored.length, nextCursor: null });
  await session.save(tokenWith({ exp: Math.floor(Date.now() / 1000) + 3600 }), nuria, []);
});

describe('mandate', () => {
  const show = (own = true, bankAccount: string | null = mandate.iban) =>
    showPage(() => <MandateSection company={{ ...company, bankAccount }} own={own} />, '/p', '/p');

  it('asks for an account first', async () => {
    show(true, null);
    expect(await screen.findByText('Indique primero su IBAN y guarde los datos.')).toBeTruthy();
    expect(server.calls).toEqual([]);
  });

  it('is made on purpose, then signed with a tick', async () => {
    stored = [];
    server.answers.sepa = () => {
      stored = [unsigned];
      return Response.json({ mandate: unsigned });
    };
    server.answers['mandate-sign/m1'] = () => {
      stored = [mandate];
      return Response.json({ mandate });
    };
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Preparar la orden' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Firmar' }));
    expect(server.to('sepa').map(({ body }) => body)).toEqual([{ customer: 'c1' }]);
    const dialog = await screen.findByRole('dialog', { name: 'Firmar la orden de domiciliación' });
    const sign = within(dialog).getByRole('button', { name: 'Firmar' });
    fireEvent.click(sign);
    expect(await within(dialog).findByText('Marque la casilla para firmar')).toBeTruthy();
    fireEvent.click(within(dialog).getByRole('checkbox'));
    fireEvent.click(sign);
    expect(await screen.findByText('Mandato firmado')).toBeTruthy();
    expect(server.to('mandate-sign').map(({ body }) => body)).toEqual([{ accept: true }]);
    expect(await screen.findByText('Activo')).toBeTruthy();
    expect(screen.getByText(/Si cambia el IBAN, este mandato deja de valer/)).toBeTruthy();
  });

  it('takes the paper signed by hand', async () => {
    stored = [unsigned];
    show();
    const paper = new File(['%PDF'], 'firmado.pdf', { type: 'application/pdf' });
    fireEvent.change(await screen.findByTestId('signed-file'), { target: { files: [paper] } });
    const dialog = within(await screen.findByRole('dialog', { name: 'Subir la orden firmada' }));
    expect(dialog.getByText('firmado.pdf')).toBeTruthy();
    fireEvent.click(dialog.getByRole('button', { name: 'Guardar' }));
    expect(await dialog.findByText('Indique la fecha que figura en el papel')).toBeTruthy();
    const day = dialog.getByLabelText('Fecha de la firma');
    fireEvent.change(day, { target: { value: '5/10/2026' } });
    fireEvent.blur(day);
    fireEvent.change(dialog.getByLabelText(/Lugar de la firma/), { target: { value: 'Sagunto' } });
    server.answers['mandate-sign/m1'] = () =>
      problem(422, 'INVALID_FIELDS', [{ field: 'signedAt', code: 'DATE_IN_FUTURE', message: 'La fecha es futura' }]);
    fireEvent.click(dialog.getByRole('button', { name: 'Guardar' }));
    expect(await dialog.findByText('La fecha es futura')).toBeTruthy();
    fireEvent.change(day, { target: { value: '4/10/2026' } });
    fireEvent.blur(day);
    server.answers['mandate-sign/m1'] = () => Response.json({ mandate: { ...mandate, signature: 'document' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Guardar' }));
    await waitFor(() => expect(server.to('mandate-sign')).toHaveLength(2));
    expect(server.to('mandate-sign')[1]?.body).toMatchObject({ signedAt: '2026-10-04', place: 'Sagunto' });
    expect(server.to('mandate-sign')[1]?.body.file).toBeInstanceOf(File);
  });

  it('gives what was signed, and no paper to sign once it is', async () => {
    const opened = vi.spyOn(window, 'open').mockReturnValue({ opener: null, location: { replace: vi.fn() } } as never);
    server.answers['mandate-evidence/m1'] = () => new Response('%PDF');
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Texto que se firmó' }));
    await waitFor(() => expect(server.to('mandate-evidence/m1')).toHaveLength(1));
    expect(screen.getByText('ab12'.repeat(16))).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Formulario para firmar a mano' })).toBeNull();
    opened.mockRestore();
  });

  it('gives the form to be signed by hand', async () => {
    stored = [unsigned];
    server.answers['mandate-pdf/m1'] = () => new Response('%PDF');
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Formulario para firmar a mano' }));
    await waitFor(() => expect(server.to('mandate-pdf/m1')[0]?.path).toBe('/api/v1/mandate-pdf/m1?paper=true'));
  });

  it('is signed on the screen by the company alone', async () => {
    stored = [unsigned];
    show(false);
    expect(await screen.findByText(/Falta la firma del cliente/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Firmar' })).toBeNull();
  });

  it('says what a suspended one asks for, and why a cancelled one needs another', async () => {
    stored = [{ ...mandate, status: 'suspended', statusReason: 'AC04' }];
    show();
    expect(await screen.findByText('Cuenta cancelada')).toBeTruthy();
    expect(screen.getByText(/Indique otro IBAN o hable con su banco/)).toBeTruthy();
  });

  it('says why it cannot be shown, and tries again', async () => {
    server.answers['mandates?'] = () => problem(403, 'FORBIDDEN');
    show();
    const retry = await screen.findByRole('button', { name: 'Reintentar' }, { timeout: 20_000 });
    server.answers['mandates?'] = () => Response.json({ mandates: [mandate], total: 1, nextCursor: null });
    fireEvent.click(retry);
    expect(await screen.findByText('ES77000B85626240')).toBeTruthy();
  });
});

describe('the notice above the data', () => {
  const show = () => showPage(() => <MandateNotice company={company} own />, '/p', '/p');

  it('says that a signature is missing', async () => {
    stored = [unsigned];
    show();
    expect(await screen.findByText('Falta su firma para poder cobrar por el banco.')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Ver la orden' })).toBeTruthy();
  });

  it('says nothing of a mandate that holds', async () => {
    show();
    await waitFor(() => expect(server.to('mandates')).toHaveLength(1));
    expect(screen.queryByRole('button', { name: 'Ver la orden' })).toBeNull();
  });
});

describe('IBAN under the secret', () => {
  const onEncrypted = vi.fn();
  const outer = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());
  const show = (ibanProtected = false) =>
    showPage(
      () => (
        <form onSubmit={outer}>
          <EncryptIban company={{ ...company, ibanProtected }} onEncrypted={onEncrypted} />
        </form>
      ),
      '/p',
      '/p',
    );

  it('goes there by the secret, without saving the page around it', async () => {
    server.answers['sepa-secret'] = () => Response.json({ set: true, protected: 1, unprotected: 1 });
    server.answers['encrypt-iban'] = () => Response.json({ customer: { _id: 'c1', ibanProtected: true } });
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Proteger el IBAN' }));
    fireEvent.change(await screen.findByLabelText('Clave de cifrado'), { target: { value: 'mil grullas' } });
    press('Proteger');
    await waitFor(() => expect(onEncrypted).toHaveBeenCalledOnce());
    expect(server.to('encrypt-iban').map(({ body }) => body)).toEqual([{ secret: 'mil grullas', customerId: 'c1' }]);
    expect(outer).not.toHaveBeenCalled();
  });

  it('says after too many attempts how long to wait', async () => {
    server.answers['sepa-secret'] = () => Response.json({ set: true, protected: 1, unprotected: 1 });
    server.answers['encrypt-iban'] = () =>
      Response.json({ code: 'TOO_MANY_REQUESTS' }, { status: 429, headers: { 'Retry-After': '90' } });
    show();
    fireEvent.click(await screen.findByRole('button', { name: 'Proteger el IBAN' }));
    fireEvent.change(await screen.findByLabelText('Clave de cifrado'), { target: { value: 'otra' } });
    press('Proteger');
    expect(await screen.findByText('Demasiados intentos. Espere 2 minutos y vuelva a probar.')).toBeTruthy();
  });

  it('is said where it lies there already', async () => {
    show(true);
    expect(await screen.findByText(/Solo se lee con la clave de las remesas/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Proteger el IBAN' })).toBeNull();
  });
});
