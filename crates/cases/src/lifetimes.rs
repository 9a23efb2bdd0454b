//! How long files may be requested and how long they stay.

use crate::Cases;
use crate::conferences::{Conference, ConferenceError};
use crate::evidence::Track;
use atalaya_identity::companies;
use atalaya_kernel::{CompanyId, limits};
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

/// Why no files may be requested (FILES-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unrequestable {
    /// `MEDIA_ERASED`: the conference's key is destroyed.
    Erased,
    /// `FILES_EXPIRED`: its files are gone.
    FilesExpired,
    /// `FILE_REQUEST_EXPIRED`: the window for requests is over.
    WindowOver,
    /// `DURATION_TOO_SHORT`: not longer than 22 seconds.
    TooShort,
}

/// What decides whether files may be requested.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    pub created_at: DateTime<Utc>,
    pub request_expires: Option<DateTime<Utc>>,
    pub company_days: Option<i32>,
    pub duration_s: Option<i64>,
    pub erased: bool,
    /// The retention job has deleted the files already.
    pub deleted: bool,
    /// The client could not come into the call because of their camera, their microphone or their browser.
    pub kept_out: bool,
}

impl Window {
    /// Errors: the first reason that applies (FILES-1).
    pub fn check(&self, now: DateTime<Utc>) -> Result<(), Unrequestable> {
        match () {
            () if self.erased => Err(Unrequestable::Erased),
            () if self.deleted || media_expired(self.created_at, self.company_days, now) => Err(Unrequestable::FilesExpired),
            () if !may_request_files(self.created_at, self.request_expires, now) => Err(Unrequestable::WindowOver),
            // Photos are the way out for whom the call cannot see.
            () if !self.kept_out && self.duration_s.unwrap_or(0) <= limits::FILES_REQUEST_DURATION_S => {
                Err(Unrequestable::TooShort)
            }
            () => Ok(()),
        }
    }
}

/// Whether a conference's files have expired. They answer `MEDIA_EXPIRED` from that second on, no matter when the hourly
/// job deletes them (RETAIN-4).
pub async fn is_expired(deps: &Cases, row: &Conference) -> Result<bool, ConferenceError> {
    let now = deps.sources.now();
    if !media_expired(row.created_at, None, now) {
        return Ok(false);
    }
    let company = companies::service::get_company(&deps.identity, CompanyId(row.company_id)).await?;
    Ok(media_expired(row.created_at, company.retention_days, now))
}

/// Removes the case number and the names of files from the tracks of an erased conference before they are shown. Chains of
/// earlier versions still hold them, because events are never deleted; newer ones hold commitments (EVID-55).
pub fn without_names(tracks: &mut [Track]) {
    for track in tracks {
        for field in ["expedientNumber", "name"] {
            track.data.remove(field);
        }
    }
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

    fn window() -> Window {
        Window {
            created_at: at(0, 0),
            request_expires: None,
            company_days: None,
            duration_s: Some(100),
            erased: false,
            deleted: false,
            kept_out: false,
        }
    }

    // FILES-1, RETAIN-2
    #[test]
    fn files_may_be_asked_for_before_day_30_and_are_gone_at_31() {
        use Unrequestable::{FilesExpired, WindowOver};
        for (now, expected) in [
            (at(29, 0), Ok(())),
            (at(30, -1), Ok(())),
            (at(30, 0), Err(WindowOver)),
            (at(31, -1), Err(WindowOver)),
            (at(31, 0), Err(FilesExpired)),
        ] {
            assert_eq!(window().check(now), expected, "{now}");
        }
        let later = Window { request_expires: Some(at(40, 0)), company_days: Some(60), ..window() };
        for (now, expected) in
            [(at(35, 0), Ok(())), (at(40, -1), Ok(())), (at(40, 0), Err(WindowOver)), (at(60, 0), Err(FilesExpired))]
        {
            assert_eq!(later.check(now), expected, "{now}");
        }
        let sooner = Window { request_expires: Some(at(2, 0)), ..window() };
        assert_eq!(sooner.check(at(3, 0)), Err(WindowOver), "a date of its own goes before the age");
    }

    // FILES-1
    #[test]
    fn a_conference_must_have_lasted_longer_than_22_seconds() {
        for (duration_s, expected) in [
            (None, Err(Unrequestable::TooShort)),
            (Some(0), Err(Unrequestable::TooShort)),
            (Some(21), Err(Unrequestable::TooShort)),
            (Some(22), Err(Unrequestable::TooShort)),
            (Some(23), Ok(())),
        ] {
            assert_eq!(Window { duration_s, ..window() }.check(at(1, 0)), expected, "{duration_s:?}");
        }
    }

    // FILES-40
    #[test]
    fn whoever_cannot_show_the_damage_in_a_call_may_send_photos() {
        let kept_out = Window { kept_out: true, duration_s: None, ..window() };
        assert_eq!(kept_out.check(at(1, 0)), Ok(()));
        assert_eq!(Window { erased: true, ..kept_out }.check(at(1, 0)), Err(Unrequestable::Erased));
        assert_eq!(kept_out.check(at(60, 0)), Err(Unrequestable::FilesExpired));
    }

    #[test]
    fn erased_or_deleted_goes_before_everything() {
        assert_eq!(Window { erased: true, ..window() }.check(at(40, 0)), Err(Unrequestable::Erased));
        assert_eq!(Window { deleted: true, ..window() }.check(at(1, 0)), Err(Unrequestable::FilesExpired));
    }
}
