import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { session } from '@/shared/session';
import { fakeServer, problem, showPage } from '@/test/pages';
import { seriousFindings } from '@/test/render';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { Senders } from './Senders';

const waiting = {
  companyId: 'c1',
  company: 'Peritos Levante',
  sms: 'Muñoz',
  status: 'requested',
  since: '2026-11-18T10:00:00Z',
  holderNif: 'B85626240',
  evidenceAt: null,
  provider: null,
};
let server: ReturnType<typeof fakeServer>;

beforeAll(() => useTexts());
beforeEach(async () => {
  server = fakeServer();
  server.answers['sms-senders'] = () => Response.json({ senders: [waiting], total: 1, size: 50 });
  const exp = Math.floor(Date.now() / 1000) + 3600;
  await session.save(tokenWith({ role: 1, exp }), { ...nuria, role: 1 }, []);
});

it('lists what waits, and notes what the Registry answered', async () => {
  server.answers['sms-sender-status/c1'] = () => Response.json({ ...waiting, status: 'registered', max: 11 });
  showPage(Senders, '/message-service', '/message-service');
  await screen.findByText('Muñoz · Peritos Levante');
  expect(screen.getAllByText('Solicitado').length).toBeGreaterThan(0);
  screen.getByText(/Desde el 18 nov 2026.*NIF B85626240/);
  expect(await seriousFindings()).toEqual([]);
  fireEvent.click(screen.getByRole('button', { name: 'Anotar la respuesta sobre Muñoz' }));
  const drawer = within(await screen.findByRole('dialog', { name: 'Peritos Levante' }));
  fireEvent.click(await drawer.findByRole('button', { name: 'Guardar la inscripción' }));
  await waitFor(() => expect(server.to('sms-sender-status/c1').length).toBe(1));
  await waitFor(() => expect(server.to('sms-senders').length).toBeGreaterThan(1));
});

it('says when the list cannot be read', async () => {
  server.answers['sms-senders'] = () => problem(503, 'DATABASE_UNAVAILABLE');
  showPage(Senders, '/message-service', '/message-service');
  await screen.findByText('Error al cargar los remitentes');
});
