import { Box } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { getNonce } from 'get-nonce';
import { afterEach, expect, it, vi } from 'vitest';

/** As the server writes it into the page; a browser hides the attribute and keeps the property. */
function pageWith(nonce: string): void {
  const meta = document.createElement('meta');
  meta.setAttribute('property', 'csp-nonce');
  Object.defineProperty(meta, 'nonce', { value: nonce });
  document.head.replaceChildren(meta);
}

afterEach(() => {
  document.head.replaceChildren();
  vi.resetModules();
});

// EDGE-15
it('every style sheet that the components write carries the nonce of the page', async () => {
  pageWith('n1');
  const { giveStyleNonce } = await import('@/shared/lib/style-nonce');
  giveStyleNonce();
  expect(getNonce()).toBe('n1');
  const { Providers } = await import('./providers');
  render(
    <Providers env="test">
      <Box p={{ base: 'sm', md: 'lg' }}>dos</Box>
    </Providers>,
  );
  await screen.findByText('dos');
  const sheets = [...document.querySelectorAll('style')];
  expect(sheets.length).toBeGreaterThan(2);
  for (const sheet of sheets) expect(sheet.getAttribute('nonce'), sheet.textContent?.slice(0, 80)).toBe('n1');
});

// EDGE-15
it('a page that our server did not write has no nonce', async () => {
  const { styleNonce } = await import('@/shared/lib/style-nonce');
  expect(styleNonce()).toBeUndefined();
  pageWith('__STYLE_NONCE__');
  expect(styleNonce()).toBeUndefined();
  pageWith('n2');
  expect(styleNonce()).toBe('n2');
});
