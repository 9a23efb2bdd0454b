import { screen } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { session } from '@/shared/session';
import { fakeServer, showPage } from '@/test/pages';
import { seriousFindings } from '@/test/render';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { AuditPage } from './AuditPage';

const entry = (_id: string, action: string, detail: object, user: object | null = null) => ({
  _id,
  at: '2026-11-22T09:00:00Z',
  action,
  actor: { _id: 'u1', name: 'Nuria Ferrer' },
  actorRole: 1,
  company: { _id: 'c7', company: 'Peritos del Sur' },
  user,
  address: '10.0.0.7',
  detail,
});
const logs = [
  entry('l1', 'USER_DEACTIVATED', { from: 2, to: 1 }, { _id: 'u9', name: 'Ana Ruiz', userName: 'ana@example.es' }),
  entry('l2', 'CAMPAIGN_CREATED', { campaignId: '018f3b2a-0000-7000-8000-00000000dead', recipients: 3 }),
  { ...entry('l4', 'DATA_READ', { kind: 'incidence' }), company: { _id: 'c0', company: '' } },
  entry('l3', 'USER_CREATED', { type: 3 }, { _id: 'u8', name: '', userName: '' }),
];

const head = 'ab'.repeat(32);
const whole = { state: 'whole', entries: 1200, head, checkedAt: '2026-11-22T09:00:00Z', broken: null };
let chain: object = whole;

beforeAll(() => useTexts());
beforeEach(async () => {
  chain = whole;
  const server = fakeServer();
  server.answers['audit-chain'] = () => Response.json(chain);
  server.answers.audit = () => Response.json({ logs, total: logs.length, nextCursor: null });
  const exp = Math.floor(Date.now() / 1000) + 3600;
  await session.save(tokenWith({ role: 1, exp }), { ...nuria, role: 1 }, []);
});

it('tells what happened in sentences with links, without keys and ids', async () => {
  showPage(AuditPage, '/logs', '/logs');
  const person = await screen.findByRole('link', { name: 'Ana Ruiz' });
  expect(person.getAttribute('href')).toBe('/user/c7/u9');
  expect(person.parentElement?.textContent).toBe('Se ha desactivado a Ana Ruiz');
  const list = screen.getByText('varias empresas');
  expect(list.parentElement?.textContent).toBe('Un administrador ha consultado incidencias de varias empresas');
  screen.getByText('Activo → Inactivo');
  expect(screen.getAllByRole('link', { name: 'Peritos del Sur' })[0]?.getAttribute('href')).toBe('/customer/c7/perfil');
  expect(screen.getByRole('link', { name: 'Envíos comerciales' }).getAttribute('href')).toBe('/broadcast');
  screen.getByText('Destinatarios: 3');
  screen.getByText('una cuenta que ya no existe');
  expect(document.body.textContent).not.toMatch(/018f3b2a|CAMPAIGN_|campaignId/);
  expect(await seriousFindings()).toEqual([]);
});

// AUDIT-9
it('says quietly that the log is whole, and loudly where it is not', async () => {
  showPage(AuditPage, '/logs', '/logs');
  await screen.findByText('El registro está íntegro: 1200 entradas comprobadas a las 10:00.');
  expect(screen.queryByRole('alert')).toBeNull();
});

// AUDIT-9
it('names the entry that somebody changed', async () => {
  chain = { ...whole, state: 'broken', broken: { seq: 17, _id: 'l1', reason: 'changed' } };
  showPage(AuditPage, '/logs', '/logs');
  expect((await screen.findByRole('alert')).textContent).toContain('la entrada 17 fue cambiada');
});
