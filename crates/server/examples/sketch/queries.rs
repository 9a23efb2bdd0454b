//! The queries of the five calls.

use super::json::{array, object, objects};
use super::session::Account;
use rusqlite::types::Value;
use rusqlite::{Connection, OpenFlags, Result, Row, params, params_from_iter};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;
use uuid::Uuid;

/// A body, or nothing of that id.
pub type Found = Result<Option<Vec<u8>>>;
type Bytes = [u8; 16];

/// Rows of the page that is measured.
const PAGE: usize = 50;
/// Fifty `?`.
static FIFTY: LazyLock<String> = LazyLock::new(|| vec!["?"; PAGE].join(", "));

pub fn blob(id: Uuid) -> Bytes {
    *id.as_bytes()
}

thread_local! {
    static CONNECTION: RefCell<Option<Connection>> = const { RefCell::new(None) };
}

fn open(file: &str) -> Connection {
    let db = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY).expect("the file can be read");
    db.set_prepared_statement_cache_capacity(64);
    db
}

/// On the connection of this thread, which is opened when it is first needed.
pub fn on_connection<T>(file: &str, run: impl FnOnce(&Connection) -> T) -> T {
    CONNECTION.with_borrow_mut(|kept| run(kept.get_or_insert_with(|| open(file))))
}

const ME: &str = r#"SELECT u.id AS "_id#id", u.role, u.status, u.parent AS "parent#id", u.support AS "support#flag", u.name,
    u.surname, NULL AS exp, u.user_name AS userName, u.email, u.phone, u.legal AS "legal#flag",
    u.two_factor_enabled AS "has2fa#flag", u.language FROM app_user u WHERE u.id = ?"#;
const MY_COMPANY: &str = r#"SELECT id AS "_id#id", company, CAST(kind AS TEXT) AS companyType, status, legal AS "legal#flag",
    has_iban AS "hasIban#flag", pay_start_at AS "pay_startAt#at", legal AND has_iban AS "mayCall#flag",
    NOT (legal AND has_iban) AS "blocked#flag", '[]' AS "missing#json", NULL AS banner FROM company WHERE id = ?"#;

pub fn me(db: &Connection, account: &Account, menu: &str) -> Found {
    let mut out = Vec::with_capacity(4096);
    out.extend_from_slice(br#"{"user":"#);
    objects(db, &mut out, ME, [account.user], |out, _| {
        out.extend_from_slice(br#","company":"#);
        object(db, out, MY_COMPANY, [account.company]).map(drop)
    })?;
    out.extend_from_slice(br#","menu":"#);
    out.extend_from_slice(menu.as_bytes());
    out.push(b'}');
    Ok(Some(out))
}

const COMPANY: &str = r#"SELECT id AS "_id#id", CAST(kind AS TEXT) AS companyType, status, ifnull(cif, '') AS cif,
    0 AS "cifWarning#flag", name, company, ifnull(address, '') AS address, ifnull(city, '') AS city,
    ifnull(region, '') AS region, ifnull(postal_code, '') AS postalCode, ifnull(email, '') AS email, phone, mobile,
    iban_last4 AS bankAccount, has_iban AS "hasIban#flag", 0 AS "ibanProtected#flag", iban_bank AS bankName,
    legal AS "legal#flag", legal_id AS "legalId#id", price_id AS "priceId#id", pay_start_at AS "pay_startAt#at",
    created_at AS "created_at#at", retention_days AS retentionDays,
    fiscal_request_id AS "fiscalRequest#id", NOT (legal AND has_iban) AS "blocked#flag",
    '[]' AS "missing#json" FROM company WHERE id = ?"#;
const HISTORY: &str = r#"SELECT h.legal_id AS "id#id", h.price_id AS "priceId#id", h.accepted_at AS "accepted_at#at",
    h.expires_at AS "expires_at#at", t.kind AS type, t.version, t.title
    FROM legal_history h JOIN legal_text t ON t.id = h.legal_id WHERE h.company_id = ? ORDER BY h.accepted_at, h.id"#;
const USERS: &str = "SELECT COUNT(id) FROM app_user WHERE parent = ?";
const PRINCIPAL: &str = r#"SELECT id AS "_id#id", trim(name || ' ' || surname) AS name, email, phone, status
    FROM app_user WHERE parent = ? AND role = 2 ORDER BY id LIMIT 1"#;

pub fn customer(db: &Connection, account: &Account, id: Uuid) -> Found {
    let id = blob(id);
    if account.company != id {
        return Ok(None);
    }
    let mut out = Vec::with_capacity(2048);
    out.extend_from_slice(br#"{"customer":"#);
    objects(db, &mut out, COMPANY, [id], |out, _| {
        out.extend_from_slice(br#","legalHistory":"#);
        array(db, out, HISTORY, [id])?;
        let users: i64 = db.prepare_cached(USERS)?.query_row([id], |row| row.get(0))?;
        out.extend_from_slice(format!(r#","users":{users},"principal":"#).as_bytes());
        object(db, out, PRINCIPAL, [id]).map(drop)
    })?;
    out.push(b'}');
    Ok(Some(out))
}

/// The columns of a conference; of its projection only what lists show.
const CONFERENCE: &str = r#"id AS "_id#id", expedient_number AS expedientNumber, conference_type AS type,
    created_at AS "createdAt#at", customer_name AS customerName, user_name AS userName, phone_number AS phoneNumber,
    contact_person AS contactPerson, email, full_address AS fullAddress, address, city, city_region AS cityRegion,
    postal_code AS postalCode, region, car_id AS carId, duration_s AS duration, sid, closed AS "closed#flag",
    closed_at AS "closedAt#at", expired_at AS "expiredAt#at", NULL AS jwt, hash,
    media_request_expired AS "mediaRequestExpired#at", files_requested AS "filesRequested#flag",
    data_key IS NOT NULL AND duration_s > 22 AS "mayRequestFiles#flag", media_expired_at IS NOT NULL AS "mediaExpired#flag",
    strftime('%Y-%m-%dT%H:%M:%f', created_at, '+31 days') AS "mediaExpiresAt#at", language, company_id AS "customerId#id",
    user_id AS "userId#id", app_type AS appType, contact_id AS "contactId#id", erased_at IS NOT NULL AS "erased#flag",
    CASE WHEN duration_s > 10 THEN 'seconds' WHEN duration_s IS NOT NULL THEN 'lessThanTen' ELSE 'noSession' END AS durationState,
    projection ->> 'pictures' + projection ->> 'videos' + projection ->> 'documents' AS files"#;
const WHOSE: &str = "company_id = ?1 AND conference_type = 2";
const NEWEST: &str = "ORDER BY created_at DESC, id DESC";

static IDS: LazyLock<String> =
    LazyLock::new(|| format!("SELECT id, closed AND sid IS NULL FROM conference WHERE {WHOSE} {NEWEST} LIMIT {PAGE}"));
static LIST: LazyLock<String> =
    LazyLock::new(|| format!("SELECT {CONFERENCE} FROM conference WHERE id IN ({}) {NEWEST}", FIFTY.as_str()));
static COUNT: LazyLock<String> = LazyLock::new(|| format!("SELECT COUNT(*) FROM conference WHERE {WHOSE}"));
static ROOMS: LazyLock<String> = LazyLock::new(|| {
    format!(
        r#"SELECT conference_id AS "", sid, started_at AS "startedAt#at", ended_at AS "endedAt#at" FROM conference_room
        WHERE conference_id IN ({}) ORDER BY started_at"#,
        FIFTY.as_str()
    )
});
static UNSEEN: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT m.conference_id, COUNT(m.id) FROM media_item m JOIN conference c ON c.id = m.conference_id
        WHERE m.conference_id IN ({}) AND (c.media_seen_at IS NULL OR m.created_at > c.media_seen_at) GROUP BY m.conference_id",
        FIFTY.as_str()
    )
});
static CLOSERS: LazyLock<String> = LazyLock::new(|| {
    format!(
        "SELECT conference_id, actor FROM evidence_event WHERE conference_id IN ({}) AND event_type = 'CONFERENCE_CLOSED'",
        FIFTY.as_str()
    )
});
static NAMES: LazyLock<String> =
    LazyLock::new(|| format!("SELECT id, trim(name || ' ' || surname) FROM app_user WHERE id IN ({})", FIFTY.as_str()));

/// The ids and `NULL` for the places that they leave.
fn padded<'a>(ids: impl IntoIterator<Item = &'a Bytes>) -> impl rusqlite::Params {
    let mut values: Vec<Value> = ids.into_iter().map(|id| Value::Blob(id.to_vec())).collect();
    values.resize(PAGE, Value::Null);
    params_from_iter(values)
}

fn pairs<A, B>(db: &Connection, sql: &str, values: impl rusqlite::Params) -> Result<Vec<(A, B)>>
where
    A: rusqlite::types::FromSql,
    B: rusqlite::types::FromSql,
{
    let mut statement = db.prepare_cached(sql)?;
    let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    statement.query_map(values, read)?.collect()
}

/// The rooms of each conference, as JSON.
fn rooms_of(db: &Connection, ids: &[Bytes]) -> Result<HashMap<Bytes, Vec<u8>>> {
    let (mut all, mut line) = (HashMap::<Bytes, Vec<u8>>::new(), Vec::new());
    let mut owners: Vec<(Bytes, usize)> = Vec::new();
    objects(db, &mut line, &ROOMS, padded(ids), |out, row| {
        owners.push((row.get(0)?, out.len()));
        Ok(())
    })?;
    let mut from = 0;
    for (owner, end) in owners {
        let rooms = all.entry(owner).or_default();
        if !rooms.is_empty() {
            rooms.push(b',');
        }
        rooms.extend_from_slice(&line[from..=end]);
        from = end + 2;
    }
    Ok(all)
}

/// Who closed the conferences that nobody was in, by conference.
fn closers_of(db: &Connection, never: &[Bytes]) -> Result<HashMap<Bytes, String>> {
    if never.is_empty() {
        return Ok(HashMap::new());
    }
    let events: Vec<(Bytes, String)> = pairs(db, &CLOSERS, padded(never))?;
    let user = |actor: &str| Some(blob(actor.strip_prefix("user:")?.parse().ok()?));
    let closers: Vec<(Bytes, Bytes)> = events.iter().filter_map(|(id, actor)| Some((*id, user(actor)?))).collect();
    let people: HashMap<Bytes, String> = pairs(db, &NAMES, padded(closers.iter().map(|(_, user)| user)))?.into_iter().collect();
    Ok(closers.into_iter().filter_map(|(id, user)| Some((id, people.get(&user)?.clone()))).collect())
}

pub fn list(db: &Connection, account: &Account, id: Uuid) -> Found {
    if account.company != blob(id) {
        return Ok(None);
    }
    let found: Vec<(Bytes, bool)> = pairs(db, &IDS, [account.company])?;
    let ids: Vec<Bytes> = found.iter().map(|(id, _)| *id).collect();
    let never: Vec<Bytes> = found.iter().filter(|(_, never)| *never).map(|(id, _)| *id).collect();
    let rooms = rooms_of(db, &ids)?;
    let unseen: HashMap<Bytes, i64> = pairs(db, &UNSEEN, padded(&ids))?.into_iter().collect();
    let closers = closers_of(db, &never)?;
    let total: i64 = db.prepare_cached(&COUNT)?.query_row([account.company], |row| row.get(0))?;
    let mut out = Vec::with_capacity(64 << 10);
    out.extend_from_slice(br#"{"conferences":["#);
    objects(db, &mut out, &LIST, padded(&ids), |out, row| {
        let id: Bytes = row.get(0)?;
        out.extend_from_slice(br#","rooms":["#);
        out.extend_from_slice(rooms.get(&id).map_or(b"", Vec::as_slice));
        let new = unseen.get(&id).copied().unwrap_or(0);
        let closer = serde_json::to_string(&closers.get(&id)).expect("a name is plain data");
        let rest = format!(r#"],"isNewMedia":{},"newFiles":{new},"cancelledBy":{closer}"#, new > 0);
        out.extend_from_slice(rest.as_bytes());
        Ok(())
    })?;
    out.extend_from_slice(format!(r#"],"total":{total},"nextCursor":"{PAGE}"}}"#).as_bytes());
    Ok(Some(out))
}

static ONE: LazyLock<String> = LazyLock::new(|| {
    format!(
        r#"SELECT projection AS "", short_code AS "", last_seq AS "", {CONFERENCE} FROM conference WHERE id = ?1 AND company_id = ?2"#
    )
});
/// What belongs to a conference: its name on the wire, and the query.
const PARTS: &[(&str, &str)] = &[
    (
        "participants",
        r#"SELECT identity, name, kind, device, left_at IS NULL AS "connected#flag", joined_at AS "joinedAt#at",
        left_at AS "leftAt#at" FROM participation WHERE conference_id = ? ORDER BY joined_at"#,
    ),
    (
        "messages",
        r#"SELECT id AS "_id#id", channel, to_address AS "to", subject, text, state, created_at AS "createdAt#at",
        sent_at AS "sentAt#at", delivered_at AS "deliveredAt#at", error, fallback_of AS "fallbackOf#id", link FROM outbox
        WHERE conference_id = ? AND purpose IN ('session', 'files-request', 'files-reminder', 'files-rejected')
        ORDER BY created_at, id"#,
    ),
    (
        "positions",
        r#"SELECT captured_at AS "at#at", latitude, longitude, accuracy_m AS accuracy, id AS "mediaId#id" FROM media_item
        WHERE conference_id = ? ORDER BY created_at, id LIMIT 5000"#,
    ),
    ("places", "SELECT asked, address FROM geocoding WHERE conference_id = ? ORDER BY at"),
    (
        "rooms",
        r#"SELECT sid, started_at AS "startedAt#at", ended_at AS "endedAt#at" FROM conference_room WHERE conference_id = ?"#,
    ),
];
const EVENTS: &str = r#"SELECT CAST(seq AS TEXT) AS "_id", seq, event_type AS type, actor, at AS "at#at", hash, data AS ""
    FROM evidence_event WHERE conference_id = ? ORDER BY seq"#;
const VALUES: &str = "SELECT seq, field || char(31) || value FROM evidence_value WHERE conference_id = ?";
const RECORDING: &str = r#"SELECT state, id AS "recordingId#id", started_at AS "startedAt#at", paused_ms AS elapsedMs,
    started_by AS by FROM recording WHERE conference_id = ? ORDER BY started_at DESC LIMIT 1"#;
const PRICE: &str = "SELECT p.minute_limit AS minuteLimit, p.exceeded_minute / 100.0 AS exceededMinute FROM legal_history h
    JOIN price p ON p.id = h.price_id WHERE h.company_id = ? ORDER BY h.accepted_at DESC, h.id DESC LIMIT 1";

/// The tracks with the personal values in the place of their commitments; and the users who caused them.
fn tracks(db: &Connection, out: &mut Vec<u8>, id: Bytes) -> Result<Vec<Bytes>> {
    let mut values: HashMap<i64, Vec<String>> = HashMap::new();
    for (seq, value) in pairs::<i64, String>(db, VALUES, [id])? {
        values.entry(seq).or_default().push(value);
    }
    let mut users = Vec::new();
    out.push(b'[');
    objects(db, out, EVENTS, [id], |out, row| {
        let (seq, actor, data): (i64, String, String) = (row.get(1)?, row.get(3)?, row.get(6)?);
        users.extend(actor.strip_prefix("user:").and_then(|user| user.parse().ok()).map(blob));
        out.extend_from_slice(br#","data":"#);
        let Some(shown) = values.get(&seq) else {
            out.extend_from_slice(data.as_bytes());
            return Ok(());
        };
        let mut facts: BTreeMap<String, serde_json::Value> = serde_json::from_str(&data).unwrap_or_default();
        for (field, value) in shown.iter().filter_map(|value| value.split_once('\u{1f}')) {
            facts.remove(&format!("{field}C"));
            facts.insert(field.to_owned(), value.into());
        }
        serde_json::to_writer(out, &facts).expect("facts are plain data");
        Ok(())
    })?;
    out.push(b']');
    users.sort_unstable();
    users.dedup();
    users.truncate(PAGE);
    Ok(users)
}

static PEOPLE: LazyLock<String> = LazyLock::new(|| {
    format!(r#"SELECT id AS "_id#id", trim(name || ' ' || surname) AS name, role FROM app_user WHERE id IN ({})"#, FIFTY.as_str())
});

pub fn details(db: &Connection, account: &Account, id: Uuid, public_url: &str) -> Found {
    let id = blob(id);
    let mut out = Vec::with_capacity(16 << 10);
    out.extend_from_slice(br#"{"conference":"#);
    let mut rest = None;
    objects(db, &mut out, &ONE, params![id, account.company], |_, row| {
        let (progress, code, seq): (String, String, i64) = (row.get(0)?, row.get(1)?, row.get(2)?);
        rest = Some(format!(r#","progress":{progress},"link":"{public_url}/c/{code}","seq":{seq}}}"#));
        Ok(())
    })?;
    let Some(rest) = rest else { return Ok(None) };
    out.extend_from_slice(br#","tracks":"#);
    let users = tracks(db, &mut out, id)?;
    out.extend_from_slice(br#","people":"#);
    array(db, &mut out, &PEOPLE, padded(&users))?;
    for (name, sql) in PARTS {
        out.extend_from_slice(format!(r#","{name}":"#).as_bytes());
        array(db, &mut out, sql, [id])?;
    }
    out.extend_from_slice(br#","recording":"#);
    object(db, &mut out, RECORDING, [id])?;
    out.extend_from_slice(br#","billing":"#);
    object(db, &mut out, PRICE, [account.company])?;
    out.extend_from_slice(rest.as_bytes());
    Ok(Some(out))
}
