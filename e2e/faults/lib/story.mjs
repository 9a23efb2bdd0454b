/**
 * What people do in these tests, in steps; what the server acknowledged is written down, and asked for again after every crash.
 *
 * A step that was under way when the process died may have happened or not; `doctor --deep` says whether it happened by half.
 */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { accountsOf, ask, Gone, pause } from './machine.mjs';

export const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** A picture of one grey pixel, made different by a comment. */
const PNG = Buffer.from(
  '89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000000a49444154789c636800000082008177cd72b60000000049454e44ae426082',
  'hex',
);
const pdf = () =>
  Buffer.from(`%PDF-1.4\n%${randomBytes(3000).toString('hex')}\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n`);

const form = (name, type, bytes, meta) => {
  const boundary = 'atalaya-faults';
  const field = meta ? `--${boundary}\r\nContent-Disposition: form-data; name="meta"\r\n\r\n${JSON.stringify(meta)}\r\n` : '';
  const head = `${field}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`;
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
};

/** What the server refused, with its problem. */
export class Refused extends Error {
  constructor(answer) {
    super(`${answer.path}: ${answer.status} ${answer.bytes.toString('utf8').slice(0, 300)}`);
    this.answer = answer;
  }
}

export class Story {
  constructor(machine) {
    this.machine = machine;
    this.accounts = accountsOf(machine.folder);
    this.tokens = {};
    /** What was acknowledged, by kind. */
    this.facts = { conferences: new Map(), media: new Map(), incidences: new Map(), sessions: [] };
    this.acknowledged = 0;
    this.round = 0;
  }

  async call(method, path, { as, json, key, ...rest } = {}) {
    const headers = { ...rest.headers };
    if (as) headers.authorization = `Bearer ${this.tokens[as].token}`;
    if (key) headers['x-client-key'] = key;
    let { body } = rest;
    if (json !== undefined) {
      headers['content-type'] = 'application/json';
      body = JSON.stringify(json);
    }
    const url = path.startsWith('/') ? this.machine.url + path : `${this.machine.url}/api/v1/${path}`;
    const answer = await ask(url, { method, headers, body, timeout: rest.timeout });
    if (answer.status >= 400 && !rest.mayFail) throw new Refused(answer);
    return answer;
  }

  get = (path, options) => this.call('GET', path, options);
  post = (path, json, options) => this.call('POST', path, { json, ...options });

  /** Logs in, once for each account: later crashes must not end the session. */
  async logIn(who) {
    const { email, password } = this.accounts[who];
    const { json } = await this.post('login', { userName: email, password, login: true });
    assert.ok(json.token, `a session for ${who}`);
    this.tokens[who] = { token: json.token, user: json.user };
    this.facts.sessions.push(who);
  }

  #ack(kind, key, fact) {
    this.facts[kind].set(key, { ...this.facts[kind].get(key), ...fact });
    this.acknowledged += 1;
  }

  // The steps of a case, in their order. `this.case` is the one that is told at present.

  async open() {
    const expedient = `FALLO-${++this.round}-${randomBytes(4).toString('hex')}`;
    const { json } = await this.post('getToken', { phoneNumber: '600123123', expedientNumber: expedient, type: 1 }, { as: 'ana' });
    this.case = { id: json.conference._id, hash: json.conference.hash };
    this.#ack('conferences', this.case.id, { hash: this.case.hash, expedient, closed: false });
  }

  async accept() {
    const { json } = await this.get(`external/${this.case.hash}`);
    const { documentId, version, language } = json.legal;
    const answer = await this.post(`external/${this.case.hash}/legal`, { accept: true, documentId, version, language });
    this.case.key = answer.json.clientKey;
    this.#ack('conferences', this.case.id, { track: 'LEGAL_ACCEPTED' });
  }

  async permit() {
    const body = { type: 'PERMISSION_GRANTED', data: { permission: 'camera' } };
    await this.post(`external/${this.case.hash}/track`, body, { key: this.case.key });
    this.acknowledged += 1;
  }

  async #file(name, type, bytes) {
    const { json } = await this.call('POST', `conference-media/${this.case.id}`, { as: 'ana', ...form(name, type, bytes) });
    const item = json.media ?? json;
    this.#ack('media', item._id, { conference: this.case.id, sha256: sha256(bytes), exact: type === 'application/pdf' });
  }

  document = () => this.#file('parte.pdf', 'application/pdf', pdf());
  picture = () => this.#file('foto.png', 'image/png', PNG);

  /** A conference of the demo data that was long enough for a request for files. */
  async #usable() {
    const range = { begin: new Date(Date.now() - 20 * 86_400_000).toISOString(), end: new Date().toISOString() };
    for (const kind of ['autos', 'div']) {
      const path = `conferences-${kind}-details/${this.tokens.ana.user.parent}?limit=200`;
      const { json } = await this.post(path, range, { as: 'ana' });
      const found = json.conferences.find((one) => one.mayRequestFiles);
      if (found) return found._id;
    }
    throw new Error('no conference of the demo data takes requests for files');
  }

  async requestFiles() {
    this.usable ??= await this.#usable();
    const body = { contactType: 1, contactText: 'Unas fotos más:', pageShowText: 'Con luz de día.', conferenceId: this.usable };
    const items = [{ label: 'Factura' }];
    const more = { to: '600123123', emailTitle: '', items, remind: true, notify: true };
    await this.post('client-files/new', { ...body, ...more }, { as: 'ana' });
    const { json } = await this.get(`outbox?channel=sms&to=${encodeURIComponent('+34600123123')}&limit=20`, { as: 'admin' });
    const links = json.outbox.map(({ text }) => text.match(/https?:\/\/\S+\/f\/\w+/)?.[0]);
    const link = links.find(Boolean);
    const answer = await this.get(new URL(link).pathname, { mayFail: true });
    this.case.files = new URL(answer.headers.location, this.machine.url).pathname.split('/').pop();
    this.acknowledged += 1;
  }

  /** An upload in two pieces. One that a crash interrupted is continued where the server says. */
  async send() {
    const base = `external/files/${this.case.files}`;
    const tus = { 'tus-resumable': '1.0.0' };
    if (!this.case.upload) {
      const { json } = await this.get(base);
      const bytes = pdf();
      const text = (value) => Buffer.from(value).toString('base64');
      const about = { filename: 'factura.pdf', filetype: 'application/pdf', item: json.items[0]._id, uploadKey: `clave-${randomBytes(6).toString('hex')}` };
      const metadata = Object.entries(about).map(([name, value]) => `${name} ${text(value)}`).join(',');
      this.case.upload = { bytes, metadata };
    }
    const { upload } = this.case;
    const created = await this.call('POST', `${base}/uploads`, {
      headers: { ...tus, 'upload-length': String(upload.bytes.length), 'upload-metadata': upload.metadata },
    });
    const place = new URL(created.headers.location, this.machine.url).pathname;
    const head = await this.call('HEAD', place, { headers: tus });
    let offset = Number(head.headers['upload-offset']);
    assert.ok(offset >= (upload.acknowledged ?? 0), `the server lost ${upload.acknowledged - offset} acknowledged bytes of an upload`);
    let media = head.headers['upload-media'];
    while (offset < upload.bytes.length) {
      const piece = upload.bytes.subarray(offset, offset + Math.ceil(upload.bytes.length / 2));
      const headers = { ...tus, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' };
      const sent = await this.call('PATCH', place, { headers, body: piece });
      offset = Number(sent.headers['upload-offset']);
      upload.acknowledged = offset;
      media = sent.headers['upload-media'] ?? media;
    }
    assert.ok(media, 'the last piece names the file');
    this.#ack('media', media, { conference: this.usable, sha256: sha256(upload.bytes), exact: true });
  }

  async incidence() {
    const files = [{ src: `data:image/png;base64,${PNG.toString('base64')}`, name: 'pantalla.png' }];
    const body = { incidence: { type: 2, reason: 5, comments: 'No encuentro el informe.' }, files, user: {} };
    const { json } = await this.post('send-incidence', body, { as: 'ana' });
    this.#ack('incidences', json.incidence._id, {});
  }

  async close() {
    await this.post(`conference-close/${this.case.id}`, {}, { as: 'ana' });
    this.#ack('conferences', this.case.id, { closed: true });
  }

  async certify() {
    await this.get(`print-cert/${this.case.id}`, { as: 'ana' });
    this.acknowledged += 1;
  }

  async erase() {
    // From here on it may be erased, acknowledged or not.
    Object.assign(this.facts.conferences.get(this.case.id), { leaving: true });
    for (const [id, fact] of this.facts.media) if (fact.conference === this.case.id) this.facts.media.delete(id);
    await this.post(`conference-erase/${this.case.id}`, { reason: 'Derecho de supresión' }, { as: 'cliente' });
    this.#ack('conferences', this.case.id, { erased: true });
  }

  // The steps of a month.

  #processes = async () => (await this.get('invoice-processes', { as: 'admin' })).json;

  async #until(good, what, timeout = 60_000) {
    const deadline = Date.now() + timeout;
    for (;;) {
      const state = await this.#processes();
      if (good(state)) return state;
      if (Date.now() > deadline) throw new Error(`${what} did not end: ${JSON.stringify(state).slice(0, 400)}`);
      await pause(100);
    }
  }

  async issue() {
    await this.post('generate-all-invoices', {}, { as: 'admin' });
    this.month = 'issuing';
    this.acknowledged += 1;
    await this.issued();
  }

  issued = () => this.#until(({ running, processes: [month] }) => !running && month.issued === month.toInvoice, 'the run');

  async mail() {
    await this.post('send-all-invoices', {}, { as: 'admin' });
    this.month = 'mailing';
    this.acknowledged += 1;
    await this.mailed();
  }

  mailed = () => this.#until(({ running, processes: [month] }) => !running && month.sent === month.issued, 'the sending');

  async debit() {
    const { json } = await this.post('mail-xml-sepa', { secret: 'mil grullas de papel' }, { as: 'admin' });
    this.remittance = json.remittance?._id ?? json._id ?? true;
    this.acknowledged += 1;
  }

  // What is asked for after a crash.

  /** Every acknowledged thing of this kind of story, as its own caller sees it. Answers what is lost. */
  async lost({ all = false } = {}) {
    const lost = [];
    const missing = (what, told) => lost.push(`${what}: ${told}`);
    for (const who of Object.keys(this.tokens)) {
      const { status } = await this.get('me', { as: who, mayFail: true });
      if (status === 401) missing(`session of ${who}`, status);
    }
    const some = (map, many) => (all ? [...map] : [...map].slice(-many));
    for (const [id, fact] of some(this.facts.conferences, 3)) await this.#conference(id, fact, missing);
    for (const [id, fact] of some(this.facts.media, 5)) await this.#media(id, fact, missing);
    for (const [id] of some(this.facts.incidences, 2)) {
      const { status } = await this.get(`incidence/${id}`, { as: 'ana', mayFail: true });
      if (status !== 200) missing(`incidence ${id}`, status);
    }
    if (this.month === 'issuing') await this.issued();
    if (this.month === 'mailing') await this.mailed();
    return lost;
  }

  async #conference(id, fact, missing) {
    const { status, json } = await this.get(`conferences-details/${id}`, { as: 'ana', mayFail: true });
    if (status !== 200) return missing(`conference ${id}`, status);
    const tracks = json.tracks.map(({ type }) => type);
    if (fact.closed && !json.conference.closed) missing(`closing of ${id}`, 'open');
    if (fact.track && !tracks.includes(fact.track)) missing(`${fact.track} of ${id}`, tracks);
    if (!fact.leaving && json.conference.expedientNumber !== fact.expedient) missing(`case number of ${id}`, json.conference.expedientNumber);
    const created = tracks.filter((type) => type === 'CONFERENCE_CREATED').length;
    if (created > 1) missing(`creation of ${id}`, `${created} times`);
    if (fact.erased) {
      const media = await this.get(`conference-media/${id}`, { as: 'ana', mayFail: true });
      if (media.json?.media?.some(({ expired }) => !expired)) missing(`erasure of ${id}`, 'files are there');
    }
  }

  async #media(id, fact, missing) {
    const { status, json } = await this.get(`conference-media/${fact.conference}`, { as: 'ana', mayFail: true });
    const found = json?.media?.filter(({ _id }) => _id === id) ?? [];
    if (status !== 200 || found.length !== 1) return missing(`file ${id}`, `${status}, ${found.length} times`);
    const bytes = await this.get(found[0].url, { as: 'ana', mayFail: true });
    if (bytes.status !== 200) missing(`bytes of ${id}`, bytes.status);
    else if (fact.exact && sha256(bytes.bytes) !== fact.sha256) missing(`bytes of ${id}`, 'others');
  }
}

/** Steps of one round, by the name of their story. */
export const STORIES = {
  case: ['open', 'accept', 'permit', 'document', 'picture', 'requestFiles', 'send', 'incidence', 'close', 'certify', 'erase'],
  month: ['issue', 'mail', 'debit'],
};

/** Steps that a client tries again by itself: the second time may be refused, never fail. */
const REPEATED = ['accept', 'permit', 'send', 'close', 'certify', 'erase'];

/** What a client does after the crash in the middle of this step. */
export async function repeat(story, step) {
  if (!REPEATED.includes(step)) return;
  try {
    await story[step]();
  } catch (error) {
    if (!(error instanceof Refused) || error.answer.status >= 500) throw error;
  }
}

/** Tells the story from its beginning. Answers the step that failed and why, if one did. */
export async function tell(story, steps, { from = 0 } = {}) {
  for (const step of steps.slice(from)) {
    try {
      await story[step]();
    } catch (error) {
      return { step, error, gone: error instanceof Gone };
    }
  }
  return { step: undefined };
}
