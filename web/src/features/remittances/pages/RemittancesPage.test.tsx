import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { session } from '@/shared/session';
import { fakeServer, press, problem, showPage, type } from '@/test/pages';
import { queryClient } from '@/test/providers';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { bankFile, due, excluded, mandate, proposal, remittance } from '../testing';
import { RemittancesPage } from './RemittancesPage';

let server: ReturnType<typeof fakeServer>;
const SECRET = 'mil grullas de papel';
const attempt = {
  ...due.invoices[0],
  _id: 'a1',
  endToEndId: 'A2026-000001',
  status: 'open',
  reason: { code: 'AM04', label: '' },
  settledAt: null as string | null,
  charges: 3,
  retryAt: '2026-11-27T08:00:00Z',
};

beforeAll(() => useTexts());
beforeEach(async () => {
  server = fakeServer();
  Object.assign(server.answers, {
    'remittance-due': () => Response.json(due),
    'sepa-secret': () => Response.json({ set: true, protected: 1, unprotected: 0 }),
    'remittances?': () => Response.json({ remittances: [remittance], total: 1, nextCursor: null }),
    'remittance/r1': () =>
      Response.json({
        remittance,
        attempts: [attempt],
      }),
    'sepa-files': () => Response.json({ files: [], total: 0, nextCursor: null }),
    'mandates?': () => Response.json({ mandates: [mandate], total: 1, nextCursor: null }),
  });
  const admin = { ...nuria, role: 1, parent: 'plat' };
  const exp = Math.floor(Date.now() / 1000) + 3600;
  await session.save(tokenWith({ role: 1, parent: 'plat', exp }), admin, []);
});

const open = (search = '') => showPage(RemittancesPage, '/remittances', `/remittances${search}`);
const secretField = (dialog: HTMLElement) => within(dialog).getByLabelText('Clave de cifrado') as HTMLInputElement;

describe('what is due', () => {
  const ask = async () => {
    open();
    const make = await screen.findByRole('button', { name: 'Generar remesa SEPA' });
    await waitFor(() => expect(make).toHaveProperty('disabled', false));
    fireEvent.click(make);
    const dialog = await screen.findByRole('dialog', { name: 'Generar remesa SEPA' });
    await within(dialog).findByLabelText('Clave de cifrado');
    return dialog;
  };
  const go = (dialog: HTMLElement) => fireEvent.click(within(dialog).getByRole('button', { name: 'Generar y enviar' }));

  it('says what goes in, and what stays out and why', async () => {
    open();
    expect(await screen.findByText('A2026-000001')).toBeTruthy();
    expect(screen.getAllByText('1.121,10 €')).toHaveLength(1);
    expect(screen.getByText('Avisado').closest('tr')?.textContent).toContain('A2026-000001');
    expect(screen.getByText('Al generar la remesa').closest('tr')?.textContent).toContain('A2026-000002');
    fireEvent.click(screen.getByLabelText('Quedan fuera (1)'));
    expect(await screen.findByText('Mandato sin firmar')).toBeTruthy();
    expect(screen.getByText('Pida al cliente que lo firme en sus datos de empresa.')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'A2026-000009' }).getAttribute('href')).toBe('/customer/c9/perfil');
  });

  it('keeps what was typed when the secret is wrong, says what to do, and stays logged in', async () => {
    server.answers['mail-xml-sepa'] = () =>
      problem(422, 'SECRET_MISMATCH', [{ field: 'secret', code: 'SECRET_MISMATCH', message: '' }]);
    const dialog = await ask();
    fireEvent.change(secretField(dialog), { target: { value: SECRET } });
    go(dialog);
    expect(await within(dialog).findByText(/No es la clave con la que se protegieron los IBAN/)).toBeTruthy();
    expect(secretField(dialog).value).toBe(SECRET);
    expect(secretField(dialog).getAttribute('aria-invalid')).toBe('true');
    expect(session.current()).not.toBeNull();
  });

  it('makes the file, says what is next, and keeps the secret nowhere', async () => {
    server.answers['mail-xml-sepa'] = () =>
      Response.json({ msgId: 'VP-20261122-0001', nbOfTxs: 2, ctrlSum: 1121.1, excluded: [excluded] });
    const dialog = await ask();
    fireEvent.change(secretField(dialog), { target: { value: SECRET } });
    go(dialog);
    const made = await screen.findByRole('dialog', { name: 'Remesa generada' });
    expect(within(made).getByText('VP-20261122-0001')).toBeTruthy();
    expect(within(made).getByText('1 factura ha quedado fuera')).toBeTruthy();
    expect(server.to('mail-xml-sepa').map(({ body }) => body)).toEqual([{ secret: SECRET }]);
    const kept = JSON.stringify([
      queryClient
        .getMutationCache()
        .getAll()
        .map(({ state }) => state),
      queryClient
        .getQueryCache()
        .getAll()
        .map(({ state }) => state.data),
      { ...window.localStorage },
      { ...window.sessionStorage },
    ]);
    expect(kept).not.toContain(SECRET);
  });

  it('has the first secret typed twice', async () => {
    server.answers['sepa-secret'] = () => Response.json({ set: false, protected: 0, unprotected: 3 });
    server.answers['mail-xml-sepa'] = () => problem(500, 'INTERNAL');
    const dialog = await ask();
    fireEvent.change(secretField(dialog), { target: { value: 'corta' } });
    go(dialog);
    expect(await within(dialog).findByText('Escriba al menos 14 caracteres')).toBeTruthy();
    fireEvent.change(secretField(dialog), { target: { value: SECRET } });
    expect(within(dialog).getByText('Las dos claves no coinciden')).toBeTruthy();
    expect(server.to('mail-xml-sepa')).toEqual([]);
    type('Repita la clave', SECRET);
    go(dialog);
    await waitFor(() => expect(server.to('mail-xml-sepa')).toHaveLength(1));
  });

  it('says when the first secret is easy to guess', async () => {
    server.answers['sepa-secret'] = () => Response.json({ set: false, protected: 0, unprotected: 3 });
    server.answers['mail-xml-sepa'] = () => problem(422, 'INVALID_FIELDS', [{ field: 'secret', code: 'SECRET_WEAK' }]);
    const dialog = await ask();
    fireEvent.change(secretField(dialog), { target: { value: 'password12345678' } });
    type('Repita la clave', 'password12345678');
    go(dialog);
    expect(await within(dialog).findByText(/Es fácil de adivinar/)).toBeTruthy();
  });

  it('asks for no secret before it knows whether there is one', async () => {
    server.answers['sepa-secret'] = () => problem(503, 'UNAVAILABLE');
    open();
    const make = await screen.findByRole('button', { name: 'Generar remesa SEPA' });
    await waitFor(() => expect(make).toHaveProperty('disabled', false));
    fireEvent.click(make);
    const dialog = await screen.findByRole('dialog', { name: 'Generar remesa SEPA' });
    expect(await within(dialog).findByRole('button', { name: 'Reintentar' }, { timeout: 20_000 })).toBeTruthy();
    expect(within(dialog).queryByLabelText('Clave de cifrado')).toBeNull();
  });

  it('makes nothing while the issuer lacks data, and says which', async () => {
    server.answers['remittance-due'] = () =>
      Response.json({ ...due, issuerMissing: ['creditorSuffix', 'bankAccount'] });
    open();
    expect(await screen.findByText(/Sufijo de acreedor, IBAN/)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Generar remesa SEPA' })).toHaveProperty('disabled', true);
  });
});

describe('remittances', () => {
  it('shows the debits of one and cancels it with what the bank said', async () => {
    server.answers['remittance-cancel/r1'] = () =>
      Response.json({ remittance: { ...remittance, status: 'cancelled' } });
    open('?tab=made');
    fireEvent.click(await screen.findByRole('link', { name: 'VP-20261110-0001' }));
    const panel = await screen.findByRole('dialog', { name: 'Remesa' });
    expect(await within(panel).findByText('A2026-000001')).toBeTruthy();
    expect(within(panel).getByText('Comisión 3,00 € · Se presenta de nuevo desde el 27 nov 2026')).toBeTruthy();
    fireEvent.click(within(panel).getByRole('button', { name: 'El banco ha rechazado el fichero' }));
    const dialog = await screen.findByRole('dialog', { name: 'Anular la remesa VP-20261110-0001' });
    const cancel = within(dialog).getByRole('button', { name: 'Anular la remesa' });
    fireEvent.click(cancel);
    expect(await within(dialog).findByText('Escriba qué ha dicho el banco')).toBeTruthy();
    fireEvent.change(within(dialog).getByLabelText('Qué ha dicho el banco'), {
      target: { value: ' Falta el sufijo ' },
    });
    fireEvent.click(cancel);
    expect(await screen.findByText('Remesa anulada')).toBeTruthy();
    expect(server.to('remittance-cancel').map(({ body }) => body)).toEqual([{ reason: 'Falta el sufijo' }]);
  });
});

describe('a debit settled by hand', () => {
  const start = async () => {
    open('?tab=made');
    fireEvent.click(await screen.findByRole('link', { name: 'VP-20261110-0001' }));
    const panel = within(await screen.findByRole('dialog', { name: 'Remesa' }));
    const note = 'Anotar la respuesta del banco para A2026-000001';
    fireEvent.click(await panel.findByRole('button', { name: note }));
    return panel;
  };
  const day = (panel: ReturnType<typeof within>, text: string) => {
    const field = panel.getByLabelText('Fecha en el banco');
    fireEvent.change(field, { target: { value: text } });
    fireEvent.blur(field);
  };

  it('is read back before it is noted', async () => {
    server.answers['remittance-attempt/a1'] = () => Response.json({ attempt: {}, action: 'unpaid' });
    const panel = await start();
    fireEvent.click(panel.getByLabelText('Devuelto'));
    press('Revisar');
    expect(await panel.findByText('Indique el código del banco')).toBeTruthy();
    expect(panel.getByText('Indique la fecha')).toBeTruthy();
    fireEvent.change(panel.getByRole('combobox', { name: 'Motivo del banco' }), { target: { value: 'am04' } });
    day(panel, '12/11/2026');
    press('Revisar');
    expect(await panel.findByText('No se puede deshacer.')).toBeTruthy();
    expect(panel.getByText(/queda devuelta con fecha 12\/11\/2026: Saldo insuficiente \(AM04\)/)).toBeTruthy();
    expect(server.to('remittance-attempt')).toEqual([]);
    press('Anotar como devuelto');
    expect(await screen.findByText('Respuesta anotada')).toBeTruthy();
    expect(server.to('remittance-attempt').map(({ body }) => body)).toEqual([
      { outcome: 'returned', reason: 'AM04', at: '2026-11-12' },
    ]);
  });

  it('offers of a paid debit that it came back', async () => {
    const paid = { ...attempt, status: 'paid', settledAt: '2026-11-11' };
    server.answers['remittance/r1'] = () => Response.json({ remittance, attempts: [paid] });
    server.answers['remittance-attempt/a1'] = () => Response.json({ attempt: {}, action: 'returned' });
    open('?tab=made');
    fireEvent.click(await screen.findByRole('link', { name: 'VP-20261110-0001' }));
    const panel = within(await screen.findByRole('dialog', { name: 'Remesa' }));
    fireEvent.click(await panel.findByRole('button', { name: 'Anotar la devolución de A2026-000001' }));
    expect(panel.queryByLabelText('Rechazado')).toBeNull();
    fireEvent.change(panel.getByRole('combobox', { name: 'Motivo del banco' }), { target: { value: 'MD06' } });
    day(panel, '12/11/2026');
    press('Revisar');
    press('Anotar como devuelto');
    await waitFor(() =>
      expect(server.to('remittance-attempt')[0]?.body).toEqual({
        outcome: 'returned',
        reason: 'MD06',
        at: '2026-11-12',
      }),
    );
  });

  it('goes back to the field that the server refuses', async () => {
    server.answers['remittance-attempt/a1'] = () =>
      problem(422, 'INVALID_FIELDS', [{ field: 'at', code: 'DATE_BEFORE_DEBIT', message: '' }]);
    const panel = await start();
    day(panel, '11/11/2026');
    press('Revisar');
    press('Anotar como cobrado');
    expect(await panel.findByText('La fecha es anterior al recibo')).toBeTruthy();
    expect(panel.getByLabelText('Fecha en el banco').getAttribute('aria-invalid')).toBe('true');
    expect(server.to('remittance-attempt')[0]?.body).toEqual({ outcome: 'paid', at: '2026-11-11' });
  });
});

describe('bank files', () => {
  const bring = async (file = new File(['<x/>'], 'camt054.xml')) => {
    open('?tab=files');
    fireEvent.change(await screen.findByTestId('bank-file'), { target: { files: [file] } });
  };

  it('says by reason what it means, what was done and what is next', async () => {
    server.answers['parse-sepa'] = () => Response.json(bankFile);
    await bring();
    const panel = await screen.findByRole('dialog', { name: 'Resultado del fichero' });
    expect(await within(panel).findByText('Saldo insuficiente')).toBeTruthy();
    expect(within(panel).getByText(/volverá a presentar desde el 27\/11\/2026/)).toBeTruthy();
    expect(within(panel).getByText(/cobre por transferencia/)).toBeTruthy();
    expect(within(panel).getByText('Comisión por devolución')).toBeTruthy();
    expect(server.to('parse-sepa')[0]?.body.file).toBeInstanceOf(File);
  });

  it('takes a dropped file too', async () => {
    server.answers['parse-sepa'] = () => Response.json(bankFile);
    open('?tab=files');
    fireEvent.drop(await screen.findByTestId('bank-drop'), { dataTransfer: { files: [new File(['<x/>'], 'a.xml')] } });
    expect(await screen.findByText('Saldo insuficiente')).toBeTruthy();
  });

  it('says that the same file changed nothing', async () => {
    server.answers['parse-sepa'] = () => Response.json({ ...bankFile, repeated: true });
    await bring();
    expect(await screen.findByText('Este fichero ya se había procesado')).toBeTruthy();
  });

  it('says why a file was refused', async () => {
    server.answers['parse-sepa'] = () =>
      problem(422, 'INVALID_FIELDS', [{ field: 'file', code: 'SEPA_FORMAT_NOT_SUPPORTED', message: '' }]);
    await bring();
    expect(await screen.findByText('No se ha procesado camt054.xml')).toBeTruthy();
    expect(screen.getByText(/camt\.054.*No se ha cambiado nada/, { selector: '[role=alert] *' })).toBeTruthy();
  });

  it('asks whether a transfer pays the invoice that it quotes', async () => {
    let status = 'open';
    const file = () => ({
      ...bankFile,
      items: [],
      charges: [],
      proposals: [{ ...proposal, status }],
      proposed: ['p1'],
    });
    server.answers['parse-sepa'] = () => Response.json(file());
    server.answers['sepa-file/f1'] = () => Response.json(file());
    server.answers['payment-proposal/p1'] = () => {
      status = 'accepted';
      return Response.json({ proposal: { ...proposal, status } });
    };
    await bring();
    expect(await screen.findByText('1 transferencia cita una factura')).toBeTruthy();
    expect(screen.getByText(/TASACIONES NORTE SL · Pago fra A2026-000002/)).toBeTruthy();
    expect(screen.queryByText('Todo está anotado. No queda nada que hacer.')).toBeNull();
    press('Confirmar el cobro de A2026-000002');
    await waitFor(() => expect(server.to('payment-proposal')[0]?.body).toEqual({ accept: true }));
    await waitFor(() => expect(screen.queryByRole('button', { name: /Confirmar el cobro/ })).toBeNull());
    expect(screen.getByText('Todo está anotado. No queda nada que hacer.')).toBeTruthy();
  });

  it('sends no empty file', async () => {
    await bring(new File([], 'vacio.xml'));
    expect(await screen.findByText(/El fichero está vacío/)).toBeTruthy();
    expect(server.to('parse-sepa')).toEqual([]);
  });
});

describe('mandates', () => {
  it('cancels one after asking, and changes its scheme', async () => {
    server.answers['mandate-cancel/m1'] = () => Response.json({ mandate: { ...mandate, status: 'cancelled' } });
    open('?tab=mandates');
    fireEvent.click(await screen.findByRole('link', { name: 'Peritaciones Levante, S.L.' }));
    const panel = await screen.findByRole('dialog', { name: /Orden de domiciliación/ });
    expect(within(panel).getByText('ES77000B85626240')).toBeTruthy();
    fireEvent.click(within(panel).getByRole('button', { name: 'Pasar a B2B' }));
    const scheme = await screen.findByRole('dialog', { name: 'Pasar a B2B' });
    fireEvent.click(within(scheme).getByRole('button', { name: 'Cancelar' }));
    fireEvent.click(within(panel).getByRole('button', { name: 'Cancelar el mandato' }));
    const sure = await screen.findByRole('dialog', { name: '¿Cancelar el mandato?' });
    fireEvent.click(within(sure).getByRole('button', { name: 'Cancelar el mandato' }));
    await waitFor(() => expect(server.to('mandate-cancel')).toHaveLength(1));
    expect(server.to('mandate-scheme')).toEqual([]);
  });

  it('says why the list cannot be shown', async () => {
    server.answers['mandates?'] = () => problem(403, 'FORBIDDEN');
    open('?tab=mandates');
    expect(await screen.findByRole('alert', {}, { timeout: 20_000 })).toBeTruthy();
    press('Reintentar');
  });
});
