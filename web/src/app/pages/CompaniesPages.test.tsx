import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { levante } from '@/features/companies/testing';
import { fakeServer, press, problem, showPage, type } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { CustomersPage, WorkshopsPage } from './CompaniesPages';

let server: ReturnType<typeof fakeServer>;
const lastQuery = (name: string) =>
  Object.fromEntries(new URL(server.to(name).at(-1)?.path ?? '/', 'http://x').searchParams);

beforeAll(() => useTexts());
beforeEach(() => {
  server = fakeServer();
  server.answers.customers = () =>
    Response.json({
      customers: [levante, { ...levante, _id: 'c2', company: 'Ñu', status: 0 }],
      total: 120,
      nextCursor: '50',
    });
});

describe('list of companies', () => {
  it('asks the server for what the address says', async () => {
    showPage(CustomersPage, '/customers', '/customers?search=levante&status=2&sort=-created_at&page=2');
    expect(await screen.findByRole('link', { name: 'Peritaciones Levante, S.L.' })).toBeTruthy();
    expect(lastQuery('customers')).toEqual({
      limit: '50',
      sort: '-created_at',
      status: '2',
      search: 'levante',
      cursor: '50',
    });
    expect(screen.getByText('120 empresas')).toBeTruthy();
  });

  it('searches, filters and sorts from the first page on', async () => {
    showPage(CustomersPage, '/customers', '/customers?page=2');
    await screen.findByText('Ñu');
    type('Empresa, NIF, contacto…', 'ñu');
    await waitFor(() => expect(lastQuery('customers')).toEqual({ limit: '50', sort: 'company', search: 'ñu' }));
    fireEvent.click(screen.getByText('Población'));
    await waitFor(() => expect(lastQuery('customers')).toMatchObject({ sort: 'city', search: 'ñu' }));
  });

  it('opens a company', async () => {
    const { where } = showPage(CustomersPage, '/customers', '/customers');
    fireEvent.click(await screen.findByText('Ñu'));
    await waitFor(() => expect(where()).toBe('/customer/c2/perfil'));
  });

  it('has its own noun for each kind', async () => {
    server.answers.carReparations = () => Response.json({ carReparations: [], total: 0, nextCursor: null });
    showPage(WorkshopsPage, '/car-reparations', '/car-reparations');
    expect(await screen.findByText('Aún no hay empresas de este tipo')).toBeTruthy();
  });

  it('offers another try', async () => {
    const answer = server.answers.customers;
    server.answers.customers = () => problem(403, 'ROLE_NOT_ALLOWED');
    showPage(CustomersPage, '/customers', '/customers');
    expect(await screen.findByText('Su perfil no permite esta acción.')).toBeTruthy();
    if (answer) server.answers.customers = answer;
    press('Reintentar');
    expect(await screen.findByText('Ñu')).toBeTruthy();
  });
});

describe('invitations', () => {
  const invitation = {
    _id: 'n1',
    emailOPhone: 'ana@example.es',
    type: 2,
    createdAt: '2026-11-19T10:42:00Z',
    expiresAt: '2026-11-26T10:42:00Z',
    openedAt: null,
    activatedAt: null,
    inviter: 'Nuria Ferrer',
    company: null,
  };

  it('shows what became of each, and sends again what was not used', async () => {
    server.answers.invitations = () =>
      Response.json({
        invitations: [
          { ...invitation, state: 'expired' },
          { ...invitation, _id: 'n2', emailOPhone: '+34612034578', state: 'activated' },
        ],
        total: 2,
        nextCursor: null,
      });
    server.answers['invitation-resend/n1'] = () => Response.json({ invitation: { ...invitation, state: 'sent' } });
    showPage(CustomersPage, '/customers', '/customers?tab=invitations');
    expect(await screen.findByText('Caducada')).toBeTruthy();
    expect(screen.getByText('612 03 45 78')).toBeTruthy();
    expect(lastQuery('invitations')).toEqual({ limit: '50', type: '2' });
    press('Volver a enviar');
    expect(await screen.findByText('Invitación enviada de nuevo')).toBeTruthy();
    expect(server.to('invitation-resend')).toHaveLength(1);
    await waitFor(() => expect(server.to('invitations')).toHaveLength(2));
  });

  it('takes back one that was not used, after asking', async () => {
    let left = [{ ...invitation, state: 'sent' }];
    server.answers.invitations = () => Response.json({ invitations: left, total: left.length, nextCursor: null });
    server.answers['invitation-revoke/n1'] = () => {
      left = [];
      return new Response(null, { status: 204 });
    };
    showPage(CustomersPage, '/customers', '/customers?tab=invitations');
    await screen.findByText('ana@example.es');
    const ask = async (answer: string) => {
      press('Retirar la invitación');
      const dialog = await screen.findByRole('dialog', { name: '¿Retirar la invitación?' });
      expect(dialog.textContent).toContain('ana@example.es');
      fireEvent.click(within(dialog).getByRole('button', { name: answer }));
    };
    await ask('Cancelar');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(server.to('invitation-revoke')).toEqual([]);
    await ask('Retirar la invitación');
    await screen.findByText('Invitación retirada');
    expect(server.to('invitation-revoke').map(({ method }) => method)).toEqual(['POST']);
    await screen.findByText('Aún no hay invitaciones');
  });
});
