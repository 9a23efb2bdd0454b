//! Plates and chassis numbers.

/// Tidies what the field `carId` holds: upper-case, single spaces. `None` when it cannot be a plate or a chassis number:
/// 4 to 20 characters of `A–Z 0–9`, spaces and hyphens, at least one digit.
pub fn car_id(raw: &str) -> Option<String> {
    let tidy = raw.split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase();
    let fits = (4..=20).contains(&tidy.len())
        && tidy.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == ' ' || c == '-')
        && tidy.chars().any(|c| c.is_ascii_digit());
    fits.then_some(tidy)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plates_are_tidied_and_markup_is_refused() {
        assert_eq!(car_id(" 4821  lkm ").as_deref(), Some("4821 LKM"));
        assert_eq!(car_id("M-1234-AB").as_deref(), Some("M-1234-AB"));
        assert_eq!(car_id("VSSZZZ6JZ9R012345").as_deref(), Some("VSSZZZ6JZ9R012345"));
        for bad in ["", "12", "<b>1234</b>", "LKM", "4821_LKM", "1234 ÑÑÑ"] {
            assert_eq!(car_id(bad), None, "{bad}");
        }
    }
}
