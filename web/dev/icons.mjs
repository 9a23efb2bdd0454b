// Draws the app's icons (public/icons) and the mark of e-mails from the mark: node dev/icons.mjs
import { readFile, writeFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';

const at = (path) => new URL(`../public/${path}`, import.meta.url);
const mark = (await readFile(at('mark.svg'), 'utf8')).replace(/<svg[^>]*>|<\/svg>/g, '');

/** `part` of the box is the mark; `radius` of the background in parts of the box, `null` for none. */
const ICONS = [
  { file: '../../../crates/messaging/templates/mark.png', size: 80, part: 0.66, radius: 0.19 },
  { file: 'icon-192.png', size: 192, part: 0.66, radius: 0.19 },
  { file: 'icon-512.png', size: 512, part: 0.66, radius: 0.19 },
  // Android cuts any shape out of it; what matters stays inside the inner 80 %.
  { file: 'maskable-512.png', size: 512, part: 0.5, radius: 0 },
  { file: 'apple-touch-icon.png', size: 180, part: 0.6, radius: 0 },
  // Android's status bar takes only the shape.
  { file: 'badge-96.png', size: 96, part: 0.86, radius: null },
];

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
const page = await browser.newPage();
for (const { file, size, part, radius } of ICONS) {
  const inner = size * part;
  const offset = (size - inner) / 2;
  const ground = radius === null ? '' : `<rect width="${size}" height="${size}" rx="${size * radius}" fill="#141412"/>`;
  const drawn = radius === null ? mark.replace('#3AA7B5', '#fff') : mark.replace('#3AA7B5', '#5CC0CC');
  const ink = radius === null ? '#fff' : '#ECEAE3';
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(
    `<style>body{margin:0}svg{display:block}</style><svg width="${size}" height="${size}">${ground}` +
      `<svg x="${offset}" y="${offset}" width="${inner}" height="${inner}" viewBox="0 0 32 32" color="${ink}">${drawn}</svg></svg>`,
  );
  await writeFile(at(`icons/${file}`), await page.screenshot({ omitBackground: true }));
}
await browser.close();
