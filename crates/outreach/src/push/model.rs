//! The text of a push, its lifetime, and fitting it into 3 KB. Pure.

use atalaya_kernel::Language;
use atalaya_messaging::{TemplateError, Templates};
use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::TimeDelta;
use serde_json::{Value, json};

/// Maximum size of a payload: push services accept 4096 encrypted bytes, and no phone shows that much (PUSH-7).
pub const PAYLOAD_MAX_BYTES: usize = 3072;
const TITLE_MAX_CHARS: usize = 120;
const BODY_MAX_CHARS: usize = 500;
/// Maximum length of the `Topic` header (RFC 8030 §5.4).
const TOPIC_LEN: usize = 32;

/// The kind of a push; decides how long it is kept for a device that is off, and how urgent it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PushKind {
    /// Somebody waits for a video call.
    Request,
    /// There is a new notification.
    Notification,
    /// An agreed call is near.
    Reminder,
    Test,
}

impl PushKind {
    const ALL: [Self; 4] = [Self::Request, Self::Notification, Self::Reminder, Self::Test];

    /// Name on the wire and in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Notification => "notification",
            Self::Reminder => "reminder",
            Self::Test => "test",
        }
    }

    pub(crate) fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Its lifetime: a request waits ten minutes (PUSH-6).
    pub fn lasts(self) -> TimeDelta {
        match self {
            Self::Request => TimeDelta::minutes(10),
            Self::Notification => TimeDelta::days(1),
            Self::Reminder => TimeDelta::minutes(30),
            Self::Test => TimeDelta::minutes(1),
        }
    }

    /// The `Urgency` header (RFC 8030 §5.3): whether a sleeping phone is woken.
    pub fn urgency(self) -> &'static str {
        match self {
            Self::Request | Self::Reminder | Self::Test => "high",
            Self::Notification => "normal",
        }
    }
}

/// The text of a push.
#[derive(Clone, Debug, PartialEq)]
pub enum PushText {
    /// `{key}.title` and `{key}.body` of the `messages` texts, in the reader's language.
    Key { key: &'static str, values: Value },
    /// The same text for everybody.
    Plain { title: String, body: String },
}

/// A push to people's devices.
#[derive(Clone, Debug, PartialEq)]
pub struct PushMessage {
    pub kind: PushKind,
    pub text: PushText,
    /// Own path that a click opens, for instance `/active-videocall-request/{parent}`.
    pub url: String,
    /// A push replaces an earlier one with the same tag, so two of one request never stack. At most 64 characters.
    pub tag: String,
}

impl PushMessage {
    /// The JSON that the service worker gets: `{title, body, url, tag, kind}`.
    ///
    /// Errors: a text that is missing or lacks a value.
    pub(crate) fn payload(&self, language: Language, templates: &Templates) -> Result<String, TemplateError> {
        let (title, body) = match &self.text {
            PushText::Plain { title, body } => (title.clone(), body.clone()),
            PushText::Key { key, values } => (
                templates.render(language, &format!("{key}.title"), values)?,
                templates.render(language, &format!("{key}.body"), values)?,
            ),
        };
        let title = shortened(&title, TITLE_MAX_CHARS);
        let whole = |body: &str| {
            json!({"title": title, "body": body, "url": self.url, "tag": self.tag, "kind": self.kind.name()}).to_string()
        };
        let mut keep = BODY_MAX_CHARS;
        loop {
            let payload = whole(&shortened(&body, keep));
            if payload.len() <= PAYLOAD_MAX_BYTES || keep == 0 {
                return Ok(payload);
            }
            keep /= 2;
        }
    }
}

fn shortened(text: &str, max: usize) -> String {
    let text = text.trim();
    match text.chars().count() > max {
        true => text.chars().take(max.saturating_sub(1)).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

/// The `Topic` header of a tag, by which the push service replaces a waiting push. A hash, since topics have at most 32
/// characters and the push service need not learn our ids.
pub(crate) fn topic(tag: &str) -> String {
    let mut topic = URL_SAFE_NO_PAD.encode(digest(&SHA256, tag.as_bytes()));
    topic.truncate(TOPIC_LEN);
    topic
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(title: &str, body: &str) -> PushMessage {
        PushMessage {
            kind: PushKind::Request,
            text: PushText::Plain { title: title.into(), body: body.into() },
            url: "/x".into(),
            tag: "t".into(),
        }
    }

    // PUSH-7
    #[test]
    fn a_payload_fits_whatever_is_said() {
        let templates = Templates::load();
        for body in ["ñ".repeat(5000), "\u{1}".repeat(5000), "🚗".repeat(5000), "\"".repeat(5000)] {
            let payload = plain(&"á".repeat(400), &body).payload(Language::Es, &templates).unwrap();
            assert!(payload.len() <= PAYLOAD_MAX_BYTES, "{}", payload.len());
            let json: Value = serde_json::from_str(&payload).unwrap();
            assert_eq!(json["title"].as_str().unwrap().chars().count(), 120);
            assert!(json["body"].as_str().unwrap().ends_with('…'));
        }
    }

    // PUSH-7
    #[test]
    fn a_topic_is_one_of_the_protocol() {
        let topic = topic("0192f0c1-7d2c-7bbb-8a5e-000000000001");
        assert_eq!(topic.len(), 32);
        assert!(topic.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'));
        assert_ne!(topic, super::topic("0192f0c1-7d2c-7bbb-8a5e-000000000002"));
    }

    #[test]
    fn kinds_are_found_by_their_names() {
        for kind in PushKind::ALL {
            assert_eq!(PushKind::parse(kind.name()), Some(kind));
            assert!(kind.lasts() >= TimeDelta::minutes(1));
        }
    }
}
