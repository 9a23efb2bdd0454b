//! `parse-sepa`: takes in a bank's file once, whatever it holds (DOMAIN §3.8).

mod apply;
mod matching;

use super::model::{Charge, Item, Summary, Unmatched};
use super::{notices, store, words};
use crate::mandates::service as mandates;
use crate::{Billing, BillingResult};
pub(crate) use apply::{Effects, by_hand, give_up};
use atalaya_db::{Engine, Tx};
use atalaya_identity::audit::{self, Action, Entry};
use atalaya_identity::auth::service::Origin;
use atalaya_identity::companies::{accounts, service as companies};
use atalaya_rest::{Caller, FieldError, Problem};
use atalaya_sepa::read::{self, BankFile, ReadError, Report};
use atalaya_tariff::{Cents, Euros};
use bytes::Bytes;
use matching::Match;
use serde_json::json;
use std::collections::BTreeSet;
use uuid::Uuid;

/// A file that was taken in, now or before.
pub(crate) struct Taken {
    pub row: store::BankFileRow,
    pub repeated: bool,
}

fn wrong(code: &'static str) -> Problem {
    Problem::invalid([FieldError::new("file", code)])
}

/// Takes in a file; the same file again answers what it did then, and does nothing.
///
/// Errors: 413 `FILE_TOO_LARGE`; 422 at `file`: `SEPA_FORMAT_NOT_SUPPORTED`, `SEPA_FILE_INVALID`, `SEPA_OTHER_CREDITOR`.
pub(crate) async fn take(d: &Billing, caller: &Caller, origin: &Origin, name: String, bytes: Bytes) -> BillingResult<Taken> {
    let sha256 = atalaya_blobs::Digest::of(&bytes).sha256_hex();
    if let Some(row) = store::file_by_hash(d.db.read(), &sha256).await? {
        return Ok(Taken { row, repeated: true });
    }
    let size = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
    let files = parse(bytes).await?;
    check_creditor(d, &files).await?;
    let mut messages: Vec<&str> = files.iter().map(|file| kind_of(&file.message)).collect();
    messages.dedup();
    let row = store::BankFileRow {
        id: d.sources.uuid(),
        sha256: sha256.clone(),
        name,
        messages: messages.join(", "),
        size,
        items: 0,
        unmatched: 0,
        summary: json!(null),
        created_by: caller.user.0,
        created_at: d.sources.now(),
    };
    let tx = d.db.write().await?;
    if !store::insert_file(&tx, row.clone()).await? {
        tx.rollback().await?;
        let row = store::file_by_hash(d.db.read(), &sha256).await?.ok_or_else(|| Problem::internal("a file vanished"))?;
        return Ok(Taken { row, repeated: true });
    }
    let (summary, mut effects) = apply_all(d, &tx, &row, &files).await?;
    let (items, unmatched) = (summary.items.len(), summary.unmatched.len());
    let count = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
    store::update_summary(&tx, row.id, count(items), count(unmatched), json!(summary)).await?;
    let detail = json!({"file": row.sha256.get(..16), "items": items, "unmatched": unmatched});
    let entry = Entry::company(Action::BankFileRead, caller.company).by(caller).from(origin.address).detail(detail);
    audit::service::record(&d.identity, &tx, entry).await?;
    if !effects.back.is_empty() || !effects.alarms.is_empty() {
        let told = notices::ring_administrators(d, &tx, &row.name).await?;
        effects.tell(told);
    }
    conclude(d, &tx, &row.name, &mut effects).await?;
    settle(d, &tx, &effects.remittances).await?;
    tx.commit().await?;
    effects.announce(d).await;
    let row = store::BankFileRow { summary: json!(summary), items: count(items), unmatched: count(unmatched), ..row };
    Ok(Taken { row, repeated: false })
}

/// The administration's mail about what somebody has to look at, and one bell for each customer whose debits came back.
pub(super) async fn conclude(d: &Billing, tx: &Tx, file: &str, effects: &mut Effects) -> BillingResult<()> {
    if !effects.alarms.is_empty() {
        notices::alarm(d, tx, file, &effects.alarms).await?;
    }
    for (company, back) in std::mem::take(&mut effects.back) {
        let told = notices::ring(d, tx, company, &back).await?;
        effects.tell(told);
    }
    Ok(())
}

/// `camt.053` of `camt.053.001.08`.
fn kind_of(message: &str) -> &str {
    message.get(..8).unwrap_or(message)
}

async fn parse(bytes: Bytes) -> BillingResult<Vec<BankFile>> {
    let read = tokio::task::spawn_blocking(move || read::read(&bytes)).await.map_err(Problem::internal)?;
    Ok(read.map_err(|error| match error {
        ReadError::TooLarge => Problem::too_large("FILE_TOO_LARGE"),
        ReadError::NotSupported(_) => wrong("SEPA_FORMAT_NOT_SUPPORTED"),
        ReadError::Malformed(what) if what == "document type" || what == "entity" => wrong("SEPA_DTD_REFUSED"),
        ReadError::Malformed(_) => wrong("SEPA_FILE_INVALID"),
    })?)
}

/// A file about another account, or of another creditor, is not ours to work on.
async fn check_creditor(d: &Billing, files: &[BankFile]) -> BillingResult<()> {
    let platform = accounts::platform(&d.identity).await?;
    let own = accounts::iban(&d.identity, &platform);
    let id = mandates::creditor_id(&platform);
    let other_account = |account: &String| own.as_ref().is_some_and(|own| own.as_str() != account.as_str());
    // The suffix may be another of ours: country and tax id decide.
    let other_creditor = |named: &String| {
        let same = |a: &str, b: &str| a.get(..2) == b.get(..2) && a.get(7..) == b.get(7..);
        id.as_ref().is_some_and(|id| !same(id.as_str(), named))
    };
    let foreign = files.iter().any(|file| file.accounts.iter().any(other_account) || file.creditors.iter().any(other_creditor));
    if foreign { Err(wrong("SEPA_OTHER_CREDITOR").into()) } else { Ok(()) }
}

async fn apply_all(d: &Billing, tx: &Tx, file: &store::BankFileRow, files: &[BankFile]) -> BillingResult<(Summary, Effects)> {
    let mut summary = Summary::default();
    let mut effects = Effects::default();
    hold(tx, files).await?;
    for report in files.iter().flat_map(|file| &file.reports) {
        match matching::find(tx, report).await? {
            Match::Attempts(attempts) => {
                for attempt in attempts {
                    match apply::one(d, tx, file.id, report, attempt, &mut effects).await? {
                        apply::Outcome::Done(item) => count(&mut summary, report, *item),
                        apply::Outcome::Refused => unmatched(&mut summary, report, "STATUS_REFUSED", &mut effects),
                        apply::Outcome::Silent => {}
                    }
                }
            }
            Match::Nothing(why) => unmatched(&mut summary, report, why, &mut effects),
        }
    }
    Ok((summary, effects))
}

/// Holds the remittances that these files speak of until the end of the transaction, in one order for everybody: what is read
/// of their debits from here on is what nobody else changes meanwhile.
async fn hold(tx: &Tx, files: &[BankFile]) -> BillingResult<()> {
    if tx.engine() != Engine::Postgres {
        // SQLite has one writer.
        return Ok(());
    }
    let mut remittances = BTreeSet::new();
    for report in files.iter().flat_map(|file| &file.reports) {
        if let Match::Attempts(attempts) = matching::find(tx, report).await? {
            remittances.extend(attempts.iter().map(|attempt| attempt.remittance));
        }
    }
    for id in remittances {
        store::lock_remittance(tx, id).await?;
        store::lock_attempts(tx, id).await?;
    }
    Ok(())
}

fn count(summary: &mut Summary, report: &Report, item: Item) {
    let amount = item.amount.0.0;
    if item.action == super::model::Action::Known {
        summary.items.push(item);
        return;
    }
    match report.kind {
        read::Kind::Confirmation => summary.totals.confirmed.add(amount),
        read::Kind::Reversal => {}
        _ => summary.totals.returned.add(amount),
    }
    if report.charges > 0 {
        summary.totals.charges.add(report.charges);
        summary.charges.push(Charge {
            amount: Euros(Cents(report.charges)),
            text: None,
            booking_date: report.booked,
            invoice: Some(item.invoice.clone()),
        });
    }
    summary.items.push(item);
}

fn unmatched(summary: &mut Summary, report: &Report, why: &str, effects: &mut Effects) {
    let amount = report.amount.unwrap_or_default();
    summary.totals.unmatched.add(amount);
    let reference = report.end_to_end.clone().or_else(|| report.block.clone()).or_else(|| report.file.clone());
    effects.alarms.push(format!("{} · {} · {why}", reference.as_deref().unwrap_or("–"), report.kind.word()));
    summary.unmatched.push(Unmatched {
        end_to_end_id: reference,
        kind: report.kind.word().to_owned(),
        reason: report.reason.as_deref().map(apply::reason),
        amount: Euros(Cents(amount)),
        why: why.to_owned(),
    });
}

/// Closes the remittances all of whose debits have an answer.
pub(super) async fn settle(d: &Billing, tx: &Tx, ids: &BTreeSet<Uuid>) -> BillingResult<()> {
    for id in ids {
        let open =
            store::of_remittance(&**tx, *id).await?.iter().any(|attempt| attempt.state == super::model::AttemptState::Open);
        let live = store::find_remittance(&**tx, *id).await?.is_some_and(|row| row.state == "live");
        if live && !open {
            store::end_remittance(tx, *id, "settled", None, d.sources.now()).await?;
        }
    }
    Ok(())
}

impl Effects {
    /// After the commit: open screens and the dispatcher hear of it.
    pub(crate) async fn announce(self, d: &Billing) {
        d.outbox.wake();
        d.outreach.announce(self.told);
        for changed in &self.statuses {
            companies::announce_status(&d.identity, changed).await;
        }
    }
}

/// The bank's word for a code, in Spanish: summaries are stored in the language of the platform.
pub(super) fn label(code: &str) -> String {
    words::reason(code, atalaya_kernel::Language::Es)
}
