import { type PageName, pageOf } from '@/shared/routes/access';
import type { IconName } from '@/shared/ui/Icon';
import type { MenuGroup, ShownEntry } from './menu';

interface Section {
  /** i18n key of the label. */
  name: string;
  icon: IconName;
  group: MenuGroup;
  /** Its tabs, in this order. */
  pages: PageName[];
}

/**
 * The administrator's pages in the order of the sidebar, each section with an icon that no other has. A page keeps its
 * address; the others of its section are tabs beside it.
 */
export const SECTIONS: Section[] = [
  {
    name: 'shell.conferences',
    icon: 'list',
    group: 'work',
    pages: ['conferencesAutos', 'conferencesDiversos', 'agenda'],
  },
  { name: 'shell.incidences', icon: 'chat', group: 'work', pages: ['incidences'] },
  {
    name: 'shell.companies',
    icon: 'bld',
    group: 'administration',
    pages: ['customers', 'repairers', 'carReparations', 'insuranceCompanies', 'fiscalRequests'],
  },
  { name: 'shell.users', icon: 'users', group: 'administration', pages: ['users'] },
  {
    name: 'shell.billing',
    icon: 'invoice',
    group: 'administration',
    pages: ['invoiceProcesses', 'invoices', 'remittances', 'verifactu', 'consumption'],
  },
  { name: 'shell.tariffs', icon: 'euro', group: 'administration', pages: ['prices', 'legals'] },
  { name: 'shell.figures', icon: 'chart', group: 'administration', pages: ['statistics', 'reports'] },
  { name: 'shell.callRules', icon: 'shots', group: 'administration', pages: ['shots', 'privacy'] },
  {
    name: 'shell.communications',
    icon: 'mail',
    group: 'administration',
    pages: ['messageService', 'generalNotification', 'broadcast'],
  },
  { name: 'shell.audit', icon: 'clock', group: 'administration', pages: ['logs'] },
  {
    name: 'shell.configuration',
    icon: 'gear',
    group: 'configuration',
    pages: ['api', 'companyProfile', 'password', 'smsConference'],
  },
];

/** The same pages, those of a section as its tabs. A section with one page is that page; what is in none stays. */
export function sectioned(entries: ShownEntry[]): ShownEntry[] {
  const pages = entries.flatMap((entry) =>
    entry.children.length > 0 ? entry.children.map((child) => ({ ...entry, ...child, children: [] })) : [entry],
  );
  const taken = new Set<ShownEntry>();
  const sections = SECTIONS.flatMap(({ name, icon, group, pages: wanted }): ShownEntry[] => {
    const found = wanted.flatMap((page) => pages.find(({ url }) => pageOf(url) === page) ?? []);
    for (const page of found) taken.add(page);
    const [first, ...more] = found;
    if (!first) return [];
    if (more.length === 0) return [{ ...first, icon, group }];
    const children = found.map((page) => ({ name: page.name, url: page.url, icon: page.icon }));
    return [{ name, url: first.url, icon, group, badge: false, blocked: false, children, tabs: true }];
  });
  return [...sections, ...pages.filter((page) => !taken.has(page))];
}
