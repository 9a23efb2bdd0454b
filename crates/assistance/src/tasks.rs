//! Background tasks: engine events, finished recordings, idle conferences, states of messages.

use crate::Assistance;
use crate::calls::{CallEvent, next_event, recording, service as calls};
use crate::conferences::fallback;
use crate::conferences::service::{close_idle, publish_progress, publish_track};
use crate::conferences::view::MessageView;
use crate::evidence::{self, Actor, NewTrack};
use crate::live::LiveEvent;
use crate::media::recordings;
use crate::retention::RetentionError;
use async_trait::async_trait;
use atalaya_blobs::BlobName;
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::events::TrackType;
use atalaya_messaging::{Channel, Message, MessageState, Observer};
use atalaya_sfu::EngineEvent;
use serde_json::json;
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, UnboundedReceiver};
use tokio_util::sync::CancellationToken;

/// How often idle and expired conferences are closed.
const SWEEP: Duration = Duration::from_secs(30);

/// Repairs what a crash left: open stays, running recordings, spooled files (CALL-8). Runs once before serving.
pub async fn recover(deps: &Assistance) -> Result<(), RetentionError> {
    let erased = crate::retention::erasure::recover(deps).await?;
    if erased > 0 {
        tracing::warn!(erased, "erased anew what the register of erasures names: a backup was put back, or a crash came between");
    }
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

/// Handles the embedded engine's events until it stops.
pub async fn follow_engine(deps: Assistance, mut events: Receiver<EngineEvent>) {
    while let Some(event) = next_event(&mut events).await {
        handle(&deps, event).await;
    }
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
    }
}

/// States of messages to the client become tracks of their conference, in the transaction that writes the state.
#[async_trait]
impl Observer for Assistance {
    async fn changed(&self, tx: &Tx, message: &Message) -> DbResult<()> {
        let Some(id) = message.conference_id.filter(|_| message.is_to_client()) else { return Ok(()) };
        if fallback::concerns(message) {
            fallback::queue(self, tx, message).await?;
        }
        let track_type = match (message.channel, message.state) {
            (Channel::Sms, MessageState::Sent) => TrackType::SmsSent,
            (Channel::Sms, MessageState::Delivered) => TrackType::SmsDelivered,
            (Channel::Sms, MessageState::Failed) => TrackType::SmsFailed,
            (Channel::Email, MessageState::Sent) => TrackType::EmailSent,
            (Channel::Email, MessageState::Delivered) => TrackType::EmailDelivered,
            (Channel::Email, MessageState::Failed) => TrackType::EmailBounced,
            (Channel::Whatsapp, MessageState::Sent) => TrackType::WhatsappSent,
            (Channel::Whatsapp, MessageState::Delivered) => TrackType::WhatsappDelivered,
            (Channel::Whatsapp, MessageState::Failed) => TrackType::WhatsappFailed,
            _ => return Ok(()),
        };
        let data = json!({
            "providerId": message.provider_id,
            "textSha256": evidence::chain::sha256_hex(message.text.as_bytes()),
        });
        let new = NewTrack::new(track_type, Actor::System, data).erasable("to", message.to.clone());
        // The state of a message is stored even when its conference was erased meanwhile.
        evidence::append_if_living(tx, &self.sources, id, new).await?;
        Ok(())
    }

    async fn committed(&self, message: &Message) {
        let Some(id) = message.conference_id.filter(|_| message.is_to_client()) else { return };
        if fallback::concerns(message) {
            self.outbox.wake();
        }
        self.live.publish(id, LiveEvent::new("message", MessageView::from(message)));
        let last = evidence::list(self.db.read(), id).await.ok().and_then(|tracks| tracks.into_iter().next_back());
        match last {
            Some(track) => publish_track(self, id, &track).await,
            None => drop(publish_progress(self, id).await),
        }
    }
}
