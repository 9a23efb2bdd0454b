//! Queries on the tables of notifications; everything read or marked is scoped by the reader.

use super::entity::{general, personal, read};
use super::model::{General, NewGeneral, NoticeType, Personal, RoleGroup};
use atalaya_db::{DbResult, Reads, Tx};
use atalaya_kernel::{NotificationId, Role, UserId};
use atalaya_rest::page::Slice;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, OnConflict, SelectStatement};
use sea_orm::{
    ActiveValue::Set, ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
};
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use uuid::Uuid;

/// Maximum number of notifications of one category in the panel (NOTICE-3).
const PANEL_MAX: u64 = 500;
/// Rows in one statement: databases limit the number of parameters.
const ROWS_AT_ONCE: usize = 500;

/// The reader, and the time of reading.
#[derive(Clone, Copy)]
pub(super) struct Reader {
    pub user: UserId,
    pub role: Role,
    pub now: DateTime<Utc>,
}

impl Reader {
    /// General notifications in force for the reader.
    fn in_force(self) -> Condition {
        Condition::all()
            .add(general::Column::StartAt.lte(self.now))
            .add(general::Column::ExpiresAt.gt(self.now))
            .add(general::Column::WithdrawnAt.is_null())
            .add(general::Column::RoleGroup.is_in([0, i16::from(self.role)]))
    }

    /// Ids of the general notifications that the reader has read.
    fn read_ids(self) -> SelectStatement {
        let query = read::Entity::find().select_only().column(read::Column::NotificationId);
        query.filter(read::Column::UserId.eq(self.user.0)).into_query()
    }

    fn unread(self) -> Condition {
        self.in_force().add(general::Column::Id.not_in_subquery(self.read_ids()))
    }

    fn own(self) -> Condition {
        Condition::all().add(personal::Column::UserId.eq(self.user.0))
    }
}

/// How many the reader has not read.
pub(super) async fn count_unread(db: &impl ConnectionTrait, reader: Reader) -> DbResult<u64> {
    let general = general::Entity::find().filter(reader.unread()).number(db).await?;
    let personal = personal::Entity::find().filter(reader.own()).filter(personal::Column::ReadAt.is_null()).number(db).await?;
    Ok(general + personal)
}

/// Whether there is something to show, read or not.
pub(super) async fn has_any(db: &impl ConnectionTrait, reader: Reader) -> DbResult<bool> {
    let general = general::Entity::find().filter(reader.in_force()).select_only().column(general::Column::Id).limit(1);
    if general.tuple::<(Uuid,)>(db).await?.is_some() {
        return Ok(true);
    }
    let personal = personal::Entity::find().filter(reader.own()).select_only().column(personal::Column::Id).limit(1);
    Ok(personal.tuple::<(Uuid,)>(db).await?.is_some())
}

/// The general ones in force, and whether they were read, newest first.
pub(super) async fn list_general(db: &impl ConnectionTrait, reader: Reader) -> DbResult<Vec<(General, bool)>> {
    let rows = general::Entity::find()
        .filter(reader.in_force())
        .order_by_desc(general::Column::StartAt)
        .order_by_desc(general::Column::Id)
        .limit(PANEL_MAX)
        .rows(db)
        .await?;
    let of = read::Column::NotificationId.is_in(rows.iter().map(|row| row.id));
    let query = read::Entity::find().select_only().column(read::Column::NotificationId);
    let seen = query.filter(read::Column::UserId.eq(reader.user.0)).filter(of).tuples::<(Uuid,)>(db).await?;
    let seen: HashSet<Uuid> = seen.into_iter().map(|(id,)| id).collect();
    let one = |row: general::Model| {
        let is_read = seen.contains(&row.id);
        (to_general(row), is_read)
    };
    Ok(rows.into_iter().map(one).collect())
}

/// The reader's personal ones, newest first.
pub(super) async fn list_personal(db: &impl ConnectionTrait, reader: Reader) -> DbResult<Vec<Personal>> {
    let rows = personal::Entity::find()
        .filter(reader.own())
        .order_by_desc(personal::Column::CreatedAt)
        .order_by_desc(personal::Column::Id)
        .limit(PANEL_MAX)
        .rows(db)
        .await?;
    Ok(rows.into_iter().map(to_personal).collect())
}

/// Every personal one of a user, newest first, as he reads it in the file of his own data.
pub(super) async fn records_of(db: &impl ConnectionTrait, user: UserId) -> DbResult<Vec<Value>> {
    let rows = personal::Entity::find()
        .filter(personal::Column::UserId.eq(user.0))
        .order_by_desc(personal::Column::CreatedAt)
        .rows(db)
        .await?;
    let one =
        |row: personal::Model| json!({"text": row.text, "case": row.expedient, "at": row.created_at, "readAt": row.read_at});
    Ok(rows.into_iter().map(one).collect())
}

fn to_personal(row: personal::Model) -> Personal {
    Personal {
        id: row.id.into(),
        user: row.user_id.into(),
        conference: row.conference_id.map(Into::into),
        request: row.request_id.map(Into::into),
        text_id: row.text_id,
        text: row.text,
        expedient: row.expedient,
        target: row.target,
        kind: NoticeType::stored(row.action),
        created_at: row.created_at,
        is_read: row.read_at.is_some(),
    }
}

fn to_general(row: general::Model) -> General {
    General {
        id: row.id.into(),
        text: row.text,
        url: row.url,
        body: row.body,
        // Nothing writes other groups.
        group: RoleGroup::parse(row.role_group.into()).unwrap_or(RoleGroup::Everybody),
        start_at: row.start_at,
        expires_at: row.expires_at,
        withdrawn: row.withdrawn_at.is_some(),
    }
}

/// Writes unread personal notifications.
pub(super) async fn insert_personal(tx: &Tx, all: &[Personal]) -> DbResult<()> {
    for some in all.chunks(ROWS_AT_ONCE) {
        let row = |of: &Personal| personal::ActiveModel {
            id: Set(of.id.0),
            user_id: Set(of.user.0),
            conference_id: Set(of.conference.map(Uuid::from)),
            request_id: Set(of.request.map(Uuid::from)),
            text_id: Set(of.text_id.clone()),
            text: Set(of.text.clone()),
            expedient: Set(of.expedient.clone()),
            target: Set(of.target.clone()),
            action: Set(of.kind as i16),
            created_at: Set(of.created_at),
            read_at: Set(None),
        };
        personal::Entity::insert_many(some.iter().map(row)).exec_without_returning(&**tx).await?;
    }
    Ok(())
}

/// Whether a general notification is in force for the reader.
pub(super) async fn is_in_force(db: &impl ConnectionTrait, reader: Reader, id: NotificationId) -> DbResult<bool> {
    Ok(general::Entity::find_by_id(id.0).filter(reader.in_force()).row(db).await?.is_some())
}

/// Marks general ones as read. Idempotent.
pub(super) async fn mark_read(tx: &Tx, reader: Reader, ids: &[Uuid]) -> DbResult<()> {
    for ids in ids.chunks(ROWS_AT_ONCE) {
        let row = |id: &Uuid| read::ActiveModel { user_id: Set(reader.user.0), notification_id: Set(*id), at: Set(reader.now) };
        let once = OnConflict::columns([read::Column::UserId, read::Column::NotificationId]).do_nothing().to_owned();
        read::Entity::insert_many(ids.iter().map(row)).on_conflict(once).exec_without_returning(&**tx).await?;
    }
    Ok(())
}

pub(super) async fn mark_unread(tx: &Tx, reader: Reader, id: NotificationId) -> DbResult<()> {
    read::Entity::delete_by_id((reader.user.0, id.0)).exec(&**tx).await?;
    Ok(())
}

/// Marks one of the reader's own. Answers false when it belongs to another.
pub(super) async fn set_read(tx: &Tx, reader: Reader, id: NotificationId, seen: bool) -> DbResult<bool> {
    let done = personal::Entity::update_many()
        .col_expr(personal::Column::ReadAt, Expr::value(seen.then_some(reader.now)))
        .filter(reader.own())
        .filter(personal::Column::Id.eq(id.0))
        .exec(&**tx)
        .await?;
    Ok(done.rows_affected == 1)
}

/// Marks everything the reader can see as read.
pub(super) async fn mark_all(tx: &Tx, reader: Reader) -> DbResult<()> {
    let query = general::Entity::find().select_only().column(general::Column::Id).filter(reader.unread());
    let ids: Vec<Uuid> = query.into_tuple().all(&**tx).await?;
    mark_read(tx, reader, &ids).await?;
    personal::Entity::update_many()
        .col_expr(personal::Column::ReadAt, Expr::value(Some(reader.now)))
        .filter(reader.own())
        .filter(personal::Column::ReadAt.is_null())
        .exec(&**tx)
        .await?;
    Ok(())
}

pub(super) async fn insert_general(
    tx: &Tx,
    id: NotificationId,
    author: UserId,
    new: &NewGeneral,
    now: DateTime<Utc>,
) -> DbResult<()> {
    let row = general::ActiveModel {
        id: Set(id.0),
        author_id: Set(author.0),
        text: Set(new.text.clone()),
        url: Set(new.url.clone()),
        body: Set(new.body.clone()),
        role_group: Set(new.group.number()),
        created_at: Set(now),
        start_at: Set(new.start_at),
        expires_at: Set(new.expires_at),
        announced_at: Set(None),
        withdrawn_at: Set(None),
    };
    general::Entity::insert(row).exec_without_returning(&**tx).await?;
    Ok(())
}

pub(super) async fn find_general(db: &impl ConnectionTrait, id: NotificationId) -> DbResult<Option<General>> {
    Ok(general::Entity::find_by_id(id.0).row(db).await?.map(to_general))
}

/// All general notifications, the latest start first, with how many there are.
pub(super) async fn page_general(db: &impl ConnectionTrait, slice: Slice) -> DbResult<(Vec<General>, u64)> {
    let query = general::Entity::find();
    let total = query.clone().number(db).await?;
    let query = query.order_by_desc(general::Column::StartAt).order_by_desc(general::Column::Id);
    let rows = query.offset(slice.offset).limit(slice.limit).rows(db).await?;
    Ok((rows.into_iter().map(to_general).collect(), total))
}

/// How many people have read each of these.
pub(super) async fn count_readers(db: &impl ConnectionTrait, ids: &[NotificationId]) -> DbResult<HashMap<NotificationId, i64>> {
    let rows = read::Entity::find()
        .select_only()
        .column(read::Column::NotificationId)
        .column_as(read::Column::UserId.count(), "readers")
        .filter(read::Column::NotificationId.is_in(ids.iter().map(|id| id.0)))
        .group_by(read::Column::NotificationId)
        .tuples::<(Uuid, i64)>(db);
    Ok(rows.await?.into_iter().map(|(id, readers)| (id.into(), readers)).collect())
}

/// Claims the announcement of a general notification. Answers false when it was announced already or is not in force.
pub(super) async fn claim_announcement(tx: &Tx, id: NotificationId, now: DateTime<Utc>) -> DbResult<bool> {
    let done = general::Entity::update_many()
        .col_expr(general::Column::AnnouncedAt, Expr::value(Some(now)))
        .filter(general::Column::Id.eq(id.0))
        .filter(general::Column::AnnouncedAt.is_null())
        .filter(general::Column::WithdrawnAt.is_null())
        .filter(general::Column::StartAt.lte(now))
        .filter(general::Column::ExpiresAt.gt(now))
        .exec(&**tx)
        .await?;
    Ok(done.rows_affected == 1)
}

/// Withdraws a scheduled or active notification. Answers false when it is over.
pub(super) async fn withdraw(tx: &Tx, id: NotificationId, now: DateTime<Utc>) -> DbResult<bool> {
    let done = general::Entity::update_many()
        .col_expr(general::Column::WithdrawnAt, Expr::value(Some(now)))
        .filter(general::Column::Id.eq(id.0))
        .filter(general::Column::WithdrawnAt.is_null())
        .filter(general::Column::ExpiresAt.gt(now))
        .exec(&**tx)
        .await?;
    Ok(done.rows_affected == 1)
}

/// Deletes personal ones: read ones written before `read`, and all written before `any`.
pub(super) async fn delete_old(tx: &Tx, read: DateTime<Utc>, any: DateTime<Utc>) -> DbResult<u64> {
    let seen = Condition::all().add(personal::Column::ReadAt.is_not_null()).add(personal::Column::CreatedAt.lt(read));
    let old = Condition::any().add(seen).add(personal::Column::CreatedAt.lt(any));
    Ok(personal::Entity::delete_many().filter(old).exec(&**tx).await?.rows_affected)
}
