import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../../..');

/** Names of the menu, the title of the page that each leads to, and the source that shows it. */
const NAMES: [name: string, title: string, source: string][] = [
  ['newVideocall', 'videocall.formTitle', 'conferences/pages/NewVideocallPage.tsx'],
  ['passwordUsers', 'users.passwordTitle', 'password-operator/pages/PasswordOperatorPage.tsx'],
  ['videocallRequest', 'videocallrequests.title', 'video-call-requests/pages/RequestPage.tsx'],
  ['agenda', 'agenda.title', 'agenda/pages/AgendaPage.tsx'],
  ['incidences', 'incidences.title', 'incidences/pages/IncidencesPage.tsx'],
  ['insuranceCompanies', 'shell.insuranceCompanies', 'insurers/pages/InsurersPage.tsx'],
  ['fiscalRequests', 'fiscal.requestsTitle', 'fiscal/pages/FiscalRequestsPage.tsx'],
  ['users', 'users.title', 'users/pages/UsersPage.tsx'],
  ['invoices', 'invoices.title', 'invoices/pages/InvoicesPage.tsx'],
  ['consumption', 'consumption.title', 'consumption/pages/ConsumptionPage.tsx'],
  ['invoiceProcesses', 'invoiceprocesses.title', 'invoice-processes/pages/InvoiceProcessesPage.tsx'],
  ['remittances', 'sepa.title', 'remittances/pages/RemittancesPage.tsx'],
  ['verifactu', 'verifactu.title', 'verifactu/pages/VerifactuPage.tsx'],
  ['prices', 'prices.title', 'prices/pages/PricesPage.tsx'],
  ['legals', 'legal.title', 'legal/pages/LegalsPage.tsx'],
  ['statistics', 'statistics.title', 'statistics/pages/StatisticsPage.tsx'],
  ['reports', 'reports.title', 'reports/pages/ReportsPage.tsx'],
  ['shots', 'shots.title', 'shots/pages/ShotsPage.tsx'],
  ['privacy', 'privacy.title', 'privacy/pages/PrivacyPage.tsx'],
  ['generalNotification', 'notifications.generalTitle', 'notifications/pages/GeneralNotificationPage.tsx'],
  ['broadcast', 'marketing.broadcastTitle', 'campaigns/pages/BroadcastPage.tsx'],
  ['messageService', 'outbox.title', 'message-service/pages/MessageServicePage.tsx'],
  ['audit', 'audit.title', 'audit/pages/AuditPage.tsx'],
  ['api', 'apikeys.title', 'api-keys/pages/ApiPage.tsx'],
  ['companyData', 'companies.profile', 'companies/pages/CompanyPage.tsx'],
  ['profile', 'users.myProfile', 'users/pages/ProfilePage.tsx'],
  ['changePassword', 'security.title', 'security/pages/SecurityPage.tsx'],
  ['smsConference', 'smstexts.title', 'sms-texts/pages/SmsConferencePage.tsx'],
];

/** Not one page's title: lists of companies (their titles are these keys), halves of "Conferencias", a shortened one. */
const OTHERS = ['customers', 'repairers', 'workshops', 'companies', 'conferences', 'autos', 'diversos', 'billing'];
/** No room for the whole beside its number. */
const SHORTENED = ['activeVideocallRequest'];

/** Texts that tell the way by the name of a page. */
const CITED: [citing: string, cited: string][] = [
  ['news.noticeFooter', 'shell.changePassword'],
  ['news.noticeFooter', 'push.title'],
  ['messageservice.templatesNote', 'shell.smsConference'],
  ['messages.passkeyAdded.body', 'shell.changePassword'],
];

const read = (path: string) => readFileSync(resolve(root, path), 'utf8');
const languages = readdirSync(resolve(root, 'locales')).filter((language) =>
  readdirSync(resolve(root, 'locales', language)).includes('shell.json'),
);

describe('names of the menu', () => {
  it.each(languages)('are the titles of their pages: %s', (language) => {
    const text = (key: string) => {
      const [namespace = '', name = ''] = key.split('.');
      return JSON.parse(read(`locales/${language}/${namespace}.json`))[name];
    };
    const differ = NAMES.filter(([name, title]) => text(`shell.${name}`) !== text(title));
    expect(differ.map(([name, title]) => [text(`shell.${name}`), text(title)])).toEqual([]);
  });

  it.each(languages)('are cited as they are: %s', (language) => {
    const text = (key: string) => {
      const [namespace = '', ...name] = key.split('.');
      return JSON.parse(read(`locales/${language}/${namespace}.json`))[name.join('.')];
    };
    for (const [citing, cited] of CITED) expect(text(citing), citing).toContain(text(cited));
    // What a text quotes before "›" is a way through the menu.
    const titles = NAMES.map(([, title]) => text(title));
    for (const file of readdirSync(resolve(root, 'locales', language)).filter((name) => name.endsWith('.json')))
      for (const [, name] of read(`locales/${language}/${file}`).matchAll(/[«“]\s?([^«»“”]+?)\s?[»”] ›/g))
        expect(titles, file).toContain(name);
  });

  it('are all looked at, and the pages show those titles', () => {
    for (const [, title, source] of NAMES)
      expect(read(`web/src/features/${source}`), source).toContain(`t('${title}')`);
    const sent = [...read('crates/identity/src/menu/mod.rs').matchAll(/"shell\.(\w+)"/g)].map(([, name = '']) => name);
    const known = new Set([...NAMES.map(([name]) => name), ...OTHERS, ...SHORTENED, 'configuration']);
    expect([...new Set(sent)].filter((name) => !known.has(name))).toEqual([]);
  });
});
