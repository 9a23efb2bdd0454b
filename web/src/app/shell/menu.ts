import type { MenuEntry } from '@/api/types';
import type { IconName } from '@/shared/ui/Icon';
import { paths } from '../paths';

export type MenuGroup = 'work' | 'company' | 'administration' | 'configuration';

interface KnownPage {
  icon: IconName;
  group: MenuGroup;
}

/**
 * The pages that exist in this build, with their place in the sidebar. An entry of the server's menu whose page is not
 * here is not shown: no entry leads to a page that is not built (DESIGN §10).
 */
const known: Record<string, KnownPage> = {
  [paths.newVideocall()]: { icon: 'videoplus', group: 'work' },
  [paths.messageService()]: { icon: 'sms', group: 'administration' },
};

export interface ShownEntry {
  /** i18n key of the label. */
  name: string;
  url: string;
  icon: IconName;
  group: MenuGroup;
  children: { name: string; url: string }[];
}

/** What the sidebar shows of the menu that came with the log-in. */
export function shownMenu(menu: MenuEntry[]): ShownEntry[] {
  return menu.flatMap((entry) => {
    const page = known[entry.url];
    const children = (entry.submenu ?? []).filter((child) => child.url in known);
    if (!page && children.length === 0) return [];
    const place = page ?? known[children[0]?.url ?? ''];
    if (!place) return [];
    return [
      {
        name: entry.name,
        url: entry.url,
        icon: place.icon,
        group: place.group,
        children: children.map(({ name, url }) => ({ name, url })),
      },
    ];
  });
}

/** The groups in the order of the sidebar, without empty ones. */
export function byGroup(entries: ShownEntry[]): [MenuGroup, ShownEntry[]][] {
  const order: MenuGroup[] = ['work', 'company', 'administration', 'configuration'];
  return order
    .map((group): [MenuGroup, ShownEntry[]] => [group, entries.filter((entry) => entry.group === group)])
    .filter(([, found]) => found.length > 0);
}

/** Whether the shown address belongs to the entry. The room and its media belong to "new video call". */
export function isActive(url: string, pathname: string): boolean {
  if (pathname === url || pathname.startsWith(`${url}/`)) return true;
  return url === paths.newVideocall() && /^\/conference(-media)?\//.test(pathname);
}
