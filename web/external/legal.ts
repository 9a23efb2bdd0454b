/**
 * The legal notice comes as HTML from our own server; it is still cut down to text markup before it is shown, so that
 * nothing but words, lists and links can ever be in it.
 */
const KEPT = new Set(
  'P B STRONG EM I U UL OL LI H2 H3 H4 A BR DETAILS SUMMARY TABLE THEAD TBODY TR TD TH SPAN DIV SECTION'.split(' '),
);
const DROPPED = new Set(
  'SCRIPT STYLE TEMPLATE IFRAME OBJECT EMBED SVG MATH LINK META BASE FORM INPUT BUTTON'.split(' '),
);

function copy(from: Node, to: Node): void {
  for (const node of Array.from(from.childNodes)) {
    if (node.nodeType === Node.TEXT_NODE) {
      to.appendChild(document.createTextNode(node.textContent ?? ''));
    } else if (node instanceof Element) {
      const name = node.tagName.toUpperCase();
      if (DROPPED.has(name)) continue;
      if (!KEPT.has(name)) {
        copy(node, to);
        continue;
      }
      const element = document.createElement(name.toLowerCase());
      if (name === 'A') link(node, element);
      copy(node, element);
      to.appendChild(element);
    }
  }
}

function link(from: Element, to: HTMLElement): void {
  const href = from.getAttribute('href') ?? '';
  if (!/^(https?:|mailto:|tel:|\/)/i.test(href)) return;
  to.setAttribute('href', href);
  to.setAttribute('target', '_blank');
  to.setAttribute('rel', 'noopener noreferrer');
}

interface Policies {
  createPolicy(name: string, rules: { createHTML: (text: string) => string }): { createHTML(text: string): string };
}

/** The pages' policy lets this one text become markup, and in a document that runs and loads nothing (EDGE-11). */
const policy = (globalThis as { trustedTypes?: Policies }).trustedTypes?.createPolicy('atalaya', {
  createHTML: (text) => text,
});

/** The notice as a fragment of plain text markup, without attributes. */
export function cleanLegal(html: string): DocumentFragment {
  const parsed = new DOMParser().parseFromString(policy?.createHTML(html) ?? html, 'text/html');
  const fragment = document.createDocumentFragment();
  copy(parsed.body, fragment);
  return fragment;
}
