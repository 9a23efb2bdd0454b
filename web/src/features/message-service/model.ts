import type { MessageState } from '@/api/types';
import type { IconName } from '@/shared/ui/Icon';

/** The first link of a message's text, to open or copy. */
export function linkOf(text: string): string | null {
  return /https?:\/\/[^\s<>"')]+/.exec(text)?.[0] ?? null;
}

/** A text cut into plain parts and links, in order. */
export function splitLinks(text: string): { text: string; link: boolean }[] {
  return text
    .split(/(https?:\/\/[^\s<>"')]+)/)
    .map((part, index) => ({ text: part, link: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}

export type BadgeTone = 'ok' | 'warn' | 'bad' | 'acc' | 'quiet';

/** How a message's state is shown: always a word with an icon, never colour alone. */
export const stateLook: Record<MessageState, { tone: BadgeTone; icon: IconName }> = {
  queued: { tone: 'warn', icon: 'clock' },
  captured: { tone: 'acc', icon: 'doc' },
  sent: { tone: 'ok', icon: 'send' },
  delivered: { tone: 'ok', icon: 'check' },
  failed: { tone: 'bad', icon: 'x' },
};
