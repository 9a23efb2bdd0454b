//! States of messages become tracks of their conference.

use crate::Cases;
use crate::conferences::service::{publish_progress, publish_track};
use crate::conferences::view::MessageView;
use crate::evidence::{self, Actor, NewTrack};
use crate::fallback;
use crate::live::LiveEvent;
use async_trait::async_trait;
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::events::TrackType;
use atalaya_messaging::{Channel, Message, MessageState, Observer};
use serde_json::json;

/// States of messages to the client become tracks of their conference, in the transaction that writes the state.
#[async_trait]
impl Observer for Cases {
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
            "textSha256": message.text_sha256,
        });
        let new = NewTrack::new(track_type, Actor::System, data).erasable("to", message.to.clone());
        // The state of a message is stored even when its conference was erased meanwhile.
        evidence::append_if_living(tx, self, id, new).await?;
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
