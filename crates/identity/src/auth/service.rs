//! Decisions of log-in, renewal and logout.

use super::device::Devices;
use super::model::{self, CODES_PER_ACCOUNT, Method, Subject, TRIES_PER_ACCOUNT, TRIES_PER_ADDRESS, TRIES_PER_NETWORK};
use super::store;
pub use crate::Origin;
use crate::audit::{self, Action, Entry};
use crate::directory::{self, Account, Company, User, normalise_user_name};
use crate::presence::service as presence;
use crate::sessions::{self, LogIn};
pub use crate::sessions::{Issued, is_alive, open_session};
use crate::{Identity, IdentityError, IdentityResult, Lane};
use atalaya_db::Tx;
use atalaya_kernel::{SessionId, UserId, limits};
use atalaya_rest::tokens::{SessionClaims, TokenKind};
use chrono::TimeDelta;

/// An account offered before the password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Opaque, valid for [`model::TICKET_MINUTES`].
    pub id: String,
    /// The company's name, given only when there are several.
    pub company: Option<String>,
    /// Whether it is the one of several that logged in last. Kept here and not in the browser, whose storage a logout
    /// clears and where a cookie would need consent (AUTH-1).
    pub last: bool,
}

/// Which of the accounts of a user name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The only one.
    Only,
    /// One offered by [`offer_accounts`].
    Offered(String),
}

/// A session that was opened, and whose.
pub struct Opened {
    pub issued: Issued,
    pub user: User,
    pub company: Company,
}

/// How a right password ends.
pub enum LoggedIn {
    Session(Box<Opened>),
    SecondFactor { token: String, user: UserId },
}

/// The accounts of a user name.
///
/// Errors: [`IdentityError::LoginIncorrect`] when there is none, [`IdentityError::LoginLocked`].
pub(crate) async fn offer_accounts(
    d: &Identity,
    user_name: &str,
    devices: &Devices,
    origin: &Origin,
) -> IdentityResult<Vec<Offer>> {
    let name = normalise_user_name(user_name);
    let now = d.sources.now();
    let accounts = directory::list_accounts_named(d.db.read(), &name).await?;
    let tx = d.db.write().await?;
    let limits = [(Subject::address(origin.address), TRIES_PER_ADDRESS)];
    if !accounts.iter().any(|account| devices.known_at(d, account.user.id).is_some()) {
        store::check_tries(&*tx, &limits, now).await?;
    }
    if accounts.is_empty() {
        store::count_wrong(&tx, &d.sources, &limits).await?;
        tx.commit().await?;
        return Err(IdentityError::LoginIncorrect);
    }
    let several = accounts.len() > 1;
    let latest = accounts.iter().filter(|_| several).filter_map(|account| account.last_login).max();
    let mut offers = Vec::with_capacity(accounts.len());
    for account in &accounts {
        let id = d.sources.base62(32);
        store::insert_ticket(&tx, &id, account.user.id, now + TimeDelta::minutes(model::TICKET_MINUTES)).await?;
        offers.push(Offer {
            id,
            company: several.then(|| account.company.name.clone()),
            last: latest.is_some() && account.last_login == latest,
        });
    }
    tx.commit().await?;
    Ok(offers)
}

/// Checks a password and opens a session.
///
/// The password is always checked, against a decoy when there is no account, so that every failure takes the same time;
/// whether the account may log in is looked at only after the password was right (AUTH-3).
///
/// Errors: [`IdentityError::LoginIncorrect`], [`IdentityError::LoginLocked`], [`IdentityError::LoginBusy`],
/// [`IdentityError::AccountInactive`].
pub(crate) async fn log_in(
    d: &Identity,
    user_name: &str,
    password: &str,
    choice: &Choice,
    devices: &Devices,
    origin: &Origin,
) -> IdentityResult<LoggedIn> {
    let name = normalise_user_name(user_name);
    let account = choose(d, &name, choice).await?;
    let device = account.as_ref().and_then(|account| devices.known_at(d, account.user.id));
    let limits = match device {
        Some(device) => vec![(Subject::device(device), TRIES_PER_NETWORK)],
        None => {
            let subject = account.as_ref().map_or_else(|| Subject::name(&name), |account| Subject::user(account.user.id));
            tries_at(subject, origin)
        }
    };
    if let Some(account) = account.as_ref().filter(|account| account.user.has2fa) {
        // A known password must not allow codes without end.
        store::check_tries(d.db.read(), &[(Subject::code(account.user.id), CODES_PER_ACCOUNT)], d.sources.now()).await?;
    }
    let stored = account.as_ref().and_then(|account| account.password.as_ref());
    let lane = if device.is_some() { Lane::Known } else { Lane::Stranger };
    let fits = verify_password(d, password, stored, &limits, lane).await?;

    let tx = d.db.write().await?;
    let user = account.as_ref().map(|account| &account.user);
    if !admit_try(d, &tx, &limits, user, fits, origin).await? {
        tx.commit().await?;
        return Err(IdentityError::LoginIncorrect);
    }
    let Some(account) = account else { return Err(IdentityError::LoginIncorrect) };
    let account = unchanged(&tx, account).await?;
    if !account.may_log_in() {
        tx.commit().await?;
        return Err(IdentityError::AccountInactive);
    }
    if account.user.has2fa {
        let token = open_pending(d, &tx, &account.user).await?;
        tx.commit().await?;
        return Ok(LoggedIn::SecondFactor { token, user: account.user.id });
    }
    if let Some(device) = device {
        store::forgive(&tx, &Subject::device(device)).await?;
    }
    let opened = complete(d, &tx, account, Method::Password, origin).await?;
    tx.commit().await?;
    Ok(LoggedIn::Session(Box::new(opened)))
}

/// The account as it is now, if its password is still the one that was checked: hashing takes long enough for a change of
/// password to end all sessions in between, and this one must not come after it.
pub(crate) async fn unchanged(tx: &Tx, checked: Account) -> IdentityResult<Account> {
    atalaya_db::lock_row(tx, "app_user", checked.user.id.0).await?;
    let now = directory::find_account(&**tx, checked.user.id).await?;
    now.filter(|now| now.password == checked.password).ok_or(IdentityError::LoginIncorrect)
}

/// Opens the session of an account that has proved itself and may log in, in the caller's transaction. Deletes the wrong
/// tries of its own network, and its wrong codes after a right one; those of others stay.
pub(crate) async fn complete(
    d: &Identity,
    tx: &Tx,
    Account { user, company, .. }: Account,
    method: Method,
    origin: &Origin,
) -> IdentityResult<Opened> {
    store::forgive(tx, &Subject::user(user.id).from(origin.address)).await?;
    if matches!(method, Method::Code | Method::RecoveryCode) {
        store::forgive(tx, &Subject::code(user.id)).await?;
    }
    store::delete_tickets_of(tx, user.id).await?;
    directory::set_last_login(tx, user.id, d.sources.now()).await?;
    let entry = Entry::user(Action::LoggedIn, user.parent, user.id).by_user(user.id, user.role);
    let detail = serde_json::json!({"method": method.name()});
    audit::service::record(d, tx, entry.detail(detail).from(origin.address)).await?;
    let issued = sessions::issue(d, tx, &user, &d.sources.hex::<16>(), None, LogIn::begun(d.sources.now()), origin).await?;
    Ok(Opened { issued, user, company })
}

/// Whom wrong passwords are counted against (AUTH-5).
fn tries_at(subject: Subject, origin: &Origin) -> Vec<(Subject, usize)> {
    vec![
        (subject.from(origin.address), TRIES_PER_NETWORK),
        (subject, TRIES_PER_ACCOUNT),
        (Subject::address(origin.address), TRIES_PER_ADDRESS),
    ]
}

/// Whom wrong passwords at an account are counted against.
pub(crate) fn limits_of(user: UserId, origin: &Origin) -> Vec<(Subject, usize)> {
    tries_at(Subject::user(user), origin)
}

/// Whom wrong codes of an account are counted against (FACTOR-4).
pub(crate) fn code_limits_of(user: UserId, origin: &Origin) -> [(Subject, usize); 2] {
    [(Subject::code(user), CODES_PER_ACCOUNT), (Subject::address(origin.address), TRIES_PER_ADDRESS)]
}

/// Checks a password when its turn has come. An account that is locked by then is refused without hashing: a flood of wrong
/// tries leaves the queue as soon as it locks itself out.
///
/// Errors: [`IdentityError::LoginBusy`], [`IdentityError::LoginLocked`].
pub(crate) async fn verify_password(
    d: &Identity,
    password: &str,
    stored: Option<&crate::PasswordHash>,
    limits: &[(Subject, usize)],
    lane: Lane,
) -> IdentityResult<bool> {
    store::check_tries(d.db.read(), limits, d.sources.now()).await?;
    let place = d.passwords.enter(lane).ok_or(IdentityError::LoginBusy)?;
    let turn = d.passwords.turn(place).await;
    store::check_tries(d.db.read(), limits, d.sources.now()).await?;
    Ok(d.passwords.verify(turn, password, stored).await)
}

/// Judges a try in the caller's transaction: answers whether it was right, and when it was wrong counts it and stores the
/// lock; the caller commits either way. Concurrent tries are judged one after the other, so that a right one among them
/// counts only while the wrong ones are few enough: concurrent guesses gain nothing.
///
/// Errors: [`IdentityError::LoginLocked`], whether the try was right or not.
pub(crate) async fn admit_try(
    d: &Identity,
    tx: &Tx,
    limits: &[(Subject, usize)],
    user: Option<&User>,
    is_right: bool,
    origin: &Origin,
) -> IdentityResult<bool> {
    if let Some(user) = user {
        atalaya_db::lock_row(tx, "app_user", user.id.0).await?;
    }
    let is_last = store::check_tries(&**tx, limits, d.sources.now()).await?;
    if is_right {
        return Ok(true);
    }
    store::count_wrong(tx, &d.sources, limits).await?;
    if let Some(user) = user.filter(|_| is_last) {
        let entry = Entry::user(Action::LoginLocked, user.parent, user.id).from(origin.address);
        audit::service::record(d, tx, entry).await?;
    }
    Ok(false)
}

/// The account meant, if any. An offered id that is unknown, old or another user name's is no account.
async fn choose(d: &Identity, name: &str, choice: &Choice) -> IdentityResult<Option<Account>> {
    let mut accounts = directory::list_accounts_named(d.db.read(), name).await?;
    match choice {
        Choice::Only if accounts.len() == 1 => Ok(accounts.pop()),
        Choice::Only => Ok(None),
        Choice::Offered(opaque) => {
            let user = store::find_ticket(d.db.read(), opaque, d.sources.now()).await?;
            Ok(accounts.into_iter().find(|account| Some(account.user.id) == user))
        }
    }
}

/// A token between password and second factor, with the row that makes it valid for one try.
async fn open_pending(d: &Identity, tx: &Tx, user: &User) -> IdentityResult<String> {
    let (id, now): (SessionId, _) = (d.sources.id(), d.sources.now());
    store::insert_pending(tx, id, user.id, now + TimeDelta::seconds(model::PENDING_2FA_S)).await?;
    Ok(d.keys.encode(&SessionClaims {
        sub: user.id,
        jti: id,
        role: user.role,
        parent: user.parent,
        exp: now.timestamp() + model::PENDING_2FA_S,
        iat: now.timestamp(),
        typ: TokenKind::Pending2fa,
        sk: String::new(),
    }))
}

/// Ends a log-in with every token it was renewed to.
pub async fn log_out(d: &Identity, session: SessionId) -> IdentityResult<()> {
    let tx = d.db.write().await?;
    let owner = sessions::owner_of(&*tx, session).await?;
    sessions::end_family(&tx, session, d.sources.now()).await?;
    tx.commit().await?;
    if let Some(owner) = owner {
        presence::user_changed(d, owner).await;
    }
    Ok(())
}

/// What a valid token allows: kind and expiry in seconds, nothing personal (SESSION-6).
pub async fn inspect(d: &Identity, token: &str) -> IdentityResult<Option<(TokenKind, i64)>> {
    let now = d.sources.now();
    if let Ok(claims) = d.keys.decode(token, TokenKind::Pending2fa, now) {
        let is_open = store::pending_exists(d.db.read(), claims.jti, now).await?;
        return Ok(is_open.then_some((TokenKind::Pending2fa, claims.exp)));
    }
    match sessions::verify(d, token, TokenKind::Session).await {
        Ok(session) => Ok(Some((TokenKind::Session, session.expires_at.timestamp()))),
        Err(IdentityError::TokenInvalid | IdentityError::TokenExpired | IdentityError::SessionEnded) => Ok(None),
        Err(other) => Err(other),
    }
}

/// Seconds a cookie of a session lives.
pub(crate) const COOKIE_LIFE_S: i64 = limits::TOKEN_LIFE_S;
