//! The media engine's events become stays, tracks and the duration.

use super::engine::{CallEvent, Gone};
use super::{admission, send_out};
use crate::Assistance;
use crate::client_devices;
use atalaya_cases::conferences::model::{ConferenceError, together_s};
use atalaya_cases::conferences::service::publish_track;
use atalaya_cases::conferences::view::participants;
use atalaya_cases::conferences::{self, Settled};
use atalaya_cases::connections::{self, NewStay, Side, Stay};
use atalaya_cases::evidence::{Actor, NewTrack, Track};
use atalaya_cases::live::LiveEvent;
use atalaya_db::Tx;
use atalaya_kernel::events::TrackType;
use atalaya_kernel::{ConferenceId, UserId};
use serde_json::json;

/// Handles one event. Events of rooms that are no conference are ignored (CALL-2).
pub async fn on_event(deps: &Assistance, event: CallEvent) -> Result<(), ConferenceError> {
    match event {
        CallEvent::RoomStarted { room, sid } => in_conference(deps, &room, Change::RoomStarted { sid }).await,
        CallEvent::RoomFinished { room, sid } => in_conference(deps, &room, Change::RoomFinished { sid }).await,
        CallEvent::Joined { room, identity, participant_sid, name } => {
            in_conference(deps, &room, Change::Joined { identity, participant_sid, name }).await
        }
        CallEvent::Reconnected { room, identity } => in_conference(deps, &room, Change::Reconnected { identity }).await,
        CallEvent::Left { room, identity, participant_sid, gone } => {
            in_conference(deps, &room, Change::Left { identity, participant_sid, gone }).await
        }
    }
}

enum Change {
    RoomStarted { sid: String },
    RoomFinished { sid: String },
    Joined { identity: String, participant_sid: String, name: String },
    Reconnected { identity: String },
    Left { identity: String, participant_sid: String, gone: Gone },
}

async fn in_conference(deps: &Assistance, room: &str, change: Change) -> Result<(), ConferenceError> {
    let Ok(id) = room.parse::<ConferenceId>() else { return Ok(()) };
    let tx = deps.db.write().await?;
    atalaya_db::lock_row(&tx, "conference", id.0).await?;
    let row = match conferences::reload(&tx, id).await {
        Err(ConferenceError::NotFound) => return Ok(()),
        other => other?,
    };
    if let Change::Joined { identity, .. } = &change
        && (admission::must_leave(deps, id, identity).await? || client_devices::keeps_out(&tx, id, identity).await?)
    {
        drop(tx);
        send_out(deps, id, identity).await;
        return Ok(());
    }
    if row.closed {
        return Ok(());
    }
    let track = apply(deps, &tx, id, change).await?;
    settle(deps, &tx, id).await?;
    tx.commit().await?;
    if let Some(track) = track {
        publish_track(deps, id, &track).await;
        let stays = connections::list_stays(deps.db.read(), id).await?;
        deps.live.publish(id, LiveEvent::new("participant", json!({"participants": participants(&stays)})));
    }
    Ok(())
}

/// Who an identity of a media room is.
fn actor_of(identity: &str) -> Actor {
    match identity.strip_prefix("user:").and_then(|id| id.parse::<UserId>().ok()) {
        Some(user) => Actor::User(user),
        None => Actor::Client,
    }
}

async fn apply(deps: &Assistance, tx: &Tx, id: ConferenceId, change: Change) -> Result<Option<Track>, ConferenceError> {
    let now = deps.sources.now();
    let (track_type, identity, gone) = match change {
        Change::RoomStarted { sid } => {
            connections::insert_room(tx, &deps.sources, id, &sid).await?;
            return Ok(None);
        }
        Change::RoomFinished { sid } => {
            connections::end_room(tx, id, &sid, now).await?;
            return Ok(None);
        }
        Change::Joined { identity, participant_sid, name } => {
            let kind = if matches!(actor_of(&identity), Actor::Client) { Side::Client } else { Side::Staff };
            let device = client_devices::device_name(tx, id, &identity).await?;
            let stay = NewStay { identity: &identity, name: &name, kind, participant_sid: &participant_sid, device };
            if !connections::insert_stay(tx, &deps.sources, id, stay).await? {
                return Ok(None);
            }
            (TrackType::Connected, identity, None)
        }
        Change::Reconnected { identity } => (TrackType::Reconnected, identity, None),
        Change::Left { identity, participant_sid, gone } => {
            if !connections::end_stay(tx, id, &participant_sid, now).await? {
                return Ok(None);
            }
            // Who hung up has left, even if the engine had to be told to remove them.
            let hung_up = gone == Gone::Removed && client_devices::has_hung_up(tx, id, &identity).await?;
            (TrackType::Disconnected, identity, Some(if hung_up { Gone::Left } else { gone }))
        }
    };
    let mut data = json!({"identity": identity});
    if let Some(gone) = gone {
        data["reason"] = gone.as_str().into();
    }
    let track = NewTrack::new(track_type, actor_of(&identity), data);
    Ok(Some(conferences::append(tx, deps, id, track).await?))
}

/// Updates `sid`, the duration and the idle clock from who is connected (CASE-12, CASE-13, CASE-14).
async fn settle(deps: &Assistance, tx: &Tx, id: ConferenceId) -> Result<(), ConferenceError> {
    let row = conferences::reload(tx, id).await?;
    let stays = connections::list_stays(&**tx, id).await?;
    let client_came = stays.iter().any(Stay::is_client);
    let anybody = stays.iter().any(|s| s.left_at.is_none());
    let sid = match (&row.sid, client_came) {
        (None, true) => connections::list_rooms(&**tx, id).await?.last().map(|r| r.sid.clone()),
        (sid, _) => sid.clone(),
    };
    let now = deps.sources.now();
    let idle_since = match (client_came, anybody) {
        (true, false) => row.idle_since.or(Some(now)),
        _ => None,
    };
    let duration = client_came.then(|| together_s(&conferences::spans(&stays), now));
    conferences::settle(tx, id, Settled { sid, idle_since, duration_s: duration }).await?;
    Ok(())
}

/// After a restart nobody is connected: ends the stays that the crash left open (CALL-8), or their conferences would never
/// close.
pub async fn end_abandoned_stays(deps: &Assistance) -> Result<usize, ConferenceError> {
    let open = connections::list_open_stays(deps.db.read()).await?;
    let count = open.len();
    for stay in open {
        let room = stay.conference.to_string();
        on_event(
            deps,
            CallEvent::Left { room, identity: stay.identity, participant_sid: stay.participant_sid, gone: Gone::Lost },
        )
        .await?;
    }
    Ok(count)
}
