import { redirect } from '@tanstack/react-router';
import { hasCallLink, landCallLink } from '@/shared/lib/call-link';
import { renewal, type Session, session } from '@/shared/session';
import { hasHome, homeHref, mayOpen, type PageName, type Person, Role, type RouteIds, roleOf } from './access';
import { paths } from './paths';
import { verified } from './verify';

/**
 * Guard of the shell: a session whose token the server confirms; otherwise the session ends and the log-in shows.
 * Asked once per token. Source: SPEC §6 Authentication guard.
 */
export async function authenticate(): Promise<void> {
  const token = session.current() ? await renewal.freshToken().catch(() => null) : null;
  if (token && (await verified(token))) return;
  if (session.current()) session.end('expired');
  throw redirect({ href: paths.root() });
}

/** Guard of a page: everybody who may not see it goes to the root, which sends each role home (SPEC §6). */
export function guard(page: PageName, ids: RouteIds = {}, current: Session | null = session.current()): void {
  if (!current || !mayOpen(page, current, ids)) throw redirect({ href: paths.root() });
}

/** Where somebody who is logged in goes on: to the call that a link asked for, else to the role's home. */
export const startHref = (person: Person) => (hasCallLink() ? paths.callLink() : homeHref(person));

/**
 * Guard of the link for other systems: whoever may open calls goes to the form, where its values are; everybody else is
 * told on this page.
 */
export function guardCallLink(current: Session | null = session.current()): void {
  if (!current) throw redirect({ href: paths.root() });
  landCallLink();
  // The password operator's form of that address is another one.
  const calls = mayOpen('newVideocall', current) && roleOf(current) !== Role.passwordOperator;
  if (calls) throw redirect({ href: paths.newVideocall(), replace: true });
}

/** Guard of the log-in: a stored, unexpired session goes straight on (SPEC §4 Session). */
export function guardLogin(current: Session | null = session.current()): void {
  if (current && hasHome(current)) throw redirect({ href: startHref(current) });
}

/** Any unknown path is the log-in (SPEC §2), which sends a session on to the role's home. */
export function unknownPath(): never {
  throw redirect({ href: paths.login(), replace: true });
}
