//! Making, signing and ending mandates, and what the other rooms read of them.

use super::model::{Mandate, MandateStatus, UNUSED_MONTHS, umr};
pub(crate) use super::signature::{SignedPaper, evidence, paper, sign};
pub use super::watch::{account_watcher, tax_id_watcher};
use super::{MandateError, document, store};
use crate::{Billing, BillingResult};
use atalaya_db::Tx;
use atalaya_documents::in_fours;
use atalaya_identity::IdentityError;
use atalaya_identity::audit::{self, Action, Entry};
use atalaya_identity::auth::service::Origin;
use atalaya_identity::companies::accounts::{self, Party};
use atalaya_identity::companies::customers::Payer;
use atalaya_kernel::{CompanyId, CompanyKind};
use atalaya_rest::Caller;
use atalaya_sepa::{CreditorId, Scheme, Sequence};
use chrono::{DateTime, Months, Utc};
use serde_json::json;
use std::collections::HashMap;
use uuid::Uuid;

/// Why a mandate ended whose account is not the customer's any more.
pub(super) const ACCOUNT_CHANGED: &str = "ACCOUNT_CHANGED";
/// Why a mandate waits whose debtor is another taxpayer by now: it is not taken up again, but made anew (FISCAL-8).
pub(super) const TAX_ID_CHANGED: &str = "TAX_ID_CHANGED";

/// Whether it was signed by another taxpayer.
pub(super) fn is_another_s(mandate: &Mandate) -> bool {
    mandate.reason.as_deref() == Some(TAX_ID_CHANGED)
}

/// The platform's creditor identifier; `None` while its tax id is missing or wrong.
pub fn creditor_id(platform: &Party) -> Option<CreditorId> {
    let suffix = platform.creditor_suffix.as_deref().unwrap_or("000");
    CreditorId::spanish(platform.company.cif.as_deref()?, suffix).ok()
}

/// The mandate that counts for each of these companies: that in force, else the newest one. Absent without any.
pub async fn latest(d: &Billing, ids: &[CompanyId]) -> BillingResult<HashMap<CompanyId, Mandate>> {
    let mut found: HashMap<CompanyId, Mandate> = HashMap::new();
    for mandate in store::of_companies(d.db.read(), ids).await? {
        match found.get(&mandate.company) {
            Some(known) if known.status.stands() || !mandate.status.stands() => {}
            _ => {
                found.insert(mandate.company, mandate);
            }
        }
    }
    Ok(found)
}

/// A mandate with which a customer can be debited now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InForce {
    pub umr: String,
    /// Days between a notice and its debit.
    pub notice_days: u32,
}

/// The mandates with which these customers can be debited now; absent without one.
pub(crate) async fn references(d: &Billing, payers: &[Payer]) -> BillingResult<HashMap<CompanyId, InForce>> {
    let accounts: HashMap<CompanyId, Uuid> = payers.iter().filter_map(|payer| Some((payer.company.id, payer.account?))).collect();
    let ids: Vec<CompanyId> = accounts.keys().copied().collect();
    let now = d.sources.now();
    let in_force = |(company, mandate): (CompanyId, Mandate)| {
        let account = accounts.get(&company)?;
        let notice_days = mandate.notice_days(d.settings.sepa.notice_days);
        mandate.refusal(*account, now).is_none().then_some((company, InForce { umr: mandate.umr, notice_days }))
    };
    Ok(latest(d, &ids).await?.into_iter().filter_map(in_force).collect())
}

/// The mandate, held until the end of the transaction.
pub(crate) async fn lock(tx: &Tx, id: Uuid) -> BillingResult<Option<Mandate>> {
    store::lock(tx, id).await
}

/// These were used for debits at this moment.
pub(crate) async fn mark_used(tx: &Tx, ids: &[Uuid], at: DateTime<Utc>) -> BillingResult<()> {
    Ok(store::mark_used(tx, ids, at).await?)
}

/// The next number of this name, from 1; concurrent callers wait for the end of this transaction.
pub(crate) async fn next_number(tx: &Tx, name: &str) -> BillingResult<i64> {
    Ok(store::next_number(tx, name).await?)
}

/// What a bank's answer does to a mandate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BankVerdict {
    /// The account cannot be debited for now.
    Suspended,
    Cancelled,
    /// The debtor is a consumer: CORE only.
    Core,
}

/// Writes down what a bank said of a mandate, with its reason code.
pub async fn apply_verdict(tx: &Tx, id: Uuid, verdict: BankVerdict, code: &str, now: DateTime<Utc>) -> BillingResult<()> {
    match verdict {
        BankVerdict::Suspended => store::set_status(tx, id, MandateStatus::Suspended, Some(code), now).await.map(drop)?,
        BankVerdict::Cancelled => store::set_status(tx, id, MandateStatus::Cancelled, Some(code), now).await.map(drop)?,
        BankVerdict::Core => {
            let mandate = store::lock(tx, id).await?;
            let anew = mandate.is_none_or(|mandate| !mandate.is_signed_for(Scheme::Core));
            store::set_scheme(tx, id, Scheme::Core.name(), anew).await?;
        }
    }
    Ok(())
}

/// A mandate that the caller may see. Errors: [`MandateError::NotFound`].
pub(crate) async fn get(d: &Billing, caller: &Caller, id: Uuid) -> BillingResult<Mandate> {
    let scope = (!caller.is_admin()).then_some(caller.company);
    store::find(d.db.read(), id, scope).await?.ok_or_else(|| MandateError::NotFound.into())
}

/// The mandate of a customer's account, made when it has none; those of its other accounts end.
///
/// Errors: `IdentityError::CompanyNotFound`, [`MandateError`] `IbanMissing`, `CreditorIncomplete`.
pub async fn make(d: &Billing, by: Option<(&Caller, &Origin)>, company: CompanyId) -> BillingResult<Mandate> {
    make_of(d, by, company, None).await
}

/// The same of this type: recurrent, or for a single debit (OOFF). Where another type stands, or its single use is past, it is a
/// new mandate.
pub(crate) async fn make_of(
    d: &Billing,
    by: Option<(&Caller, &Origin)>,
    company: CompanyId,
    sequence: Option<Sequence>,
) -> BillingResult<Mandate> {
    issuer(d).await?;
    let tx = d.db.write().await?;
    atalaya_db::lock_row(&tx, "company", company.0).await?;
    let party = accounts::find(&d.identity, company).await?;
    if party.company.kind != CompanyKind::Customer {
        return Err(IdentityError::CompanyNotFound.into());
    }
    let account = party.account.as_ref().ok_or(MandateError::IbanMissing)?;
    let standing: Vec<Mandate> =
        store::of_companies(&*tx, &[company]).await?.into_iter().filter(|mandate| mandate.status.stands()).collect();
    let used_up = |mandate: &Mandate| mandate.sequence == Sequence::Ooff && mandate.last_used_at.is_some();
    let of_type = |mandate: &Mandate| sequence.is_none_or(|sequence| mandate.sequence == sequence);
    let same =
        |mandate: &&Mandate| mandate.account == account.id && of_type(mandate) && !used_up(mandate) && !is_another_s(mandate);
    if let Some(there) = standing.iter().find(same) {
        return Ok(there.clone());
    }
    let now = d.sources.now();
    // The bank of the debtor knows what was used: the next debit says that the account changed.
    let before = store::of_companies(&*tx, &[company]).await?.into_iter().next();
    let follows = before.filter(|before| {
        let ended = before.status == MandateStatus::Cancelled && before.reason.as_deref() == Some(ACCOUNT_CHANGED);
        let alike = before.scheme == Scheme::Core && before.sequence == Sequence::Rcur && sequence != Some(Sequence::Ooff);
        let same_debtor = before.debtor_nif == party.company.cif;
        alike && same_debtor && before.account != account.id && (ended || before.status.stands())
    });
    let follows = follows.and_then(|before| if before.last_used_at.is_some() { Some(before.umr) } else { before.follows });
    for old in &standing {
        let why = if old.account == account.id { "REPLACED" } else { ACCOUNT_CHANGED };
        store::set_status(&tx, old.id, MandateStatus::Cancelled, Some(why), now).await?;
    }
    let nth = i64::try_from(store::count_of(&tx, company).await?).unwrap_or(i64::MAX - 1) + 1;
    let mandate = Mandate {
        id: d.sources.uuid(),
        umr: umr(store::customer_number(&tx, company).await?, nth),
        company,
        account: account.id,
        scheme: Scheme::Core,
        sequence: sequence.unwrap_or(Sequence::Rcur),
        status: MandateStatus::Active,
        signed_at: None,
        signature: None,
        masked_iban: account.masked.clone(),
        debtor_name: party.company.name.clone(),
        debtor_nif: party.company.cif.clone(),
        created_at: now,
        last_used_at: None,
        reason: None,
        document_name: None,
        follows,
    };
    store::insert(&tx, &mandate, by.map(|(caller, _)| caller.user)).await?;
    note(d, &tx, Action::MandateCreated, &mandate, by).await?;
    tx.commit().await?;
    Ok(mandate)
}

pub(super) async fn note(
    d: &Billing,
    tx: &Tx,
    what: Action,
    mandate: &Mandate,
    by: Option<(&Caller, &Origin)>,
) -> BillingResult<()> {
    let mut entry = Entry::company(what, mandate.company).detail(json!({"umr": mandate.umr, "scheme": mandate.scheme.name()}));
    if let Some((caller, origin)) = by {
        entry = entry.by(caller).from(origin.address);
    }
    Ok(audit::service::record(&d.identity, tx, entry).await?)
}

/// Who collects. Errors: [`MandateError::CreditorIncomplete`].
pub(crate) async fn issuer(d: &Billing) -> BillingResult<(Party, CreditorId)> {
    let platform = accounts::platform(&d.identity).await?;
    let missing = issuer_missing(&platform);
    match creditor_id(&platform) {
        Some(creditor) if missing.is_empty() => Ok((platform, creditor)),
        _ => Err(MandateError::CreditorIncomplete(missing).into()),
    }
}

/// Fields of the platform company without which nothing can be collected.
pub(crate) fn issuer_missing(platform: &Party) -> Vec<&'static str> {
    let company = &platform.company;
    let empty = |text: &Option<String>| text.as_deref().is_none_or(|text| text.trim().is_empty());
    let fields = [
        ("cif", creditor_id(platform).is_none()),
        ("address", empty(&company.address)),
        ("postalCode", empty(&company.postal_code)),
        ("city", empty(&company.city)),
        ("bankAccount", platform.account.is_none()),
    ];
    fields.into_iter().filter_map(|(field, missing)| missing.then_some(field)).collect()
}

/// The mandate as PDF. Errors: [`MandateError::CreditorIncomplete`].
pub(crate) async fn pdf(d: &Billing, mandate: &Mandate) -> BillingResult<Vec<u8>> {
    let (platform, creditor) = issuer(d).await?;
    let debtor = accounts::find(&d.identity, mandate.company).await?;
    let notice_days = mandate.notice_days(d.settings.sepa.notice_days);
    document::pdf(mandate, &platform, &debtor, (creditor.as_str(), notice_days, None)).await
}

/// The form to print and sign: with the whole account number and BIC, which banks want to read, and the place. A number
/// under the secret is left blank.
///
/// Errors: [`MandateError::CreditorIncomplete`], [`MandateError::Outdated`].
pub(crate) async fn form(d: &Billing, mandate: &Mandate) -> BillingResult<Vec<u8>> {
    let (platform, creditor) = issuer(d).await?;
    let debtor = accounts::find(&d.identity, mandate.company).await?;
    if debtor.account.as_ref().map(|account| account.id) != Some(mandate.account) {
        return Err(MandateError::Outdated.into());
    }
    let form = document::Form {
        iban: accounts::iban(&d.identity, &debtor).map(|iban| in_fours(iban.as_str())).unwrap_or_default(),
        bic: debtor.bic.clone(),
        place: debtor.company.city.clone(),
    };
    let notice_days = mandate.notice_days(d.settings.sepa.notice_days);
    document::pdf(mandate, &platform, &debtor, (creditor.as_str(), notice_days, Some(form))).await
}

/// Ends a mandate. Errors: [`MandateError`] `NotFound`, `Ended`.
pub(crate) async fn cancel(
    d: &Billing,
    caller: &Caller,
    origin: &Origin,
    id: Uuid,
    reason: Option<&str>,
) -> BillingResult<Mandate> {
    let mandate = get(d, caller, id).await?;
    let tx = d.db.write().await?;
    if !store::set_status(&tx, id, MandateStatus::Cancelled, reason, d.sources.now()).await? {
        return Err(MandateError::Ended.into());
    }
    note(d, &tx, Action::MandateEnded, &mandate, Some((caller, origin))).await?;
    tx.commit().await?;
    get(d, caller, id).await
}

/// Takes a suspended mandate up again. Errors: [`MandateError`] `NotFound`, `Ended`.
pub(crate) async fn resume(d: &Billing, caller: &Caller, origin: &Origin, id: Uuid) -> BillingResult<Mandate> {
    let mandate = get(d, caller, id).await?;
    let tx = d.db.write().await?;
    if is_another_s(&mandate) {
        return Err(MandateError::Outdated.into());
    }
    if mandate.status != MandateStatus::Suspended
        || !store::set_status(&tx, id, MandateStatus::Active, None, d.sources.now()).await?
    {
        return Err(MandateError::Ended.into());
    }
    note(d, &tx, Action::MandateChanged, &mandate, Some((caller, origin))).await?;
    tx.commit().await?;
    get(d, caller, id).await
}

/// Changes the scheme of a mandate. Its debtor signs again, because the text differs.
///
/// Errors: [`MandateError`] `NotFound`, `Ended`.
pub(crate) async fn change_scheme(
    d: &Billing,
    caller: &Caller,
    origin: &Origin,
    id: Uuid,
    scheme: Scheme,
) -> BillingResult<Mandate> {
    let mandate = get(d, caller, id).await?;
    if !mandate.status.stands() {
        return Err(MandateError::Ended.into());
    }
    if mandate.scheme != scheme {
        let tx = d.db.write().await?;
        store::set_scheme(&tx, id, scheme.name(), !mandate.is_signed_for(scheme)).await?;
        note(d, &tx, Action::MandateChanged, &Mandate { scheme, ..mandate }, Some((caller, origin))).await?;
        tx.commit().await?;
    }
    get(d, caller, id).await
}

/// Ends mandates that were not used for 36 months; a failure is logged. Answers how many ended.
pub async fn expire(d: &Billing) -> BillingResult<usize> {
    let now = d.sources.now();
    let old = store::unused_since(d.db.read(), now - Months::new(UNUSED_MONTHS), 500).await?;
    let mut ended = 0;
    for mandate in &old {
        match expire_one(d, mandate).await {
            Ok(()) => ended += 1,
            Err(error) => tracing::error!(mandate = mandate.umr, %error, "a mandate is not ended"),
        }
    }
    Ok(ended)
}

async fn expire_one(d: &Billing, mandate: &Mandate) -> BillingResult<()> {
    let tx = d.db.write().await?;
    if store::set_status(&tx, mandate.id, MandateStatus::Expired, Some("UNUSED"), d.sources.now()).await? {
        note(d, &tx, Action::MandateEnded, mandate, None).await?;
    }
    Ok(tx.commit().await?)
}

/// Ends mandates of former accounts: the company's account was cleared, or replaced and has no mandate yet. Nothing is debited
/// under them meanwhile. Answers how many ended.
pub async fn end_outdated(d: &Billing) -> BillingResult<usize> {
    const AT_ONCE: u64 = 500;
    let (mut ended, mut from) = (0, Uuid::nil());
    loop {
        let standing = store::standing_after(d.db.read(), from, AT_ONCE).await?;
        let Some(last) = standing.last() else { return Ok(ended) };
        from = last.id;
        let companies: Vec<CompanyId> = standing.iter().map(|mandate| mandate.company).collect();
        let parties = accounts::list(&d.identity, &companies).await?;
        for mandate in &standing {
            let account = parties.get(&mandate.company).and_then(|party| party.account.as_ref());
            // No account gets an earlier one's id back, so this cannot become wrong meanwhile.
            if account.is_some_and(|account| account.id == mandate.account) {
                continue;
            }
            let tx = d.db.write().await?;
            if store::set_status(&tx, mandate.id, MandateStatus::Cancelled, Some(ACCOUNT_CHANGED), d.sources.now()).await? {
                note(d, &tx, Action::MandateEnded, mandate, None).await?;
                ended += 1;
            }
            tx.commit().await?;
        }
    }
}
