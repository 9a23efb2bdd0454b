//! Queries of incidences. *Invariant:* every reading query takes a [`Scope`]; what lies outside is not found (INCID-12).

use super::entity::{counter, entry, image, incidence, log, reading};
use super::model::{IncidenceError, Kind, Reason, Status};
use super::ticket::{Entry, Image, Incidence, LogLine};
use atalaya_db::{DbError, DbResult, Reads, Tx, lock_row};
use atalaya_kernel::{CompanyId, ConferenceId, IncidenceId, Role, Sources, UserId, collate};
use atalaya_rest::caller::Caller;
use atalaya_rest::page::Slice;
use chrono::{DateTime, Utc};
use incidence::{Column, Entity};
use sea_orm::sea_query::OnConflict;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter,
    QueryOrder, QuerySelect, Select, Set,
};
use std::collections::HashMap;
use uuid::Uuid;

impl From<sea_orm::DbErr> for IncidenceError {
    fn from(error: sea_orm::DbErr) -> Self {
        DbError::from(error).into()
    }
}

/// Which incidences a caller may see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Administrators.
    All,
    /// Principals: their company's.
    Company(CompanyId),
    /// Everybody else: their own.
    Own(UserId),
}

impl Scope {
    pub fn of(caller: &Caller) -> Self {
        match caller.role {
            Role::Admin => Scope::All,
            role if role.is_principal() => Scope::Company(caller.company),
            _ => Scope::Own(caller.user),
        }
    }

    fn condition(self) -> Condition {
        match self {
            Scope::All => Condition::all(),
            Scope::Company(company) => Condition::all().add(Column::CompanyId.eq(company.0)),
            Scope::Own(user) => Condition::all().add(Column::AuthorId.eq(user.0)),
        }
    }
}

/// The filter of a list.
#[derive(Clone, Debug)]
pub struct Filter {
    pub scope: Scope,
    pub author: Option<UserId>,
    /// Empty: every status.
    pub statuses: Vec<Status>,
    /// Empty: every type.
    pub kinds: Vec<Kind>,
    /// Empty: every reason.
    pub reasons: Vec<Reason>,
    pub company: Option<CompanyId>,
    /// Sent from this moment on.
    pub from: Option<DateTime<Utc>>,
    /// Sent before this moment.
    pub until: Option<DateTime<Utc>>,
    /// Words that must all occur.
    pub search: String,
    /// Of this case only.
    pub expedient_key: Option<String>,
}

impl Filter {
    /// Everything within a scope.
    pub fn of(scope: Scope) -> Self {
        Self {
            scope,
            author: None,
            statuses: Vec::new(),
            kinds: Vec::new(),
            reasons: Vec::new(),
            company: None,
            from: None,
            until: None,
            search: String::new(),
            expedient_key: None,
        }
    }

    fn select(&self) -> Select<Entity> {
        let mut query = Entity::find().filter(self.scope.condition()).filter(self.narrowed());
        if let Some(author) = self.author {
            query = query.filter(Column::AuthorId.eq(author.0));
        }
        if !self.statuses.is_empty() {
            query = query.filter(Column::Status.is_in(self.statuses.iter().map(|status| i16::from(*status))));
        }
        if let Some(key) = &self.expedient_key {
            query = query.filter(Column::ExpedientKey.eq(key));
        }
        for word in collate::fold(&self.search).split(' ').filter(|word| !word.is_empty()) {
            query = query.filter(Column::Search.contains(word));
        }
        query
    }
}

impl Filter {
    /// Type, reason, company and days.
    fn narrowed(&self) -> Condition {
        let kinds = self.kinds.iter().map(|kind| i16::from(*kind));
        let reasons = self.reasons.iter().map(|reason| i16::from(*reason));
        Condition::all()
            .add_option((!self.kinds.is_empty()).then(|| Column::IncidenceType.is_in(kinds)))
            .add_option((!self.reasons.is_empty()).then(|| Column::Reason.is_in(reasons)))
            .add_option(self.company.map(|company| Column::CompanyId.eq(company.0)))
            .add_option(self.from.map(|from| Column::CreatedAt.gte(from)))
            .add_option(self.until.map(|until| Column::CreatedAt.lt(until)))
    }
}

/// How many there are in the list.
pub async fn count(db: &impl ConnectionTrait, filter: &Filter) -> DbResult<u64> {
    Ok(filter.select().number(db).await?)
}

/// A part of the list, the latest change first.
pub async fn list(db: &impl ConnectionTrait, filter: &Filter, slice: Slice) -> DbResult<Vec<Incidence>> {
    let query = filter.select().order_by_desc(Column::UpdatedAt).order_by_desc(Column::Number);
    let rows = query.offset(slice.offset).limit(slice.limit).rows(db).await?;
    Ok(rows.into_iter().map(Incidence::from).collect())
}

pub async fn find(db: &impl ConnectionTrait, scope: Scope, id: IncidenceId) -> DbResult<Option<Incidence>> {
    Ok(Entity::find_by_id(id.0).filter(scope.condition()).row(db).await?.map(Incidence::from))
}

/// The incidence, or [`IncidenceError::NotFound`].
pub async fn get(db: &impl ConnectionTrait, scope: Scope, id: IncidenceId) -> Result<Incidence, IncidenceError> {
    find(db, scope, id).await?.ok_or(IncidenceError::NotFound)
}

/// The same, locked until the transaction ends.
pub async fn lock(tx: &Tx, scope: Scope, id: IncidenceId) -> Result<Incidence, IncidenceError> {
    lock_row(tx, "incidence", id.0).await?;
    get(&**tx, scope, id).await
}

/// The next number, taken under the counter's lock: numbers have no gaps and no duplicates (INCID-7).
pub async fn next_number(tx: &Tx) -> DbResult<i32> {
    let fresh = counter::ActiveModel { id: Set(Uuid::nil()), last: Set(0) };
    let once = OnConflict::column(counter::Column::Id).do_nothing().to_owned();
    counter::Entity::insert(fresh).on_conflict(once).exec_without_returning(&**tx).await?;
    lock_row(tx, "incidence_counter", Uuid::nil()).await?;
    let row = counter::Entity::find_by_id(Uuid::nil()).one(&**tx).await?;
    let mut row = row.ok_or_else(|| sea_orm::DbErr::RecordNotFound("incidence_counter".into()))?.into_active_model();
    let next = row.last.as_ref() + 1;
    row.last = Set(next);
    row.update(&**tx).await?;
    Ok(next)
}

pub async fn insert(tx: &Tx, incidence: Incidence) -> DbResult<()> {
    Entity::insert(incidence::Model::from(incidence).into_active_model()).exec_without_returning(&**tx).await?;
    Ok(())
}

pub async fn update(tx: &Tx, incidence: Incidence) -> DbResult<()> {
    incidence::Model::from(incidence).into_active_model().reset_all().update(&**tx).await?;
    Ok(())
}

pub async fn insert_entry(tx: &Tx, entry: Entry) -> DbResult<()> {
    entry::Entity::insert(entry::Model::from(entry).into_active_model()).exec_without_returning(&**tx).await?;
    Ok(())
}

pub async fn insert_images(tx: &Tx, images: Vec<Image>) -> DbResult<()> {
    if !images.is_empty() {
        let rows = images.into_iter().map(|one| image::Model::from(one).into_active_model());
        image::Entity::insert_many(rows).exec_without_returning(&**tx).await?;
    }
    Ok(())
}

/// A line of the log about to be written.
pub struct NewLog {
    pub action: &'static str,
    pub from: Option<i16>,
    pub to: Option<i16>,
}

/// Appends to the log of an incidence that this transaction created or has locked.
pub async fn append_logs(tx: &Tx, sources: &Sources, id: Uuid, actor: UserId, lines: Vec<NewLog>) -> DbResult<()> {
    let before = log::Entity::find().filter(log::Column::IncidenceId.eq(id)).count(&**tx).await?;
    let now = sources.now();
    for (nth, line) in (1..).zip(lines) {
        let row = log::ActiveModel {
            id: Set(sources.uuid()),
            incidence_id: Set(id),
            actor_id: Set(actor.0),
            action: Set(line.action.to_owned()),
            from_value: Set(line.from),
            to_value: Set(line.to),
            seq: Set(i32::try_from(before).unwrap_or(i32::MAX).saturating_add(nth)),
            at: Set(now),
        };
        log::Entity::insert(row).exec_without_returning(&**tx).await?;
    }
    Ok(())
}

/// The log in order.
pub async fn logs(db: &impl ConnectionTrait, id: Uuid) -> DbResult<Vec<LogLine>> {
    let query = log::Entity::find().filter(log::Column::IncidenceId.eq(id));
    let rows = query.order_by_asc(log::Column::Seq).limit(PARTS).rows(db).await?;
    Ok(rows.into_iter().map(LogLine::from).collect())
}

/// Maximum number of answers and notes, or of images, of one incidence.
const PARTS: u64 = 1000;

/// Answers and notes in order.
pub async fn entries(db: &impl ConnectionTrait, id: Uuid) -> DbResult<Vec<Entry>> {
    let query = entry::Entity::find().filter(entry::Column::IncidenceId.eq(id));
    let rows = query.order_by_asc(entry::Column::At).order_by_asc(entry::Column::Id).limit(PARTS).rows(db).await?;
    Ok(rows.into_iter().map(Entry::from).collect())
}

/// Images in the order in which they were sent.
pub async fn images(db: &impl ConnectionTrait, id: Uuid) -> DbResult<Vec<Image>> {
    let query = image::Entity::find().filter(image::Column::IncidenceId.eq(id));
    let query = query.order_by_asc(image::Column::At).order_by_asc(image::Column::Position);
    Ok(query.limit(PARTS).rows(db).await?.into_iter().map(Image::from).collect())
}

/// An image and its incidence, if that is within the scope.
pub async fn find_image(db: &impl ConnectionTrait, scope: Scope, id: Uuid) -> DbResult<Option<(Image, Incidence)>> {
    let Some(image) = image::Entity::find_by_id(id).row(db).await? else { return Ok(None) };
    let of = find(db, scope, IncidenceId(image.incidence_id)).await?;
    Ok(of.map(|of| (image.into(), of)))
}

/// When this user last opened each of these incidences.
pub async fn readings(db: &impl ConnectionTrait, user: UserId, ids: &[Uuid]) -> DbResult<HashMap<Uuid, DateTime<Utc>>> {
    let rows = reading::Entity::find()
        .filter(reading::Column::UserId.eq(user.0))
        .filter(reading::Column::IncidenceId.is_in(ids.iter().copied()))
        .rows(db)
        .await?;
    Ok(rows.into_iter().map(|row| (row.incidence_id, row.at)).collect())
}

/// Remembers that a user has opened an incidence now.
pub async fn mark_read(tx: &Tx, sources: &Sources, user: UserId, id: Uuid) -> DbResult<()> {
    let row =
        reading::ActiveModel { id: Set(sources.uuid()), incidence_id: Set(id), user_id: Set(user.0), at: Set(sources.now()) };
    let again = OnConflict::columns([reading::Column::IncidenceId, reading::Column::UserId])
        .update_column(reading::Column::At)
        .to_owned();
    reading::Entity::insert(row).on_conflict(again).exec_without_returning(&**tx).await?;
    Ok(())
}

/// Incidences about a conference, without a scope; for its erasure.
pub async fn ids_about(tx: &Tx, conference: ConferenceId) -> DbResult<Vec<Uuid>> {
    let query = Entity::find().select_only().column(Column::Id).filter(Column::ConferenceId.eq(conference.0));
    Ok(query.into_tuple().all(&**tx).await?)
}

/// A company's incidences about a conference, the oldest first; for the export of a person.
pub async fn list_of_conference(
    db: &impl ConnectionTrait,
    company: CompanyId,
    conference: ConferenceId,
) -> DbResult<Vec<Incidence>> {
    let query = Entity::find().filter(Column::ConferenceId.eq(conference.0)).filter(Column::CompanyId.eq(company.0));
    let rows = query.order_by_asc(Column::Number).limit(PARTS).rows(db).await?;
    Ok(rows.into_iter().map(Incidence::from).collect())
}

/// Incidences that were archived up to then, the oldest first.
pub async fn archived_until(db: &impl ConnectionTrait, cutoff: DateTime<Utc>, limit: u64) -> DbResult<Vec<Uuid>> {
    let query = Entity::find().select_only().column(Column::Id).filter(Column::ArchivedAt.lte(cutoff));
    let rows: Vec<(Uuid,)> = query.order_by_asc(Column::ArchivedAt).limit(limit).tuples(db).await?;
    Ok(rows.into_iter().map(|(id,)| id).collect())
}

/// Deletes an incidence with everything in it.
pub async fn delete(tx: &Tx, id: Uuid) -> DbResult<()> {
    reading::Entity::delete_many().filter(reading::Column::IncidenceId.eq(id)).exec(&**tx).await?;
    log::Entity::delete_many().filter(log::Column::IncidenceId.eq(id)).exec(&**tx).await?;
    image::Entity::delete_many().filter(image::Column::IncidenceId.eq(id)).exec(&**tx).await?;
    entry::Entity::delete_many().filter(entry::Column::IncidenceId.eq(id)).exec(&**tx).await?;
    Entity::delete_by_id(id).exec(&**tx).await?;
    Ok(())
}
