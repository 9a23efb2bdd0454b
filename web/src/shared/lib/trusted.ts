/**
 * The few places where text becomes markup or a script's address. The pages' policy (`require-trusted-types-for 'script'`,
 * EDGE-11) refuses every other one, whoever wrote it. Browsers without Trusted Types get plain text.
 *
 * The same policy refuses styles that stand in text, unless they carry the page's nonce (EDGE-15).
 */

import { styleNonce } from './style-nonce';

interface Rules {
  createHTML?: (text: string) => string | null;
  createScriptURL?: (text: string) => string | null;
}
interface Policy {
  createHTML(text: string): string;
  createScriptURL(text: string): string;
}
interface Factory {
  createPolicy(name: string, rules: Rules): Policy;
}

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
const rules = {
  createHTML: (text: string) => text,
  createScriptURL: (address: string) => (isOwn(address) ? address : null),
};

function isOwn(address: string): boolean {
  return new URL(address, location.href).origin === location.origin;
}

/** Known to this module alone: whatever goes through it goes through one of the functions below. */
const own: Policy = factory?.createPolicy('atalaya', rules) ?? {
  createHTML: rules.createHTML,
  createScriptURL: (address) => {
    if (!isOwn(address)) throw new TypeError('a script of another origin');
    return address;
  },
};

/** What the components library and the map write: style sheets, words, and these two elements without anything in them. */
const HARMLESS = /<\/?(?:span|svg)(?: aria-hidden="true")?\s*\/?>/g;

/** Text that starts no other element; `null` for everything else, which the browser then refuses. */
export const harmless = (text: string): string | null => (/<[a-z!/?]/i.test(text.replace(HARMLESS, '')) ? null : text);

/** For libraries that know nothing of this: they may write what is harmless. */
export const admitHarmless = (): void => {
  factory?.createPolicy('default', { createHTML: harmless });
};

/** `style="…"`, without quotes or with either kind. */
const STYLE = /(\s)style\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
/** A sheet with what is in it, or to the end where it has none. */
const SHEET = /<style\b[^>]*>[\s\S]*?(?:<\/style\b[^>]*>|$)/gi;
const START_TAG = /<[a-z][^>]*>/gi;

/** Markup whose `style` attributes are other ones, written by `renamed` from their text. */
const withoutStyles = (html: string, renamed: (style: string) => string): string =>
  html.replace(START_TAG, (tag) =>
    tag.replace(STYLE, (_, before, double, single, bare) => before + renamed(double ?? single ?? bare ?? '')),
  );

/**
 * Markup as a document that runs and loads nothing. No reader of ours wants its looks, so they are left out before a browser
 * sees and reports them; one that slips through is refused.
 */
export const parsed = (text: string, type: DOMParserSupportedType): Document => {
  const plain = type === 'text/html' ? withoutStyles(text.replace(SHEET, ''), () => '') : text;
  return new DOMParser().parseFromString(own.createHTML(plain), type);
};

/** What a text of an attribute means. Only these are written by our server's templates. */
const ENTITIES: Record<string, string> = { quot: '"', '#34': '"', '#39': "'", '#x27': "'", '#x2f': '/', amp: '&' };

const unescaped = (text: string): string =>
  text.replace(/&([a-z]+|#x?[0-9a-f]+);/gi, (whole, name: string) => ENTITIES[name.toLowerCase()] ?? whole);

/**
 * A letter as a mail program shows it, for a frame under our policy: what stands in `style="…"` becomes a rule of one sheet, and
 * every sheet carries the page's nonce. A style that could leave its rule is left out.
 */
export function framed(html: string, nonce: string | undefined): string {
  const carried = nonce ? ` nonce="${nonce}"` : '';
  const rules = new Map<string, number>();
  const renamed = withoutStyles(html, (style) => {
    const text = unescaped(style);
    if (/[{}<>@\\]/.test(text)) return '';
    const known = rules.get(text) ?? rules.size;
    rules.set(text, known);
    return `data-style="${known}"`;
  });
  const sheet = [...rules].map(([text, number]) => `[data-style="${number}"]{${text}}`).join('\n');
  const marked = renamed.replace(/<style\b[^>]*>/gi, `<style${carried}>`);
  // Before the letter's own sheet, whose rules for dark schemes are more important.
  const head = /<head\b[^>]*>/i;
  const ours = `<style${carried}>${sheet}</style>`;
  return head.test(marked) ? marked.replace(head, (start) => start + ours) : ours + marked;
}

/** Puts a document of its own into a frame that may do nothing (`sandbox=""`) and is under this page's policy. */
export function fillFrame(frame: HTMLIFrameElement, html: string): void {
  if (frame.sandbox.length > 0 || frame.getAttribute('sandbox') !== '') throw new TypeError('the frame is not closed');
  frame.srcdoc = own.createHTML(framed(html, styleNonce()));
}

/** The address of a script of ours, for workers. */
export const scriptAddress = (address: string): string => own.createScriptURL(address);
