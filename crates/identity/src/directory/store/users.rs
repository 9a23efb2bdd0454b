//! Queries on the `app_user` table.

use super::BATCH;
use super::companies::to_company;
use crate::directory::entity::company;
use crate::directory::entity::user::{ActiveModel, Column, Entity, Model};
use crate::directory::normalise_user_name;
use crate::directory::user::{Account, NewUser, User};
use crate::{IdentityError, IdentityResult, PasswordHash};
use atalaya_db::{DbError, DbResult, Reads, ReadsBoth, Tx};
use atalaya_kernel::{CompanyId, CompanyKind, Language, Role, Status, UserId, collate};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, SelectStatement};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait};
use uuid::Uuid;

/// Active users of one company at most in one list.
const ACTIVE_MAX: u64 = 2000;

pub(crate) async fn find_user(db: &impl ConnectionTrait, id: UserId) -> IdentityResult<Option<User>> {
    Entity::find_by_id(id.0).row(db).await.map_err(DbError::from)?.map(to_user).transpose()
}

pub(crate) async fn find_account(db: &impl ConnectionTrait, id: UserId) -> IdentityResult<Option<Account>> {
    let found = Entity::find_by_id(id.0).find_also_related(company::Entity).row(db);
    match found.await.map_err(DbError::from)? {
        Some((user, Some(company))) => to_account(user, company).map(Some),
        _ => Ok(None),
    }
}

/// The active users of a company with one of these roles, oldest first.
pub(crate) async fn list_active_users(
    db: &impl ConnectionTrait,
    company: CompanyId,
    roles: &[Role],
) -> IdentityResult<Vec<User>> {
    let rows = Entity::find()
        .filter(Column::Parent.eq(company.0))
        .filter(Column::Role.is_in(roles.iter().map(|role| i16::from(*role))))
        .filter(Column::Status.eq(i16::from(Status::Active)))
        .order_by_asc(Column::Id)
        .limit(ACTIVE_MAX)
        .rows(db);
    rows.await.map_err(DbError::from)?.into_iter().map(to_user).collect()
}

/// Accounts of a user name in every company, oldest first; those of role 0 cannot log in and are left out.
pub(crate) async fn list_accounts_named(db: &impl ConnectionTrait, user_name: &str) -> IdentityResult<Vec<Account>> {
    let rows = Entity::find()
        .filter(Column::UserName.eq(user_name))
        .filter(Column::Role.ne(i16::from(Role::Empty)))
        .order_by_asc(Column::Id)
        .find_also_related(company::Entity)
        .rows(db);
    let rows = rows.await.map_err(DbError::from)?;
    rows.into_iter().filter_map(|(user, company)| Some(to_account(user, company?))).collect()
}

/// Errors: [`IdentityError::UserNameTaken`] within the company.
pub(crate) async fn insert_user(db: &impl ConnectionTrait, id: UserId, new: &NewUser, now: DateTime<Utc>) -> IdentityResult<()> {
    let row = ActiveModel {
        id: Set(id.0),
        role: Set(new.role.into()),
        status: Set(new.status.into()),
        parent: Set(new.parent.0),
        support: Set(new.support),
        legal: Set(new.legal),
        two_factor_enabled: Set(false),
        name: Set(new.name.clone()),
        surname: Set(new.surname.clone()),
        user_name: Set(normalise_user_name(&new.user_name)),
        email: Set(new.email.clone()),
        phone: Set(new.phone.clone()),
        password_hash: Set(new.password.as_ref().map(|hash| hash.as_str().to_owned())),
        two_factor_secret: Set(None),
        language: Set(new.language.code().to_owned()),
        created_at: Set(now),
        last_login_at: Set(None),
        two_factor_step: Set(None),
        password_changed_at: Set(None),
        search: Set(searched(&new.name, &new.surname, &normalise_user_name(&new.user_name), &new.email, &new.phone)),
        sort_key: Set(sorted(&new.name, &new.surname)),
    };
    match Entity::insert(row).exec_without_returning(db).await.map_err(DbError::from) {
        Ok(_) => Ok(()),
        Err(DbError::Duplicate(_)) => Err(IdentityError::UserNameTaken),
        Err(other) => Err(other.into()),
    }
}

/// What lists are searched in.
fn searched(name: &str, surname: &str, user_name: &str, email: &Option<String>, phone: &Option<String>) -> String {
    let of = |text: &Option<String>| text.clone().unwrap_or_default();
    collate::search_text(&[name, surname, user_name, &of(email), &of(phone)])
}

/// What lists are ordered by: surname, then name.
fn sorted(name: &str, surname: &str) -> String {
    collate::sort_key(&format!("{surname} {name}"))
}

/// Writes the fields of a profile that people change, with what is derived of them.
pub(crate) async fn update_user(tx: &Tx, user: &User) -> IdentityResult<()> {
    tx.changed("app_user", user.id);
    let row = ActiveModel {
        id: Set(user.id.0),
        role: Set(user.role.into()),
        status: Set(user.status.into()),
        support: Set(user.support),
        name: Set(user.name.clone()),
        surname: Set(user.surname.clone()),
        email: Set(user.email.clone()),
        phone: Set(user.phone.clone()),
        language: Set(user.language.code().to_owned()),
        search: Set(searched(&user.name, &user.surname, &user.user_name, &user.email, &user.phone)),
        sort_key: Set(sorted(&user.name, &user.surname)),
        ..Default::default()
    };
    Entity::update(row).exec(&**tx).await.map_err(DbError::from)?;
    Ok(())
}

/// Writes another user name with the addresses of the profile and what is derived of them.
///
/// Errors: [`IdentityError::UserNameTaken`].
pub(crate) async fn set_user_name(tx: &Tx, user: &User) -> IdentityResult<()> {
    tx.changed("app_user", user.id);
    let row = ActiveModel { id: Set(user.id.0), user_name: Set(user.user_name.clone()), ..Default::default() };
    Entity::update(row).exec(&**tx).await.map_err(|error| match DbError::from(error) {
        DbError::Duplicate(_) => IdentityError::UserNameTaken,
        other => other.into(),
    })?;
    update_user(tx, user).await
}

/// Whether a company has an account of this user name.
pub(crate) async fn exists_named(db: &impl ConnectionTrait, company: CompanyId, user_name: &str) -> IdentityResult<bool> {
    let found = Entity::find().filter(Column::Parent.eq(company.0)).filter(Column::UserName.eq(user_name)).row(db);
    Ok(found.await.map_err(DbError::from)?.is_some())
}

/// Users by their ids, without a check of the caller; for names in lists.
pub(crate) async fn list_users_by_ids(
    db: &impl ConnectionTrait,
    ids: impl IntoIterator<Item = UserId>,
) -> IdentityResult<Vec<User>> {
    let ids: Vec<Uuid> = ids.into_iter().map(|id| id.0).collect();
    let mut all = Vec::with_capacity(ids.len());
    for batch in ids.chunks(BATCH) {
        let rows = Entity::find().filter(Column::Id.is_in(batch.iter().copied())).rows(db).await.map_err(DbError::from)?;
        for row in rows {
            all.push(to_user(row)?);
        }
    }
    Ok(all)
}

/// The oldest account of a role in a company: its principal, for a principal's role.
pub(crate) async fn first_of_role(db: &impl ConnectionTrait, company: CompanyId, role: Role) -> IdentityResult<Option<User>> {
    let found = Entity::find()
        .filter(Column::Parent.eq(company.0))
        .filter(Column::Role.eq(i16::from(role)))
        .order_by_asc(Column::CreatedAt)
        .order_by_asc(Column::Id)
        .row(db);
    found.await.map_err(DbError::from)?.map(to_user).transpose()
}

/// The oldest account of a role in the platform company that is active and has an e-mail: the address.
pub(crate) async fn first_with_email(db: &impl ConnectionTrait, role: Role) -> DbResult<Option<String>> {
    let platform = company::Entity::find()
        .select_only()
        .column(company::Column::Id)
        .filter(company::Column::Kind.eq(i16::from(CompanyKind::Platform)))
        .order_by_asc(company::Column::CreatedAt)
        .limit(1)
        .into_query();
    let found = Entity::find()
        .select_only()
        .column(Column::Email)
        .filter(Column::Parent.in_subquery(platform))
        .filter(Column::Role.eq(i16::from(role)))
        .filter(Column::Status.eq(i16::from(Status::Active)))
        .filter(Column::Email.ne(""))
        .order_by_asc(Column::CreatedAt)
        .order_by_asc(Column::Id)
        .tuple::<(Option<String>,)>(db);
    Ok(found.await?.and_then(|(email,)| email))
}

/// The newest account of this e-mail among these ids.
pub(crate) async fn user_with_email(db: &impl ConnectionTrait, email: &str, among: SelectStatement) -> DbResult<Option<UserId>> {
    let query = Entity::find().filter(Column::Id.in_subquery(among)).filter(Column::Email.eq(email));
    Ok(query.order_by_desc(Column::CreatedAt).row(db).await?.map(|row| row.id.into()))
}

/// Sets an account active.
pub(crate) async fn activate_user(tx: &Tx, id: UserId) -> DbResult<()> {
    tx.changed("app_user", id);
    let active = Expr::value(i16::from(Status::Active));
    Entity::update_many().col_expr(Column::Status, active).filter(Column::Id.eq(id.0)).exec(&**tx).await?;
    Ok(())
}

pub(crate) async fn set_last_login(tx: &Tx, id: UserId, now: DateTime<Utc>) -> IdentityResult<()> {
    tx.changed("app_user", id);
    let row = ActiveModel { id: Set(id.0), last_login_at: Set(Some(now)), ..Default::default() };
    Entity::update(row).exec(&**tx).await.map_err(DbError::from)?;
    Ok(())
}

pub(crate) async fn set_password(tx: &Tx, id: UserId, hash: PasswordHash, now: DateTime<Utc>) -> IdentityResult<()> {
    tx.changed("app_user", id);
    let row = ActiveModel {
        id: Set(id.0),
        password_hash: Set(Some(hash.as_str().to_owned())),
        password_changed_at: Set(Some(now)),
        ..Default::default()
    };
    Entity::update(row).exec(&**tx).await.map_err(DbError::from)?;
    Ok(())
}

/// Whether any account of this role exists.
pub(crate) async fn exists_with_role(db: &impl ConnectionTrait, role: Role) -> IdentityResult<bool> {
    let found = Entity::find().filter(Column::Role.eq(i16::from(role))).row(db);
    Ok(found.await.map_err(DbError::from)?.is_some())
}

fn to_account(user: Model, company: company::Model) -> IdentityResult<Account> {
    let password = user.password_hash.clone().map(PasswordHash::stored);
    let last_login = user.last_login_at;
    Ok(Account { user: to_user(user)?, company: to_company(company)?, password, last_login })
}

pub(super) fn to_user(row: Model) -> IdentityResult<User> {
    let corrupt = |what: &dyn std::fmt::Display| IdentityError::Corrupt(format!("user {}: {what}", row.id));
    Ok(User {
        id: row.id.into(),
        role: row.role.try_into().map_err(|e| corrupt(&e))?,
        status: row.status.try_into().map_err(|e| corrupt(&e))?,
        parent: row.parent.into(),
        support: row.support,
        name: row.name,
        surname: row.surname,
        user_name: row.user_name,
        email: row.email,
        phone: row.phone,
        legal: row.legal,
        has2fa: row.two_factor_enabled,
        language: Language::parse(&row.language).unwrap_or_default(),
    })
}
