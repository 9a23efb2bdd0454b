import { createElement, Fragment, type ReactNode } from 'react';

/** What a legal text may consist of. Everything else keeps its words and loses its element. */
const KEPT = new Set(
  'h1 h2 h3 h4 p ul ol li dl dt dd strong b em i u br hr table thead tbody tr th td blockquote sup sub a'.split(' '),
);
const DROPPED = new Set(['script', 'style', 'iframe', 'object', 'template', 'noscript']);

/** Markup of the server as elements of ours: no attribute but a web link's address survives. */
export function safeHtml(html: string): ReactNode {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
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
  const link = href && /^(https?:|mailto:)/i.test(href) ? { href, target: '_blank', rel: 'noreferrer' } : {};
  const inside = children(node);
  return createElement(name, { key, ...link }, ...(inside.length > 0 ? inside : []));
}
