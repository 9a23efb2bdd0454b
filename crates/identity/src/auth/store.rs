//! Queries on tickets, log-ins that wait for a code, and wrong tries.

use super::entity::{failure, pending, ticket};
use super::model::{self, Subject};
use crate::digest::sha256_hex;
use crate::{IdentityError, IdentityResult};
use atalaya_db::{DbResult, Reads, Tx};
use atalaya_kernel::{SessionId, Sources, UserId};
use chrono::{DateTime, Utc};
use sea_orm::{ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

pub(crate) async fn insert_ticket(tx: &Tx, opaque: &str, user: UserId, expires_at: DateTime<Utc>) -> DbResult<()> {
    let row = ticket::ActiveModel { id: Set(sha256_hex(opaque.as_bytes())), user_id: Set(user.0), expires_at: Set(expires_at) };
    ticket::Entity::insert(row).exec_without_returning(&**tx).await?;
    Ok(())
}

pub(crate) async fn find_ticket(db: &impl ConnectionTrait, opaque: &str, now: DateTime<Utc>) -> DbResult<Option<UserId>> {
    let found = ticket::Entity::find_by_id(sha256_hex(opaque.as_bytes()));
    let found = found.filter(ticket::Column::ExpiresAt.gt(now)).row(db).await?;
    Ok(found.map(|row| row.user_id.into()))
}

/// Deletes the ids issued for a user after they were used.
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
    let found = pending::Entity::find_by_id(id.0).filter(pending::Column::ExpiresAt.gt(now)).row(db).await?;
    Ok(found.is_some())
}

/// Spends a token between password and second factor; of many at once exactly one succeeds.
pub(crate) async fn spend_pending(tx: &Tx, id: SessionId, now: DateTime<Utc>) -> DbResult<bool> {
    let gone = pending::Entity::delete_many().filter(pending::Column::Id.eq(id.0)).filter(pending::Column::ExpiresAt.gt(now));
    Ok(gone.exec(&**tx).await?.rows_affected == 1)
}

/// Deletes the log-ins of a user that wait for their code: the password has changed.
pub(crate) async fn delete_pending_of(tx: &Tx, user: UserId) -> DbResult<()> {
    pending::Entity::delete_many().filter(pending::Column::UserId.eq(user.0)).exec(&**tx).await?;
    Ok(())
}

/// Whether one more try may be made against these subjects; answers whether it locks an account if it is wrong.
///
/// Errors: [`IdentityError::LoginLocked`] with the longest wait.
pub(crate) async fn check_tries(
    db: &impl ConnectionTrait,
    limits: &[(Subject, usize)],
    now: DateTime<Utc>,
) -> IdentityResult<bool> {
    let (mut wait, mut is_last) = (None, false);
    for (subject, max) in limits {
        let tries = list_tries(db, subject, now).await?;
        wait = wait.max(model::lock_seconds(&tries, *max, now));
        is_last |= subject.is_account() && tries.len() + 1 >= *max;
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
        .filter(failure::Column::At.lt(model::window_end(now)))
        .order_by_asc(failure::Column::At)
        .tuples::<(DateTime<Utc>,)>(db);
    Ok(times.await?.into_iter().map(|(at,)| at).collect())
}

/// Deletes the wrong tries against a subject. Those of the address stay: a successful log-in to one account must not erase
/// tries against others.
pub(crate) async fn forgive(tx: &Tx, subject: &Subject) -> DbResult<()> {
    failure::Entity::delete_many().filter(failure::Column::Subject.eq(&subject.0)).exec(&**tx).await?;
    Ok(())
}

/// Deletes the wrong passwords of an account, from every address, but not its wrong codes.
pub(crate) async fn forgive_passwords(tx: &Tx, user: UserId) -> DbResult<()> {
    let anywhere = Subject::user(user).0;
    let of_network = failure::Column::Subject.starts_with(format!("{anywhere}@"));
    let all = Condition::any().add(failure::Column::Subject.eq(&anywhere)).add(of_network);
    failure::Entity::delete_many().filter(all).exec(&**tx).await?;
    Ok(())
}

/// Deletes what no longer matters: tickets, tries and waiting log-ins past their time.
pub(crate) async fn delete_expired(tx: &Tx, now: DateTime<Utc>) -> DbResult<u64> {
    let tickets = ticket::Entity::delete_many().filter(ticket::Column::ExpiresAt.lte(now)).exec(&**tx).await?;
    let outside = Condition::any()
        .add(failure::Column::At.lte(model::window_start(now)))
        .add(failure::Column::At.gte(model::window_end(now)));
    let tries = failure::Entity::delete_many().filter(outside).exec(&**tx).await?;
    let pending = pending::Entity::delete_many().filter(pending::Column::ExpiresAt.lte(now)).exec(&**tx).await?;
    Ok(tickets.rows_affected + tries.rows_affected + pending.rows_affected)
}
