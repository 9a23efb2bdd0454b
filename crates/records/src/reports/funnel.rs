//! The weekly funnel: invited → opened → accepted → connected → usable media.

use super::model::{WEEKS, WEEKS_MAX, weeks};
use super::store;
use crate::Records;
use atalaya_cases::conferences::ConferenceError;
use atalaya_kernel::CompanyId;
use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// How far back.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub(super) struct FunnelQuery {
    /// Weeks up to the running one: 1 to 104, 12 when nobody says.
    pub weeks: Option<u32>,
}

/// How many conferences came at least so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub(super) struct Counts {
    pub invited: u64,
    pub opened: u64,
    pub accepted: u64,
    pub connected: u64,
    /// Connected, and at least a picture or video came of it.
    pub usable: u64,
}

impl Counts {
    /// From the number of conferences at each stage; each has passed all earlier ones (REPORT-7).
    fn of(stages: &[(i16, i64)]) -> Self {
        let from = |least: i16| stages.iter().filter(|(stage, _)| *stage >= least).map(|(_, n)| n.unsigned_abs()).sum();
        Self { invited: from(0), opened: from(1), accepted: from(2), connected: from(3), usable: from(4) }
    }

    fn add(&mut self, other: Self) {
        self.invited += other.invited;
        self.opened += other.opened;
        self.accepted += other.accepted;
        self.connected += other.connected;
        self.usable += other.usable;
    }
}

/// A week in Madrid, by the day its conferences were opened.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct FunnelWeek {
    /// Its Monday.
    pub week: NaiveDate,
    #[serde(flatten)]
    pub counts: Counts,
}

#[derive(Serialize, ToSchema)]
pub(super) struct FunnelBody {
    /// Oldest first; the last one is running.
    pub weeks: Vec<FunnelWeek>,
    pub totals: Counts,
}

/// The funnel of a company, or of all.
pub(super) async fn of(deps: &Records, company: Option<CompanyId>, query: &FunnelQuery) -> Result<FunnelBody, ConferenceError> {
    let count = query.weeks.unwrap_or(WEEKS).clamp(1, WEEKS_MAX);
    let (mut all, mut totals) = (Vec::new(), Counts::default());
    for (week, range) in weeks(count, deps.sources.now()) {
        let counts = Counts::of(&store::stages(deps.db.read(), company, range).await?);
        totals.add(counts);
        all.push(FunnelWeek { week, counts });
    }
    Ok(FunnelBody { weeks: all, totals })
}

#[cfg(test)]
mod tests {
    use super::*;

    // REPORT-7
    #[test]
    fn a_stage_contains_those_before() {
        let counts = Counts::of(&[(0, 5), (2, 3), (4, 1)]);
        assert_eq!(counts, Counts { invited: 9, opened: 4, accepted: 4, connected: 1, usable: 1 });
    }
}
