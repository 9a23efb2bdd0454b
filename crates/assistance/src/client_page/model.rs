//! What the client's page may report, and when. Pure.

use crate::media::announcements::Announcement;
use atalaya_kernel::events::TrackType;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use utoipa::ToSchema;

/// The state of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LinkState {
    Open,
    Expired,
    Closed,
    Declined,
}

/// What the state of a link depends on.
#[derive(Clone, Copy, Debug, Default)]
pub struct LinkFacts {
    /// Ended before its link's hours were over, or after it had begun.
    pub closed: bool,
    /// The client was in the call.
    pub begun: bool,
    /// The link's hours are not over.
    pub live: bool,
    pub declined: bool,
}

/// The first state that applies (CLIENT-4). A conference that has begun outlives its link's hours.
pub fn link_state(LinkFacts { closed, begun, live, declined }: LinkFacts) -> LinkState {
    match () {
        () if closed => LinkState::Closed,
        () if !live && !begun => LinkState::Expired,
        () if declined => LinkState::Declined,
        () => LinkState::Open,
    }
}

/// A step reported by the client's page.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct StepRequest {
    #[serde(rename = "type")]
    pub step_type: String,
    #[serde(default)]
    #[schema(value_type = Object)]
    pub data: Map<String, Value>,
}

/// A checked step: what enters the chain, and the position that enters it as a commitment.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub track_type: TrackType,
    pub data: Value,
    pub position: Option<String>,
    /// Only a device that accepted the notice may report it.
    pub needs_key: bool,
}

const PERMISSIONS: [&str; 3] = ["camera", "microphone", "geolocation"];
/// Reported before the notice, because these browsers never get to it.
const UNFIT: [&str; 2] = ["IN_APP_BROWSER", "UNSUPPORTED_BROWSER"];

impl StepRequest {
    /// What the device announces, if the step is an announcement; it is no event.
    ///
    /// Errors: the field that is wrong.
    pub fn announcement(&self) -> Option<Result<Announcement, &'static str>> {
        let text = |key: &str| self.data.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        (self.step_type == "CAPTURE_ANNOUNCED").then(|| {
            let announced = Announcement { capture_id: text("captureId"), sha256: text("sha256") };
            let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
            let is_hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
            match () {
                () if !(1..=64).contains(&announced.capture_id.len()) => Err("data.captureId"),
                () if !announced.capture_id.chars().all(is_name) => Err("data.captureId"),
                () if announced.sha256.len() != 64 || !announced.sha256.chars().all(is_hex) => Err("data.sha256"),
                () => Ok(announced),
            }
        })
    }

    /// Errors: the field that is wrong.
    pub fn check(&self) -> Result<Step, &'static str> {
        let text = |key: &str| self.data.get(key).and_then(Value::as_str).filter(|t| t.len() <= 100);
        let bare = |track_type, needs_key| Ok(Step { track_type, data: json!({}), position: None, needs_key });
        match self.step_type.as_str() {
            "LINK_OPENED" => bare(TrackType::LinkOpened, false),
            "LEGAL_SHOWN" => Ok(Step {
                track_type: TrackType::LegalShown,
                data: json!({"documentId": text("documentId"), "language": text("language"), "documentSha256": text("sha256")}),
                position: None,
                needs_key: false,
            }),
            "PERMISSION_GRANTED" | "PERMISSION_DENIED" => {
                let permission = text("permission").filter(|p| PERMISSIONS.contains(p)).ok_or("data.permission")?;
                let granted = self.step_type == "PERMISSION_GRANTED";
                let reason = text("reason");
                if reason.is_some_and(|r| !r.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')) {
                    return Err("data.reason");
                }
                Ok(Step {
                    track_type: if granted { TrackType::PermissionGranted } else { TrackType::PermissionDenied },
                    data: if granted {
                        json!({"permission": permission})
                    } else {
                        json!({"permission": permission, "reason": reason})
                    },
                    position: None,
                    needs_key: granted || !reason.is_some_and(|r| UNFIT.contains(&r)),
                })
            }
            "GEO_FIX" => {
                let number = |key: &'static str, max: f64| {
                    self.data.get(key).and_then(Value::as_f64).filter(|v| v.abs() <= max).ok_or(key)
                };
                let latitude = number("latitude", 90.0).map_err(|_| "data.latitude")?;
                let longitude = number("longitude", 180.0).map_err(|_| "data.longitude")?;
                let accuracy = number("accuracy", 1e7).map_err(|_| "data.accuracy")?;
                let at = text("at").and_then(|t| t.parse::<DateTime<Utc>>().ok());
                Ok(Step {
                    track_type: TrackType::GeoFix,
                    data: json!({"accuracyM": accuracy.abs().ceil() as i64, "fixAt": at}),
                    position: Some(format!("{latitude:.6},{longitude:.6}")),
                    needs_key: true,
                })
            }
            _ => Err("type"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(json: Value) -> Result<Step, &'static str> {
        serde_json::from_value::<StepRequest>(json).expect("a request").check()
    }

    // CLIENT-4
    #[test]
    fn link_states_in_their_order() {
        for (closed, begun, live, declined, expected) in [
            (false, false, true, false, LinkState::Open),
            (false, false, true, true, LinkState::Declined),
            (false, false, false, true, LinkState::Expired),
            (false, true, false, false, LinkState::Open),
            (true, true, true, false, LinkState::Closed),
        ] {
            assert_eq!(link_state(LinkFacts { closed, begun, live, declined }), expected);
        }
    }

    // CLIENT-8
    #[test]
    fn steps_before_and_after_the_notice() {
        for (json, needs_key) in [
            (json!({"type": "LINK_OPENED"}), false),
            (json!({"type": "LEGAL_SHOWN", "data": {"documentId": "x"}}), false),
            (json!({"type": "PERMISSION_DENIED", "data": {"permission": "camera", "reason": "IN_APP_BROWSER"}}), false),
            (json!({"type": "PERMISSION_DENIED", "data": {"permission": "camera", "reason": "CAMERA_DENIED"}}), true),
            (json!({"type": "PERMISSION_GRANTED", "data": {"permission": "microphone"}}), true),
        ] {
            assert_eq!(step(json.clone()).expect("good").needs_key, needs_key, "{json}");
        }
    }

    // CLIENT-9
    #[test]
    fn positions_have_six_decimals_and_whole_metres() {
        let fix = step(json!({"type": "GEO_FIX", "data": {"latitude": 40.4168, "longitude": -3.7038, "accuracy": 11.2}}));
        let fix = fix.expect("good");
        assert_eq!(fix.position.as_deref(), Some("40.416800,-3.703800"));
        assert_eq!(fix.data["accuracyM"], 12);
    }

    // CLIENT-8
    #[test]
    fn refusals_name_the_field() {
        for (json, field) in [
            (json!({"type": "CONFERENCE_CLOSED"}), "type"),
            (json!({"type": "SMS_SENT"}), "type"),
            (json!({"type": "PERMISSION_GRANTED"}), "data.permission"),
            (json!({"type": "PERMISSION_DENIED", "data": {"permission": "camera", "reason": "<b>"}}), "data.reason"),
            (json!({"type": "GEO_FIX", "data": {"latitude": 91, "longitude": 0, "accuracy": 1}}), "data.latitude"),
            (json!({"type": "GEO_FIX", "data": {"latitude": 1, "longitude": "x", "accuracy": 1}}), "data.longitude"),
        ] {
            assert_eq!(step(json.clone()), Err(field), "{json}");
        }
    }
}
