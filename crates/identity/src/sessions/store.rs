//! Queries on the `session` table.

use super::entity::{ActiveModel, Column, Entity, Model};
use super::model::{LiveSession, LogIn, Token};
use crate::{Identity, IdentityResult, directory};
use atalaya_db::{DbError, DbResult, Reads, Tx};
use atalaya_kernel::{CompanyId, SessionId, UserId};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Alias, ColumnRef, Expr, ExprTrait, JoinType, Query, SimpleExpr};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QuerySelect};
use std::collections::{HashMap, HashSet};

/// Parameters of one query, which databases bound.
const KEYS_AT_ONCE: usize = 500;

/// `None` when the session has ended or expired, or its user or the user's company may no longer log in.
pub(crate) async fn find_live(
    db: &impl ConnectionTrait,
    id: SessionId,
    now: DateTime<Utc>,
) -> IdentityResult<Option<LiveSession>> {
    let found = Entity::find_by_id(id.0).filter(Column::EndedAt.is_null()).filter(Column::ExpiresAt.gt(now)).row(db);
    let Some(row) = found.await.map_err(DbError::from)? else { return Ok(None) };
    let account = directory::find_account(db, row.user_id.into()).await?.filter(directory::Account::may_log_in);
    Ok(account.map(|account| LiveSession {
        id: row.id.into(),
        session_key: row.session_key,
        expires_at: row.expires_at,
        log_in: LogIn { opened_at: row.opened_at.unwrap_or(row.created_at), proved_at: row.proved_at },
        user: account.user,
        company: account.company,
    }))
}

/// Whether the caller proved who he is within the last ten minutes (PROOF-1).
pub async fn has_fresh_proof(d: &Identity, on: &impl ConnectionTrait, session: SessionId) -> IdentityResult<bool> {
    let now = d.sources.now();
    Ok(find_live(on, session, now).await?.is_some_and(|session| session.log_in.is_fresh(now)))
}

/// The key of the log-in that a session belongs to, while the log-in is active.
pub(crate) async fn living_key(db: &impl ConnectionTrait, id: SessionId, now: DateTime<Utc>) -> IdentityResult<Option<String>> {
    let Some(row) = Entity::find_by_id(id.0).row(db).await.map_err(DbError::from)? else { return Ok(None) };
    Ok(living_keys(db, &[row.session_key], now).await?.into_iter().next())
}

/// The log-ins that sessions belong to.
pub(crate) async fn keys_of(db: &impl ConnectionTrait, ids: &[SessionId]) -> DbResult<HashMap<SessionId, String>> {
    let mut keys = HashMap::new();
    for some in ids.chunks(KEYS_AT_ONCE) {
        let rows = Entity::find().filter(Column::Id.is_in(some.iter().map(|id| id.0))).rows(db).await?;
        keys.extend(rows.into_iter().map(|row| (SessionId(row.id), row.session_key)));
    }
    Ok(keys)
}

/// Whether a session of a user ended since then and none is active.
pub(crate) async fn has_left_since(
    db: &impl ConnectionTrait,
    user: UserId,
    since: DateTime<Utc>,
    now: DateTime<Utc>,
) -> DbResult<bool> {
    let of_user = || Entity::find().filter(Column::UserId.eq(user.0));
    let living = of_user().filter(Column::EndedAt.is_null()).filter(Column::ExpiresAt.gt(now)).row(db).await?;
    Ok(living.is_none() && of_user().filter(Column::EndedAt.gte(since)).row(db).await?.is_some())
}

/// Which of these log-ins still have a valid token.
pub(crate) async fn living_keys(db: &impl ConnectionTrait, keys: &[String], now: DateTime<Utc>) -> DbResult<HashSet<String>> {
    let mut living = HashSet::new();
    for some in keys.chunks(KEYS_AT_ONCE) {
        let query = Entity::find()
            .select_only()
            .column(Column::SessionKey)
            .distinct()
            .filter(Column::SessionKey.is_in(some))
            .filter(Column::EndedAt.is_null())
            .filter(Column::ExpiresAt.gt(now));
        living.extend(query.tuples::<(String,)>(db).await?.into_iter().map(|(key,)| key));
    }
    Ok(living)
}

/// Whether the log-in that a session belongs to has ended: it was revoked or expired with all that it was renewed to, or its
/// user may no longer log in, or belongs to another company. For queries on what sessions opened; takes the columns that
/// name the session and the company.
pub(crate) fn is_dead(session: ColumnRef, company: ColumnRef, now: DateTime<Utc>) -> SimpleExpr {
    let (own, family) = (Alias::new("own"), Alias::new("family"));
    let of_own = |column: Column| Expr::col((Alias::new("own"), column));
    let of_family = |column: Column| Expr::col((Alias::new("family"), column));
    let same_log_in =
        of_family(Column::UserId).eq(of_own(Column::UserId)).and(of_family(Column::SessionKey).eq(of_own(Column::SessionKey)));
    let living = Query::select()
        .expr(Expr::val(1))
        .from_as(Entity, own)
        .join_as(JoinType::InnerJoin, Entity, family, same_log_in)
        .and_where(of_own(Column::Id).eq(Expr::col(session)))
        .and_where(of_family(Column::EndedAt).is_null())
        .and_where(of_family(Column::ExpiresAt).gt(now))
        .and_where(of_own(Column::UserId).in_subquery(directory::users_admitted_by_company(company)))
        .take();
    Expr::exists(living).not()
}

/// A session to be written.
pub(crate) struct NewSession<'a> {
    pub id: SessionId,
    pub user: UserId,
    pub renewed_from: Option<SessionId>,
    pub session_key: &'a str,
    pub expires_at: DateTime<Utc>,
    pub log_in: LogIn,
    pub user_agent: Option<String>,
    pub address: Option<String>,
}

pub(crate) async fn insert(tx: &Tx, new: NewSession<'_>, now: DateTime<Utc>) -> DbResult<()> {
    let row = ActiveModel {
        id: Set(new.id.0),
        user_id: Set(new.user.0),
        renewed_from: Set(new.renewed_from.map(|id| id.0)),
        created_at: Set(now),
        expires_at: Set(new.expires_at),
        ended_at: Set(None),
        session_key: Set(new.session_key.to_owned()),
        user_agent: Set(new.user_agent),
        address: Set(new.address),
        proved_at: Set(new.log_in.proved_at),
        opened_at: Set(Some(new.log_in.opened_at)),
    };
    Entity::insert(row).exec_without_returning(&**tx).await?;
    Ok(())
}

pub(crate) async fn set_expiry(tx: &Tx, user: UserId, id: SessionId, expires_at: DateTime<Utc>) -> DbResult<()> {
    tx.changed("app_user", user);
    let row = ActiveModel { id: Set(id.0), expires_at: Set(expires_at), ..Default::default() };
    Entity::update(row).exec(&**tx).await?;
    Ok(())
}

/// Locks the row of a session's user until the transaction ends, so that ending and renewing sessions take turns.
pub(crate) async fn lock_owner(tx: &Tx, id: SessionId) -> DbResult<()> {
    match Entity::find_by_id(id.0).one(&**tx).await? {
        Some(row) => atalaya_db::lock_row(tx, "app_user", row.user_id).await,
        None => Ok(()),
    }
}

/// Ends every token of one log-in, those in their grace included. Answers how many there were.
pub(crate) async fn end_family(tx: &Tx, id: SessionId, now: DateTime<Utc>) -> DbResult<u64> {
    let Some(row) = Entity::find_by_id(id.0).one(&**tx).await? else { return Ok(0) };
    atalaya_db::lock_row(tx, "app_user", row.user_id).await?;
    tx.changed("app_user", row.user_id);
    let ended = Entity::update_many()
        .col_expr(Column::EndedAt, Expr::value(now))
        .filter(Column::UserId.eq(row.user_id))
        .filter(Column::SessionKey.eq(row.session_key))
        .filter(Column::EndedAt.is_null())
        .exec(&**tx);
    Ok(ended.await?.rows_affected)
}

/// Notes on every living token of a log-in that its holder has proved who he is.
pub(crate) async fn mark_proved(tx: &Tx, id: SessionId, now: DateTime<Utc>) -> DbResult<()> {
    let Some(row) = Entity::find_by_id(id.0).one(&**tx).await? else { return Ok(()) };
    tx.changed("app_user", row.user_id);
    Entity::update_many()
        .col_expr(Column::ProvedAt, Expr::value(now))
        .filter(Column::UserId.eq(row.user_id))
        .filter(Column::SessionKey.eq(row.session_key))
        .filter(Column::EndedAt.is_null())
        .exec(&**tx)
        .await?;
    Ok(())
}

/// Ends every session of a user.
pub(crate) async fn end_of_user(tx: &Tx, user: UserId, now: DateTime<Utc>) -> DbResult<u64> {
    atalaya_db::lock_row(tx, "app_user", user.0).await?;
    tx.changed("app_user", user);
    let ended = Entity::update_many()
        .col_expr(Column::EndedAt, Expr::value(now))
        .filter(Column::UserId.eq(user.0))
        .filter(Column::EndedAt.is_null())
        .exec(&**tx);
    Ok(ended.await?.rows_affected)
}

/// Ends every session of the user of this one but its own family.
pub(crate) async fn end_others(tx: &Tx, keep: SessionId, now: DateTime<Utc>) -> DbResult<u64> {
    let Some(row) = Entity::find_by_id(keep.0).one(&**tx).await? else { return Ok(0) };
    atalaya_db::lock_row(tx, "app_user", row.user_id).await?;
    tx.changed("app_user", row.user_id);
    let ended = Entity::update_many()
        .col_expr(Column::EndedAt, Expr::value(now))
        .filter(Column::UserId.eq(row.user_id))
        .filter(Column::SessionKey.ne(row.session_key))
        .filter(Column::EndedAt.is_null())
        .exec(&**tx);
    Ok(ended.await?.rows_affected)
}

/// Ends every session of a company's users.
pub(crate) async fn end_of_company(tx: &Tx, company: CompanyId, now: DateTime<Utc>) -> DbResult<u64> {
    tx.changed("company", company);
    let ended = Entity::update_many()
        .col_expr(Column::EndedAt, Expr::value(now))
        .filter(Column::UserId.in_subquery(directory::users_of(company)))
        .filter(Column::EndedAt.is_null())
        .exec(&**tx);
    Ok(ended.await?.rows_affected)
}

/// Every token of a user that was not ended, expired ones included.
pub(crate) async fn list_tokens(db: &impl ConnectionTrait, user: UserId) -> DbResult<Vec<Token>> {
    let rows = Entity::find().filter(Column::UserId.eq(user.0)).filter(Column::EndedAt.is_null()).rows(db).await?;
    let token = |row: Model| Token {
        id: row.id.into(),
        family: row.session_key,
        created_at: row.created_at,
        expires_at: row.expires_at,
        user_agent: row.user_agent,
        address: row.address,
    };
    Ok(rows.into_iter().map(token).collect())
}

/// The browser that a session was opened from.
pub(crate) async fn agent_of(db: &impl ConnectionTrait, id: SessionId) -> DbResult<Option<String>> {
    Ok(Entity::find_by_id(id.0).row(db).await?.and_then(|row| row.user_agent))
}

/// The user of a session, active or ended.
pub(crate) async fn owner_of(db: &impl ConnectionTrait, id: SessionId) -> DbResult<Option<UserId>> {
    Ok(Entity::find_by_id(id.0).row(db).await?.map(|row| row.user_id.into()))
}

/// Deletes sessions that expired before a moment.
pub(crate) async fn delete_expired(tx: &Tx, before: DateTime<Utc>) -> DbResult<u64> {
    Ok(Entity::delete_many().filter(Column::ExpiresAt.lt(before)).exec(&**tx).await?.rows_affected)
}
