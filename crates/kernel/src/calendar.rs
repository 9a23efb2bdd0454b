//! Days as people in Spain count them: the product's calendar is that of Europe/Madrid.

use chrono::{DateTime, LocalResult, NaiveDate, NaiveDateTime, NaiveTime, TimeZone, Utc};
use chrono_tz::Europe::Madrid;

/// The clock on a wall in Madrid.
pub fn local(at: DateTime<Utc>) -> NaiveDateTime {
    at.with_timezone(&Madrid).naive_local()
}

/// The day it is in Madrid.
pub fn day(at: DateTime<Utc>) -> NaiveDate {
    local(at).date()
}

/// When a day begins in Madrid.
pub fn start_of(day: NaiveDate) -> DateTime<Utc> {
    let midnight = day.and_time(NaiveTime::MIN);
    match Madrid.from_local_datetime(&midnight) {
        LocalResult::Single(time) | LocalResult::Ambiguous(time, _) => time.to_utc(),
        // Madrid changes its clocks at two and three o'clock, never at midnight.
        LocalResult::None => midnight.and_utc(),
    }
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

    #[test]
    fn a_day_s_beginning_is_its_first_moment() {
        for (date, moment) in [
            ("2026-12-20", "2026-12-19T23:00:00Z"),
            ("2026-07-02", "2026-07-01T22:00:00Z"),
            ("2026-03-29", "2026-03-28T23:00:00Z"),
        ] {
            let begins = start_of(date.parse().unwrap());
            assert_eq!(begins, moment.parse::<DateTime<Utc>>().unwrap(), "{date}");
            assert_eq!(day(begins).to_string(), date);
        }
    }
}
