//! Queries on devices and their deliveries.

use super::entity::{delivery, subscription};
use atalaya_db::{DbResult, Engine, ReadsTuples, Tx};
use atalaya_kernel::{CompanyId, Language, PushSubscriptionId, Role, SessionId, Status, UserId};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, LockType, Query, SimpleExpr};
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, EntityTrait, ExprTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect,
    QueryTrait, Set,
};
use std::collections::HashSet;
use uuid::Uuid;

/// Devices whose owner may log in and whose log-in was not ended. Others may be a lost telephone, or belong to somebody who
/// has left.
fn alive() -> SimpleExpr {
    let numbers = |fits: fn(Status) -> bool| {
        let all: Vec<String> = Status::ALL.into_iter().filter(|s| fits(*s)).map(|s| i16::from(s).to_string()).collect();
        all.join(", ")
    };
    Expr::cust(format!(
        "push_subscription.user_id IN (SELECT u.id FROM app_user u JOIN company c ON c.id = u.parent \
           WHERE u.status IN ({}) AND c.status IN ({})) \
         AND push_subscription.session_key NOT IN (SELECT session.session_key FROM session WHERE session.ended_at IS NOT NULL)",
        numbers(Status::user_may_log_in),
        numbers(Status::company_admits_log_in)
    ))
}

/// The device of a recipient.
#[derive(FromQueryResult)]
struct Reached {
    id: Uuid,
    language: Option<String>,
}

/// The devices of these users, each with its owner's language.
pub(crate) async fn reachable(db: &impl ConnectionTrait, users: &[UserId]) -> DbResult<Vec<(Uuid, Language)>> {
    let mut all = Vec::new();
    for some in users.chunks(500) {
        let language = Expr::cust("(SELECT app_user.language FROM app_user WHERE app_user.id = push_subscription.user_id)");
        let rows = subscription::Entity::find()
            .select_only()
            .column(subscription::Column::Id)
            .expr_as(language, "language")
            .filter(subscription::Column::UserId.is_in(some.iter().map(|id| id.0)))
            .filter(alive())
            .order_by_asc(subscription::Column::Id)
            .into_model::<Reached>()
            .all(db)
            .await?;
        let language = |row: &Reached| row.language.as_deref().and_then(Language::parse).unwrap_or_default();
        all.extend(rows.iter().map(|row| (row.id, language(row))));
    }
    Ok(all)
}

/// Those of these users who have a device.
pub(crate) async fn with_devices(db: &impl ConnectionTrait, users: &[UserId]) -> DbResult<HashSet<UserId>> {
    let mut all = HashSet::new();
    for some in users.chunks(500) {
        let rows: Vec<Uuid> = subscription::Entity::find()
            .select_only()
            .column(subscription::Column::UserId)
            .filter(subscription::Column::UserId.is_in(some.iter().map(|id| id.0)))
            .filter(alive())
            .into_tuple()
            .all(db)
            .await?;
        all.extend(rows.into_iter().map(UserId));
    }
    Ok(all)
}

/// A delivery about to be queued.
pub(crate) struct NewDelivery {
    pub id: Uuid,
    pub batch: Uuid,
    pub subscription: Uuid,
    pub payload: String,
    pub kind: &'static str,
    pub tag: String,
    pub due_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

pub(crate) async fn insert_deliveries(tx: &Tx, new: Vec<NewDelivery>) -> DbResult<()> {
    let rows: Vec<_> = new
        .into_iter()
        .map(|new| delivery::ActiveModel {
            id: Set(new.id),
            batch_id: Set(new.batch),
            subscription_id: Set(new.subscription),
            payload: Set(new.payload),
            kind: Set(new.kind.to_owned()),
            tag: Set(new.tag),
            attempts: Set(0),
            due_at: Set(new.due_at),
            expires_at: Set(new.expires_at),
        })
        .collect();
    for some in rows.chunks(500) {
        delivery::Entity::insert_many(some.to_vec()).exec_without_returning(&**tx).await?;
    }
    Ok(())
}

/// Withdraws deliveries of a tag that were not sent yet. Answers how many.
pub(crate) async fn withdraw(tx: &Tx, tag: &str) -> DbResult<u64> {
    // A plain DELETE locks in any order; the sending job locks by device and id, and the two must not deadlock.
    let mut query = delivery::Entity::find()
        .select_only()
        .column(delivery::Column::Id)
        .filter(delivery::Column::Tag.eq(tag))
        .order_by_asc(delivery::Column::SubscriptionId)
        .order_by_asc(delivery::Column::Id);
    if tx.engine() == Engine::Postgres {
        query = query.lock(LockType::Update);
    }
    let ids: Vec<Uuid> = query.into_tuple().all(&**tx).await?;
    let mut gone = 0;
    for some in ids.chunks(500) {
        let some = delivery::Column::Id.is_in(some.iter().copied());
        gone += delivery::Entity::delete_many().filter(some).exec(&**tx).await?.rows_affected;
    }
    Ok(gone)
}

/// A device as its owner sees it.
#[derive(Clone)]
pub(crate) struct Found {
    pub id: PushSubscriptionId,
    pub user: UserId,
    pub sealed: String,
    pub session_key: String,
    pub browser: String,
    pub os: String,
    pub created_at: DateTime<Utc>,
    pub last_ok_at: Option<DateTime<Utc>>,
}

impl From<subscription::Model> for Found {
    fn from(row: subscription::Model) -> Self {
        Self {
            id: row.id.into(),
            user: row.user_id.into(),
            sealed: row.sealed,
            session_key: row.session_key,
            browser: row.browser,
            os: row.os,
            created_at: row.created_at,
            last_ok_at: row.last_ok_at,
        }
    }
}

/// A device about to be written.
pub(crate) struct Device {
    pub id: Uuid,
    pub user: UserId,
    pub endpoint_digest: String,
    pub sealed: String,
    pub session_key: String,
    pub browser: String,
    pub os: String,
    pub expires_at: Option<DateTime<Utc>>,
}

pub(crate) async fn find(db: &impl ConnectionTrait, digest: &str) -> DbResult<Option<Found>> {
    let found = subscription::Entity::find().filter(subscription::Column::EndpointDigest.eq(digest)).one(db);
    Ok(found.await?.map(Into::into))
}

/// A person's devices, those seen last first; ended ones are left out.
pub(crate) async fn list(db: &impl ConnectionTrait, user: UserId) -> DbResult<Vec<Found>> {
    let rows = subscription::Entity::find()
        .filter(subscription::Column::UserId.eq(user.0))
        .filter(alive())
        .order_by_desc(subscription::Column::SeenAt)
        .order_by_desc(subscription::Column::Id)
        .all(db);
    Ok(rows.await?.into_iter().map(Into::into).collect())
}

/// Writes a device, or overwrites it when its id exists.
pub(crate) async fn put(tx: &Tx, new: Device, now: DateTime<Utc>) -> DbResult<Found> {
    let row = subscription::ActiveModel {
        id: Set(new.id),
        user_id: Set(new.user.0),
        endpoint_digest: Set(new.endpoint_digest),
        sealed: Set(new.sealed),
        session_key: Set(new.session_key),
        browser: Set(new.browser),
        os: Set(new.os),
        expires_at: Set(new.expires_at),
        seen_at: Set(now),
        ..Default::default()
    };
    let known = subscription::Entity::find_by_id(new.id).one(&**tx).await?.is_some();
    Ok(match known {
        true => subscription::Entity::update(row).exec(&**tx).await?,
        false => {
            let row = subscription::ActiveModel { created_at: Set(now), last_ok_at: Set(None), ..row };
            subscription::Entity::insert(row).exec_with_returning(&**tx).await?
        }
    }
    .into())
}

/// Deletes a device and its deliveries.
pub(crate) async fn delete_device(tx: &Tx, id: Uuid) -> DbResult<()> {
    // Locks the device before its deliveries, as `mark_ok` does.
    atalaya_db::lock_row(tx, "push_subscription", id).await?;
    delivery::Entity::delete_many().filter(delivery::Column::SubscriptionId.eq(id)).exec(&**tx).await?;
    subscription::Entity::delete_by_id(id).exec(&**tx).await?;
    Ok(())
}

/// Deletes every device of a person.
pub(crate) async fn delete_devices_of(tx: &Tx, user: UserId) -> DbResult<()> {
    let ids = subscription::Entity::find().filter(subscription::Column::UserId.eq(user.0)).all(&**tx).await?;
    for row in ids {
        delete_device(tx, row.id).await?;
    }
    Ok(())
}

/// The log-in that a session belongs to, the same over its renewals.
pub(crate) async fn session_key(db: &impl ConnectionTrait, session: SessionId) -> DbResult<Option<String>> {
    let mut query = Query::select();
    query.expr(Expr::col("session_key")).from("session").and_where(Expr::col("id").eq(session.0));
    Ok(query.tuple::<(String,)>(db).await?.map(|(key,)| key))
}

/// The active people of a company, of these roles.
pub(crate) async fn members(db: &impl ConnectionTrait, company: CompanyId, roles: &[Role]) -> DbResult<Vec<UserId>> {
    let mut query = Query::select();
    query
        .expr(Expr::col("id"))
        .from("app_user")
        .and_where(Expr::col("parent").eq(company.0))
        .and_where(Expr::col("role").is_in(roles.iter().map(|role| i16::from(*role))));
    Ok(query.tuples::<(Uuid,)>(db).await?.into_iter().map(|(id,)| UserId(id)).collect())
}

/// A due delivery. `sealed` is empty when its device is gone or may no longer be sent to.
pub(crate) struct Due {
    pub id: Uuid,
    pub subscription: Uuid,
    pub payload: String,
    pub kind: String,
    pub tag: String,
    pub attempts: i32,
    pub expires_at: DateTime<Utc>,
    pub sealed: Option<String>,
}

pub(crate) async fn due(db: &impl ConnectionTrait, batch: Uuid, now: DateTime<Utc>, most: u64) -> DbResult<Vec<Due>> {
    let rows = delivery::Entity::find()
        .filter(delivery::Column::BatchId.eq(batch))
        .filter(delivery::Column::DueAt.lte(now))
        .order_by_asc(delivery::Column::Id)
        .limit(most)
        .all(db)
        .await?;
    let ids = rows.iter().map(|row| row.subscription_id);
    let devices = subscription::Entity::find().filter(subscription::Column::Id.is_in(ids)).filter(alive()).all(db).await?;
    let sealed: std::collections::HashMap<Uuid, String> = devices.into_iter().map(|row| (row.id, row.sealed)).collect();
    let due = |row: delivery::Model| Due {
        id: row.id,
        sealed: sealed.get(&row.subscription_id).cloned(),
        subscription: row.subscription_id,
        payload: row.payload,
        kind: row.kind,
        tag: row.tag,
        attempts: row.attempts,
        expires_at: row.expires_at,
    };
    Ok(rows.into_iter().map(due).collect())
}

/// When the next delivery of a batch is due; `None` when all are done.
pub(crate) async fn next_due(tx: &Tx, batch: Uuid) -> DbResult<Option<DateTime<Utc>>> {
    let first = delivery::Entity::find().filter(delivery::Column::BatchId.eq(batch)).order_by_asc(delivery::Column::DueAt);
    Ok(first.one(&**tx).await?.map(|row| row.due_at))
}

pub(crate) async fn mark_ok(tx: &Tx, device: Uuid, now: DateTime<Utc>) -> DbResult<()> {
    let query = subscription::Entity::update_many().col_expr(subscription::Column::LastOkAt, Expr::value(now));
    query.filter(subscription::Column::Id.eq(device)).exec(&**tx).await?;
    Ok(())
}

pub(crate) async fn delete_delivery(tx: &Tx, id: Uuid) -> DbResult<()> {
    delivery::Entity::delete_by_id(id).exec(&**tx).await?;
    Ok(())
}

/// Schedules a retry. A delivery that was withdrawn meanwhile stays so.
pub(crate) async fn put_off(tx: &Tx, id: Uuid, attempts: i32, due_at: DateTime<Utc>) -> DbResult<()> {
    let query = delivery::Entity::update_many()
        .col_expr(delivery::Column::Attempts, Expr::value(attempts))
        .col_expr(delivery::Column::DueAt, Expr::value(due_at));
    query.filter(delivery::Column::Id.eq(id)).exec(&**tx).await?;
    Ok(())
}

/// Whether anybody has a device, or a message waits for one.
pub(crate) async fn any(db: &impl ConnectionTrait) -> DbResult<bool> {
    let device = subscription::Entity::find().select_only().column(subscription::Column::Id).into_tuple::<Uuid>().one(db).await?;
    let message = delivery::Entity::find().select_only().column(delivery::Column::Id).into_tuple::<Uuid>();
    Ok(device.is_some() || message.one(db).await?.is_some())
}

/// Deletes devices that may no longer be sent to, and expired deliveries. Answers the number of devices.
pub(crate) async fn sweep(tx: &Tx, now: DateTime<Utc>) -> DbResult<u64> {
    let over = Condition::any().add(alive().not()).add(subscription::Column::ExpiresAt.lte(now));
    let gone = subscription::Entity::delete_many().filter(over).exec(&**tx).await?.rows_affected;
    let known = subscription::Entity::find().select_only().column(subscription::Column::Id).into_query();
    let useless =
        Condition::any().add(delivery::Column::ExpiresAt.lte(now)).add(delivery::Column::SubscriptionId.not_in_subquery(known));
    delivery::Entity::delete_many().filter(useless).exec(&**tx).await?;
    Ok(gone)
}
