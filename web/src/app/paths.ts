import { CALL_LINK_PATH } from '@/shared/lib/call-link';

const part = encodeURIComponent;

/** Every address of the staff app; nothing else writes one. Source: SPEC §2 Route table, DESIGN §10. */
export const paths = {
  root: () => '/',
  login: () => '/login',

  // Without a session.
  remember: () => '/remember',
  rememberForm: (token: string) => `/remember-form/${part(token)}`,
  userActivation: (role: string | number, customer: string, token: string) =>
    `/user-activation/${part(role)}/${part(customer)}/${part(token)}`,
  customerActivation: (token: string) => `/customer-activation/${part(token)}`,
  adminEnable: (type: string | number, customer: string, token: string) =>
    `/admin-enable/${part(type)}/${part(customer)}/${part(token)}`,

  verify: (code: string) => `/verificar/${part(code)}`,
  cookies: () => '/cookies',
  marketing: (token: string) => `/marketing/${part(token)}`,

  // Inside the shell.
  /** The repair side asks and waits. */
  videocallRequest: () => '/videocall-request',
  /** The customer's people answer. */
  activeVideocallRequest: (parent: string) => `/active-videocall-request/${part(parent)}`,
  invoices: (parent: string) => `/invoices/${part(parent)}`,
  consumption: (parent: string) => `/consumption/${part(parent)}`,
  invoiceProcesses: () => '/invoice-processes',
  remittances: () => '/remittances',
  verifactu: () => '/verifactu',
  declaration: () => '/declaracion-responsable',
  prices: () => '/prices',
  legals: () => '/legals',
  generalNotification: () => '/general-notification',
  /** Advertising to those who want it. */
  broadcast: () => '/broadcast',
  newVideocall: () => '/vp-form',
  /** Where other systems send people who shall open a call (`shared/lib/call-link`). */
  callLink: () => CALL_LINK_PATH,
  conference: (conferenceId: string) => `/conference/${part(conferenceId)}`,
  conferenceMedia: (conferenceId: string) => `/conference-media/${part(conferenceId)}`,
  conferencesAutos: (parent: string) => `/conferences-autos/${part(parent)}`,
  conferencesDiversos: (parent: string) => `/conferences-div/${part(parent)}`,
  expedient: (expedientNumber: string) => `/expedient/${part(expedientNumber)}`,
  /** A user's support tickets; `incidence` is the one that is shown. */
  incidences: (id: string) => `/incidences/${part(id)}`,
  statistics: (parent: string) => `/statistics/${part(parent)}`,
  shots: (parent: string) => `/shots/${part(parent)}`,
  privacy: (parent: string) => `/privacy/${part(parent)}`,
  reports: () => '/conference-reports',
  customers: () => '/customers',
  repairers: () => '/repairers',
  workshops: () => '/car-reparations',
  insuranceCompanies: () => '/insurance-companies',
  /** Company data: one's own, or another one for the administrator. */
  company: (parent: string) => `/customer/${part(parent)}/perfil`,
  users: (parent: string) => `/users/${part(parent)}`,
  user: (parent: string, id: string) => `/user/${part(parent)}/${part(id)}`,
  /** Password, second factor, passkeys, devices. */
  password: (id: string) => `/password/${part(id)}`,
  apiKeys: () => '/api',
  /** What a customer's SMS say, and in whose name; the id is a user's. */
  smsConference: (id: string) => `/sms-client-conference/${part(id)}`,
  auditLog: () => '/logs',
  messageService: () => '/message-service',
} as const;
