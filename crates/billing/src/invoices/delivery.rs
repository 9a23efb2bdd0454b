//! How invoices reach their customers: by e-mail, or taken from the list before.

use super::model::{Invoice, Move, next};
use super::service::lock;
use super::store::{self, Changes};
use crate::{Billing, BillingResult};
use atalaya_db::Tx;
use atalaya_kernel::InvoiceId;
use chrono::{DateTime, Utc};
use uuid::Uuid;

/// Invoices that were not e-mailed, issued by `until`, after this one in the order of ids.
pub(crate) async fn list_unsent(
    d: &Billing,
    after: Option<Uuid>,
    until: DateTime<Utc>,
    limit: u64,
) -> BillingResult<Vec<Invoice>> {
    store::list_unsent(d.db.read(), after, until, limit).await
}

/// How many wait to be sent.
pub(crate) async fn count_unsent(d: &Billing) -> BillingResult<u64> {
    Ok(store::count_unsent(d.db.read()).await?)
}

/// Marks an invoice as delivered without an e-mail; does nothing when it was sent, annulled or brought to zero meanwhile.
pub(crate) async fn mark_delivered(d: &Billing, tx: &Tx, id: InvoiceId) -> BillingResult<()> {
    let state = lock(tx, id).await?.state;
    if state.sent_at.is_some() || !state.may_go_out() {
        return Ok(());
    }
    // In a remittance or paid already, it keeps that.
    let status = next(state.status, Move::Send);
    let changes = Changes { status, sent_at: Some(Some(d.sources.now())), ..Changes::default() };
    Ok(store::update(tx, id, changes).await?)
}

/// Its e-mail was written; `current` is the invoice as it is locked.
pub(crate) async fn mark_mailed(d: &Billing, tx: &Tx, current: &Invoice, message: Uuid) -> BillingResult<()> {
    let changes = Changes {
        // In a remittance or paid already, it keeps that.
        status: next(current.state.status, Move::Send),
        sent_at: Some(current.state.sent_at.or_else(|| Some(d.sources.now()))),
        message_id: Some(message),
        ..Changes::default()
    };
    Ok(store::update(tx, current.id, changes).await?)
}
