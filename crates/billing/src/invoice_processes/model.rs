//! Which months there are, which of them are closed, and where a run stands. Pure.

use atalaya_kernel::{CompanyId, calendar};
use atalaya_tariff::{Cents, Month};
use chrono::{DateTime, Datelike, NaiveDate, Utc};
use uuid::Uuid;

/// The last day of the next month on which a month may be invoiced to businesses (RD 1619/2012 art. 13).
const LAST_DAY: u32 = 15;
/// Months that the screen shows and `update-invoice-processes` recalculates at most.
pub(crate) const MONTHS_MAX: usize = 24;

/// What a job does with a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobKind {
    Calculate,
    Issue,
    Send,
}

impl JobKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Calculate => "calculate",
            Self::Issue => "issue",
            Self::Send => "send",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        [Self::Calculate, Self::Issue, Self::Send].into_iter().find(|kind| kind.name() == name)
    }
}

/// A month's run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub id: Uuid,
    pub month: Month,
    /// The code for which the last job gave up.
    pub error: Option<String>,
    pub calculated_at: Option<DateTime<Utc>>,
    pub issued_at: Option<DateTime<Utc>>,
    pub late: bool,
    pub running: Option<Running>,
    /// Months to process after this one.
    pub rest: Vec<String>,
}

/// The job in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Running {
    pub kind: JobKind,
    pub done: i64,
    pub of: i64,
    /// The last customer or invoice that is done.
    pub after: Option<Uuid>,
    pub step: i32,
    pub started_at: Option<DateTime<Utc>>,
}

/// What a customer's month would come to, or why it cannot be invoiced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    pub customer: CompanyId,
    pub company: String,
    pub code: Option<&'static str>,
    pub fields: Vec<&'static str>,
    pub connections: i64,
    pub base: Cents,
    pub vat: Cents,
    pub total: Cents,
}

/// Why something cannot be invoiced; without a customer it is the issuer, or the run itself.
#[derive(Clone, Debug)]
pub(crate) struct ProcessFault {
    pub customer: Option<CompanyId>,
    pub company: String,
    pub code: String,
    pub fields: Vec<String>,
}

/// Where a month stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = InvoiceProcessState)]
pub enum ProcessState {
    Pending,
    Calculated,
    Issued,
    Sent,
    Remitted,
}

/// From its run and how many of its invoices are where.
pub fn state(run: Option<&Run>, issued: i64, sent: i64, remitted: i64) -> ProcessState {
    let Some(run) = run else { return ProcessState::Pending };
    match (run.issued_at, run.calculated_at) {
        (Some(_), _) if issued > 0 && remitted >= issued => ProcessState::Remitted,
        (Some(_), _) if issued > 0 && sent >= issued => ProcessState::Sent,
        (Some(_), _) => ProcessState::Issued,
        (None, Some(_)) => ProcessState::Calculated,
        (None, None) => ProcessState::Pending,
    }
}

/// The last closed month.
pub fn last_closed(now: DateTime<Utc>) -> Month {
    Month::of(now).previous()
}

/// The closed months since the first payment, the newest first, at most [`MONTHS_MAX`].
pub fn closed_since(first: Option<DateTime<Utc>>, now: DateTime<Utc>) -> Vec<Month> {
    let newest = last_closed(now);
    let oldest = first.map_or(newest, Month::of).min(newest);
    let mut months = vec![newest];
    while let Some(last) = months.last().copied().filter(|month| *month > oldest) {
        if months.len() >= MONTHS_MAX {
            break;
        }
        months.push(last.previous());
    }
    months
}

/// The last day on which the month's invoices are in time.
pub fn deadline(month: Month) -> NaiveDate {
    let next = month.following().first_day();
    next.with_day(LAST_DAY).unwrap_or(next)
}

/// Today is past that day.
pub fn is_late(month: Month, now: DateTime<Utc>) -> bool {
    calendar::day(now) > deadline(month)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn names(months: Vec<Month>) -> Vec<String> {
        months.into_iter().map(Month::name).collect()
    }

    // RUN-1
    #[test]
    fn a_month_closes_at_madrid_s_midnight() {
        assert_eq!(last_closed(at("2026-10-31T22:59:59Z")).name(), "2026-09");
        assert_eq!(last_closed(at("2026-10-31T23:00:00Z")).name(), "2026-10");
        assert_eq!(last_closed(at("2027-01-01T00:00:00Z")).name(), "2026-12");
    }

    // RUN-1
    #[test]
    fn months_go_back_to_the_first_payment() {
        let now = at("2026-11-20T09:00:00Z");
        assert_eq!(names(closed_since(Some(at("2026-08-20T00:00:00Z")), now)), ["2026-10", "2026-09", "2026-08"]);
        assert_eq!(names(closed_since(Some(at("2027-08-20T00:00:00Z")), now)), ["2026-10"]);
        assert_eq!(names(closed_since(None, now)), ["2026-10"]);
        assert_eq!(closed_since(Some(at("2001-08-20T00:00:00Z")), now).len(), MONTHS_MAX);
    }

    // RUN-3
    #[test]
    fn the_fifteenth_is_still_in_time() {
        let october = Month::new(2026, 10).unwrap();
        assert_eq!(deadline(october).to_string(), "2026-11-15");
        assert!(!is_late(october, at("2026-11-15T22:59:59Z")));
        assert!(is_late(october, at("2026-11-15T23:00:00Z")));
        assert_eq!(deadline(Month::new(2026, 12).unwrap()).to_string(), "2027-01-15");
    }

    // RUN-2
    #[test]
    fn a_process_stands_where_its_invoices_stand() {
        let run = |calculated: bool, issued: bool| Run {
            rest: Vec::new(),
            id: Uuid::nil(),
            month: Month::new(2026, 10).unwrap(),
            error: None,
            calculated_at: calculated.then(|| at("2026-11-02T09:00:00Z")),
            issued_at: issued.then(|| at("2026-11-02T09:00:00Z")),
            late: false,
            running: None,
        };
        assert_eq!(state(None, 0, 0, 0), ProcessState::Pending);
        assert_eq!(state(Some(&run(false, false)), 3, 0, 0), ProcessState::Pending);
        assert_eq!(state(Some(&run(true, false)), 0, 0, 0), ProcessState::Calculated);
        let issued = run(true, true);
        for (counts, expected) in [
            ((0, 0, 0), ProcessState::Issued),
            ((3, 0, 0), ProcessState::Issued),
            ((3, 2, 0), ProcessState::Issued),
            ((3, 3, 2), ProcessState::Sent),
            ((3, 3, 3), ProcessState::Remitted),
        ] {
            assert_eq!(state(Some(&issued), counts.0, counts.1, counts.2), expected, "{counts:?}");
        }
    }
}
