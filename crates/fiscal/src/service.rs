//! Asking for other fiscal data, withdrawing, deciding, and changing at once.

use crate::documents::{self, Document};
use crate::history::present;
use crate::model::{Block, Consultation, Request, Status, check_since, is_another_taxpayer, tidy};
use crate::notices::{self, Outcome};
use crate::store::{self, End, NewProof, current};
use crate::versions::{self, NewVersion, standing_on};
use crate::{Fiscal, FiscalError, FiscalResult};
use atalaya_db::Tx;
use atalaya_identity::audit::{self, Action, Entry};
use atalaya_identity::companies::customers;
use atalaya_identity::companies::desk::{self, Edit, Ruling, Texts};
use atalaya_identity::companies::model::Company;
use atalaya_identity::companies::service::{self as companies, StatusChanged};
use atalaya_identity::{IdentityError, Origin};
use atalaya_kernel::limits::FISCAL_REQUESTS_A_DAY;
use atalaya_kernel::{CompanyId, calendar};
use atalaya_outreach::notifications::Told;
use atalaya_rest::Caller;
use atalaya_tariff::VatRegime;
use chrono::{NaiveDate, TimeDelta};
use serde_json::json;
use uuid::Uuid;

/// The span of [`FISCAL_REQUESTS_A_DAY`].
const DAY: TimeDelta = TimeDelta::days(1);

/// What somebody wants to be called, and since when.
pub(crate) struct Wish {
    /// Checked texts; what is in force already is left out.
    pub wanted: Texts,
    pub since: NaiveDate,
    pub note: Option<String>,
}

/// The company as it is, locked until the transaction ends.
///
/// Errors: `COMPANY_NOT_FOUND`.
async fn lock(d: &Fiscal, tx: &Tx, id: CompanyId) -> FiscalResult<Company> {
    atalaya_db::lock_row(tx, "company", id.0).await?;
    let found = companies::list_companies(&d.identity, &[id]).await?.pop();
    found.ok_or_else(|| IdentityError::CompanyNotFound.into())
}

/// The regime once a company, which was `before`, is called so: another postal code or country makes another one, otherwise it stays.
pub(crate) async fn regime_after(d: &Fiscal, company: &Company, before: &Block, after: &Block) -> FiscalResult<VatRegime> {
    match before.postal_code == after.postal_code && before.country == after.country {
        true => today_s_regime(d, company).await,
        false => Ok(after.regime(versions::issuer_place(d).await?)),
    }
}

pub(crate) async fn today_s_regime(d: &Fiscal, company: &Company) -> FiscalResult<VatRegime> {
    Ok(standing_on(d, company, calendar::day(d.sources.now())).await?.regime)
}

/// Writes a request of a locked company; one that wants the same and is open already answers itself.
///
/// Errors: [`FiscalError`] `Unchanged`, `Open`, `TooMany`, `DateInFuture`, `DateBeforeVersion`.
pub(crate) async fn open(d: &Fiscal, tx: &Tx, edit: Edit<'_>, wish: Wish, proof: Option<NewProof>) -> FiscalResult<Request> {
    let (company, now) = (edit.before, d.sources.now());
    if wish.wanted.is_empty() {
        return Err(FiscalError::Unchanged);
    }
    if let Some(id) = company.fiscal_request {
        let there = store::find(&**tx, id, Some(company.id)).await?.ok_or(FiscalError::NotFound)?;
        let block = Block::of(company);
        let same = block.with(&there.wanted) == block.with(&wish.wanted);
        return if same && proof.is_none() { Ok(there) } else { Err(FiscalError::Open) };
    }
    let last = store::last(&**tx, company.id).await?.and_then(|version| version.valid_from);
    check_since(wish.since, calendar::day(now), last)?;
    if store::count_since(&**tx, company.id, now - DAY).await? >= FISCAL_REQUESTS_A_DAY as u64 {
        return Err(FiscalError::TooMany { retry_after_s: DAY.num_seconds().unsigned_abs() });
    }
    let request = Request {
        id: d.sources.uuid(),
        company: company.id,
        status: Status::Open,
        since: wish.since,
        wanted: wish.wanted,
        note: wish.note,
        proof: proof.as_ref().map(|new| new.proof.clone()),
        asked_by: edit.caller.user,
        asked_at: now,
        decided_by: None,
        decided_at: None,
        answer: None,
    };
    store::insert_request(tx, &request, proof).await?;
    note(d, tx, Action::FiscalRequested, &request, edit.caller, edit.origin).await?;
    Ok(request)
}

/// An entry of the log: the names of the fields, never their values.
async fn note(d: &Fiscal, tx: &Tx, what: Action, request: &Request, caller: &Caller, origin: &Origin) -> FiscalResult<()> {
    let fields: Vec<&str> = request.wanted.iter().map(|(field, _)| field.wire()).collect();
    let entry = Entry::company(what, request.company).by(caller).from(origin.address);
    let detail = json!({"fields": fields, "since": request.since});
    Ok(audit::service::record(&d.identity, tx, entry.detail(detail)).await?)
}

/// Asks for other fiscal data, with the document that proves them.
///
/// Errors: those of [`open`], `COMPANY_NOT_FOUND`.
pub(crate) async fn ask(
    d: &Fiscal,
    caller: &Caller,
    origin: &Origin,
    company: CompanyId,
    mut wish: Wish,
    document: &Document,
) -> FiscalResult<Request> {
    let proof = documents::keep(d, document).await?;
    let stored = proof.id;
    let asked = async {
        let tx = d.db.write().await?;
        let before = lock(d, &tx, company).await?;
        let block = Block::of(&before);
        let changed = block.differing(&block.with(&wish.wanted));
        wish.wanted.retain(|(field, _)| changed.contains(field));
        let request = open(d, &tx, Edit { caller, origin, before: &before }, wish, Some(proof)).await?;
        let ruling = Ruling { request: Some(Some(request.id)), ..Ruling::default() };
        desk::write(&d.identity, &tx, company, ruling).await.map(drop)?;
        let told = notices::asked(d, &tx, &before, &request).await?;
        tx.commit().await?;
        finish(d, told);
        Ok(request)
    };
    let asked: FiscalResult<Request> = asked.await;
    if asked.is_err() {
        documents::forget(d, stored).await;
    }
    asked
}

/// Adds the document to a request that a form made without one; now it can be decided.
///
/// Errors: [`FiscalError`] `NotFound`, `Closed`, `DocumentKept`.
pub(crate) async fn attach(d: &Fiscal, caller: &Caller, id: Uuid, document: &Document) -> FiscalResult<Request> {
    let request = get(d, caller, id).await?;
    refuse_closed(&request)?;
    if request.proof.is_some() {
        return Err(FiscalError::DocumentKept);
    }
    let proof = documents::keep(d, document).await?;
    let attached = async {
        let tx = d.db.write().await?;
        let company = lock(d, &tx, request.company).await?;
        if !store::set_proof(&tx, id, &proof).await? {
            let now = store::find(&*tx, id, None).await?.ok_or(FiscalError::NotFound)?;
            refuse_closed(&now)?;
            return Err(FiscalError::DocumentKept);
        }
        let told = notices::asked(d, &tx, &company, &request).await?;
        tx.commit().await?;
        finish(d, told);
        Ok(())
    };
    let attached: FiscalResult<()> = attached.await;
    if let Err(error) = attached {
        documents::forget(d, proof.id).await;
        return Err(error);
    }
    get(d, caller, id).await
}

/// Messages go out and open screens are notified.
fn finish(d: &Fiscal, told: Told) {
    d.outreach.announce(told);
    d.identity.outbox.wake();
}

fn refuse_closed(request: &Request) -> FiscalResult<()> {
    if request.status == Status::Open { Ok(()) } else { Err(FiscalError::Closed) }
}

/// A request that the caller may see. Errors: [`FiscalError::NotFound`].
pub(crate) async fn get(d: &Fiscal, caller: &Caller, id: Uuid) -> FiscalResult<Request> {
    let scope = (!caller.is_admin()).then_some(caller.company);
    store::find(d.db.read(), id, scope).await?.ok_or(FiscalError::NotFound)
}

/// The company takes its request back. Errors: [`FiscalError`] `NotFound`, `Closed`.
pub(crate) async fn withdraw(d: &Fiscal, caller: &Caller, origin: &Origin, id: Uuid) -> FiscalResult<Request> {
    let request = get(d, caller, id).await?;
    let tx = d.db.write().await?;
    lock(d, &tx, request.company).await?;
    let end = End { status: Status::Withdrawn, by: caller.user, at: d.sources.now(), answer: None };
    if !store::end(&tx, id, end).await? {
        return Err(FiscalError::Closed);
    }
    desk::write(&d.identity, &tx, request.company, Ruling { request: Some(None), ..Ruling::default() }).await.map(drop)?;
    note(d, &tx, Action::FiscalWithdrawn, &request, caller, origin).await?;
    tx.commit().await?;
    get(d, caller, id).await
}

/// What the administrator says of a request.
pub(crate) struct Decision {
    pub approves: bool,
    /// Required of a refusal.
    pub reason: Option<String>,
    /// Another day than the one that was asked for.
    pub since: Option<NaiveDate>,
    /// Another regime than the postal code makes.
    pub regime: Option<VatRegime>,
}

/// Approves or refuses a request.
///
/// Errors: [`FiscalError`] `NotFound`, `Closed`, `DocumentMissing`, `ReasonRequired`, `TooLong`, `DateInFuture`,
/// `DateBeforeVersion`; `COMPANY_EXISTS`.
pub(crate) async fn decide(d: &Fiscal, caller: &Caller, origin: &Origin, id: Uuid, decision: Decision) -> FiscalResult<Request> {
    let reason = tidy("reason", decision.reason.as_deref())?;
    let company = get(d, caller, id).await?.company;
    let tx = d.db.write().await?;
    let before = lock(d, &tx, company).await?;
    let request = store::find(&*tx, id, None).await?.ok_or(FiscalError::NotFound)?;
    refuse_closed(&request)?;
    let (status, what) = match decision.approves {
        true => (Status::Approved, Action::FiscalApproved),
        false => (Status::Refused, Action::FiscalRefused),
    };
    if decision.approves && request.proof.is_none() {
        return Err(FiscalError::DocumentMissing);
    }
    if !decision.approves && reason.is_none() {
        return Err(FiscalError::ReasonRequired);
    }
    let request = Request { since: decision.since.filter(|_| decision.approves).unwrap_or(request.since), ..request };
    let end = End { status, by: caller.user, at: d.sources.now(), answer: reason.as_deref() };
    if !store::end(&tx, id, end).await? {
        return Err(FiscalError::Closed);
    }
    note(d, &tx, what, &request, caller, origin).await?;
    let (changed, told) = if decision.approves {
        let change = Change {
            since: request.since,
            wanted: request.wanted.clone(),
            regime: decision.regime,
            country: None,
            vies: None,
            reason,
            outcome: Outcome::Approved,
        };
        apply(d, &tx, caller, &before, change, Some(&request)).await?
    } else {
        let changed = desk::write(&d.identity, &tx, company, Ruling { request: Some(None), ..Ruling::default() }).await?;
        let refused = Outcome::Refused(reason.as_deref().unwrap_or_default());
        (changed, notices::tell_company(d, &tx, &before, refused, false).await?)
    };
    tx.commit().await?;
    companies::announce_status(&d.identity, &changed).await;
    finish(d, told);
    get(d, caller, id).await
}

/// What an administrator writes of a company.
pub(crate) struct Change<'a> {
    pub since: NaiveDate,
    pub wanted: Texts,
    pub regime: Option<VatRegime>,
    /// Of the tax id, where an administrator says it (none: Spain); otherwise the country stays as long as the tax id does.
    pub country: Option<Option<String>>,
    pub vies: Option<Consultation>,
    pub reason: Option<String>,
    pub outcome: Outcome<'a>,
}

/// Asks VIES about a VAT number that is to be written; nothing while it is not configured, or the number is no news.
///
/// Errors: [`FiscalError`] `VatNumberUnknown`, `ViesUnavailable`.
async fn consult(d: &Fiscal, present: &Block, change: &Change<'_>) -> FiscalResult<Option<Consultation>> {
    let (Some(vies), Some(Some(country))) = (d.vies.get(), &change.country) else { return Ok(None) };
    let after = present.with(&change.wanted);
    let same = after.cif == present.cif && present.country.as_ref() == Some(country);
    match after.cif.filter(|_| !same && atalaya_checks::country::is_in_union(country)) {
        Some(number) => {
            let issuer = customers::issuer_tax_id(&d.identity).await?;
            vies.consult(country, &number, issuer.as_deref(), d.sources.now()).await.map(Some)
        }
        None => Ok(None),
    }
}

/// Changes a company's fiscal data at once, with a day and a reason (FISCAL-6).
///
/// Errors: `COMPANY_NOT_FOUND`, `COMPANY_EXISTS`; [`FiscalError`] `Unchanged`, `ReasonRequired`, `TooLong`, `DateInFuture`,
/// `DateBeforeVersion`, `VatNumberUnknown`, `ViesUnavailable`.
pub(crate) async fn change(
    d: &Fiscal,
    caller: &Caller,
    origin: &Origin,
    company: CompanyId,
    change: Change<'_>,
) -> FiscalResult<()> {
    let reason = tidy("reason", change.reason.as_deref())?.ok_or(FiscalError::ReasonRequired)?;
    // Nobody waits for another service inside a transaction.
    let (present, _) = present(d, company).await?;
    let vies = consult(d, &present, &change).await?;
    let tx = d.db.write().await?;
    let before = lock(d, &tx, company).await?;
    let block = current(&*tx, &before).await?;
    let fields = block.differing(&block.with(&change.wanted));
    let moved = change.country.as_ref().is_some_and(|country| *country != block.country);
    let regime = today_s_regime(d, &before).await?;
    if fields.is_empty() && !moved && change.regime.is_none_or(|new| new == regime) {
        return Err(FiscalError::Unchanged);
    }
    let mut names: Vec<&str> = fields.iter().map(|field| field.wire()).collect();
    if moved {
        names.push("country");
    }
    if change.regime.is_some_and(|new| new != regime) {
        names.push("regime");
    }
    let detail = json!({"fields": names, "since": change.since});
    let entry = Entry::company(Action::FiscalChanged, company).by(caller).from(origin.address).detail(detail);
    audit::service::record(&d.identity, &tx, entry).await?;
    let (changed, told) = apply(d, &tx, caller, &before, Change { reason: Some(reason), vies, ..change }, None).await?;
    tx.commit().await?;
    companies::announce_status(&d.identity, &changed).await;
    finish(d, told);
    Ok(())
}

/// Writes the version and the company, and what follows from another tax id.
async fn apply(
    d: &Fiscal,
    tx: &Tx,
    caller: &Caller,
    before: &Company,
    change: Change<'_>,
    request: Option<&Request>,
) -> FiscalResult<(StatusChanged, Told)> {
    let last = store::last(&**tx, before.id).await?.and_then(|version| version.valid_from);
    check_since(change.since, calendar::day(d.sources.now()), last)?;
    let block = current(&**tx, before).await?;
    let mut after = block.with(&change.wanted).home_with(&block);
    if let Some(country) = change.country {
        after.country = country;
    }
    let anew = is_another_taxpayer(before.kind, &block, &after);
    let regime = match change.regime {
        Some(regime) => regime,
        None => regime_after(d, before, &block, &after).await?,
    };
    let new = NewVersion {
        since: change.since,
        block: after,
        regime,
        reason: change.reason,
        vies: change.vies,
        asked_by: request.map_or(caller.user, |request| request.asked_by),
        approved_by: caller.user,
        request: request.map(|request| request.id),
    };
    let version = versions::add(d, tx, before, new).await?;
    let ruling = Ruling { texts: change.wanted, request: request.map(|_| None), version: Some(version), anew, after: None };
    let changed = desk::write(&d.identity, tx, before.id, ruling).await?;
    if anew {
        tell_tax_id(d, tx, before.id).await?;
    }
    Ok((changed, notices::tell_company(d, tx, before, change.outcome, anew).await?))
}

/// Whoever depends on the tax id is notified within the transaction.
pub(crate) async fn tell_tax_id(d: &Fiscal, tx: &Tx, company: CompanyId) -> FiscalResult<()> {
    match d.tax_id_watch.get() {
        Some(watcher) => watcher.tax_id_changed(&d.identity, tx, company).await,
        None => Ok(()),
    }
}
