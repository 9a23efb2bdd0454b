import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { session } from '@/shared/session';
import { fakeServer, press, showPage } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { ReportsPage } from './ReportsPage';

beforeAll(() => useTexts());

const common = {
  _id: 'x1',
  at: '2026-11-19T10:39:00Z',
  company: 'Levante',
  expedientNumber: 'EXP-1',
  conferenceId: 'k1',
};
const page = (noun: string, row: object) => () => Response.json({ [noun]: [row], total: 1, nextCursor: null });
let server: ReturnType<typeof fakeServer>;

beforeEach(async () => {
  server = fakeServer();
  server.answers.getLogsByDateRange = page('logs', {
    ...common,
    user: 'Ana',
    channel: 'sms',
    to: '+34 ••• ••• 123',
    purpose: 'session',
    state: 'failed',
    error: null,
  });
  server.answers.getTracksByDateRange = page('tracks', { ...common, type: 'LINK_OPENED', actor: 'client', data: {} });
  server.answers.getMediasByDateRange = page('medias', {
    ...common,
    userName: 'Ana',
    type: 'VIDEO',
    origin: 'call',
    size: 2_000_000,
    hash: 'ab'.repeat(32),
    createdAt: common.at,
  });
  server.answers.customersWithConferences = () =>
    Response.json({
      customers: [{ _id: 'c9', company: 'Levante', conferences: 3, autos: 2, diversos: 1, lastAt: null }],
    });
  server.answers['customer-conferences/c9'] = () => Response.json({ conferences: [], total: 0, nextCursor: null });
  await session.save(tokenWith({ role: 1, exp: Math.floor(Date.now() / 1000) + 3600 }), { ...nuria, role: 1 }, []);
});

const open = (href = '/conference-reports') => showPage(ReportsPage, '/conference-reports', href);
const show = (tab: string) => fireEvent.click(screen.getByLabelText(tab));

it('asks for the chosen days in the body, and leads to the files of the case', async () => {
  open('/conference-reports?begin=2026-11-01&end=2026-11-05');
  await screen.findByText('Enlace de la videollamada');
  expect(screen.getByText('Fallido')).toBeTruthy();
  const [asked] = server.to('getLogsByDateRange');
  expect(asked).toMatchObject({ method: 'POST', body: { begin: '2026-11-01', end: '2026-11-05' } });
  expect(asked?.path).not.toContain('sort');
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(links).toContain('/conference-media/k1');
});

it('shows steps and files in words', async () => {
  open();
  await screen.findByText('EXP-1');
  show('Sucesos');
  await screen.findByText('Enlace abierto');
  expect(screen.getByText('Cliente')).toBeTruthy();
  show('Archivos');
  await screen.findByText('Vídeo');
  expect(screen.getByText('abababababab…')).toBeTruthy();
});

it('goes from a customer to its conferences and back', async () => {
  open('/conference-reports?tab=customers&customer=c9');
  await waitFor(() => expect(server.to('customer-conferences/c9')).toHaveLength(1));
  press('Todos los clientes');
  await screen.findByText('Levante');
  expect(server.to('customersWithConferences')).toHaveLength(1);
});
