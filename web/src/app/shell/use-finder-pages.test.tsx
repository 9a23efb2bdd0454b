import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, expect, it } from 'vitest';
import { Finder } from '@/features/finder/Finder';
import { session, useRequiredSession } from '@/shared/session';
import { answerCalls, logIn, renderPage } from '@/test/render';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { useFinderPages } from './use-finder-pages';

function Found() {
  return <Finder pages={useFinderPages(useRequiredSession(), false)} />;
}

beforeAll(() => useTexts());

it('finds what may be done at once, and changes the theme', async () => {
  await logIn();
  answerCalls(() => ({ body: { conferences: [], total: 0 } }));
  await renderPage(<Found />);
  await userEvent.keyboard('{Control>}k{/Control}');
  expect(await screen.findByText('Abrir incidencia')).toBeTruthy();
  expect(screen.getByText('Cerrar sesión')).toBeTruthy();
  // For administrators alone.
  expect(screen.queryByText('Invitar a un cliente')).toBeNull();
  const before = document.documentElement.getAttribute('data-mantine-color-scheme');
  await userEvent.click(screen.getByText('Cambiar tema'));
  expect(document.documentElement.getAttribute('data-mantine-color-scheme')).not.toBe(before);
});

it('lets an administrator invite a customer, and find one by name', async () => {
  const exp = Math.floor(Date.now() / 1_000) + 3_600;
  await session.save(tokenWith({ role: 1, exp }), { ...nuria, role: 1 }, []);
  const levante = { _id: 'co7', company: 'Peritaciones Levante, S.L.', cif: 'B12345674' };
  answerCalls((_method, path) =>
    path.includes('/customers?')
      ? { body: { customers: path.includes('levan') ? [levante] : [], total: 1 } }
      : { body: { conferences: [], total: 0 } },
  );
  const { router } = await renderPage(<Found />);
  await userEvent.keyboard('{Control>}k{/Control}');
  const box = await screen.findByLabelText(/Expediente, matrícula/);
  await userEvent.type(box, 'invit');
  expect(screen.queryByText('Cerrar sesión')).toBeNull();
  await userEvent.click(screen.getByText('Invitar a un cliente'));
  await waitFor(() => expect(router.state.location.href).toBe('/customers?invite=true'));
  await userEvent.keyboard('{Control>}k{/Control}');
  await userEvent.type(await screen.findByLabelText(/Expediente, matrícula/), 'levan');
  await userEvent.click(await screen.findByText('Peritaciones Levante, S.L.'));
  await waitFor(() => expect(router.state.location.pathname).toBe('/customer/co7/perfil'));
});
