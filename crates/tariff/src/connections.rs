//! Sessions of a conference become connections (TARIFF-2).

use chrono::{DateTime, TimeDelta, Utc};
use std::collections::BTreeMap;

/// Sessions of one conference that follow within this time are one connection.
const RECONNECT_GAP: TimeDelta = TimeDelta::seconds(600);
/// A connection is billable above so many seconds (TARIFF-3).
const SHORT_SECONDS: i64 = 10;
/// How long after a period its connections are awaited: nobody's end may be lost for ever, and keep an invoice back with it.
const AWAITED: TimeDelta = TimeDelta::days(1);

/// One stretch in which the operator and the end client were connected together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Session {
    pub conference: String,
    pub expedient: String,
    pub start: DateTime<Utc>,
    pub seconds: i64,
    /// Seconds of each participant beyond the two.
    pub guests: Vec<i64>,
}

/// Joined sessions: what is billed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connection {
    pub conference: String,
    /// The case: without white space, upper-case.
    pub case: String,
    pub start: DateTime<Utc>,
    pub seconds: i64,
    /// Started minutes of guests.
    pub guest_minutes: i64,
}

impl Connection {
    /// Started minutes.
    pub fn minutes(&self) -> i64 {
        started_minutes(self.seconds)
    }
}

/// The billable connections, in order of start (then conference, so that the order given never matters).
pub fn connections(sessions: &[Session]) -> Vec<Connection> {
    let mut found: Vec<Connection> = spans(sessions).map(|(connection, _)| connection).collect();
    found.retain(|connection| connection.seconds > SHORT_SECONDS);
    found.sort_by(|a, b| (a.start, &a.conference).cmp(&(b.start, &b.conference)));
    found
}

/// Whether a connection that began from `from` on and before `to` may still become longer at `now`: it goes on, or whoever was cut
/// off may still come back into it.
pub fn may_grow(sessions: &[Session], from: DateTime<Utc>, to: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    let grows = |(connection, end): (Connection, DateTime<Utc>)| {
        from <= connection.start && connection.start < to && now <= end + RECONNECT_GAP
    };
    now < to + AWAITED && spans(sessions).any(grows)
}

/// Each connection of each conference, with its end.
fn spans(sessions: &[Session]) -> impl Iterator<Item = (Connection, DateTime<Utc>)> {
    let mut by_conference: BTreeMap<&str, Vec<&Session>> = BTreeMap::new();
    for session in sessions {
        by_conference.entry(&session.conference).or_default().push(session);
    }
    by_conference.into_values().flat_map(joined)
}

fn joined(mut sessions: Vec<&Session>) -> Vec<(Connection, DateTime<Utc>)> {
    sessions.sort_by_key(|session| (session.start, session.seconds));
    let mut found: Vec<(Connection, DateTime<Utc>)> = Vec::new();
    for session in sessions {
        let end = session.start + TimeDelta::seconds(session.seconds.max(0));
        let guests: i64 = session.guests.iter().map(|seconds| started_minutes(*seconds)).sum();
        match found.last_mut() {
            Some((last, until)) if session.start - *until <= RECONNECT_GAP => {
                last.seconds += session.seconds.max(0);
                last.guest_minutes += guests;
                *until = end.max(*until);
            }
            _ => {
                let connection = Connection {
                    conference: session.conference.clone(),
                    case: case(&session.expedient),
                    start: session.start,
                    seconds: session.seconds.max(0),
                    guest_minutes: guests,
                };
                found.push((connection, end));
            }
        }
    }
    found
}

/// The same case however its number was typed.
fn case(expedient: &str) -> String {
    expedient.chars().filter(|letter| !letter.is_whitespace()).flat_map(char::to_uppercase).collect()
}

fn started_minutes(seconds: i64) -> i64 {
    seconds.max(0).div_euclid(60) + i64::from(seconds.max(0) % 60 > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(conference: &str, at: i64, seconds: i64) -> Session {
        let start = DateTime::UNIX_EPOCH + TimeDelta::seconds(at);
        Session { conference: conference.into(), expedient: " exp 1\t".into(), start, seconds, guests: vec![] }
    }

    fn found(sessions: &[Session]) -> Vec<(i64, i64)> {
        connections(sessions).iter().map(|one| ((one.start - DateTime::UNIX_EPOCH).num_seconds(), one.seconds)).collect()
    }

    // TARIFF-2
    #[test]
    fn a_short_gap_is_the_same_connection() {
        assert_eq!(found(&[session("c", 0, 60), session("c", 659, 5)]), [(0, 65)]);
        assert_eq!(found(&[session("c", 0, 60), session("c", 660, 50)]), [(0, 110)], "600 s still joins");
        assert_eq!(found(&[session("c", 661, 50), session("c", 0, 60)]), [(0, 60), (661, 50)]);
        assert_eq!(found(&[session("c", 0, 60), session("d", 70, 60)]), [(0, 60), (70, 60)], "another conference");
    }

    // TARIFF-15
    #[test]
    fn a_call_over_the_end_of_the_month_is_awaited() {
        let at = |second: i64| DateTime::UNIX_EPOCH + TimeDelta::seconds(second);
        let grows = |sessions: &[Session], now| may_grow(sessions, at(0), at(1000), at(now));
        assert!(grows(&[session("c", 900, 300)], 1200), "it goes on");
        assert!(grows(&[session("c", 900, 300)], 1800), "whoever comes back within ten minutes is in it");
        assert!(!grows(&[session("c", 900, 300)], 1801));
        assert!(!grows(&[session("c", 1000, 300)], 1100), "of the next month");
        assert!(!grows(&[session("c", -5, 300)], 200), "of the one before");
        assert!(grows(&[session("c", 900, 60), session("c", 1400, 60)], 2000), "joined over the end");
        let endless = [session("c", 900, 1_000_000)];
        assert!(grows(&endless, 1000 + 86_399) && !grows(&endless, 1000 + 86_400), "not for ever");
    }

    // TARIFF-3
    #[test]
    fn ten_seconds_are_not_billed_however_they_come() {
        assert_eq!(found(&[session("c", 0, 10)]), []);
        assert_eq!(found(&[session("c", 0, 11)]), [(0, 11)]);
        assert_eq!(found(&[session("c", 0, 6), session("c", 30, 5)]), [(0, 11)]);
    }

    // TARIFF-4, TARIFF-5
    #[test]
    fn minutes_are_started_ones_and_cases_are_normalised() {
        assert_eq!([0, 1, 59, 60, 61, 600, 601].map(started_minutes), [0, 1, 1, 1, 2, 10, 11]);
        assert_eq!(connections(&[session("c", 0, 60)])[0].case, "EXP1");
    }
}
