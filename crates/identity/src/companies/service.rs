//! Companies for the other rooms, and their changes.

use super::form::{BankAccount, Checked};
use super::legal::{self, Actor};
use super::model::{BillingFacts, Company, NewCompany};
use super::privileged::Privileged;
use super::profile::{self, Profile};
use super::store::{self, Changes, SealedIban};
use crate::audit::{Action, Entry, service as audit};
use crate::auth::service::Origin;
use crate::events::MenuState;
use crate::presence::service as presence;
use crate::{Identity, IdentityError, IdentityResult, insurance};
use atalaya_checks::iban::Iban;
use atalaya_db::Tx;
use atalaya_kernel::{CompanyId, CompanyKind, Status};
use atalaya_rest::Caller;
use serde_json::json;
use std::collections::HashMap;

/// A company, whoever asks; the caller has checked the tenant.
///
/// Errors: [`IdentityError::CompanyNotFound`].
pub async fn get_company(identity: &Identity, id: CompanyId) -> IdentityResult<Company> {
    store::find_company(identity.db.read(), id).await?.ok_or(IdentityError::CompanyNotFound)
}

/// Companies of these ids, in no order; those that do not exist are absent.
pub async fn list_companies(identity: &Identity, ids: &[CompanyId]) -> IdentityResult<Vec<Company>> {
    store::list_companies(identity.db.read(), ids).await
}

/// Which of these companies keep files for days of their own, and for how many.
pub async fn retention_days(identity: &Identity, ids: &[CompanyId]) -> IdentityResult<HashMap<CompanyId, i32>> {
    store::retention_days(identity.db.read(), ids).await
}

/// What these companies are called.
pub async fn names(identity: &Identity, ids: &[CompanyId]) -> IdentityResult<HashMap<CompanyId, String>> {
    store::names(identity.db.read(), ids).await
}

/// Companies that keep files for longer than `days`, and for how many.
pub async fn list_retention(identity: &Identity, days: i64) -> IdentityResult<Vec<(CompanyId, i32)>> {
    store::list_retention(identity.db.read(), i32::try_from(days).unwrap_or(i32::MAX)).await
}

/// Creates a company in the caller's transaction and answers its id. Its fields are checked already ([`super::form`]).
///
/// Errors: [`IdentityError::CompanyExists`].
pub async fn create_company(identity: &Identity, tx: &Tx, new: NewCompany) -> IdentityResult<CompanyId> {
    let id: CompanyId = identity.sources.id();
    let iban = new.iban.as_deref().map(Iban::parse).transpose();
    let iban = iban.map_err(|e| IdentityError::Corrupt(format!("the IBAN of a new company: {e:?}")))?;
    let sealed = iban.map(|iban| seal(identity, id, &iban));
    store::insert_company(&**tx, id, &new, sealed, identity.sources.now()).await?;
    Ok(id)
}

/// The platform company; `None` before there is one.
pub async fn platform(identity: &Identity) -> IdentityResult<Option<Company>> {
    store::find_platform(identity.db.read()).await
}

/// The platform company, created when there is none yet.
pub async fn platform_company(identity: &Identity, tx: &Tx) -> IdentityResult<CompanyId> {
    if let Some(platform) = store::find_platform(&**tx).await? {
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
    pub accepted: Option<legal::Accepted>,
}

/// Changes a company; the caller has passed its guard. Tells the people of a company whose menu opens or closes by it.
///
/// Errors: [`IdentityError::CompanyNotFound`], [`IdentityError::CompanyExists`], 422 about `insuranceCompanies`.
pub async fn update_company(
    d: &Identity,
    caller: &Caller,
    origin: &Origin,
    id: CompanyId,
    change: Change,
) -> IdentityResult<Profile> {
    let tx = d.db.write().await?;
    let row = store::lock_company(&tx, id).await?;
    let before = store::to_company(row.clone())?;
    let account = row.account_id;
    let Change { checked, privileged, accepted } = change;
    let iban = account_change(d, id, checked.bank_account, row.has_iban, row.iban_hash.as_deref());
    let changes = Changes {
        texts: checked.texts,
        iban,
        status: privileged.status,
        pay_start_at: privileged.pay_start_at,
        retention_days: privileged.retention_days,
        registry_data: privileged.registry_data,
        bic: privileged.bic,
        creditor_suffix: privileged.creditor_suffix,
    };
    let names = store::update_company(&tx, row, changes).await?;
    if let Some(insurers) = privileged.insurers {
        insurance::service::set_insurers(d, &tx, caller, origin, id, &insurers).await?;
    }
    if let Some(accepted) = accepted {
        legal::accept(d, &tx, id, &accepted, &Actor::new(caller.user, caller.role).at(origin)).await?;
    }
    let row = store::find_row(&*tx, id).await?.ok_or(IdentityError::CompanyNotFound)?;
    if row.account_id != account {
        d.account_watch.tell(d, &tx, id, row.account_id).await?;
    }
    let after = store::to_company(row.clone())?;
    note(d, &tx, caller, origin, (&before, &after), &names).await?;
    let ended = !after.status.company_admits_log_in() && before.status.company_admits_log_in();
    if ended {
        crate::auth::store::end_sessions_of_company(&tx, id, d.sources.now()).await?;
    }
    let profile = profile::of_row(d, &*tx, row).await?;
    tx.commit().await?;
    announce(d, id, &before.billing, &after.billing).await;
    if ended {
        presence::company_changed(d, id).await;
    }
    Ok(profile)
}

/// Entries of the log: that fields changed (their names only), and apart the bank account and the status.
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

/// After an acceptance of the terms was committed: tells the company's people how its menu stands now.
pub(super) async fn accepted_now(d: &Identity, before: &Company) -> IdentityResult<()> {
    let after = get_company(d, before.id).await?;
    announce(d, before.id, &before.billing, &after.billing).await;
    Ok(())
}

/// Tells the people of a company, after the commit, how its menu stands now, whenever something changed of what guard,
/// banner and blocking are decided from: a page that waits for a missing piece opens by itself (SPEC §4 Blocking).
async fn announce(d: &Identity, id: CompanyId, before: &BillingFacts, after: &BillingFacts) {
    if before == after {
        return;
    }
    presence::tell_menu(d, id, MenuState::of(after, d.sources.now())).await;
}

/// Changes a company's status by itself, in the caller's transaction; nobody did it. Answers what to tell after the commit.
///
/// Errors: [`IdentityError::CompanyNotFound`].
pub async fn set_status(d: &Identity, tx: &Tx, id: CompanyId, status: Status) -> IdentityResult<StatusChanged> {
    let row = store::lock_company(tx, id).await?;
    let before = store::to_company(row.clone())?;
    store::update_company(tx, row, Changes { status: Some(status), ..Changes::default() }).await?;
    let mut after = before.billing;
    after.status = status;
    if before.status != status {
        let detail = json!({"from": i16::from(before.status), "to": i16::from(status)});
        audit::record(d, tx, Entry::company(Action::CompanyStatusChanged, id).detail(detail)).await?;
    }
    Ok(StatusChanged { company: id, before: before.billing, after })
}

/// A change of status to be told with [`announce_status`].
#[must_use = "open screens hear of it through `announce_status`, after the commit"]
#[derive(Clone, Debug)]
pub struct StatusChanged {
    company: CompanyId,
    before: BillingFacts,
    after: BillingFacts,
}

/// Tells the people of a company whose status changed by itself; after the commit.
pub async fn announce_status(d: &Identity, changed: &StatusChanged) {
    announce(d, changed.company, &changed.before, &changed.after).await;
}

/// `stored`: the account's keyed hash, which one under the SEPA secret does not have.
fn account_change(
    d: &Identity,
    id: CompanyId,
    account: BankAccount,
    has_iban: bool,
    stored: Option<&str>,
) -> Option<Option<SealedIban>> {
    match account {
        BankAccount::Keep => None,
        BankAccount::Clear => has_iban.then_some(None),
        BankAccount::Set(iban) => {
            let sealed = seal(d, id, &iban);
            (stored != Some(&sealed.hash)).then_some(Some(sealed))
        }
    }
}

fn seal(d: &Identity, id: CompanyId, iban: &Iban) -> SealedIban {
    SealedIban {
        sealed: d.field_key.seal(&d.sources, &iban_context(id), iban.as_str()),
        last4: iban.last4().to_owned(),
        country: iban.country().to_owned(),
        bank: iban.entity().map(str::to_owned),
        hash: d.field_key.digest("company.iban", iban.as_str()),
        id: d.sources.uuid(),
    }
}

/// Where a company's IBAN is sealed for.
pub(super) fn iban_context(id: CompanyId) -> String {
    format!("company.iban:{id}")
}
