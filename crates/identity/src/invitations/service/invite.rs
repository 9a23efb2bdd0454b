//! Inviting, listing, sending again.

use super::Page;
use super::messages::{self, Sender};
use crate::audit::{self, Action, Entry};
use crate::directory::{self, Company, User, get_company};
use crate::invitations::error::InvitationError;
use crate::invitations::model::{self, Filter, Invitation, State};
use crate::links::{self, Link, LinkKind, LinkState, NewLink};
use crate::{Identity, IdentityError, IdentityResult};
use atalaya_kernel::access::may_create;
use atalaya_kernel::{CompanyId, CompanyKind, Language, Role, UserId};
use atalaya_rest::Caller;
use serde_json::json;
use std::collections::HashMap;
use std::net::IpAddr;
use uuid::Uuid;

/// What a caller asks for.
#[derive(Clone, Debug)]
pub struct Request {
    /// As typed.
    pub address: String,
    /// Number of the role to be created.
    pub kind: i64,
    /// The company of a member, for administrators.
    pub company: Option<CompanyId>,
    pub language: Language,
    pub from: IpAddr,
}

/// Invites somebody to create an account, or a company with its principal.
///
/// Errors: [`IdentityError::RoleNotAllowed`] beyond the creator's table (INVITE-1), 422 on `type`, `emailOPhone`,
/// `customerId`, [`IdentityError::CompanyNotFound`], [`IdentityError::UserNameTaken`].
pub async fn invite(d: &Identity, caller: &Caller, request: Request) -> IdentityResult<Invitation> {
    let role = i16::try_from(request.kind).ok().and_then(|kind| Role::try_from(kind).ok());
    let role = role.ok_or_else(|| IdentityError::invalid("type", "INVALID"))?;
    if !may_create(caller.role, role) {
        return Err(IdentityError::RoleNotAllowed);
    }
    let address = model::parse_address(&request.address).map_err(|code| IdentityError::invalid("emailOPhone", code))?;
    let company = match role.is_principal() {
        true => None,
        false => Some(company_of(d, caller, role, request.company).await?),
    };
    if let Some(company) = &company {
        refuse_taken(d, company.id, &address).await?;
    }
    let new = NewLink {
        kind: LinkKind::Activation,
        address,
        language: request.language,
        role: Some(role),
        company: company.as_ref().map(|company| company.id),
        user: None,
        inviter: Some(caller.user),
    };
    let id = send(d, &new, company.as_ref(), Some(caller), Action::Invited, request.from).await?;
    invitation(d, id).await
}

/// The company a new member will belong to: the caller's own, or for an administrator the one named, of a fitting kind.
async fn company_of(d: &Identity, caller: &Caller, role: Role, named: Option<CompanyId>) -> IdentityResult<Company> {
    let wrong = |code: &'static str| IdentityError::invalid("customerId", code);
    if !caller.is_admin() {
        if named.is_some_and(|named| named != caller.company) {
            return Err(IdentityError::CompanyNotFound);
        }
        return get_company(d, caller.company).await;
    }
    let company = get_company(d, named.ok_or_else(|| wrong("REQUIRED"))?).await?;
    // Into the platform's own company comes a user; an administrator then gives the role of one.
    let platform = company.kind == CompanyKind::Platform && role == Role::Worker;
    if platform || model::kind_of(role) == Some(company.kind) { Ok(company) } else { Err(wrong("INVALID")) }
}

async fn refuse_taken(d: &Identity, company: CompanyId, address: &str) -> IdentityResult<()> {
    let taken = directory::exists_named(d.db.read(), company, address).await?;
    if taken { Err(IdentityError::UserNameTaken) } else { Ok(()) }
}

/// Makes link, message and audit entry in one transaction; answers the link's id.
async fn send(
    d: &Identity,
    new: &NewLink,
    company: Option<&Company>,
    caller: Option<&Caller>,
    action: Action,
    from: IpAddr,
) -> IdentityResult<Uuid> {
    let inviter = match new.inviter {
        Some(inviter) => directory::find_user(d.db.read(), inviter).await?,
        None => None,
    };
    // An administrator is none of the company's people.
    let colleague = inviter.as_ref().filter(|user| Some(user.parent) == new.company);
    let name = colleague.map(User::display_name).unwrap_or_default();
    let sender = Sender { name: &name, company: company.map_or("", |company| &company.name) };
    let tx = d.db.write().await?;
    let id = messages::send_invitation(d, &tx, new, &sender).await?;
    // The log that gets the entry: that of the future account's company, else the inviter's.
    if let Some(about) = new.company.or_else(|| inviter.as_ref().map(|user| user.parent)) {
        let detail = json!({"type": new.role.map(i16::from), "sentTo": model::mask(&new.address)});
        let mut entry = Entry::company(action, about).detail(detail).from(from);
        if let Some(caller) = caller {
            entry = entry.by(caller);
        }
        audit::service::record(d, &tx, entry).await?;
    }
    tx.commit().await?;
    d.outbox.wake();
    Ok(id)
}

/// The invitations a caller may see: an administrator all, a principal its company's.
///
/// Errors: [`IdentityError::RoleNotAllowed`].
pub async fn list(d: &Identity, caller: &Caller, mut filter: Filter) -> IdentityResult<Page> {
    if !caller.is_admin() {
        if !caller.role.is_principal() {
            return Err(IdentityError::RoleNotAllowed);
        }
        filter.company = Some(caller.company);
    }
    filter.search = filter.search.map(|text| searchable(&text)).filter(|text| !text.is_empty());
    let (links, total) = links::list_invitations(d.db.read(), &filter, d.sources.now()).await?;
    Ok(Page { invitations: tell(d, links).await?, total })
}

/// Addresses are stored in lower case, phones without spaces.
fn searchable(text: &str) -> String {
    let text = text.trim().to_lowercase();
    let is_phone = text.chars().all(|c| c.is_ascii_digit() || " +-().".contains(c));
    if is_phone { text.chars().filter(|c| c.is_ascii_digit() || *c == '+').collect() } else { text }
}

/// Sends an invitation again, to the same address with a fresh link; the earlier link stops working.
///
/// Errors: 404 `INVITATION_NOT_FOUND` also for another company's, [`IdentityError::RoleNotAllowed`],
/// [`IdentityError::LinkUsed`], [`IdentityError::UserNameTaken`].
pub async fn resend(d: &Identity, caller: &Caller, id: Uuid, from: IpAddr) -> IdentityResult<Invitation> {
    let link = own(d, caller, id).await?;
    let fresh = again(d, &link, Some(caller), caller.user, from).await?;
    invitation(d, fresh).await
}

/// Revokes an invitation with its link, and earlier links to the same address for the same purpose.
///
/// Errors: those of [`resend`], without [`IdentityError::UserNameTaken`].
pub async fn revoke(d: &Identity, caller: &Caller, id: Uuid, from: IpAddr) -> IdentityResult<()> {
    let link = own(d, caller, id).await?;
    let tx = d.db.write().await?;
    links::service::hold(d, &tx, &link).await.or_else(|error| match error {
        // The holder of an expired link could still request another.
        IdentityError::LinkExpired => Ok(()),
        other => Err(other),
    })?;
    links::delete_unused_like(&tx, &link).await?;
    let detail = json!({"type": link.role.map(i16::from), "sentTo": model::mask(&link.address)});
    let about = link.company.unwrap_or(caller.company);
    let entry = Entry::company(Action::InvitationRevoked, about).by(caller).from(from).detail(detail);
    audit::service::record(d, &tx, entry).await?;
    Ok(tx.commit().await?)
}

/// An invitation that the caller could have sent.
///
/// Errors: 404 `INVITATION_NOT_FOUND` also for another company's, [`IdentityError::RoleNotAllowed`].
async fn own(d: &Identity, caller: &Caller, id: Uuid) -> IdentityResult<Link> {
    if !caller.is_admin() && !caller.role.is_principal() {
        return Err(IdentityError::RoleNotAllowed);
    }
    let link = links::find_invitation(d.db.read(), id).await?.ok_or(InvitationError::NotFound)?;
    if !caller.is_admin() && link.company != Some(caller.company) {
        return Err(InvitationError::NotFound.into());
    }
    match link.role.is_some_and(|role| may_create(caller.role, role)) {
        true => Ok(link),
        false => Err(IdentityError::RoleNotAllowed),
    }
}

/// Sends an expired invitation again when the holder of the old link requests it. The answer does not reveal whether it
/// did: an unknown, valid or used link is ignored.
pub async fn renew(d: &Identity, token: &str, from: IpAddr) -> IdentityResult<()> {
    let Some(link) = links::service::find(d, token, LinkKind::Activation).await? else { return Ok(()) };
    if link.state(d.sources.now()) != LinkState::Expired || links::was_accepted_since(d.db.read(), &link).await? {
        return Ok(());
    }
    let Some(inviter) = link.inviter else { return Ok(()) };
    // An inviter who lost the right to invite does not regain it through an old link.
    let Some(by) = directory::find_user(d.db.read(), inviter).await? else { return Ok(()) };
    let own = by.role == Role::Admin || link.company == Some(by.parent);
    if !by.status.user_may_log_in() || !own || !link.role.is_some_and(|role| may_create(by.role, role)) {
        return Ok(());
    }
    match again(d, &link, None, inviter, from).await {
        Err(IdentityError::UserNameTaken | IdentityError::CompanyNotFound) => Ok(()),
        other => other.map(drop),
    }
}

async fn again(d: &Identity, link: &Link, caller: Option<&Caller>, inviter: UserId, from: IpAddr) -> IdentityResult<Uuid> {
    if link.used_at.is_some() {
        return Err(IdentityError::LinkUsed);
    }
    let company = match link.company {
        Some(company) => Some(get_company(d, company).await?),
        None => None,
    };
    if let Some(company) = &company {
        refuse_taken(d, company.id, &link.address).await?;
    }
    let new = NewLink {
        kind: LinkKind::Activation,
        address: link.address.clone(),
        language: link.language,
        role: link.role,
        company: link.company,
        user: None,
        inviter: Some(inviter),
    };
    send(d, &new, company.as_ref(), caller, Action::InvitationRenewed, from).await
}

async fn invitation(d: &Identity, id: Uuid) -> IdentityResult<Invitation> {
    let link = links::find_invitation(d.db.read(), id).await?;
    let mut told = tell(d, link.into_iter().collect()).await?;
    told.pop().ok_or_else(|| IdentityError::Corrupt(format!("invitation {id} is gone")))
}

/// Adds what the inviter sees: state, names.
async fn tell(d: &Identity, links: Vec<Link>) -> IdentityResult<Vec<Invitation>> {
    let now = d.sources.now();
    let failed = d.outbox.failed_among(d.db.read(), links.iter().filter_map(|link| link.message).collect()).await?;
    let people: Vec<UserId> = links.iter().flat_map(|link| [link.inviter, link.created_user]).flatten().collect();
    let people = directory::list_users_by_ids(d.db.read(), people).await?;
    let people: HashMap<UserId, User> = people.into_iter().map(|user| (user.id, user)).collect();
    let company_of = |link: &Link| link.company.or_else(|| Some(people.get(&link.created_user?)?.parent));
    let companies: Vec<CompanyId> = links.iter().filter_map(company_of).collect();
    let companies = directory::company_names(d.db.read(), &companies).await?;
    let told = links.into_iter().map(|link| Invitation {
        state: State::of(&link, link.message.is_some_and(|message| failed.contains(&message)), now),
        inviter: link.inviter.and_then(|id| Some((id, people.get(&id)?.display_name()))),
        company: company_of(&link).and_then(|id| Some((id, companies.get(&id)?.clone()))),
        link,
    });
    Ok(told.collect())
}
