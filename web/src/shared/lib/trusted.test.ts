// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { fillFrame, framed, harmless, parsed, scriptAddress } from './trusted';

// EDGE-11
it.each([
  ['*, *::before { transition: none !important; }', true],
  ['@media (min-width: 48em) and (max-width: 62em) { a > b { color: red } }', true],
  ['@media (width < 48em) {}', true],
  ['<span aria-hidden="true">+</span>', true],
  ['<svg/>', true],
  ['© OpenStreetMap <span aria-hidden="true">|</span> x', true],
  ['<svg onload="x">', false],
  ['<span onclick="x">', false],
  ['<img src=x onerror=x>', false],
  ['</style><script>x</script>', false],
  ['<!-- x -->', false],
  ['<<span>script>x', false],
])('libraries may write %s: %s', (text, fits) => {
  expect(harmless(text)).toBe(fits ? text : null);
});

// EDGE-11
it('starts workers of its own origin only, and fills closed frames only', () => {
  expect(scriptAddress('/assets/x.js')).toBe('/assets/x.js');
  expect(() => scriptAddress('https://elsewhere.example/x.js')).toThrow(TypeError);
  const frame = document.createElement('iframe');
  expect(() => fillFrame(frame, '<p>x</p>')).toThrow(TypeError);
});

// EDGE-15
it('parses markup without its looks, which a browser would report', () => {
  const html = `<p style="color:red" class="a">uno style="x"</p><a STYLE='x' href="/b?style=c">dos</a><i style=x>tres</i>`;
  const { body } = parsed(html, 'text/html');
  expect(body.querySelector('[style]')).toBeNull();
  const sheets = parsed('<p>a</p><style media="x">p{}</style><b>b</b><STYLE>c', 'text/html');
  expect([sheets.querySelector('style'), sheets.body.textContent]).toEqual([null, 'ab']);
  expect(body.textContent).toBe('uno style="x"dostres');
  expect(body.querySelector('a')?.getAttribute('href')).toBe('/b?style=c');
  expect(body.querySelector('p')?.className).toBe('a');
});

// EDGE-15
it('gives a letter in a frame its looks by sheets with the nonce of the page', () => {
  const letter =
    '<!doctype html><html><head><style>@media print{.a{color:red}}</style></head>' +
    `<body style="font:16px 'Segoe UI'"><p style="margin:0">a</p><p style="margin:0">b</p><p style="x:&#x27;y&#x27;">c</p></body></html>`;
  const shown = framed(letter, 'n0');
  expect(shown).not.toMatch(/ style="/);
  expect(shown.match(/<style nonce="n0">/g)).toHaveLength(2);
  expect(shown).toContain(
    `[data-style="0"]{font:16px 'Segoe UI'}\n[data-style="1"]{margin:0}\n[data-style="2"]{x:'y'}`,
  );
  expect(shown.match(/<p data-style="1">/g)).toHaveLength(2);
  // The letter's own sheet has the last word.
  expect(shown.indexOf('[data-style')).toBeLessThan(shown.indexOf('@media print'));
  // Without a policy, in development, nothing carries a nonce; a style that would leave its rule is none.
  expect(framed('<p style="}*{color:red">x</p><b style="a:b">y</b>', undefined)).toBe(
    '<style>[data-style="0"]{a:b}</style><p >x</p><b data-style="0">y</b>',
  );
});
