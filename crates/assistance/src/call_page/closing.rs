//! Closing: the recording stops, everybody is disconnected, the duration is final. One transaction; its effects follow the commit.

use crate::Assistance;
use crate::calls::{recording, say_closed};
use crate::media::announcements;
use atalaya_cases::conferences::model::{ConferenceError, may_close, together_s};
use atalaya_cases::conferences::service::publish_track;
use atalaya_cases::conferences::{self, Conference, Scope};
use atalaya_cases::connections::{self, Stay};
use atalaya_cases::evidence::{Actor, NewTrack};
use atalaya_cases::live::LiveEvent;
use atalaya_kernel::events::TrackType;
use atalaya_kernel::{ConferenceId, limits};
use chrono::TimeDelta;
use serde_json::json;

/// Ends a conference: its recording stops, everybody is disconnected, the duration is final.
///
/// Closing a closed one is no error. Errors: `CONFERENCE_NOT_FOUND`.
pub async fn close(deps: &Assistance, scope: Scope, id: ConferenceId, actor: Actor) -> Result<Conference, ConferenceError> {
    let row = conferences::get(deps.db.read(), scope, id).await?;
    if row.closed {
        return Ok(row);
    }
    close_when(deps, id, actor, |_| true).await
}

/// Closes the conference if `still` holds once it is locked; answers it as it is then.
async fn close_when(
    deps: &Assistance,
    id: ConferenceId,
    actor: Actor,
    still: impl Fn(&Conference) -> bool,
) -> Result<Conference, ConferenceError> {
    let row = conferences::get(deps.db.read(), Scope::All, id).await?;
    if row.closed || !still(&row) {
        return Ok(row);
    }
    recording::stop_if_running(deps, id, actor.clone()).await;
    let tx = deps.db.write().await?;
    atalaya_db::lock_row(&tx, "conference", id.0).await?;
    let row = conferences::reload(&tx, id).await?;
    if row.closed || !still(&row) {
        return Ok(row);
    }
    let now = deps.sources.now();
    connections::end_all(&tx, id, now).await?;
    let stays = connections::list_stays(&*tx, id).await?;
    // Not decided by `sid`: the event that the room started may have been lost.
    let connected = stays.iter().any(Stay::is_client);
    let seconds = connected.then(|| together_s(&conferences::spans(&stays), now));
    conferences::close(&tx, id, now, seconds).await?;
    let mut data = json!({"durationS": seconds});
    let awaited = announcements::awaited(&tx, id).await?;
    if !awaited.is_empty() {
        // Under the closing's seal: what arrives with one of these hashes was taken in the call (STORE-24).
        data["awaited"] = awaited.into();
    }
    let track = conferences::append(&tx, deps, id, NewTrack::new(TrackType::ConferenceClosed, actor, data)).await?;
    let row = conferences::reload(&tx, id).await?;
    tx.commit().await?;
    publish_track(deps, id, &track).await;
    deps.live.publish(id, LiveEvent::new("closed", json!({})));
    say_closed(deps, id).await;
    tracing::info!(conference.id = %id, duration_s = seconds, "conference closed");
    Ok(row)
}

/// Closes the conferences that nobody uses any more (CASE-14); runs every half minute.
pub async fn close_idle(deps: &Assistance) -> Result<usize, ConferenceError> {
    let now = deps.sources.now();
    let rows = conferences::list_to_close(deps.db.read(), now, now - TimeDelta::minutes(limits::IDLE_CLOSE_MINUTES)).await?;
    let count = rows.len();
    for row in rows {
        // Somebody may have come back since the query.
        close_when(deps, ConferenceId(row.id), Actor::System, |row| may_close(row, now)).await?;
    }
    Ok(count)
}
