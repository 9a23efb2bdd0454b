//! How long files may be requested and how long they stay. Pure.

use atalaya_kernel::limits;
use chrono::{DateTime, TimeDelta, Utc};

/// Whole days since creation, not calendar days (RETAIN-1).
pub fn age_days(created_at: DateTime<Utc>, now: DateTime<Utc>) -> i64 {
    (now - created_at).num_seconds().div_euclid(86_400)
}

/// Days that files of a company's conferences stay: 31, or the company's own number when it is larger (RETAIN-3).
pub fn retention_days(company_days: Option<i32>) -> i64 {
    company_days.map_or(limits::MEDIA_EXPIRED_DAYS, i64::from).max(limits::MEDIA_EXPIRED_DAYS)
}

/// Whether files may still be requested: until `mediaRequestExpired`, or under 30 days of age without it (RETAIN-2).
pub fn may_request_files(created_at: DateTime<Utc>, request_expires: Option<DateTime<Utc>>, now: DateTime<Utc>) -> bool {
    match request_expires {
        Some(until) => until > now,
        None => age_days(created_at, now) < limits::MEDIA_REQUEST_DAYS,
    }
}

/// Until when files of a new conference may be requested, when its company keeps them for more than 31 days: until a day
/// before they expire, as the usual 30 days are a day before the usual 31.
pub fn requests_expire(created_at: DateTime<Utc>, company_days: Option<i32>) -> Option<DateTime<Utc>> {
    let days = retention_days(company_days);
    (days > limits::MEDIA_EXPIRED_DAYS).then(|| created_at + TimeDelta::days(days - 1))
}

/// Until when files may be requested.
pub fn requestable_until(created_at: DateTime<Utc>, request_expires: Option<DateTime<Utc>>) -> DateTime<Utc> {
    request_expires.unwrap_or(created_at + TimeDelta::days(limits::MEDIA_REQUEST_DAYS))
}

/// Whether the files have expired: at 31 whole days, or at the company's larger number of days (RETAIN-3).
pub fn media_expired(created_at: DateTime<Utc>, company_days: Option<i32>, now: DateTime<Utc>) -> bool {
    age_days(created_at, now) >= retention_days(company_days)
}

/// When the files expire.
pub fn media_expires_at(created_at: DateTime<Utc>, company_days: Option<i32>) -> DateTime<Utc> {
    created_at + TimeDelta::days(retention_days(company_days))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(days: i64, seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000, 0).unwrap() + TimeDelta::days(days) + TimeDelta::seconds(seconds)
    }

    // RETAIN-1, RETAIN-2, RETAIN-3
    #[test]
    fn days_29_30_and_31_to_the_second() {
        let created = at(0, 0);
        for (now, requestable, expired) in [
            (at(0, 0), true, false),
            (at(29, 0), true, false),
            (at(30, -1), true, false),
            (at(30, 0), false, false),
            (at(31, -1), false, false),
            (at(31, 0), false, true),
        ] {
            assert_eq!(may_request_files(created, None, now), requestable, "{now}");
            assert_eq!(media_expired(created, None, now), expired, "{now}");
        }
        assert_eq!(age_days(created, at(0, -1)), -1, "a clock that went back");
    }

    // RETAIN-2
    #[test]
    fn a_date_of_its_own_goes_before_the_age() {
        let created = at(0, 0);
        assert!(may_request_files(created, Some(at(40, 0)), at(40, -1)));
        assert!(!may_request_files(created, Some(at(40, 0)), at(40, 0)));
        assert!(!may_request_files(created, Some(at(3, 0)), at(4, 0)), "also when it is sooner");
        assert_eq!(requestable_until(created, None), at(30, 0));
    }

    // RETAIN-3
    #[test]
    fn a_company_s_time_extends_and_never_shortens() {
        let created = at(0, 0);
        for (days, gone_at) in [(None, 31), (Some(10), 31), (Some(31), 31), (Some(730), 730)] {
            assert!(!media_expired(created, days, at(gone_at, -1)), "{days:?}");
            assert!(media_expired(created, days, at(gone_at, 0)), "{days:?}");
            assert_eq!(media_expires_at(created, days), at(gone_at, 0));
        }
    }
}
