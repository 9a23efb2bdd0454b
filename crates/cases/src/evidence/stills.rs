//! What a client's device vouches for: its pictures are as they left it (EVID-63).

use super::Track;
use crate::evidence_keys::{PublicKey, Statement};
use atalaya_kernel::ConferenceId;
use atalaya_kernel::events::TrackType;
use serde_json::Value;

/// What a picture's signature is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vouched {
    pub is_good: bool,
    /// Chosen from the device's files, and so perhaps older than the call.
    pub chosen: bool,
}

fn text<'a>(track: &'a Track, key: &str) -> Option<&'a str> {
    track.data.get(key).and_then(Value::as_str)
}

/// Keys that came with an acceptance of the notice, by the place of their event.
pub fn device_keys(tracks: &[Track]) -> Vec<(i32, PublicKey)> {
    let accepted = tracks.iter().filter(|track| track.track_type == TrackType::LegalAccepted);
    accepted.filter_map(|track| Some((track.seq, PublicKey::of_base64(text(track, "devicePublicKey")?)?))).collect()
}

/// What a picture's signature says. It is checked here again: what a row or an event calls valid is not enough. None without
/// a key that was there before.
pub fn vouched(keys: &[(i32, PublicKey)], conference: ConferenceId, track: &Track) -> Option<Vouched> {
    let fact = |key| text(track, key).unwrap_or_default();
    let (name, method, conference) = (fact("deviceKey"), fact("method"), conference.0.to_string());
    let statement = Statement::Still([&conference, fact("captureId"), method, fact("signedAt"), fact("sha256")]).text(name);
    let (_, key) = keys.iter().find(|(seq, key)| *seq < track.seq && key.fingerprint() == name)?;
    Some(Vouched { is_good: key.signed(&statement, fact("deviceSignature")), chosen: method == "file" })
}
