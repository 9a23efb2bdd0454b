import type { IconName } from '@/shared/ui/Icon';

export type Category = 'general' | 'personal';

/** A notification as the server sends it. */
export interface WireNotice {
  _id: string;
  readed: boolean;
  notificationTextId: string | null;
  text: string;
  expedientNumber?: string | null;
  updatedAt: string | null;
  startAt: string | null;
  /** 0 message, 1 conference, 2 address, 3 html. */
  type: number | null;
  targetValue: string | null;
  userId?: string | null;
  url?: string | null;
}

export interface Answer {
  notificationsByUser: { generalNotifications: WireNotice[]; personalNotifications: WireNotice[] };
  getNotificationTextByLanguage: { notificationTextId: string; text: string }[];
}

/** One line of the panel: `text` is in the page's language. */
export interface Notice extends WireNotice {
  /** Which list it came from. */
  category: Category;
}

/** Unique over both lists. */
export const keyOf = ({ category, _id }: Pick<Notice, 'category' | '_id'>): string => `${category}:${_id}`;

/** The date shown: when it changed last, else when it began. */
export const shownAt = ({ updatedAt, startAt }: WireNotice): string | null => updatedAt ?? startAt;

const time = (notice: WireNotice): number => Date.parse(shownAt(notice) ?? '') || 0;

/** Both lists as one, newest first, with the texts of the page's language. */
export function merged(answer: Answer): Notice[] {
  const texts = new Map(answer.getNotificationTextByLanguage.map((one) => [one.notificationTextId, one.text]));
  const of = (category: Category) => (notice: WireNotice) => ({
    ...notice,
    category,
    text: (notice.notificationTextId !== null && texts.get(notice.notificationTextId)) || notice.text,
  });
  const { generalNotifications, personalNotifications } = answer.notificationsByUser;
  return [...generalNotifications.map(of('general')), ...personalNotifications.map(of('personal'))].sort(
    (a, b) => time(b) - time(a),
  );
}

/** The case number follows the text after a space. */
export const fullText = ({ text, expedientNumber }: Pick<WireNotice, 'text' | 'expedientNumber'>): string =>
  expedientNumber ? `${text} ${expedientNumber}` : text;

/** What a press on a notice does. */
export type Action =
  | { kind: 'message' }
  | { kind: 'html'; html: string }
  | { kind: 'conference'; conferenceId: string }
  | { kind: 'tab'; href: string }
  | { kind: 'route'; href: string };

/** What a notice does by its type. One that lacks what its type needs says its text. */
export function actionOf({ type, targetValue, url }: Pick<WireNotice, 'type' | 'targetValue' | 'url'>): Action {
  const target = targetValue?.trim();
  if (type === 1 && target) return { kind: 'conference', conferenceId: target };
  if (type === 2) return visit(target || url?.trim() || '') ?? { kind: 'message' };
  if (type === 3 && target) return { kind: 'html', html: target };
  return { kind: 'message' };
}

/** An address with a dot opens in a new tab, any other is a page of ours. Null for what is neither (a script). */
export function visit(address: string): Extract<Action, { kind: 'tab' | 'route' }> | null {
  if (!address) return null;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address)?.[1]?.toLowerCase();
  // `example.es:8443/x` has no scheme, only a port.
  const known = scheme === 'http' || scheme === 'https';
  if (scheme && !known && !/^[^/]*\.[^/]*:\d/.test(address)) return null;
  if (!address.includes('.') && !known) return { kind: 'route', href: `/${address.replace(/^[/\\\s]+/, '')}` };
  return {
    kind: 'tab',
    href: known || /^\/(?![/\\])/.test(address) ? address : `https://${address.replace(/^[/\\]+/, '')}`,
  };
}

/** What a notice is about, for its sign and the word below it. */
export type Kind = 'general' | 'files' | 'request' | 'conference' | 'personal';

export const SIGNS: Record<Kind, IconName> = {
  general: 'spark',
  files: 'img',
  request: 'ring',
  conference: 'video',
  personal: 'info',
};

/** Told by the stable id of its text, else by what a press opens. */
export function kindOf({
  category,
  notificationTextId,
  type,
}: Pick<Notice, 'category' | 'notificationTextId' | 'type'>): Kind {
  if (category === 'general') return 'general';
  const id = notificationTextId?.toLowerCase() ?? '';
  if (id.includes('file') || id.includes('upload')) return 'files';
  if (id.includes('request') || id.includes('call')) return 'request';
  return type === 1 ? 'conference' : 'personal';
}
