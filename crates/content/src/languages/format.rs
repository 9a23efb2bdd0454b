//! Days and numbers as each language writes them (LANG-5, LANG-6); the patterns are in the bundles (`documents.json`).

use super::text;
use atalaya_kernel::{ClientLanguage, Language};
use chrono::{Datelike, NaiveDate};

const MONTHS: [(&str, &str); 12] = [
    ("month_1", "of_month_1"),
    ("month_2", "of_month_2"),
    ("month_3", "of_month_3"),
    ("month_4", "of_month_4"),
    ("month_5", "of_month_5"),
    ("month_6", "of_month_6"),
    ("month_7", "of_month_7"),
    ("month_8", "of_month_8"),
    ("month_9", "of_month_9"),
    ("month_10", "of_month_10"),
    ("month_11", "of_month_11"),
    ("month_12", "of_month_12"),
];

fn written(date: NaiveDate, language: Language, pattern: &'static str) -> String {
    let of = |key| text(language, "documents", key);
    let (month, of_month) = usize::try_from(date.month0()).ok().and_then(|at| MONTHS.get(at)).copied().unwrap_or(MONTHS[0]);
    of(pattern)
        .replace("{day}", &date.day().to_string())
        .replace("{month}", of(month))
        .replace("{ofMonth}", of(of_month))
        .replace("{year}", &date.year().to_string())
}

/// `octubre de 2026`.
pub fn month(date: NaiveDate, language: Language) -> String {
    written(date, language, "date_month")
}

/// `9 de noviembre de 2026`.
pub fn day(date: NaiveDate, language: Language) -> String {
    written(date, language, "date_day")
}

/// The same for a client; with the month as a number in the languages that have the client's texts alone (LANG-7).
pub fn client_day(date: NaiveDate, language: ClientLanguage) -> String {
    match (language.platform(), language) {
        (Some(language), _) => day(date, language),
        (None, ClientLanguage::De | ClientLanguage::Ro) => date.format("%d.%m.%Y").to_string(),
        (None, _) => date.format("%d/%m/%Y").to_string(),
    }
}

/// The separators of thousands and of decimals.
pub fn separators(language: Language) -> (&'static str, &'static str) {
    (text(language, "documents", "number_thousands"), text(language, "documents", "number_point"))
}

/// Whole cents with two decimals and grouped thousands: `1.548,92`. The sign is the plain hyphen.
pub fn cents(amount: i64, language: Language) -> String {
    let (thousands, point) = separators(language);
    let digits = (amount.unsigned_abs() / 100).to_string();
    let mut whole = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            whole.push_str(thousands);
        }
        whole.push(digit);
    }
    let sign = if amount < 0 { "-" } else { "" };
    format!("{sign}{whole}{point}{:02}", amount.unsigned_abs() % 100)
}

/// A number written with a point, in the language's way: `12.5` is `12,5`.
pub fn decimal(plain: &str, language: Language) -> String {
    plain.replace('.', separators(language).1)
}

#[cfg(test)]
mod tests {
    use super::*;

    // LANG-5
    #[test]
    fn days_and_months_read_well() {
        let date = NaiveDate::from_ymd_opt(2026, 11, 9).unwrap();
        let long = [
            (Language::Es, "noviembre de 2026", "9 de noviembre de 2026"),
            (Language::Ca, "novembre del 2026", "9 de novembre del 2026"),
            (Language::Eu, "2026(e)ko azaroa", "2026(e)ko azaroaren 9(a)"),
            (Language::Gl, "novembro de 2026", "9 de novembro de 2026"),
            (Language::En, "November 2026", "9 November 2026"),
            (Language::Fr, "novembre 2026", "9 novembre 2026"),
            (Language::Pt, "novembro de 2026", "9 de novembro de 2026"),
        ];
        for (language, of_month, of_day) in long {
            assert_eq!((month(date, language).as_str(), day(date, language).as_str()), (of_month, of_day), "{language:?}");
        }
        let april = NaiveDate::from_ymd_opt(2026, 4, 1).unwrap();
        assert_eq!(day(april, Language::Ca), "1 d’abril del 2026");
    }

    // LANG-6
    #[test]
    fn amounts_read_well() {
        let spanish = [5, 154_892, -123_456_789].map(|amount| cents(amount, Language::Es));
        assert_eq!(spanish, ["0,05", "1.548,92", "-1.234.567,89"]);
        assert_eq!(cents(154_892, Language::En), "1,548.92");
        assert_eq!(cents(154_892, Language::Fr), "1\u{202f}548,92");
        assert_eq!(decimal("12.5", Language::Eu), "12,5");
    }
}
