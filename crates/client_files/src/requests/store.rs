//! Queries of requests and their items. *Invariant:* staff reach a request through their [`Scope`] only.

use super::entity::{item, request};
use super::model::{Item, ItemState, Request};
use atalaya_cases::conferences::{self, Conference, Scope};
use atalaya_db::{DbResult, Reads, Tx, lock_row};
use atalaya_kernel::ConferenceId;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, Func, Query, SelectStatement};
use sea_orm::{ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, EntityTrait, IntoActiveModel};
use sea_orm::{ExprTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait};
use std::collections::HashMap;
use uuid::Uuid;

/// Rows that one run of the job reads.
const BATCH: u64 = 100;

pub async fn insert(tx: &Tx, request: Request, items: Vec<Item>) -> DbResult<()> {
    request::Model::from(request).into_active_model().reset_all().insert(&**tx).await?;
    let items = items.into_iter().map(|item| item::Model::from(item).into_active_model().reset_all());
    item::Entity::insert_many(items).exec_without_returning(&**tx).await?;
    Ok(())
}

/// The requests of a conference, newest first.
pub async fn list(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<Vec<Request>> {
    let rows = request::Entity::find()
        .filter(request::Column::ConferenceId.eq(id.0))
        .order_by_desc(request::Column::CreatedAt)
        .order_by_desc(request::Column::Id)
        .limit(500)
        .rows(db)
        .await?;
    Ok(rows.into_iter().map(Request::from).collect())
}

/// The items of these requests, in order.
pub async fn items_of(db: &impl ConnectionTrait, requests: &[Uuid]) -> DbResult<HashMap<Uuid, Vec<Item>>> {
    let mut all: HashMap<Uuid, Vec<Item>> = HashMap::new();
    for batch in requests.chunks(500) {
        let query = item::Entity::find().filter(item::Column::RequestId.is_in(batch.iter().copied()));
        for row in query.order_by_asc(item::Column::Position).rows(db).await? {
            all.entry(row.request_id).or_default().push(row.into());
        }
    }
    Ok(all)
}

/// A request with its conference, if that is within the scope.
pub async fn find(db: &impl ConnectionTrait, scope: Scope, id: Uuid) -> DbResult<Option<(Request, Conference)>> {
    let Some(row) = request::Entity::find_by_id(id).row(db).await? else { return Ok(None) };
    let conference = conferences::find(db, scope, ConferenceId(row.conference_id)).await?;
    Ok(conference.map(|conference| (row.into(), conference)))
}

/// For the client, where the secret of the link is the permission.
pub async fn find_by_token(db: &impl ConnectionTrait, token: &str) -> DbResult<Option<Request>> {
    Ok(request::Entity::find().filter(request::Column::Token.eq(token)).row(db).await?.map(Request::from))
}

pub async fn find_by_code(db: &impl ConnectionTrait, code: &str) -> DbResult<Option<Request>> {
    Ok(request::Entity::find().filter(request::Column::ShortCode.eq(code)).row(db).await?.map(Request::from))
}

/// The text that the client's page showed last, for later requests without one (FILES-4).
pub async fn last_page_text(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<Option<String>> {
    let shown = Condition::all().add(request::Column::ConferenceId.eq(id.0)).add(request::Column::PageShowText.is_not_null());
    let row = request::Entity::find().filter(shown).order_by_desc(request::Column::CreatedAt).row(db).await?;
    Ok(row.and_then(|row| row.page_show_text))
}

/// Locks a request and reads it as it is now.
pub async fn reload(tx: &Tx, id: Uuid) -> DbResult<Option<Request>> {
    lock_row(tx, "file_request", id).await?;
    Ok(request::Entity::find_by_id(id).one(&**tx).await?.map(Request::from))
}

/// Writes a request that was locked before.
pub async fn update(tx: &Tx, request: &Request) -> DbResult<()> {
    request::Model::from(request.clone()).into_active_model().reset_all().update(&**tx).await?;
    Ok(())
}

/// Sets an item's state; a note of `None` clears its note.
pub async fn set_item(tx: &Tx, id: Uuid, state: ItemState, note: Option<String>) -> DbResult<()> {
    item::Entity::update_many()
        .col_expr(item::Column::State, Expr::value(state.wire()))
        .col_expr(item::Column::Note, Expr::value(note))
        .filter(item::Column::Id.eq(id))
        .exec(&**tx)
        .await?;
    Ok(())
}

/// Marks an item as received; an approved one stays approved.
pub async fn receive(tx: &Tx, id: Uuid) -> DbResult<()> {
    item::Entity::update_many()
        .col_expr(item::Column::State, Expr::value(ItemState::Received.wire()))
        .col_expr(item::Column::Note, Expr::value(None::<String>))
        .filter(item::Column::Id.eq(id))
        .filter(item::Column::State.ne(ItemState::Approved.wire()))
        .exec(&**tx)
        .await?;
    Ok(())
}

/// Requests with a message that is due: a notice, a reminder or a rejection.
pub async fn list_due(db: &impl ConnectionTrait, now: DateTime<Utc>) -> DbResult<Vec<Request>> {
    let times = [request::Column::NotifyAt, request::Column::RemindAt, request::Column::RejectedNoticeAt];
    let due = times.into_iter().fold(Condition::any(), |due, time| due.add(time.lte(now)));
    let query = request::Entity::find().filter(due).order_by_asc(request::Column::CreatedAt).limit(BATCH);
    Ok(query.rows(db).await?.into_iter().map(Request::from).collect())
}

/// The ids of the requests whose link is over, for another room's own query.
pub fn over(now: DateTime<Utc>) -> SelectStatement {
    let over = Condition::any().add(request::Column::ExpiresAt.lte(now)).add(request::Column::CancelledAt.is_not_null());
    request::Entity::find().select_only().column(request::Column::Id).filter(over).into_query()
}

/// The ids of the conferences with a request that was sent to this phone or e-mail address, for another room's own query.
pub fn with_recipient(address: &str) -> SelectStatement {
    let same = Expr::expr(Func::lower(Expr::col(request::Column::ToAddress))).eq(address.to_lowercase());
    Query::select().column(request::Column::ConferenceId).from(request::Entity).and_where(same).to_owned()
}
