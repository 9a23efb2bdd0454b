// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import type { Session } from '@/shared/session';
import { nuria, tokenWith } from '@/test/tokens';
import { menuState, readMenuState } from './account-events';
import { byGroup, configurationOf, isActive, isGroupActive, shownMenu } from './menu';

const as = (role: number): Session => ({
  token: tokenWith({ role }),
  claims: { sub: 'u1', jti: 'j', role, parent: 'c1', exp: 0, sk: 'k' },
  user: { ...nuria, role },
  menu: [],
});

describe('menu', () => {
  it('shows only pages that exist, in their groups', () => {
    const shown = shownMenu(
      [
        { name: 'shell.messageService', url: '/message-service', icon: 'sms' },
        { name: 'shell.incidences', url: '/incidences' },
        { name: 'shell.newVideocall', url: '/vp-form' },
        { name: 'shell.users', url: '/users/c1' },
        {
          name: 'shell.marketing',
          url: '/marketing',
          submenu: [{ name: 'a', url: '/marketing' }],
        },
        { name: 'shell.api', url: '/api' },
      ],
      false,
    );
    expect(byGroup(shown).map(([group, entries]) => [group, entries.map((entry) => entry.url)])).toEqual([
      ['work', ['/vp-form']],
      ['company', ['/users/c1']],
      ['administration', ['/message-service']],
    ]);
  });

  it('keeps a submenu with the entries whose pages exist, and takes an icon only if there is one', () => {
    const submenu = [
      { name: 'shell.customers', url: '/customers', icon: 'bld' },
      { name: 'shell.elsewhere', url: '/elsewhere', icon: 'cookie' },
    ];
    const [group] = shownMenu([{ name: 'shell.companies', url: '/customers', icon: 'no-such', submenu }], false);
    expect(group?.icon).toBe('bld');
    expect(group?.children).toEqual([{ name: 'shell.customers', url: '/customers', icon: 'bld' }]);
  });

  it('marks the call form while in the room', () => {
    expect(isActive('/vp-form', '/conference/1')).toBe(true);
    expect(isActive('/vp-form', '/conference-media/1')).toBe(false);
    expect(isActive('/vp-form', '/message-service')).toBe(false);
    expect(isActive('/message-service', '/message-service')).toBe(true);
    expect(isActive('/users/c1', '/user/c1/u1')).toBe(false);
  });

  const lists = ['/conferences-autos/c1', '/conferences-div/c1'];

  it.each(['/conference-media/1', '/expedient/EXP-1'])('marks the list that %s belongs to', (page) => {
    const marked = (section?: string) => lists.filter((url) => isActive(url, page, section));
    expect(marked('/conferences-div/c1')).toEqual(['/conferences-div/c1']);
    expect(isGroupActive(lists, page, '/conferences-div/c1')).toBe(false);
    // Which one is not known yet: both together.
    expect(marked()).toEqual([]);
    expect(isGroupActive(lists, page)).toBe(true);
    expect(isGroupActive(['/customers', '/repairers'], page)).toBe(false);
  });

  it('marks the list of everybody while the administrator looks at one company', () => {
    expect(isActive('/conferences-autos/p1', '/conferences-autos/c9')).toBe(true);
    expect(isActive('/conferences-div/p1', '/conferences-autos/c9')).toBe(false);
    expect(isGroupActive(lists, '/conferences-autos/c9')).toBe(false);
    expect(isActive('/statistics/p1', '/statistics/c9')).toBe(true);
    expect(isActive('/invoices/0', '/invoices/c9')).toBe(true);
    expect(isActive('/consumption/0', '/invoices/c9')).toBe(false);
    // Another company's users are another place than one's own.
    expect(isActive('/users/p1', '/users/c9')).toBe(false);
  });
});

describe('configuration', () => {
  it.each([
    [1, ['api', 'customer', 'password', 'sms-client-conference'], ['user', 'password']],
    [2, ['api', 'customer', 'user', 'password', 'sms-client-conference'], ['api', 'customer', 'user', 'password']],
    [3, ['password'], ['user', 'password']],
    [4, ['user', 'password'], ['customer', 'user', 'password']],
    [5, ['password'], ['user', 'password']],
    [6, ['user', 'password'], ['customer', 'user', 'password']],
    [7, ['password'], ['user', 'password']],
    [8, ['password'], ['user', 'password']],
  ])('role %i', (role, sidebar, dropdown) => {
    const names = (where: 'sidebar' | 'dropdown') =>
      configurationOf(as(role), where).map((entry) => entry.url.split('/')[1]);
    expect(names('sidebar')).toEqual(sidebar);
    expect(names('dropdown')).toEqual(dropdown);
  });
});

describe('the unblock signal', () => {
  it('reads the three states and nothing else', () => {
    expect(['blocked', 'unblocked', 'mobile-unblocked'].map((state) => readMenuState({ state }))).toEqual([
      'blocked',
      'unblocked',
      'mobile-unblocked',
    ]);
    expect([{ state: 'open' }, 'x', {}, null, undefined].map(readMenuState)).toEqual([null, null, null, null, null]);
  });

  it('gives the facts the last word, but for what only the signal says', () => {
    const user = (blocked: boolean) => ({ ...nuria, company: { _id: 'c1', company: 'x', companyType: '2', blocked } });
    expect(menuState(null, user(true))).toBe('blocked');
    expect(menuState('blocked', user(false))).toBe('unblocked');
    expect(menuState('mobile-unblocked', user(true))).toBe('mobile-unblocked');
    expect(menuState('unblocked', nuria)).toBe('unblocked');
    const platform = { ...nuria, company: { _id: 'p', company: 'Atalaya', companyType: '1', blocked: true } };
    expect(menuState('blocked', platform)).toBe('unblocked');
  });
});
