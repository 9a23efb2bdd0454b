//! Background tasks: engine events, finished recordings, idle conferences.

use crate::Assistance;
use crate::call_page::closing::close_idle;
use crate::calls::admission;
use crate::calls::{CallEvent, recording, service as calls};
use crate::client_page::door;
use crate::media::recordings;
use crate::phone_checks;
use atalaya_blobs::BlobName;
use atalaya_cases::conferences::ConferenceError;
use std::time::Duration;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio_util::sync::CancellationToken;

/// How often idle and expired conferences are closed.
const SWEEP: Duration = Duration::from_secs(30);

/// How often log-ins of those in calls are looked after.
const SEATS: Duration = Duration::from_millis(500);

/// Repairs what a crash left: open stays, running recordings, spooled files (CALL-8). Runs once before serving.
pub async fn recover(deps: &Assistance) -> Result<(), ConferenceError> {
    let stays = calls::end_abandoned_stays(deps).await?;
    let running = recording::end_abandoned(deps).await?;
    let videos = match recordings::recover(deps).await {
        Ok(videos) => videos,
        Err(error) => {
            tracing::error!(%error, "the spool could not be read");
            0
        }
    };
    if stays + running + videos > 0 {
        tracing::info!(stays, running, videos, "recovered what the last run left open");
    }
    Ok(())
}

/// Handles one event; a failure is logged and does not stop the next.
pub async fn handle(deps: &Assistance, event: CallEvent) {
    if let Err(error) = calls::on_event(deps, event).await {
        tracing::error!(%error, "an event of the media engine could not be written");
    }
}

/// Makes videos of finished spool files until the sink is gone.
pub async fn follow_spool(deps: Assistance, mut names: UnboundedReceiver<BlobName>) {
    while let Some(name) = names.recv().await {
        if let Err(error) = recordings::finalise(&deps, &name).await {
            tracing::error!(%error, "a recording stays in the spool until the next start");
        }
    }
}

/// Ends the seats of log-ins that have ended, within a second (CALL-51), until told to stop.
pub async fn watch_seats(deps: Assistance, stop: CancellationToken) {
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(SEATS) => {}
        }
        if let Err(error) = admission::end_seats(&deps).await {
            tracing::warn!(%error, "whose log-in has ended in a call cannot be said");
        }
    }
}

/// Closes idle conferences until told to stop.
pub async fn sweep(deps: Assistance, stop: CancellationToken) {
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(SWEEP) => {}
        }
        if let Err(error) = close_idle(&deps).await {
            tracing::warn!(%error, "idle conferences could not be closed");
        }
        if let Err(error) = phone_checks::forget_old(&deps).await {
            tracing::warn!(%error, "results of checks could not be deleted");
        }
        if let Err(error) = door::forget_lost(&deps).await {
            tracing::warn!(%error, "devices that went away could not be forgotten");
        }
    }
}
