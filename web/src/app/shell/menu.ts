import { configuration } from '@/api/generated/access';
import type { MenuEntry } from '@/api/types';
import type { PageInfo } from '@/shared/lib/page';
import { mayOpenOwn, ownHref, type PageName, type Person, pageOf, Role, roleOf } from '@/shared/routes/access';
import type { Session } from '@/shared/session';
import { type IconName, isIconName } from '@/shared/ui/Icon';
import { sectioned } from './sections';

export type MenuGroup = 'work' | 'company' | 'administration' | 'configuration';

interface Place {
  icon: IconName;
  group: MenuGroup;
}

/** Icon and group of the pages that a menu leads to. */
const places: Partial<Record<PageName, Place>> = {
  newVideocall: { icon: 'videoplus', group: 'work' },
  conferencesAutos: { icon: 'list', group: 'work' },
  conferencesDiversos: { icon: 'list', group: 'work' },
  agenda: { icon: 'clock', group: 'work' },
  incidences: { icon: 'chat', group: 'work' },
  videocallRequest: { icon: 'videoplus', group: 'work' },
  activeVideocallRequest: { icon: 'ring', group: 'work' },
  generalNotification: { icon: 'bell', group: 'administration' },
  broadcast: { icon: 'mail', group: 'administration' },
  users: { icon: 'users', group: 'company' },
  invoices: { icon: 'invoice', group: 'company' },
  consumption: { icon: 'euro', group: 'company' },
  invoiceProcesses: { icon: 'euro', group: 'administration' },
  remittances: { icon: 'euro', group: 'administration' },
  verifactu: { icon: 'seal', group: 'administration' },
  prices: { icon: 'euro', group: 'administration' },
  legals: { icon: 'doc', group: 'administration' },
  statistics: { icon: 'chart', group: 'company' },
  shots: { icon: 'shots', group: 'company' },
  privacy: { icon: 'lock', group: 'company' },
  reports: { icon: 'cols', group: 'administration' },
  customers: { icon: 'bld', group: 'administration' },
  repairers: { icon: 'gear', group: 'administration' },
  carReparations: { icon: 'car', group: 'administration' },
  insuranceCompanies: { icon: 'seal', group: 'administration' },
  fiscalRequests: { icon: 'doc', group: 'administration' },
  messageService: { icon: 'sms', group: 'administration' },
  logs: { icon: 'list', group: 'company' },
  api: { icon: 'code', group: 'configuration' },
  companyProfile: { icon: 'bld', group: 'configuration' },
  user: { icon: 'user', group: 'configuration' },
  password: { icon: 'key', group: 'configuration' },
  smsConference: { icon: 'sms', group: 'configuration' },
};

/** Pages that belong to other ones' entries while they are shown; of several, the page itself knows which (`section`). */
const belongsTo: Partial<Record<PageName, PageName[]>> = {
  conference: ['newVideocall'],
  conferenceMedia: ['conferencesAutos', 'conferencesDiversos'],
  expedient: ['conferencesAutos', 'conferencesDiversos'],
  // Another company's; one's own have entries of their own, which come first.
  companyProfile: ['customers', 'repairers', 'carReparations'],
  fiscalIdentity: ['customers', 'repairers', 'carReparations'],
  fiscalRequest: ['fiscalRequests'],
  users: ['customers', 'repairers', 'carReparations'],
};

/** Pages `/…/{parent}` where the company is what the administrator looks at, not another place. */
const ofAnyCompany: ReadonlySet<PageName> = new Set([
  'conferencesAutos',
  'conferencesDiversos',
  'agenda',
  'statistics',
  'invoices',
  'consumption',
  'shots',
  'privacy',
  'incidences',
]);

/** Entries that lead to video-call requests: the only ones that blocking touches. */
const isRequests = (url: string) => /^\/(active-)?videocall-request(\/|$)/.test(url);

export interface ShownEntry {
  /** i18n key of the label. */
  name: string;
  url: string;
  icon: IconName;
  group: MenuGroup;
  /** A number is shown beside it once there is one. */
  badge: boolean;
  /** Shown, but not to be followed. */
  blocked: boolean;
  /** A submenu; an entry that has one only opens and closes it. */
  children: { name: string; url: string; icon: IconName }[];
  /** The children are not shown below it, but as tabs of the page; the entry leads to the first. */
  tabs?: boolean;
}

const iconOf = (sent: string | null | undefined, place: Place) => (sent && isIconName(sent) ? sent : place.icon);

/**
 * What the sidebar shows of the server's menu. An entry whose page is not built is not shown: no entry leads to a page
 * that does not exist.
 */
export function shownMenu(menu: MenuEntry[], blocked: boolean): ShownEntry[] {
  return menu.flatMap((entry) => {
    const children = (entry.submenu ?? []).filter((child) => pageOf(child.url) !== null);
    const page = pageOf(entry.url);
    const place = page && places[page];
    // The Configuration group has its own rule, below.
    if (!place || place.group === 'configuration') return [];
    return [
      {
        name: entry.name,
        url: entry.url,
        icon: iconOf(entry.icon, place),
        group: place.group,
        badge: entry.type === 'badge',
        blocked: blocked && isRequests(entry.url),
        children: children.map(({ name, url, icon }) => ({ name, url, icon: iconOf(icon, place) })),
      },
    ];
  });
}

const configurationNames: Partial<Record<PageName, string>> = {
  api: 'shell.api',
  companyProfile: 'shell.companyData',
  user: 'shell.profile',
  password: 'shell.changePassword',
  smsConference: 'shell.smsConference',
};

/** The Configuration entries of the sidebar or of the header's dropdown. */
export function configurationOf(person: Person, where: 'sidebar' | 'dropdown'): ShownEntry[] {
  return configuration.flatMap((line) => {
    const page: PageName = line.page;
    const roles: readonly number[] = line[where];
    if (!roles.includes(roleOf(person)) || !mayOpenOwn(page, person)) return [];
    const place = places[page];
    const name = configurationNames[page];
    if (!place || !name) return [];
    return [{ name, url: ownHref(page, person.user), ...place, badge: false, blocked: false, children: [] }];
  });
}

/** Everything the sidebar leads to. The administrator's many pages are sections with tabs. */
export function menuOf(person: Session, blocked: boolean): ShownEntry[] {
  const entries = [...shownMenu(person.menu, blocked), ...configurationOf(person, 'sidebar')];
  return roleOf(person) === Role.administrator ? sectioned(entries) : entries;
}

/** The groups in the order of the sidebar, without empty ones. */
export function byGroup(entries: ShownEntry[]): [MenuGroup, ShownEntry[]][] {
  const order: MenuGroup[] = ['work', 'company', 'administration', 'configuration'];
  return order
    .map((group): [MenuGroup, ShownEntry[]] => [group, entries.filter((entry) => entry.group === group)])
    .filter(([, found]) => found.length > 0);
}

/**
 * Whether the shown address belongs to the entry. The room belongs to "new video call", a company's list to everybody's.
 * `section`: the entry's address that the page itself names, such as the list of its conference's type.
 */
export function isActive(url: string, pathname: string, section?: string): boolean {
  const shown = section ?? pathname;
  if (shown === url || shown.startsWith(`${url}/`)) return true;
  const page = pageOf(shown);
  const entry = pageOf(url);
  if (!page || !entry) return false;
  if (page === entry) return ofAnyCompany.has(page);
  const owners = belongsTo[page] ?? [];
  return owners.length === 1 && owners[0] === entry;
}

/** Whether the shown address belongs to an entry's submenu as a whole: to one of its lists, and nobody knows to which. */
export function isGroupActive(urls: readonly string[], pathname: string, section?: string): boolean {
  const page = pageOf(section ?? pathname);
  const owners = (page && belongsTo[page]) ?? [];
  return owners.length > 1 && urls.some((url) => owners.some((owner) => owner === pageOf(url)));
}

/** Where one is in the menu: the address of an entry, or only the group that holds it. */
export interface ActivePlace {
  url: string | null;
  group: ShownEntry | null;
}

const addressesOf = ({ url, children }: ShownEntry) =>
  children.length > 0 ? children.map((child) => child.url) : [url];

/**
 * The place in the menu of the shown page: by its own address, by the section that it names, else by the step before it
 * (the list that a detail was opened from).
 */
export function activePlace(
  entries: ShownEntry[],
  pathname: string,
  { section, crumb }: Pick<PageInfo, 'section' | 'crumb'>,
): ActivePlace {
  const places = [section ?? pathname, ...(crumb ? [crumb.href] : [])];
  for (const place of places) {
    for (const entry of entries) {
      const url = addressesOf(entry).find((address) => isActive(address, place));
      if (url) return { url, group: entry.children.length > 0 ? entry : null };
    }
  }
  const group = entries.find((entry) => places.some((place) => isGroupActive(addressesOf(entry), place)));
  return { url: null, group: group ?? null };
}

/** The section whose tab the address itself is; a detail that was opened from one has its way back instead. */
export const tabbedSection = (entries: ShownEntry[], pathname: string): ShownEntry | null =>
  entries.find(({ tabs, children }) => tabs && children.some(({ url }) => isActive(url, pathname))) ?? null;
