//! Trying the relay without a call (TURN-11): whoever checks a phone gets credentials of a minute, whose subject says when it ends.

use atalaya_kernel::Sources;
use std::collections::HashSet;

/// No participant is called so.
const PREFIX: &str = "check-";
/// Seconds that a check may take.
pub(crate) const CHECK_S: i64 = 60;
/// Checks under way at once. Each may hold what a participant may, and together they leave most of the relay to calls.
const AT_ONCE: usize = 64;

/// A subject of credentials for a check that begins now.
pub(crate) fn subject(sources: &Sources) -> String {
    format!("{PREFIX}{}-{}", sources.now().timestamp() + CHECK_S, sources.hex::<8>())
}

/// When a subject's check ends, Unix seconds; `None` for participants.
fn end_of(subject: &str) -> Option<i64> {
    subject.strip_prefix(PREFIX)?.split('-').next()?.parse().ok()
}

/// The checks that hold something of the relay, as of the last second.
#[derive(Default)]
pub(super) struct Checks {
    running: HashSet<String>,
}

impl Checks {
    /// Whether this is a check that may use the relay now. That it is one of ours is proved by its credentials, afterwards.
    pub fn admits(&self, subject: &str, unix_s: i64) -> bool {
        let in_time = end_of(subject).is_some_and(|end| (unix_s..=unix_s + CHECK_S).contains(&end));
        in_time && (self.running.contains(subject) || self.running.len() < AT_ONCE)
    }

    /// Looks at who holds something; answers the checks that are over, to be ended.
    pub fn look<'a>(&mut self, holders: impl Iterator<Item = &'a str>, unix_s: i64) -> Vec<String> {
        let checks: HashSet<String> = holders.filter(|subject| end_of(subject).is_some()).map(str::to_owned).collect();
        let is_over = |subject: &String| end_of(subject).is_some_and(|end| end < unix_s);
        let (over, running): (Vec<String>, Vec<String>) = checks.into_iter().partition(is_over);
        self.running = running.into_iter().collect();
        over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // TURN-11
    #[test]
    fn a_check_has_its_minute_and_no_more() {
        let mut checks = Checks::default();
        let subject = "check-1060-0011223344556677";
        assert!(checks.admits(subject, 1000) && checks.admits(subject, 1060));
        assert!(!checks.admits(subject, 1061), "it is over");
        assert!(!checks.admits(subject, 999), "none is longer than a minute");
        for other in ["PA_x", "check-", "check-soon-00"] {
            assert!(!checks.admits(other, 1000), "{other}");
        }
        let holders = || ["PA_x", subject, subject].into_iter();
        assert!(checks.look(holders(), 1060).is_empty());
        assert_eq!(checks.look(holders(), 1061), [subject]);
    }

    // TURN-11
    #[test]
    fn few_run_at_once() {
        let mut checks = Checks::default();
        let names: Vec<String> = (0..AT_ONCE).map(|nth| format!("check-1030-{nth}")).collect();
        checks.look(names.iter().map(String::as_str), 1000);
        assert!(!checks.admits("check-1030-one-more", 1000));
        assert!(checks.admits(&names[0], 1000), "whoever has begun goes on");
        checks.look(std::iter::empty(), 1001);
        assert!(checks.admits("check-1030-one-more", 1001));
    }
}
