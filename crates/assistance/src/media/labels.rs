//! What staff write about a file: its label, its note, and which shot of the list it is (STORE-16).

use super::service::MediaError;
use super::view;
use crate::Assistance;
use crate::media_items::{self, MediaItem};
use atalaya_cases::conferences::model::{ConferenceError, Wrong};
use atalaya_cases::conferences::{Conference, Scope};
use atalaya_cases::live::LiveEvent;
use atalaya_kernel::{ConferenceId, MediaId, limits};
use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;

/// Characters of a shot's key.
const SHOT_MAX: usize = 60;

/// A change: a field that is absent stays, null or an empty text clears it.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct MediaChange {
    /// At most 60 characters.
    #[serde(deserialize_with = "sent")]
    #[schema(value_type = Option<String>)]
    pub label: Option<Option<String>>,
    /// At most 500 characters.
    #[serde(deserialize_with = "sent")]
    #[schema(value_type = Option<String>)]
    pub note: Option<Option<String>>,
    /// Key of a shot of the conference's list.
    #[serde(deserialize_with = "sent")]
    #[schema(value_type = Option<String>)]
    pub shot: Option<Option<String>>,
}

/// Distinguishes "absent" from "null".
fn sent<'de, D: Deserializer<'de>>(input: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(input).map(Some)
}

impl MediaChange {
    /// Trimmed, with empty texts as none; refuses control characters other than line ends.
    fn check(self) -> Result<Self, Vec<Wrong>> {
        let mut wrong = Vec::new();
        let mut tidy = |field, text: Option<Option<String>>, max: usize| {
            let text = text.map(|text| text.map(|t| t.trim().to_owned()).filter(|t| !t.is_empty()));
            if let Some(Some(text)) = &text {
                match () {
                    () if text.chars().count() > max => wrong.push(Wrong { field, code: "TOO_LONG", max: Some(max) }),
                    () if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) => {
                        wrong.push(Wrong { field, code: "INVALID", max: None });
                    }
                    () => {}
                }
            }
            text
        };
        let checked = Self {
            label: tidy("label", self.label, limits::MEDIA_LABEL_MAX),
            note: tidy("note", self.note, limits::MEDIA_NOTE_MAX),
            shot: tidy("shot", self.shot, SHOT_MAX),
        };
        if wrong.is_empty() { Ok(checked) } else { Err(wrong) }
    }
}

/// Writes label, note and shot of a file, and notifies the screens.
///
/// Errors: `INVALID_FIELDS` (422, `TOO_LONG` with `max`), `MEDIA_NOT_FOUND` (404), `MEDIA_ERASED` (410).
pub async fn change(
    deps: &Assistance,
    scope: Scope,
    id: MediaId,
    change: MediaChange,
) -> Result<(MediaItem, Conference), MediaError> {
    let change = change.check().map_err(MediaError::Invalid)?;
    let tx = deps.db.write().await?;
    let (item, conference) = media_items::find(&*tx, scope, id).await?.ok_or(MediaError::NotFound)?;
    // Waits for an erasure that is under way.
    atalaya_db::lock_row(&tx, "conference", conference.id).await?;
    let conference = atalaya_cases::conferences::reload(&tx, ConferenceId(conference.id)).await?;
    if conference.erased_at.is_some() {
        return Err(ConferenceError::MediaErased.into());
    }
    let retagged = change.shot.is_some();
    let item = media_items::write_labels(&tx, item, change.label, change.note, change.shot).await?;
    tx.commit().await?;
    let view = view::told(deps, &conference, &item, conference.media_seen_at).await;
    deps.live.publish(ConferenceId(conference.id), LiveEvent::new("media", view));
    if retagged {
        crate::shots::service::publish(deps, &conference).await;
    }
    Ok((item, conference))
}
