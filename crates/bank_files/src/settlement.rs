//! The manual settlement of a debit: the bank reported it in another way than by a file.

use super::BankFileError;
use super::error::{BankResult, SettlementFaults};
use super::intake;
use super::model::Action;
use super::outcome::{self, Effects};
use atalaya_billing::Billing;
use atalaya_billing::remittances::service as remittances;
use atalaya_identity::audit::{self, Action as Audited, Entry};
use atalaya_identity::auth::service::Origin;
use atalaya_kernel::calendar;
use atalaya_rest::Caller;
use atalaya_sepa::ledger::{Attempt, AttemptState};
use atalaya_sepa::read::{Kind, Level, Report};
use atalaya_sepa::reasons::{self, InvoiceEffect};
use chrono::NaiveDate;
use serde_json::json;
use uuid::Uuid;

/// What is known of it.
pub(super) struct Known {
    /// Confirmation, return or reject.
    pub kind: Kind,
    /// Of a return or reject.
    pub reason: Option<String>,
    /// The day on which the bank booked it.
    pub at: NaiveDate,
}

/// Settles an open debit as a bank's file would; one that was paid can still come back.
///
/// Errors: [`BankFileError`] `DebitNotFound`, `DebitNotOpen`, `Settlement`.
pub(super) async fn settle(
    d: &Billing,
    caller: &Caller,
    origin: &Origin,
    id: Uuid,
    known: Known,
) -> BankResult<(Attempt, Action)> {
    let missing = BankFileError::DebitNotFound;
    let tx = d.db.write().await?;
    let remittance = remittances::find_attempt(&tx, id).await?.ok_or(missing)?.remittance;
    remittances::hold(&tx, remittance).await?;
    let attempt = remittances::find_attempt(&tx, id).await?.ok_or(missing)?;
    let comes_back = attempt.state == AttemptState::Paid && known.kind != Kind::Confirmation;
    if attempt.state != AttemptState::Open && !comes_back {
        return Err(BankFileError::DebitNotOpen.into());
    }
    let since = attempt.settled.filter(|_| comes_back).unwrap_or_else(|| calendar::day(attempt.created_at));
    check(&known, since, calendar::day(d.sources.now()))?;
    let report = report(&attempt, known);
    let mut effects = Effects::default();
    let (attempt, action) = outcome::by_hand(d, &tx, &report, attempt, &mut effects).await?;
    intake::conclude(d, &tx, &attempt.end_to_end, &mut effects).await?;
    intake::close(d, &tx, &effects.remittances).await?;
    let detail = json!({"debit": attempt.end_to_end, "outcome": report.kind.word(), "reason": report.reason});
    let entry = Entry::company(Audited::DebitSettled, attempt.company).by(caller).from(origin.address).detail(detail);
    audit::service::record(&d.identity, &tx, entry).await?;
    tx.commit().await?;
    effects.announce(d).await;
    Ok((attempt, action))
}

fn check(known: &Known, made: NaiveDate, today: NaiveDate) -> Result<(), BankFileError> {
    let code = |code: &str| code.len() == 4 && code.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    let faults = SettlementFaults {
        at_in_future: known.at > today,
        at_before_debit: known.at < made,
        reason: match known.reason.as_deref() {
            None if known.kind != Kind::Confirmation => Some("REQUIRED"),
            // For a duplicate, a person decides which outcome it was.
            Some(reason) if !code(reason) || reasons::action(reason).invoice == InvoiceEffect::Review => Some("INVALID"),
            _ => None,
        },
    };
    if faults == SettlementFaults::default() { Ok(()) } else { Err(BankFileError::Settlement(faults)) }
}

/// The line that a file would have.
fn report(of: &Attempt, known: Known) -> Report {
    Report {
        end_to_end: Some(of.end_to_end.clone()),
        umr: Some(of.umr.clone()),
        amount: Some(of.amount),
        reason: known.reason,
        booked: Some(known.at),
        ..Report::blank(known.kind, Level::Debit)
    }
}
