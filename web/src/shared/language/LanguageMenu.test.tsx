import { notifications } from '@mantine/notifications';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { i18n } from '@/shared/i18n';
import { Providers, queryClient } from '@/test/providers';
import { bundle, useTexts } from '@/test/texts';
import { LanguageMenu } from './LanguageMenu';

vi.mock('@/api/operation', () => ({
  operation: vi.fn(async () =>
    ['es', 'en', 'fr'].map((code) => ({
      code,
      name: { es: 'Español', en: 'English', fr: 'Français' }[code],
      flagUrl: `/flags/${code}.svg`,
    })),
  ),
}));

const fetched = vi.fn<typeof fetch>();
/** What was written to `document.cookie`, with its attributes. */
let written: string[];

beforeAll(() => useTexts());
beforeEach(async () => {
  queryClient.clear();
  window.fetch = fetched.mockReset();
  written = [];
  vi.spyOn(document, 'cookie', 'set').mockImplementation((line) => void written.push(line));
  document.documentElement.lang = 'es';
  await act(() => i18n.changeLanguage('es'));
});
afterEach(() => {
  vi.restoreAllMocks();
  act(() => notifications.clean());
});

async function open() {
  render(
    <Providers env="test">
      <LanguageMenu />
    </Providers>,
  );
  fireEvent.click(await screen.findByRole('button', { name: /Idioma: Español/ }));
  return screen.findAllByRole('menuitem');
}
const names = (items: HTMLElement[]) => items.map((item) => item.textContent);

describe('the language dropdown', () => {
  it('opens with the chosen language on top, closes, and remembers a new choice for a year', async () => {
    const items = await open();
    expect(names(items)).toEqual(['Español', 'English', 'Français']);
    expect(items[0]?.getAttribute('aria-current')).toBe('true');
    fetched.mockResolvedValue(Response.json({ LANGUAGE_CODE: 'fr', NAMESPACE: bundle('fr') }));
    fireEvent.click(items[2] as HTMLElement);
    await waitFor(() => expect(document.documentElement.lang).toBe('fr'));
    expect(written.find((line) => line.startsWith('lang='))).toBe('lang=fr; path=/; max-age=31536000; samesite=lax');
    await waitFor(() => expect(screen.queryAllByRole('menuitem')).toEqual([]));
    fireEvent.click(await screen.findByRole('button', { name: /Français/ }));
    expect(names(await screen.findAllByRole('menuitem'))).toEqual(['Français', 'Español', 'English']);
  });

  it.each([
    ['a refused call', () => Response.json({}, { status: 500 }), 'Error', 'Error al cambiar el idioma'],
    ['an answer without texts', () => Response.json({}), 'Error: No se ha podido cargar el idioma', null],
  ])('keeps the language and says so after %s', async (_what, answer, title, text) => {
    const items = await open();
    fetched.mockImplementation(async () => answer());
    fireEvent.click(items[1] as HTMLElement);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain(title);
    if (text) expect(alert.textContent).toContain(text);
    expect([document.documentElement.lang, written.length]).toEqual(['es', 0]);
  });
});
