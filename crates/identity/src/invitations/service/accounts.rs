//! An invited person creates an account in a company that exists.

use super::Created;
use crate::audit::{self, Action, Entry};
use crate::auth::model::Method;
use crate::auth::service as auth;
use crate::directory::{self, NewUser, get_company};
use crate::invitations::model::{self, UserForm};
use crate::links::{self, Link, LinkKind};
use crate::{Identity, IdentityError, IdentityResult, Origin, users};
use atalaya_db::Tx;
use atalaya_kernel::{Role, Status, UserId};
use serde_json::json;

/// The usable invitation of a token, with the role it is for. Marks it opened.
///
/// Errors: [`IdentityError::LinkInvalid`], [`IdentityError::LinkExpired`], [`IdentityError::LinkUsed`].
pub async fn open(d: &Identity, token: &str) -> IdentityResult<(Link, Role)> {
    let (link, role) = read(d, token).await?;
    links::service::mark_opened(d, &link).await?;
    Ok((link, role))
}

/// The same, only reading.
pub async fn read(d: &Identity, token: &str) -> IdentityResult<(Link, Role)> {
    let link = links::service::read(d, token, LinkKind::Activation).await?;
    let role = link.role.ok_or(IdentityError::LinkInvalid)?;
    Ok((link, role))
}

/// Creates the account an invitation is for and spends it. Role and company are the invitation's, whatever was sent.
///
/// Errors: as [`read`] (also for another company's invitation), 422 with every wrong field,
/// [`IdentityError::UserNameTaken`].
pub async fn create(
    d: &Identity,
    token: &str,
    customer: &str,
    form: &UserForm,
    origin: &Origin,
    wants_session: bool,
) -> IdentityResult<Created> {
    let (link, role) = read(d, token).await?;
    let company = link.company.filter(|company| company.to_string() == customer).ok_or(IdentityError::LinkInvalid)?;
    let company = get_company(d, company).await?;
    if !company.status.company_admits_log_in() {
        return Err(IdentityError::LinkExpired);
    }
    let checked = model::check_user(form, role, &link.address).map_err(IdentityError::Invalid)?;
    if directory::exists_named(d.db.read(), company.id, &link.address).await? {
        // By this very invitation, perhaps, since we read it.
        read(d, token).await?;
        return Err(IdentityError::UserNameTaken);
    }
    let password = d.passwords.hash(form.password.as_deref().unwrap_or_default()).await;
    let new = NewUser {
        parent: company.id,
        role,
        status: Status::Active,
        name: checked.name,
        surname: checked.surname,
        user_name: link.address.clone(),
        email: checked.email,
        phone: checked.phone,
        password: Some(password),
        support: false,
        legal: true,
        language: form.language.unwrap_or(link.language),
    };
    let tx = d.db.write().await?;
    links::service::hold(d, &tx, &link).await?;
    let id = users::service::create_user(d, &tx, new).await?;
    links::service::spend(d, &tx, &link, Some(id)).await?;
    let entry = Entry::user(Action::UserCreated, company.id, id).by_user(id, role).from(origin.address);
    audit::service::record(d, &tx, entry.detail(json!({"type": i16::from(role)}))).await?;
    let created = finish(d, &tx, id, origin, wants_session).await?;
    tx.commit().await?;
    Ok(created)
}

/// The account just created, with a session when it wants one and may have one.
pub(super) async fn finish(d: &Identity, tx: &Tx, id: UserId, origin: &Origin, wants_session: bool) -> IdentityResult<Created> {
    let account = directory::find_account(&**tx, id).await?.ok_or(IdentityError::UserNotFound)?;
    let (user, company) = (account.user.clone(), account.company.clone());
    let admitted = wants_session && user.status.user_may_log_in() && company.status.company_admits_log_in();
    let opened = match admitted {
        true => Some(auth::complete(d, tx, account, Method::Invitation, origin).await?),
        false => None,
    };
    Ok(Created { user, company, opened })
}
