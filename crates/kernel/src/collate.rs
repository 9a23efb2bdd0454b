//! How names are found and ordered: without accents and case, ñ after n (Spanish alphabet).

/// Lower case, without accents, runs of anything but letters and digits as one blank: what `search` columns hold and
/// queries are compared with. `@`, `.`, `+`, `-`, `_` stay, for addresses and phones.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase) {
        match plain(c) {
            Some(letters) => folded.push_str(letters),
            None if is_combining(c) => {}
            None if c.is_alphanumeric() || "@.+-_".contains(c) => folded.push(c),
            None if folded.ends_with(' ') => {}
            None => folded.push(' '),
        }
    }
    folded.trim().to_owned()
}

/// The `search` column of a row with these fields.
pub fn search_text(fields: &[&str]) -> String {
    let mut all = String::new();
    for field in fields {
        let folded = fold(field);
        if !folded.is_empty() {
            all.push(' ');
            all.push_str(&folded);
        }
    }
    all.trim_start().to_owned()
}

/// What rows are ordered by, byte by byte. `ñ` becomes `nzz`, which lies after every `n` of a real word.
pub fn sort_key(text: &str) -> String {
    let spelled: String = text.chars().map(|c| if matches!(c, 'ñ' | 'Ñ') { "nzz".to_owned() } else { c.to_string() }).collect();
    fold(&spelled)
}

/// The unaccented letters of a lower-case Latin letter that has some.
fn plain(c: char) -> Option<&'static str> {
    Some(match c {
        'á' | 'à' | 'ä' | 'â' | 'ã' | 'å' | 'ā' | 'ă' | 'ą' | 'ª' => "a",
        'é' | 'è' | 'ë' | 'ê' | 'ē' | 'ė' | 'ę' | 'ě' => "e",
        'í' | 'ì' | 'ï' | 'î' | 'ī' | 'į' | 'ı' => "i",
        'ó' | 'ò' | 'ö' | 'ô' | 'õ' | 'ø' | 'ō' | 'ő' | 'º' => "o",
        'ú' | 'ù' | 'ü' | 'û' | 'ū' | 'ů' | 'ű' => "u",
        'ý' | 'ÿ' => "y",
        'ñ' | 'ń' | 'ň' => "n",
        'ç' | 'ć' | 'č' => "c",
        'š' | 'ś' | 'ș' | 'ş' => "s",
        'ž' | 'ź' | 'ż' => "z",
        'ł' | 'ľ' => "l",
        'đ' | 'ď' => "d",
        'ț' | 'ť' | 'ţ' => "t",
        'ř' => "r",
        'ğ' => "g",
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        '·' => "",
        _ => return None,
    })
}

/// Accents that stand by themselves after their letter (decomposed text, as macOS sends it).
fn is_combining(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_and_case_do_not_matter() {
        assert_eq!(fold("  Peñalver, José  (Taller Núñez) "), "penalver jose taller nunez");
        assert_eq!(fold("Paral·lel Ç"), "parallel c");
        assert_eq!(fold("Jose\u{301} I\u{300}"), "jose i");
        assert_eq!(fold("Ana.Ruiz+x@Ejemplo.ES"), "ana.ruiz+x@ejemplo.es");
        assert_eq!(fold("%_'\"\\"), "_", "a pattern's signs do not survive");
        assert_eq!(search_text(&["Ana", "", "Ruiz", "+34600"]), "ana ruiz +34600");
    }

    #[test]
    fn the_spanish_alphabet_is_kept() {
        let mut names = ["Zapata", "Ñuño", "Nuñez", "Nunez", "nzambi", "Ábalos", "Abad", "ácaro", "Caña", "Canto", "Cañada"];
        names.sort_by_key(|name| sort_key(name));
        assert_eq!(names, ["Abad", "Ábalos", "ácaro", "Canto", "Caña", "Cañada", "Nunez", "Nuñez", "nzambi", "Ñuño", "Zapata"]);
    }
}
