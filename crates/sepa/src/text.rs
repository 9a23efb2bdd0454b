//! Texts and identifiers that pass every bank of the SEPA area (SEPA-2).

use sepa::charset::{Transliteration, is_sepa_char, transliterate};

/// Names of parties.
pub const NAME: usize = 70;
/// What the debtor reads on the statement.
pub const CONCEPT: usize = 140;

/// Our own choices override the table of the EPC, which would replace some of them by a point.
fn ours(letter: char) -> Option<&'static str> {
    Some(match letter {
        '&' => "+",
        '€' => "E",
        'ª' => "a",
        'º' => "o",
        '_' => "-",
        '@' => "(at)",
        'Æ' => "AE",
        'æ' => "ae",
        'Œ' => "OE",
        'œ' => "oe",
        '"' | '«' | '»' | '“' | '”' | '„' | '‘' | '’' | '´' | '`' => "'",
        _ => return None,
    })
}

/// A text in the letters that banks exchange, spaces collapsed, cut to `max` characters.
pub fn latin(text: &str, max: usize) -> String {
    let mut chosen = String::with_capacity(text.len());
    for letter in text.chars() {
        match ours(letter) {
            Some(with) => chosen.push_str(with),
            None if letter.is_whitespace() => chosen.push(' '),
            None => chosen.push(letter),
        }
    }
    let letters = transliterate(&chosen, Transliteration::Epc);
    let letters: String = letters.chars().map(|c| if is_sepa_char(c) { c } else { '.' }).collect();
    let collapsed = letters.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    collapsed.chars().take(max).collect::<String>().trim_end().to_owned()
}

/// Whether banks accept an identifier (`MsgId`, `EndToEndId`, `MndtId` …). It is never corrected.
pub fn is_identifier(id: &str) -> bool {
    (1..=35).contains(&id.len())
        && id.chars().all(is_sepa_char)
        && !id.starts_with('/')
        && !id.ends_with('/')
        && !id.contains("//")
}
