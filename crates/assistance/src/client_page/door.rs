//! The door of a link: one device of the client is in the call, any other waits until the adjuster decides (CLIENT-40).
//!
//! *Invariant:* a device that waits has no media token; one that enters the media room without being admitted, with an
//! older token, is removed from it before anybody counts it (CLIENT-43).

use crate::Assistance;
use crate::calls::{forget_removal, send_out};
use crate::client_devices::Standing::{Admitted, Left, Refused, Waiting};
use crate::client_devices::{self as devices, ClientDevice, Standing};
use atalaya_cases::conferences::service::{publish_track, require_live};
use atalaya_cases::conferences::{self, ConferenceError, Scope};
use atalaya_cases::connections;
use atalaya_cases::evidence::{Actor, NewTrack};
use atalaya_cases::live::LiveEvent;
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::ConferenceId;
use atalaya_kernel::events::TrackType;
use atalaya_rest::caller::Caller;
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;

/// Seconds without a sign of life after which a waiting device counts as gone; its page asks every 3 s.
const PATIENCE_S: i64 = 15;
/// Seconds for which a device that was let in has its place before it has joined: a weak line needs some to connect.
const PLACE_KEPT_S: i64 = 15;
/// Seconds for which the place of a device that left is its own: its page may be loading anew.
const RELOAD_S: i64 = 5;
const NAME_MAX: usize = 60;

/// What a device that wants to enter is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    Enters,
    Waits,
    Refused,
}

/// Whether a device enters (CLIENT-40, CLIENT-41). `taken`: another device of the client is in the call.
pub fn entry(standing: Option<Standing>, taken: bool, asks_again: bool) -> Entry {
    match standing {
        Some(Admitted) => Entry::Enters,
        _ if !taken => Entry::Enters,
        Some(Refused) if !asks_again => Entry::Refused,
        _ => Entry::Waits,
    }
}

/// A device that waits at the door.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitingDevice {
    pub identity: String,
    /// For instance `iPhone · Safari`.
    pub device: Option<String>,
    pub since: DateTime<Utc>,
}

fn waiting_of(devices: &[ClientDevice], now: DateTime<Utc>) -> Vec<WaitingDevice> {
    let here = |device: &&ClientDevice| {
        device.standing == Some(Waiting) && device.seen_at.is_some_and(|at| at > now - TimeDelta::seconds(PATIENCE_S))
    };
    let view = |device: &ClientDevice| WaitingDevice {
        identity: device.identity.clone(),
        device: device.device.clone(),
        since: device.waiting_since.unwrap_or(device.created_at),
    };
    devices.iter().filter(here).map(view).collect()
}

/// The devices that wait at a conference's door, as the adjuster sees them.
pub async fn waiting(deps: &Assistance, id: ConferenceId) -> DbResult<Vec<WaitingDevice>> {
    Ok(waiting_of(&devices::list_devices(deps.db.read(), id).await?, deps.sources.now()))
}

async fn publish(deps: &Assistance, id: ConferenceId) {
    match waiting(deps, id).await {
        Ok(waiting) => deps.live.publish(id, LiveEvent::new("door", json!({"waiting": waiting}))),
        Err(error) => tracing::warn!(conference.id = %id, %error, "the door could not be told"),
    }
}

/// Whether another device of the client is in the media room now, or on its way there because the adjuster let it in.
async fn is_taken(tx: &Tx, id: ConferenceId, mine: &str, others: &[ClientDevice], now: DateTime<Utc>) -> DbResult<bool> {
    let since = now - TimeDelta::seconds(PLACE_KEPT_S);
    let comes = |one: &ClientDevice| one.standing == Some(Admitted) && one.admitted_at.is_some_and(|at| at > since);
    let stays = connections::list_stays(&**tx, id).await?;
    let is_here = |left: Option<DateTime<Utc>>| left.is_none_or(|left| left > now - TimeDelta::seconds(RELOAD_S));
    Ok(others.iter().any(comes) || stays.iter().any(|stay| stay.is_client() && is_here(stay.left_at) && stay.identity != mine))
}

/// How a device calls itself, without what could not be printed, and unlike the conference's other devices.
fn name_of(told: &str, others: &[ClientDevice]) -> Option<String> {
    let plain: String = told.chars().filter(|c| !c.is_control()).collect();
    let plain: String = plain.trim().chars().take(NAME_MAX - 4).collect();
    if plain.is_empty() {
        return None;
    }
    let is_used = |name: &str| others.iter().any(|other| other.device.as_deref() == Some(name));
    (1..100).map(|n| if n == 1 { plain.clone() } else { format!("{plain} ({n})") }).find(|name| !is_used(name))
}

/// A device asks to enter. Answers the device as it is then, and what it is told.
///
/// Errors: `CONFERENCE_CLOSED`.
pub(super) async fn ask(
    deps: &Assistance,
    id: ConferenceId,
    mut device: ClientDevice,
    told_name: &str,
    asks_again: bool,
) -> Result<(ClientDevice, Entry), ConferenceError> {
    let now = deps.sources.now();
    let tx = deps.db.write().await?;
    let row = conferences::lock_living(&tx, id).await?;
    if row.closed {
        return Err(ConferenceError::Closed);
    }
    let all = devices::list_devices(&*tx, id).await?;
    let (mine, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|one| one.id == device.id);
    // As it is now, under the lock.
    device = mine.into_iter().next().ok_or(ConferenceError::ClientKeyInvalid)?;
    let taken = is_taken(&tx, id, &device.identity, &others, now).await?;
    let answer = entry(device.standing, taken, asks_again);
    let before = device.standing;
    let name = device.device.clone().or_else(|| name_of(told_name, &others));
    device.device = name.clone();
    device.seen_at = Some(now);
    let mut track = None;
    match answer {
        Entry::Enters => {
            device.standing = Some(Admitted);
            device.waiting_since = None;
            // Whoever was removed and asks again is let in with a new token.
            forget_removal(&tx, id, &device.identity).await?;
        }
        Entry::Waits if before != Some(Waiting) => {
            device.standing = Some(Waiting);
            device.waiting_since = Some(now);
        }
        Entry::Waits | Entry::Refused => {}
    }
    let device = devices::update_device(&tx, device).await?;
    let changed = device.standing != before;
    if answer == Entry::Enters && changed {
        // It took a free place: who was in the call before asks again.
        devices::dismiss_others(&tx, id, device.id).await?;
    }
    if answer == Entry::Waits && changed {
        let data = json!({"identity": device.identity, "device": name});
        track = Some(conferences::append(&tx, deps, id, NewTrack::new(TrackType::DeviceWaiting, Actor::Client, data)).await?);
    }
    tx.commit().await?;
    if let Some(track) = &track {
        publish_track(deps, id, track).await;
    }
    if changed && (track.is_some() || before == Some(Waiting)) {
        publish(deps, id).await;
    }
    Ok((device, answer))
}

/// The client hangs up, or closes the page of a device that waits. A refused device stays refused.
pub(super) async fn leave(deps: &Assistance, id: ConferenceId, identity: &str) -> Result<(), ConferenceError> {
    go(deps, id, identity, Left, |standing| standing != Some(Refused)).await
}

async fn go(
    deps: &Assistance,
    id: ConferenceId,
    identity: &str,
    to: Standing,
    may: impl Fn(Option<Standing>) -> bool,
) -> Result<(), ConferenceError> {
    let tx = deps.db.write().await?;
    atalaya_db::lock_row(&tx, "conference", id.0).await?;
    let Some(mut device) = devices::find_by_identity(&*tx, id, identity).await? else { return Ok(()) };
    let before = device.standing;
    if !may(before) {
        return Ok(());
    }
    device.standing = Some(to);
    device.waiting_since = None;
    devices::update_device(&tx, device).await?;
    tx.commit().await?;
    if before == Some(Waiting) {
        publish(deps, id).await;
    }
    Ok(())
}

/// Takes waiting devices that went away without a word from their doors.
pub async fn forget_lost(deps: &Assistance) -> Result<usize, ConferenceError> {
    let lost = devices::list_lost(deps.db.read(), deps.sources.now() - TimeDelta::seconds(PATIENCE_S)).await?;
    let count = lost.len();
    for device in lost {
        // It may have been admitted since.
        let id = device.conference;
        go(deps, id, &device.identity, Left, |standing| standing == Some(Waiting)).await?;
    }
    Ok(count)
}

/// What the adjuster decides about a waiting device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// Both devices are in the call.
    Admit,
    /// It takes the place of the first, which is sent out.
    Replace,
    Refuse,
}

/// Carries out the adjuster's decision (CLIENT-42).
///
/// Errors: `CONFERENCE_NOT_FOUND`, `CONFERENCE_CLOSED`, `LINK_EXPIRED`, `DEVICE_NOT_WAITING`.
pub async fn decide(
    deps: &Assistance,
    caller: &Caller,
    id: ConferenceId,
    identity: &str,
    decision: Decision,
) -> Result<(), ConferenceError> {
    require_live(deps, Scope::of(caller), id).await?;
    let tx = deps.db.write().await?;
    let row = conferences::lock_living(&tx, id).await?;
    if row.closed {
        return Err(ConferenceError::Closed);
    }
    let device = devices::find_by_identity(&*tx, id, identity).await?;
    let mut device = device.filter(|one| one.standing == Some(Waiting)).ok_or(ConferenceError::DeviceNotWaiting)?;
    let (key, name) = (device.id, device.device.clone());
    let enters = decision != Decision::Refuse;
    device.standing = Some(if enters { Admitted } else { Refused });
    device.admitted_at = enters.then(|| deps.sources.now());
    device.waiting_since = None;
    devices::update_device(&tx, device).await?;
    let mut sent_out = Vec::new();
    if decision == Decision::Replace {
        devices::dismiss_others(&tx, id, key).await?;
        let stays = connections::list_stays(&*tx, id).await?;
        let inside = stays.into_iter().filter(|stay| stay.is_client() && stay.left_at.is_none() && stay.identity != identity);
        sent_out.extend(inside.map(|stay| stay.identity));
        sent_out.dedup();
    }
    let track_type = match decision {
        Decision::Admit => TrackType::DeviceAdmitted,
        Decision::Replace => TrackType::DeviceReplaced,
        Decision::Refuse => TrackType::DeviceRefused,
    };
    let data = json!({"identity": identity, "device": name, "sentOut": sent_out});
    let track = conferences::append(&tx, deps, id, NewTrack::new(track_type, Actor::User(caller.user), data)).await?;
    tx.commit().await?;
    publish_track(deps, id, &track).await;
    publish(deps, id).await;
    for identity in sent_out {
        send_out(deps, id, &identity).await;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    // CLIENT-40, CLIENT-41
    #[test]
    fn who_enters_and_who_waits() {
        for (standing, taken, again, expected) in [
            (None, false, false, Entry::Enters),
            (None, true, false, Entry::Waits),
            (Some(Waiting), true, false, Entry::Waits),
            (Some(Waiting), false, false, Entry::Enters),
            (Some(Admitted), true, false, Entry::Enters),
            (Some(Left), true, false, Entry::Waits),
            (Some(Left), false, false, Entry::Enters),
            (Some(Refused), true, false, Entry::Refused),
            (Some(Refused), true, true, Entry::Waits),
            (Some(Refused), false, false, Entry::Enters),
        ] {
            assert_eq!(entry(standing, taken, again), expected, "{standing:?} {taken} {again}");
        }
    }
}
