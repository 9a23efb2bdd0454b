import { modals } from '@mantine/modals';
import { notifications } from '@mantine/notifications';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '@/api/types';
import type { Company } from '@/shared/company/kinds';
import { session } from '@/shared/session';
import { fakeServer, LEGAL, press, problem, showPage, type } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { levante, platformCompany } from '../testing';
import { CompanyPage } from './CompanyPage';

const soon = Math.floor(Date.now() / 1000) + 3600;
const admin: User = {
  ...nuria,
  _id: 'admin',
  role: 1,
  parent: 'plat',
  company: { _id: 'plat', company: 'Atalaya', companyType: '1' },
};
const as = (user: User) => session.save(tokenWith({ exp: soon, role: user.role, parent: user.parent }), user, []);
const open = (id: string) => showPage(CompanyPage, '/customer/$parent/perfil', `/customer/${id}/perfil`);
const insurers = [
  { _id: 'i1', name: 'Mutua Levante', active: true },
  { _id: 'i2', name: 'Ñandú', active: true },
];

let server: ReturnType<typeof fakeServer>;
let stored: Company;

beforeAll(() => useTexts());
beforeEach(() => {
  // What an earlier page left floating.
  notifications.clean();
  modals.closeAll();
  stored = levante;
  server = fakeServer();
  Object.assign(server.answers, {
    'get-parent/c1': () => Response.json({ parent: stored }),
    'customer/': () => Response.json({ customer: stored }),
    customer: (body: Record<string, unknown>) => {
      stored = { ...stored, ...(body.customer as object) };
      return Response.json({ customer: stored });
    },
    'company-insurers/': () => Response.json({ insuranceCompanies: ['i1'] }),
    insuranceCompanies: () => Response.json(insurers),
    legalbylanguage: () => Response.json(LEGAL),
    me: () => Response.json({ user: session.peek()?.user, menu: [] }),
  });
});
const saved = () => server.calls.filter(({ method }) => method === 'PUT').map(({ body }) => body.customer);
const save = () => screen.getByRole('button', { name: 'Guardar' });

describe('own company', () => {
  beforeEach(() => as(nuria));

  it('saves what changed and takes the account afresh', async () => {
    open('c1');
    await screen.findByRole('heading', { name: 'Datos de empresa' });
    expect(save()).toHaveProperty('disabled', true);
    type('Población', 'Sagunto');
    fireEvent.click(save());
    expect(await screen.findByText('Datos guardados')).toBeTruthy();
    expect(saved()).toEqual([{ _id: 'c1', city: 'Sagunto' }]);
    expect(save()).toHaveProperty('disabled', true);
    await waitFor(() => expect(server.to('me')).toHaveLength(1));
  });

  it('shows the IBAN masked and changes it only on purpose', async () => {
    open('c1');
    const iban = (await screen.findByLabelText('IBAN')) as HTMLInputElement;
    expect([iban.value, iban.readOnly]).toEqual(['ES91 **** **** **** **** 1332', true]);
    press('Cambiar');
    type('IBAN', 'ES91 2100 0418 4502 0005 1331');
    fireEvent.click(save());
    expect(
      await screen.findByText('El IBAN no es correcto. Cópielo entero, con las dos letras del país.'),
    ).toBeTruthy();
    press('Dejar el actual');
    expect(save()).toHaveProperty('disabled', true);
    press('Cambiar');
    type('IBAN', 'ES91 2100 0418 4502 0005 1332');
    fireEvent.click(save());
    await waitFor(() => expect(saved()).toEqual([{ _id: 'c1', bankAccount: 'ES9121000418450200051332' }]));
  });

  it('says every wrong field beside it and loses nothing', async () => {
    open('c1');
    await screen.findByLabelText('NIF/CIF');
    type('NIF/CIF', 'B12345678');
    type('Correo electrónico', 'nuria@');
    type('Móvil', '');
    fireEvent.click(save());
    for (const text of [
      'El NIF/CIF no es correcto. Escriba sus nueve caracteres, con la letra.',
      'El correo electrónico no es válido. Escríbalo entero, como nombre@empresa.es.',
      'Revise 3 datos.',
    ])
      expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.getByText('El teléfono móvil es obligatorio')).toBeTruthy();
    expect((screen.getByLabelText('NIF/CIF') as HTMLInputElement).value).toBe('B12345678');
    expect(saved()).toEqual([]);
  });

  it("puts the server's refusals beside the fields, what belongs to none above the button", async () => {
    const wrong = [
      {
        field: 'customer.postalCode',
        code: 'POSTAL_CODE_INVALID',
        message: 'El código postal no es válido. Escriba sus cinco cifras, como 46001.',
      },
    ];
    server.answers.customer = () => problem(422, 'INVALID_FIELDS', wrong);
    open('c1');
    await screen.findByLabelText('Código postal');
    type('Código postal', '46002');
    fireEvent.click(save());
    expect(
      await screen.findByText('El código postal no es válido. Escriba sus cinco cifras, como 46001.'),
    ).toBeTruthy();
    server.answers.customer = () => problem(409, 'USER_NAME_TAKEN');
    type('Código postal', '46003');
    fireEvent.click(save());
    expect(await screen.findByText('No se han podido guardar los datos')).toBeTruthy();
    expect((screen.getByLabelText('Código postal') as HTMLInputElement).value).toBe('46003');
  });

  it('says what is missing and accepts the terms at once, whatever else is typed', async () => {
    stored = { ...levante, legal: false, legalId: null, legalHistory: [], missing: ['legal'] };
    open('c1');
    expect(await screen.findByText('Acepte las condiciones para poder llamar.')).toBeTruthy();
    expect(screen.getByText('Falta aceptar las condiciones')).toBeTruthy();
    type('Población', 'Sagunto');
    press('Leer las condiciones');
    const accept = await screen.findByRole('button', { name: 'Acepto las condiciones' });
    await waitFor(() => expect(accept).toHaveProperty('disabled', false));
    fireEvent.click(accept);
    await waitFor(() => expect(saved()).toEqual([{ _id: 'c1', legal: true, legalId: 'general-1' }]));
    expect((screen.getByLabelText('Población') as HTMLInputElement).value).toBe('Sagunto');
  });

  it("offers nothing of the administrator's", async () => {
    open('c1');
    await screen.findByLabelText('Población');
    expect(screen.queryByText('Administración')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Bloquear' })).toBeNull();
    expect(screen.queryByLabelText('Estado')).toBeNull();
    expect(await screen.findByText('Mutua Levante')).toBeTruthy();
    expect(screen.getByText(/Condiciones aceptadas el 3 de septiembre de 2026/)).toBeTruthy();
  });

  it('asks before typed changes are left behind', async () => {
    const { where } = open('c1');
    await screen.findByLabelText('Población');
    type('Población', 'Sagunto');
    fireEvent.click(screen.getByRole('link', { name: 'Ver 3 usuarios' }));
    const dialog = await screen.findByRole('dialog', { name: 'Hay cambios sin guardar' });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Seguir aquí' }));
    expect(where()).toBe('/customer/c1/perfil');
    expect((screen.getByLabelText('Población') as HTMLInputElement).value).toBe('Sagunto');
    press('Descartar cambios');
    fireEvent.click(screen.getByRole('link', { name: 'Ver 3 usuarios' }));
    await waitFor(() => expect(where()).toBe('/users/c1'));
  });
});

describe('administrator', () => {
  beforeEach(() => as(admin));

  it('sets status, billing start, retention and insurers in one call', async () => {
    open('c1');
    fireEvent.click(await screen.findByLabelText('Estado', { selector: 'input' }));
    fireEvent.click(await screen.findByRole('option', { name: 'Impagado' }));
    type('Días de conservación', '0');
    fireEvent.click(save());
    expect(await screen.findByText('Un número de 1 a 3650')).toBeTruthy();
    type('Días de conservación', '60');
    fireEvent.click(screen.getByLabelText('Aseguradoras para las que trabaja', { selector: 'input' }));
    fireEvent.click(await screen.findByRole('option', { name: 'Ñandú' }));
    fireEvent.click(save());
    await waitFor(() => expect(saved()).toEqual([{ _id: 'c1', status: 5, retentionDays: 60, insurers: ['i1', 'i2'] }]));
  });

  it.each(['insuranceCompanies', 'customer.insurers'])('puts a refusal of %s under the insurers', async (field) => {
    const wrong = { field, code: 'INSURANCE_UNKNOWN', message: 'Alguna de las aseguradoras no existe' };
    server.answers.customer = () => problem(422, 'INVALID_FIELDS', [wrong]);
    open('c1');
    const insurersField = await screen.findByLabelText('Aseguradoras para las que trabaja', { selector: 'input' });
    fireEvent.click(insurersField);
    fireEvent.click(await screen.findByRole('option', { name: 'Ñandú' }));
    fireEvent.click(save());
    expect(await screen.findByText(wrong.message)).toBeTruthy();
    expect(screen.getByText('Revise 1 dato.')).toBeTruthy();
    expect(screen.queryByText('No se han podido guardar los datos')).toBeNull();
    expect(insurersField.getAttribute('aria-invalid')).toBe('true');
    press('Descartar cambios');
    expect(screen.queryByText(wrong.message)).toBeNull();
  });

  it('activates a pending company without a token', async () => {
    server.answers['activation-ok-email'] = () => problem(503, 'ACTIVATION_EMAIL_FAILED');
    stored = { ...levante, status: 0, missing: ['status'] };
    server.answers['activate-customer/c1'] = () => {
      stored = { ...stored, status: 2, missing: [] };
      return Response.json({ customer: stored });
    };
    open('c1');
    expect(await screen.findByText('Se ha registrado y espera que la active.')).toBeTruthy();
    press('Activar cliente');
    expect(await screen.findByText('Empresa activada')).toBeTruthy();
    expect(server.to('activate-customer')[0]?.body).toEqual({ token: '' });
    expect(screen.queryByRole('button', { name: 'Activar cliente' })).toBeNull();
    // The status of the form followed: nothing waits to be saved.
    await waitFor(() => expect(save()).toHaveProperty('disabled', true));
    const status = screen.getByLabelText('Estado', { selector: 'input' }) as HTMLInputElement;
    await waitFor(() => expect(status.value).toBe('Activo'));
    expect(server.to('activation-ok-email').map(({ body }) => body)).toEqual([{ email: 'nuria@example.es' }]);
    await screen.findByText('No se ha podido enviar el aviso de activación a nuria@example.es.', {}, { timeout: 6000 });
  });

  it('blocks the calls after saying what follows, and unblocks', async () => {
    stored = { ...levante, pay_startAt: '2026-10-01T00:00:00Z' };
    open('c1');
    const situation = within(await screen.findByRole('complementary', { name: 'Situación' }));
    fireEvent.click(situation.getByRole('button', { name: 'Bloquear' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Bloquear a Peritaciones Levante, S.L.' }));
    expect(dialog.getByText(/no pueden abrir videollamadas ni recibir solicitudes/)).toBeTruthy();
    expect(dialog.getByText(/quedan fuera de las remesas/)).toBeTruthy();
    expect(dialog.queryByText(/podrá abrir videollamadas hasta/)).toBeNull();
    expect(saved()).toEqual([]);
    fireEvent.click(dialog.getByRole('button', { name: 'Bloquear' }));
    expect(await screen.findByText('Empresa bloqueada')).toBeTruthy();
    expect(situation.getByText('Impagado')).toBeTruthy();
    fireEvent.click(situation.getByRole('button', { name: 'Desbloquear' }));
    const back = within(await screen.findByRole('dialog', { name: 'Desbloquear a Peritaciones Levante, S.L.' }));
    expect(back.getByText(/vuelve a entrar en las remesas/)).toBeTruthy();
    fireEvent.click(back.getByRole('button', { name: 'Desbloquear' }));
    expect(await screen.findByText('Empresa desbloqueada')).toBeTruthy();
    expect(saved()).toEqual([
      { _id: 'c1', status: 5 },
      { _id: 'c1', status: 2 },
    ]);
    // The form followed: nothing waits to be saved.
    await waitFor(() => expect(save()).toHaveProperty('disabled', true));
  });

  it('blocks all access, and says when it could not', async () => {
    server.answers.customer = () => problem(403, 'ROLE_NOT_ALLOWED');
    open('c1');
    fireEvent.click(await screen.findByRole('button', { name: 'Bloquear' }));
    const dialog = within(await screen.findByRole('dialog'));
    fireEvent.click(dialog.getByLabelText('Todo el acceso'));
    expect(dialog.getByText('Sus 3 usuarios no podrán entrar.')).toBeTruthy();
    fireEvent.click(dialog.getByRole('button', { name: 'Bloquear' }));
    expect(await screen.findByText('No se ha podido cambiar la situación')).toBeTruthy();
    expect(saved()).toEqual([{ _id: 'c1', status: 1 }]);
  });

  it("completes the platform's own data step by step", async () => {
    stored = { ...platformCompany, address: '', city: '', cif: '', mobile: null };
    open('plat');
    await screen.findByLabelText('BIC');
    type('BIC', 'caixesbb');
    type('Sufijo de acreedor', '000');
    fireEvent.click(save());
    await waitFor(() => expect(saved()).toEqual([{ _id: 'plat', bic: 'CAIXESBB', creditorSuffix: '000' }]));
    expect(screen.queryByText('Situación')).toBeNull();
  });

  it('says why a company cannot be shown', async () => {
    server.answers['get-parent/zz'] = () => problem(404, 'COMPANY_NOT_FOUND');
    open('zz');
    expect((await screen.findByRole('alert')).textContent).toContain('La empresa no existe o no está a su alcance.');
  });
});
