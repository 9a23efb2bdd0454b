import { screen, within } from '@testing-library/react';
import { beforeAll, expect, it } from 'vitest';
import { fakeServer, press, showPage } from '@/test/pages';
import { useTexts } from '@/test/texts';
import type { EvidenceRoot } from '../model';
import { RootsPage } from './RootsPage';

beforeAll(() => useTexts());

const root = (day: string, digit: string): EvidenceRoot => ({
  day,
  seals: 3,
  previous: '0'.repeat(64),
  root: digit.repeat(64),
  closedAt: `${day}T00:10:00.000Z`,
  key: 'ab'.repeat(32),
  signature: 'MEUC',
  timestamp: null,
});

// EVID-52
it('shows the root of each day, and earlier ones when asked', async () => {
  const stamped = {
    ...root('2026-11-26', 'a'),
    timestamp: { authority: 'Autoridad', serial: '1', at: '2026-11-27T00:11:00Z', qualified: false, token: 'MAA=' },
  };
  const server = fakeServer();
  server.answers['evidence-roots?before=2026-11-26'] = () =>
    Response.json({ roots: [root('2026-11-25', 'b')], next: null });
  server.answers['evidence-roots'] = () => Response.json({ roots: [stamped], next: '2026-11-26' });
  showPage(RootsPage, '/verificar/raices', '/verificar/raices');
  const [, row] = await screen.findAllByRole('row');
  for (const part of ['26 nov', 'Autoridad', 'a'.repeat(64)]) expect(row?.textContent).toContain(part);
  press('Mostrar anteriores');
  const table = screen.getByRole('table');
  await within(table).findByText((text) => text.includes('25 nov'));
  expect(screen.queryByRole('button', { name: 'Mostrar anteriores' })).toBeNull();
});
