//! Companies for the other rooms, and their changes.

use super::desk::{self, Edit, Ruling};
use super::form::{BankAccount, Checked};
use super::privileged::Privileged;
use super::profile::{self, Profile};
use crate::audit::{Action, Entry, service as audit};
pub use crate::directory::get_company;
use crate::directory::{self, BillingFacts, Company, CompanyChanges, CompanyRecord, NewCompany};
use crate::presence::service as presence;
use crate::terms_acceptance::{self as terms, Actor};
use crate::{Identity, IdentityError, IdentityResult, Origin, bank_accounts, insurers, sessions};
use atalaya_checks::iban::Iban;
use atalaya_db::Tx;
use atalaya_kernel::{CompanyId, CompanyKind, Status};
use atalaya_rest::Caller;
use serde_json::json;
use std::collections::HashMap;
use uuid::Uuid;

/// Companies of these ids, in no order; those that do not exist are absent.
pub async fn list_companies(identity: &Identity, ids: &[CompanyId]) -> IdentityResult<Vec<Company>> {
    directory::list_companies(identity.db.read(), ids).await
}

/// Which of these companies keep files for days of their own, and for how many.
pub async fn retention_days(identity: &Identity, ids: &[CompanyId]) -> IdentityResult<HashMap<CompanyId, i32>> {
    let (mut days, mut others) = (HashMap::new(), Vec::new());
    for id in ids {
        match identity.kept.company(*id) {
            Some(kept) => days.extend(kept.retention_days.map(|of| (*id, of))),
            None => others.push(*id),
        }
    }
    days.extend(directory::retention_days(identity.db.read(), &others).await?);
    Ok(days)
}

/// What these companies are called.
pub async fn names(identity: &Identity, ids: &[CompanyId]) -> IdentityResult<HashMap<CompanyId, String>> {
    directory::company_names(identity.db.read(), ids).await
}

/// Companies that keep files for longer than `days`, and for how many.
pub async fn list_retention(identity: &Identity, days: i64) -> IdentityResult<Vec<(CompanyId, i32)>> {
    directory::list_retention(identity.db.read(), i32::try_from(days).unwrap_or(i32::MAX)).await
}

/// Creates a company in the caller's transaction and answers its id. Its fields are checked already ([`super::form`]).
///
/// Errors: [`IdentityError::CompanyExists`].
pub async fn create_company(identity: &Identity, tx: &Tx, new: NewCompany) -> IdentityResult<CompanyId> {
    let id: CompanyId = identity.sources.id();
    let iban = new.iban.as_deref().map(Iban::parse).transpose();
    let iban = iban.map_err(|e| IdentityError::Corrupt(format!("the IBAN of a new company: {e:?}")))?;
    let sealed = iban.map(|iban| bank_accounts::seal(identity, id, &iban));
    directory::insert_company(&**tx, id, &new, sealed, identity.sources.now()).await?;
    Ok(id)
}

/// The platform company; `None` before there is one.
pub async fn platform(identity: &Identity) -> IdentityResult<Option<Company>> {
    directory::find_platform(identity.db.read()).await
}

/// The platform company, created when there is none yet.
pub async fn platform_company(identity: &Identity, tx: &Tx) -> IdentityResult<CompanyId> {
    if let Some(platform) = directory::find_platform(&**tx).await? {
        return Ok(platform.id);
    }
    let mut new = NewCompany::named(CompanyKind::Platform, "Atalaya");
    new.status = Status::Active;
    create_company(identity, tx, new).await
}

/// A change of a company, checked.
#[derive(Clone, Debug, Default)]
pub struct Change {
    pub checked: Checked,
    /// Empty unless an administrator asks.
    pub privileged: Privileged,
    /// The terms that its principal accepts with it.
    pub accepted: Option<terms::Accepted>,
    /// The caller has a fresh proof of identity; another bank account needs one (PROOF-3).
    pub proved: bool,
}

/// Changes a company; the caller has passed its guard. Notifies its people when the change blocks or opens their menu.
///
/// Errors: [`IdentityError::CompanyNotFound`], [`IdentityError::CompanyExists`], 422 about `insuranceCompanies`,
/// [`IdentityError::FreshProofRequired`] for another bank account.
pub async fn update_company(
    d: &Identity,
    caller: &Caller,
    origin: &Origin,
    id: CompanyId,
    change: Change,
) -> IdentityResult<Profile> {
    let tx = d.db.write().await?;
    let locked = directory::lock_company(&tx, id).await?;
    let before = locked.record()?;
    let Change { checked, privileged, accepted, proved } = change;
    let iban = match &checked.bank_account {
        BankAccount::Keep => None,
        BankAccount::Clear => bank_accounts::account_change(d, &before, None),
        BankAccount::Set(iban) => bank_accounts::account_change(d, &before, Some(iban)),
    };
    if iban.is_some() && !proved {
        return Err(IdentityError::FreshProofRequired);
    }
    let edit = Edit { caller, origin, before: &before.company };
    let mut ruling = match d.fiscal_desk.get() {
        Some(desk) => desk.rule(&tx, edit, checked.texts).await?,
        None => Ruling { texts: checked.texts, ..Ruling::default() },
    };
    let told = ruling.after.take();
    let changes = CompanyChanges {
        iban,
        status: privileged.status,
        pay_start_at: privileged.pay_start_at,
        retention_days: privileged.retention_days,
        registry_data: privileged.registry_data,
        bic: privileged.bic,
        creditor_suffix: privileged.creditor_suffix,
        ..desk::changes(d, &tx, id, ruling).await?
    };
    let names = locked.change(&tx, changes).await?;
    if let Some(insurers) = privileged.insurers {
        insurers::service::set_insurers(d, &tx, caller, origin, id, &insurers).await?;
    }
    if let Some(accepted) = accepted {
        terms::accept(d, &tx, id, &accepted, &Actor::new(caller.user, caller.role).at(origin)).await?;
    }
    let record = directory::find_record(&*tx, id).await?.ok_or(IdentityError::CompanyNotFound)?;
    let account = account_id(&record);
    if account != account_id(&before)
        && let Some(watcher) = d.account_watch.get()
    {
        watcher.changed(d, &tx, id, account).await?;
    }
    let (before, after) = (before.company, record.company.clone());
    note(d, &tx, caller, origin, (&before, &after), &names).await?;
    let ended = !after.status.company_admits_log_in() && before.status.company_admits_log_in();
    if ended {
        sessions::end_of_company(&tx, id, d.sources.now()).await?;
    }
    let profile = profile::of_record(d, &*tx, record).await?;
    tx.commit().await?;
    told.into_iter().for_each(|tell| tell());
    presence::tell_billing(d, id, &before.billing, &after.billing).await;
    if ended {
        presence::company_changed(d, id).await;
    }
    Ok(profile)
}

fn account_id(record: &CompanyRecord) -> Option<Uuid> {
    record.account.as_ref().and_then(|account| account.id)
}

/// Entries of the log: one for the changed fields (their names only), one each for the bank account and the status.
async fn note(
    d: &Identity,
    tx: &Tx,
    caller: &Caller,
    origin: &Origin,
    (before, after): (&Company, &Company),
    names: &[&str],
) -> IdentityResult<()> {
    let entry = |action| Entry::company(action, after.id).by(caller).from(origin.address);
    let apart = ["bankAccount", "status"];
    let fields: Vec<&str> = names.iter().copied().filter(|name| !apart.contains(name)).collect();
    if !fields.is_empty() {
        audit::record(d, tx, entry(Action::CompanyChanged).detail(json!({"fields": fields}))).await?;
    }
    if names.contains(&"bankAccount") {
        let detail = json!({"set": after.billing.has_iban});
        audit::record(d, tx, entry(Action::IbanChanged).detail(detail)).await?;
    }
    if before.status != after.status {
        let detail = json!({"from": i16::from(before.status), "to": i16::from(after.status)});
        audit::record(d, tx, entry(Action::CompanyStatusChanged).detail(detail)).await?;
    }
    Ok(())
}

/// Changes a company's status without an actor, in the caller's transaction. Answers what to announce after the commit.
///
/// Errors: [`IdentityError::CompanyNotFound`].
pub async fn set_status(d: &Identity, tx: &Tx, id: CompanyId, status: Status) -> IdentityResult<StatusChanged> {
    let locked = directory::lock_company(tx, id).await?;
    let before = locked.record()?.company;
    locked.change(tx, CompanyChanges { status: Some(status), ..CompanyChanges::default() }).await?;
    let mut after = before.billing;
    after.status = status;
    if before.status != status {
        let detail = json!({"from": i16::from(before.status), "to": i16::from(status)});
        audit::record(d, tx, Entry::company(Action::CompanyStatusChanged, id).detail(detail)).await?;
    }
    Ok(StatusChanged { company: id, before: before.billing, after })
}

/// A change of status to be announced with [`announce_status`].
#[must_use = "open screens hear of it through `announce_status`, after the commit"]
#[derive(Clone, Debug)]
pub struct StatusChanged {
    pub(super) company: CompanyId,
    pub(super) before: BillingFacts,
    pub(super) after: BillingFacts,
}

/// Notifies the people of a company of a status changed without an actor; call it after the commit.
pub async fn announce_status(d: &Identity, changed: &StatusChanged) {
    presence::tell_billing(d, changed.company, &changed.before, &changed.after).await;
}
