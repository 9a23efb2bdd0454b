//! Who may be in a media room, beyond what their token says (CALL-50): the conference is open, they were not removed since,
//! and, for ours, the log-in lives with which they asked for the token.

use super::engine::{EngineError, Seat};
use super::{TOKEN_LIFE, store};
use crate::Assistance;
use crate::client_devices;
use async_trait::async_trait;
use atalaya_cases::conferences::{self, ConferenceError, Scope};
use atalaya_cases::connections;
use atalaya_identity::sessions;
use atalaya_kernel::{ConferenceId, SessionId, UserId};
use atalaya_sfu::{Claims, Gate, Verdict};

/// Answers the embedded engine's question.
pub struct Admission(pub Assistance);

#[async_trait]
impl Gate for Admission {
    async fn admits(&self, claims: &Claims) -> Verdict {
        match admits(&self.0, claims).await {
            Ok(true) => Verdict::Admitted,
            Ok(false) => Verdict::Revoked,
            Err(error) => {
                tracing::warn!(%error, "whether a token is still good cannot be said");
                Verdict::Unknown
            }
        }
    }
}

async fn admits(deps: &Assistance, claims: &Claims) -> Result<bool, ConferenceError> {
    // Rooms that are no conference are the token's own business.
    let Ok(id) = claims.video.room.parse::<ConferenceId>() else { return Ok(true) };
    let db = deps.db.read();
    let Some(row) = conferences::find(db, Scope::All, id).await? else { return Ok(true) };
    if row.closed {
        return Ok(false);
    }
    let removed = store::removed_at(db, id, &claims.sub).await?;
    if removed.is_some_and(|at| claims.nbf <= at.timestamp()) {
        return Ok(false);
    }
    if user_of(&claims.sub).is_none() {
        return Ok(!client_devices::is_kept_out(db, id, &claims.sub).await?);
    }
    match claims.session.parse::<SessionId>() {
        Ok(session) => Ok(sessions::living(&deps.identity, &[session]).await?.contains(&session)),
        Err(_) => Ok(false),
    }
}

fn user_of(identity: &str) -> Option<UserId> {
    identity.strip_prefix("user:").and_then(|id| id.parse().ok())
}

/// Removes somebody from the call: the tokens that they hold are good no longer.
///
/// Errors: `PARTICIPANT_NOT_FOUND`.
pub async fn remove(deps: &Assistance, id: ConferenceId, identity: &str) -> Result<(), ConferenceError> {
    let tx = deps.db.write().await?;
    conferences::lock_living(&tx, id).await?;
    store::note_removal(&tx, &deps.sources, id, identity).await?;
    tx.commit().await?;
    let removed = deps.engine.remove(id, identity).await;
    if removed.is_err() {
        // They are not there, or stay: nothing has changed for them.
        let tx = deps.db.write().await?;
        store::forget_removal(&tx, id, identity).await?;
        tx.commit().await?;
    }
    Ok(removed?)
}

/// Whether somebody who has entered a cluster's room, which asks nobody, has to leave it again.
pub(super) async fn must_leave(deps: &Assistance, id: ConferenceId, identity: &str) -> Result<bool, ConferenceError> {
    let db = deps.db.read();
    let gone = match user_of(identity) {
        // Clusters allow clocks some time beyond a token's.
        Some(user) => sessions::has_left_since(&deps.identity, user, deps.sources.now() - TOKEN_LIFE * 2).await?,
        None => store::removed_at(db, id, identity).await?.is_some(),
    };
    Ok(gone || conferences::get(db, Scope::All, id).await?.closed)
}

/// Ends the seats whose log-in has ended: of ours, since a client's token has none. Answers how many there were.
pub async fn end_seats(deps: &Assistance) -> Result<usize, ConferenceError> {
    let ended = match deps.engine.seats().await {
        Ok(Some(seats)) => ended_of(deps, seats).await?,
        Ok(None) => ended_of_stays(deps).await?,
        Err(_) => return Ok(0),
    };
    for seat in &ended {
        match deps.engine.remove_seat(seat).await {
            Ok(()) | Err(EngineError::NotThere) => {}
            Err(error) => tracing::warn!(conference.id = %seat.conference, %error, "a seat could not be ended"),
        }
    }
    Ok(ended.len())
}

async fn ended_of(deps: &Assistance, seats: Vec<Seat>) -> Result<Vec<Seat>, ConferenceError> {
    let sessions: Vec<SessionId> = seats.iter().filter_map(|seat| seat.session).collect();
    if sessions.is_empty() {
        return Ok(Vec::new());
    }
    let living = sessions::living(&deps.identity, &sessions).await?;
    Ok(seats.into_iter().filter(|seat| seat.session.is_some_and(|session| !living.contains(&session))).collect())
}

/// The same for an engine that does not know log-ins: of those who came after which every log-in of theirs has ended.
async fn ended_of_stays(deps: &Assistance) -> Result<Vec<Seat>, ConferenceError> {
    let stays = connections::list_open_stays(deps.db.read()).await?;
    let mut ended = Vec::new();
    for stay in stays {
        let Some(user) = user_of(&stay.identity) else { continue };
        if sessions::has_left_since(&deps.identity, user, stay.joined_at).await? {
            let conference = stay.conference;
            ended.push(Seat { conference, identity: stay.identity, session: None });
        }
    }
    Ok(ended)
}
