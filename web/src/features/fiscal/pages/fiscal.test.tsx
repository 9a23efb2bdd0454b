import { notifications } from '@mantine/notifications';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { User } from '@/api/types';
import { session } from '@/shared/session';
import { fakeServer, problem, showPage } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import type { FiscalIdentity, FiscalRequest } from '../types';
import { FiscalIdentityPage } from './FiscalIdentityPage';
import { FiscalRequestPage } from './FiscalRequestPage';
import { FiscalRequestsPage } from './FiscalRequestsPage';

const soon = Math.floor(Date.now() / 1000) + 3600;
const admin: User = { ...nuria, _id: 'admin', role: 1, parent: 'plat' };
const as = (user: User) => session.save(tokenWith({ exp: soon, role: user.role, parent: user.parent }), user, []);

const request: FiscalRequest = {
  _id: 'r1',
  customerId: 'c1',
  company: 'Peritos, S.L.',
  status: 'open',
  since: '2026-11-20',
  changes: [{ field: 'postalCode', from: '46001', to: '51001' }],
  note: null,
  document: null,
  regime: 'general',
  regimeAfter: 'outside',
  anotherTaxpayer: false,
  askedBy: 'Nuria Ferrer',
  askedAt: '2026-11-20T10:00:00Z',
  decidedBy: null,
  decidedAt: null,
  reason: null,
};
const document = { name: 'datos-fiscales.pdf', kind: 'application/pdf', sizeBytes: 10, sha256: 'a'.repeat(64) };
const identity: FiscalIdentity = {
  customerId: 'c1',
  block: {
    cif: 'B64717838',
    company: 'Peritos, S.L.',
    address: 'Calle Mayor, 1',
    postalCode: '46001',
    city: 'Valencia',
    region: 'Valencia',
    country: 'ES',
  },
  regime: 'general',
  versions: [],
  openRequest: null,
  requests: [],
};

let server: ReturnType<typeof fakeServer>;
let stored: FiscalIdentity;
let asked: FiscalRequest;

beforeAll(() => useTexts());
beforeEach(async () => {
  notifications.clean();
  await as(nuria);
  stored = identity;
  asked = request;
  server = fakeServer();
  Object.assign(server.answers, {
    'fiscal-identity/c1': () => Response.json({ fiscalIdentity: stored }),
    'fiscal-requests/c1': () => Response.json({ fiscalRequest: asked }),
    'fiscal-requests': () => Response.json({ fiscalRequests: [asked], total: 1, nextCursor: null }),
    'fiscal-request/r1': () => Response.json({ fiscalRequest: asked }),
    'fiscal-request-decide/r1': (body: Record<string, unknown>) => {
      asked = { ...asked, status: body.approve ? 'approved' : 'refused' };
      return Response.json({ fiscalRequest: asked });
    },
    me: () => Response.json({ user: session.peek()?.user, menu: [] }),
  });
});
const page = () => showPage(FiscalIdentityPage, '/customer/$parent/fiscal', '/customer/c1/fiscal');
const posts = (path: string) => server.calls.filter((call) => call.method === 'POST' && call.path.includes(path));

describe('fiscal data of a company', () => {
  it('are asked for with a document', async () => {
    page();
    fireEvent.click(await screen.findByRole('button', { name: 'Pedir un cambio' }));
    fireEvent.change(screen.getByLabelText('NIF/CIF'), { target: { value: 'A58818501' } });
    await screen.findByText(/Con otro NIF, la orden de domiciliación/);
    fireEvent.click(screen.getByRole('button', { name: 'Enviar la solicitud' }));
    await screen.findByText('Adjunte el documento que acredita el cambio.');
    expect(posts('fiscal-requests')).toHaveLength(0);
    const file = new File(['%PDF-1'], 'nif.pdf', { type: 'application/pdf' });
    fireEvent.change(screen.getByTestId('fiscal-document'), { target: { files: [file] } });
    fireEvent.click(screen.getByRole('button', { name: 'Enviar la solicitud' }));
    await screen.findByText('Solicitud enviada');
    expect(posts('fiscal-requests/c1')).toHaveLength(1);
  });

  it('show the request that waits, and no second form', async () => {
    stored = { ...identity, openRequest: request };
    page();
    await screen.findByText(/Hasta entonces no se puede aprobar/);
    expect(screen.queryByRole('button', { name: 'Pedir un cambio' })).toBeNull();
    screen.getByText('51001');
    screen.getByRole('button', { name: 'Adjuntar documento' });
  });

  it('are changed at once by an administrator, who gives a reason', async () => {
    await as(admin);
    page();
    fireEvent.click(await screen.findByRole('button', { name: 'Cambiar los datos' }));
    fireEvent.change(screen.getByLabelText('Código postal'), { target: { value: '51001' } });
    fireEvent.click(screen.getByRole('button', { name: 'Aplicar el cambio' }));
    await waitFor(() => expect(screen.getByLabelText('Motivo').getAttribute('aria-invalid')).toBe('true'));
    fireEvent.change(screen.getByLabelText('Motivo'), { target: { value: 'Traslado' } });
    fireEvent.click(screen.getByRole('button', { name: 'Aplicar el cambio' }));
    await screen.findByText('Datos fiscales cambiados');
    const sent = server.calls.find(({ method }) => method === 'PUT')?.body.fiscalIdentity as Record<string, unknown>;
    expect([sent.postalCode, sent.regime, sent.reason]).toEqual(['51001', 'outside', 'Traslado']);
  });

  // ABROAD-1, ABROAD-3
  it('of a taxpayer in another member state have its country, VAT number and what VIES said', async () => {
    await as(admin);
    const block = { ...identity.block, country: 'PT', cif: 'PT501964843', postalCode: '1100-048', region: '' };
    const version = {
      number: 2,
      validFrom: '2026-11-20',
      block,
      regime: 'reverseCharge' as const,
      reason: 'Sede en Lisboa',
      viesAt: '2026-11-20T10:00:00Z',
      viesReference: 'WAPIAAAAZ1',
      askedBy: null,
      approvedBy: null,
      requestId: null,
      createdAt: '2026-11-20T10:00:00Z',
    };
    stored = { ...identity, block, regime: 'reverseCharge', versions: [version] };
    page();
    expect((await screen.findAllByText('NIF-IVA')).length).toBeGreaterThan(0);
    expect(screen.getAllByText('Portugal').length).toBeGreaterThan(0);
    screen.getByText(/Consulta de VIES WAPIAAAAZ1/);
    fireEvent.click(screen.getByRole('button', { name: 'Cambiar los datos' }));
    fireEvent.change(screen.getByLabelText('NIF-IVA'), { target: { value: 'PT 999 999 990' } });
    fireEvent.change(screen.getByLabelText('Motivo'), { target: { value: 'Fusión' } });
    server.answers['fiscal-identity/c1'] = () => problem(503, 'VIES_UNAVAILABLE');
    fireEvent.click(screen.getByRole('button', { name: 'Aplicar el cambio' }));
    await screen.findByText(/VIES no responde/);
    const sent = server.calls.find(({ method }) => method === 'PUT')?.body.fiscalIdentity as Record<string, unknown>;
    expect([sent.cif, sent.country, sent.regime]).toEqual(['PT 999 999 990', undefined, 'reverseCharge']);
  });
});

describe('a request', () => {
  it('is in the list of those that wait', async () => {
    await as(admin);
    showPage(FiscalRequestsPage, '/fiscal-requests', '/fiscal-requests');
    expect((await screen.findByRole('link', { name: 'Peritos, S.L.' })).getAttribute('href')).toBe(
      '/fiscal-requests/r1',
    );
    screen.getByText('Falta el documento');
  });

  it('is approved with its document only, and refused with a reason', async () => {
    await as(admin);
    showPage(FiscalRequestPage, '/fiscal-requests/$requestId', '/fiscal-requests/r1');
    const approve = await screen.findByRole('button', { name: 'Aprobar' });
    expect(approve.hasAttribute('disabled')).toBe(true);
    fireEvent.click(screen.getByRole('button', { name: 'Rechazar' }));
    fireEvent.click(screen.getByRole('button', { name: 'Rechazar' }));
    expect(posts('decide')).toHaveLength(0);
    fireEvent.change(screen.getByLabelText('Motivo del rechazo'), { target: { value: 'Ilegible' } });
    fireEvent.click(screen.getByRole('button', { name: 'Rechazar' }));
    await screen.findByText('Solicitud rechazada');
    expect(posts('decide')[0]?.body).toEqual({ approve: false, reason: 'Ilegible' });
  });

  it('says why it could not be approved', async () => {
    await as(admin);
    asked = { ...request, document };
    server.answers['fiscal-request-decide/r1'] = () => problem(409, 'COMPANY_EXISTS');
    showPage(FiscalRequestPage, '/fiscal-requests/$requestId', '/fiscal-requests/r1');
    fireEvent.click(await screen.findByRole('button', { name: 'Aprobar' }));
    await screen.findByText('No se ha podido hacer');
  });
});
