//! Days as people in Spain count them: the product's calendar is that of Europe/Madrid (DESIGN §10).

use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use chrono_tz::Europe::Madrid;

/// The clock on a wall in Madrid.
pub fn local(at: DateTime<Utc>) -> NaiveDateTime {
    at.with_timezone(&Madrid).naive_local()
}

/// The day it is in Madrid.
pub fn day(at: DateTime<Utc>) -> NaiveDate {
    local(at).date()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_begin_at_madrid_s_midnight() {
        let at = |text: &str| DateTime::parse_from_rfc3339(text).unwrap().to_utc();
        assert_eq!(day(at("2026-11-20T22:59:59Z")).to_string(), "2026-11-20");
        assert_eq!(day(at("2026-11-20T23:00:00Z")).to_string(), "2026-11-21", "winter: one hour ahead");
        assert_eq!(day(at("2026-07-20T22:00:00Z")).to_string(), "2026-07-21", "summer: two hours ahead");
        assert_eq!(local(at("2026-07-20T22:00:00Z")).to_string(), "2026-07-21 00:00:00");
    }
}
