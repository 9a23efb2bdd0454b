//! A debit that an administrator settles by hand: the bank told it otherwise than by a file.

use super::intake::{self, Effects};
use super::model::{Action, Attempt, AttemptState};
use super::store;
use crate::{Billing, BillingResult};
use atalaya_identity::audit::{self, Action as Audited, Entry};
use atalaya_identity::auth::service::Origin;
use atalaya_kernel::calendar;
use atalaya_rest::{Caller, FieldError, Problem};
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

/// Settles an open debit as a bank's file would.
///
/// Errors: 404 `DEBIT_NOT_FOUND`, 409 `DEBIT_NOT_OPEN`; 422 at `at` with `DATE_IN_FUTURE`, `DATE_BEFORE_DEBIT`, at `reason` with
/// `REQUIRED`, `INVALID`.
pub(super) async fn settle(
    d: &Billing,
    caller: &Caller,
    origin: &Origin,
    id: Uuid,
    known: Known,
) -> BillingResult<(Attempt, Action)> {
    let missing = || Problem::not_found("DEBIT_NOT_FOUND");
    let tx = d.db.write().await?;
    let remittance = store::find_attempt(&*tx, id).await?.ok_or_else(missing)?.remittance;
    store::lock_remittance(&tx, remittance).await?;
    store::lock_attempts(&tx, remittance).await?;
    let attempt = store::find_attempt(&*tx, id).await?.ok_or_else(missing)?;
    if attempt.state != AttemptState::Open {
        return Err(Problem::conflict("DEBIT_NOT_OPEN").into());
    }
    check(&known, calendar::day(attempt.created_at), calendar::day(d.sources.now()))?;
    let report = report(&attempt, known);
    let mut effects = Effects::default();
    let (attempt, action) = intake::by_hand(d, &tx, &report, attempt, &mut effects).await?;
    intake::conclude(d, &tx, &attempt.end_to_end, &mut effects).await?;
    intake::settle(d, &tx, &effects.remittances).await?;
    let detail = json!({"debit": attempt.end_to_end, "outcome": report.kind.word(), "reason": report.reason});
    let entry = Entry::company(Audited::DebitSettled, attempt.company).by(caller).from(origin.address).detail(detail);
    audit::service::record(&d.identity, &tx, entry).await?;
    tx.commit().await?;
    effects.announce(d).await;
    Ok((attempt, action))
}

fn check(known: &Known, made: NaiveDate, today: NaiveDate) -> Result<(), Problem> {
    let mut errors = Vec::new();
    if known.at > today {
        errors.push(FieldError::new("at", "DATE_IN_FUTURE"));
    }
    if known.at < made {
        errors.push(FieldError::new("at", "DATE_BEFORE_DEBIT"));
    }
    let code = |code: &str| code.len() == 4 && code.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    match known.reason.as_deref() {
        None if known.kind != Kind::Confirmation => errors.push(FieldError::new("reason", "REQUIRED")),
        // Of a duplicate a person decides what it was, and says that.
        Some(reason) if !code(reason) || reasons::action(reason).invoice == InvoiceEffect::Review => {
            errors.push(FieldError::new("reason", "INVALID"));
        }
        _ => {}
    }
    if errors.is_empty() { Ok(()) } else { Err(Problem::invalid(errors)) }
}

/// The line that a file would have.
fn report(of: &Attempt, known: Known) -> Report {
    Report {
        kind: known.kind,
        level: Level::Debit,
        end_to_end: Some(of.end_to_end.clone()),
        block: None,
        file: None,
        umr: Some(of.umr.clone()),
        amount: Some(of.amount),
        unusable: false,
        reason: known.reason,
        booked: Some(known.at),
        charges: 0,
        count: None,
        inconsistent: false,
    }
}
