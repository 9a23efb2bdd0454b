//! Queries of requests, their items and uploads. *Invariant:* staff reach a request through their [`Scope`] only.

use super::entity::{item, request, upload};
use crate::media::entity::media_item as media;
use atalaya_cases::conferences::Scope;
use atalaya_cases::conferences::entity as conference;
use atalaya_db::{DbResult, Tx, lock_row};
use atalaya_kernel::ConferenceId;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::Expr;
use sea_orm::{ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, EntityTrait, IntoActiveModel};
use sea_orm::{ExprTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait};
use std::collections::HashMap;
use uuid::Uuid;

/// Rows that one run of the job reads.
const BATCH: u64 = 100;

pub async fn insert(tx: &Tx, row: request::Model, items: Vec<item::Model>) -> DbResult<()> {
    row.into_active_model().reset_all().insert(&**tx).await?;
    let items = items.into_iter().map(|item| item.into_active_model().reset_all());
    item::Entity::insert_many(items).exec_without_returning(&**tx).await?;
    Ok(())
}

/// The requests of a conference, newest first.
pub async fn list(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<Vec<request::Model>> {
    Ok(request::Entity::find()
        .filter(request::Column::ConferenceId.eq(id.0))
        .order_by_desc(request::Column::CreatedAt)
        .order_by_desc(request::Column::Id)
        .limit(500)
        .all(db)
        .await?)
}

/// The items of these requests, in order.
pub async fn items_of(db: &impl ConnectionTrait, requests: &[Uuid]) -> DbResult<HashMap<Uuid, Vec<item::Model>>> {
    let mut all: HashMap<Uuid, Vec<item::Model>> = HashMap::new();
    for batch in requests.chunks(500) {
        let query = item::Entity::find().filter(item::Column::RequestId.is_in(batch.iter().copied()));
        for row in query.order_by_asc(item::Column::Position).all(db).await? {
            all.entry(row.request_id).or_default().push(row);
        }
    }
    Ok(all)
}

/// Which media answer which items of these requests, in order of arrival.
pub async fn media_of(db: &impl ConnectionTrait, requests: &[Uuid]) -> DbResult<HashMap<Uuid, Vec<Uuid>>> {
    let mut all: HashMap<Uuid, Vec<Uuid>> = HashMap::new();
    for batch in requests.chunks(500) {
        let rows: Vec<(Uuid, Uuid)> = media::Entity::find()
            .select_only()
            .column(media::Column::Id)
            .column(media::Column::ItemId)
            .filter(media::Column::RequestId.is_in(batch.iter().copied()))
            .filter(media::Column::ItemId.is_not_null())
            .order_by_asc(media::Column::CreatedAt)
            .order_by_asc(media::Column::Id)
            .into_tuple()
            .all(db)
            .await?;
        for (media, item) in rows {
            all.entry(item).or_default().push(media);
        }
    }
    Ok(all)
}

/// A request with its conference, if that is within the scope.
pub async fn find(db: &impl ConnectionTrait, scope: Scope, id: Uuid) -> DbResult<Option<(request::Model, conference::Model)>> {
    let Some(row) = request::Entity::find_by_id(id).one(db).await? else { return Ok(None) };
    let conference = atalaya_cases::conferences::find(db, scope, ConferenceId(row.conference_id)).await?;
    Ok(conference.map(|conference| (row, conference)))
}

/// For the client, where the secret of the link is the permission.
pub async fn find_by_token(db: &impl ConnectionTrait, token: &str) -> DbResult<Option<request::Model>> {
    Ok(request::Entity::find().filter(request::Column::Token.eq(token)).one(db).await?)
}

pub async fn find_by_code(db: &impl ConnectionTrait, code: &str) -> DbResult<Option<request::Model>> {
    Ok(request::Entity::find().filter(request::Column::ShortCode.eq(code)).one(db).await?)
}

/// The text that the client's page showed last, for later requests without one (FILES-4).
pub async fn last_page_text(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<Option<String>> {
    let row = request::Entity::find()
        .filter(request::Column::ConferenceId.eq(id.0))
        .filter(request::Column::PageShowText.is_not_null())
        .order_by_desc(request::Column::CreatedAt)
        .one(db)
        .await?;
    Ok(row.and_then(|row| row.page_show_text))
}

/// Locks a request and reads it as it is now.
pub async fn reload(tx: &Tx, id: Uuid) -> DbResult<Option<request::Model>> {
    lock_row(tx, "file_request", id).await?;
    Ok(request::Entity::find_by_id(id).one(&**tx).await?)
}

/// Writes a request that was locked before.
pub async fn update(tx: &Tx, row: &request::Model) -> DbResult<()> {
    row.clone().into_active_model().reset_all().update(&**tx).await?;
    Ok(())
}

/// Marks that files of this conference were requested.
pub async fn mark_requested(tx: &Tx, id: ConferenceId) -> DbResult<()> {
    conference::Entity::update_many()
        .col_expr(conference::Column::FilesRequested, Expr::value(true))
        .filter(conference::Column::Id.eq(id.0))
        .exec(&**tx)
        .await?;
    Ok(())
}

/// Sets an item's state; a note of `None` clears its note.
pub async fn set_item(tx: &Tx, id: Uuid, state: &str, note: Option<String>) -> DbResult<()> {
    item::Entity::update_many()
        .col_expr(item::Column::State, Expr::value(state))
        .col_expr(item::Column::Note, Expr::value(note))
        .filter(item::Column::Id.eq(id))
        .exec(&**tx)
        .await?;
    Ok(())
}

/// Marks an item as received; an approved one stays approved.
pub async fn receive(tx: &Tx, id: Uuid) -> DbResult<()> {
    item::Entity::update_many()
        .col_expr(item::Column::State, Expr::value("received"))
        .col_expr(item::Column::Note, Expr::value(None::<String>))
        .filter(item::Column::Id.eq(id))
        .filter(item::Column::State.ne("approved"))
        .exec(&**tx)
        .await?;
    Ok(())
}

pub async fn insert_upload(tx: &Tx, row: upload::Model) -> DbResult<upload::Model> {
    Ok(row.into_active_model().reset_all().insert(&**tx).await?)
}

pub async fn find_upload(db: &impl ConnectionTrait, request: Uuid, id: Uuid) -> DbResult<Option<upload::Model>> {
    let query = upload::Entity::find_by_id(id).filter(upload::Column::RequestId.eq(request));
    Ok(query.filter(upload::Column::State.ne("cancelled")).one(db).await?)
}

pub async fn find_upload_by_key(db: &impl ConnectionTrait, request: Uuid, key: &str) -> DbResult<Option<upload::Model>> {
    Ok(upload::Entity::find()
        .filter(upload::Column::RequestId.eq(request))
        .filter(upload::Column::UploadKey.eq(key))
        .one(db)
        .await?)
}

/// The uploads of a request in order, without those that were given up.
pub async fn list_uploads(db: &impl ConnectionTrait, request: Uuid) -> DbResult<Vec<upload::Model>> {
    Ok(upload::Entity::find()
        .filter(upload::Column::RequestId.eq(request))
        .filter(upload::Column::State.ne("cancelled"))
        .order_by_asc(upload::Column::CreatedAt)
        .order_by_asc(upload::Column::Id)
        .limit(2000)
        .all(db)
        .await?)
}

/// Uploads of a request that arrived or are under way, and their bytes.
pub async fn count_uploads(db: &impl ConnectionTrait, request: Uuid) -> DbResult<(u64, i64)> {
    let taken = upload::Entity::find()
        .filter(upload::Column::RequestId.eq(request))
        .filter(upload::Column::State.is_not_in(["refused", "cancelled"]));
    let sizes: Vec<i64> = taken.select_only().column(upload::Column::SizeBytes).into_tuple().all(db).await?;
    Ok((sizes.len() as u64, sizes.iter().sum()))
}

/// All uploads ever begun, including refused and given-up ones.
pub async fn count_tries(db: &impl ConnectionTrait, request: Uuid) -> DbResult<u64> {
    Ok(upload::Entity::find().filter(upload::Column::RequestId.eq(request)).count(db).await?)
}

/// Adds a stored segment. Answers false when another caller has changed the upload meanwhile.
pub async fn grow(tx: &Tx, row: &upload::Model, segment: &str, bytes: i64, now: DateTime<Utc>) -> DbResult<bool> {
    let segments = if row.segments.is_empty() { segment.to_owned() } else { format!("{} {segment}", row.segments) };
    let done = upload::Entity::update_many()
        .col_expr(upload::Column::Segments, Expr::value(segments))
        .col_expr(upload::Column::OffsetBytes, Expr::value(row.offset_bytes + bytes))
        .col_expr(upload::Column::UpdatedAt, Expr::value(now))
        .filter(upload::Column::Id.eq(row.id))
        .filter(upload::Column::State.eq("running"))
        .filter(upload::Column::OffsetBytes.eq(row.offset_bytes))
        .filter(upload::Column::Segments.eq(row.segments.clone()))
        .exec(&**tx)
        .await?;
    Ok(done.rows_affected == 1)
}

/// Ends an upload: `accepted` with its media item, or `refused` with a code.
pub async fn end_upload(tx: &Tx, id: Uuid, state: &str, code: Option<&str>, media: Option<Uuid>) -> DbResult<()> {
    upload::Entity::update_many()
        .col_expr(upload::Column::State, Expr::value(state))
        .col_expr(upload::Column::Code, Expr::value(code.map(str::to_owned)))
        .col_expr(upload::Column::MediaId, Expr::value(media))
        .col_expr(upload::Column::Segments, Expr::value(""))
        .filter(upload::Column::Id.eq(id))
        .exec(&**tx)
        .await?;
    Ok(())
}

/// Gives an upload up (FILES-24). The row stays, because every try counts; its key is free again and its name is deleted.
/// Answers false when it has become a media item.
pub async fn cancel_upload(tx: &Tx, id: Uuid, now: DateTime<Utc>) -> DbResult<bool> {
    let done = upload::Entity::update_many()
        .col_expr(upload::Column::State, Expr::value("cancelled"))
        .col_expr(upload::Column::UploadKey, Expr::value(format!("cancelled {id}")))
        .col_expr(upload::Column::Name, Expr::value(""))
        .col_expr(upload::Column::DeclaredType, Expr::value(""))
        .col_expr(upload::Column::Segments, Expr::value(""))
        .col_expr(upload::Column::UpdatedAt, Expr::value(now))
        .filter(upload::Column::Id.eq(id))
        .filter(upload::Column::State.ne("accepted"))
        .exec(&**tx)
        .await?;
    Ok(done.rows_affected == 1)
}

/// A media item by its id, with its conference within the scope.
pub async fn find_media(
    db: &impl ConnectionTrait,
    scope: Scope,
    id: Uuid,
) -> DbResult<Option<(media::Model, conference::Model)>> {
    let Some(item) = media::Entity::find_by_id(id).one(db).await? else { return Ok(None) };
    let row = atalaya_cases::conferences::find(db, scope, ConferenceId(item.conference_id)).await?;
    Ok(row.map(|row| (item, row)))
}

/// Writes a reviewer's verdict.
pub async fn review(
    tx: &Tx,
    id: Uuid,
    verdict: &str,
    note: Option<String>,
    by: Uuid,
    at: DateTime<Utc>,
) -> DbResult<media::Model> {
    media::Entity::update_many()
        .col_expr(media::Column::Review, Expr::value(verdict))
        .col_expr(media::Column::ReviewNote, Expr::value(note))
        .col_expr(media::Column::ReviewedBy, Expr::value(by))
        .col_expr(media::Column::ReviewedAt, Expr::value(at))
        .filter(media::Column::Id.eq(id))
        .exec(&**tx)
        .await?;
    let row = media::Entity::find_by_id(id).one(&**tx).await?;
    Ok(row.ok_or_else(|| sea_orm::DbErr::RecordNotFound("media_item".into()))?)
}

/// Stores the preview of a picture that the server cannot decode.
pub async fn set_preview(
    tx: &Tx,
    id: Uuid,
    preview: (String, String),
    thumbnail: (String, String),
    size: (i32, i32),
) -> DbResult<()> {
    media::Entity::update_many()
        .col_expr(media::Column::PreviewBlob, Expr::value(preview.0))
        .col_expr(media::Column::PreviewHash, Expr::value(preview.1))
        .col_expr(media::Column::ThumbnailBlob, Expr::value(thumbnail.0))
        .col_expr(media::Column::ThumbnailHash, Expr::value(thumbnail.1))
        .col_expr(media::Column::Width, Expr::value(size.0))
        .col_expr(media::Column::Height, Expr::value(size.1))
        .filter(media::Column::Id.eq(id))
        .exec(&**tx)
        .await?;
    Ok(())
}

/// Requests with a message that is due: a notice, a reminder or a rejection.
pub async fn list_due(db: &impl ConnectionTrait, now: DateTime<Utc>) -> DbResult<Vec<request::Model>> {
    let due = Condition::any()
        .add(request::Column::NotifyAt.lte(now))
        .add(request::Column::RemindAt.lte(now))
        .add(request::Column::RejectedNoticeAt.lte(now));
    Ok(request::Entity::find().filter(due).order_by_asc(request::Column::CreatedAt).limit(BATCH).all(db).await?)
}

/// Uploads without activity since then that are complete, or whose link is over.
pub async fn list_idle(db: &impl ConnectionTrait, since: DateTime<Utc>, now: DateTime<Utc>) -> DbResult<Vec<upload::Model>> {
    let over = Condition::any().add(request::Column::ExpiresAt.lte(now)).add(request::Column::CancelledAt.is_not_null());
    let over = request::Entity::find().select_only().column(request::Column::Id).filter(over).into_query();
    let whole = Expr::col(upload::Column::OffsetBytes).eq(Expr::col(upload::Column::SizeBytes));
    Ok(upload::Entity::find()
        .filter(upload::Column::State.eq("running"))
        .filter(upload::Column::UpdatedAt.lte(since))
        .filter(Condition::any().add(whole).add(upload::Column::RequestId.in_subquery(over)))
        .order_by_asc(upload::Column::UpdatedAt)
        .limit(BATCH)
        .all(db)
        .await?)
}
