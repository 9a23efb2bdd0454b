//! What a client's device vouches for: its pictures are as they left it (EVID-63).

use super::Case;
use super::sections::text;
use atalaya_cases::evidence::Track;
use atalaya_cases::evidence_keys::{PublicKey, Statement};
use atalaya_kernel::events::TrackType;

/// Keys that came with an acceptance of the notice, by the place of their event.
pub(super) fn device_keys(case: &Case) -> Vec<(i32, PublicKey)> {
    let accepted = case.of_type(&[TrackType::LegalAccepted]);
    accepted.filter_map(|track| Some((track.seq, PublicKey::of_base64(text(track, "devicePublicKey")?)?))).collect()
}

/// What is said of a picture's signature. It is checked here again: what a row or an event calls valid is not enough.
pub(super) fn signature(keys: &[(i32, PublicKey)], case: &Case, track: &Track) -> Option<(bool, &'static str)> {
    let fact = |key| text(track, key).unwrap_or_default();
    let (name, method, conference) = (fact("deviceKey"), fact("method"), case.conference.id.to_string());
    let statement = Statement::Still([&conference, fact("captureId"), method, fact("signedAt"), fact("sha256")]).text(name);
    let (_, key) = keys.iter().find(|(seq, key)| *seq < track.seq && key.fingerprint() == name)?;
    let said = if method == "file" { "deviceChosen" } else { "deviceTaken" };
    Some((key.signed(&statement, fact("deviceSignature")), said))
}
