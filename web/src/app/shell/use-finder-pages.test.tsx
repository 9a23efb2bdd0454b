import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, expect, it } from 'vitest';
import { Finder } from '@/features/finder/Finder';
import { useRequiredSession } from '@/shared/session';
import { answerCalls, logIn, renderPage } from '@/test/render';
import { useTexts } from '@/test/texts';
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
