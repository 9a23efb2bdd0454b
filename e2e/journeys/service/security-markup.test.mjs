/**
 * Markup that an enemy writes: into every text field that the API takes (found in its description, so that a new field is in it
 * by itself), into every query and address. Then the pages that show it are opened. Nothing of it may become an element, run,
 * ask, or even reach the browser's policy. Needs ATALAYA_BIN.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openPage } from '../lib/browsers.mjs';
import { closedWithPicture, linkFromOutbox, logIn, openConference, session } from '../lib/steps.mjs';
import { world } from '../lib/world.mjs';

const api = JSON.parse(readFileSync(new URL('../../../docs/reference/openapi.json', import.meta.url), 'utf8'));
const PHONE = '+34600123777';
/** Operations that end a session, take something away for good, or reach strangers: the journey goes on after them. */
const LEFT_OUT =
  /logout|login|session|password|erase|delete|revoke|2fa|passkey|renew|cancel|withdraw|whatsapp|restart|stop|reset|close|remove|proof|activat|token|push|socket|sepa|mandate|remittance|invoice|iban|verifactu|price|legal|hooks|ext-api|expired|decline|change-run|broadcast|external/i;
/** Fields whose value is a key, a file or a choice, and no words. */
const NO_WORDS = /^(token|activationToken|password|oldPassword|secret|code|src|hash|credential|ceremony|idempotencyKey)$/;

let server, browser, admin, customer, worker, conference, link, picture;
const { account, errors } = world('markup', async (made) => {
  ({ server, browser } = made);
  [admin, customer, worker] = await Promise.all(['administrator', 'customer', 'worker'].map((what) => session(server.url, account(what))));
  const page = await openPage(browser, 'preparing', errors);
  await logIn(page, server.url, account('worker'));
  conference = await openConference(page, server.url, { expedient: 'XSS-1', phone: '600 123 777' });
  link = (await linkFromOutbox(admin, PHONE)).link;
  picture = await closedWithPicture(customer);
  await page.context().close();
});

let marks = 0;
const written = [];
/** Markup with a number of its own: it asks, and leaves an element that can be found. */
const long = (n) => `"><img src=x data-owned=${n} onerror=alert(${n})><script>alert(${n})</script>`;
const short = (n) => `<b data-owned=${n}>`;

const resolve = (schema) => (schema?.$ref ? api.components.schemas[schema.$ref.split('/').at(-1)] : (schema ?? {}));

/** The parts of a schema that is one of several. */
function variants(schema) {
  const own = resolve(schema);
  const parts = [...(own.oneOf ?? []), ...(own.anyOf ?? []), ...(own.allOf ?? [])];
  return parts.length ? parts.flatMap(variants) : [own];
}

const isType = (schema, kind) => [schema.type].flat().includes(kind);

/** Ways to every text of a body: `['user', 'name']`; `0` is the first of a list. */
function texts(schema, way = [], seen = []) {
  return variants(schema).flatMap((own) => {
    if (seen.includes(own)) return [];
    if (own.properties) return Object.entries(own.properties).flatMap(([name, field]) => texts(field, [...way, name], [...seen, own]));
    if (own.items) return texts(own.items, [...way, 0], [...seen, own]);
    const words = isType(own, 'string') && !own.enum && !['uuid', 'date', 'date-time', 'binary'].includes(own.format);
    return words && !NO_WORDS.test(String(way.at(-1))) ? [way] : [];
  });
}

let serial = 0;
/** Something good for a field, by its name. */
function plain(name, schema, ids) {
  const own = variants(schema).find((one) => one.type !== 'null') ?? {};
  serial += 1;
  if (own.enum) return own.enum[0];
  if (own.properties) return body(own, ids);
  if (own.items) return [];
  if (isType(own, 'boolean')) return true;
  if (isType(own, 'integer') || isType(own, 'number')) return name === 'reason' ? 5 : 1;
  if (own.format === 'date') return new Date().toISOString().slice(0, 10);
  if (own.format === 'date-time') return new Date(Date.now() + 3_600_000).toISOString();
  if (name === '_id' || /id$/i.test(name)) return ids[name] ?? ids._id;
  if (/emailOPhone|email|userName|^to$/.test(name)) return `marca${serial}@ejemplo.es`;
  if (/phone|mobile/i.test(name)) return '600123777';
  if (/url/i.test(name)) return 'https://example.org/aviso';
  if (/At$/.test(name)) return new Date(Date.now() + 3_600_000).toISOString();
  if (/key/.test(name)) return 'facade';
  return 'Texto';
}

/** A body with what is required. */
function body(schema, ids) {
  const own = resolve(schema);
  const needed = own.required ?? [];
  return Object.fromEntries(needed.filter((name) => own.properties?.[name]).map((name) => [name, plain(name, own.properties[name], ids)]));
}

/** Puts a value at the end of a way; what lies on it is filled as far as it must be. */
function put(target, schema, way, value, ids) {
  const [step, ...rest] = way;
  const own = variants(schema).find((one) => one.properties || one.items) ?? {};
  const field = step === 0 ? own.items : own.properties?.[step];
  if (rest.length === 0) {
    target[step] = value;
    return;
  }
  const next = variants(field).find((one) => one.properties || one.items) ?? {};
  target[step] = next.items ? [] : { ...('_id' in (next.properties ?? {}) ? { _id: ids._id } : {}), ...body(next, ids) };
  put(target[step], field, rest, value, ids);
}

/** The ids that an operation is about, for whoever calls it. */
function idsFor(path, who) {
  const about = /user|incidence(s)?\//.test(path) ? who.user._id : /customer|compan|shots\/|sms-|persons|privacy/.test(path) ? who.user.parent : conference;
  return {
    _id: /customer|repairer|carRep/i.test(path) ? who.user.parent : /media/.test(path) ? picture.item._id : about,
    id: /media-/.test(path) ? picture.item._id : about,
    conferenceId: conference,
    customerId: who.user.parent,
    companyId: who.user.parent,
    parentId: who.user.parent,
    userId: who.user._id,
    mediaId: picture.item._id,
    expedientNumber: 'XSS-1',
    userName: 'marca@ejemplo.es',
  };
}

const send = (who, method, path, content) =>
  fetch(server.url + path, {
    method,
    headers: { ...who.headers, 'content-type': 'application/json' },
    body: JSON.stringify(content),
  });

/** Tries one field as everybody until somebody may write it; answers the number, or why nobody could. */
async function write(method, path, schema, way) {
  let why = '';
  for (const who of [customer, worker, admin]) {
    const ids = idsFor(path, who);
    const address = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(ids[name] ?? conference));
    for (const make of [long, short]) {
      marks += 1;
      const n = marks;
      const content = body(schema, ids);
      put(content, schema, way, make(n), ids);
      const answer = await send(who, method, address, content);
      assert.ok(answer.status < 500, `${method} ${path} ${way.join('.')}: ${answer.status} ${await answer.text()}`);
      if (answer.ok) return { n };
      why = `${answer.status} ${(await answer.json().catch(() => ({}))).code ?? ''}`;
      // Nobody of this kind may: the next one is asked. A value that is refused may be too long.
      if ([401, 403, 404].includes(answer.status)) break;
    }
  }
  return { why };
}

test('every text field takes markup as words or refuses it', async (t) => {
  const refused = [];
  for (const [path, item] of Object.entries(api.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const schema = operation.requestBody?.content?.['application/json']?.schema;
      if (!schema || LEFT_OUT.test(path)) continue;
      for (const way of texts(schema)) {
        const { n, why } = await write(method.toUpperCase(), path, schema, way);
        const name = `${method.toUpperCase()} ${path} ${way.join('.')}`;
        if (n) written.push({ n, name });
        else refused.push(`${name}: ${why}`);
      }
    }
  }
  t.diagnostic(`${written.length} fields took markup, ${refused.length} refused it`);
  for (const line of refused) t.diagnostic(line);
  assert.ok(written.length >= 8, `enough fields were reached: ${written.map(({ name }) => name).join(', ')}`);
});

test('the client and the client’s page take it too', async () => {
  const hash = new URL((await fetch(link, { redirect: 'manual' })).headers.get('location'), server.url).pathname.split('/').at(-1);
  const post = (call, content, headers = {}) =>
    fetch(`${server.url}/api/v1/external/${hash}/${call}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(content),
    });
  const { legal } = await (await fetch(`${server.url}/api/v1/external/${hash}`)).json();
  const notice = { accept: true, documentId: legal.documentId, version: legal.version, language: legal.language };
  const { clientKey } = await (await post('legal', notice)).json();
  for (const [call, content] of [
    ['join', (mark) => ({ camera: true, microphone: true, device: mark })],
    ['chat', (mark) => ({ text: mark })],
  ]) {
    marks += 1;
    const answer = await post(call, content(call === 'join' ? short(marks) : long(marks)), { 'x-client-key': clientKey });
    assert.ok(answer.status < 500, `${call}: ${answer.status}`);
    if (answer.ok) written.push({ n: marks, name: `external ${call}` });
  }
});

test('no answer of the API is a page with what was asked', async () => {
  const mark = '"><img src=x data-owned=0 onerror=alert(0)>';
  for (const [path, item] of Object.entries(api.paths)) {
    const parameters = (item.get?.parameters ?? []).filter((one) => one.in === 'query' && isType(resolve(one.schema), 'string'));
    if (!item.get || /logout|generate|stop|restart|clean|delete|mark-as|events|renew|2fa|update-|send-all/i.test(path)) continue;
    const ids = idsFor(path, customer);
    const hostile = encodeURIComponent(mark);
    const inPath = path.replace(/\{(\w+)\}/g, hostile);
    const inQuery = `${path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(ids[name] ?? conference))}?${parameters.map(({ name }) => `${name}=${hostile}`).join('&')}`;
    for (const address of [inPath, inQuery]) {
      const answer = await fetch(server.url + address, { headers: customer.headers, redirect: 'manual' });
      const text = await answer.text();
      assert.ok(answer.status < 500, `${address}: ${answer.status}`);
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff', address);
      const kind = answer.headers.get('content-type') ?? '';
      assert.ok(!/html|svg|xml/.test(kind) || !text.includes('<img src=x data-owned'), `${address} answers ${kind} with the markup in it`);
    }
  }
});

/** Runs in the page, before its own scripts. */
const listen = () =>
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
    console.error(`VIOLATION ${violatedDirective} ${blockedURI} ${sample}`),
  );

/** Runs in the page: elements of the markup, in frames and shadows as well. */
function owned() {
  const found = [];
  const look = (root) => {
    for (const one of root.querySelectorAll('[data-owned]')) found.push(one.outerHTML.slice(0, 120));
    for (const one of root.querySelectorAll('*')) {
      if (one.shadowRoot) look(one.shadowRoot);
      if (one.localName === 'iframe' && one.contentDocument) look(one.contentDocument);
    }
  };
  look(document);
  return found;
}

/** A page that tells of every dialog and breach. */
async function watched(name, options) {
  const page = await openPage(browser, name, errors, options);
  const wrong = [];
  page.on('dialog', (dialog) => {
    wrong.push(`${page.url()} asks ${dialog.message()}`);
    dialog.dismiss().catch(() => undefined);
  });
  page.on('console', (message) => {
    if (/VIOLATION|Content Security Policy|TrustedHTML|TrustedScript/i.test(message.text())) wrong.push(`${page.url()}: ${message.text()}`);
  });
  await page.addInitScript(listen);
  return { page, wrong };
}

/** Which numbers are shown as words. */
const shown = new Set();

async function look({ page, wrong }, path) {
  await page.goto(server.url + path);
  // A page that the markup is no address of may be empty; one with an event stream is never idle.
  await page.locator('h1').first().waitFor({ timeout: 10_000 }).catch(() => undefined);
  await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined);
  for (const one of await page.evaluate(owned)) wrong.push(`${path} has ${one}`);
  const words = await page.evaluate(() => {
    const fields = [...document.querySelectorAll('input, textarea')].map(({ value }) => value);
    return [document.body.innerText, ...fields].join('\n');
  });
  for (const [, n] of words.matchAll(/data-owned=(\d+)/g)) shown.add(Number(n));
}

const pagesOf = {
  administrator: () => [
    '/logs',
    '/customers',
    '/repairers',
    '/car-reparations',
    '/insurance-companies',
    `/users/${customer.user.parent}`,
    `/user/${customer.user.parent}/${customer.user._id}`,
    `/customer/${customer.user.parent}/perfil`,
    '/message-service',
    '/setup',
    '/incidences/0',
    `/incidences/${admin.user._id}`,
    '/conferences-autos/0?begin=2026-01-01',
    '/conferences-div/0?begin=2026-01-01',
    `/statistics/${customer.user.parent}`,
    '/conference-reports',
    '/verifactu',
  ],
  customer: () => [
    `/customer/${customer.user.parent}/perfil`,
    `/users/${customer.user.parent}`,
    `/sms-client-conference/${customer.user._id}`,
    `/conferences-autos/${customer.user.parent}`,
    '/expedient/XSS-1',
    `/incidences/${customer.user._id}`,
    `/statistics/${customer.user.parent}`,
    '/api',
  ],
  worker: () => [
    '/vp-form',
    `/conferences-autos/${worker.user.parent}`,
    '/expedient/XSS-1',
    `/conference/${conference}`,
    `/user/${worker.user.parent}/${worker.user._id}`,
    `/incidences/${worker.user._id}`,
  ],
};

for (const [what, paths] of Object.entries(pagesOf))
  test(`nothing of it lives on the pages of the ${what}`, async () => {
    const opened = await watched(what);
    await logIn(opened.page, server.url, account(what));
    for (const path of paths()) {
      await look(opened, path);
      // Reflected: what the address says is looked for, shown, or ignored.
      const hostile = encodeURIComponent(long(0));
      await look(opened, `${path.split('?')[0]}?search=${hostile}&q=${hostile}&tab=${hostile}&state=${hostile}#${hostile}`);
    }
    assert.deepEqual(opened.wrong, []);
    await opened.page.context().close();
  });

test('nothing of it lives on the client’s pages and the public ones', async () => {
  const opened = await watched('client', { size: 'phone' });
  await opened.page.goto(link);
  await opened.page.locator('h1').first().waitFor();
  const hostile = encodeURIComponent(short(0));
  for (const path of [
    new URL(opened.page.url()).pathname,
    '/login',
    `/login?next=${encodeURIComponent('javascript:alert(1)')}&returnUrl=${encodeURIComponent('//evil.example/')}`,
    `/login?next=${hostile}#${hostile}`,
    `/external/${hostile}`,
    `/external/files/${hostile}`,
    `/marketing/${hostile}`,
    `/remember-form/${hostile}`,
    `/customer-activation/${hostile}`,
    `/verificar/${hostile}`,
    `/verificar?code=${hostile}`,
    `/codigo?code=${hostile}`,
  ])
    await look(opened, path);
  assert.equal(new URL(opened.page.url()).origin, server.url, 'no address leads away');
  assert.deepEqual(opened.wrong, []);
  await opened.page.context().close();
});

test('what was written is seen as words', (t) => {
  const seen = written.filter(({ n }) => shown.has(n));
  t.diagnostic(`${seen.length} of ${written.length} fields were seen on a page`);
  assert.ok(seen.length >= 4, `enough of it is on some page: ${seen.map(({ name }) => name).join(', ')}`);
});
