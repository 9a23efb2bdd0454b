// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import type { MenuEntry } from '@/api/types';
import { pageOf } from '@/shared/routes/access';
import type { Session } from '@/shared/session';
import { nuria, tokenWith } from '@/test/tokens';
import { activePlace, byGroup, menuOf, tabbedSection } from './menu';
import { SECTIONS } from './sections';

const group = (name: string, submenu: [string, string][]): MenuEntry => ({
  name,
  url: submenu[0]?.[1] ?? '',
  page: '',
  submenu: submenu.map(([label, url]) => ({ name: label, url, page: '' })),
});
const page = (name: string, url: string): MenuEntry => ({ name, url, page: '' });

/** What the server sends to an administrator. */
const menu: MenuEntry[] = [
  group('shell.conferences', [
    ['shell.autos', '/conferences-autos/0'],
    ['shell.diversos', '/conferences-div/0'],
  ]),
  page('shell.incidences', '/incidences/admin'),
  group('shell.companies', [
    ['shell.customers', '/customers'],
    ['shell.repairers', '/repairers'],
    ['shell.workshops', '/car-reparations'],
    ['shell.fiscalRequests', '/fiscal-requests'],
  ]),
  page('shell.insuranceCompanies', '/insurance-companies'),
  page('shell.users', '/users/plat'),
  page('shell.invoices', '/invoices/0'),
  page('shell.consumption', '/consumption/0'),
  group('shell.billing', [
    ['shell.invoiceProcesses', '/invoice-processes'],
    ['shell.remittances', '/remittances'],
    ['shell.verifactu', '/verifactu'],
    ['shell.prices', '/prices'],
    ['shell.legals', '/legals'],
  ]),
  page('shell.statistics', '/statistics/0'),
  page('shell.shots', '/shots/0'),
  page('shell.privacy', '/privacy/0'),
  page('shell.reports', '/conference-reports'),
  page('shell.generalNotification', '/general-notification'),
  page('shell.broadcast', '/broadcast'),
  page('shell.messageService', '/message-service'),
  page('shell.audit', '/logs'),
];

const as = (role: number): Session => ({
  token: tokenWith({ role }),
  claims: { sub: 'admin', jti: 'j', role, parent: 'plat', exp: 0, sk: 'k' },
  user: { ...nuria, _id: 'admin', role, parent: 'plat' },
  menu,
});
const entries = menuOf(as(1), false);
const placeOf = (pathname: string, shown: Parameters<typeof activePlace>[2] = {}) => {
  const { url, group: inside } = activePlace(entries, pathname, shown);
  return [url, inside?.name ?? null];
};

describe('the administrator’s sections', () => {
  it('are some ten entries, each with an icon of its own, and lead to every page there is', () => {
    expect(entries.map(({ name }) => name)).toEqual(SECTIONS.map(({ name }) => name));
    expect(entries.length).toBeLessThanOrEqual(11);
    expect(new Set(entries.map(({ icon }) => icon)).size).toBe(entries.length);
    const sent = menu.flatMap(({ url, submenu }) => submenu?.map((child) => child.url) ?? [url]);
    const own = ['/api', '/customer/plat/perfil', '/password/admin', '/sms-client-conference/admin'];
    const led = entries.flatMap(({ url, children }) =>
      children.length > 0 ? children.map((child) => child.url) : [url],
    );
    expect([...led].sort()).toEqual([...sent, ...own].sort());
    expect(led.every((url) => pageOf(url) !== null)).toBe(true);
  });

  it('stand in three groups', () => {
    expect(byGroup(entries).map(([name, shown]) => [name, shown.length])).toEqual([
      ['work', 2],
      ['administration', 8],
      ['configuration', 1],
    ]);
  });

  it('are nobody else’s', () => {
    expect(menuOf({ ...as(2) }, false).some(({ tabs }) => tabs)).toBe(false);
  });

  it('keep a page that is in none of them, and a section of one page is that page', () => {
    const few = { ...as(1), menu: [page('shell.prices', '/prices'), page('shell.newVideocall', '/vp-form')] };
    const shown = menuOf(few, false).filter(({ group: of }) => of !== 'configuration');
    expect(shown.map(({ name, url, children }) => [name, url, children.length])).toEqual([
      ['shell.prices', '/prices', 0],
      ['shell.newVideocall', '/vp-form', 0],
    ]);
  });
});

describe('where one is', () => {
  it.each([
    ['/remittances', '/remittances', 'shell.billing'],
    ['/invoices/c9', '/invoices/0', 'shell.billing'],
    ['/conferences-div/c9', '/conferences-div/0', 'shell.conferences'],
    ['/users/plat', '/users/plat', null],
    ['/customer/plat/perfil', '/customer/plat/perfil', 'shell.configuration'],
    ['/logs', '/logs', null],
    // Another company's, without knowing its kind yet.
    ['/customer/c9/perfil', null, 'shell.companies'],
    ['/users/c9', null, 'shell.companies'],
    ['/expedient/EXP-1', null, 'shell.conferences'],
    ['/nowhere', null, null],
  ])('%s', (pathname, url, section) => {
    expect(placeOf(pathname)).toEqual([url, section]);
  });

  it('follows the step before, and the section that the page names', () => {
    const crumb = { label: 'Talleres', href: '/car-reparations' };
    expect(placeOf('/customer/c9/perfil', { crumb })).toEqual(['/car-reparations', 'shell.companies']);
    expect(placeOf('/user/c9/u9', { crumb: { label: '', href: '/users/c9' } })).toEqual([null, 'shell.companies']);
    expect(placeOf('/declaracion-responsable', { section: '/verifactu' })).toEqual(['/verifactu', 'shell.billing']);
  });

  it('shows tabs on the pages of a section, not on what was opened from them', () => {
    expect(tabbedSection(entries, '/invoices/c9')?.name).toBe('shell.billing');
    expect(tabbedSection(entries, '/customer/c9/perfil')).toBeNull();
    expect(tabbedSection(entries, '/expedient/EXP-1')).toBeNull();
    expect(tabbedSection(entries, '/logs')).toBeNull();
  });
});
