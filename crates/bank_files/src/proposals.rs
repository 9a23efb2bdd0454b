//! Transfers that quote an invoice: proposed as its payment, which a person confirms (BANK-14).

use super::BankFileError;
use super::error::BankResult;
use super::model::{Proposal, ProposalState};
use super::store;
use atalaya_billing::invoices::model::{Invoice, Move, next};
use atalaya_billing::invoices::{payments, service as invoices};
use atalaya_billing::remittances::open_of;
use atalaya_billing::{Billing, BillingResult};
use atalaya_db::Tx;
use atalaya_identity::auth::service::Origin;
use atalaya_kernel::calendar;
use atalaya_rest::Caller;
use atalaya_sepa::read::{Report, invoice_numbers};
use atalaya_tariff::Cents;
use uuid::Uuid;

/// What a transfer is about.
pub(super) enum Quoted {
    /// These; the flag says that an earlier file proposed it already.
    Proposals(Vec<(Proposal, bool)>),
    /// The code of why there is none.
    Nothing(&'static str),
}

/// The payments that a transfer proposes: the invoices it quotes, when together they leave open what it brings.
pub(super) async fn propose(d: &Billing, tx: &Tx, file: Uuid, report: &Report) -> BillingResult<Quoted> {
    let numbers = invoice_numbers(report.text.as_deref().unwrap_or_default());
    let mut quoted: Vec<Invoice> = Vec::new();
    for number in &numbers {
        // What gives money back asks for none.
        quoted.extend(
            invoices::numbered(tx, number)
                .await?
                .filter(|invoice| invoice.totals.total > Cents(0) && !invoice.lowers_base_only()),
        );
    }
    if quoted.is_empty() {
        return Ok(Quoted::Nothing("NO_INVOICE"));
    }
    let Some(amount) = report.amount.filter(|_| !report.unusable) else { return Ok(Quoted::Nothing("AMOUNT_DIFFERS")) };
    let mut known = Vec::new();
    for invoice in &quoted {
        known.extend(store::find_proposal_of(&**tx, &reference(report, amount, &invoice.number)).await?);
    }
    if known.len() == quoted.len() {
        return Ok(Quoted::Proposals(known.into_iter().map(|one| (one, true)).collect()));
    }
    if report.inconsistent {
        return Ok(Quoted::Nothing("AMOUNTS_DO_NOT_ADD_UP"));
    }
    let mut parts = Vec::new();
    for invoice in quoted {
        if next(invoice.state.status, Move::PayByHand).is_none() {
            return Ok(Quoted::Nothing("INVOICE_NOT_OPEN"));
        }
        let open = open_of(tx, &invoice).await?;
        parts.push((invoice, open));
    }
    if parts.iter().map(|(_, open)| open.0).sum::<i64>() != amount || parts.iter().any(|(_, open)| open.0 <= 0) {
        return Ok(Quoted::Nothing("AMOUNT_DIFFERS"));
    }
    let mut proposed = Vec::with_capacity(parts.len());
    for (invoice, open) in parts {
        let proposal = Proposal {
            id: d.sources.uuid(),
            file,
            invoice: invoice.id,
            company: invoice.customer,
            reference: reference(report, amount, &invoice.number),
            number: invoice.number,
            amount: open.0,
            booked: report.booked,
            payer: report.payer.clone(),
            text: report.text.clone(),
            state: ProposalState::Open,
            decided_by: None,
            decided_at: None,
            created_at: d.sources.now(),
        };
        let fresh = store::insert_proposal(tx, &proposal).await?;
        proposed.push((proposal, !fresh));
    }
    Ok(Quoted::Proposals(proposed))
}

/// What tells this transfer from every other, in whatever file it stands.
fn reference(report: &Report, amount: i64, number: &str) -> String {
    let told = report.bank_ref.as_deref().or(report.end_to_end.as_deref()).or(report.text.as_deref()).unwrap_or_default();
    let booked = report.booked.map(|day| day.to_string()).unwrap_or_default();
    let whole = [told, &booked, &amount.to_string(), number].join("\n");
    atalaya_blobs::Digest::of(whole.as_bytes()).sha256_hex()
}

/// A person says whether the transfer pays its invoice. Accepted, the invoice is paid on the day the money was booked.
///
/// Errors: [`BankFileError`] `ProposalNotFound`, `ProposalDecided`, `ProposalOutdated`; those of `payments::pay_in`.
pub(super) async fn decide(d: &Billing, caller: &Caller, origin: &Origin, id: Uuid, accept: bool) -> BankResult<Proposal> {
    let tx = d.db.write().await?;
    let mut proposal = store::lock_proposal(&tx, id).await?.ok_or(BankFileError::ProposalNotFound)?;
    if proposal.state != ProposalState::Open {
        return Err(BankFileError::ProposalDecided.into());
    }
    if accept {
        let invoice = invoices::lock(&tx, proposal.invoice).await?;
        let is_payable = next(invoice.state.status, Move::PayByHand).is_some();
        if is_payable && open_of(&tx, &invoice).await?.0 != proposal.amount {
            return Err(BankFileError::ProposalOutdated.into());
        }
        let day = proposal.booked.unwrap_or_else(|| calendar::day(d.sources.now())).max(invoice.issue_date);
        payments::pay_in(d, &tx, caller, origin, &invoice, day).await?;
    }
    proposal.state = if accept { ProposalState::Accepted } else { ProposalState::Dismissed };
    (proposal.decided_by, proposal.decided_at) = (Some(caller.user), Some(d.sources.now()));
    store::update_proposal(&tx, &proposal).await?;
    tx.commit().await?;
    Ok(proposal)
}
