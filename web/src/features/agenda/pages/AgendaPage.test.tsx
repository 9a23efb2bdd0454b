import { screen, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { session } from '@/shared/session';
import { fakeServer, problem, showPage } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { AgendaPage } from './AgendaPage';

beforeAll(() => useTexts());

const entry = (conferenceId: string, at: string, changes = {}) => ({
  conferenceId,
  at,
  state: 'agreed',
  proposedBy: 'staff',
  expedientNumber: `EXP-${conferenceId}`,
  type: 1,
  contactPerson: 'Carmen Ortega',
  phoneNumber: '+34612034578',
  carId: null,
  userName: 'Nuria Ferrer',
  customerName: 'Levante',
  ...changes,
});
let server: ReturnType<typeof fakeServer>;

const open = async (role: number, parent: string) => {
  await session.save(
    tokenWith({ role, parent, exp: Math.floor(Date.now() / 1000) + 3600 }),
    { ...nuria, role, parent },
    [],
  );
  showPage(AgendaPage, '/agenda/$parent', `/agenda/${parent}`);
};

beforeEach(() => {
  server = fakeServer();
});

// VISIT-8
it('lists what is to come by days of Madrid, with who has to answer', async () => {
  server.answers['appointments/c1'] = () =>
    Response.json({
      appointments: [
        entry('1', '2026-11-20T22:30:00Z', { state: 'proposed', proposedBy: 'client' }),
        entry('2', '2026-11-20T23:30:00Z', { state: 'proposed' }),
        entry('3', '2026-11-21T09:00:00Z'),
      ],
    });
  await open(3, 'c1');
  const first = await screen.findByRole('region', { name: '20 de noviembre de 2026' });
  expect(first.textContent).toContain('23:30');
  within(first).getByText('La propone el cliente');
  const second = screen.getByRole('region', { name: '21 de noviembre de 2026' });
  expect(within(second).getAllByRole('listitem')).toHaveLength(2);
  within(second).getByText('Falta que acepte el cliente');
  within(second).getByText('Acordada');
  expect(within(second).getAllByRole('link')[0]?.getAttribute('href')).toBe('/conference/2');
});

it('says that there is nothing, and what failed', async () => {
  server.answers['appointments/c1'] = () => Response.json({ appointments: [] });
  await open(3, 'c1');
  await screen.findByText('No hay ninguna cita en los próximos 31 días');
  server.answers['appointments/c2'] = () => problem(500, 'INTERNAL');
  await open(3, 'c2');
  await screen.findByText('No se han podido cargar las citas');
});
