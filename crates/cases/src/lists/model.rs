//! Ranges of days and how a duration shows. Pure.

use crate::conferences::model::Wrong;
use atalaya_kernel::{calendar, limits};
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

/// Days of a list without a range: the last seven (CASE-19).
const DEFAULT_DAYS: i64 = 7;
/// The body of a list: dates (whole days in Madrid) or moments, both inclusive.
#[derive(Clone, Debug, Default, Deserialize, utoipa::ToSchema)]
#[serde(default)]
pub struct RangeBody {
    /// `2026-11-14` or RFC 3339; seven days ago without it.
    pub begin: Option<String>,
    /// `2026-11-20` or RFC 3339; today without it.
    pub end: Option<String>,
}

/// What a list is sorted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortBy {
    CreatedAt,
    Expedient,
    UserName,
    CustomerName,
    PhoneNumber,
    CarId,
    Duration,
}

impl SortBy {
    /// Not every conference has a value.
    pub fn may_be_empty(self) -> bool {
        matches!(self, Self::CarId | Self::Duration)
    }
}

/// What a conference in a list is waiting for, or what became of it (CASE-26).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ListState {
    /// Files arrived that its company has not looked at.
    New,
    /// Somebody may still come: neither closed nor expired.
    Pending,
    /// It is over, and the client never came.
    NotConnected,
    /// Its link expired: the client never came, and nobody closed it before.
    Expired,
}

type Moment = Option<DateTime<Utc>>;

/// Moments from `from`, before `until`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub from: DateTime<Utc>,
    pub until: DateTime<Utc>,
}

impl RangeBody {
    /// The range meant.
    ///
    /// Errors: `INVALID` about `begin` or `end`, also when it ends before it begins.
    pub fn read(&self, now: DateTime<Utc>) -> Result<Range, Wrong> {
        let today = calendar::day(now);
        let (from, until) = self.bounds()?;
        let from = from.unwrap_or_else(|| calendar::start_of(today - TimeDelta::days(DEFAULT_DAYS)));
        let until = until.unwrap_or_else(|| calendar::start_of(today + TimeDelta::days(1)));
        if from < until { Ok(Range { from, until }) } else { Err(wrong("end")) }
    }

    /// The ends that are given, for a list that has none by itself: from the first, before the second.
    ///
    /// Errors: `INVALID` about `begin` or `end`, also when it ends before it begins.
    pub fn bounds(&self) -> Result<(Moment, Moment), Wrong> {
        let from = moment(&self.begin, "begin", |day| Some(calendar::start_of(day)), TimeDelta::zero())?;
        // Inclusive: the day or the moment itself belongs to the range.
        let until = moment(&self.end, "end", |day| day.succ_opt().map(calendar::start_of), TimeDelta::microseconds(1))?;
        match (from, until) {
            (Some(from), Some(until)) if from >= until => Err(wrong("end")),
            bounds => Ok(bounds),
        }
    }
}

fn wrong(field: &'static str) -> Wrong {
    Wrong { field, code: "INVALID", max: None }
}

/// One end of a range: where a day has it, or so much after a moment.
fn moment(
    text: &Option<String>,
    field: &'static str,
    of_day: fn(NaiveDate) -> Option<DateTime<Utc>>,
    after: TimeDelta,
) -> Result<Moment, Wrong> {
    let Some(text) = text.as_deref().map(str::trim).filter(|text| !text.is_empty()) else { return Ok(None) };
    let read = match text.parse::<NaiveDate>() {
        Ok(day) => of_day(day),
        Err(_) => DateTime::parse_from_rfc3339(text).ok().map(|moment| moment.to_utc() + after),
    };
    read.map(Some).ok_or(wrong(field))
}

/// What is shown for a duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DurationState {
    /// More than ten seconds: the seconds.
    Seconds,
    /// Zero to ten seconds.
    LessThanTen,
    /// No duration yet, though there was a session and the conference is closed.
    Pending,
    /// The link still works.
    NotExpired,
    /// Neither session nor connection.
    NoSession,
}

impl DurationState {
    /// The first that applies (CASE-20).
    pub fn of(duration_s: Option<i64>, has_session: bool, closed: bool, expired: bool) -> Self {
        match duration_s {
            Some(seconds) if seconds > limits::SHORT_DURATION_S => Self::Seconds,
            Some(_) => Self::LessThanTen,
            None if has_session && closed => Self::Pending,
            None if !expired => Self::NotExpired,
            None => Self::NoSession,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        DateTime::parse_from_rfc3339(text).unwrap().to_utc()
    }

    fn range(begin: Option<&str>, end: Option<&str>) -> Result<Range, &'static str> {
        let body = RangeBody { begin: begin.map(str::to_owned), end: end.map(str::to_owned) };
        body.read(at("2026-11-20T23:30:00Z")).map_err(|wrong| wrong.field)
    }

    // CASE-19
    #[test]
    fn days_are_whole_and_madrid_s() {
        let whole = |from: &str, until: &str| Ok(Range { from: at(from), until: at(until) });
        assert_eq!(range(Some("2026-11-14"), Some("2026-11-14")), whole("2026-11-13T23:00:00Z", "2026-11-14T23:00:00Z"));
        assert_eq!(range(None, None), whole("2026-11-13T23:00:00Z", "2026-11-21T23:00:00Z"), "it is the 21st in Madrid");
        assert_eq!(range(Some("2026-03-29"), Some("2026-03-29")), whole("2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"));
        assert_eq!(
            range(Some("2026-11-14T10:00:00Z"), Some("2026-11-14T10:00:00+01:00")),
            Err("end"),
            "nine o'clock is before ten"
        );
        let moment = range(Some("2026-11-14T10:00:00Z"), Some("2026-11-14T10:00:00Z")).unwrap();
        assert!(moment.from < moment.until, "both ends are included");
        for (begin, end, field) in
            [(Some("ayer"), None, "begin"), (None, Some("2026-13-01"), "end"), (Some("2027-01-01"), None, "end")]
        {
            assert_eq!(range(begin, end), Err(field));
        }
    }

    // INCID-17
    #[test]
    fn a_range_may_be_open_at_either_end() {
        let bounds = |begin: Option<&str>, end: Option<&str>| {
            RangeBody { begin: begin.map(str::to_owned), end: end.map(str::to_owned) }.bounds().map_err(|wrong| wrong.field)
        };
        let (from, until) = (at("2026-11-13T23:00:00Z"), at("2026-11-14T23:00:00Z"));
        assert_eq!(bounds(None, Some(" ")), Ok((None, None)));
        assert_eq!(bounds(Some("2026-11-14"), None), Ok((Some(from), None)));
        assert_eq!(bounds(None, Some("2026-11-14")), Ok((None, Some(until))));
        assert_eq!(bounds(Some("2026-11-15"), Some("2026-11-14")), Err("end"));
    }

    // CASE-20
    #[test]
    fn a_duration_shows_as_specified() {
        use DurationState::*;
        for (duration, session, closed, expired, shown) in [
            (Some(11), true, true, true, Seconds),
            (Some(10), true, true, true, LessThanTen),
            (Some(0), true, false, false, LessThanTen),
            (None, true, true, true, Pending),
            (None, true, true, false, Pending),
            (None, true, false, false, NotExpired),
            (None, false, false, false, NotExpired),
            (None, false, true, false, NotExpired),
            (None, false, true, true, NoSession),
            (None, true, false, true, NoSession),
        ] {
            assert_eq!(DurationState::of(duration, session, closed, expired), shown, "{duration:?} {session} {closed} {expired}");
        }
    }
}
