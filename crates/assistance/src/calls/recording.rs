//! Recording a call: start, pause, resume, stop, each with its track, visible to both sides.
//!
//! *Invariant:* while paused nothing is captured, because the engine hands nothing to the writer (CALL-5); "recording" is
//! shown only after the engine has started (CALL-6).

use super::{EngineError, say, store};
use crate::Assistance;
use atalaya_blobs::DataKey;
use atalaya_cases::conferences::model::ConferenceError;
use atalaya_cases::conferences::service::{publish_track, require_live};
use atalaya_cases::conferences::{self, Scope};
use atalaya_cases::evidence::{Actor, NewTrack};
use atalaya_cases::live::LiveEvent;
use atalaya_kernel::events::TrackType;
use atalaya_kernel::{ConferenceId, RecordingId};
use atalaya_rest::caller::Caller;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use utoipa::ToSchema;

/// Keys of the running recordings, for the engine's writer thread, which has no database.
#[derive(Clone, Default)]
pub struct KeyRing(Arc<Mutex<HashMap<String, DataKey>>>);

impl KeyRing {
    pub fn put(&self, recording: RecordingId, key: DataKey) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(recording.to_string(), key);
    }

    pub fn get(&self, recording: &str) -> Option<DataKey> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(recording).cloned()
    }

    pub fn forget(&self, recording: RecordingId) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&recording.to_string());
    }
}

/// A recording, start to stop.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    pub id: RecordingId,
    pub conference: ConferenceId,
    /// `user:{id}`.
    pub started_by: String,
    /// The engine's own name for it, if it has one.
    pub external_id: Option<String>,
    /// Pauses that are over.
    pub paused_ms: i64,
    pub started_at: DateTime<Utc>,
    pub paused_at: Option<DateTime<Utc>>,
    pub stopped_at: Option<DateTime<Utc>>,
}

/// What changes about a recording; the rest stays, whoever writes it at the same time.
pub enum Change {
    Pause { at: DateTime<Utc> },
    Resume { paused_ms: i64 },
    Stop { paused_ms: i64, at: DateTime<Utc> },
}

/// What to do with the recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RecordingAction {
    Start,
    Pause,
    Resume,
    Stop,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RecordingState {
    Idle,
    Recording,
    Paused,
}

/// The recording as both sides see it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordingView {
    pub state: RecordingState,
    pub recording_id: Option<RecordingId>,
    pub started_at: Option<DateTime<Utc>>,
    /// Recorded time so far, pauses not counted.
    pub elapsed_ms: i64,
    /// Who started it: `user:{id}`.
    pub by: Option<String>,
}

impl RecordingView {
    pub fn of(row: Option<&Recording>, now: DateTime<Utc>) -> Self {
        let Some(row) = row.filter(|r| r.stopped_at.is_none()) else {
            return Self { state: RecordingState::Idle, recording_id: None, started_at: None, elapsed_ms: 0, by: None };
        };
        let until = row.paused_at.unwrap_or(now);
        Self {
            state: if row.paused_at.is_some() { RecordingState::Paused } else { RecordingState::Recording },
            recording_id: Some(row.id),
            started_at: Some(row.started_at),
            elapsed_ms: ((until - row.started_at).num_milliseconds() - row.paused_ms).max(0),
            by: Some(row.started_by.clone()),
        }
    }
}

/// The recording of a conference now.
pub async fn current(deps: &Assistance, id: ConferenceId) -> Result<RecordingView, ConferenceError> {
    let row = store::find_last_recording(deps.db.read(), id).await?;
    Ok(RecordingView::of(row.as_ref(), deps.sources.now()))
}

/// Performs an action of the adjuster (CALL-3).
///
/// Errors: `CONFERENCE_NOT_FOUND`, `CONFERENCE_CLOSED`, `RECORDING_STATE` (409), `RECORDING_UNAVAILABLE` (503).
pub async fn act(
    deps: &Assistance,
    caller: &Caller,
    id: ConferenceId,
    action: RecordingAction,
) -> Result<RecordingView, ConferenceError> {
    require_live(deps, Scope::of(caller), id).await?;
    if !deps.engine.can_record() {
        return Err(ConferenceError::RecordingUnavailable);
    }
    let actor = Actor::User(caller.user);
    match action {
        RecordingAction::Start => start(deps, id, actor).await?,
        other => change(deps, id, actor, other).await?,
    }
    told(deps, id).await
}

/// Notifies both sides of the recording's state.
async fn told(deps: &Assistance, id: ConferenceId) -> Result<RecordingView, ConferenceError> {
    let view = current(deps, id).await?;
    deps.live.publish(id, LiveEvent::new("recording", &view));
    let mut packet = serde_json::to_value(&view).unwrap_or_default();
    packet["t"] = json!("recording");
    say(deps, id, packet).await;
    Ok(view)
}

async fn start(deps: &Assistance, id: ConferenceId, actor: Actor) -> Result<(), ConferenceError> {
    let running = store::find_last_recording(deps.db.read(), id).await?;
    if running.is_some_and(|r| r.stopped_at.is_none()) {
        return Err(ConferenceError::RecordingState);
    }
    let recording: RecordingId = deps.sources.id();
    deps.keys.put(recording, atalaya_cases::conferences::vault::data_key(deps, id).await?);
    let external = match deps.engine.start_recording(id, recording).await {
        Ok(external) => external,
        Err(error) => {
            deps.keys.forget(recording);
            return Err(match error {
                // Nobody is in the room yet, so there is nothing to record.
                EngineError::NotThere => ConferenceError::RecordingState,
                other => other.into(),
            });
        }
    };
    note_start(deps, id, recording, external, actor).await
}

/// Stores a recording that the engine has started.
pub async fn note_start(
    deps: &Assistance,
    id: ConferenceId,
    recording: RecordingId,
    external: Option<String>,
    actor: Actor,
) -> Result<(), ConferenceError> {
    let started_by = actor.to_string();
    let tx = deps.db.write().await?;
    let row = Recording {
        id: recording,
        conference: id,
        started_by,
        external_id: external,
        paused_ms: 0,
        started_at: deps.sources.now(),
        paused_at: None,
        stopped_at: None,
    };
    store::insert_recording(&tx, row).await?;
    let new = NewTrack::new(TrackType::RecordingStarted, actor, json!({"recordingId": recording.to_string()}));
    let track = conferences::append(&tx, deps, id, new).await?;
    tx.commit().await?;
    publish_track(deps, id, &track).await;
    Ok(())
}

async fn change(deps: &Assistance, id: ConferenceId, actor: Actor, action: RecordingAction) -> Result<(), ConferenceError> {
    let row = store::find_last_recording(deps.db.read(), id).await?.filter(|r| r.stopped_at.is_none());
    let row = row.ok_or(ConferenceError::RecordingState)?;
    let recording = row.id;
    let now = deps.sources.now();
    let paused_ms = row.paused_ms + row.paused_at.map_or(0, |since| (now - since).num_milliseconds());
    let (track_type, change) = match (action, row.paused_at) {
        (RecordingAction::Pause, None) => {
            deps.engine.pause_recording(id, recording).await?;
            (TrackType::RecordingPaused, Change::Pause { at: now })
        }
        (RecordingAction::Resume, Some(_)) => {
            deps.engine.resume_recording(id, recording).await?;
            (TrackType::RecordingResumed, Change::Resume { paused_ms })
        }
        (RecordingAction::Stop, _) => {
            match deps.engine.stop_recording(id, recording, row.external_id.as_deref()).await {
                // It ended with its room: there is nothing left to stop.
                Ok(()) | Err(EngineError::NotThere | EngineError::RecordingState) => {}
                Err(error) => return Err(error.into()),
            }
            (TrackType::RecordingStopped, Change::Stop { paused_ms, at: now })
        }
        _ => return Err(ConferenceError::RecordingState),
    };
    let tx = deps.db.write().await?;
    store::change_recording(&tx, recording, change).await?;
    let new = NewTrack::new(track_type, actor, json!({"recordingId": recording.to_string()}));
    let track = conferences::append(&tx, deps, id, new).await?;
    tx.commit().await?;
    publish_track(deps, id, &track).await;
    Ok(())
}

/// Stops a running recording before its conference closes. A failure is only logged, so that closing goes on (CALL-7).
pub async fn stop_if_running(deps: &Assistance, id: ConferenceId, actor: Actor) {
    match change(deps, id, actor, RecordingAction::Stop).await {
        Ok(()) => {
            let _ = told(deps, id).await;
        }
        Err(ConferenceError::RecordingState) => {}
        Err(error) => tracing::warn!(conference.id = %id, %error, "the recording could not be stopped"),
    }
}

/// After a restart no recording runs: marks those that a crash left running as stopped (CALL-8). Their files are recovered
/// from the spool.
pub async fn end_abandoned(deps: &Assistance) -> Result<usize, ConferenceError> {
    let running = store::list_running_recordings(deps.db.read()).await?;
    let count = running.len();
    for row in running {
        change(deps, row.conference, Actor::System, RecordingAction::Stop).await?;
    }
    Ok(count)
}
