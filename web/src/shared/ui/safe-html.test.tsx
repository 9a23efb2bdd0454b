import { render } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { safeHtml } from './safe-html';

const shown = (html: string) => render(<div>{safeHtml(html)}</div>).container.firstElementChild?.innerHTML;

it.each([
  ['<p>Hola <b>mundo</b></p>', '<p>Hola <b>mundo</b></p>'],
  ['<div>a<br>b</div>', '<div>a<br>b</div>'],
  ['<p class="x" style="color:red" id="y" data-z="1">a</p>', '<p>a</p>'],
  ['<blink>a</blink>', 'a'],
  ['a &lt;script&gt; b', 'a &lt;script&gt; b'],
  ['<a href="https://example.es">x</a>', '<a href="https://example.es" target="_blank" rel="noreferrer">x</a>'],
  ['<a href="/users/1">x</a>', '<a href="/users/1" target="_blank" rel="noreferrer">x</a>'],
  ['<a href="mailto:a@b.es">x</a>', '<a href="mailto:a@b.es" target="_blank" rel="noreferrer">x</a>'],
])('%s becomes %s', (html, expected) => {
  expect(shown(html)).toBe(expected);
});

it.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)><script>alert(1)</script></svg>',
  '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
  '<math><a href="javascript:alert(1)">x</a></math>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" javascript:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href="&#106;avascript:alert(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="//evil.example">x</a>',
  '<a href="/\\evil.example">x</a>',
  '<form action="https://evil.example"><input name=a autofocus onfocus=alert(1)><button>x</button></form>',
  '<style>*{background:url(https://evil.example)}</style>',
  '<base href="https://evil.example"><meta http-equiv=refresh content="0;url=x">',
  '<object data=x></object><embed src=x><video src=x onerror=alert(1)><audio src=x></audio>',
  '<body onload=alert(1)><template><script>alert(1)</script></template>',
  '<p onclick="alert(1)" onmouseover=alert(1)>x</p>',
])('nothing runs, loads or leaves for %s', (html) => {
  const alert = vi.fn();
  vi.stubGlobal('alert', alert);
  const found = shown(html) ?? '';
  expect(found).not.toMatch(/<(?!\/?(p|a|b|table|tbody|tr|td|br|div|span)\b)/i);
  expect(found).not.toMatch(/\son\w+=|href|src=|style=|action=/i);
  expect(alert).not.toHaveBeenCalled();
  vi.unstubAllGlobals();
});
