//! What a page may send of its check. Pure.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What is tried on a phone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PhoneCheckKind {
    Browser,
    Camera,
    Microphone,
    Size,
    Torch,
    Screen,
    Storage,
    Sound,
    Path,
    Relay,
    Server,
}

/// One outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PhoneCheckOutcome {
    pub check: PhoneCheckKind,
    pub ok: bool,
    /// As measured: a size, milliseconds, the name of an error.
    #[serde(default)]
    pub detail: String,
}

/// The longest detail, characters.
const DETAIL_MAX: usize = 80;
const OUTCOMES_MAX: usize = 11;

/// Checks a result: each kind at most once, details short and without control characters. Errors: the wrong field.
pub fn check(outcomes: &[PhoneCheckOutcome]) -> Result<(), &'static str> {
    let mut kinds: Vec<PhoneCheckKind> = outcomes.iter().map(|one| one.check).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let is_fine = |text: &str| text.chars().count() <= DETAIL_MAX && !text.chars().any(char::is_control);
    match () {
        () if outcomes.is_empty() || outcomes.len() > OUTCOMES_MAX || kinds.len() < outcomes.len() => Err("outcomes"),
        () if !outcomes.iter().all(|one| is_fine(&one.detail)) => Err("outcomes.detail"),
        () => Ok(()),
    }
}

/// The digits of a code as somebody typed it.
pub fn digits_of(typed: &str) -> String {
    typed.chars().filter(char::is_ascii_digit).take(20).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(check: PhoneCheckKind, detail: &str) -> PhoneCheckOutcome {
        PhoneCheckOutcome { check, ok: true, detail: detail.into() }
    }

    // CLIENT-60
    #[test]
    fn each_kind_once_and_short() {
        use PhoneCheckKind::{Camera, Size};
        assert_eq!(check(&[outcome(Camera, ""), outcome(Size, "1280 × 720 · 30 Hz")]), Ok(()));
        assert_eq!(check(&[]), Err("outcomes"));
        assert_eq!(check(&[outcome(Camera, ""), outcome(Camera, "")]), Err("outcomes"));
        assert_eq!(check(&[outcome(Camera, &"x".repeat(81))]), Err("outcomes.detail"));
        assert_eq!(check(&[outcome(Camera, "a\nb")]), Err("outcomes.detail"));
        assert_eq!(digits_of(" 1234-5678 "), "12345678");
    }
}
