import { type Facts, type Guard, homes, type PageName, pages } from '@/api/generated/access';
import type { User } from '@/api/types';
import type { Session } from '@/shared/session';

export type { PageName };

/** Roles by number. */
export const Role = {
  administrator: 1,
  customer: 2,
  worker: 3,
  repairer: 4,
  repairerOperator: 5,
  workshop: 6,
  workshopOperator: 7,
  passwordOperator: 8,
} as const;

/** The principal account of a company; its role is an even number. */
export const isPrincipal = (role: number) => role === Role.customer || role === Role.repairer || role === Role.workshop;

/** Workshops and repairers: they ask for calls, and read the conferences that came of them, without acting on them. */
export const isRepairSide = (role: number) => role >= Role.repairer && role <= Role.workshopOperator;

/** The ids in a page's address: a company's, a user's. */
export interface RouteIds {
  parent?: string;
  id?: string;
}

/** Whether a guard lets somebody with these facts pass: the same answers as the server's `kernel::access::admits`. */
export function admits(guard: Guard, facts: Facts): boolean {
  const { role, support } = facts;
  const admin = role === Role.administrator;
  const ownCompany = facts.routeCompany === facts.company;
  const ownId = facts.routeUser === facts.user;
  const known = role >= 1 && role <= 8;
  switch (guard.kind) {
    case 'public':
      return true;
    case 'roles':
      return known && guard.roles.includes(role);
    case 'workshopOf':
      return admin || (role === Role.workshop && ownCompany);
    case 'repairerOf':
      return admin || (role === Role.repairer && ownCompany);
    case 'principalOf':
      return admin || (isPrincipal(role) && ownCompany);
    case 'peopleOf':
      return admin || (known && ownCompany && (support || isPrincipal(role)));
    case 'memberOf':
      return admin || (known && ownCompany);
    case 'ownId':
      return admin || (known && ownCompany && (ownId || support || isPrincipal(role)));
    case 'ownIdOnly':
      return known && ownId;
    case 'videoCall':
      return (role === Role.customer || role === Role.worker) && facts.mayCall;
  }
}

/** Who asks. The role is the token's, which the server signed. */
export type Person = Pick<Session, 'claims' | 'user'>;

export const roleOf = ({ claims, user }: Person) => claims.role ?? user.role;

function factsOf(person: Person, ids: RouteIds): Facts {
  const { user } = person;
  return {
    role: roleOf(person),
    user: user._id,
    company: user.parent,
    support: user.support,
    routeCompany: ids.parent ?? null,
    routeUser: ids.id ?? null,
    mayCall: user.company?.mayCall === true,
  };
}

/** Whether this person may open that page. */
export const mayOpen = (page: PageName, person: Person, ids: RouteIds = {}) =>
  admits(pages[page].guard, factsOf(person, ids));

const ownIds = ({ parent, _id }: User): RouteIds => ({ parent, id: _id });

/** Whether this person may open that page about himself and his company. */
export const mayOpenOwn = (page: PageName, person: Person) => mayOpen(page, person, ownIds(person.user));

/** The address of a page about oneself and one's company. */
export const ownHref = (page: PageName, user: User) =>
  pages[page].path.replace('{parent}', encodeURIComponent(user.parent)).replace('{id}', encodeURIComponent(user._id));

const homeOf = (person: Person): PageName => homes[roleOf(person)] ?? 'newVideocall';

/** Where a role starts. */
export const homeHref = (person: Person) => ownHref(homeOf(person), person.user);

/** False for a role that may open nothing, not even its home; no server lets one in. */
export const hasHome = (person: Person) => mayOpenOwn(homeOf(person), person);

/** The page that an address belongs to, or `null` when there is none. */
export function pageOf(href: string): PageName | null {
  const parts = href.split('/');
  const fits = (path: string) => {
    const wanted = path.split('/');
    return wanted.length === parts.length && wanted.every((part, i) => part.startsWith('{') || part === parts[i]);
  };
  return (Object.keys(pages) as PageName[]).find((page) => fits(pages[page].path)) ?? null;
}
