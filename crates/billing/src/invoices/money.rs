//! Events of an invoice's money: the room that moves it states an event, and the status machine decides what follows.

use super::model::{self, InvoiceStatus, Move};
use super::store::{self, Changes};
use super::{InvoiceError, service};
use crate::BillingResult;
use atalaya_db::Tx;
use atalaya_kernel::InvoiceId;
use chrono::{DateTime, NaiveDate, Utc};

/// What happened, as a bank or a remittance says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoneyEvent<'a> {
    /// It is in a live file for the bank, to be debited on this day.
    Remitted { charge_date: NaiveDate },
    /// That file was withdrawn or refused: the invoice stands where it stood before.
    Withdrawn,
    /// The bank paid. Until `revocable_until` a CORE debit can still be given back.
    Collected { at: DateTime<Utc>, revocable_until: Option<NaiveDate> },
    /// The bank gave the debit back, with its reason code (`AM04`).
    Returned { at: DateTime<Utc>, code: &'a str },
    /// No attempt is left, or it waited too long.
    GivenUp,
}

/// Writes the event down in the caller's transaction; locks the invoice. Answers false where the invoice stands elsewhere
/// and the event changes nothing.
///
/// Errors: [`InvoiceError::NotFound`].
pub async fn record(tx: &Tx, id: InvoiceId, event: MoneyEvent<'_>) -> BillingResult<bool> {
    let (what, changes) = match event {
        MoneyEvent::Remitted { charge_date } => {
            (Move::Remit, Changes { charge_date: Some(Some(charge_date)), ..Changes::default() })
        }
        MoneyEvent::Withdrawn => {
            let state = service::lock(tx, id).await?.state;
            let what = Move::TakeBack { sent: state.sent_at.is_some(), returned: state.returned_at.is_some() };
            (what, Changes { charge_date: Some(None), ..Changes::default() })
        }
        MoneyEvent::Collected { at, revocable_until } => {
            let paid = Some(Some((at, "remittance")));
            let revocable_until = Some(revocable_until);
            (Move::Collect, Changes { paid, revocable_until, returned: Some(None), ..Changes::default() })
        }
        MoneyEvent::Returned { at, code } => {
            let returned = Some(Some((at, code.to_owned())));
            (Move::Return, Changes { returned, paid: Some(None), revocable_until: Some(None), ..Changes::default() })
        }
        MoneyEvent::GivenUp => (Move::GiveUp, Changes::default()),
    };
    Ok(step(tx, id, what, changes).await?.is_some())
}

/// Makes a move in the caller's transaction; locks the invoice. Answers what it stands at then, `None` when the status
/// machine does not allow the move (nothing is changed).
///
/// Errors: [`InvoiceError::NotFound`].
pub(super) async fn step(tx: &Tx, id: InvoiceId, what: Move, changes: Changes) -> BillingResult<Option<InvoiceStatus>> {
    let invoice = store::lock(tx, id).await?.ok_or(InvoiceError::NotFound)?;
    let Some(status) = model::next(invoice.state.status, what) else { return Ok(None) };
    store::update(tx, id, Changes { status: Some(status), ..changes }).await?;
    Ok(Some(status))
}
