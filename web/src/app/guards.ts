import { redirect } from '@tanstack/react-router';
import { type Session, session } from '@/shared/session';
import { paths } from './paths';

/** Roles by number, as in SPEC §6. */
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

const anyRole = Object.values(Role) as number[];

/** Who may see which page (SPEC §6, DESIGN §10). A page without a row here has no route. */
export const pageRoles = {
  home: anyRole,
  newVideocall: [Role.customer, Role.worker],
  conference: [Role.administrator, Role.customer, Role.worker],
  conferenceMedia: [Role.administrator, Role.customer, Role.worker],
  messageService: [Role.administrator],
} satisfies Record<string, number[]>;

export type GuardedPage = keyof typeof pageRoles;

/**
 * Where a role starts. SPEC §2 Login names pages that later issues build; until then those roles start on the plain
 * home page, and an administrator on the message service.
 */
export function homeOf(role: number): string {
  if (role === Role.customer || role === Role.worker) return paths.newVideocall();
  if (role === Role.administrator) return paths.messageService();
  return paths.home();
}

/** Route guard: no session goes to the log-in, a role that may not see the page goes to its home. */
export function guard(page: GuardedPage, current: Session | null = session.current()): Session {
  if (!current) throw redirect({ href: paths.login() });
  const allowed: number[] = pageRoles[page];
  if (!allowed.includes(current.claims.role ?? current.user.role)) throw redirect({ href: homeOf(current.user.role) });
  return current;
}

/** Route guard of the log-in: a stored, unexpired session goes straight on (SPEC §4 Session). */
export function guardLogin(current: Session | null = session.current()): void {
  if (current) throw redirect({ href: homeOf(current.user.role) });
}
