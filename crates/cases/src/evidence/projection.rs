//! A small summary of the track log, kept beside the conference for lists and progress.
//!
//! *Invariant:* a pure fold over the tracks, so that `atalaya doctor --rebuild` can prove the stored one equal.

use super::Track;
use atalaya_kernel::events::TrackType;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// A browser permission that the client is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Permission {
    Camera,
    Microphone,
    Geolocation,
}

/// What became of a permission.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PermissionState {
    #[default]
    Pending,
    Granted,
    Denied,
    Skipped,
    /// The browser's question is still open.
    Unanswered,
}

/// Why the client's page asks for pictures in place of the call.
pub const NO_MEDIA: &str = "CONNECTION_FAILED";

/// The permissions of one of the client's devices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct DevicePermissions {
    camera: PermissionState,
    microphone: PermissionState,
    geolocation: PermissionState,
}

/// Summary of a conference's tracks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Projection {
    pub sent_at: Option<DateTime<Utc>>,
    pub send_failed_at: Option<DateTime<Utc>>,
    pub delivered_at: Option<DateTime<Utc>>,
    pub opened_at: Option<DateTime<Utc>>,
    /// Of the device that opened the link first.
    pub browser: Option<String>,
    pub os: Option<String>,
    pub legal_shown_at: Option<DateTime<Utc>>,
    pub legal_accepted_at: Option<DateTime<Utc>>,
    pub legal_rejected_at: Option<DateTime<Utc>>,
    pub camera: PermissionState,
    pub microphone: PermissionState,
    pub geolocation: PermissionState,
    pub permission_at: Option<DateTime<Utc>>,
    /// Code of the last problem that stopped the client before the call, until something succeeds (EVID-12).
    pub problem: Option<String>,
    pub problem_at: Option<DateTime<Utc>>,
    pub permission_denied: bool,
    pub client_connected_at: Option<DateTime<Utc>>,
    pub pictures: u32,
    pub videos: u32,
    pub documents: u32,
    pub positions: u32,
    /// The client's devices that are in the call, the first to come first.
    pub inside: Vec<String>,
    /// By identity, so that a device at the door does not change what the one in the call may do (EVID-30).
    pub devices: BTreeMap<String, DevicePermissions>,
    pub closed_at: Option<DateTime<Utc>>,
}

impl Projection {
    /// As it was stored beside the conference.
    pub fn stored(json: &Value) -> Self {
        Self::deserialize(json).unwrap_or_default()
    }

    /// Folds one track in.
    pub fn apply(&mut self, track: &Track) {
        let at = Some(track.at);
        let text = |key: &str| track.data.get(key).and_then(|v| v.as_str());
        match track.track_type {
            TrackType::SmsSent | TrackType::EmailSent | TrackType::WhatsappSent => {
                self.sent_at = at;
                self.send_failed_at = None;
            }
            TrackType::SmsFailed | TrackType::EmailBounced | TrackType::WhatsappFailed => self.send_failed_at = at,
            TrackType::SmsDelivered | TrackType::EmailDelivered | TrackType::WhatsappDelivered => self.delivered_at = at,
            TrackType::LinkOpened => {
                if self.opened_at.is_none() {
                    (self.browser, self.os) = (text("browser").map(str::to_owned), text("os").map(str::to_owned));
                }
                self.opened_at = self.opened_at.or(at);
                self.clear_problem();
            }
            TrackType::LegalShown => self.legal_shown_at = self.legal_shown_at.or(at),
            TrackType::LegalAccepted => {
                self.legal_accepted_at = self.legal_accepted_at.or(at);
                self.legal_rejected_at = None;
                self.clear_problem();
            }
            TrackType::LegalRejected => self.legal_rejected_at = at,
            TrackType::PermissionGranted => self.permission(text("permission"), PermissionState::Granted, track),
            // No refusal: the network lets no media through, and the client's page has turned to pictures (RESCUE-3).
            TrackType::PermissionDenied if text("reason") == Some(NO_MEDIA) => {
                (self.problem, self.problem_at) = (Some(NO_MEDIA.to_owned()), at);
            }
            TrackType::PermissionDenied => {
                let state = match text("reason") {
                    Some("SKIPPED") => PermissionState::Skipped,
                    Some("PERMISSION_NO_ANSWER") => PermissionState::Unanswered,
                    _ => PermissionState::Denied,
                };
                self.permission(text("permission"), state, track);
            }
            TrackType::GeoFix => self.positions += 1,
            TrackType::Connected if track.actor == "client" => {
                self.client_connected_at = self.client_connected_at.or(at);
                self.clear_problem();
                self.comes(text("identity"));
            }
            TrackType::Disconnected if track.actor == "client" => self.goes(text("identity")),
            TrackType::MediaCaptured | TrackType::FileUploaded => match text("type") {
                Some("PICTURE") => self.pictures += 1,
                Some("VIDEO") => self.videos += 1,
                _ => self.documents += 1,
            },
            TrackType::ConferenceClosed => self.closed_at = at,
            _ => {}
        }
    }

    fn comes(&mut self, identity: Option<&str>) {
        let Some(identity) = identity else { return };
        if !self.inside.iter().any(|known| known == identity) {
            self.inside.push(identity.to_owned());
        }
        self.follow_first();
    }

    fn goes(&mut self, identity: Option<&str>) {
        self.inside.retain(|known| Some(known.as_str()) != identity);
        self.follow_first();
    }

    /// The permissions are those of the device that has been in the call for longest.
    fn follow_first(&mut self) {
        if let Some(device) = self.inside.first().and_then(|identity| self.devices.get(identity)).copied() {
            (self.camera, self.microphone, self.geolocation) = (device.camera, device.microphone, device.geolocation);
        }
    }

    fn permission(&mut self, name: Option<&str>, state: PermissionState, track: &Track) {
        let identity = track.data.get("identity").and_then(|v| v.as_str());
        if let Some(identity) = identity {
            let device = self.devices.entry(identity.to_owned()).or_default();
            match name {
                Some("camera") => device.camera = state,
                Some("microphone") => device.microphone = state,
                Some("geolocation") => device.geolocation = state,
                _ => {}
            }
            if self.inside.first().is_some_and(|first| first != identity) {
                return;
            }
        }
        match name {
            Some("camera") => self.camera = state,
            Some("microphone") => self.microphone = state,
            Some("geolocation") => self.geolocation = state,
            _ => {}
        }
        self.permission_at = Some(track.at);
        match state {
            PermissionState::Denied | PermissionState::Unanswered => {
                // A refused position never stops the call, so it is not reported as a problem.
                self.permission_denied |= name != Some("geolocation") && state == PermissionState::Denied;
                if name != Some("geolocation") {
                    self.problem = Some(problem_code(name, track.data.get("reason").and_then(|v| v.as_str())));
                    self.problem_at = Some(track.at);
                }
            }
            PermissionState::Granted => self.clear_problem(),
            _ => {}
        }
    }

    fn clear_problem(&mut self) {
        self.problem = None;
        self.problem_at = None;
    }

    /// Whether the client stands before the call with a problem of their device that a call cannot solve.
    pub fn is_kept_out(&self) -> bool {
        let of_the_device =
            |name: &str| name.starts_with("CAMERA_") || name.starts_with("MICROPHONE_") || name.ends_with("_BROWSER");
        self.client_connected_at.is_none() && self.problem.as_deref().is_some_and(of_the_device)
    }

    /// Whether the question for a device stays open on the client's phone (EVID-31).
    fn is_asked(&self) -> bool {
        [self.camera, self.microphone].contains(&PermissionState::Unanswered)
    }

    /// How far the client came, 0 to 4 (EVID-11).
    pub fn stage(&self) -> i16 {
        let media = self.pictures + self.videos > 0;
        match () {
            () if self.client_connected_at.is_some() && media => 4,
            () if self.client_connected_at.is_some() => 3,
            () if self.legal_accepted_at.is_some() => 2,
            () if self.opened_at.is_some() => 1,
            () => 0,
        }
    }

    /// The observation: the first state that applies (EVID-10).
    pub fn observation(&self, live: bool, duration_s: i64) -> &'static str {
        let media = self.pictures + self.videos + self.documents > 0;
        let connected = self.client_connected_at.is_some();
        match () {
            () if live => "pending",
            () if self.opened_at.is_none() => "noLink",
            () if self.legal_accepted_at.is_none() => "noLegal",
            () if (self.permission_denied || self.is_asked()) && !connected => "permissions",
            () if connected && (media || duration_s > atalaya_kernel::limits::SHORT_DURATION_S) => "correct",
            () => "unknown",
        }
    }
}

/// The code shown to the adjuster for a refused permission or an unsupported browser.
fn problem_code(permission: Option<&str>, reason: Option<&str>) -> String {
    match (reason, permission) {
        (Some(r @ ("IN_APP_BROWSER" | "UNSUPPORTED_BROWSER" | "PERMISSION_NO_ANSWER")), _) => r.into(),
        (Some("NotFoundError" | "CAMERA_NOT_FOUND"), _) => "CAMERA_NOT_FOUND".into(),
        (Some("NotReadableError" | "CAMERA_IN_USE"), _) => "CAMERA_IN_USE".into(),
        (_, Some("microphone")) => "MICROPHONE_DENIED".into(),
        (_, Some("geolocation")) => "GEOLOCATION_DENIED".into(),
        _ => "CAMERA_DENIED".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fold(tracks: &[(TrackType, &str, serde_json::Value)]) -> Projection {
        let mut projection = Projection::default();
        for (i, (track_type, actor, data)) in tracks.iter().enumerate() {
            projection.apply(&Track {
                seq: i as i32 + 1,
                track_type: *track_type,
                actor: (*actor).to_string(),
                at: DateTime::from_timestamp(1_800_000_000 + i as i64, 0).expect("valid"),
                data: data.as_object().expect("object").clone(),
                hash: String::new(),
            });
        }
        projection
    }

    // EVID-10
    #[test]
    fn observations_in_their_order() {
        use TrackType::*;
        let created = (ConferenceCreated, "user:1", json!({}));
        let opened = (LinkOpened, "client", json!({}));
        let accepted = (LegalAccepted, "client", json!({}));
        let denied = (PermissionDenied, "client", json!({"permission": "camera", "reason": "NotAllowedError"}));
        let connected = (Connected, "client", json!({}));
        let picture = (MediaCaptured, "user:1", json!({"type": "PICTURE"}));
        let staff = (Connected, "user:1", json!({}));
        for (tracks, live, duration, expected) in [
            (vec![created.clone()], true, 0, "pending"),
            (vec![created.clone()], false, 0, "noLink"),
            (vec![created.clone(), opened.clone()], false, 0, "noLegal"),
            (vec![opened.clone(), accepted.clone(), denied.clone()], false, 0, "permissions"),
            (vec![opened.clone(), accepted.clone(), denied, connected.clone()], false, 11, "correct"),
            (vec![opened.clone(), accepted.clone(), connected.clone()], false, 10, "unknown"),
            (vec![opened.clone(), accepted.clone(), connected.clone()], false, 11, "correct"),
            (vec![opened.clone(), accepted.clone(), connected, picture], false, 0, "correct"),
            (vec![opened, accepted, staff], false, 60, "unknown"),
        ] {
            assert_eq!(fold(&tracks).observation(live, duration), expected, "{tracks:?}");
        }
    }

    // EVID-11
    #[test]
    fn stages_in_their_order() {
        use TrackType::*;
        let steps = [
            (ConferenceCreated, "user:1", json!({}), 0),
            (MediaCaptured, "user:1", json!({"type": "DOCUMENT"}), 0),
            (LinkOpened, "client", json!({}), 1),
            (LegalAccepted, "client", json!({}), 2),
            (Connected, "user:1", json!({}), 2),
        ];
        let mut tracks = Vec::new();
        for (track_type, actor, data, stage) in steps {
            tracks.push((track_type, actor, data));
            assert_eq!(fold(&tracks).stage(), stage, "{track_type:?}");
        }
        let connected = (Connected, "client", json!({}));
        assert_eq!(fold(std::slice::from_ref(&connected)).stage(), 3);
        let document = (FileUploaded, "user:1", json!({"type": "DOCUMENT"}));
        assert_eq!(fold(&[connected.clone(), document]).stage(), 3, "a document is no picture of the damage");
        assert_eq!(fold(&[connected, (MediaCaptured, "client", json!({"type": "PICTURE"}))]).stage(), 4);
    }

    // EVID-30
    #[test]
    fn a_device_at_the_door_changes_nothing_of_the_one_in_the_call() {
        use PermissionState::{Denied, Granted};
        use TrackType::*;
        let granted = (PermissionGranted, "client", json!({"permission": "camera", "identity": "client:1"}));
        let first = (Connected, "client", json!({"identity": "client:1"}));
        let refused = (PermissionDenied, "client", json!({"permission": "camera", "reason": "x", "identity": "client:2"}));
        let folded = fold(&[granted.clone(), first.clone(), refused.clone()]);
        assert_eq!((folded.camera, &folded.problem, folded.permission_denied), (Granted, &None, false));
        let gone = (Disconnected, "client", json!({"identity": "client:1"}));
        let second = (Connected, "client", json!({"identity": "client:2"}));
        assert_eq!(fold(&[granted, first, refused, second, gone]).camera, Denied, "the second is the first now");
    }

    // EVID-31
    #[test]
    fn an_unanswered_question_is_not_a_refusal() {
        let asked = json!({"permission": "camera", "reason": "PERMISSION_NO_ANSWER"});
        let folded = fold(&[(TrackType::PermissionDenied, "client", asked)]);
        assert_eq!((folded.camera, folded.problem.as_deref()), (PermissionState::Unanswered, Some("PERMISSION_NO_ANSWER")));
    }

    // EVID-10, EVID-31
    #[test]
    fn an_open_question_is_the_observation_until_it_is_answered() {
        use TrackType::*;
        let asked = |name: &str| (PermissionDenied, "client", json!({"permission": name, "reason": "PERMISSION_NO_ANSWER"}));
        let granted = (PermissionGranted, "client", json!({"permission": "camera"}));
        let before = [(LinkOpened, "client", json!({})), (LegalAccepted, "client", json!({}))];
        for (then, expected) in [
            (vec![asked("camera")], "permissions"),
            (vec![asked("microphone")], "permissions"),
            (vec![asked("camera"), granted.clone()], "unknown"),
            (vec![asked("camera"), granted, (Connected, "client", json!({}))], "correct"),
            (vec![asked("geolocation")], "unknown"),
        ] {
            let tracks = [before.to_vec(), then].concat();
            assert_eq!(fold(&tracks).observation(false, 11), expected, "{tracks:?}");
        }
    }

    // EVID-12
    #[test]
    fn a_problem_lasts_until_something_succeeds() {
        use TrackType::*;
        let denied = (PermissionDenied, "client", json!({"permission": "camera", "reason": "NotReadableError"}));
        assert_eq!(fold(std::slice::from_ref(&denied)).problem.as_deref(), Some("CAMERA_IN_USE"));
        let granted = (PermissionGranted, "client", json!({"permission": "camera"}));
        assert_eq!(fold(&[denied, granted]).problem, None);
        let place = (PermissionDenied, "client", json!({"permission": "geolocation", "reason": "NotAllowedError"}));
        let folded = fold(&[place]);
        assert_eq!((folded.problem, folded.geolocation), (None, PermissionState::Denied));
    }
}
