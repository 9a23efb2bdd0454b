//! How long an SMS is: GSM-7 or UCS-2, and how many parts (3GPP TS 23.038, SMS-1).

const BASIC: &str = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";
/// Characters that cost two units.
const EXTENSION: &str = "^{}\\[~]|€\u{c}";
/// Replacements for characters that would force UCS-2; ñ is in the alphabet and stays (SMS-2).
const FOLD: &[(char, &str)] = &[
    ('á', "a"),
    ('í', "i"),
    ('ó', "o"),
    ('ú', "u"),
    ('Á', "A"),
    ('Í', "I"),
    ('Ó', "O"),
    ('Ú', "U"),
    ('À', "A"),
    ('È', "E"),
    ('Ì', "I"),
    ('Ò', "O"),
    ('Ù', "U"),
    ('ç', "c"),
    ('ï', "i"),
    ('Ï', "I"),
    ('ë', "e"),
    ('Ë', "E"),
    ('â', "a"),
    ('ê', "e"),
    ('î', "i"),
    ('ô', "o"),
    ('û', "u"),
    ('ã', "a"),
    ('õ', "o"),
    ('·', "."),
    ('«', "\""),
    ('»', "\""),
    ('“', "\""),
    ('”', "\""),
    ('‘', "'"),
    ('’', "'"),
    ('–', "-"),
    ('—', "-"),
    ('…', "..."),
    ('\u{a0}', " "),
    ('ª', "a"),
    ('º', "o"),
];

/// The alphabet an SMS needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Gsm7,
    Ucs2,
}

impl Encoding {
    pub fn name(self) -> &'static str {
        match self {
            Self::Gsm7 => "GSM-7",
            Self::Ucs2 => "UCS-2",
        }
    }
}

/// The length of an SMS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    pub encoding: Encoding,
    /// Septets of GSM-7, or UTF-16 units.
    pub units: usize,
    /// Parts it is sent and billed as; 0 for an empty text.
    pub segments: usize,
}

/// Counts units and parts.
pub fn count(text: &str) -> Count {
    match text.chars().map(septets).collect::<Option<Vec<usize>>>() {
        Some(costs) => Count { encoding: Encoding::Gsm7, units: costs.iter().sum(), segments: parts(&costs, 160, 153) },
        None => {
            let costs: Vec<usize> = text.chars().map(char::len_utf16).collect();
            Count { encoding: Encoding::Ucs2, units: costs.iter().sum(), segments: parts(&costs, 70, 67) }
        }
    }
}

fn septets(c: char) -> Option<usize> {
    if BASIC.contains(c) {
        Some(1)
    } else if EXTENSION.contains(c) {
        Some(2)
    } else {
        None
    }
}

/// A character of two units is never split between two parts.
fn parts(costs: &[usize], single: usize, each: usize) -> usize {
    let total: usize = costs.iter().sum();
    if total <= single {
        return usize::from(total > 0);
    }
    let (mut parts, mut used) = (1, 0);
    for cost in costs {
        if used + cost > each {
            parts += 1;
            used = 0;
        }
        used += cost;
    }
    parts
}

/// Replaces only the characters that force UCS-2 and have a plain equivalent. Idempotent; ñ, é and ü stay.
pub fn fold_accents(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars() {
        match FOLD.iter().find(|(from, _)| *from == c) {
            Some((_, to)) => folded.push_str(to),
            None => folded.push(c),
        }
    }
    folded
}

/// Whether a sender name may be used: 3 to 11 characters, at least one letter (also ñ and ç), no spaces at the ends or
/// doubled (SMS-5).
pub fn is_sender(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphabetic() || "ñÑçÇ".contains(c);
    let allowed = |c: char| letter(c) || c.is_ascii_digit() || " @&_.+-".contains(c);
    (3..=11).contains(&name.chars().count())
        && name.chars().all(allowed)
        && name.chars().any(letter)
        && name.trim() == name
        && !name.contains("  ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn vectors() -> Value {
        serde_json::from_str(include_str!("../tests/sms.json")).expect("the vectors are JSON")
    }

    // SMS-1, SMS-2
    #[test]
    fn counts_like_the_vectors() {
        let vectors = vectors();
        let cases = vectors["cases"].as_array().unwrap();
        assert!(cases.len() >= 12);
        for case in cases {
            let text = case["text"].as_str().unwrap();
            let plain = count(text);
            assert_eq!(plain.encoding.name(), case["encoding"], "{text}");
            assert_eq!(plain.units as u64, case["units"], "{text}");
            assert_eq!(plain.segments as u64, case["segments"], "{text}");
            let folded = fold_accents(text);
            assert_eq!(folded, case["folded"].as_str().unwrap());
            let after = count(&folded);
            assert_eq!(after.encoding.name(), case["folded_encoding"], "{text}");
            assert_eq!(after.units as u64, case["folded_units"], "{text}");
            assert_eq!(after.segments as u64, case["folded_segments"], "{text}");
        }
    }

    // SMS-5
    #[test]
    fn senders_like_the_vectors() {
        let vectors = vectors();
        for (list, good) in [("valid", true), ("invalid", false)] {
            for name in vectors["sender"][list].as_array().unwrap() {
                assert_eq!(is_sender(name.as_str().unwrap()), good, "{name}");
            }
        }
    }

    // SMS-5
    #[test]
    fn senders_are_counted_in_characters() {
        for good in ["Muñoz", "ÑANDU", "Plaça", "ÇAÑ", "ñññññññññññ", "12ñ"] {
            assert!(is_sender(good), "{good}");
        }
        for bad in ["Ññ", "ññññññññññññ", "Cañón", " Muñoz", "Peña  SL"] {
            assert!(!is_sender(bad), "{bad}");
        }
    }

    proptest::proptest! {
        // SMS-2
        #[test]
        fn folding_never_costs_parts_and_is_stable(text in "\\PC{0,300}") {
            let folded = fold_accents(&text);
            proptest::prop_assert_eq!(fold_accents(&folded), folded.clone());
            proptest::prop_assert!(folded.matches('ñ').count() == text.matches('ñ').count());
        }
    }
}
