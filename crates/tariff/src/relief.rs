//! What art. 80 LIVA asks before the taxable base of an unpaid invoice is lowered: insolvency of the debtor (80.Three), or a
//! bad debt (80.Four). Pure.

use crate::Cents;
use chrono::{Months, NaiveDate};
use serde::{Deserialize, Serialize};

/// Characters of what a claim or an order is found by.
const REFERENCE_MAX: usize = 200;
/// Of a recipient that is no business the base has to be above it, without VAT.
const PRIVATE_BASE: Cents = Cents(5_000);
/// Months after the operation in which the money has not come.
const WAIT: u32 = 12;
/// Those of a taxpayer whose turnover was not above 6,010,121.04 € in the year before, if it prefers them.
const SHORT_WAIT: u32 = 6;
/// Months from then in which the base may be lowered.
const WINDOW: u32 = 6;
/// Months after the publication of an insolvency: one to register claims, and two more.
const INSOLVENCY: u32 = 3;
/// Months after the rectifying invoice in which the tax office is told (RD 1624/1992 art. 24).
const NOTIFY: u32 = 1;

/// Why the base is lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// R2.
    Insolvency,
    /// R3.
    BadDebt,
}

impl Ground {
    /// Of a type of the tax office's list; `None`: it changes what is owed too.
    pub fn of(invoice_type: &str) -> Option<Self> {
        match invoice_type {
            "R2" => Some(Self::Insolvency),
            "R3" => Some(Self::BadDebt),
            _ => None,
        }
    }
}

/// How the money was claimed of the debtor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = ReliefClaim)]
pub enum Claim {
    Judicial,
    Notarial,
    /// Any other that proves the claim, such as a burofax.
    Provable,
    /// A public body certifies that it owes.
    PublicBody,
}

/// The conditions of art. 80, as they were stated when the base was lowered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[schema(as = TaxRelief)]
pub struct Relief {
    /// Day of the order that declares the insolvency.
    pub order_date: Option<NaiveDate>,
    /// Day on which the order stood in the official gazette.
    pub published_on: Option<NaiveDate>,
    /// Of a bad debt: day of the claim.
    pub claimed_on: Option<NaiveDate>,
    pub claim: Option<Claim>,
    /// Court and number of the proceedings, or what the claim is found by.
    pub reference: Option<String>,
    /// Turnover of the year before at most 6,010,121.04 €: six months are enough.
    pub small_company: bool,
    /// The recipient acts as a business.
    pub business_recipient: bool,
    /// No guarantee, no insurance, no related party, and a recipient in the territory (art. 80.Five).
    pub not_excluded: bool,
    /// Set by the server: until when the base could be lowered.
    pub deadline: Option<NaiveDate>,
    /// Set by the server: until when the tax office is told.
    pub notify_by: Option<NaiveDate>,
}

/// What is known of the invoice.
#[derive(Clone, Copy, Debug)]
pub struct Unpaid {
    /// Day of the operation.
    pub operation: NaiveDate,
    pub base: Cents,
    pub today: NaiveDate,
}

/// A condition that is not met, at its field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReliefFault {
    pub field: &'static str,
    pub code: &'static str,
    /// The day that decides: the first allowed one of `TOO_EARLY`, the last one of `DEADLINE_PASSED`.
    pub day: Option<NaiveDate>,
}

impl ReliefFault {
    fn at(field: &'static str, code: &'static str) -> Self {
        Self { field, code, day: None }
    }
}

fn after(day: NaiveDate, months: u32) -> NaiveDate {
    day.checked_add_months(Months::new(months)).unwrap_or(NaiveDate::MAX)
}

impl Relief {
    /// The conditions with their days set.
    ///
    /// Errors: every one that is not met. Codes: `REQUIRED`, `TOO_LONG`, `DATE_IN_FUTURE`, `DATE_BEFORE_OPERATION`,
    /// `DATE_BEFORE_ORDER`, `TOO_EARLY`, `DEADLINE_PASSED`.
    pub fn checked(&self, ground: Ground, of: Unpaid) -> Result<Self, Vec<ReliefFault>> {
        let mut faults = Vec::new();
        let reference = self.reference.as_deref().map(str::trim).filter(|text| !text.is_empty());
        match reference {
            None => faults.push(ReliefFault::at("relief.reference", "REQUIRED")),
            Some(text) if text.chars().count() > REFERENCE_MAX => faults.push(ReliefFault::at("relief.reference", "TOO_LONG")),
            Some(_) => {}
        }
        if !self.not_excluded {
            faults.push(ReliefFault::at("relief.notExcluded", "REQUIRED"));
        }
        let deadline = match ground {
            Ground::Insolvency => self.insolvency(of, &mut faults),
            Ground::BadDebt => self.bad_debt(of, &mut faults),
        };
        if !faults.is_empty() {
            return Err(faults);
        }
        let reference = reference.map(str::to_owned);
        let kept = Self { reference, deadline, notify_by: Some(after(of.today, NOTIFY)), ..Self::default() };
        let (not_excluded, business_recipient) = (true, self.business_recipient);
        Ok(match ground {
            Ground::Insolvency => Self { order_date: self.order_date, published_on: self.published_on, not_excluded, ..kept },
            Ground::BadDebt => {
                let (claimed_on, claim, small_company) = (self.claimed_on, self.claim, self.small_company);
                Self { claimed_on, claim, small_company, business_recipient, not_excluded, ..kept }
            }
        })
    }

    fn insolvency(&self, of: Unpaid, faults: &mut Vec<ReliefFault>) -> Option<NaiveDate> {
        let order = day(self.order_date, "relief.orderDate", of, faults);
        let published = day(self.published_on, "relief.publishedOn", of, faults);
        if order.zip(published).is_some_and(|(order, published)| published < order) {
            faults.push(ReliefFault::at("relief.publishedOn", "DATE_BEFORE_ORDER"));
        }
        let last = after(published?, INSOLVENCY);
        if of.today > last {
            faults.push(ReliefFault { day: Some(last), ..ReliefFault::at("relief.publishedOn", "DEADLINE_PASSED") });
        }
        Some(last)
    }

    fn bad_debt(&self, of: Unpaid, faults: &mut Vec<ReliefFault>) -> Option<NaiveDate> {
        day(self.claimed_on, "relief.claimedOn", of, faults);
        if self.claim.is_none() {
            faults.push(ReliefFault::at("relief.claim", "REQUIRED"));
        }
        if !self.business_recipient && of.base <= PRIVATE_BASE {
            faults.push(ReliefFault::at("relief.businessRecipient", "REQUIRED"));
        }
        let first = after(of.operation, if self.small_company { SHORT_WAIT } else { WAIT });
        // Who may choose the short wait may still choose the long one, and its window.
        let last = after(of.operation, WAIT + WINDOW);
        if of.today < first {
            faults.push(ReliefFault { day: Some(first), ..ReliefFault::at("relief.smallCompany", "TOO_EARLY") });
        }
        if of.today > last {
            faults.push(ReliefFault { day: Some(last), ..ReliefFault::at("relief.smallCompany", "DEADLINE_PASSED") });
        }
        Some(last)
    }
}

/// A day after the operation and not after today.
fn day(given: Option<NaiveDate>, field: &'static str, of: Unpaid, faults: &mut Vec<ReliefFault>) -> Option<NaiveDate> {
    match given {
        None => faults.push(ReliefFault::at(field, "REQUIRED")),
        Some(day) if day > of.today => faults.push(ReliefFault::at(field, "DATE_IN_FUTURE")),
        Some(day) if day <= of.operation => faults.push(ReliefFault::at(field, "DATE_BEFORE_OPERATION")),
        Some(_) => {}
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn unpaid(today: &str) -> Unpaid {
        Unpaid { operation: date("2026-10-31"), base: Cents(3_000), today: date(today) }
    }

    fn bad_debt() -> Relief {
        Relief {
            claimed_on: Some(date("2027-01-10")),
            claim: Some(Claim::Provable),
            reference: Some(" Burofax 123 ".into()),
            business_recipient: true,
            not_excluded: true,
            ..Relief::default()
        }
    }

    fn insolvency() -> Relief {
        Relief {
            order_date: Some(date("2026-12-01")),
            published_on: Some(date("2026-12-10")),
            reference: Some("Juzgado 3, autos 44/2026".into()),
            not_excluded: true,
            ..Relief::default()
        }
    }

    fn codes(relief: &Relief, ground: Ground, today: &str) -> Vec<(&'static str, &'static str)> {
        relief.checked(ground, unpaid(today)).err().unwrap_or_default().iter().map(|fault| (fault.field, fault.code)).collect()
    }

    // RECT-9
    #[test]
    fn a_bad_debt_has_its_wait_and_its_window() {
        let small = Relief { small_company: true, ..bad_debt() };
        for (relief, today, expected) in [
            (&bad_debt(), "2027-10-30", Some(("TOO_EARLY", "2027-10-31"))),
            (&bad_debt(), "2027-10-31", None),
            (&bad_debt(), "2028-04-30", None),
            (&bad_debt(), "2028-05-01", Some(("DEADLINE_PASSED", "2028-04-30"))),
            (&small, "2027-04-29", Some(("TOO_EARLY", "2027-04-30"))),
            (&small, "2027-04-30", None),
            (&small, "2028-04-30", None),
            (&small, "2028-05-01", Some(("DEADLINE_PASSED", "2028-04-30"))),
        ] {
            let found = relief.checked(Ground::BadDebt, unpaid(today)).err().map(|faults| faults[0]);
            assert_eq!(
                found.map(|fault| (fault.code, fault.day)),
                expected.map(|(code, day)| (code, Some(date(day)))),
                "{today}"
            );
        }
        let kept = small.checked(Ground::BadDebt, unpaid("2027-05-31")).unwrap();
        assert_eq!((kept.reference.as_deref(), kept.notify_by), (Some("Burofax 123"), Some(date("2027-06-30"))));
    }

    // RECT-9
    #[test]
    fn a_bad_debt_was_claimed_of_a_business() {
        let today = "2027-11-02";
        assert_eq!(codes(&Relief { claim: None, ..bad_debt() }, Ground::BadDebt, today), [("relief.claim", "REQUIRED")]);
        let of = |day: &str| Relief { claimed_on: Some(date(day)), ..bad_debt() };
        assert_eq!(codes(&of("2026-10-31"), Ground::BadDebt, today), [("relief.claimedOn", "DATE_BEFORE_OPERATION")]);
        assert_eq!(codes(&of("2027-11-03"), Ground::BadDebt, today), [("relief.claimedOn", "DATE_IN_FUTURE")]);
        let private = Relief { business_recipient: false, ..bad_debt() };
        assert_eq!(codes(&private, Ground::BadDebt, today), [("relief.businessRecipient", "REQUIRED")]);
        let above = Unpaid { base: Cents(5_001), ..unpaid(today) };
        assert!(private.checked(Ground::BadDebt, above).is_ok(), "above 50 € anybody's");
        let all = codes(&Relief::default(), Ground::BadDebt, today);
        let fields = ["relief.reference", "relief.notExcluded", "relief.claimedOn", "relief.claim", "relief.businessRecipient"];
        assert_eq!(all.iter().map(|(field, _)| *field).collect::<Vec<_>>(), fields);
        assert_eq!(codes(&Relief { reference: Some("x".repeat(201)), ..bad_debt() }, Ground::BadDebt, today)[0].1, "TOO_LONG");
    }

    // RECT-8
    #[test]
    fn an_insolvency_is_declared_after_the_operation_and_published_less_than_three_months_ago() {
        assert_eq!(codes(&insolvency(), Ground::Insolvency, "2027-03-10"), []);
        assert_eq!(codes(&insolvency(), Ground::Insolvency, "2027-03-11"), [("relief.publishedOn", "DEADLINE_PASSED")]);
        let of = |order: &str, published: &str| {
            let relief = Relief { order_date: Some(date(order)), published_on: Some(date(published)), ..insolvency() };
            codes(&relief, Ground::Insolvency, "2026-12-20")
        };
        assert_eq!(of("2026-10-31", "2026-12-10"), [("relief.orderDate", "DATE_BEFORE_OPERATION")]);
        assert_eq!(of("2026-12-11", "2026-12-10"), [("relief.publishedOn", "DATE_BEFORE_ORDER")]);
        assert_eq!(of("2026-12-10", "2026-12-21"), [("relief.publishedOn", "DATE_IN_FUTURE")]);
        let kept = insolvency().checked(Ground::Insolvency, unpaid("2026-12-20")).unwrap();
        assert_eq!((kept.deadline, kept.claim), (Some(date("2027-03-10")), None));
        assert_eq!(
            (Ground::of("R2"), Ground::of("R3"), Ground::of("R1")),
            (Some(Ground::Insolvency), Some(Ground::BadDebt), None)
        );
    }
}
