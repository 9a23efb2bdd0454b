import { paths } from '@/api/generated/paths';

/**
 * A link in another system: `/llamar#expedient=…&phone=…&contact=…&type=…` opens the form of a new call, filled in, and sends
 * nothing. The values are taken out of the address before anything else (`#` reaches no server and no log; `?` is read too),
 * wait in this tab's `sessionStorage` for up to half an hour of logging in, and reach the form through memory
 * (`guardCallLink`, then `features/conferences/linked-call`). Wrong values are marked at their fields. The page `API` builds
 * such links.
 */

/** What an insurer's system says about a call that somebody shall open. As it came, unchecked. */
export interface CallLink {
  expedient: string;
  phone: string;
  contact: string;
  /** `1` or `autos`, `2` or `diversos`; anything else is shown as unknown. */
  type: string;
}

const NAMES = ['expedient', 'phone', 'contact', 'type'] as const;
/** Also the Spanish name that the case number has in the documentation. */
const SPANISH = { expediente: 'expedient' } as const;
/** Beyond the limit of every field, so that a form says “too long” of it. */
const VALUE_MAX = 200;
/** How long values wait for their log-in. Milliseconds. */
const WAITS_MS = 30 * 60_000;
const KEY = 'callLink';

/** Reads `a=b&c=d`, from behind `?` or `#`; `null` without any of the names. */
export function readCallLink(text: string): CallLink | null {
  const link: CallLink = { expedient: '', phone: '', contact: '', type: '' };
  let some = false;
  for (const [given, value] of new URLSearchParams(text.replace(/^[?#]/, ''))) {
    const name = SPANISH[given as keyof typeof SPANISH] ?? given;
    const known = NAMES.find((one) => one === name);
    if (!known) continue;
    some = true;
    link[known] = value.slice(0, VALUE_MAX);
  }
  // A plus sign that was not encoded came as a blank.
  if (/^ \d/.test(link.phone)) link.phone = `+${link.phone.trim()}`;
  return some ? link : null;
}

/** The address that opens the form with these values. Behind `#` nothing is sent to a server or written to its log. */
export function buildCallLink(origin: string, link: CallLink): string {
  const filled = NAMES.map((name) => [name, link[name].trim()] as [string, string]).filter(([, value]) => value);
  const text = new URLSearchParams(filled).toString().replace(/\+/g, '%20');
  return `${origin}${paths.callLink()}${text && `#${text}`}`;
}

/**
 * Before anything else happens: takes the values out of the address, since they are personal data and an address is
 * remembered, copied and sent along. They wait in this tab alone until somebody is logged in.
 */
export function catchCallLink({ location, history, sessionStorage }: Window, now = Date.now()): void {
  if (location.pathname !== paths.callLink()) return;
  const link = readCallLink(location.hash) ?? readCallLink(location.search);
  if (location.hash || location.search) history.replaceState(null, '', paths.callLink());
  if (link) sessionStorage.setItem(KEY, JSON.stringify({ link, at: now }));
}

/** Whether values wait for somebody to log in. */
export const hasCallLink = (now = Date.now()) => waiting(now) !== null;

function waiting(now: number): CallLink | null {
  try {
    const { link, at } = JSON.parse(sessionStorage.getItem(KEY) ?? '') as { link: CallLink; at: number };
    return now - at < WAITS_MS && NAMES.every((name) => typeof link[name] === 'string') ? link : null;
  } catch {
    return null;
  }
}

let arrived: CallLink | null = null;

/** Somebody is logged in: from now on the values are in memory only. */
export function landCallLink(now = Date.now()): void {
  const link = waiting(now);
  sessionStorage.removeItem(KEY);
  if (link) arrived = link;
}

/** The values for the form, once. */
export function takeCallLink(): CallLink | null {
  const link = arrived;
  arrived = null;
  return link;
}
