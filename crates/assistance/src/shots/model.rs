//! What a list may contain, the platform's own lists, and when a shot is ticked. Pure.

use atalaya_cases::conferences::ConferenceType;
use atalaya_content::languages::text;
use atalaya_kernel::Language;
use atalaya_rest::problem::FieldError;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use utoipa::ToSchema;
use uuid::Uuid;

/// Shots of one list at most.
pub const SHOTS_MAX: usize = 30;
/// Characters of a label and of a hint at most.
pub const LABEL_MAX: usize = 60;
pub const HINT_MAX: usize = 120;
/// Characters of a key at most.
pub const KEY_MAX: usize = 40;

/// The frame that the client's camera shows over the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Overlay {
    Corner,
    Plate,
    Vin,
    Odometer,
    Near,
    Far,
    Wide,
}

impl Overlay {
    const ALL: [Overlay; 7] =
        [Overlay::Corner, Overlay::Plate, Overlay::Vin, Overlay::Odometer, Overlay::Near, Overlay::Far, Overlay::Wide];

    pub fn wire(self) -> &'static str {
        match self {
            Overlay::Corner => "corner",
            Overlay::Plate => "plate",
            Overlay::Vin => "vin",
            Overlay::Odometer => "odometer",
            Overlay::Near => "near",
            Overlay::Far => "far",
            Overlay::Wide => "wide",
        }
    }

    pub fn parse(wire: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|overlay| overlay.wire() == wire)
    }
}

/// One picture that a case should have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Shot {
    /// Names the shot within its list; letters, digits, `-` and `_`.
    pub key: String,
    pub label: String,
    pub hint: Option<String>,
    pub overlay: Option<Overlay>,
}

/// A shot of a list to be saved: the server makes the key when there is none.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct ShotInput {
    pub key: Option<String>,
    pub label: Option<String>,
    pub hint: Option<String>,
    pub overlay: Option<Overlay>,
}

/// Whether a text may be a shot's key.
pub fn is_key(text: &str) -> bool {
    (1..=KEY_MAX).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
}

/// Checks a whole list; `new_key` makes the keys that are missing.
///
/// Errors: `shots` REQUIRED or TOO_MANY (`max`); `shots.N.label` REQUIRED, TOO_LONG; `shots.N.hint` TOO_LONG;
/// `shots.N.key` INVALID, DUPLICATE; texts with control characters CHARACTERS_NOT_ALLOWED.
pub fn check(inputs: &[ShotInput], mut new_key: impl FnMut() -> String) -> Result<Vec<Shot>, Vec<FieldError>> {
    if inputs.is_empty() {
        return Err(vec![FieldError::new("shots", "REQUIRED")]);
    }
    if inputs.len() > SHOTS_MAX {
        return Err(vec![FieldError::new("shots", "TOO_MANY").param("max", SHOTS_MAX)]);
    }
    let (mut shots, mut wrong, mut keys) = (Vec::with_capacity(inputs.len()), Vec::new(), HashSet::new());
    for (nth, input) in inputs.iter().enumerate() {
        let field = |name: &str| format!("shots.{nth}.{name}");
        let label = line(&input.label, field("label"), LABEL_MAX, &mut wrong);
        if label.is_none() {
            wrong.push(FieldError::new(field("label"), "REQUIRED"));
        }
        let hint = line(&input.hint, field("hint"), HINT_MAX, &mut wrong);
        let key = input.key.clone().filter(|key| !key.is_empty()).unwrap_or_else(&mut new_key);
        if !is_key(&key) {
            wrong.push(FieldError::new(field("key"), "INVALID"));
        } else if !keys.insert(key.clone()) {
            wrong.push(FieldError::new(field("key"), "DUPLICATE"));
        }
        shots.push(Shot { key, label: label.unwrap_or_default(), hint, overlay: input.overlay });
    }
    if wrong.is_empty() { Ok(shots) } else { Err(wrong) }
}

fn line(raw: &Option<String>, field: String, max: usize, wrong: &mut Vec<FieldError>) -> Option<String> {
    let text = raw.as_deref().map(str::trim).filter(|text| !text.is_empty())?;
    if text.chars().count() > max {
        wrong.push(FieldError::new(field, "TOO_LONG").param("max", max));
    } else if text.chars().any(char::is_control) {
        wrong.push(FieldError::new(field, "CHARACTERS_NOT_ALLOWED"));
    }
    Some(text.to_owned())
}

/// Key, key of the hint's text, overlay.
type Default3 = (&'static str, &'static str, Overlay);

const AUTOS: &[Default3] = &[
    ("frontLeft", "cornerHint", Overlay::Corner),
    ("frontRight", "cornerHint", Overlay::Corner),
    ("rearLeft", "cornerHint", Overlay::Corner),
    ("rearRight", "cornerHint", Overlay::Corner),
    ("plate", "plateHint", Overlay::Plate),
    ("vin", "vinHint", Overlay::Vin),
    ("odometer", "odometerHint", Overlay::Odometer),
    ("damageFar", "damageFarHint", Overlay::Far),
    ("damageNear", "damageNearHint", Overlay::Near),
];
const DIVERSOS: &[Default3] = &[
    ("facade", "facadeHint", Overlay::Wide),
    ("room", "roomHint", Overlay::Wide),
    ("origin", "originHint", Overlay::Far),
    ("detail", "detailHint", Overlay::Near),
    ("meter", "meterHint", Overlay::Odometer),
];

/// The platform's list of a type, in a language.
pub fn defaults(conference_type: ConferenceType, language: Language) -> Vec<Shot> {
    let all = match conference_type {
        ConferenceType::Autos => AUTOS,
        ConferenceType::Diversos => DIVERSOS,
    };
    let shot = |(key, hint, overlay): &Default3| Shot {
        key: (*key).to_owned(),
        label: text(language, "shots", key).to_owned(),
        hint: Some(text(language, "shots", hint).to_owned()),
        overlay: Some(*overlay),
    };
    all.iter().map(shot).collect()
}

/// The state of a shot in a conference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum TickState {
    Missing,
    Done,
    /// There is a picture, but it is not good enough.
    Poor,
}

impl TickState {
    pub fn wire(self) -> &'static str {
        match self {
            TickState::Missing => "missing",
            TickState::Done => "done",
            TickState::Poor => "poor",
        }
    }
}

/// The state of a shot, since when, and by which file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tick {
    pub state: TickState,
    pub media: Option<Uuid>,
    pub at: Option<DateTime<Utc>>,
}

/// A shot of a conference's list with its state.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TickedShot {
    #[serde(flatten)]
    pub shot: Shot,
    pub state: TickState,
    /// The file that shows it.
    pub media_id: Option<Uuid>,
    pub at: Option<DateTime<Utc>>,
}

/// The latest file of a shot.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    pub media: Uuid,
    pub at: DateTime<Utc>,
    /// A reviewer rejected it.
    pub rejected: bool,
}

/// The state of a shot by its mark and its latest file, whichever is newer (SHOT-4).
pub fn tick(mark: Option<&Tick>, taken: Option<&Taken>) -> Tick {
    let by_file = taken.map(|taken| Tick {
        state: if taken.rejected { TickState::Poor } else { TickState::Done },
        media: Some(taken.media),
        at: Some(taken.at),
    });
    match (mark, by_file) {
        (None, None) => Tick { state: TickState::Missing, media: None, at: None },
        (None, Some(file)) => file,
        (Some(mark), Some(file)) if file.at > mark.at => file,
        (Some(mark), file) => Tick { media: mark.media.or(file.and_then(|file| file.media)), ..*mark },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(key: &str, label: &str) -> ShotInput {
        ShotInput { key: Some(key.into()), label: Some(label.into()), ..ShotInput::default() }
    }

    fn codes(inputs: &[ShotInput]) -> Vec<(String, String)> {
        let errors = check(inputs, || "made".to_owned()).expect_err("something is wrong");
        let problem = atalaya_rest::Problem::invalid(errors);
        problem.errors().iter().map(|e| (e.field.to_string(), e.code.to_string())).collect()
    }

    // SHOT-1, SHOT-2
    #[test]
    fn lists_are_checked_at_their_edges() {
        let of = |n: usize| (0..n).map(|n| input(&format!("k{n}"), "Foto")).collect::<Vec<_>>();
        assert!(check(&of(1), String::new).is_ok() && check(&of(30), String::new).is_ok());
        assert_eq!(codes(&[]), [("shots".into(), "REQUIRED".into())]);
        assert_eq!(codes(&of(31)), [("shots".into(), "TOO_MANY".into())]);
        assert!(check(&[input("a", &"ñ".repeat(60))], String::new).is_ok());
        assert_eq!(codes(&[input("a", &"ñ".repeat(61))]), [("shots.0.label".into(), "TOO_LONG".into())]);
        let hinted = |n: usize| ShotInput { hint: Some("x".repeat(n)), ..input("a", "Foto") };
        assert!(check(&[hinted(120)], String::new).is_ok());
        assert_eq!(codes(&[hinted(121)]), [("shots.0.hint".into(), "TOO_LONG".into())]);
        assert_eq!(
            codes(&[input("a", "x"), input("a", " ")]),
            [("shots.1.label".into(), "REQUIRED".into()), ("shots.1.key".into(), "DUPLICATE".into()),]
        );
        for key in ["ñ", "a b", "../x", &"k".repeat(41)] {
            assert_eq!(codes(&[input(key, "x")]), [("shots.0.key".into(), "INVALID".into())]);
        }
        let made = check(&[ShotInput { label: Some(" Techo ".into()), ..ShotInput::default() }], || "made".to_owned()).unwrap();
        assert_eq!((made[0].key.as_str(), made[0].label.as_str()), ("made", "Techo"));
    }

    // SHOT-3
    #[test]
    fn the_platform_s_lists_have_every_text_in_every_language() {
        for language in Language::ALL {
            for kind in [ConferenceType::Autos, ConferenceType::Diversos] {
                for shot in defaults(kind, language) {
                    assert!(is_key(&shot.key) && shot.label != shot.key, "{} in {}", shot.key, language.code());
                    assert!(shot.label.chars().count() <= LABEL_MAX);
                    let hint = shot.hint.expect("every default has a hint");
                    assert!(!hint.ends_with("Hint") && hint.chars().count() <= HINT_MAX, "{hint}");
                }
            }
        }
    }

    #[test]
    fn an_overlay_is_stored_as_it_is_written() {
        for overlay in Overlay::ALL {
            assert_eq!(serde_json::to_value(overlay).unwrap(), overlay.wire());
            assert_eq!(Overlay::parse(overlay.wire()), Some(overlay));
        }
        assert_eq!(Overlay::parse("circle"), None);
    }

    // SHOT-4
    #[test]
    fn the_newer_of_mark_and_file_speaks() {
        let at = |s: i64| DateTime::from_timestamp(1_800_000_000 + s, 0);
        let (first, second) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let mark = |state, media, s| Tick { state, media, at: at(s) };
        let file = |media, s, rejected| Taken { media, at: at(s).expect("valid"), rejected };
        use TickState::{Done, Missing, Poor};
        for (hand, taken, state, media) in [
            (None, None, Missing, None),
            (None, Some(file(first, 5, false)), Done, Some(first)),
            (None, Some(file(first, 5, true)), Poor, Some(first)),
            (Some(mark(Done, None, 3)), None, Done, None),
            (Some(mark(Poor, None, 5)), Some(file(first, 5, false)), Poor, Some(first)),
            (Some(mark(Poor, Some(first), 5)), Some(file(second, 6, false)), Done, Some(second)),
            (Some(mark(Done, Some(second), 9)), Some(file(first, 6, true)), Done, Some(second)),
        ] {
            let got = tick(hand.as_ref(), taken.as_ref());
            assert_eq!((got.state, got.media), (state, media), "{hand:?} {taken:?}");
        }
    }
}
