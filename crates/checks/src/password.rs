//! How hard a password is to guess: five levels, at least three.

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

/// Whether a password may be set: long enough, not absurdly long, and of an accepted level. Its refusal is `PASSWORD_WEAK`.
pub fn is_accepted(password: &str, inputs: &[&str]) -> bool {
    (MIN_CHARS..=MAX_CHARS).contains(&password.chars().count()) && level(password, inputs) >= MIN_LEVEL
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
