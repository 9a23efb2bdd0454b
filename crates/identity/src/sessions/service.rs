//! Issuing, renewing, verifying and ending sessions.

use super::model::{LiveSession, LogIn, expiry, expiry_after_renewal};
use super::store::{self, NewSession};
use crate::directory::{self, User};
use crate::{Identity, IdentityError, IdentityResult, Origin};
use atalaya_db::Tx;
use atalaya_kernel::{SessionId, UserId};
use atalaya_rest::Caller;
use atalaya_rest::tokens::{SessionClaims, TokenKind};
use chrono::{DateTime, Utc};
use std::collections::HashSet;
use std::sync::Arc;

/// A session token and what goes with it.
#[derive(Clone, Debug)]
pub struct Issued {
    pub token: String,
    /// For the media cookie.
    pub media_token: String,
    pub expires_at: DateTime<Utc>,
}

/// Opens a session without a password, for a user who has proved himself otherwise.
///
/// Called by the creation of accounts and by tests. Errors: [`IdentityError::UserNotFound`].
pub async fn open_session(d: &Identity, user: UserId, origin: &Origin) -> IdentityResult<Issued> {
    let user = directory::find_user(d.db.read(), user).await?.ok_or(IdentityError::UserNotFound)?;
    let tx = d.db.write().await?;
    let session_key = d.sources.hex::<16>();
    let issued = issue(d, &tx, &user, &session_key, None, LogIn::begun(d.sources.now()), origin).await?;
    tx.commit().await?;
    Ok(issued)
}

/// Passes a caller whose last proof of identity is fresh (PROOF-1).
///
/// Errors: [`IdentityError::FreshProofRequired`].
pub async fn require_fresh_proof(d: &Identity, caller: &Caller) -> IdentityResult<()> {
    admit(store::has_fresh_proof(d, d.db.read(), caller.session).await?)
}

/// The same inside a transaction.
pub(crate) async fn require_fresh_proof_within(d: &Identity, tx: &Tx, caller: &Caller) -> IdentityResult<()> {
    admit(store::has_fresh_proof(d, &**tx, caller.session).await?)
}

fn admit(is_fresh: bool) -> IdentityResult<()> {
    if is_fresh { Ok(()) } else { Err(IdentityError::FreshProofRequired) }
}

/// Opens a session in the caller's transaction, as a new log-in or as the renewal of an earlier one.
pub(crate) async fn issue(
    d: &Identity,
    tx: &Tx,
    user: &User,
    session_key: &str,
    renewed_from: Option<SessionId>,
    log_in: LogIn,
    origin: &Origin,
) -> IdentityResult<Issued> {
    let now = d.sources.now();
    let expires_at = expiry(now, log_in.opened_at);
    let id: SessionId = d.sources.id();
    let new = NewSession {
        id,
        user: user.id,
        renewed_from,
        session_key,
        expires_at,
        log_in,
        user_agent: origin.user_agent.as_ref().map(|text| text.chars().take(300).collect()),
        address: Some(origin.address.to_string()),
    };
    store::insert(tx, new, now).await?;
    let claims = SessionClaims {
        sub: user.id,
        jti: id,
        role: user.role,
        parent: user.parent,
        exp: expires_at.timestamp(),
        iat: now.timestamp(),
        typ: TokenKind::Session,
        sk: session_key.to_owned(),
    };
    // The media cookie is never shown to scripts; it need not carry their key.
    let media = SessionClaims { typ: TokenKind::Media, sk: String::new(), ..claims.clone() };
    Ok(Issued { token: d.keys.encode(&claims), media_token: d.keys.encode(&media), expires_at })
}

/// Replaces a valid session by a new one; the old token remains valid for a minute, for requests in progress.
///
/// Errors: [`IdentityError::SessionEnded`].
pub async fn renew(d: &Identity, session: SessionId, origin: &Origin) -> IdentityResult<Issued> {
    let tx = d.db.write().await?;
    let now = d.sources.now();
    // Ending the sessions of this user locks the same row: it comes before this renewal, or sees its token.
    store::lock_owner(&tx, session).await?;
    let LiveSession { id, session_key, expires_at, log_in, user, .. } =
        store::find_live(&*tx, session, now).await?.ok_or(IdentityError::SessionEnded)?;
    let issued = issue(d, &tx, &user, &session_key, Some(id), log_in, origin).await?;
    store::set_expiry(&tx, user.id, id, expiry_after_renewal(expires_at, now)).await?;
    tx.commit().await?;
    Ok(issued)
}

/// Ends every session of a user in the caller's transaction, who then closes their sockets.
pub async fn end_all(d: &Identity, tx: &Tx, user: UserId) -> IdentityResult<()> {
    store::end_of_user(tx, user, d.sources.now()).await?;
    Ok(())
}

/// Whether a session is still good: for answers that last longer than their request, such as event streams.
pub async fn is_alive(d: &Identity, session: SessionId) -> IdentityResult<bool> {
    Ok(store::find_live(d.db.read(), session, d.sources.now()).await?.is_some())
}

/// Those of these sessions whose log-in is active, with all that they were renewed to.
pub async fn living(d: &Identity, ids: &[SessionId]) -> IdentityResult<HashSet<SessionId>> {
    let keys = store::keys_of(d.db.read(), ids).await?;
    let all: Vec<String> = keys.values().cloned().collect();
    let living = store::living_keys(d.db.read(), &all, d.sources.now()).await?;
    Ok(keys.into_iter().filter(|(_, key)| living.contains(key)).map(|(id, _)| id).collect())
}

/// Whether a log-in of this person ended since then and none is active.
pub async fn has_left_since(d: &Identity, user: UserId, since: DateTime<Utc>) -> IdentityResult<bool> {
    Ok(store::has_left_since(d.db.read(), user, since, d.sources.now()).await?)
}

/// Seconds by which the clock of the node that issued a token may be ahead of ours.
const AHEAD_S: i64 = 300;

/// The active session that a token of this kind stands for.
///
/// Errors: [`IdentityError::TokenInvalid`], [`IdentityError::TokenExpired`], [`IdentityError::SessionEnded`].
pub(crate) async fn verify(d: &Identity, token: &str, kind: TokenKind) -> IdentityResult<Arc<LiveSession>> {
    let now = d.sources.now();
    let claims = d.keys.decode(token, kind, now)?;
    // By a clock that was ahead and has been set right since: it would live for as long as the clock went wrong (CLOCK-5).
    if claims.iat > now.timestamp() + AHEAD_S {
        return Err(IdentityError::TokenExpired);
    }
    let found = match d.kept.find(claims.jti, now) {
        Some(kept) => Some(kept),
        None => read(d, claims.jti, now).await?,
    };
    found.filter(|session| session.user.id == claims.sub).ok_or(IdentityError::SessionEnded)
}

async fn read(d: &Identity, id: SessionId, now: DateTime<Utc>) -> IdentityResult<Option<Arc<LiveSession>>> {
    let moment = d.kept.moment();
    let Some(session) = store::find_live(d.db.read(), id, now).await?.map(Arc::new) else { return Ok(None) };
    d.kept.keep(moment, &session);
    Ok(Some(session))
}
