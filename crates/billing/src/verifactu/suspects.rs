//! Which records the next call carries, so that one that the tax office chokes on holds no other up. Pure.
//!
//! A record that makes the tax office refuse a whole call is not named by it. So after such a call its records are suspects: they go
//! in small groups, and those of a refused group alone. Each other record is in two refused calls at most, however many
//! there are; records that were in none never travel with suspects.

use super::store::Waiting;

/// Refused calls in a row after which it is the service that fails, and no record.
const OUTAGE: i32 = 2;

/// What comes of a refused call for the records that it carried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Blame {
    /// They are suspects now, of this degree.
    Suspects(i32),
    /// It is this one: the call before it was answered, and it went alone.
    Culprit,
    /// Nobody knows: the calls before it failed too.
    Nobody,
}

/// What a refused call says of its records; `failures` calls before it came to nothing.
pub(super) fn blame(sent: &[Waiting], failures: i32) -> Blame {
    let degree = sent.iter().map(|record| record.faults).max().unwrap_or_default();
    match sent {
        [one] if one.faults > 0 && failures == 0 => Blame::Culprit,
        _ if degree == 0 => Blame::Suspects(1),
        _ if failures < OUTAGE => Blame::Suspects(2),
        _ => Blame::Nobody,
    }
}

/// The suspects of the next call. Groups go before the singles, so that a call that is answered comes before the one that
/// shows whose fault it is; and what was tried longest ago goes first.
pub(super) fn next(mut suspects: Vec<Waiting>) -> Vec<Waiting> {
    let in_groups = suspects.iter().filter(|one| one.faults < 2).count();
    if in_groups == 0 {
        let oldest = suspects.iter().enumerate().min_by_key(|(_, one)| one.sent_at).map(|(index, _)| index);
        return oldest.map(|index| suspects.swap_remove(index)).into_iter().collect();
    }
    suspects.retain(|one| one.faults < 2);
    let oldest = suspects.iter().map(|one| one.sent_at).min().flatten();
    suspects.retain(|one| one.sent_at == oldest);
    let size = in_groups.isqrt().max(1);
    suspects.truncate(size);
    suspects
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::{DateTime, TimeDelta};
    use std::collections::HashMap;
    use uuid::Uuid;

    fn waiting(seq: u128) -> Waiting {
        let start = DateTime::from_timestamp(1_795_000_000, 0).expect("a time");
        let (number, xml) = (format!("A2026-{seq:06}"), String::new());
        Waiting { id: Uuid::from_u128(seq), number, annulment: false, xml, at: start, faults: 0, sent_at: None }
    }

    /// Sends until nothing waits. Answers how many refused calls each record was in, and those found guilty.
    fn play(count: u128, poisoned: &[u128]) -> (HashMap<u128, usize>, Vec<u128>, usize) {
        let mut queue: Vec<Waiting> = (1..=count).map(waiting).collect();
        let (mut refused, mut guilty) = (HashMap::new(), Vec::new());
        let (mut failures, mut calls) = (0, 0);
        while !queue.is_empty() {
            calls += 1;
            assert!(calls < 2000, "it comes to an end");
            let now = waiting(0).at + TimeDelta::seconds(calls);
            let fresh: Vec<Uuid> = queue.iter().filter(|one| one.faults == 0).map(|one| one.id).collect();
            let ids = if fresh.is_empty() {
                let suspects = std::mem::take(&mut queue);
                let copy = |one: &Waiting| Waiting { number: one.number.clone(), xml: String::new(), ..*one };
                let chosen = next(suspects.iter().map(copy).collect());
                queue = suspects;
                chosen.iter().map(|one| one.id).collect()
            } else {
                fresh
            };
            let carried = |one: &&mut Waiting| ids.contains(&one.id);
            queue.iter_mut().filter(carried).for_each(|one| one.sent_at = Some(now));
            if ids.iter().any(|id| poisoned.contains(&id.as_u128())) {
                let sent: Vec<Waiting> = queue.extract_if(.., |one| ids.contains(&one.id)).collect();
                ids.iter().for_each(|id| *refused.entry(id.as_u128()).or_default() += 1);
                let blame = blame(&sent, failures);
                failures += 1;
                for mut one in sent {
                    match blame {
                        Blame::Culprit => guilty.push(one.id.as_u128()),
                        Blame::Suspects(degree) => {
                            one.faults = degree;
                            queue.push(one);
                        }
                        Blame::Nobody => queue.push(one),
                    }
                }
                queue.sort_by_key(|one| one.id);
            } else {
                queue.retain(|one| !ids.contains(&one.id));
                failures = 0;
            }
        }
        (refused, guilty, usize::try_from(calls).unwrap_or_default())
    }

    // FACTU-4
    #[test]
    fn one_poisoned_record_costs_every_other_two_calls_at_most() {
        for count in [2, 3, 4, 5, 10, 100, 1000] {
            for poisoned in [1, 2, count / 2 + 1, count] {
                let (refused, guilty, calls) = play(count, &[poisoned]);
                assert_eq!(guilty, [poisoned], "{poisoned} of {count}");
                let most = refused.iter().filter(|(seq, _)| **seq != poisoned).map(|(_, times)| *times).max();
                assert!(most <= Some(2), "{poisoned} of {count}: {most:?}");
                assert!(calls <= 100, "{poisoned} of {count}: {calls}");
            }
        }
    }

    // FACTU-4
    #[test]
    fn several_are_found_too() {
        for poisoned in [vec![1, 2], vec![1, 1000], vec![400, 500, 600], vec![33, 34, 65]] {
            let (_, mut guilty, _) = play(1000, &poisoned);
            guilty.sort_unstable();
            assert_eq!(guilty, poisoned);
        }
    }

    // FACTU-4
    #[test]
    fn nobody_is_to_blame_for_an_outage() {
        let one = |faults| Waiting { faults, ..waiting(1) };
        assert_eq!(blame(&[one(0)], 0), Blame::Suspects(1));
        assert_eq!(blame(&[one(1)], 1), Blame::Suspects(2), "the call before it failed too");
        assert_eq!(blame(&[one(2)], 5), Blame::Nobody);
        assert_eq!(blame(&[one(2)], 0), Blame::Culprit);
        assert_eq!(blame(&[one(1), one(1)], 0), Blame::Suspects(2));
    }
}
