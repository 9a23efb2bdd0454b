//! Usable cases: those with at least one sharp picture, taken in the call or on a rung of the ladder; by week, by company, by how
//! far their client came, and the ways that media took (REPORT-9 to REPORT-11).

use super::funnel::FunnelQuery;
use super::model::{WEEKS, WEEKS_MAX, weeks};
use super::store;
use crate::Records;
use atalaya_cases::conferences::{ConferenceError, StageGroup};
use atalaya_cases::lists::model::Range;
use atalaya_kernel::CompanyId;
use chrono::NaiveDate;
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Companies of an answer at most: those with the most cases.
const COMPANIES_MAX: usize = 100;

/// Cases, and how many of them are usable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = UsableShare)]
pub(super) struct Share {
    pub cases: u64,
    pub usable: u64,
}

impl Share {
    fn add(&mut self, group: &StageGroup) {
        self.cases += group.cases();
        self.usable += group.usable();
    }
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct UsableWeek {
    /// Its Monday.
    pub week: NaiveDate,
    #[serde(flatten)]
    pub share: Share,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct UsableCompany {
    pub company_id: CompanyId,
    pub name: String,
    #[serde(flatten)]
    pub share: Share,
}

/// What became of cases, by how far their client came (REPORT-10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = UsableCauseName)]
pub(super) enum Cause {
    /// The client was in the call.
    Call,
    /// The client was not in the call, but pictures came.
    Ladder,
    /// The client was in the call, and no picture came.
    NoPicture,
    /// Pictures came, and none is sharp.
    Blurred,
    NotOpened,
    NotAccepted,
    /// The browser, the camera or the microphone.
    Permissions,
    /// The network let no media through.
    Network,
    /// Nothing is known to have failed.
    NotConnected,
}

/// The cause of a group of cases; `usable` tells both halves of it apart.
fn cause(stage: i16, problem: Option<&str>, pictures: bool, usable: bool) -> Cause {
    match (stage, problem) {
        _ if usable && stage >= 3 => Cause::Call,
        _ if usable => Cause::Ladder,
        _ if pictures => Cause::Blurred,
        (3.., _) => Cause::NoPicture,
        (0, _) => Cause::NotOpened,
        (_, Some("CONNECTION_FAILED")) => Cause::Network,
        (_, Some(_)) => Cause::Permissions,
        (1, None) => Cause::NotAccepted,
        (_, None) => Cause::NotConnected,
    }
}

#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct UsableCause {
    pub cause: Cause,
    pub cases: u64,
}

/// The clients' stays in calls, by the way that their media took (REPORT-11).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = MediaWays)]
pub(super) struct Routes {
    /// Stays whose way is known.
    pub stays: u64,
    /// Of these, through the relay.
    pub relayed: u64,
    /// Of these, over TCP or TLS, through the relay or not.
    pub tcp: u64,
}

impl Routes {
    fn of(routes: &[(String, i64)]) -> Self {
        let count = |is: fn(&str) -> bool| routes.iter().filter(|(way, _)| is(way)).map(|(_, n)| n.unsigned_abs()).sum();
        let over_tcp = |way: &str| way.ends_with("tcp") || way.ends_with("tls");
        Self { stays: count(|_| true), relayed: count(|way| way.starts_with("relay")), tcp: count(over_tcp) }
    }
}

/// What the ladder did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = UsableByLadder)]
pub(super) struct Ladder {
    /// Cases whose link went by another channel.
    pub other_channel: Share,
    /// Cases with an appointment that both sides agreed.
    pub appointment: Share,
}

#[derive(Serialize, ToSchema)]
pub(super) struct UsableBody {
    /// Oldest first; the last one is running.
    pub weeks: Vec<UsableWeek>,
    /// Most cases first, at most 100.
    pub companies: Vec<UsableCompany>,
    /// Most cases first; only those that there are.
    pub causes: Vec<UsableCause>,
    pub totals: Share,
    pub ladder: Ladder,
    pub routes: Routes,
}

/// The usable cases of a company, or of all.
pub(super) async fn of(deps: &Records, company: Option<CompanyId>, query: &FunnelQuery) -> Result<UsableBody, ConferenceError> {
    let count = query.weeks.unwrap_or(WEEKS).clamp(1, WEEKS_MAX);
    let db = deps.db.read();
    let all = weeks(count, deps.sources.now());
    let whole = Range {
        from: all.first().map_or_else(|| deps.sources.now(), |(_, range)| range.from),
        until: all.last().map_or_else(|| deps.sources.now(), |(_, range)| range.until),
    };
    let (mut per_week, mut totals) = (Vec::new(), Share::default());
    let (mut companies, mut causes) = (BTreeMap::<CompanyId, UsableCompany>::new(), BTreeMap::<Cause, u64>::new());
    for (week, range) in all {
        let mut share = Share::default();
        for group in store::groups(db, company, range).await? {
            share.add(&group);
            totals.add(&group);
            let id = CompanyId(group.company_id);
            let fresh = || UsableCompany { company_id: id, name: group.customer_name.clone(), share: Share::default() };
            companies.entry(id).or_insert_with(fresh).share.add(&group);
            for (pictures, usable, cases) in group.parts() {
                *causes.entry(cause(group.stage, group.problem.as_deref(), pictures, usable)).or_default() += cases;
            }
        }
        per_week.push(UsableWeek { week, share });
    }
    let mut companies: Vec<_> = companies.into_values().collect();
    companies.sort_by(|a, b| b.share.cases.cmp(&a.share.cases).then_with(|| a.name.cmp(&b.name)));
    companies.truncate(COMPANIES_MAX);
    let mut causes: Vec<_> =
        causes.into_iter().filter(|(_, cases)| *cases > 0).map(|(cause, cases)| UsableCause { cause, cases }).collect();
    causes.sort_by(|a, b| b.cases.cmp(&a.cases).then(a.cause.cmp(&b.cause)));
    let ladder = Ladder {
        other_channel: store::share_of(db, company, whole, atalaya_messaging::Outbox::conferences_by_another_channel()).await?,
        appointment: store::share_of(db, company, whole, atalaya_cases::appointments::agreed_conferences()).await?,
    };
    let routes = Routes::of(&store::routes(db, company, whole).await?);
    Ok(UsableBody { weeks: per_week, companies, causes, totals, ladder, routes })
}

#[cfg(test)]
mod tests {
    use super::*;

    // REPORT-10
    #[test]
    fn causes_are_the_first_that_applies() {
        for (stage, problem, pictures, usable, expected) in [
            (4, None, true, true, Cause::Call),
            (2, Some("CONNECTION_FAILED"), true, true, Cause::Ladder),
            (4, None, true, false, Cause::Blurred),
            (2, Some("CONNECTION_FAILED"), true, false, Cause::Blurred),
            (3, None, false, false, Cause::NoPicture),
            (0, None, false, false, Cause::NotOpened),
            (1, None, false, false, Cause::NotAccepted),
            (1, Some("IN_APP_BROWSER"), false, false, Cause::Permissions),
            (2, Some("CAMERA_DENIED"), false, false, Cause::Permissions),
            (2, Some("CONNECTION_FAILED"), false, false, Cause::Network),
            (2, None, false, false, Cause::NotConnected),
        ] {
            assert_eq!(cause(stage, problem, pictures, usable), expected, "{stage} {problem:?} {pictures} {usable}");
        }
    }

    // REPORT-11
    #[test]
    fn ways_are_relayed_or_over_tcp_or_both() {
        let ways = [("udp", 5), ("tcp", 1), ("relay-udp", 2), ("relay-tcp", 3), ("relay-tls", 4)];
        let ways: Vec<_> = ways.into_iter().map(|(way, n)| (way.to_owned(), n)).collect();
        assert_eq!(Routes::of(&ways), Routes { stays: 15, relayed: 9, tcp: 8 });
        assert_eq!(Routes::of(&[]), Routes::default());
    }
}
