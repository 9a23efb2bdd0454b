//! The event stream of one conference (LIVE-1), by server-sent events (decision 0007).

use super::details;
use crate::Assistance;
use atalaya_cases::conferences::{self, Scope};
use atalaya_cases::live::Watcher;
use atalaya_identity::sessions::{self, LivingLogIn};
use atalaya_kernel::ConferenceId;
use atalaya_rest::caller::{Caller, ConferenceSide};
use atalaya_rest::extract::Path;
use atalaya_rest::response::ApiResult;
use axum::extract::State;
use axum::response::sse::{Event, Sse};
use futures::Stream;
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::broadcast::error::RecvError;

/// How often the stream checks whether another node wrote, and sends a `ping`.
const LOOK: Duration = Duration::from_secs(5);

/// Everything that happens in a conference, as `text/event-stream`; first a `snapshot` of the whole.
///
/// Events: `snapshot`, `track`, `progress`, `message`, `recording`, `media`, `chat`, `participant`, `door`, `positions`,
/// `frozen`, `drawing`, `measure`, `closed`, `ping`. Errors: `CONFERENCE_NOT_FOUND` (404).
#[utoipa::path(get, path = "/api/v1/conference-events/{id}", tag = "conferences", operation_id = "conference_events",
    params(("id" = ConferenceId, Path)),
    responses((status = 200, content_type = "text/event-stream", body = String)), security(("session" = [])))]
pub async fn conference_events(
    State(deps): State<Assistance>,
    ConferenceSide(caller): ConferenceSide,
    Path(id): Path<ConferenceId>,
) -> ApiResult<Sse<impl Stream<Item = Result<Event, Infallible>>>> {
    // Before anything is set up for it: another tenant's id, or one that does not exist, answers 404 and costs nothing (LIVE-5).
    conferences::get(deps.db.read(), Scope::of(&caller), id).await?;
    let log_in = sessions::watch(&deps.identity, caller.session).await?;
    let receiver = deps.live.subscribe(id);
    let watch = Watch { deps, caller, id, log_in, receiver, seq: 0, wants_snapshot: true };
    Ok(Sse::new(futures::stream::unfold(watch, |mut watch| async move {
        let event = watch.next().await?;
        Some((Ok(event), watch))
    })))
}

struct Watch {
    deps: Assistance,
    caller: Caller,
    id: ConferenceId,
    log_in: LivingLogIn,
    receiver: Watcher,
    seq: i32,
    wants_snapshot: bool,
}

impl Watch {
    /// The next event; `None` ends the stream.
    async fn next(&mut self) -> Option<Event> {
        if self.log_in.has_ended() {
            return None;
        }
        if self.wants_snapshot {
            return self.snapshot().await;
        }
        let heard = tokio::select! {
            biased;
            () = self.log_in.ended() => return None,
            heard = tokio::time::timeout(LOOK, self.receiver.recv()) => heard,
        };
        match heard {
            Ok(Ok(event)) => {
                if let Some(seq) = event.seq {
                    if seq > self.seq + 1 {
                        return self.snapshot().await;
                    }
                    self.seq = self.seq.max(seq);
                }
                Some(named(event.name, &event.data))
            }
            Ok(Err(RecvError::Lagged(_))) => self.snapshot().await,
            Ok(Err(RecvError::Closed)) => {
                self.receiver = self.deps.live.subscribe(self.id);
                self.snapshot().await
            }
            Err(_) => self.look().await,
        }
    }

    async fn snapshot(&mut self) -> Option<Event> {
        let body = details(&self.deps, &self.caller, self.id).await.ok()?;
        self.seq = body.seq;
        self.wants_snapshot = false;
        Some(named("snapshot", &serde_json::to_value(&body).ok()?))
    }

    /// After a while without events: notices what another node wrote.
    async fn look(&mut self) -> Option<Event> {
        let row = conferences::find(self.deps.db.read(), Scope::of(&self.caller), self.id).await.ok()??;
        if row.last_seq > self.seq { self.snapshot().await } else { Some(named("ping", &serde_json::json!({}))) }
    }
}

fn named(name: &'static str, data: &serde_json::Value) -> Event {
    Event::default().event(name).data(data.to_string())
}
