import { createRootRoute, createRoute, createRouter, lazyRouteComponent as lazy, Outlet } from '@tanstack/react-router';
import { pages } from '@/api/generated/access';
import { withDevices } from '@/shared/lib/device-policy';
import type { PageName } from '@/shared/routes/access';
import { paths } from '@/shared/routes/paths';
import { PagePending } from '@/shared/ui/PagePending';
import { ErrorPage } from './ErrorPage';
import { authenticate, guard, guardCallLink, guardLogin, unknownPath } from './guards';
import { Shell } from './shell/Shell';

// The route table: one lazy line per page. Addresses and guards come from the table that the
// server reads too (`api/generated/access.ts`).

const root = createRootRoute({
  component: Outlet,
  // Any unknown path is the log-in; with a session, the role's home.
  notFoundComponent: () => null,
});

const login = lazy(() => import('./pages/LoginPage'), 'LoginPage');
const beforeLogin = () => guardLogin();
const empty = createRoute({
  getParentRoute: () => root,
  path: paths.root(),
  beforeLoad: beforeLogin,
  component: login,
});
const loginRoute = createRoute({
  getParentRoute: () => root,
  path: paths.login(),
  beforeLoad: beforeLogin,
  component: login,
});

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: () => authenticate(),
  component: Shell,
});

/** `/users/{parent}` of the table as the router writes it, `/users/$parent`. */
type Pattern<P extends string> = P extends `${infer Head}{${infer Name}}${infer Rest}`
  ? `${Head}$${Name}${Pattern<Rest>}`
  : P;
const pattern = <N extends PageName>(name: N) =>
  pages[name].path.replace(/\{(\w+)\}/g, '$$$1') as Pattern<(typeof pages)[N]['path']>;

type Component = ReturnType<typeof lazy>;

/** Pages with camera and microphone; the server says so with the document (EDGE-12). */
const CALL_PAGES: ReadonlySet<PageName> = new Set(['newVideocall', 'conference']);

/** A page inside the shell, behind its guard. */
const page = <N extends PageName>(name: N, component: Component) =>
  createRoute({
    getParentRoute: () => shell,
    path: pattern(name),
    beforeLoad: async ({ params, location, preload }) => {
      guard(name, params);
      if (!preload && CALL_PAGES.has(name)) await withDevices(location.href);
    },
    component,
  });

/** A page that needs no session. */
const publicPage = <N extends PageName>(name: N, component: Component) =>
  createRoute({ getParentRoute: () => root, path: pattern(name), component });

const publicPages = [
  publicPage(
    'remember',
    lazy(() => import('@/features/recovery/pages/RememberPage'), 'RememberPage'),
  ),
  publicPage(
    'rememberForm',
    lazy(() => import('@/features/recovery/pages/RememberFormPage'), 'RememberFormPage'),
  ),
  publicPage(
    'userName',
    lazy(() => import('@/features/recovery/pages/UserNamePage'), 'UserNamePage'),
  ),
  publicPage(
    'userActivation',
    lazy(() => import('@/features/activation/pages/UserActivationPage'), 'UserActivationPage'),
  ),
  publicPage(
    'customerActivation',
    lazy(() => import('@/features/activation/pages/CustomerActivationPage'), 'CustomerActivationPage'),
  ),
  publicPage(
    'verifyStart',
    lazy(() => import('@/features/verify/pages/VerifyStartPage'), 'VerifyStartPage'),
  ),
  publicPage(
    'evidenceRoots',
    lazy(() => import('@/features/verify/pages/RootsPage'), 'RootsPage'),
  ),
  publicPage(
    'verify',
    lazy(() => import('@/features/verify/pages/VerifyPage'), 'VerifyPage'),
  ),
  publicPage(
    'cookies',
    lazy(() => import('@/features/cookies/pages/CookiesPage'), 'CookiesPage'),
  ),
  publicPage(
    'marketing',
    lazy(() => import('@/features/marketing/pages/MarketingPage'), 'MarketingPage'),
  ),
  publicPage(
    'adminEnable',
    lazy(() => import('@/features/activation/pages/AdminEnablePage'), 'AdminEnablePage'),
  ),
];

const shellPages = [
  page(
    'videocallRequest',
    lazy(() => import('@/features/video-call-requests/pages/RequestPage'), 'RequestPage'),
  ),
  page(
    'activeVideocallRequest',
    lazy(() => import('@/features/video-call-requests/pages/ActiveRequestsPage'), 'ActiveRequestsPage'),
  ),
  page(
    'invoices',
    lazy(() => import('@/features/invoices/pages/InvoicesPage'), 'InvoicesPage'),
  ),
  page(
    'consumption',
    lazy(() => import('@/features/consumption/pages/ConsumptionPage'), 'ConsumptionPage'),
  ),
  page(
    'invoiceProcesses',
    lazy(() => import('@/features/invoice-processes/pages/InvoiceProcessesPage'), 'InvoiceProcessesPage'),
  ),
  page(
    'remittances',
    lazy(() => import('@/features/remittances/pages/RemittancesPage'), 'RemittancesPage'),
  ),
  page(
    'verifactu',
    lazy(() => import('@/features/verifactu/pages/VerifactuPage'), 'VerifactuPage'),
  ),
  page(
    'declaration',
    lazy(() => import('@/features/verifactu/pages/DeclarationPage'), 'DeclarationPage'),
  ),
  page(
    'prices',
    lazy(() => import('@/features/prices/pages/PricesPage'), 'PricesPage'),
  ),
  page(
    'legals',
    lazy(() => import('@/features/legal/pages/LegalsPage'), 'LegalsPage'),
  ),
  page(
    'generalNotification',
    lazy(() => import('@/features/notifications/pages/GeneralNotificationPage'), 'GeneralNotificationPage'),
  ),
  page(
    'broadcast',
    lazy(() => import('@/features/campaigns/pages/BroadcastPage'), 'BroadcastPage'),
  ),
  page(
    'newVideocall',
    lazy(() => import('./pages/CallEntryPage'), 'CallEntryPage'),
  ),
  page(
    'conference',
    lazy(() => import('./pages/ConferencePage'), 'ConferencePage'),
  ),
  page(
    'conferenceMedia',
    lazy(() => import('@/features/media/pages/ConferenceMediaPage'), 'ConferenceMediaPage'),
  ),
  page(
    'conferencesAutos',
    lazy(() => import('@/features/conferences/pages/ConferencesPage'), 'AutosPage'),
  ),
  page(
    'conferencesDiversos',
    lazy(() => import('@/features/conferences/pages/ConferencesPage'), 'DiversosPage'),
  ),
  page(
    'agenda',
    lazy(() => import('@/features/agenda/pages/AgendaPage'), 'AgendaPage'),
  ),
  page(
    'expedient',
    lazy(() => import('@/features/expedients/pages/ExpedientPage'), 'ExpedientPage'),
  ),
  page(
    'incidences',
    lazy(() => import('@/features/incidences/pages/IncidencesPage'), 'IncidencesPage'),
  ),
  page(
    'statistics',
    lazy(() => import('@/features/statistics/pages/StatisticsPage'), 'StatisticsPage'),
  ),
  page(
    'shots',
    lazy(() => import('@/features/shots/pages/ShotsPage'), 'ShotsPage'),
  ),
  page(
    'privacy',
    lazy(() => import('@/features/privacy/pages/PrivacyPage'), 'PrivacyPage'),
  ),
  page(
    'reports',
    lazy(() => import('@/features/reports/pages/ReportsPage'), 'ReportsPage'),
  ),
  page(
    'users',
    lazy(() => import('./pages/UsersPage'), 'UsersPage'),
  ),
  page(
    'user',
    lazy(() => import('./pages/ProfilePage'), 'ProfilePage'),
  ),
  page(
    'api',
    lazy(() => import('@/features/api-keys/pages/ApiPage'), 'ApiPage'),
  ),
  page(
    'logs',
    lazy(() => import('@/features/audit/pages/AuditPage'), 'AuditPage'),
  ),
  page(
    'customers',
    lazy(() => import('./pages/CompaniesPages'), 'CustomersPage'),
  ),
  page(
    'repairers',
    lazy(() => import('./pages/CompaniesPages'), 'RepairersPage'),
  ),
  page(
    'carReparations',
    lazy(() => import('./pages/CompaniesPages'), 'WorkshopsPage'),
  ),
  page(
    'insuranceCompanies',
    lazy(() => import('@/features/insurers/pages/InsurersPage'), 'InsurersPage'),
  ),
  page(
    'companyProfile',
    lazy(() => import('./pages/CompanyProfilePage'), 'CompanyProfilePage'),
  ),
  page(
    'fiscalIdentity',
    lazy(() => import('@/features/fiscal/pages/FiscalIdentityPage'), 'FiscalIdentityPage'),
  ),
  page(
    'fiscalRequests',
    lazy(() => import('@/features/fiscal/pages/FiscalRequestsPage'), 'FiscalRequestsPage'),
  ),
  page(
    'fiscalRequest',
    lazy(() => import('@/features/fiscal/pages/FiscalRequestPage'), 'FiscalRequestPage'),
  ),
  page(
    'password',
    lazy(() => import('./pages/PasswordPage'), 'PasswordPage'),
  ),
  page(
    'messageService',
    lazy(() => import('./pages/MessageServicePage'), 'MessageServicePage'),
  ),
  page(
    'setup',
    lazy(() => import('@/features/setup/pages/SetupPage'), 'SetupPage'),
  ),
  page(
    'smsConference',
    lazy(() => import('@/features/sms-texts/pages/SmsConferencePage'), 'SmsConferencePage'),
  ),
];

// No page of the table: it only leads on, or says why not.
const callLink = createRoute({
  getParentRoute: () => shell,
  path: paths.callLink(),
  beforeLoad: () => guardCallLink(),
  component: lazy(() => import('@/features/home/pages/CallLinkPage'), 'CallLinkPage'),
});

/** `/alive` and `/ext-api/` are one empty page, for whoever only asks whether somebody answers. */
const placeholders = ['/alive', '/ext-api'].map((path) =>
  createRoute({ getParentRoute: () => root, path, component: () => null }),
);

const unknown = createRoute({ getParentRoute: () => root, path: '$', beforeLoad: unknownPath });

export const router = createRouter({
  routeTree: root.addChildren([
    empty,
    loginRoute,
    ...publicPages,
    ...placeholders,
    shell.addChildren([...shellPages, callLink]),
    unknown,
  ]),
  defaultPreload: 'intent',
  defaultPendingComponent: PagePending,
  // A skeleton only after 200 ms.
  defaultPendingMs: 200,
  defaultErrorComponent: ErrorPage,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
