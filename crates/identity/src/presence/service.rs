//! Opening, registering and closing of sockets, and the users who are online.

use super::error::PresenceError;
use super::model::{OpenSocket, SOCKETS_PER_USER};
use super::store::{self, Scope};
use crate::directory::{self, BillingFacts};
use crate::menu::MenuState;
use crate::{Identity, IdentityResult, TokenKind, sessions};
use atalaya_kernel::live::{Audience, names};
use atalaya_kernel::{CompanyId, Role, UserId};
use atalaya_rest::Caller;
use chrono::{DateTime, Utc};
use serde_json::json;

/// The active users of a company who have a registered socket on any live node, each once, by id.
pub async fn online(d: &Identity, company: CompanyId) -> IdentityResult<Vec<UserId>> {
    store::online(d, company).await
}

/// The same for several companies and only these roles, each with its company.
pub async fn online_of(d: &Identity, companies: &[CompanyId], roles: &[Role]) -> IdentityResult<Vec<(CompanyId, UserId)>> {
    store::online_of(d, companies, roles).await
}

/// A socket that was let in.
#[derive(Clone, Debug)]
pub struct Entered {
    pub socket: OpenSocket,
    pub role: Role,
    /// The user's oldest sockets beyond [`SOCKETS_PER_USER`], to be closed on whichever node they are.
    pub surplus: Vec<String>,
}

/// Admits a socket with a session token and stores it.
///
/// Errors: [`IdentityError::TokenInvalid`], [`IdentityError::TokenExpired`], [`IdentityError::SessionEnded`].
pub async fn enter(d: &Identity, token: &str, id: &str) -> IdentityResult<Entered> {
    let session = sessions::verify(d, token, TokenKind::Session).await?;
    let (user, company) = (session.user.id, session.user.parent);
    let socket = OpenSocket { id: id.to_owned(), user, company, session: session.id };
    let tx = d.db.write().await?;
    // A second try over the same connection.
    store::delete(&tx, std::slice::from_ref(&socket.id)).await?;
    store::insert(&tx, d.node, &socket, d.sources.now()).await?;
    let surplus = store::surplus(&tx, user, SOCKETS_PER_USER).await?;
    store::delete(&tx, &surplus).await?;
    tx.commit().await?;
    Ok(Entered { socket, role: session.user.role, surplus })
}

/// Deletes closed sockets.
pub async fn leave(d: &Identity, ids: &[String]) -> IdentityResult<()> {
    let tx = d.db.write().await?;
    store::delete(&tx, ids).await?;
    Ok(tx.commit().await?)
}

/// Stores this node's heartbeat, and deletes nodes without one.
pub async fn beat(d: &Identity) -> IdentityResult<()> {
    let (tx, now) = (d.db.write().await?, d.sources.now());
    store::beat(&tx, d.node, now).await?;
    store::sweep_dead(&tx, d.node, now).await?;
    Ok(tx.commit().await?)
}

/// Deletes this node, because it stops.
pub async fn stop(d: &Identity) -> IdentityResult<()> {
    let tx = d.db.write().await?;
    store::delete_node(&tx, d.node).await?;
    Ok(tx.commit().await?)
}

/// Closes this node's sockets whose session expired, or was revoked without a notification to this node.
pub async fn look(d: &Identity) -> IdentityResult<()> {
    close_dead(d, Scope::Node(d.node)).await
}

/// Closes the sockets of a user's ended sessions, on every node; call it after the commit that ended them.
pub(crate) async fn user_changed(d: &Identity, user: UserId) {
    log_failure(close_dead(d, Scope::User(user)).await);
}

/// The same for everybody of a company.
pub(crate) async fn company_changed(d: &Identity, company: CompanyId) {
    log_failure(close_dead(d, Scope::Company(company)).await);
}

async fn close_dead(d: &Identity, scope: Scope) -> IdentityResult<()> {
    for session in store::dead_sessions(d, scope).await? {
        d.announcer.end_session(session);
    }
    Ok(())
}

/// Sends the people of a company the state of their menu after a change; call it after the commit. Operators on a phone or
/// tablet whose menu opens receive `mobile-unblocked`.
pub(crate) async fn tell_menu(d: &Identity, company: CompanyId, before: MenuState, menu: MenuState) {
    let opens = (before, menu) == (MenuState::Blocked, MenuState::Unblocked);
    log_failure(tell_menu_to(d, company, menu, opens).await);
}

async fn tell_menu_to(d: &Identity, company: CompanyId, menu: MenuState, opens: bool) -> IdentityResult<()> {
    let mobile = if opens { store::mobile_operators(d, company).await? } else { Vec::new() };
    for user in store::listening(d, company).await? {
        let state = if mobile.contains(&user) { MenuState::MobileUnblocked } else { menu };
        d.announcer.tell(Audience::User(user), names::unblock_menu(user), json!({ "state": state }));
    }
    Ok(())
}

/// Sends the people of a company the state of their menu, after the commit, whenever a fact changed that guard, banner and
/// blocking depend on: a page that waits for a missing piece opens by itself.
pub(crate) async fn tell_billing(d: &Identity, company: CompanyId, before: &BillingFacts, after: &BillingFacts) {
    if before != after {
        let now = d.sources.now();
        tell_menu(d, company, MenuState::of(before, now), MenuState::of(after, now)).await;
    }
}

/// The change is committed: a failed notification is no failure of the call. The periodic check makes up for it.
fn log_failure(told: IdentityResult<()>) {
    if let Err(error) = told {
        tracing::warn!(%error, "open sockets were not told");
    }
}

/// Those of the companies whose menu changed between two moments by the passing of time only: a payment start has come, a
/// trial has ended. Changes by people are announced when they happen.
pub async fn menus_changed_by_time(
    d: &Identity,
    ids: &[CompanyId],
    since: DateTime<Utc>,
) -> IdentityResult<Vec<(CompanyId, MenuState)>> {
    let companies = directory::list_companies(d.db.read(), ids).await?;
    let now = d.sources.now();
    let changed = companies.into_iter().filter_map(|company| {
        let menu = MenuState::of(&company.billing, now);
        (menu != MenuState::of(&company.billing, since)).then_some((company.id, menu))
    });
    Ok(changed.collect())
}

/// Registers a socket of one's own.
///
/// Errors: 403 `SOCKET_USER_MISMATCH` for another user's id, 404 `SOCKET_NOT_FOUND` for another's socket as for none.
pub(super) async fn register(d: &Identity, caller: &Caller, user: UserId, id: &str) -> IdentityResult<()> {
    if caller.user != user {
        return Err(PresenceError::OtherUser.into());
    }
    let tx = d.db.write().await?;
    let found = store::register(&tx, id, user, d.sources.now()).await?;
    tx.commit().await?;
    if found { Ok(()) } else { Err(PresenceError::SocketNotFound.into()) }
}

/// Whose a registered socket is: one's own, or anybody's for administrators.
///
/// Errors: 404 `SOCKET_NOT_FOUND`.
pub(super) async fn owner(d: &Identity, caller: &Caller, id: &str) -> IdentityResult<UserId> {
    let owner = store::find_owner(d, id).await?.filter(|owner| *owner == caller.user || caller.is_admin());
    Ok(owner.ok_or(PresenceError::SocketNotFound)?)
}

/// Deletes every registration of a user, who is offline then.
///
/// Errors: 403 `SOCKET_USER_MISMATCH`.
pub(super) async fn forget(d: &Identity, caller: &Caller, user: UserId) -> IdentityResult<u64> {
    if caller.user != user && !caller.is_admin() {
        return Err(PresenceError::OtherUser.into());
    }
    let tx = d.db.write().await?;
    let removed = store::forget(&tx, user).await?;
    tx.commit().await?;
    Ok(removed)
}
