//! A request as its link finds it: what the client may still do, opening it, finishing it.

use super::messages::Notice;
use super::model::{LinkState, Request, link_state};
use super::service::{tell_files, told};
use super::store;
use crate::FilesError;
use atalaya_assistance::Assistance;
use atalaya_assistance::client_page::service::{CallBack, Origin, call_back_of};
use atalaya_cases::conferences::{self, Conference};
use atalaya_cases::evidence::{self, Actor, NewTrack, Track};
use atalaya_checks::browser::browser_and_system;
use atalaya_db::Tx;
use atalaya_kernel::events::TrackType;
use atalaya_kernel::{ConferenceId, UserId};
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use uuid::Uuid;

/// A request as its link finds it.
pub struct Link {
    pub request: Request,
    pub conference: Conference,
    pub state: LinkState,
}

impl Link {
    /// Errors: `LINK_UNKNOWN`.
    pub async fn find(deps: &Assistance, token: &str) -> Result<Self, FilesError> {
        let plausible = token.len() == 32 && token.bytes().all(|b| b.is_ascii_hexdigit());
        let request = if plausible { store::find_by_token(deps.db.read(), token).await? } else { None };
        let request = request.ok_or(FilesError::LinkUnknown)?;
        let id = ConferenceId(request.conference_id);
        let conference = conferences::get(deps.db.read(), conferences::Scope::All, id).await?;
        let state = state_of(&request, &conference, deps.sources.now());
        Ok(Self { request, conference, state })
    }

    /// Errors: `LINK_UNKNOWN`, `LINK_EXPIRED` when it accepts nothing any more.
    pub async fn open(deps: &Assistance, token: &str) -> Result<Self, FilesError> {
        let link = Self::find(deps, token).await?;
        if link.state == LinkState::Open { Ok(link) } else { Err(FilesError::LinkOver) }
    }

    /// What was begun before the client finished may still arrive (FILES-8). Errors: `LINK_EXPIRED`.
    pub fn require_arriving(&self) -> Result<(), FilesError> {
        let arriving = matches!(self.state, LinkState::Open | LinkState::Finished);
        if arriving { Ok(()) } else { Err(FilesError::LinkOver) }
    }

    pub fn id(&self) -> ConferenceId {
        ConferenceId(self.conference.id)
    }
}

/// Whom the client of this link calls when the page does not open. Errors: `LINK_UNKNOWN`.
pub async fn call_back(deps: &Assistance, token: &str) -> Result<CallBack, FilesError> {
    let link = Link::find(deps, token).await?;
    Ok(call_back_of(deps, &link.conference, link.state == LinkState::Open).await?)
}

pub fn state_of(request: &Request, conference: &Conference, now: DateTime<Utc>) -> LinkState {
    let gone = conference.data_key.is_none() || conference.media_expired_at.is_some();
    link_state(gone, request.cancelled_at.is_some(), request.finished_at.is_some(), request.expires_at, now)
}

/// The same for the example data.
pub async fn visit(deps: &Assistance, request: Uuid, origin: &Origin) -> Result<(), FilesError> {
    let found = store::find(deps.db.read(), conferences::Scope::All, request).await?;
    let (row, _) = found.ok_or(FilesError::LinkUnknown)?;
    opened(deps, &Link::open(deps, &row.token).await?, origin).await
}

/// A device that returns within this time is still on the same visit.
const SAME_VISIT: TimeDelta = TimeDelta::hours(1);

/// The client has opened the page. Recorded once an hour for each request, browser and address (FILES-14).
pub async fn opened(deps: &Assistance, link: &Link, origin: &Origin) -> Result<(), FilesError> {
    let (browser, system) = browser_and_system(&origin.user_agent);
    let data = json!({"requestId": link.request.id.to_string(), "browser": browser, "os": system});
    let tx = deps.db.write().await?;
    conferences::lock_living(&tx, link.id()).await?;
    let mut row = store::reload(&tx, link.request.id).await?.ok_or(FilesError::LinkUnknown)?;
    if row.opened_at.is_none() {
        row.opened_at = Some(deps.sources.now());
        store::update(&tx, &row).await?;
    }
    if seen_lately(deps, &tx, link.id(), &data, origin).await? {
        return Ok(());
    }
    let new = origin.onto(NewTrack::new(TrackType::FilesOpened, Actor::Client, data));
    let track = conferences::append(&tx, deps, link.id(), new).await?;
    tx.commit().await?;
    told(deps, link.id(), &track, None).await;
    tell_files(deps, link.id(), row.id, None, None, "opened");
    Ok(())
}

/// Whether the chain has this device's visit already; read under the request's lock, so that two at once become one.
async fn seen_lately(deps: &Assistance, tx: &Tx, id: ConferenceId, data: &Value, origin: &Origin) -> Result<bool, FilesError> {
    let since = deps.sources.now() - SAME_VISIT;
    let address = origin.address.to_string();
    let same = |track: &Track| {
        ["requestId", "browser", "os"].iter().all(|name| track.data.get(*name) == data.get(*name))
            && track.data.get("ip").and_then(Value::as_str) == Some(&address)
    };
    let tracks = evidence::list(&**tx, id).await?;
    Ok(tracks.iter().any(|track| track.track_type == TrackType::FilesOpened && track.at > since && same(track)))
}

/// The client has finished; saying so again changes nothing.
pub async fn finished(deps: &Assistance, link: &Link, origin: &Origin) -> Result<(), FilesError> {
    let data = json!({"requestId": link.request.id.to_string()});
    let tx = deps.db.write().await?;
    let conference = conferences::lock_living(&tx, link.id()).await?;
    let mut row = store::reload(&tx, link.request.id).await?.ok_or(FilesError::LinkUnknown)?;
    if row.finished_at.is_some() {
        return Ok(());
    }
    row.finished_at = Some(deps.sources.now());
    row.remind_at = None;
    // No more files will come, so the waiting notice goes out now.
    row.notify_at = row.notify_at.map(|_| deps.sources.now());
    store::update(&tx, &row).await?;
    let new = origin.onto(NewTrack::new(TrackType::FilesFinished, Actor::Client, data));
    let track = conferences::append(&tx, deps, link.id(), new).await?;
    let notice = deps.outreach.notify(&tx, &[UserId(row.user_id)], &Notice::Finished.about(&conference)).await?;
    tx.commit().await?;
    deps.outreach.announce(notice);
    told(deps, link.id(), &track, None).await;
    tell_files(deps, link.id(), row.id, None, None, "finished");
    Ok(())
}
