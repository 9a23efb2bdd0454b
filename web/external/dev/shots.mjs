// Screenshots of every state of the client's page at phone size, both themes, both languages, with axe on each.
// Run after a build: node external/dev/shots.mjs [folder] [only-these-states]. LANGUAGES=ar,de takes those, light. Fails on a serious axe finding, a request
// to another origin, an error in the console or a control smaller than 60 px.
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';
import { serve } from './serve.mjs';

const out = process.argv[2] ?? '/tmp/atalaya-client-shots';
const only = process.argv[3] ? new RegExp(process.argv[3]) : /./;
const port = Number(process.env.PORT ?? 5182);
const origin = `http://127.0.0.1:${port}`;
const hash = 'a'.repeat(32);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';
const WHATSAPP =
  'Mozilla/5.0 (Linux; Android 14; SM-A546B Build/UP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/142.0.0.0 Mobile Safari/537.36 WhatsApp/2.24';

const notice = (language) =>
  readFileSync(new URL(`../../../crates/content/src/legal/notice_v2_${language}.html`, import.meta.url), 'utf8')
    .replaceAll('{company}', 'Mutua Tramontana')
    .replaceAll('{expedient}', '2026-118392')
    .replaceAll('{retention}', '31')
    .replaceAll('{contact}', 'privacidad@tramontana.example');
const info = (language, extra = {}) => ({
  state: 'open',
  company: 'Mutua Tramontana',
  adjuster: 'Nuria Ferrer',
  expedientNumber: '2026-118392',
  type: 1,
  carId: '4821 LKM',
  contactPerson: 'Carmen Ruiz',
  language,
  languages: ['es', 'en'],
  expiredAt: '2026-11-22T11:40:00.000Z',
  retentionDays: 31,
  legal: {
    documentId: 'd1',
    version: 3,
    language,
    title: 'Antes de empezar',
    html: notice(language),
    sha256: 'f'.repeat(64),
  },
  recording: { state: 'idle' },
  contactPhone: '+34 971 000 000',
  ...extra,
});

const deny = (name, message = 'Permission denied') =>
  `navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('${message}', '${name}'));`;
const hang = 'navigator.mediaDevices.getUserMedia = () => new Promise(() => {});';
const noDevices = "Object.defineProperty(navigator, 'mediaDevices', { value: undefined });";
const returning = (steps) =>
  `localStorage.setItem('atalaya-client-${hash}', 'k'); localStorage.setItem('atalaya-client-steps-${hash}', '${JSON.stringify(steps)}');`;
const done = { camera: 'granted', microphone: 'granted', geolocation: 'granted' };

const main = (page) => page.locator('.actions .b.main').first().click();
const accept = async (page) => {
  await page.locator('.tick').click();
  await main(page);
  await page.locator('.prompt').waitFor();
};
const refuse = async (page) => {
  await accept(page);
  await main(page);
  await page.locator('.badge').waitFor();
};
const chat = [
  {
    _id: 'm1',
    from: 'user:1',
    name: 'Nuria Ferrer',
    kind: 'staff',
    text: 'Buenos días, Carmen.',
    at: '2026-11-21T11:44:00.000Z',
  },
  {
    _id: 'm2',
    from: 'client:1',
    name: 'Carmen Ruiz',
    kind: 'client',
    text: 'Buenos días. Estoy junto al coche.',
    at: '2026-11-21T11:45:00.000Z',
  },
  {
    _id: 'm3',
    from: 'user:1',
    name: 'Nuria Ferrer',
    kind: 'staff',
    text: 'Acérquese a la rozadura, a un palmo.',
    at: '2026-11-21T11:46:00.000Z',
  },
];
const joinAnswer = {
  url: `ws://127.0.0.1:${port}`,
  token: 'x',
  identity: 'client:1',
  conference: { _id: 'c' },
  recording: { state: 'recording', elapsedMs: 320_000 },
  chat,
};
const inCall = async (page) => {
  await main(page);
  await page.locator('.said').waitFor();
  await page.waitForTimeout(600);
};

const STATES = {
  '01-notice': {},
  '02-notice-nudged': { act: (page) => main(page) },
  '03-camera-iphone': { agent: IPHONE, act: accept },
  '04-camera-android': { act: accept },
  '05-asking': {
    init: hang,
    agent: IPHONE,
    act: async (page) => {
      await accept(page);
      await main(page);
      await page.locator('main[aria-busy="true"]').waitFor();
    },
  },
  '06-slow': {
    init: hang,
    act: async (page) => {
      await accept(page);
      await main(page);
      await page.locator('.actions .b').last().click();
      await page.locator('.told').waitFor();
    },
  },
  '07-camera-blocked-iphone': {
    init: deny('NotAllowedError'),
    agent: IPHONE,
    act: async (page) => {
      await refuse(page);
      await page.locator('.told').waitFor();
    },
  },
  '08-camera-blocked-android': { init: deny('NotAllowedError'), act: refuse },
  '09-camera-busy': { init: deny('NotReadableError'), act: refuse },
  '10-camera-missing': { init: deny('NotFoundError'), act: refuse },
  '11-microphone': { init: returning({ camera: 'granted' }), wait: '.prompt' },
  '12-one-by-one': {
    agent: IPHONE,
    act: async (page) => {
      await accept(page);
      await page.locator('.actions .b').last().click();
    },
  },
  '12-unanswered': {
    init: deny('NotAllowedError', 'Permission dismissed'),
    act: refuse,
  },
  '13-inapp-android': { init: noDevices, agent: WHATSAPP, wait: '.badge' },
  '14-unsupported': { init: noDevices, wait: '.badge' },
  '15-resume': { init: returning(done), wait: '.badge' },
  '16-call': { init: returning(done), wait: '.badge', call: true, act: inCall },
  '17-chat': {
    init: returning(done),
    wait: '.badge',
    call: true,
    act: async (page) => {
      await inCall(page);
      await page.locator('.write').click();
    },
  },
  '18-leave': {
    init: returning(done),
    wait: '.badge',
    call: true,
    act: async (page) => {
      await inCall(page);
      await page.locator('.round.bad').click();
    },
  },
  '19-left': {
    init: returning(done),
    wait: '.badge',
    call: true,
    act: async (page) => {
      await inCall(page);
      await page.locator('.round.bad').click();
      await page.locator('.b.bad').click();
      await page.locator('.page').waitFor();
    },
  },
  '20-call-voice-only': { init: returning({ ...done, camera: 'denied' }), wait: '.badge', call: true, act: inCall },
  '21-ended': { init: returning(done), info: { state: 'closed' }, wait: '.badge' },
  '22-closed': { info: { state: 'closed' }, wait: '.badge' },
  '23-expired': { info: { state: 'expired' }, wait: '.badge' },
  '24-declined': {
    act: async (page) => {
      await page.locator('.pair .b').last().click();
      await page.locator('.pair').waitFor({ state: 'detached' });
    },
  },
  '25-unknown': { status: 404, wait: '.badge' },
  '26-offline': { status: 503, wait: '.badge' },
  '27-code': { path: '/codigo', wait: '.code' },
  '33-no-script': { script: false, wait: 'noscript h1' },
  '34-script-fails': { block: true, wait: '.late h1', act: (page) => page.waitForTimeout(12_500) },
  '28-code-wrong': {
    path: '/external',
    wait: '.code',
    act: async (page) => {
      await page.locator('.code').fill('123456');
      await main(page);
      await page.locator('.problem:not(:empty)').waitFor();
    },
  },
  '29-notice-200': { zoom: true },
  '30-camera-blocked-200': { zoom: true, init: deny('NotAllowedError'), act: refuse },
  '31-call-200': { zoom: true, init: returning(done), wait: '.badge', call: true, act: inCall },
  '32-notice-no-style-hash': { strict: true },
};

async function mock(context, state, language) {
  await context.route('**/api/v1/external/**', (route) => {
    const url = route.request().url();
    const json = (status, body) => route.fulfill({ status, json: body });
    if (url.endsWith('/track')) return route.fulfill({ status: 204 });
    if (url.endsWith('/legal')) return json(200, route.request().postDataJSON().accept ? { clientKey: 'k' } : {});
    if (url.endsWith('/code')) return json(422, { code: 'CODE_INVALID' });
    if (url.endsWith('/leave')) return route.fulfill({ status: 204 });
    if (url.endsWith('/join')) return state.call ? json(200, joinAnswer) : json(503, {});
    if (state.status) return json(state.status, { code: 'LINK_UNKNOWN' });
    return json(200, info(language, state.info));
  });
}

async function check(page) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  const serious = found.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const small = await page.evaluate(() =>
    [...document.querySelectorAll('button, .b, .tick, select, summary, input:not([type=checkbox]):not([type=file])')]
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
    ...small.map((text) => `small target: ${text}`),
    ...(wide ? ['scrolls sideways'] : []),
  ];
}

const LOCALES = { es: 'es-ES', en: 'en-GB', ar: 'ar-MA' };

async function shoot(browser, name, state, theme, language) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 1,
    colorScheme: theme,
    locale: LOCALES[language] ?? language,
    userAgent: state.agent ?? ANDROID,
    javaScriptEnabled: state.script ?? true,
    hasTouch: true,
    isMobile: true,
    geolocation: { latitude: 39.57, longitude: 2.65 },
    permissions: ['geolocation'],
  });
  const problems = [];
  try {
    if (state.init) await context.addInitScript(state.init);
    if (state.block) await context.route('**/*.js', (route) => route.abort());
    await mock(context, state, language);
    const page = await context.newPage();
    page.on('request', (request) => {
      if (!request.url().startsWith(origin) && !/^(data|blob):/.test(request.url()))
        problems.push(`leaves the origin: ${request.url()}`);
    });
    page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
    const base = state.strict ? origin.replace(port, port + 1) : origin;
    await page.goto(`${base}${state.path ?? `/external/${hash}`}`);
    if (state.zoom) await page.addStyleTag({ content: '' }).catch(() => {});
    if (state.zoom) await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
    await page
      .locator(state.wait ?? '.legal li')
      .first()
      .waitFor({ timeout: 8000 });
    await state.act?.(page);
    await page.waitForTimeout(150);
    if (state.strict) problems.splice(0);
    if (state.script !== false) problems.push(...(await check(page)));
    await page.screenshot({ path: `${out}/${name}-${theme}-${language}.png`, fullPage: state.zoom ?? false });
  } catch (error) {
    problems.push(String(error).split('\n')[0]);
  } finally {
    await context.close();
  }
  return problems;
}

mkdirSync(out, { recursive: true });
const servers = [await serve(port), await serve(port + 1, { hashStyle: false })];
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
  ],
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
