import { createElement, Fragment, type ReactNode } from 'react';
import { parsed } from '@/shared/lib/trusted';

/** What a text may consist of. Everything else keeps its words and loses its element. */
const KEPT = new Set(
  (
    'h1 h2 h3 h4 p div span ul ol li dl dt dd strong b em i u s small mark br hr pre code table caption thead tbody ' +
    'tfoot tr th td blockquote sup sub a'
  ).split(' '),
);
const DROPPED = new Set(['script', 'style', 'iframe', 'object', 'template', 'noscript']);

/** An address that a link may have: the web, mail, a phone, a page of ours. Never a script. */
const LINK = /^(https?:|mailto:|tel:|\/(?![/\\]))/i;

/**
 * Markup as elements of ours: parsed without running or loading anything, built again from the list above, and no
 * attribute but a link's address survives. The server has sanitised it already; this does not rely on that.
 */
export function safeHtml(html: string): ReactNode {
  const { body } = parsed(html, 'text/html');
  return children(body);
}

function children(node: Node): ReactNode[] {
  return [...node.childNodes].map((child, place) => element(child, place));
}

function element(node: Node, key: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (node.nodeType !== Node.ELEMENT_NODE) return null;
  const name = node.nodeName.toLowerCase();
  if (DROPPED.has(name)) return null;
  if (!KEPT.has(name)) return <Fragment key={key}>{children(node)}</Fragment>;
  const href = name === 'a' ? (node as Element).getAttribute('href') : null;
  const link = href && LINK.test(href) ? { href, target: '_blank', rel: 'noreferrer' } : {};
  const inside = children(node);
  return createElement(name, { key, ...link }, ...(inside.length > 0 ? inside : []));
}
