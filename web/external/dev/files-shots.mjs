// Screenshots of every state of the upload page at phone size, both themes, both languages, with axe on each and the
// same checks as shots.mjs. Run after a build: node external/dev/files-shots.mjs [folder] [only-these-states]
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { freshRequest, ITEMS, standIn, TOKEN } from './files-server.mjs';
import { serve } from './serve.mjs';

const out = process.argv[2] ?? '/tmp/atalaya-upload-shots';
const only = process.argv[3] ? new RegExp(process.argv[3]) : /./;
const port = Number(process.env.PORT ?? 5185);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const AGENT =
  'Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

const pictures = mkdtempSync(join(tmpdir(), 'atalaya-pictures-'));
function picture(name, filter) {
  const file = join(pictures, name);
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', filter, '-frames:v', '1', file]);
  return file;
}
const sharp = picture('sharp.jpg', 'mandelbrot=size=1600x1200');
const blurred = picture('blurred.jpg', 'mandelbrot=size=1600x1200,avgblur=40');
const dark = picture('dark.jpg', 'mandelbrot=size=1600x1200,eq=brightness=-0.42:contrast=0.3');
const text = { name: 'notas.txt', mimeType: 'text/plain', buffer: Buffer.from('hola') };
const fake = { name: 'foto.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('not a picture at all') };
const large = {
  name: 'poliza.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.concat([Buffer.from('%PDF-1.7 '), Buffer.alloc(6_000_000)]),
};

const pick = (page, files) => page.locator('#pick').setInputFiles(files);
const sent = (page, n = 1) =>
  page
    .locator('.up .s.ok')
    .nth(n - 1)
    .waitFor();
const main = (page) => page.locator('.actions .b.main').first().click();
const deny = (name) => `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('no', '${name}'));`;
const item = (index, change) => ITEMS.map((one, at) => (at === index ? { ...one, ...change } : one));
const done = ITEMS.map((one) => ({ ...one, state: 'received', files: 1 }));
const closed = (state) => ({
  request: { state, items: [], pageShowText: null, expiresAt: null, adjuster: null, contactPerson: null },
  wait: '.badge',
});

const STATES = {
  '01-list': {},
  '02-list-one-sent': {
    act: async (page) => {
      await pick(page, sharp);
      await sent(page);
    },
  },
  '03-list-rejected': {
    request: { items: item(1, { state: 'rejected', note: 'No se lee el número. Acérquese más.', files: 1 }) },
  },
  '04-free-item': { request: { items: [{ label: 'Fotos y documentos' }] } },
  '05-refused-type': {
    act: async (page) => {
      await pick(page, [text]);
      await page.locator('.up .s.bad').waitFor();
    },
  },
  '06-refused-by-server': {
    act: async (page) => {
      await pick(page, [fake]);
      await page.locator('.up .s.bad').waitFor();
    },
  },
  '07-some-refused': {
    act: async (page) => {
      await pick(page, [{ name: 'esquina.jpg', mimeType: 'image/jpeg', buffer: readFileSync(sharp) }, text]);
      await page.locator('.place select').selectOption('item-1');
      await main(page);
      await sent(page);
    },
  },
  '31-places': {
    request: { items: [...ITEMS, { label: 'Póliza', hint: 'El PDF o una foto' }] },
    act: async (page) => {
      const paper = { name: 'póliza.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') };
      await pick(page, [{ name: 'esquina.jpg', mimeType: 'image/jpeg', buffer: readFileSync(sharp) }, paper]);
      await page.locator('.place select').first().selectOption('item-1');
      await main(page);
      await page.locator('.problem:not(:empty)').waitFor();
    },
  },
  '32-photos-only': {
    act: async (page) => {
      await pick(page, [{ name: 'póliza.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') }]);
      await page.locator('.up .s.bad').waitFor();
    },
  },
  '08-sending': {
    slow: 1500,
    act: async (page) => {
      await pick(page, [large]);
      await page.locator('.card').waitFor();
    },
  },
  '09-cut': {
    cutAfter: 0,
    act: async (page) => {
      await pick(page, [large]);
      await page.locator('.card.warned').waitFor();
    },
  },
  '10-offline': {
    act: async (page) => {
      await page.context().setOffline(true);
      await page.waitForTimeout(300);
      await pick(page, [large]);
      await page.locator('.card.warned').waitFor();
    },
  },
  '11-moved': {
    act: async (page) => {
      await pick(page, blurred);
      await page.locator('.shown').waitFor();
    },
  },
  '12-dark': {
    act: async (page) => {
      await pick(page, dark);
      await page.locator('.shown').waitFor();
    },
  },
  '13-camera-ask': {
    permissions: [],
    act: async (page) => {
      await main(page);
      await page.locator('.prompt').waitFor();
    },
  },
  '14-camera': {
    act: async (page) => {
      await main(page);
      await page.locator('.shutter').waitFor();
      await page.waitForTimeout(1200);
    },
  },
  '15-camera-near': {
    request: {
      items: item(0, { state: 'received' }).map((one, at) => (at === 1 ? { ...one, state: 'received' } : one)),
    },
    act: async (page) => {
      await main(page);
      await page.locator('.shutter').waitFor();
      await page.waitForTimeout(1200);
    },
  },
  '16-camera-blocked': {
    permissions: [],
    init: deny('NotAllowedError'),
    act: async (page) => {
      await main(page);
      await main(page);
      await page.locator('.steps').waitFor();
    },
  },
  '17-camera-blocked-iphone': {
    permissions: [],
    agent: IPHONE,
    init: deny('NotAllowedError'),
    act: async (page) => {
      await main(page);
      await main(page);
      await page.locator('.steps').waitFor();
    },
  },
  '18-camera-missing': {
    permissions: [],
    init: deny('NotFoundError'),
    act: async (page) => {
      await main(page);
      await main(page);
      await page.locator('.steps').waitFor();
    },
  },
  '19-done': { request: { items: done } },
  '20-stop': {
    request: { items: item(0, { state: 'received', files: 1 }) },
    act: async (page) => {
      await page.locator('.actions .quiet').last().click();
      await page.locator('ul.rest').waitFor();
    },
  },
  '21-finished': {
    request: { items: done },
    act: async (page) => {
      await main(page);
      await page.locator('.badge.ok').waitFor();
    },
  },
  '22-expired': closed('expired'),
  '23-cancelled': closed('cancelled'),
  '24-erased': closed('erased'),
  '25-unknown': { path: `/external/files/${'b'.repeat(32)}`, wait: '.badge' },
  '26-no-network': { down: true, wait: '.badge.warn' },
  '27-list-200': {
    zoom: true,
    act: async (page) => {
      await pick(page, sharp);
      await sent(page);
    },
  },
  '28-moved-200': {
    zoom: true,
    act: async (page) => {
      await pick(page, blurred);
      await page.locator('.shown').waitFor();
    },
  },
  '29-camera-200': {
    zoom: true,
    act: async (page) => {
      await main(page);
      await page.locator('.shutter').waitFor();
    },
  },
  '30-list-no-style-hash': { strict: true },
};

async function check(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  const serious = found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const small = await page.evaluate(() =>
    [...document.querySelectorAll('button, .b, select')]
      .filter((element) => element.checkVisibility())
      .map((element) => ({
        box: element.getBoundingClientRect(),
        text: element.textContent?.slice(0, 30) || element.className,
      }))
      .filter(({ box }) => box.height < 59.5 || box.width < 59.5)
      .map(({ text, box }) => `${text} ${Math.round(box.width)}x${Math.round(box.height)}`),
  );
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  return [
    ...serious.map(({ id, nodes }) => `axe ${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`),
    ...small.map((one) => `small target: ${one}`),
    ...(wide ? ['scrolls sideways'] : []),
  ];
}

let now = null;
const api = (request, response) => now.api(request, response);

const LOCALES = { es: 'es-ES', en: 'en-GB', ar: 'ar-MA' };

async function shoot(browser, name, state, theme, language) {
  now = standIn(freshRequest(state.request));
  now.control.cutAfter = state.cutAfter ?? null;
  now.control.slow = state.slow ?? 0;
  now.control.down = state.down ?? false;
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    colorScheme: theme,
    locale: LOCALES[language] ?? language,
    userAgent: state.agent ?? AGENT,
    hasTouch: true,
    isMobile: true,
    permissions: state.permissions ?? ['camera'],
  });
  const problems = [];
  try {
    if (state.init) await context.addInitScript(state.init);
    const page = await context.newPage();
    page.setDefaultTimeout(8000);
    page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
    const base = `http://127.0.0.1:${state.strict ? port + 1 : port}`;
    page.on('request', (request) => {
      if (!request.url().startsWith(base) && !/^(data|blob):/.test(request.url()))
        problems.push(`leaves the origin: ${request.url()}`);
    });
    await page.goto(base + (state.path ?? `/external/files/${TOKEN}`));
    if (state.zoom) await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
    await page
      .locator(state.wait ?? '.up')
      .first()
      .waitFor();
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(200);
    await state.act?.(page);
    await page.waitForTimeout(150);
    problems.push(...(await check(page)));
    await page.screenshot({ path: `${out}/${name}-${theme}-${language}.png`, fullPage: state.zoom ?? false });
  } catch (error) {
    problems.push(String(error).split('\n').slice(0, 2).join(' '));
  } finally {
    await context.close();
  }
  return problems;
}

mkdirSync(out, { recursive: true });
const servers = [await serve(port, { api }), await serve(port + 1, { api, hashStyle: false })];
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream'],
});
let failed = 0;
const asked = process.env.LANGUAGES?.split(',').flatMap((language) =>
  (process.env.THEMES ?? 'light').split(',').map((theme) => [theme, language]),
);
const passes = process.env.QUICK
  ? [['dark', 'es']]
  : [
      ['dark', 'es'],
      ['light', 'en'],
    ];
for (const [name, state] of Object.entries(STATES)) {
  if (!only.test(name)) continue;
  for (const [theme, language] of asked ?? passes) {
    const problems = await shoot(browser, name, state, theme, language);
    failed += problems.length;
    for (const problem of problems) console.log(`${name} ${theme} ${language}: ${problem}`);
  }
}
await browser.close();
for (const server of servers) server.close();
console.log(failed ? `${failed} problems` : `all states are fine; pictures in ${out}`);
process.exit(failed ? 1 : 0);
