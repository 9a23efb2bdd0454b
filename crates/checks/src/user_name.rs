//! The names with which people log in: an e-mail or a phone.

/// The stored form of a user name: an e-mail in lower case, or a phone in E.164.
///
/// A phone without a country is taken as Spanish, the default country.
pub fn normalise(raw: &str) -> String {
    // Control characters are part of no name, and PostgreSQL refuses a NUL.
    let visible: String = raw.chars().filter(|c| !c.is_control()).collect();
    let trimmed = visible.trim();
    if trimmed.contains('@') {
        return trimmed.to_lowercase();
    }
    let digits: String = trimmed.chars().filter(|c| !c.is_whitespace() && !"-.()/".contains(*c)).collect();
    let plain = |s: &str| !s.is_empty() && s.chars().all(|c| c.is_ascii_digit());
    match digits.strip_prefix('+').or_else(|| digits.strip_prefix("00")) {
        Some(rest) if plain(rest) => format!("+{rest}"),
        None if plain(&digits) && digits.len() == 9 => format!("+34{digits}"),
        _ => trimmed.to_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // AUTH-2
    #[test]
    fn user_names_have_one_form() {
        for (raw, stored) in [
            (" Ana@Ejemplo.ES ", "ana@ejemplo.es"),
            ("600 12 34 56", "+34600123456"),
            ("+34 600-123-456", "+34600123456"),
            ("0033 6 12 34 56 78", "+33612345678"),
            ("12345", "12345"),
            ("Not A Phone", "not a phone"),
            ("ana@ejemplo.es\u{0}", "ana@ejemplo.es"),
            ("", ""),
        ] {
            assert_eq!(normalise(raw), stored, "{raw}");
        }
    }
}
