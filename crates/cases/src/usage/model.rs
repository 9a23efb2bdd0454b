//! Stays become sessions. Pure.

use chrono::{DateTime, TimeDelta, Utc};
use std::collections::BTreeMap;

/// One stay of one participant in the media room.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stay {
    pub staff: bool,
    pub identity: String,
    pub from: DateTime<Utc>,
    /// Without an end while they are still there.
    pub to: Option<DateTime<Utc>>,
}

/// One stretch in which somebody of ours and the client were connected together (CALL-11).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Together {
    pub start: DateTime<Utc>,
    pub seconds: i64,
    /// Seconds of each participant beyond those two.
    pub guests: Vec<i64>,
}

/// The sessions of a conference up to `until`.
///
/// On each side one seat is free of charge: on ours the operator's while they are there, otherwise that of whoever of those
/// present came first. Everybody else is a guest for as long as a session lasts (CALL-12).
pub fn sessions(stays: &[Stay], operator: &str, until: DateTime<Utc>) -> Vec<Together> {
    let clipped = |stay: &Stay| (stay.from, stay.to.unwrap_or(until).min(until));
    let mut edges: Vec<DateTime<Utc>> = stays.iter().map(clipped).flat_map(|(from, to)| [from, to]).collect();
    edges.sort_unstable();
    edges.dedup();
    let mut found = Vec::new();
    let mut current: Option<Running<'_>> = None;
    for pair in edges.windows(2) {
        let present = stays.iter().filter(|stay| {
            let (from, to) = clipped(stay);
            from <= pair[0] && to >= pair[1]
        });
        let (staff, clients): (Vec<&Stay>, Vec<&Stay>) = present.partition(|stay| stay.staff);
        if staff.is_empty() || clients.is_empty() {
            found.extend(current.take().map(Running::close));
            continue;
        }
        let running =
            current.get_or_insert_with(|| Running { start: pair[0], length: TimeDelta::zero(), guests: BTreeMap::new() });
        let length = pair[1] - pair[0];
        running.length += length;
        for guest in beyond(&staff, Some(operator)).into_iter().chain(beyond(&clients, None)) {
            *running.guests.entry(guest).or_default() += length;
        }
    }
    found.extend(current.map(Running::close));
    found
}

struct Running<'a> {
    start: DateTime<Utc>,
    length: TimeDelta,
    guests: BTreeMap<&'a str, TimeDelta>,
}

impl Running<'_> {
    fn close(self) -> Together {
        Together {
            start: self.start,
            seconds: self.length.num_seconds(),
            guests: self.guests.into_values().map(|length| length.num_seconds()).collect(),
        }
    }
}

/// Who of one side is there besides the one whose seat is free. Somebody present twice counts once (CALL-13).
fn beyond<'a>(present: &[&'a Stay], seat: Option<&str>) -> Vec<&'a str> {
    let mut identities: Vec<(DateTime<Utc>, &str)> = present.iter().map(|stay| (stay.from, stay.identity.as_str())).collect();
    identities.sort_unstable();
    let mut seen: Vec<&str> = Vec::with_capacity(identities.len());
    for (_, identity) in identities {
        if !seen.contains(&identity) {
            seen.push(identity);
        }
    }
    let free = seen.iter().position(|identity| Some(*identity) == seat).unwrap_or(0);
    seen.remove(free);
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000 + second, 0).unwrap()
    }

    fn stay(identity: &str, from: i64, to: i64) -> Stay {
        let to = (to >= 0).then(|| at(to));
        Stay { staff: identity.starts_with("user:"), identity: identity.into(), from: at(from), to }
    }

    fn found(stays: &[Stay]) -> Vec<(i64, i64, Vec<i64>)> {
        let found = sessions(stays, "user:o", at(1000));
        found.into_iter().map(|one| ((one.start - at(0)).num_seconds(), one.seconds, one.guests)).collect()
    }

    // CALL-11
    #[test]
    fn a_session_is_the_overlap_of_both_sides() {
        assert_eq!(found(&[stay("user:o", 0, 100), stay("client:a", 40, 160)]), [(40, 60, vec![])]);
        assert_eq!(found(&[stay("user:o", 0, 100), stay("client:a", 100, 160)]), []);
        assert_eq!(found(&[stay("user:o", 0, 100)]), []);
        assert_eq!(found(&[stay("user:o", 0, -1), stay("client:a", 990, -1)]), [(990, 10, vec![])], "open: up to now");
        let broken = [stay("user:o", 0, 300), stay("client:a", 10, 20), stay("client:a", 50, 100)];
        assert_eq!(found(&broken), [(10, 10, vec![]), (50, 50, vec![])]);
        let handed_over = [stay("user:o", 0, 50), stay("client:a", 0, 100), stay("user:p", 50, 100)];
        assert_eq!(found(&handed_over), [(0, 100, vec![])], "a colleague takes over: still one session, and no guest");
        assert_eq!(found(&[stay("user:o", 0, 2000), stay("client:a", 1200, 1300)]), [], "after the end of what is asked for");
    }

    // CALL-12, CALL-13
    #[test]
    fn guests_are_those_beyond_the_two() {
        let colleague = [stay("user:p", 0, 100), stay("user:o", 10, 60), stay("client:a", 0, 100)];
        assert_eq!(found(&colleague), [(0, 100, vec![50])], "the operator's seat is free, the colleague pays beside him");
        let second_client = [stay("user:o", 0, 100), stay("client:a", 0, 100), stay("client:b", 20, 140)];
        assert_eq!(found(&second_client), [(0, 100, vec![80])], "only while the session lasts");
        let reloaded = [stay("user:o", 0, 100), stay("client:a", 0, 60), stay("client:a", 50, 100)];
        assert_eq!(found(&reloaded), [(0, 100, vec![])], "the same person twice is one");
        let two = [stay("user:o", 0, 100), stay("client:a", 0, 100), stay("client:b", 0, 70), stay("user:p", 30, 60)];
        assert_eq!(found(&two), [(0, 100, vec![70, 30])]);
        let back = [stay("user:o", 0, 100), stay("client:a", 0, 100), stay("user:p", 0, 30), stay("user:p", 50, 60)];
        assert_eq!(found(&back), [(0, 100, vec![40])], "a guest who comes back is one guest");
    }
}
