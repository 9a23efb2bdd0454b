//! The caller: a token of our server's, and one read of the session with its account.

use super::queries::blob;
use atalaya_kernel::Sources;
use aws_lc_rs::hmac;
use axum::http::{HeaderMap, header};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rusqlite::{Connection, OptionalExtension as _, Result, params};
use serde::Deserialize;
use uuid::Uuid;

/// The key that signs tokens.
pub struct Key {
    signing: hmac::Key,
    sources: Sources,
}

impl Key {
    pub fn new(secret: &[u8]) -> Self {
        Self { signing: hmac::Key::new(hmac::HMAC_SHA256, secret), sources: Sources::system() }
    }
}

#[derive(Deserialize)]
struct Claims {
    sub: Uuid,
    jti: Uuid,
    typ: String,
    exp: i64,
}

/// Whose session it is.
pub struct Account {
    pub user: [u8; 16],
    pub company: [u8; 16],
}

fn claims(key: &Key, headers: &HeaderMap) -> Option<Claims> {
    let token = headers.get(header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")?;
    let (signed, signature) = token.rsplit_once('.')?;
    hmac::verify(&key.signing, signed.as_bytes(), &URL_SAFE_NO_PAD.decode(signature).ok()?).ok()?;
    let body = URL_SAFE_NO_PAD.decode(signed.split_once('.')?.1).ok()?;
    let found: Claims = serde_json::from_slice(&body).ok()?;
    (found.typ == "session" && found.exp > key.sources.now().timestamp()).then_some(found)
}

const SESSION: &str = "SELECT u.id, u.parent FROM session s JOIN app_user u ON u.id = s.user_id JOIN company c ON c.id = u.parent
    WHERE s.id = ?1 AND s.ended_at IS NULL AND s.expires_at > ?2 AND u.status IN (0, 2) AND c.status IN (0, 2, 3, 5)";

/// The account of `Authorization: Bearer …`; `None` without a good one.
pub fn account(db: &Connection, key: &Key, headers: &HeaderMap) -> Result<Option<Account>> {
    let Some(claims) = claims(key, headers) else { return Ok(None) };
    let now = key.sources.now().to_rfc3339();
    let mut statement = db.prepare_cached(SESSION)?;
    let read = |row: &rusqlite::Row<'_>| Ok(Account { user: row.get(0)?, company: row.get(1)? });
    let found = statement.query_row(params![blob(claims.jti), now], read).optional()?;
    Ok(found.filter(|account| account.user == *claims.sub.as_bytes()))
}
