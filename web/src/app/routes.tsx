import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { session } from '@/shared/session';
import { ErrorPage } from './ErrorPage';
import { type GuardedPage, guard, guardLogin, homeOf } from './guards';
import { PagePending } from './PagePending';
import { paths } from './paths';
import { Shell } from './shell/Shell';

// The route table of SPEC §2 and DESIGN §10: one lazy line per page that exists.

const root = createRootRoute({
  component: Outlet,
  // Any unknown path is the log-in; with a session, the role's home.
  notFoundComponent: () => null,
});

const login = lazyRouteComponent(() => import('@/features/auth/pages/LoginPage'), 'LoginPage');
const empty = createRoute({ getParentRoute: () => root, path: '/', beforeLoad: () => guardLogin(), component: login });
const loginRoute = createRoute({
  getParentRoute: () => root,
  path: '/login',
  beforeLoad: () => guardLogin(),
  component: login,
});

const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: Shell });

const page = <P extends string>(path: P, name: GuardedPage, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => shell, path, beforeLoad: () => void guard(name), component });

const pages = [
  page(
    '/home',
    'home',
    lazyRouteComponent(() => import('@/features/home/pages/HomePage'), 'HomePage'),
  ),
  page(
    '/vp-form',
    'newVideocall',
    lazyRouteComponent(() => import('@/features/conferences/pages/NewVideocallPage'), 'NewVideocallPage'),
  ),
  page(
    '/conference/$conferenceId',
    'conference',
    lazyRouteComponent(() => import('@/features/calls/pages/ConferencePage'), 'ConferencePage'),
  ),
  page(
    '/conference-media/$conferenceId',
    'conferenceMedia',
    lazyRouteComponent(() => import('@/features/media/pages/ConferenceMediaPage'), 'ConferenceMediaPage'),
  ),
  page(
    '/message-service',
    'messageService',
    lazyRouteComponent(() => import('@/features/message-service/pages/OutboxPage'), 'OutboxPage'),
  ),
];

const unknown = createRoute({
  getParentRoute: () => root,
  path: '$',
  beforeLoad: () => {
    const current = session.current();
    throw redirect({ href: current ? homeOf(current.user.role) : paths.login(), replace: true });
  },
});

export const router = createRouter({
  routeTree: root.addChildren([empty, loginRoute, shell.addChildren(pages), unknown]),
  defaultPreload: 'intent',
  defaultPendingComponent: PagePending,
  // LOOK.md: a skeleton only after 200 ms.
  defaultPendingMs: 200,
  defaultErrorComponent: ErrorPage,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
