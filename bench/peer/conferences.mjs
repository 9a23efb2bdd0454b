/** The list of conferences and one conference with all that belongs to it, in the shapes of `crates/cases` and `crates/assistance`. */
import { unsealed } from './accounts.mjs';

const DAY_MS = 86_400_000;
const MASK = '••••••••';
const PAGE_MAX = 200;

const CONFERENCE = `id, expedient_number, conference_type, created_at, customer_name, user_name, phone_number, contact_person, email,
  full_address, address, city, city_region, postal_code, region, car_id, duration_s, sid, closed, closed_at, expired_at, hash,
  short_code, media_request_expired, files_requested, language, company_id, user_id, app_type, contact_id, erased_at,
  media_seen_at, media_expired_at, last_seq, projection, data_key`;

/** Whether files may be asked for (FILES-1). */
function mayRequest(row, days, now) {
  const age = Math.floor((now - Date.parse(row.created_at)) / DAY_MS);
  const open = row.media_request_expired ? Date.parse(row.media_request_expired) > now : age < 30;
  const keptOut = !row.sid && row.projection.problem != null;
  return row.data_key !== null && !row.media_expired_at && age < days && open && (keptOut || (row.duration_s ?? 0) > 22);
}

function view(row, rooms, isNewMedia, companyDays, now) {
  const days = Math.max(companyDays ?? 31, 31);
  const created = Date.parse(row.created_at);
  return {
    _id: row.id,
    expedientNumber: row.expedient_number,
    type: row.conference_type,
    createdAt: row.created_at,
    customerName: row.customer_name,
    userName: row.user_name,
    phoneNumber: row.phone_number,
    contactPerson: row.contact_person,
    email: row.email,
    fullAddress: row.full_address,
    address: row.address,
    city: row.city,
    cityRegion: row.city_region,
    postalCode: row.postal_code,
    region: row.region,
    carId: row.car_id,
    duration: row.duration_s,
    sid: row.sid,
    closed: row.closed,
    closedAt: row.closed_at,
    expiredAt: row.expired_at,
    rooms: rooms.map((room) => ({ sid: room.sid, startedAt: room.started_at, endedAt: room.ended_at })),
    jwt: null,
    hash: row.hash,
    isNewMedia,
    mediaRequestExpired: row.media_request_expired,
    filesRequested: row.files_requested,
    mayRequestFiles: mayRequest(row, days, now),
    mediaExpired: now >= created + days * DAY_MS || row.media_expired_at !== null,
    mediaExpiresAt: new Date(created + days * DAY_MS).toISOString().replace('.000Z', 'Z'),
    language: row.language,
    customerId: row.company_id,
    userId: row.user_id,
    appType: row.app_type,
    contactId: row.contact_id,
    erased: row.erased_at !== null,
  };
}

function observation(row, now) {
  const seen = row.projection;
  if (!row.closed && Date.parse(row.expired_at) > now) return 'pending';
  if (!seen.openedAt) return 'noLink';
  if (!seen.legalAcceptedAt) return 'noLegal';
  const connected = Boolean(seen.clientConnectedAt);
  if (seen.permissionDenied && !connected) return 'permissions';
  const media = (seen.pictures ?? 0) + (seen.videos ?? 0) + (seen.documents ?? 0) > 0;
  return connected && (media || (row.duration_s ?? 0) > 10) ? 'correct' : 'unknown';
}

function durationState(row, now) {
  if (row.duration_s !== null) return row.duration_s > 10 ? 'seconds' : 'lessThanTen';
  if (row.sid && row.closed) return 'pending';
  return Date.parse(row.expired_at) > now ? 'notExpired' : 'noSession';
}

function grouped(rows, key) {
  const groups = new Map();
  for (const row of rows) {
    const group = groups.get(row[key]);
    if (group) group.push(row);
    else groups.set(row[key], [row]);
  }
  return groups;
}

/** The closers of those that nobody was in, by conference. */
async function closersOf(db, rows, account) {
  const never = rows.filter((row) => row.closed && !row.sid);
  if (never.length === 0) return new Map();
  const events = await db.rows(
    `SELECT conference_id, actor FROM evidence_event WHERE ${db.among('conference_id', never.length)} AND event_type = 'CONFERENCE_CLOSED'`,
    never.map((row) => row.id),
  );
  const byUser = events.filter((event) => event.actor.startsWith('user:')).map((event) => [event.conference_id, event.actor.slice(5)]);
  const ids = [...new Set(byUser.map(([, user]) => user))];
  const users = ids.length === 0 ? [] : await db.rows(`SELECT id, role, parent, name, surname FROM app_user WHERE ${db.among('id', ids.length)}`, ids);
  const names = new Map(users.filter((user) => user.parent === account.parent).map((user) => [user.id, `${user.name} ${user.surname}`.trim()]));
  return new Map(byUser.map(([conference, user]) => [conference, names.get(user) ?? '']));
}

/** `conferences-div-details/{id}` for a principal: a page, newest first, and how many there are. */
export async function list(db, account, id, query, range) {
  if (account.parent !== id || account.role % 2 !== 0) return null;
  const now = Date.now();
  const limit = Math.min(Number(query.limit) || 50, PAGE_MAX);
  const offset = Number(query.cursor) || 0;
  const from = range.begin ? new Date(range.begin) : new Date(now - 7 * DAY_MS);
  const until = range.end ? new Date(Date.parse(range.end) + DAY_MS) : new Date(now + DAY_MS);
  const where = 'company_id = ? AND conference_type = 2 AND created_at >= ? AND created_at < ?';
  const values = [id, db.moment(from), db.moment(until)];
  const order = 'ORDER BY created_at DESC, id DESC';
  const rows = await db.rows(
    `SELECT ${CONFERENCE} FROM conference WHERE id IN (SELECT id FROM conference WHERE ${where} ${order} LIMIT ? OFFSET ?) ${order}`,
    [...values, limit, offset],
  );
  const ids = rows.map((row) => row.id);
  const rooms = ids.length === 0 ? [] : await db.rows(`SELECT conference_id, sid, started_at, ended_at FROM conference_room WHERE ${db.among('conference_id', ids.length)} ORDER BY started_at`, ids);
  const unseen =
    ids.length === 0
      ? []
      : await db.rows(
          `SELECT m.conference_id, COUNT(m.id) AS files FROM media_item m JOIN conference c ON c.id = m.conference_id
           WHERE ${db.among('m.conference_id', ids.length)} AND (c.media_seen_at IS NULL OR m.created_at > c.media_seen_at) GROUP BY m.conference_id`,
          ids,
        );
  const closers = await closersOf(db, rows, account);
  const { total } = rows.length < limit && offset === 0 ? { total: rows.length } : await db.row(`SELECT COUNT(*) AS total FROM conference WHERE ${where}`, values);
  const roomsOf = grouped(rooms, 'conference_id');
  const filesOf = new Map(unseen.map((row) => [row.conference_id, row.files]));
  const conferences = rows.map((row) => {
    const newFiles = filesOf.get(row.id) ?? 0;
    const { pictures = 0, videos = 0, documents = 0 } = row.projection;
    return {
      ...view(row, roomsOf.get(row.id) ?? [], newFiles > 0, account.retention_days, now),
      durationState: durationState(row, now),
      files: pictures + videos + documents,
      newFiles,
      cancelledBy: closers.get(row.id) ?? null,
    };
  });
  return { conferences, total, nextCursor: offset + rows.length < total ? `${offset + rows.length}.${rows.at(-1).id.replaceAll('-', '')}` : null };
}

/** One row per person: connected while any stay is open, from the first join to the last leave. */
function participants(stays) {
  const people = new Map();
  for (const stay of stays) {
    const person = people.get(stay.identity);
    if (person) {
      person.connected ||= stay.left_at === null;
      person.leftAt = person.connected ? null : [person.leftAt, stay.left_at].sort().at(-1);
    } else
      people.set(stay.identity, {
        identity: stay.identity,
        name: stay.name,
        kind: stay.kind,
        device: stay.device,
        connected: stay.left_at === null,
        joinedAt: stay.joined_at,
        leftAt: stay.left_at,
      });
  }
  return [...people.values()];
}

function message(fieldKey, row) {
  const secret = row.secret && unsealed(fieldKey, `outbox.secret:${row.id}`, row.secret);
  const whole = (text) => (secret && text ? text.replaceAll(MASK, secret) : text);
  const at = row.to_address.lastIndexOf('@');
  const to = row.channel === 'email' ? `${row.to_address[0]}•••${row.to_address.slice(at)}` : `${row.to_address.slice(0, 3)} ••• ••• ${row.to_address.slice(-3)}`;
  return {
    _id: row.id,
    channel: row.channel,
    to,
    subject: whole(row.subject),
    text: whole(row.text),
    state: row.state,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    deliveredAt: row.delivered_at,
    error: row.error,
    fallbackOf: row.fallback_of,
    link: whole(row.link),
  };
}

/** The client's six steps (CASE-11); those that the demo's conferences come through. */
function progress(row, messages, people) {
  const seen = row.projection;
  const last = messages.at(-1);
  const step = (name, at) => ({ step: name, state: at ? 'done' : 'pending', at: at ?? null });
  const sent = step('sent', seen.sentAt);
  if (!last) sent.state = 'skipped';
  else if (last.state === 'captured') Object.assign(sent, { state: 'done', at: last.sentAt ?? last.createdAt, reason: 'NO_SMS_PROVIDER' });
  const delivered = step('delivered', seen.deliveredAt);
  if (!seen.deliveredAt && (!last || last.state === 'captured' || last.channel === 'email')) delivered.state = 'skipped';
  const [camera, microphone, geolocation] = ['camera', 'microphone', 'geolocation'].map((of) => seen[of] ?? 'pending');
  const permissions = { step: 'permissions', state: seen.clientConnectedAt || (camera === 'granted' && microphone === 'granted') ? 'done' : 'pending', at: seen.permissionAt ?? null, detail: { camera, microphone, geolocation } };
  const connected = step('connected', seen.clientConnectedAt);
  if (connected.at && !people.some((person) => person.kind === 'client' && person.connected)) connected.state = 'pending';
  const steps = [sent, delivered, step('opened', seen.openedAt), step('legal', seen.legalAcceptedAt), permissions, connected];
  const current = steps.find((one) => one.state === 'failed') ?? steps.find((one) => one.state === 'pending');
  if (current) current.state = 'active';
  return { steps, current: current?.step ?? 'connected' };
}

/** `conferences-details/{id}` of a conference without positions, for a principal. */
export async function details(db, fieldKey, publicUrl, account, id) {
  const row = await db.row(`SELECT ${CONFERENCE} FROM conference WHERE id = ? AND company_id = ?`, [id, account.parent]);
  if (!row) return null;
  const now = Date.now();
  const of = (columns, table, rest) => db.rows(`SELECT ${columns} FROM ${table} WHERE conference_id = ? ${rest}`, [id]);
  const rooms = await of('sid, started_at, ended_at', 'conference_room', 'ORDER BY started_at');
  const stays = await of('identity, name, kind, device, joined_at, left_at', 'participation', 'ORDER BY joined_at');
  const outbox = await of(
    'id, channel, to_address, subject, text, state, created_at, sent_at, delivered_at, error, fallback_of, link, secret',
    'outbox',
    "AND purpose IN ('session', 'files-request', 'files-reminder', 'files-rejected') ORDER BY created_at, id",
  );
  const events = await of('seq, at, event_type, actor, data, hash', 'evidence_event', 'ORDER BY seq');
  const values = grouped(await of('seq, field, value', 'evidence_value', ''), 'seq');
  const media = await of('id, created_at, captured_at, latitude, longitude, accuracy_m', 'media_item', 'ORDER BY created_at, id LIMIT 5000');
  await of('asked, latitude, longitude, address, at', 'geocoding', 'ORDER BY at');
  if (!row.closed) await of('identity, device, standing, waiting_since, seen_at, created_at', 'client_device', '');
  const recording = await db.row('SELECT id, state, started_by, paused_ms, started_at, paused_at, stopped_at FROM recording WHERE conference_id = ? ORDER BY started_at DESC', [id]);
  const price = await db.row(
    `SELECT p.minute_limit, p.exceeded_minute FROM legal_history h JOIN price p ON p.id = h.price_id WHERE h.company_id = ?
     ORDER BY h.accepted_at DESC, h.id DESC LIMIT 1`,
    [row.company_id],
  );
  const tracks = events.map((event) => {
    const data = JSON.parse(event.data);
    for (const { field, value } of values.get(event.seq) ?? []) {
      delete data[`${field}C`];
      data[field] = value;
    }
    return { _id: String(event.seq), seq: event.seq, type: event.event_type, actor: event.actor, at: event.at, data, hash: event.hash };
  });
  const ids = [...new Set(events.filter((event) => event.actor.startsWith('user:')).map((event) => event.actor.slice(5)))];
  const users = ids.length === 0 ? [] : await db.rows(`SELECT id, role, parent, name, surname FROM app_user WHERE ${db.among('id', ids.length)}`, ids);
  const messages = outbox.map((found) => message(fieldKey, found));
  const people = participants(stays);
  const isNew = media.some((one) => !row.media_seen_at || one.created_at > row.media_seen_at);
  const idle = !recording || recording.stopped_at !== null;
  return {
    conference: { ...view(row, rooms, isNew, account.retention_days, now), observation: observation(row, now) },
    tracks,
    participants: people,
    waiting: [],
    people: users.filter((user) => user.parent === row.company_id).map((user) => ({ _id: user.id, name: `${user.name} ${user.surname}`.trim(), role: user.role })),
    messages,
    positions: [],
    progress: progress(row, messages, people),
    recording: { state: idle ? 'idle' : recording.state, recordingId: idle ? null : recording.id, startedAt: idle ? null : recording.started_at, elapsedMs: 0, by: idle ? null : recording.started_by },
    capabilities: { recording: true, engine: 'embedded' },
    url: publicUrl.replace('http', 'ws'),
    link: `${publicUrl}/c/${row.short_code}`,
    billing: price ? { minuteLimit: price.minute_limit, exceededMinute: price.exceeded_minute / 100 } : null,
    seq: row.last_seq,
  };
}
