// @vitest-environment happy-dom
import { isRedirect } from '@tanstack/react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, networkError } from '@/api/errors';
import { caseFacts, cases, homes, pages } from '@/api/generated/access';
import { operation } from '@/api/operation';
import { admits, homeHref, ownHref, type PageName, pageOf } from '@/shared/routes/access';
import { paths } from '@/shared/routes/paths';
import { type Session, session } from '@/shared/session';
import { nuria, tokenWith } from '@/test/tokens';
import { authenticate, guard, guardCallLink, guardLogin } from './guards';
import { router } from './routes';

const roles = [1, 2, 3, 4, 5, 6, 7, 8];
const IN_AN_HOUR = () => Math.floor(Date.now() / 1000) + 3600;

const as = (role: number): Session => {
  const token = tokenWith({ role, exp: IN_AN_HOUR() });
  const claims = { sub: 'u1', jti: 'j', role, parent: 'c1', exp: IN_AN_HOUR(), sk: 'k' };
  return { token, claims, user: { ...nuria, role }, menu: [] };
};

/** Where a guard sends, or `null` when it lets pass. */
async function sentTo(run: () => unknown): Promise<string | null> {
  try {
    await run();
    return null;
  } catch (thrown) {
    if (!isRedirect(thrown)) throw thrown;
    return String(thrown.options.href);
  }
}

vi.mock('@/api/operation', () => ({ operation: vi.fn() }));
const verify = vi.mocked(operation);
const current = vi.spyOn(session, 'current');

beforeEach(() => {
  verify.mockReset().mockResolvedValue({ valid: true, kind: 'session' } as never);
  current.mockReset().mockReturnValue(null);
});

describe('the table of pages', () => {
  it('is answered as the server answers it', () => {
    const mine = cases.map((line) => caseFacts.map((facts) => (admits(line.guard, facts) ? 1 : 0)).join(''));
    expect(mine).toEqual(cases.map((line) => line.admitted));
    expect(cases.length).toBeGreaterThan(8);
  });

  it('has the addresses of `paths`', () => {
    const filled = (page: PageName) => pages[page].path.replace(/\{(\w+)\}/g, (_all, name: string) => `<${name}>`);
    const built: Partial<Record<PageName, string>> = {
      login: paths.login(),
      remember: paths.remember(),
      rememberForm: paths.rememberForm('<token>'),
      userName: paths.userName('<token>'),
      userActivation: paths.userActivation('<role>', '<customer>', '<token>'),
      customerActivation: paths.customerActivation('<token>'),
      adminEnable: paths.adminEnable('<type>', '<customer>', '<token>'),
      newVideocall: paths.newVideocall(),
      conference: paths.conference('<conferenceId>'),
      conferenceMedia: paths.conferenceMedia('<conferenceId>'),
      conferencesAutos: paths.conferencesAutos('<parent>'),
      conferencesDiversos: paths.conferencesDiversos('<parent>'),
      verify: paths.verify('<code>'),
      verifyStart: paths.verifyStart(),
      evidenceRoots: paths.evidenceRoots(),
      cookies: paths.cookies(),
      marketing: paths.marketing('<token>'),
      agenda: paths.agenda('<parent>'),
      expedient: paths.expedient('<expedientNumber>'),
      incidences: paths.incidences('<id>'),
      statistics: paths.statistics('<parent>'),
      shots: paths.shots('<parent>'),
      privacy: paths.privacy('<parent>'),
      videocallRequest: paths.videocallRequest(),
      activeVideocallRequest: paths.activeVideocallRequest('<parent>'),
      invoices: paths.invoices('<parent>'),
      consumption: paths.consumption('<parent>'),
      invoiceProcesses: paths.invoiceProcesses(),
      remittances: paths.remittances(),
      verifactu: paths.verifactu(),
      declaration: paths.declaration(),
      prices: paths.prices(),
      legals: paths.legals(),
      generalNotification: paths.generalNotification(),
      broadcast: paths.broadcast(),
      reports: paths.reports(),
      customers: paths.customers(),
      repairers: paths.repairers(),
      carReparations: paths.carReparations(),
      insuranceCompanies: paths.insuranceCompanies(),
      companyProfile: paths.companyProfile('<parent>'),
      fiscalIdentity: paths.fiscalIdentity('<parent>'),
      fiscalRequests: paths.fiscalRequests(),
      fiscalRequest: paths.fiscalRequest('<requestId>'),
      users: paths.users('<parent>'),
      user: paths.user('<parent>', '<id>'),
      password: paths.password('<id>'),
      api: paths.api(),
      smsConference: paths.smsConference('<id>'),
      logs: paths.logs(),
      messageService: paths.messageService(),
      setup: paths.setup(),
    };
    const all = Object.keys(pages) as PageName[];
    expect(Object.fromEntries(Object.entries(built).map(([page, href]) => [page, decodeURIComponent(href)]))).toEqual(
      Object.fromEntries(all.map((page) => [page, filled(page)])),
    );
    expect(paths.user('a b/c', 'd')).toBe('/user/a%20b%2Fc/d');
  });

  it('finds the page of an address', () => {
    expect(pageOf('/users/c1')).toBe('users');
    expect(pageOf('/user/c1/u1')).toBe('user');
    expect(pageOf('/users/c1/more')).toBeNull();
    expect(pageOf('/nowhere')).toBeNull();
  });
});

describe('homes', () => {
  it.each([
    [1, '/customers'],
    [2, '/users/c1'],
    [3, '/vp-form'],
    [4, '/users/c1'],
    [5, '/videocall-request'],
    [6, '/users/c1'],
    [7, '/videocall-request'],
    [8, '/vp-form'],
  ])('role %i starts on %s', async (role, home) => {
    expect(homeHref(as(role))).toBe(home);
    expect(await sentTo(() => guardLogin(as(role)))).toBe(home);
  });
});

/** What the router does with an address: the guards of every matched route, outermost first. */
async function land(href: string): Promise<{ end: string; hops: number; route: string }> {
  let at = href;
  for (let hops = 0; ; hops += 1) {
    if (hops > 5) throw new Error(`${href} loops at ${at}`);
    const [matchedRoutes, routeParams] = router.getMatchedRoutes(at);
    let next: string | null = null;
    for (const route of matchedRoutes) {
      const beforeLoad = route.options.beforeLoad as
        | ((context: { params: object; preload: boolean }) => unknown)
        | undefined;
      // As when a link is pointed at: no document is loaded for it.
      next = await sentTo(() => beforeLoad?.({ params: routeParams, preload: true }));
      if (next) break;
    }
    if (!next) return { end: at, hops, route: matchedRoutes.at(-1)?.id ?? '' };
    at = next;
  }
}

const fill = (page: PageName, parent: string, id: string) =>
  pages[page].path
    .replace('{parent}', parent)
    .replace('{id}', id)
    .replace(/\{\w+\}/g, 'x');

const everyAddress = [
  paths.root(),
  '/nowhere',
  '/prices',
  ...(Object.keys(pages) as PageName[]).flatMap((page) => [
    fill(page, 'c1', 'u1'),
    fill(page, 'c1', 'u2'),
    fill(page, 'c2', 'u1'),
    fill(page, 'c2', 'u2'),
  ]),
];

describe('every role on every address', () => {
  it.each(roles)('role %i ends on a page within two redirects', async (role) => {
    const me = as(role);
    current.mockReturnValue(me);
    for (const href of everyAddress) {
      const { end, hops, route } = await land(href);
      expect(hops, `${href} → ${end}`).toBeLessThanOrEqual(2);
      const page = pageOf(end);
      expect(page, `${href} ends on a page`).not.toBeNull();
      expect(route, `${href} ends on a route`).not.toBe('/$');
      // Turned away means home, let in means there.
      if (end !== href) expect(end).toBe(homeHref(me));
    }
  });

  it('sends nobody without a session anywhere but to the log-in and the pages that need none', async () => {
    const open = (Object.keys(pages) as PageName[]).filter((page) => pages[page].guard.kind === 'public');
    for (const href of everyAddress) {
      const { end, hops } = await land(href);
      expect(hops, href).toBeLessThanOrEqual(2);
      const page = pageOf(href);
      expect(end, href).toBe(page && open.includes(page) ? href : href === '/nowhere' || !page ? landing(href) : '/');
    }
    expect(open).toContain('remember');
  });

  it('lets each role see exactly what the table says', async () => {
    const seen = Object.fromEntries(
      (Object.keys(pages) as PageName[]).map((page) => [
        page,
        roles.filter((role) => {
          try {
            guard(page, { parent: 'c1', id: 'u1' }, as(role));
            return true;
          } catch {
            return false;
          }
        }),
      ]),
    );
    expect(seen).toMatchObject({
      customers: [1],
      users: [1, 2, 4, 6],
      companyProfile: [1, 2, 4, 6],
      user: roles,
      password: roles,
      api: [1, 2],
      newVideocall: [2, 3, 8],
      conference: [1, 2, 3],
    });
    expect(Object.keys(homes).map(Number)).toEqual(expect.arrayContaining(roles));
    expect(ownHref('user', nuria)).toBe('/user/c1/u1');
  });
});

describe('the link for other systems', () => {
  const keep = () =>
    sessionStorage.setItem(
      'callLink',
      JSON.stringify({ link: { expedient: 'E1', phone: '', contact: '', type: '' }, at: Date.now() }),
    );
  beforeEach(() => sessionStorage.clear());

  it('waits for the log-in, and leads on from there', async () => {
    keep();
    expect((await land(paths.callLink())).end).toBe('/');
    for (const role of roles) {
      expect(await sentTo(() => guardLogin(as(role))), `role ${role}`).toBe(paths.callLink());
    }
    sessionStorage.clear();
    expect(await sentTo(() => guardLogin(as(3)))).toBe('/vp-form');
  });

  it('leads to the form whoever may open calls, and no further anybody else', async () => {
    for (const role of roles) {
      keep();
      const calls = role === 2 || role === 3;
      expect(await sentTo(() => guardCallLink(as(role))), `role ${role}`).toBe(calls ? '/vp-form' : null);
      expect(sessionStorage.getItem('callLink'), 'kept no longer').toBeNull();
    }
    expect(await sentTo(() => guardCallLink(null))).toBe('/');
  });
});

const landing = (href: string) => (href === '/' ? '/' : '/login');

describe('the guard of the shell', () => {
  it('asks the server once per token', async () => {
    current.mockReturnValue({ ...as(2), token: tokenWith({ jti: 'once', exp: IN_AN_HOUR() }) });
    await authenticate();
    await authenticate();
    expect(verify).toHaveBeenCalledTimes(1);
    expect(verify.mock.calls[0]?.[1]).toBe('/api/v1/verify-token');
  });

  it.each([
    ['not valid', () => Promise.resolve({ valid: false })],
    ['another kind', () => Promise.resolve({ valid: true, kind: 'pending2fa' })],
    ['refused', () => Promise.reject(new ApiError({ code: 'SESSION_ENDED', status: 401, message: '' }))],
  ])('logs out when the token is %s', async (name, answer) => {
    current.mockReturnValue({ ...as(2), token: tokenWith({ jti: name, exp: IN_AN_HOUR() }) });
    verify.mockImplementation(answer as never);
    const end = vi.spyOn(session, 'end').mockImplementation(() => current.mockReturnValue(null) as never);
    expect(await sentTo(authenticate)).toBe('/');
    expect(end).toHaveBeenCalledWith('expired');
    end.mockRestore();
  });

  it('does not log out because the server cannot be reached, and asks again', async () => {
    current.mockReturnValue({ ...as(2), token: tokenWith({ jti: 'down', exp: IN_AN_HOUR() }) });
    verify.mockRejectedValueOnce(networkError());
    await expect(authenticate()).rejects.toBeInstanceOf(ApiError);
    await authenticate();
    expect(verify).toHaveBeenCalledTimes(2);
  });
});
