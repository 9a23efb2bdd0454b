//! Ranges of reports, weeks of the funnel, and the facts of a track that are not personal. Pure.

use atalaya_cases::lists::model::{Range, RangeBody};
use atalaya_kernel::calendar;
use atalaya_rest::problem::FieldError;
use chrono::{DateTime, Datelike, NaiveDate, TimeDelta, Utc};
use serde_json::{Map, Value};

/// Maximum number of days of a report: a leap year.
pub const RANGE_DAYS_MAX: i64 = 366;
/// Weeks of a funnel by default, and at most.
pub const WEEKS: u32 = 12;
pub const WEEKS_MAX: u32 = 104;

/// Parses the range. Errors: `begin` or `end` INVALID; `end` RANGE_TOO_LONG (`max`) over 366 days.
pub fn range(body: &RangeBody, now: DateTime<Utc>) -> Result<Range, FieldError> {
    let range = body.read(now).map_err(|wrong| FieldError::new(wrong.field, wrong.code))?;
    let last = calendar::day(range.until - TimeDelta::microseconds(1));
    let days = (last - calendar::day(range.from)).num_days() + 1;
    if days > RANGE_DAYS_MAX {
        return Err(FieldError::new("end", "RANGE_TOO_LONG").param("max", RANGE_DAYS_MAX));
    }
    Ok(range)
}

/// The Mondays of the last weeks in Madrid, oldest first, with the range of each week. The last one is running (REPORT-8).
pub fn weeks(count: u32, now: DateTime<Utc>) -> Vec<(NaiveDate, Range)> {
    let today = calendar::day(now);
    let monday = today - TimeDelta::days(today.weekday().num_days_from_monday().into());
    let week = |back: u32| {
        let monday = monday - TimeDelta::days(7 * i64::from(back));
        let range = Range { from: calendar::start_of(monday), until: calendar::start_of(monday + TimeDelta::days(7)) };
        (monday, range)
    };
    (0..count).rev().map(week).collect()
}

/// Facts of tracks that say nothing about a person (REPORT-4). Everything else stays out of reports: names of files, texts,
/// addresses, and the commitments to erasable values.
const PLAIN: &[&str] = &[
    "accuracyM",
    "appointmentAt",
    "approved",
    "browser",
    "bytes",
    "channel",
    "contactType",
    "deviceAt",
    "documentId",
    "documentSha256",
    "durationS",
    "files",
    "fixAt",
    "head",
    "height",
    "itemId",
    "items",
    "language",
    "media",
    "mediaId",
    "messageId",
    "method",
    "mime",
    "number",
    "os",
    "permission",
    "reason",
    "recordingId",
    "requestId",
    "root",
    "sha256",
    "shot",
    "state",
    "seq",
    "textSha256",
    "type",
    "verdict",
    "version",
    "width",
];

/// The facts of a track that reports may show.
pub fn plain(data: Map<String, Value>) -> Map<String, Value> {
    data.into_iter().filter(|(key, value)| PLAIN.contains(&key.as_str()) && !value.is_null()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().expect("a moment")
    }

    // REPORT-1
    #[test]
    fn a_year_is_the_most() {
        let now = at("2026-11-20T09:00:00Z");
        let of = |begin: &str, end: &str| {
            let body = RangeBody { begin: Some(begin.into()), end: Some(end.into()) };
            range(&body, now).map_err(|error| (error.field.to_string(), error.code.to_string()))
        };
        let too_long = Err(("end".to_owned(), "RANGE_TOO_LONG".to_owned()));
        assert!(of("2025-11-20", "2026-11-20").is_ok(), "366 days");
        assert_eq!(of("2025-11-19", "2026-11-20"), too_long);
        assert!(of("2025-11-20T22:30:00Z", "2026-11-20T22:59:59Z").is_ok());
        assert_eq!(of("2025-11-20T22:30:00Z", "2026-11-20T23:00:00Z"), too_long, "the 21st has begun in Madrid");
        assert_eq!(of("ayer", "2026-11-20"), Err(("begin".to_owned(), "INVALID".to_owned())));
    }

    // REPORT-8
    #[test]
    fn weeks_begin_on_mondays_in_madrid() {
        // The Sunday on which the clocks went back, half an hour before midnight in Madrid.
        let all = weeks(2, at("2026-10-25T22:30:00Z"));
        let mondays: Vec<String> = all.iter().map(|(day, _)| day.to_string()).collect();
        assert_eq!(mondays, ["2026-10-12", "2026-10-19"]);
        assert_eq!(
            all[1].1,
            Range { from: at("2026-10-18T22:00:00Z"), until: at("2026-10-25T23:00:00Z") },
            "a week of 169 hours"
        );
        assert_eq!(weeks(1, at("2026-10-25T23:00:00Z"))[0].0.to_string(), "2026-10-26");
        assert_eq!(all[0].1.until, all[1].1.from);
    }

    // REPORT-4
    #[test]
    fn only_named_facts_are_told() {
        let data =
            json!({"type": "PICTURE", "name": "DNI de Luis.jpg", "ipC": "ab", "position": "40,-3", "width": null, "bytes": 3});
        let told = plain(data.as_object().expect("an object").clone());
        assert_eq!(Value::Object(told), json!({"type": "PICTURE", "bytes": 3}));
    }
}
