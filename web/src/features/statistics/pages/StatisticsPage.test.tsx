import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { session } from '@/shared/session';
import { fakeServer, press, problem, showPage } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { StatisticsPage } from './StatisticsPage';

beforeAll(() => useTexts());

const counts = (invited: number, usable: number) => ({
  invited,
  opened: invited - 1,
  accepted: invited - 1,
  connected: usable,
  usable,
});
const funnel = {
  weeks: [
    { week: '2026-11-09', ...counts(30, 20) },
    { week: '2026-11-16', ...counts(10, 3) },
  ],
  totals: counts(40, 23),
};
const share = { cases: 40, usable: 23 };
const usable = {
  weeks: [{ week: '2026-11-16', ...share }],
  companies: [{ companyId: 'c1', name: 'Levante', ...share }],
  causes: [
    { cause: 'call', cases: 20 },
    { cause: 'notOpened', cases: 17 },
    { cause: 'ladder', cases: 3 },
  ],
  totals: share,
  ladder: { otherChannel: { cases: 9, usable: 4 }, appointment: { cases: 2, usable: 1 } },
  routes: { stays: 20, relayed: 5, tcp: 2 },
};
let server: ReturnType<typeof fakeServer>;

const open = async (role: number, parent: string, href: string) => {
  await session.save(
    tokenWith({ role, parent, exp: Math.floor(Date.now() / 1000) + 3600 }),
    { ...nuria, role, parent },
    [],
  );
  showPage(StatisticsPage, '/statistics/$parent', href);
};
const asked = () => server.to('funnel').map(({ path }) => path.replace('/api/v1/', ''));

beforeEach(() => {
  server = fakeServer();
  server.answers['funnel/c1'] = () => Response.json(funnel);
  server.answers['funnel/0'] = () => Response.json(funnel);
  server.answers['usable/c1'] = () => Response.json(usable);
  server.answers['usable/0'] = () => Response.json(usable);
});

// REPORT-9, REPORT-10, REPORT-11
it('says how many cases are usable, why the others are not, and how media came', async () => {
  await open(2, 'c1', '/statistics/c1');
  const section = await screen.findByRole('region', { name: 'Casos utilizables' });
  expect(section.textContent).toContain('58 % 23 de 40');
  const causes = within(section)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);
  expect(causes).toEqual([
    expect.stringMatching(/^Utilizables por videollamada20 50 %/),
    expect.stringMatching(/^No abrió el enlace17 43 %/),
    expect.stringMatching(/^Utilizables sin videollamada3 8 %/),
  ]);
  expect(section.textContent).toContain('Conexiones por relé25 %');
  expect(section.textContent).toContain('Conexiones por TCP10 %');
  expect(section.textContent).toContain('Con cita1 de 2');
  expect(within(section).queryByText('Levante')).toBeNull();
});

it("compares companies for whoever sees everybody's", async () => {
  await open(1, 'platform', '/statistics/platform');
  const table = await screen.findByRole('region', { name: 'Por empresa' });
  within(table).getByRole('rowheader', { name: 'Levante' });
});

it('shows each step with its share of all, the loss after it, and the weeks newest first', async () => {
  await open(2, 'c1', '/statistics/c1');
  const usable = await screen.findByRole('button', { name: /^Con material útil/ });
  expect(usable.textContent).toContain('58 %');
  expect(usable.getAttribute('aria-pressed')).toBe('true');
  expect(screen.getByText('Siguió adelante el 59 % del paso anterior').dataset.worst).toBe('true');
  const weeks = screen.getAllByRole('rowheader').map((head) => head.textContent);
  expect(weeks).toEqual([expect.stringMatching(/^16.22 noven curso$/), expect.stringMatching(/^9.15 nov$/), 'Total']);
  press(/^Conectadas/);
  await screen.findByRole('heading', { name: 'Conectadas, por semana' });
  fireEvent.click(screen.getByLabelText('26 semanas'));
  await waitFor(() => expect(asked()).toEqual(['funnel/c1?weeks=12', 'funnel/c1?weeks=26']));
});

it("asks for everybody's at the platform's own address, and says when there is nothing", async () => {
  server.answers['funnel/0'] = () => Response.json({ weeks: [], totals: counts(0, 0) });
  await open(1, 'platform', '/statistics/platform');
  await screen.findByText('Aún no hay conferencias en este periodo');
  expect(asked()).toEqual(['funnel/0?weeks=12']);
});

it('offers another try', async () => {
  server.answers['funnel/c1'] = () => problem(403, 'ROLE_NOT_ALLOWED');
  await open(2, 'c1', '/statistics/c1');
  await screen.findByText('No se han podido cargar las estadísticas');
  server.answers['funnel/c1'] = () => Response.json(funnel);
  press('Reintentar');
  await screen.findByRole('button', { name: /^Invitadas/ });
});
