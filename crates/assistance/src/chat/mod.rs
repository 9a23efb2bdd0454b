//! Chat of the call, kept with the case.
//!
//! Called by the call screen and by the client's page. *Invariant:* the text lives in its own table, where it can be
//! erased; the chain holds only that somebody wrote, and a commitment to the text (EVID-6).

mod entity;
pub mod http;
mod store;

use crate::Assistance;
use crate::calls::{Side, say};
use atalaya_cases::conferences::model::Wrong;
use atalaya_cases::conferences::service::publish_track;
use atalaya_cases::conferences::{self, ConferenceError};
use atalaya_cases::evidence::{Actor, NewTrack};
use atalaya_cases::live::LiveEvent;
use atalaya_kernel::events::TrackType;
use atalaya_kernel::{ConferenceId, limits};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

/// A line of chat on the wire.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatMessage {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// Identity in the media room.
    pub from: String,
    pub name: String,
    /// `staff` or `client`.
    pub kind: String,
    pub text: String,
    /// A ready phrase, which the client's page says in the client's language (CHAT-3).
    pub phrase: Option<String>,
    pub at: DateTime<Utc>,
}

/// A line to be said.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct ChatRequest {
    pub text: String,
    /// `closer`, `still` or `side` when the text is this ready phrase.
    #[serde(default)]
    pub phrase: Option<String>,
}

/// Ready phrases. Their words are the screens'.
const PHRASES: [&str; 3] = ["closer", "still", "side"];

/// Who says it.
pub struct Speaker {
    pub actor: Actor,
    pub identity: String,
    pub name: String,
    pub side: Side,
}

/// Stores a line (CHAT-1) and notifies everybody.
///
/// Errors: `INVALID_FIELDS` for an empty or over-long text.
pub async fn post(
    deps: &Assistance,
    id: ConferenceId,
    speaker: Speaker,
    request: &ChatRequest,
) -> Result<ChatMessage, ConferenceError> {
    let text = request.text.trim();
    let wrong = |code, max| ConferenceError::Invalid(vec![Wrong { field: "text", code, max }]);
    if text.is_empty() {
        return Err(wrong("REQUIRED", None));
    }
    // PostgreSQL stores no NUL, and no screen shows the others.
    if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
        return Err(wrong("CHARACTERS_NOT_ALLOWED", None));
    }
    if text.chars().count() > limits::CHAT_MAX {
        return Err(wrong("TOO_LONG", Some(limits::CHAT_MAX)));
    }
    if request.phrase.as_deref().is_some_and(|phrase| !PHRASES.contains(&phrase)) {
        return Err(ConferenceError::Invalid(vec![Wrong { field: "phrase", code: "INVALID", max: None }]));
    }
    let tx = deps.db.write().await?;
    let message = ChatMessage {
        id: deps.sources.uuid(),
        from: speaker.identity,
        name: speaker.name,
        kind: speaker.side.as_str().into(),
        text: text.to_string(),
        phrase: request.phrase.clone(),
        at: deps.sources.now(),
    };
    let message = store::insert(&tx, id, message).await?;
    let new = NewTrack::new(TrackType::Chat, speaker.actor, json!({"messageId": message.id.to_string()})).erasable("text", text);
    let track = conferences::append(&tx, deps, id, new).await?;
    tx.commit().await?;
    publish_track(deps, id, &track).await;
    deps.live.publish(id, LiveEvent::new("chat", &message));
    say(deps, id, json!({"t": "chat", "message": message})).await;
    Ok(message)
}

/// The newest thousand lines in order.
pub async fn list(deps: &Assistance, id: ConferenceId) -> Result<Vec<ChatMessage>, ConferenceError> {
    Ok(store::list(deps.db.read(), id).await?)
}

#[cfg(test)]
mod tests {
    use super::PHRASES;

    // CHAT-3
    #[test]
    fn the_screens_have_these_phrases() {
        let screens: Vec<String> = serde_json::from_str(include_str!("../../../../vectors/chat_phrases.json")).unwrap();
        assert_eq!(PHRASES.as_slice(), screens);
    }
}
