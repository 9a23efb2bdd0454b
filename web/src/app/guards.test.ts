import { isRedirect } from '@tanstack/react-router';
import { describe, expect, it } from 'vitest';
import type { Session } from '@/shared/session';
import { nuria, tokenWith } from '@/test/tokens';
import { type GuardedPage, guard, guardLogin, homeOf, pageRoles } from './guards';
import { paths } from './paths';

const as = (role: number): Session => ({
  token: tokenWith({ role }),
  claims: { sub: 'u1', jti: 'j', role, parent: 'c1', exp: 0, sk: 'k' },
  user: { ...nuria, role },
  menu: [],
});

/** Where a guard sends, or `null` when it lets pass. */
function sentTo(run: () => unknown): string | null {
  try {
    run();
    return null;
  } catch (thrown) {
    if (!isRedirect(thrown)) throw thrown;
    return String(thrown.options.href);
  }
}

const pages: Record<string, GuardedPage> = {
  [paths.home()]: 'home',
  [paths.newVideocall()]: 'newVideocall',
  [paths.messageService()]: 'messageService',
};

describe('addresses', () => {
  it('are these', () => {
    const built = Object.fromEntries(Object.entries(paths).map(([name, build]) => [name, build('a b/c')]));
    expect(built).toMatchInlineSnapshot(`
      {
        "conference": "/conference/a%20b%2Fc",
        "conferenceMedia": "/conference-media/a%20b%2Fc",
        "home": "/home",
        "login": "/login",
        "messageService": "/message-service",
        "newVideocall": "/vp-form",
        "root": "/",
      }
    `);
  });
});

describe('guards', () => {
  // SPEC §2 Login, with the pages that exist so far.
  it.each([
    [1, '/message-service'],
    [2, '/vp-form'],
    [3, '/vp-form'],
    [4, '/home'],
    [5, '/home'],
    [6, '/home'],
    [7, '/home'],
    [8, '/home'],
  ])('role %i starts on %s and may be there', (role, home) => {
    expect(homeOf(role)).toBe(home);
    expect(sentTo(() => guard(pages[home] as GuardedPage, as(role)))).toBeNull();
    expect(sentTo(() => guardLogin(as(role)))).toBe(home);
  });

  it('sends everybody without a session to the log-in', () => {
    for (const page of Object.keys(pageRoles) as GuardedPage[]) expect(sentTo(() => guard(page, null))).toBe('/login');
    expect(sentTo(() => guardLogin(null))).toBeNull();
  });

  it.each<[GuardedPage, number[]]>([
    ['newVideocall', [2, 3]],
    ['conference', [1, 2, 3]],
    ['conferenceMedia', [1, 2, 3]],
    ['messageService', [1]],
    ['home', [1, 2, 3, 4, 5, 6, 7, 8]],
  ])('%s is for %j only', (page, allowed) => {
    const passes = [1, 2, 3, 4, 5, 6, 7, 8].filter((role) => sentTo(() => guard(page, as(role))) === null);
    expect(passes).toEqual(allowed);
  });
});
