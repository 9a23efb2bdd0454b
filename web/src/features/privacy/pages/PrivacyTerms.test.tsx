import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { session } from '@/shared/session';
import { fakeServer, press, problem, showPage } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { PrivacyPage } from './PrivacyPage';

beforeAll(() => useTexts());

let server: ReturnType<typeof fakeServer>;
const breach = {
  _id: 'b1',
  at: '2026-11-20T09:00:00Z',
  by: 'Nuria Ferrer',
  follows: null,
  title: 'Portátil perdido',
  nature: 'Dos expedientes',
  effects: '',
  measures: '',
  people: 2,
  happenedAt: null,
  knownAt: '2026-11-20T08:00:00Z',
  dueAt: '2026-11-23T08:00:00Z',
  authorityAt: null,
  peopleAt: null,
};

const open = async (role: number, href: string) => {
  await session.save(tokenWith({ role, exp: Math.floor(Date.now() / 1000) + 3600 }), { ...nuria, role }, []);
  showPage(PrivacyPage, '/privacy/$parent', href);
};

beforeEach(() => {
  server = fakeServer();
  server.answers['customer/'] = () => Response.json({ customer: { retentionDays: null } });
  server.answers['data-terms-preview'] = () =>
    Response.json({ at: '2026-11-20T09:00:00Z', classes: [{ dataClass: 'chat', toBlock: 3, toDelete: 1 }] });
  server.answers['data-terms'] = () =>
    Response.json({
      terms: [
        { dataClass: 'chat', days: 90 },
        { dataClass: 'events', days: 1826 },
      ],
      blockedDays: 1096,
      processors: [{ service: 'email', name: 'smtp.example.es' }],
    });
  server.answers['security-breaches'] = () => Response.json({ breaches: [breach], total: 1, nextCursor: null });
});

// RETAIN-25, RETAIN-29
it('tells a company the terms and the processors, and nothing to try', async () => {
  await open(2, '/privacy/c1?tab=retention');
  await screen.findByText('90 días');
  expect(screen.getByText('smtp.example.es')).toBeTruthy();
  expect(screen.getByText('Después quedan bloqueados 1096 días, solo para las autoridades, y se borran.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Simular' })).toBeNull();
  expect(screen.queryByText('Documentos')).toBeNull();
});

// RETAIN-27
it('shows an administrator what the terms would do', async () => {
  await open(1, '/privacy/0?tab=retention');
  fireEvent.click(await screen.findByRole('button', { name: 'Simular' }));
  await screen.findByText('Se bloquearían 3 conferencias');
  expect(server.to('data-terms-preview')).toHaveLength(1);
});

// RETAIN-30
it('writes down a breach only with what is needed', async () => {
  await open(1, '/privacy/0?tab=papers');
  await screen.findByText('Portátil perdido');
  press('Anotar una brecha');
  const dialog = within(await screen.findByRole('dialog', { name: 'Anotar una brecha' }));
  const save = () => fireEvent.click(dialog.getByRole('button', { name: 'Anotar' }));
  const fill = (label: string, value: string) => fireEvent.change(dialog.getByLabelText(label), { target: { value } });
  const sent = () => server.to('security-breaches').filter(({ method }) => method === 'POST');
  save();
  expect(await dialog.findAllByText('Falta este dato')).toHaveLength(3);
  expect(sent()).toEqual([]);
  fill('Título', 'Correo equivocado');
  fill('Qué ocurrió y a qué datos afecta', 'Un expediente a otra persona');
  fill('Se conoció', '2026-11-20T09:30');
  save();
  await screen.findByText('Brecha anotada');
  expect(sent()[0]?.body.breach).toMatchObject({
    title: 'Correo equivocado',
    knownAt: new Date('2026-11-20T09:30').toISOString(),
    happenedAt: null,
    people: null,
    follows: null,
  });
});

// RETAIN-31
it('says when a paper could not be made', async () => {
  server.answers['privacy-paper/impact'] = () => problem(503, 'DATABASE_UNAVAILABLE');
  await open(1, '/privacy/0?tab=papers');
  fireEvent.click(await screen.findByRole('button', { name: 'Evaluación de impacto' }));
  await screen.findByText('No se ha podido preparar el documento');
  await waitFor(() => expect(server.to('privacy-paper/impact')).toHaveLength(1));
});
