import { parsed } from '@/shared/lib/trusted';

/** What a legal text may consist of; everything else keeps its words and loses its element. */
const KEPT = new Set(
  (
    'h1 h2 h3 h4 p ul ol li dl dt dd strong b em i u s br hr table caption thead tbody tfoot tr th td blockquote sup sub ' +
    'a details summary'
  ).split(' '),
);
const DROPPED = new Set(['script', 'style', 'iframe', 'object', 'template', 'noscript', 'svg', 'math']);
/** What browsers write for a line of their own. */
const RENAMED: Record<string, string> = { div: 'p', b: 'strong', i: 'em' };
const LINK = /^(https?:|mailto:|tel:|\/(?![/\\]))/i;

/**
 * Markup with nothing in it but the elements of a legal text: parsed without running or loading anything, and written
 * anew without attributes, save where a link leads.
 */
export const legalMarkup = (html: string): string => cleaned(html).innerHTML;

/** The same as nodes, ready to be shown. */
export const legalNodes = (html: string): Node[] => [...cleaned(html).childNodes];

function cleaned(html: string): HTMLElement {
  const { body } = parsed(html, 'text/html');
  const clean = document.implementation.createHTMLDocument('');
  append(body, clean.body, clean);
  return clean.body;
}

function append(from: Node, to: Element, page: Document): void {
  for (const child of from.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) to.append(page.createTextNode(child.textContent ?? ''));
    if (child.nodeType !== Node.ELEMENT_NODE) continue;
    const name = child.nodeName.toLowerCase();
    if (DROPPED.has(name)) continue;
    const kept = RENAMED[name] ?? name;
    if (!KEPT.has(kept)) {
      append(child, to, page);
      continue;
    }
    const element = page.createElement(kept);
    const href = name === 'a' ? (child as Element).getAttribute('href') : null;
    if (href && LINK.test(href)) element.setAttribute('href', href);
    append(child, element, page);
    to.append(element);
  }
}
