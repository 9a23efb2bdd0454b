//! How hard a password is to guess: five levels, at least three.

use std::fmt;

/// Levels there are.
pub const LEVELS: u8 = 5;
/// The lowest level that is accepted.
pub const MIN_LEVEL: u8 = 3;
/// Characters at least and at most.
pub const MIN_CHARS: usize = 8;
pub const MAX_CHARS: usize = 200;

/// Strength 1 to 5: the score of zxcvbn plus one. What the person typed elsewhere (name, e-mail, company) counts as guessable.
pub fn level(password: &str, inputs: &[&str]) -> u8 {
    u8::from(zxcvbn::zxcvbn(password, inputs).score()) + 1
}

/// Why a password may not be set. On the wire each of them is `PASSWORD_WEAK`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    Short,
    Long,
    Guessable,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Short => write!(f, "the password must have at least {MIN_CHARS} characters"),
            Self::Long => write!(f, "the password may have at most {MAX_CHARS} characters"),
            Self::Guessable => f.write_str("the password is easy to guess; several words that do not belong together are better"),
        }
    }
}

/// Why this password may not be set, if so: too short, absurdly long, or below the accepted level.
pub fn refusal(password: &str, inputs: &[&str]) -> Option<Refusal> {
    match password.chars().count() {
        chars if chars < MIN_CHARS => Some(Refusal::Short),
        chars if chars > MAX_CHARS => Some(Refusal::Long),
        _ => (level(password, inputs) < MIN_LEVEL).then_some(Refusal::Guessable),
    }
}

/// Whether a password may be set. Its refusal is `PASSWORD_WEAK`.
pub fn is_accepted(password: &str, inputs: &[&str]) -> bool {
    refusal(password, inputs).is_none()
}

/// Characters of a secret that stands in a file's way, at least: so many by chance, of letters and digits, are 83 bits.
pub const MIN_SECRET_CHARS: usize = 14;
/// Decimal digits of the guesses it must need. zxcvbn counts ten possibilities for a character that it does not
/// recognise, so that [`MIN_SECRET_CHARS`] by chance are just enough.
const MIN_SECRET_DIGITS: f64 = 14.0;

/// Whether a secret withstands guessing by somebody who holds what it locks, where nothing slows him down.
pub fn is_unguessable(secret: &str) -> bool {
    secret.chars().count() >= MIN_SECRET_CHARS && zxcvbn::zxcvbn(secret, &[]).guesses_log10() >= MIN_SECRET_DIGITS
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn levels() {
        for (password, expected) in
            [("", 1), ("password", 1), ("qwerty12", 1), ("summer26", 2), ("verano26", 3), ("caballo grapa batería correcta", 5)]
        {
            assert_eq!(level(password, &[]), expected, "{password}");
        }
    }

    #[test]
    fn the_weak_the_short_and_the_endless_are_refused() {
        assert!(is_accepted("caballo grapa batería correcta", &[]));
        for bad in ["", "12345678", "k9#Xq2!", &"aR7$k ".repeat(40)] {
            assert!(!is_accepted(bad, &[]), "{bad}");
        }
    }

    #[test]
    fn a_refusal_says_why() {
        assert_eq!(refusal("k9#Xq2!", &[]), Some(Refusal::Short));
        assert_eq!(refusal(&"aR7$k ".repeat(40), &[]), Some(Refusal::Long));
        assert_eq!(refusal("password1", &[]), Some(Refusal::Guessable));
        assert!(Refusal::Short.to_string().contains("at least 8 characters"));
    }

    #[test]
    fn secrets_of_files_are_held_to_more() {
        for good in ["correcto caballo batería grapa", "dX3kq9TzVb7LmP", "mil grullas de papel", "tejado rojo bajo la lluvia"] {
            assert!(is_unguessable(good), "{good}");
        }
        for bad in
            ["", "dX3kq9TzVb7Lm", "password12345678", "qwertyuiopasdfgh", "aaaaaaaaaaaaaaaaaaaa", "barcelona barcelona 2026"]
        {
            assert!(!is_unguessable(bad), "{bad}");
        }
    }

    #[test]
    fn what_the_person_typed_elsewhere_counts_as_guessable() {
        let password = "carmen.ortega@gestoria.example";
        assert!(level(password, &[password]) < level(password, &[]));
        assert!(!is_accepted(password, &[password]));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn any_text_has_a_level(text in "\\PC{0,60}", input in "\\PC{0,20}") {
            prop_assert!((1..=LEVELS).contains(&level(&text, &[&input])));
        }
    }
}
