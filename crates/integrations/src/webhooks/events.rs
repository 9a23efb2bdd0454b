//! The events and their facts. Pure.

use atalaya_cases::evidence::{Subject, Track};
use atalaya_kernel::events::TrackType;
use chrono::{DateTime, SecondsFormat, Utc};
use serde_json::{Map, Value, json};
use uuid::Uuid;

macro_rules! events {
    ($($(#[$doc:meta])* $name:ident = $wire:literal),+ $(,)?) => {
        /// An event that a webhook may receive.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Event { $($(#[$doc])* $name),+ }

        impl Event {
            pub const ALL: &[Event] = &[$(Event::$name),+];

            pub fn name(self) -> &'static str {
                match self { $(Event::$name => $wire),+ }
            }

            pub fn parse(name: &str) -> Option<Self> {
                match name { $($wire => Some(Event::$name),)+ _ => None }
            }
        }
    };
}

events! {
    ConferenceOpened = "conference.opened",
    /// The end client entered the call.
    ClientJoined = "conference.client-joined",
    ConferenceClosed = "conference.closed",
    /// A picture, video or document came, from either side.
    MediaAdded = "media.added",
    /// Something was measured on a picture, or a measure was removed.
    MediaMeasured = "media.measured",
    /// The end client said that everything that was asked for is sent.
    FilesReceived = "files.received",
    /// A certificate was issued over the sealed chain.
    CertificateSealed = "certificate.sealed",
    /// An incidence of the company's was answered or has another status.
    IncidenceChanged = "incidence.changed",
    /// The root over all seals of a day, also other customers': whoever keeps it can prove that nothing was changed later.
    EvidenceDay = "evidence.day-closed",
}

/// The type of the body that the test button sends.
pub const TEST: &str = "webhook.test";

impl Event {
    /// The event that reports a track.
    pub fn of(track: &Track) -> Option<Self> {
        match track.track_type {
            TrackType::ConferenceCreated => Some(Self::ConferenceOpened),
            TrackType::Connected if track.actor == "client" => Some(Self::ClientJoined),
            TrackType::ConferenceClosed => Some(Self::ConferenceClosed),
            TrackType::MediaCaptured | TrackType::FileUploaded => Some(Self::MediaAdded),
            TrackType::MeasureChanged => Some(Self::MediaMeasured),
            TrackType::FilesFinished => Some(Self::FilesReceived),
            TrackType::CertificateIssued => Some(Self::CertificateSealed),
            _ => None,
        }
    }

    /// The facts of the track that the event carries: ids, hashes and numbers, nothing about a person (HOOK-2).
    fn facts(self) -> &'static [&'static str] {
        match self {
            Self::ConferenceOpened | Self::ClientJoined | Self::IncidenceChanged | Self::EvidenceDay => &[],
            Self::ConferenceClosed => &["durationS"],
            Self::MediaAdded => &["mediaId", "type", "sha256", "bytes", "mime"],
            Self::MediaMeasured => &["mediaId", "revision", "sha256", "values"],
            Self::FilesReceived => &["requestId"],
            Self::CertificateSealed => &["number", "head", "root"],
        }
    }
}

/// The facts of an event about a conference.
pub fn data(event: Event, subject: &Subject, external_id: Option<&str>, track: &Track) -> Value {
    let mut data = Map::new();
    data.insert("conferenceId".into(), json!(subject.conference.0));
    data.insert("expedientNumber".into(), json!(subject.expedient_number));
    data.insert("externalId".into(), json!(external_id));
    for name in event.facts() {
        let value = track.data.get(*name).cloned().unwrap_or(Value::Null);
        let name = if *name == "durationS" { "durationSeconds" } else { name };
        data.insert(name.into(), value);
    }
    Value::Object(data)
}

/// The bytes that are sent: `{id, type, createdAt, data}`. The id is the delivery's, so that a receiver recognises a
/// repeated one.
pub fn body(id: Uuid, kind: &str, at: DateTime<Utc>, data: &Value) -> String {
    json!({"id": id, "type": kind, "createdAt": at.to_rfc3339_opts(SecondsFormat::Millis, true), "data": data}).to_string()
}

/// Names of events as they are stored.
pub fn joined(events: &[Event]) -> String {
    events.iter().map(|event| event.name()).collect::<Vec<_>>().join(",")
}

/// Parses stored names.
pub fn split(text: &str) -> Vec<Event> {
    text.split(',').filter_map(Event::parse).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    // HOOK-1
    #[test]
    fn events_are_stored_by_name() {
        assert_eq!(split(&joined(Event::ALL)), Event::ALL);
        assert_eq!(split("media.added,gone"), [Event::MediaAdded]);
        assert!(Event::ALL.iter().all(|event| event.name() != TEST));
    }

    // HOOK-1
    #[test]
    fn only_the_client_s_connection_is_told() {
        let track = |actor: &str| Track {
            seq: 1,
            track_type: TrackType::Connected,
            actor: actor.into(),
            at: DateTime::UNIX_EPOCH,
            data: Map::new(),
            hash: String::new(),
        };
        assert_eq!(Event::of(&track("client")), Some(Event::ClientJoined));
        assert_eq!(Event::of(&track("user:1")), None);
    }
}
