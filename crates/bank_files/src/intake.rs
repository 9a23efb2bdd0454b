//! `parse-sepa`: takes in a bank's file once, whatever it holds.

use super::error::BankResult;
use super::matching::{self, Match};
use super::model::{Action as Done, BankFile, Charge, Item, Proposal, Summary, Unmatched};
use super::outcome::{self, Effects};
use super::proposals::{self, Quoted};
use super::{BankFileError, notices, store};
use atalaya_billing::mandates::service as mandates;
use atalaya_billing::remittances::service as remittances;
use atalaya_billing::{Billing, BillingError, BillingResult};
use atalaya_db::{Engine, Tx};
use atalaya_identity::audit::{self, Action, Entry};
use atalaya_identity::auth::service::Origin;
use atalaya_identity::companies::accounts;
use atalaya_rest::Caller;
use atalaya_sepa::own::{Own, masked};
use atalaya_sepa::read::{self, BankFile as Message, ReadError, Report};
use atalaya_tariff::{Cents, Euros};
use bytes::Bytes;
use serde_json::json;
use std::collections::BTreeSet;
use uuid::Uuid;

/// A file that was taken in, now or before.
pub(super) struct Taken {
    pub file: BankFile,
    pub repeated: bool,
}

/// Takes in a file; the same file again answers what it did then, and does nothing.
///
/// Errors: [`BankFileError`] `TooLarge`, `NotSupported`, `Malformed`, `DtdRefused`, `OtherCreditor`.
pub(super) async fn take(d: &Billing, caller: &Caller, origin: &Origin, name: String, bytes: Bytes) -> BankResult<Taken> {
    let sha256 = atalaya_blobs::Digest::of(&bytes).sha256_hex();
    if let Some(file) = store::file_by_hash(d.db.read(), &sha256).await? {
        return Ok(Taken { file, repeated: true });
    }
    let size = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
    let mut messages = parse(bytes).await?;
    let other_accounts = keep_own(&own(d).await?, &mut messages)?;
    let mut kinds: Vec<&str> = messages.iter().map(|message| kind_of(&message.message)).collect();
    kinds.dedup();
    let mut file = BankFile {
        id: d.sources.uuid(),
        sha256,
        name,
        messages: kinds.join(", "),
        size,
        created_by: caller.user,
        created_at: d.sources.now(),
        summary: Summary::default(),
    };
    let tx = d.db.write().await?;
    if !store::insert_file(&tx, &file).await? {
        tx.rollback().await?;
        let file = store::file_by_hash(d.db.read(), &file.sha256).await?;
        return Ok(Taken { file: file.ok_or_else(|| BillingError::internal("a file vanished"))?, repeated: true });
    }
    let (summary, mut effects) = apply_all(d, &tx, &file, &messages).await?;
    let summary = Summary { other_accounts, ..summary };
    store::update_summary(&tx, file.id, &summary).await?;
    file.summary = summary;
    record(d, &tx, caller, origin, &file).await?;
    if !effects.back.is_empty() || !effects.alarms.is_empty() {
        let told = notices::ring_administrators(d, &tx, &file.name).await?;
        effects.tell(told);
    }
    conclude(d, &tx, &file.name, &mut effects).await?;
    close(d, &tx, &effects.remittances).await?;
    tx.commit().await?;
    effects.announce(d).await;
    Ok(Taken { file, repeated: false })
}

async fn record(d: &Billing, tx: &Tx, caller: &Caller, origin: &Origin, file: &BankFile) -> BillingResult<()> {
    let (items, unmatched) = (file.summary.items.len(), file.summary.unmatched.len());
    let detail = json!({"file": file.sha256.get(..16), "items": items, "unmatched": unmatched});
    let entry = Entry::company(Action::BankFileRead, caller.company).by(caller).from(origin.address).detail(detail);
    Ok(audit::service::record(&d.identity, tx, entry).await?)
}

/// One e-mail to the administration about what a person has to check, and one notification per customer with returned debits.
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

async fn parse(bytes: Bytes) -> BankResult<Vec<Message>> {
    let read = tokio::task::spawn_blocking(move || read::read(&bytes)).await.map_err(BillingError::internal)?;
    Ok(read.map_err(|error| match error {
        ReadError::TooLarge => BankFileError::TooLarge,
        ReadError::NotSupported(_) => BankFileError::NotSupported,
        ReadError::Malformed(what) if what == "document type" || what == "entity" => BankFileError::DtdRefused,
        ReadError::Malformed(_) => BankFileError::Malformed,
    })?)
}

async fn own(d: &Billing) -> BillingResult<Own> {
    let platform = accounts::platform(&d.identity).await?;
    Ok(Own {
        account: accounts::iban(&d.identity, &platform).map(|iban| iban.as_str().to_owned()),
        creditor: mandates::creditor_id(&platform).map(|id| id.as_str().to_owned()),
    })
}

/// Leaves out what is of other accounts, and answers these, masked.
///
/// Errors: [`BankFileError::OtherCreditor`] when nothing is about ours, or a pain.002 is of another creditor.
fn keep_own(own: &Own, files: &mut [Message]) -> BankResult<Vec<String>> {
    let mut others = BTreeSet::new();
    let mut any = false;
    for file in &mut *files {
        if file.creditors.iter().any(|creditor| own.is_other_creditor(creditor)) {
            return Err(BankFileError::OtherCreditor.into());
        }
        let other = |account: &&String| own.is_other_account(account);
        others.extend(file.accounts.iter().filter(other).map(|account| masked(account)));
        any |= file.accounts.is_empty() || file.accounts.iter().any(|account| !own.is_other_account(account));
        file.reports.retain(|report| report.account.as_ref().is_none_or(|account| !own.is_other_account(account)));
    }
    if any { Ok(others.into_iter().collect()) } else { Err(BankFileError::OtherCreditor.into()) }
}

async fn apply_all(d: &Billing, tx: &Tx, file: &BankFile, files: &[Message]) -> BillingResult<(Summary, Effects)> {
    let own = own(d).await?;
    let mut summary = Summary::default();
    let mut effects = Effects::default();
    hold(tx, files).await?;
    for report in files.iter().flat_map(|file| &file.reports) {
        match find(&own, tx, report).await? {
            Match::Attempts(attempts) => {
                for attempt in attempts {
                    match outcome::one(d, tx, file.id, report, attempt, &mut effects).await? {
                        outcome::Outcome::Done(item) => count(&mut summary, report, *item),
                        outcome::Outcome::Refused => unmatched(&mut summary, report, "STATUS_REFUSED", &mut effects),
                        outcome::Outcome::Silent => {}
                    }
                }
            }
            Match::Nothing(why) if matches!(why, "NOT_FOUND" | "NO_INVOICE") && report.may_be_transfer() => {
                match proposals::propose(d, tx, file.id, report).await? {
                    Quoted::Proposals(all) if is_repeated(&summary, report, &all) => {
                        unmatched(&mut summary, report, "AMBIGUOUS", &mut effects);
                    }
                    Quoted::Proposals(all) => all.into_iter().for_each(|one| proposed(&mut summary, one, &mut effects)),
                    Quoted::Nothing("NO_INVOICE") => unmatched(&mut summary, report, why, &mut effects),
                    Quoted::Nothing(why) => unmatched(&mut summary, report, why, &mut effects),
                }
            }
            Match::Nothing(why) => unmatched(&mut summary, report, why, &mut effects),
        }
    }
    Ok((summary, effects))
}

/// The debits that a line is about; money that moved otherwise settles none.
async fn find(own: &Own, tx: &Tx, report: &Report) -> BillingResult<Match> {
    match report.kind {
        read::Kind::Outgoing => Ok(Match::Nothing("NOT_OURS")),
        read::Kind::Incoming => Ok(Match::Nothing("NO_INVOICE")),
        _ if report.creditor.as_ref().is_some_and(|named| own.is_other_creditor(named)) => Ok(Match::Nothing("OTHER_CREDITOR")),
        _ => matching::find(tx, report).await,
    }
}

/// The same money twice in one file, which the bank does not number: a second transfer, or the first once more.
fn is_repeated(summary: &Summary, report: &Report, all: &[(Proposal, bool)]) -> bool {
    report.bank_ref.is_none() && report.end_to_end.is_none() && all.iter().all(|(one, _)| summary.proposed.contains(&one.id))
}

fn proposed(summary: &mut Summary, (proposal, known): (Proposal, bool), effects: &mut Effects) {
    if !known {
        summary.totals.proposed.add(proposal.amount);
        effects.alarms.push(format!("{} · incoming · PROPOSED", proposal.number));
    }
    summary.proposed.push(proposal.id);
}

/// Locks the remittances named in these files until the end of the transaction, always in the same order, so that nobody
/// changes their debits after they were read.
async fn hold(tx: &Tx, files: &[Message]) -> BillingResult<()> {
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
        remittances::hold(tx, id).await?;
    }
    Ok(())
}

fn count(summary: &mut Summary, report: &Report, item: Item) {
    let amount = item.amount.0.0;
    if item.action == Done::Known {
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
    let reference = reference.or_else(|| report.bank_ref.clone());
    // What the platform pays itself is nothing to look after.
    if report.kind != read::Kind::Outgoing {
        effects.alarms.push(format!("{} · {} · {why}", reference.as_deref().unwrap_or("–"), report.kind.word()));
    }
    summary.unmatched.push(Unmatched {
        end_to_end_id: reference,
        kind: report.kind.word().to_owned(),
        reason: report.reason.as_deref().map(outcome::reason),
        amount: Euros(Cents(amount)),
        why: why.to_owned(),
        booking_date: report.booked,
        payer: report.payer.clone(),
        text: report.text.clone(),
    });
}

/// Closes the remittances all of whose debits have an answer.
pub(super) async fn close(d: &Billing, tx: &Tx, ids: &BTreeSet<Uuid>) -> BillingResult<()> {
    for id in ids {
        remittances::close_if_answered(d, tx, *id).await?;
    }
    Ok(())
}
