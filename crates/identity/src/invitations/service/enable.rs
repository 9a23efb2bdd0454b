//! An administrator activates a company that registered itself (INVITE-7).

use crate::audit::{self, Action, Entry};
use crate::directory::{self, Company, get_company};
use crate::invitations::error::InvitationError;
use crate::invitations::model;
use crate::links::{self, Link, LinkKind};
use crate::menu::MenuState;
use crate::presence::service as presence;
use crate::{Identity, IdentityError, IdentityResult};
use atalaya_db::Tx;
use atalaya_kernel::{CompanyId, CompanyKind, Status, calendar};
use atalaya_rest::Caller;
use serde_json::json;
use std::net::IpAddr;

/// Who may enable: the holder of the company's link, or an administrator's session without it.
enum Key {
    Link(Box<Link>),
    Session(Caller),
}

/// Errors: without a token 401 and 403 of the session; [`IdentityError::LinkInvalid`] also for another company's link,
/// [`IdentityError::LinkExpired`], [`IdentityError::LinkUsed`].
async fn admit(d: &Identity, caller: Option<&Caller>, id: CompanyId, token: &str) -> IdentityResult<Key> {
    match caller {
        Some(caller) if caller.is_admin() => return Ok(Key::Session(*caller)),
        Some(_) if token.is_empty() => return Err(IdentityError::RoleNotAllowed),
        None if token.is_empty() => return Err(InvitationError::SessionRequired.into()),
        _ => {}
    }
    let link = links::service::read(d, token, LinkKind::AdminEnable).await?;
    if link.company == Some(id) { Ok(Key::Link(Box::new(link))) } else { Err(IdentityError::LinkInvalid) }
}

/// A company for the page of its activation. Only reads, but for the link's first opening.
///
/// Errors: as [`activate`].
pub async fn view(d: &Identity, caller: Option<&Caller>, id: CompanyId, token: &str) -> IdentityResult<Company> {
    let key = admit(d, caller, id, token).await?;
    if let Key::Link(link) = &key {
        links::service::mark_opened(d, link).await?;
    }
    get_company(d, id).await.and_then(tenant)
}

/// The platform itself is never activated.
fn tenant(company: Company) -> IdentityResult<Company> {
    if company.kind == CompanyKind::Platform { Err(IdentityError::CompanyNotFound) } else { Ok(company) }
}

async fn is_pending(tx: &Tx, id: CompanyId) -> IdentityResult<bool> {
    Ok(directory::find_company(&**tx, id).await?.is_some_and(|company| company.status == Status::PendingValidation))
}

/// Activates a company and its principal. The payment starts at the end of the trial unless that day was set before; the
/// company's open links of this kind become invalid.
///
/// Errors: [`IdentityError::CompanyNotFound`] also for another kind of company, and those of the token or session.
pub async fn activate(
    d: &Identity,
    caller: Option<&Caller>,
    id: CompanyId,
    kind: CompanyKind,
    token: &str,
    from: IpAddr,
) -> IdentityResult<Company> {
    let key = admit(d, caller, id, token).await?;
    let company = get_company(d, id).await?;
    if company.kind != kind {
        return Err(IdentityError::CompanyNotFound);
    }
    let now = d.sources.now();
    let principal = directory::first_of_role(d.db.read(), id, model::principal_of(kind)).await?;
    let pay_start = company.billing.pay_start_at.unwrap_or_else(|| model::pay_start(now, d.settings.trial_days));

    let tx = d.db.write().await?;
    if let Key::Link(link) = &key {
        links::service::hold(d, &tx, link).await?;
        // What an administrator has decided since, the mailed link does not undo.
        atalaya_db::lock_row(&tx, "company", id.0).await?;
        if !is_pending(&tx, id).await? {
            return Err(IdentityError::LinkUsed);
        }
    }
    links::spend_all_of(&tx, LinkKind::AdminEnable, id, now).await?;
    links::service::blank_dead(d, &tx).await?;
    directory::activate_company(&tx, id, pay_start).await?;
    if let Some(principal) = &principal {
        directory::activate_user(&tx, principal.id).await?;
    }
    let detail = json!({"payStartAt": calendar::day(pay_start)});
    let mut entry = Entry::company(Action::CompanyActivated, id).detail(detail);
    entry.user = principal.map(|user| user.id);
    if let Key::Session(caller) = &key {
        // Without an actor the entry would not show that its address is an administrator's, which principals do not see.
        entry = entry.by(caller).from(from);
    }
    audit::service::record(d, &tx, entry).await?;
    tx.commit().await?;

    let company = get_company(d, id).await?;
    // What waited for its activation was blocked.
    presence::tell_menu(d, id, MenuState::Blocked, MenuState::of(&company.billing, now)).await;
    Ok(company)
}
