//! E-mail addresses and Spanish postal codes.

/// Whether text is one plain mailbox address of at most 350 characters, with nothing a header could be made of.
pub fn is_email(text: &str) -> bool {
    if text.len() > 350 || text.chars().any(|c| c.is_control() || c.is_whitespace() || ",;<>()[]\\\":".contains(c)) {
        return false;
    }
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    let label = |l: &str| {
        (1..=63).contains(&l.len())
            && !l.starts_with('-')
            && !l.ends_with('-')
            && l.chars().all(|c| c.is_alphanumeric() || c == '-')
    };
    let labels: Vec<&str> = domain.split('.').collect();
    (1..=64).contains(&local.len())
        && !local.contains('@')
        && !local.starts_with('.')
        && !local.ends_with('.')
        && !local.contains("..")
        && labels.len() >= 2
        && labels.iter().all(|l| label(l))
        && labels.last().is_some_and(|l| l.len() >= 2 && !l.chars().all(|c| c.is_ascii_digit()))
}

/// Whether text is a Spanish postal code: five digits with a province prefix of 01 to 52.
pub fn is_postal_code(text: &str) -> bool {
    text.len() == 5 && text.bytes().all(|b| b.is_ascii_digit()) && matches!(text[..2].parse::<u8>(), Ok(1..=52))
}

/// Shows an address with its name hidden: `c•••@example.es`.
pub fn mask_email(text: &str) -> String {
    match text.rsplit_once('@') {
        Some((local, domain)) => format!("{}•••@{domain}", local.chars().next().unwrap_or('•')),
        None => "•••".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for good in ["a@b.es", "carmen.ortega+casa@correo.example", "x@peritación.es"] {
            assert!(is_email(good), "{good}");
        }
        for bad in [
            "",
            "a",
            "a@b",
            "a@@b.es",
            "a b@c.es",
            "a@b.es\r\nBcc: x@y.es",
            "<a@b.es>",
            ".a@b.es",
            "a@-b.es",
            "a@b..es",
            "a@1.2.3.4",
            "a@b.es,c@d.es",
        ] {
            assert!(!is_email(bad), "{bad}");
        }
        assert!(!is_email(&format!("a@{}.es", "b".repeat(350))));
    }

    #[test]
    fn postal_codes() {
        assert!(is_postal_code("46500") && is_postal_code("01001") && is_postal_code("52001"));
        assert!(!is_postal_code("00100") && !is_postal_code("53000") && !is_postal_code("4650") && !is_postal_code("4650a"));
    }
}
