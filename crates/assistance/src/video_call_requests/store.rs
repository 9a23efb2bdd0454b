//! Queries of requests. Callers have checked the tenant, or pass it along.

use super::entity::{refusal, request};
use super::model::{RequestError, State, Step, Times};
use atalaya_db::{DbResult, Reads, Tx};
use atalaya_kernel::{CompanyId, ConferenceId, UserId, VideoCallRequestId};
use chrono::{DateTime, TimeDelta, Utc};
use request::{Column, Entity, Model};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder,
    QuerySelect, QueryTrait, Select, Set,
};
use std::collections::HashMap;
use uuid::Uuid;

/// Requests of one list at most.
const LIST_MAX: u64 = 500;
/// Ended requests older than this are not listed.
const LISTED: TimeDelta = TimeDelta::days(30);
/// Requests that one run of the job ends at most; the next run ends the rest.
const SWEEP_MAX: u64 = 500;

impl From<sea_orm::DbErr> for RequestError {
    fn from(error: sea_orm::DbErr) -> Self {
        Self::Db(error.into())
    }
}

impl Model {
    pub fn request_id(&self) -> VideoCallRequestId {
        VideoCallRequestId(self.id)
    }

    pub fn times(&self) -> Times {
        Times { state: State::parse(&self.state), queued_at: self.queued_at, expires_at: self.expires_at }
    }

    /// The company asked and the company that asks.
    pub fn parties(&self) -> [CompanyId; 2] {
        [CompanyId(self.customer_id), CompanyId(self.starter_company_id)]
    }
}

fn open(now: DateTime<Utc>) -> Condition {
    Condition::all().add(Column::State.is_in(State::OPEN.map(State::name))).add(Column::ExpiresAt.gt(now))
}

fn ringing(customer: CompanyId, now: DateTime<Utc>) -> Select<Entity> {
    let mine = Column::CustomerId.eq(customer.0);
    Entity::find().filter(mine).filter(open(now)).filter(Column::QueuedAt.lte(now))
}

/// Without those that this user has refused.
fn not_passed_on(query: Select<Entity>, user: UserId) -> Select<Entity> {
    let passed =
        refusal::Entity::find().select_only().column(refusal::Column::RequestId).filter(refusal::Column::UserId.eq(user.0));
    query.filter(Column::Id.not_in_subquery(passed.into_query()))
}

pub async fn find(db: &impl ConnectionTrait, id: VideoCallRequestId) -> DbResult<Option<Model>> {
    Ok(Entity::find_by_id(id.0).row(db).await?)
}

pub async fn insert(tx: &Tx, row: Model) -> DbResult<()> {
    Entity::insert(row.into_active_model()).exec_without_returning(&**tx).await?;
    Ok(())
}

pub async fn update(tx: &Tx, row: Model) -> DbResult<()> {
    row.into_active_model().reset_all().update(&**tx).await?;
    Ok(())
}

/// A starter's own: open ones and those that ended since.
pub async fn list_of_starter(
    db: &impl ConnectionTrait,
    starter: UserId,
    since: DateTime<Utc>,
    now: DateTime<Utc>,
) -> DbResult<Vec<Model>> {
    let mine = Entity::find().filter(Column::StarterId.eq(starter.0));
    newest(mine.filter(recent(since, now)), db).await
}

/// A customer's, without those that this user has refused: open ones and those that ended since.
pub async fn list_of_customer(
    db: &impl ConnectionTrait,
    customer: CompanyId,
    user: UserId,
    since: DateTime<Utc>,
    now: DateTime<Utc>,
) -> DbResult<Vec<Model>> {
    let theirs = not_passed_on(Entity::find().filter(Column::CustomerId.eq(customer.0)), user);
    newest(theirs.filter(recent(since, now)), db).await
}

/// Everybody's, for administrators.
pub async fn list_all(db: &impl ConnectionTrait, since: DateTime<Utc>, now: DateTime<Utc>) -> DbResult<Vec<Model>> {
    newest(Entity::find().filter(recent(since, now)), db).await
}

/// The open ones of a customer as one of its people sees them, in the order in which they ring.
pub async fn list_open(db: &impl ConnectionTrait, customer: CompanyId, user: UserId, now: DateTime<Utc>) -> DbResult<Vec<Model>> {
    let query = Entity::find().filter(Column::CustomerId.eq(customer.0)).filter(open(now));
    Ok(not_passed_on(query, user).order_by_asc(Column::QueuedAt).order_by_asc(Column::Id).limit(LIST_MAX).rows(db).await?)
}

/// Open ones, and those that ended since; an expired request that the job has not ended yet counts as ended at its expiry.
/// Each half is bounded by an index, because screens poll these lists.
fn recent(since: DateTime<Utc>, now: DateTime<Utc>) -> Condition {
    let open = Condition::all().add(Column::State.is_in(State::OPEN.map(State::name))).add(Column::ExpiresAt.gt(since));
    // Older ones are call-backs that were moved; these are found by their expiry.
    let young = Condition::any().add(Column::CreatedAt.gt(now - LISTED)).add(Column::ExpiresAt.gt(since));
    Condition::any().add(open).add(Condition::all().add(Column::EndedAt.gt(since)).add(young))
}

async fn newest(query: Select<Entity>, db: &impl ConnectionTrait) -> DbResult<Vec<Model>> {
    Ok(query.order_by_desc(Column::CreatedAt).order_by_desc(Column::Id).limit(LIST_MAX).rows(db).await?)
}

/// How many ring at a customer, as one of its people counts them.
pub async fn count_ringing(
    db: &impl ConnectionTrait,
    customer: CompanyId,
    user: Option<UserId>,
    now: DateTime<Utc>,
) -> DbResult<u64> {
    let query = ringing(customer, now);
    let query = match user {
        Some(user) => not_passed_on(query, user),
        None => query,
    };
    Ok(query.number(db).await?)
}

/// How many ring at each of these customers.
pub async fn ringing_of(
    db: &impl ConnectionTrait,
    customers: &[CompanyId],
    now: DateTime<Utc>,
) -> DbResult<HashMap<CompanyId, u64>> {
    let mut all = HashMap::new();
    for part in customers.chunks(500) {
        let rows: Vec<(Uuid, i64)> = Entity::find()
            .select_only()
            .column(Column::CustomerId)
            .column_as(Column::Id.count(), "ringing")
            .filter(Column::CustomerId.is_in(part.iter().map(|id| id.0)))
            .filter(open(now))
            .filter(Column::QueuedAt.lte(now))
            .group_by(Column::CustomerId)
            .tuples(db)
            .await?;
        all.extend(rows.into_iter().map(|(id, count)| (CompanyId(id), u64::try_from(count).unwrap_or_default())));
    }
    Ok(all)
}

/// Seconds that the latest answered requests of a customer waited on average, from the time they rang.
pub async fn average_wait(db: &impl ConnectionTrait, customer: CompanyId, since: DateTime<Utc>) -> DbResult<Option<i64>> {
    let rows: Vec<(DateTime<Utc>, DateTime<Utc>)> = Entity::find()
        .select_only()
        .column(Column::QueuedAt)
        .column(Column::EndedAt)
        .filter(Column::CustomerId.eq(customer.0))
        .filter(Column::State.eq(State::Accepted.name()))
        .filter(Column::EndedAt.gt(since))
        .filter(Column::EndedAt.is_not_null())
        .order_by_desc(Column::EndedAt)
        .limit(200)
        .tuples(db)
        .await?;
    // A call-back answered before its time did not wait.
    let total: i64 = rows.iter().map(|(queued, ended)| (*ended - *queued).num_seconds().max(0)).sum();
    Ok(i64::try_from(rows.len()).ok().filter(|n| *n > 0).map(|n| total / n))
}

/// A waiting request of a starter to a customer, or one that rings.
pub async fn open_towards(
    db: &impl ConnectionTrait,
    starter: UserId,
    customer: CompanyId,
    now: DateTime<Utc>,
) -> DbResult<Option<VideoCallRequestId>> {
    let found = ringing(customer, now).filter(Column::StarterId.eq(starter.0)).row(db).await?;
    Ok(found.map(|row| row.request_id()))
}

/// The positions of ringing requests in their customers' queues.
pub async fn positions(db: &impl ConnectionTrait, customers: &[CompanyId], now: DateTime<Utc>) -> DbResult<HashMap<Uuid, u32>> {
    let rows: Vec<(Uuid, Uuid)> = Entity::find()
        .select_only()
        .column(Column::CustomerId)
        .column(Column::Id)
        .filter(Column::CustomerId.is_in(customers.iter().map(|id| id.0)))
        .filter(open(now))
        .filter(Column::QueuedAt.lte(now))
        .order_by_asc(Column::QueuedAt)
        .order_by_asc(Column::Id)
        .limit(10 * LIST_MAX)
        .tuples(db)
        .await?;
    let mut lengths: HashMap<Uuid, u32> = HashMap::new();
    let mut places = HashMap::new();
    for (customer, id) in rows {
        let length = lengths.entry(customer).or_default();
        *length += 1;
        places.insert(id, *length);
    }
    Ok(places)
}

/// Claims a request for a conference that is about to be written. Of many at once only the first is answered true, because
/// the statement finds the row open only once (REQUEST-5).
pub async fn claim(
    tx: &Tx,
    id: VideoCallRequestId,
    (user, name): (UserId, &str),
    conference: ConferenceId,
    now: DateTime<Utc>,
) -> DbResult<bool> {
    let change = Entity::update_many()
        .col_expr(Column::State, Expr::value(State::Accepted.name()))
        .col_expr(Column::AcceptedBy, Expr::value(user.0))
        .col_expr(Column::AcceptedName, Expr::value(name))
        .col_expr(Column::ConferenceId, Expr::value(conference.0))
        .col_expr(Column::EndedAt, Expr::value(now))
        .filter(Column::Id.eq(id.0))
        .filter(open(now));
    Ok(change.exec(&**tx).await?.rows_affected == 1)
}

/// Ends a request that is open in the database, whatever the clock says. False when it no longer is.
pub async fn end(tx: &Tx, id: VideoCallRequestId, step: Step, now: DateTime<Utc>) -> DbResult<bool> {
    end_where(tx, id, step, now, Condition::all()).await
}

/// Ends an expired request. False when somebody has ended it, or agreed on a later time, since it was read.
pub async fn expire(tx: &Tx, id: VideoCallRequestId, now: DateTime<Utc>) -> DbResult<bool> {
    end_where(tx, id, Step::Expire, now, Condition::all().add(Column::ExpiresAt.lte(now))).await
}

async fn end_where(tx: &Tx, id: VideoCallRequestId, step: Step, now: DateTime<Utc>, only: Condition) -> DbResult<bool> {
    let Some(state) = State::Waiting.after(step) else { return Ok(false) };
    let change = Entity::update_many()
        .col_expr(Column::State, Expr::value(state.name()))
        .col_expr(Column::EndedAt, Expr::value(now))
        .filter(Column::Id.eq(id.0))
        .filter(Column::State.is_in(State::OPEN.map(State::name)))
        .filter(only);
    Ok(change.exec(&**tx).await?.rows_affected == 1)
}

/// A starter's requests that are open in the database.
pub async fn open_of(tx: &Tx, starter: UserId) -> DbResult<Vec<Model>> {
    let open = Column::State.is_in(State::OPEN.map(State::name));
    Ok(Entity::find().filter(Column::StarterId.eq(starter.0)).filter(open).all(&**tx).await?)
}

/// Expired requests that nobody has ended.
pub async fn list_lapsed(db: &impl ConnectionTrait, now: DateTime<Utc>) -> DbResult<Vec<Model>> {
    let over = Entity::find().filter(Column::State.is_in(State::OPEN.map(State::name))).filter(Column::ExpiresAt.lte(now));
    Ok(over.order_by_asc(Column::ExpiresAt).limit(SWEEP_MAX).rows(db).await?)
}

/// Whether any request is open, or lapsed and not ended yet.
pub async fn any_open(db: &impl ConnectionTrait) -> DbResult<bool> {
    Ok(Entity::find().filter(Column::State.is_in(State::OPEN.map(State::name))).row(db).await?.is_some())
}

/// Requests that have rung since `before` or longer, and that somebody refused.
pub async fn list_refused_by_some(db: &impl ConnectionTrait, before: DateTime<Utc>, now: DateTime<Utc>) -> DbResult<Vec<Model>> {
    let some = Entity::find().filter(open(now)).filter(Column::QueuedAt.lte(before)).filter(Column::Refusals.gt(0));
    Ok(some.order_by_asc(Column::QueuedAt).limit(SWEEP_MAX).rows(db).await?)
}

/// Call-backs that are near or due, of which fewer reminders went out than should have.
pub async fn list_to_remind(db: &impl ConnectionTrait, now: DateTime<Utc>, before: TimeDelta) -> DbResult<Vec<Model>> {
    let near = Condition::all().add(Column::CallbackAt.lte(now + before)).add(Column::Reminders.lt(1));
    let due = Condition::all().add(Column::CallbackAt.lte(now)).add(Column::Reminders.lt(2));
    let scheduled = Column::State.eq(State::Scheduled.name());
    let query = Entity::find().filter(scheduled).filter(Column::ExpiresAt.gt(now)).filter(Condition::any().add(near).add(due));
    Ok(query.order_by_asc(Column::CallbackAt).limit(SWEEP_MAX).rows(db).await?)
}

/// Records that somebody refused a request. Idempotent.
pub async fn put_refusal(
    tx: &Tx,
    id: Uuid,
    request: VideoCallRequestId,
    user: UserId,
    reason: Option<String>,
    now: DateTime<Utc>,
) -> DbResult<()> {
    if refused_by(&**tx, request).await?.contains(&user) {
        return Ok(());
    }
    let row =
        refusal::ActiveModel { id: Set(id), request_id: Set(request.0), user_id: Set(user.0), reason: Set(reason), at: Set(now) };
    refusal::Entity::insert(row).exec_without_returning(&**tx).await?;
    Ok(())
}

/// Who has refused a request.
pub async fn refused_by(db: &impl ConnectionTrait, request: VideoCallRequestId) -> DbResult<Vec<UserId>> {
    let query = refusal::Entity::find().select_only().column(refusal::Column::UserId);
    let ids: Vec<(Uuid,)> = query.filter(refusal::Column::RequestId.eq(request.0)).limit(2000).tuples(db).await?;
    Ok(ids.into_iter().map(|(id,)| UserId(id)).collect())
}

/// Deletes all refusals of a request, so that it rings again at everybody.
pub async fn clear_refusals(tx: &Tx, request: VideoCallRequestId) -> DbResult<()> {
    refusal::Entity::delete_many().filter(refusal::Column::RequestId.eq(request.0)).exec(&**tx).await?;
    Ok(())
}
