//! Making, signing and ending mandates, and what the other rooms read of them.

use super::model::{Mandate, MandateFacts, MandateStatus, UNUSED_MONTHS, scheme_name, umr};
pub(crate) use super::signing::{SignedPaper, evidence, paper, sign};
use super::{document, store};
use crate::{Billing, BillingResult};
use async_trait::async_trait;
use atalaya_db::Tx;
use atalaya_identity::audit::{self, Action, Entry};
use atalaya_identity::auth::service::Origin;
use atalaya_identity::companies::account_watch::AccountWatcher;
use atalaya_identity::companies::accounts::{self, Party};
use atalaya_identity::{Identity, IdentityError, IdentityResult};
use atalaya_kernel::{CompanyId, CompanyKind};
use atalaya_rest::{Caller, FieldError, Problem};
use atalaya_sepa::{CreditorId, Scheme, Sequence};
use chrono::Months;
use serde_json::json;
use std::collections::HashMap;
use std::sync::Arc;
use uuid::Uuid;

/// 404 `MANDATE_NOT_FOUND`.
pub(crate) fn not_found() -> Problem {
    Problem::not_found("MANDATE_NOT_FOUND")
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

/// What invoices of these companies say about their debit; absent where nothing may be debited now.
pub async fn active_of_many(d: &Billing, ids: &[CompanyId]) -> BillingResult<HashMap<CompanyId, MandateFacts>> {
    let platform = accounts::platform(&d.identity).await?;
    let Some(creditor) = creditor_id(&platform) else { return Ok(HashMap::new()) };
    let parties = accounts::list(&d.identity, ids).await?;
    let now = d.sources.now();
    let facts = latest(d, ids).await?.into_iter().filter_map(|(company, mandate)| {
        let account = parties.get(&company)?.account.as_ref()?;
        mandate.refusal(account.id, now).is_none().then(|| {
            let facts = MandateFacts {
                umr: mandate.umr,
                scheme: mandate.scheme,
                masked_iban: account.masked.clone(),
                creditor_id: creditor.as_str().to_owned(),
                signed_at: mandate.signed_at,
            };
            (company, facts)
        })
    });
    Ok(facts.collect())
}

/// The same of one company.
pub async fn active_of(d: &Billing, company: CompanyId) -> BillingResult<Option<MandateFacts>> {
    Ok(active_of_many(d, &[company]).await?.remove(&company))
}

/// A mandate that the caller may see. Errors: 404 `MANDATE_NOT_FOUND`, also another tenant's.
pub(crate) async fn get(d: &Billing, caller: &Caller, id: Uuid) -> BillingResult<Mandate> {
    let scope = (!caller.is_admin()).then_some(caller.company);
    Ok(store::find(d.db.read(), id, scope).await?.ok_or_else(not_found)?)
}

/// The mandate of a customer's account, made when it has none; those of its other accounts end.
///
/// Errors: 404 `COMPANY_NOT_FOUND`, 409 `IBAN_MISSING`, 409 `ISSUER_INCOMPLETE`.
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
        return Err(Problem::not_found("COMPANY_NOT_FOUND").into());
    }
    let account = party.account.as_ref().ok_or_else(|| Problem::conflict("IBAN_MISSING"))?;
    let standing: Vec<Mandate> =
        store::of_companies(&*tx, &[company]).await?.into_iter().filter(|mandate| mandate.status.stands()).collect();
    let used_up = |mandate: &Mandate| mandate.sequence == Sequence::Ooff && mandate.last_used_at.is_some();
    let of_type = |mandate: &Mandate| sequence.is_none_or(|sequence| mandate.sequence == sequence);
    let same = |mandate: &&Mandate| mandate.account == account.id && of_type(mandate) && !used_up(mandate);
    if let Some(there) = standing.iter().find(same) {
        return Ok(there.clone());
    }
    let now = d.sources.now();
    for old in &standing {
        let why = if old.account == account.id { "REPLACED" } else { "ACCOUNT_CHANGED" };
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
    let mut entry =
        Entry::company(what, mandate.company).detail(json!({"umr": mandate.umr, "scheme": scheme_name(mandate.scheme)}));
    if let Some((caller, origin)) = by {
        entry = entry.by(caller).from(origin.address);
    }
    Ok(audit::service::record(&d.identity, tx, entry).await?)
}

/// Who collects. Errors: 409 `ISSUER_INCOMPLETE` with the fields that are missing.
pub(crate) async fn issuer(d: &Billing) -> BillingResult<(Party, CreditorId)> {
    let platform = accounts::platform(&d.identity).await?;
    let missing = issuer_missing(&platform);
    match creditor_id(&platform) {
        Some(creditor) if missing.is_empty() => Ok((platform, creditor)),
        _ => {
            let problem = Problem::conflict("ISSUER_INCOMPLETE");
            let fields = missing.into_iter().map(|field| FieldError::new(field, "REQUIRED"));
            Err(fields.fold(problem, Problem::field_error).into())
        }
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

/// The mandate as PDF. Errors: 409 `ISSUER_INCOMPLETE`.
pub(crate) async fn pdf(d: &Billing, mandate: &Mandate) -> BillingResult<Vec<u8>> {
    let (platform, creditor) = issuer(d).await?;
    let debtor = accounts::find(&d.identity, mandate.company).await?;
    document::pdf(d, mandate, &platform, &debtor, (creditor.as_str(), None)).await
}

/// The form that is printed and signed by hand: with the whole account number and BIC, which a bank wants to read, and the
/// place. A number under the secret is left to be written in.
///
/// Errors: 409 `ISSUER_INCOMPLETE`, `MANDATE_OUTDATED` when the account is another one by now.
pub(crate) async fn form(d: &Billing, mandate: &Mandate) -> BillingResult<Vec<u8>> {
    let (platform, creditor) = issuer(d).await?;
    let debtor = accounts::find(&d.identity, mandate.company).await?;
    if debtor.account.as_ref().map(|account| account.id) != Some(mandate.account) {
        return Err(Problem::conflict("MANDATE_OUTDATED").into());
    }
    let form = document::Form {
        iban: accounts::iban(&d.identity, &debtor).map(|iban| document::grouped(iban.as_str())).unwrap_or_default(),
        bic: debtor.bic.clone(),
        place: debtor.company.city.clone(),
    };
    document::pdf(d, mandate, &platform, &debtor, (creditor.as_str(), Some(form))).await
}

/// Ends mandates in the transaction that takes their account away.
struct EndMandates;

/// Who is told by identity that a company's account is another one.
pub fn account_watcher() -> Arc<dyn AccountWatcher> {
    Arc::new(EndMandates)
}

#[async_trait]
impl AccountWatcher for EndMandates {
    async fn changed(&self, d: &Identity, tx: &Tx, company: CompanyId, account: Option<Uuid>) -> IdentityResult<()> {
        let wrong = |error: crate::BillingError| match error {
            crate::BillingError::Db(error) => IdentityError::from(error),
            other => IdentityError::from(Problem::from(other)),
        };
        for mandate in store::of_companies(&**tx, &[company]).await.map_err(wrong)? {
            let ends = mandate.status.stands() && Some(mandate.account) != account;
            let now = d.sources.now();
            if ends && store::set_status(tx, mandate.id, MandateStatus::Cancelled, Some("ACCOUNT_CHANGED"), now).await? {
                let detail = json!({"umr": mandate.umr, "scheme": scheme_name(mandate.scheme)});
                audit::service::record(d, tx, Entry::company(Action::MandateEnded, company).detail(detail)).await?;
            }
        }
        Ok(())
    }
}

/// Ends a mandate. Errors: 404 `MANDATE_NOT_FOUND`, 409 `MANDATE_ENDED`.
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
        return Err(Problem::conflict("MANDATE_ENDED").into());
    }
    note(d, &tx, Action::MandateEnded, &mandate, Some((caller, origin))).await?;
    tx.commit().await?;
    get(d, caller, id).await
}

/// Takes a suspended mandate up again. Errors: 404 `MANDATE_NOT_FOUND`, 409 `MANDATE_ENDED`.
pub(crate) async fn resume(d: &Billing, caller: &Caller, origin: &Origin, id: Uuid) -> BillingResult<Mandate> {
    let mandate = get(d, caller, id).await?;
    let tx = d.db.write().await?;
    if mandate.status != MandateStatus::Suspended
        || !store::set_status(&tx, id, MandateStatus::Active, None, d.sources.now()).await?
    {
        return Err(Problem::conflict("MANDATE_ENDED").into());
    }
    note(d, &tx, Action::MandateChanged, &mandate, Some((caller, origin))).await?;
    tx.commit().await?;
    get(d, caller, id).await
}

/// Puts a mandate under the other scheme. To B2B its debtor signs anew, because the text is another one.
///
/// Errors: 404 `MANDATE_NOT_FOUND`, 409 `MANDATE_ENDED`.
pub(crate) async fn change_scheme(
    d: &Billing,
    caller: &Caller,
    origin: &Origin,
    id: Uuid,
    scheme: Scheme,
) -> BillingResult<Mandate> {
    let mandate = get(d, caller, id).await?;
    if !mandate.status.stands() {
        return Err(Problem::conflict("MANDATE_ENDED").into());
    }
    if mandate.scheme != scheme {
        let tx = d.db.write().await?;
        store::set_scheme(&tx, id, scheme_name(scheme), scheme == Scheme::B2b).await?;
        note(d, &tx, Action::MandateChanged, &Mandate { scheme, ..mandate }, Some((caller, origin))).await?;
        tx.commit().await?;
    }
    get(d, caller, id).await
}

/// Ends those that nobody used for 36 months; what fails for one is logged. Answers how many.
pub(crate) async fn expire(d: &Billing) -> BillingResult<usize> {
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

/// Ends those whose account is not its company's any more: it was cleared, or is another one for which no mandate was made
/// yet. They debit nothing since then. Answers how many.
pub(crate) async fn end_outdated(d: &Billing) -> BillingResult<usize> {
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
            if store::set_status(&tx, mandate.id, MandateStatus::Cancelled, Some("ACCOUNT_CHANGED"), d.sources.now()).await? {
                note(d, &tx, Action::MandateEnded, mandate, None).await?;
                ended += 1;
            }
            tx.commit().await?;
        }
    }
}
