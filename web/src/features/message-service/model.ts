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
