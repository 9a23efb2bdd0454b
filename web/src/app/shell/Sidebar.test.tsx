import { screen, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { MenuEntry } from '@/api/types';
import { session } from '@/shared/session';
import { fakeServer, showPage } from '@/test/pages';
import { useTexts } from '@/test/texts';
import { nuria, tokenWith } from '@/test/tokens';
import { SectionTabs } from './SectionTabs';
import { Sidebar } from './Sidebar';

const menu: MenuEntry[] = [
  { name: 'shell.incidences', url: '/incidences/admin', page: 'incidences' },
  {
    name: 'shell.billing',
    url: '/invoice-processes',
    page: 'invoiceProcesses',
    submenu: [
      { name: 'shell.invoiceProcesses', url: '/invoice-processes', page: 'invoiceProcesses' },
      { name: 'shell.remittances', url: '/remittances', page: 'remittances' },
    ],
  },
  { name: 'shell.invoices', url: '/invoices/0', page: 'invoices' },
];

beforeAll(() => useTexts());

const scrolled: Element[] = [];
beforeEach(async () => {
  scrolled.length = 0;
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    scrolled.push(this);
  });
  fakeServer();
  await as(1);
});
const as = (role: number) =>
  session.save(
    tokenWith({ role, parent: 'plat', exp: Date.parse('2099-01-01') / 1000 }),
    { ...nuria, _id: 'admin', role, parent: 'plat' },
    menu,
  );

const shown = (collapsed: boolean) => () => (
  <>
    <Sidebar collapsed={collapsed} blocked={false} />
    <SectionTabs blocked={false} />
  </>
);

it('leads to a section; its pages are tabs with addresses of their own', async () => {
  showPage(shown(false), '/remittances', '/remittances');
  const nav = within(await screen.findByRole('navigation', { name: 'Principal' }));
  const names = nav.getAllByRole('link').map((link) => link.textContent);
  expect(names).toEqual(['Incidencias', 'Facturación', 'Configuración']);
  const current = nav.getByRole('link', { current: 'page' });
  expect([current.textContent, current.getAttribute('href')]).toEqual(['Facturación', '/invoice-processes']);
  const tabs = within(screen.getByRole('navigation', { name: 'Páginas de Facturación' }));
  expect(tabs.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
    ['Procesos de facturación', '/invoice-processes'],
    ['Facturas', '/invoices/0'],
    ['Remesas SEPA', '/remittances'],
  ]);
  expect(tabs.getByRole('link', { current: 'page' }).textContent).toBe('Remesas SEPA');
});

it.each([false, true])('keeps the active entry in view, collapsed: %s', async (collapsed) => {
  showPage(shown(collapsed), '/remittances', '/remittances');
  const nav = within(await screen.findByRole('navigation', { name: 'Principal' }));
  const current = nav.getByRole('link', { name: 'Facturación' });
  expect(scrolled).toContain(current);
  expect(current.hasAttribute('data-active')).toBe(true);
});

it('opens a submenu for everybody else', async () => {
  await as(2);
  showPage(shown(false), '/remittances', '/remittances');
  const nav = within(await screen.findByRole('navigation', { name: 'Principal' }));
  expect(nav.getByRole('button', { name: 'Facturación' }).getAttribute('aria-expanded')).toBe('true');
  expect(nav.getByRole('link', { current: 'page' }).textContent).toBe('Remesas SEPA');
  expect(screen.queryByRole('navigation', { name: /^Páginas de/ })).toBeNull();
});
