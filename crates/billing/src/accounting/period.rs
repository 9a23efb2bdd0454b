//! A month, a quarter or a year of the books. Pure.

use atalaya_tariff::Month;
use chrono::{Datelike, NaiveDate};

/// What the accountant asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Period {
    Month(Month),
    /// 1 to 4.
    Quarter {
        year: i32,
        quarter: u32,
    },
    Year(i32),
}

impl Period {
    /// Reads `2026-10`, `2026-4T` or `2026`. `None` for anything else.
    pub(super) fn parse(text: &str) -> Option<Self> {
        if let Some(month) = Month::parse(text) {
            return Some(Self::Month(month));
        }
        let year = |text: &str| {
            let shaped = text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<i32>().ok().filter(|year| shaped && *year >= 1900)
        };
        let Some((first, second)) = text.split_once('-') else { return year(text).map(Self::Year) };
        let quarter = second.strip_suffix('T').filter(|digit| digit.len() == 1)?.parse().ok().filter(|n| (1..=4).contains(n))?;
        Some(Self::Quarter { year: year(first)?, quarter })
    }

    /// Its first and its last day.
    pub(super) fn days(self) -> (NaiveDate, NaiveDate) {
        let of = |year, month| Month::new(year, month).unwrap_or_else(|_| Month::of(chrono::DateTime::UNIX_EPOCH));
        match self {
            Self::Month(month) => (month.first_day(), month.last_day()),
            Self::Quarter { year, quarter } => (of(year, quarter * 3 - 2).first_day(), of(year, quarter * 3).last_day()),
            Self::Year(year) => (of(year, 1).first_day(), of(year, 12).last_day()),
        }
    }

    /// As the tax office writes the return to which a day belongs: `10` for who files each month, else `4T`.
    pub(super) fn code(self, day: NaiveDate) -> String {
        match self {
            Self::Month(_) => format!("{:02}", day.month()),
            Self::Quarter { .. } | Self::Year(_) => format!("{}T", day.month0() / 3 + 1),
        }
    }

    /// For names of files.
    pub(super) fn name(self) -> String {
        match self {
            Self::Month(month) => month.name(),
            Self::Quarter { year, quarter } => format!("{year:04}-{quarter}T"),
            Self::Year(year) => format!("{year:04}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // BOOKS-1
    #[test]
    fn months_quarters_and_years() {
        for (text, from, to, code) in [
            ("2026-10", "2026-10-01", "2026-10-31", "10"),
            ("2026-4T", "2026-10-01", "2026-12-31", "4T"),
            ("2028-1T", "2028-01-01", "2028-03-31", "4T"),
            ("2026", "2026-01-01", "2026-12-31", "4T"),
        ] {
            let period = Period::parse(text).unwrap();
            assert_eq!(period.days(), (from.parse().unwrap(), to.parse().unwrap()), "{text}");
            assert_eq!(period.name(), text);
            assert_eq!(period.code("2026-10-31".parse().unwrap()), code);
        }
        for wrong in ["", "2026-13", "2026-0T", "2026-5T", "26", "2026-T", "2026-4t", "2026-4T-1", "0000", "+026", "2026-10-01"] {
            assert_eq!(Period::parse(wrong), None, "{wrong}");
        }
    }
}
