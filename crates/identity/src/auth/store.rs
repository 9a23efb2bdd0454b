//! Queries on sessions, tickets and wrong tries.

use super::entity::{failure, pending, session, ticket};
use super::model::{self, Subject};
use crate::devices::model::Token;
use crate::{IdentityError, IdentityResult};
use atalaya_db::{DbError, DbResult, Tx};
use atalaya_kernel::{CompanyId, SessionId, Sources, Status, UserId};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::Expr;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait};

/// A living session with its user and the status of the user's company.
pub(crate) struct LiveSession {
    pub id: SessionId,
    pub session_key: String,
    pub expires_at: DateTime<Utc>,
    pub user: crate::users::model::User,
}

/// One indexed query; `None` when the session has ended or expired, or its user or the user's company may no longer log in.
pub(crate) async fn find_live_session(
    db: &impl ConnectionTrait,
    id: SessionId,
    now: DateTime<Utc>,
) -> IdentityResult<Option<LiveSession>> {
    use crate::companies::entity as company;
    use crate::users::entity as user;
    let refusing = Status::ALL.into_iter().filter(|status| !status.company_admits_log_in()).map(i16::from);
    let refused =
        company::Entity::find().select_only().column(company::Column::Id).filter(company::Column::Status.is_in(refusing));
    let found = session::Entity::find_by_id(id.0)
        .filter(session::Column::EndedAt.is_null())
        .filter(session::Column::ExpiresAt.gt(now))
        .find_also_related(user::Entity)
        .filter(user::Column::Parent.not_in_subquery(refused.into_query()))
        .one(db);
    let Some((row, Some(user))) = found.await.map_err(DbError::from)? else { return Ok(None) };
    let user = crate::users::store::to_user(user)?;
    if !user.status.user_may_log_in() {
        return Ok(None);
    }
    Ok(Some(LiveSession { id: row.id.into(), session_key: row.session_key, expires_at: row.expires_at, user }))
}

/// A session to be written.
pub(crate) struct NewSession<'a> {
    pub id: SessionId,
    pub user: UserId,
    pub renewed_from: Option<SessionId>,
    pub session_key: &'a str,
    pub expires_at: DateTime<Utc>,
    pub user_agent: Option<String>,
    pub address: Option<String>,
}

pub(crate) async fn insert_session(tx: &Tx, new: NewSession<'_>, now: DateTime<Utc>) -> DbResult<()> {
    let row = session::ActiveModel {
        id: Set(new.id.0),
        user_id: Set(new.user.0),
        renewed_from: Set(new.renewed_from.map(|id| id.0)),
        created_at: Set(now),
        expires_at: Set(new.expires_at),
        ended_at: Set(None),
        session_key: Set(new.session_key.to_owned()),
        user_agent: Set(new.user_agent),
        address: Set(new.address),
    };
    session::Entity::insert(row).exec_without_returning(&**tx).await?;
    Ok(())
}

pub(crate) async fn set_session_expiry(tx: &Tx, id: SessionId, expires_at: DateTime<Utc>) -> DbResult<()> {
    let row = session::ActiveModel { id: Set(id.0), expires_at: Set(expires_at), ..Default::default() };
    session::Entity::update(row).exec(&**tx).await?;
    Ok(())
}

/// Locks the row of a session's user until the transaction ends, so that ending and renewing sessions take turns.
pub(crate) async fn lock_owner(tx: &Tx, id: SessionId) -> DbResult<()> {
    match session::Entity::find_by_id(id.0).one(&**tx).await? {
        Some(row) => atalaya_db::lock_row(tx, "app_user", row.user_id).await,
        None => Ok(()),
    }
}

/// Ends every token of one log-in, those in their grace included. Answers how many there were.
pub(crate) async fn end_session_family(tx: &Tx, id: SessionId, now: DateTime<Utc>) -> DbResult<u64> {
    let Some(row) = session::Entity::find_by_id(id.0).one(&**tx).await? else { return Ok(0) };
    atalaya_db::lock_row(tx, "app_user", row.user_id).await?;
    let ended = session::Entity::update_many()
        .col_expr(session::Column::EndedAt, Expr::value(now))
        .filter(session::Column::UserId.eq(row.user_id))
        .filter(session::Column::SessionKey.eq(row.session_key))
        .filter(session::Column::EndedAt.is_null())
        .exec(&**tx);
    Ok(ended.await?.rows_affected)
}

/// Ends every session of a user.
pub(crate) async fn end_sessions_of(tx: &Tx, user: UserId, now: DateTime<Utc>) -> DbResult<u64> {
    atalaya_db::lock_row(tx, "app_user", user.0).await?;
    let ended = session::Entity::update_many()
        .col_expr(session::Column::EndedAt, Expr::value(now))
        .filter(session::Column::UserId.eq(user.0))
        .filter(session::Column::EndedAt.is_null())
        .exec(&**tx);
    Ok(ended.await?.rows_affected)
}

/// Ends every session of the user of this one but its own family.
pub(crate) async fn end_other_sessions(tx: &Tx, keep: SessionId, now: DateTime<Utc>) -> DbResult<u64> {
    let Some(row) = session::Entity::find_by_id(keep.0).one(&**tx).await? else { return Ok(0) };
    atalaya_db::lock_row(tx, "app_user", row.user_id).await?;
    let ended = session::Entity::update_many()
        .col_expr(session::Column::EndedAt, Expr::value(now))
        .filter(session::Column::UserId.eq(row.user_id))
        .filter(session::Column::SessionKey.ne(row.session_key))
        .filter(session::Column::EndedAt.is_null())
        .exec(&**tx);
    Ok(ended.await?.rows_affected)
}

/// Ends every session of a company's users.
pub(crate) async fn end_sessions_of_company(tx: &Tx, company: CompanyId, now: DateTime<Utc>) -> DbResult<u64> {
    use crate::users::entity as user;
    let users = user::Entity::find().select_only().column(user::Column::Id).filter(user::Column::Parent.eq(company.0));
    let ended = session::Entity::update_many()
        .col_expr(session::Column::EndedAt, Expr::value(now))
        .filter(session::Column::UserId.in_subquery(users.into_query()))
        .filter(session::Column::EndedAt.is_null())
        .exec(&**tx);
    Ok(ended.await?.rows_affected)
}

/// Every token of a user that was not ended, expired ones included.
pub(crate) async fn list_tokens(db: &impl ConnectionTrait, user: UserId) -> DbResult<Vec<Token>> {
    let rows = session::Entity::find()
        .filter(session::Column::UserId.eq(user.0))
        .filter(session::Column::EndedAt.is_null())
        .all(db)
        .await?;
    let token = |row: session::Model| Token {
        id: row.id.into(),
        family: row.session_key,
        created_at: row.created_at,
        expires_at: row.expires_at,
        user_agent: row.user_agent,
        address: row.address,
    };
    Ok(rows.into_iter().map(token).collect())
}

/// Whose session it is, dead or alive.
pub(crate) async fn owner_of(db: &impl ConnectionTrait, id: SessionId) -> DbResult<Option<UserId>> {
    Ok(session::Entity::find_by_id(id.0).one(db).await?.map(|row| row.user_id.into()))
}

pub(crate) async fn insert_ticket(tx: &Tx, opaque: &str, user: UserId, expires_at: DateTime<Utc>) -> DbResult<()> {
    let row =
        ticket::ActiveModel { id: Set(model::sha256_hex(opaque.as_bytes())), user_id: Set(user.0), expires_at: Set(expires_at) };
    ticket::Entity::insert(row).exec_without_returning(&**tx).await?;
    Ok(())
}

pub(crate) async fn find_ticket(db: &impl ConnectionTrait, opaque: &str, now: DateTime<Utc>) -> DbResult<Option<UserId>> {
    let found = ticket::Entity::find_by_id(model::sha256_hex(opaque.as_bytes()));
    let found = found.filter(ticket::Column::ExpiresAt.gt(now)).one(db).await?;
    Ok(found.map(|row| row.user_id.into()))
}

/// Forgets the ids handed out for a user: they have served.
pub(crate) async fn delete_tickets_of(tx: &Tx, user: UserId) -> DbResult<()> {
    ticket::Entity::delete_many().filter(ticket::Column::UserId.eq(user.0)).exec(&**tx).await?;
    Ok(())
}

pub(crate) async fn insert_pending(tx: &Tx, id: SessionId, user: UserId, expires_at: DateTime<Utc>) -> DbResult<()> {
    let row = pending::ActiveModel { id: Set(id.0), user_id: Set(user.0), expires_at: Set(expires_at) };
    pending::Entity::insert(row).exec_without_returning(&**tx).await?;
    Ok(())
}

pub(crate) async fn pending_exists(db: &impl ConnectionTrait, id: SessionId, now: DateTime<Utc>) -> DbResult<bool> {
    let found = pending::Entity::find_by_id(id.0).filter(pending::Column::ExpiresAt.gt(now)).one(db).await?;
    Ok(found.is_some())
}

/// Spends a token between password and second factor; of many at once exactly one succeeds.
pub(crate) async fn spend_pending(tx: &Tx, id: SessionId, now: DateTime<Utc>) -> DbResult<bool> {
    let gone = pending::Entity::delete_many().filter(pending::Column::Id.eq(id.0)).filter(pending::Column::ExpiresAt.gt(now));
    Ok(gone.exec(&**tx).await?.rows_affected == 1)
}

/// Forgets the log-ins of a user that wait for their code: the password has changed.
pub(crate) async fn delete_pending_of(tx: &Tx, user: UserId) -> DbResult<()> {
    pending::Entity::delete_many().filter(pending::Column::UserId.eq(user.0)).exec(&**tx).await?;
    Ok(())
}

/// Whether one more try may be made against these subjects; answers whether it locks the first one if it is wrong.
///
/// Errors: [`IdentityError::LoginLocked`] with the longest wait.
pub(crate) async fn check_tries(
    db: &impl ConnectionTrait,
    limits: &[(Subject, usize)],
    now: DateTime<Utc>,
) -> IdentityResult<bool> {
    let (mut wait, mut is_last) = (None, false);
    for (nth, (subject, max)) in limits.iter().enumerate() {
        let tries = list_tries(db, subject, now).await?;
        wait = wait.max(model::lock_seconds(&tries, *max, now));
        is_last |= nth == 0 && tries.len() + 1 >= *max;
    }
    wait.map_or(Ok(is_last), |seconds| Err(IdentityError::LoginLocked(seconds)))
}

/// Counts a wrong try against these subjects.
pub(crate) async fn count_wrong(tx: &Tx, sources: &Sources, limits: &[(Subject, usize)]) -> DbResult<()> {
    let row = |(subject, _): &(Subject, usize)| failure::ActiveModel {
        id: Set(sources.uuid()),
        subject: Set(subject.0.clone()),
        at: Set(sources.now()),
    };
    failure::Entity::insert_many(limits.iter().map(row)).exec_without_returning(&**tx).await?;
    Ok(())
}

async fn list_tries(db: &impl ConnectionTrait, subject: &Subject, now: DateTime<Utc>) -> DbResult<Vec<DateTime<Utc>>> {
    let times = failure::Entity::find()
        .select_only()
        .column(failure::Column::At)
        .filter(failure::Column::Subject.eq(&subject.0))
        .filter(failure::Column::At.gt(model::window_start(now)))
        .order_by_asc(failure::Column::At)
        .into_tuple()
        .all(db);
    Ok(times.await?)
}

/// Forgets the wrong tries against an account. Those of the address stay: one good account must not wash away tries
/// against others.
pub(crate) async fn forgive(tx: &Tx, subject: &Subject) -> DbResult<()> {
    failure::Entity::delete_many().filter(failure::Column::Subject.eq(&subject.0)).exec(&**tx).await?;
    Ok(())
}

/// Deletes what no longer matters: tickets and tries past their time, sessions that ended before `old`.
pub(crate) async fn sweep(tx: &Tx, now: DateTime<Utc>, old: DateTime<Utc>) -> DbResult<u64> {
    let tickets = ticket::Entity::delete_many().filter(ticket::Column::ExpiresAt.lte(now)).exec(&**tx).await?;
    let tries = failure::Entity::delete_many().filter(failure::Column::At.lte(model::window_start(now))).exec(&**tx).await?;
    let pending = pending::Entity::delete_many().filter(pending::Column::ExpiresAt.lte(now)).exec(&**tx).await?;
    let sessions = session::Entity::delete_many().filter(session::Column::ExpiresAt.lt(old)).exec(&**tx).await?;
    Ok(tickets.rows_affected + tries.rows_affected + pending.rows_affected + sessions.rows_affected)
}
