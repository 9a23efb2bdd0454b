//! What a page may tell about its connection. Pure.

use atalaya_kernel::paths::{Failure, Way};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// The connection of a page, told when it changes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = ConnectionReport)]
pub struct PathReport {
    /// Null while nothing passes.
    pub way: Option<Way>,
    #[serde(default)]
    pub failed: Vec<Failure>,
    /// Milliseconds.
    #[serde(default)]
    pub rtt_ms: Option<u32>,
    #[serde(default)]
    pub kbps: Option<u32>,
    #[serde(default)]
    pub loss_percent: Option<u32>,
    /// Seconds since it was so: without a network nothing can be told at once.
    #[serde(default)]
    pub age_s: u32,
}

/// The longest list; each failure may be named once.
const FAILURES: usize = 8;
const RTT_MAX_MS: u32 = 600_000;
const KBPS_MAX: u32 = 10_000_000;
/// A page that was without a network for longer tells nothing of that time.
const AGE_MAX_S: u32 = 3600;

impl PathReport {
    /// The same with each failure once, in order. Errors: the field that is wrong.
    pub fn checked(mut self) -> Result<Self, &'static str> {
        let over = |value: Option<u32>, max: u32| value.is_some_and(|value| value > max);
        match () {
            () if self.failed.len() > FAILURES => return Err("failed"),
            () if over(self.rtt_ms, RTT_MAX_MS) => return Err("rttMs"),
            () if over(self.kbps, KBPS_MAX) => return Err("kbps"),
            () if over(self.loss_percent, 100) => return Err("lossPercent"),
            () if self.age_s > AGE_MAX_S => return Err("ageS"),
            () => {}
        }
        self.failed.sort_unstable();
        self.failed.dedup();
        Ok(self)
    }

    /// When it was so.
    pub fn at(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        now - TimeDelta::seconds(i64::from(self.age_s))
    }
}

/// A kept report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ConnectionEntry)]
pub struct PathEntry {
    /// `staff` or `client`.
    pub kind: String,
    /// Which participant of that side, by the order in which they first told something; from 1.
    pub nth: u32,
    pub way: Option<Way>,
    pub failed: Vec<Failure>,
    pub rtt_ms: Option<i32>,
    pub kbps: Option<i32>,
    pub loss_percent: Option<i32>,
    pub at: DateTime<Utc>,
}

/// The wire word of a way or a failure.
pub(super) fn word(value: impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}

/// The value of such a word; none for one that an older version wrote.
pub(super) fn value<T: for<'a> Deserialize<'a>>(word: &str) -> Option<T> {
    serde_json::from_value(Value::String(word.to_owned())).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> PathReport {
        PathReport { way: Some(Way::RelayTls), failed: Vec::new(), rtt_ms: None, kbps: None, loss_percent: None, age_s: 0 }
    }

    // CALL-62
    #[test]
    fn numbers_have_bounds_and_each_failure_is_named_once() {
        let failed = vec![Failure::Udp, Failure::Camera, Failure::Udp];
        let checked = PathReport { failed, ..report() }.checked().expect("good");
        assert_eq!(checked.failed, [Failure::Camera, Failure::Udp]);
        for (wrong, field) in [
            (PathReport { failed: vec![Failure::Udp; 9], ..report() }, "failed"),
            (PathReport { rtt_ms: Some(600_001), ..report() }, "rttMs"),
            (PathReport { kbps: Some(10_000_001), ..report() }, "kbps"),
            (PathReport { loss_percent: Some(101), ..report() }, "lossPercent"),
            (PathReport { age_s: 3601, ..report() }, "ageS"),
        ] {
            assert_eq!(wrong.checked(), Err(field));
        }
    }

    // CALL-62
    #[test]
    fn words_are_those_of_the_engine_and_are_read_again() {
        for (way, text) in [(Way::Udp, "udp"), (Way::Tcp, "tcp"), (Way::RelayTls, "relay-tls")] {
            assert_eq!(word(way), text);
            assert_eq!(value::<Way>(text), Some(way));
        }
        assert_eq!(value::<Failure>("smoke signals"), None);
    }
}
