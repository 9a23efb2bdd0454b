import { redirect } from '@tanstack/react-router';
import { landCallLink } from '@/shared/lib/call-link';
import { hasHome, mayOpen, type PageName, Role, type RouteIds, roleOf } from '@/shared/routes/access';
import { paths } from '@/shared/routes/paths';
import { startHref } from '@/shared/routes/start';
import { renewal, type Session, session } from '@/shared/session';
import { verified } from './verify';

/**
 * Guard of the shell: a session whose token the server confirms; otherwise the session ends and the log-in shows.
 * Asked once per token.
 */
export async function authenticate(): Promise<void> {
  const token = session.current() ? await renewal.freshToken().catch(() => null) : null;
  if (token && (await verified(token))) return;
  if (session.current()) session.end('expired');
  throw redirect({ href: paths.root() });
}

/** Guard of a page: everybody who may not see it goes to the root, which sends each role home. */
export function guard(page: PageName, ids: RouteIds = {}, current: Session | null = session.current()): void {
  if (!current || !mayOpen(page, current, ids)) throw redirect({ href: paths.root() });
}

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

/** Guard of the log-in: a stored, unexpired session goes straight on. */
export function guardLogin(current: Session | null = session.current()): void {
  if (current && hasHome(current)) throw redirect({ href: startHref(current) });
}

/** Any unknown path is the log-in, which sends a session on to the role's home. */
export function unknownPath(): never {
  throw redirect({ href: paths.login(), replace: true });
}
