//! Queries of retention, erasure and persons.

use super::entity::{erasure, privacy_request};
use super::persons::Subject;
use super::wipe;
use atalaya_assistance::media_items;
use atalaya_cases::conferences::Scope;
use atalaya_cases::conferences::entity as conference;
use atalaya_cases::usage;
use atalaya_client_files::requests as file_requests;
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::{CompanyId, ConferenceId, Sources};
use atalaya_messaging::Outbox;
use atalaya_rest::page::Slice;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, Func};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, EntityTrait, ExprTrait, PaginatorTrait, QueryFilter, QueryOrder,
    QuerySelect, Set, Statement,
};
use uuid::Uuid;

/// Stands where the case number of an erased conference was.
pub const ERASED_NAME: &str = "Eliminado";

/// Removes every personal value of a conference and destroys its key. The chain, its counts and hashes stay (RETAIN-9).
pub(super) async fn wipe(tx: &Tx, sources: &Sources, row: conference::Model, at: DateTime<Utc>) -> DbResult<()> {
    let (id, company, expedient) = (row.id, row.company_id, row.expedient_key.clone());
    for statement in wipe::STATEMENTS {
        tx.execute_raw(Statement::from_sql_and_values(tx.get_database_backend(), *statement, [id.into()])).await?;
    }
    let mut row: conference::ActiveModel = row.into();
    row.data_key = Set(None);
    if let Some(case) = usage::case(company, &expedient) {
        row.billing_case = Set(Some(case));
    }
    row.expedient_number = Set(ERASED_NAME.into());
    row.expedient_key = Set(String::new());
    row.phone_number = Set(String::new());
    row.search = Set(String::new());
    row.starter_search = Set(None);
    for value in [
        &mut row.contact_person,
        &mut row.email,
        &mut row.full_address,
        &mut row.address,
        &mut row.city,
        &mut row.city_region,
        &mut row.postal_code,
        &mut row.region,
        &mut row.car_id,
    ] {
        *value = Set(None);
    }
    // The links that were sent stop working.
    row.hash = Set(sources.hex::<16>());
    row.short_code = Set(sources.base62(10));
    row.erased_at = Set(Some(at));
    row.update(&**tx).await?;
    media_items::mark_expired(tx, id, at).await?;
    let others = conference::Entity::find()
        .filter(conference::Column::CompanyId.eq(company))
        .filter(conference::Column::ExpedientKey.eq(&expedient))
        .limit(1);
    if others.one(&**tx).await?.is_none() {
        let notes = "DELETE FROM expedient_note WHERE company_id = $1 AND expedient_key = $2";
        let values = [company.into(), expedient.into()];
        tx.execute_raw(Statement::from_sql_and_values(tx.get_database_backend(), notes, values)).await?;
    }
    Ok(())
}

pub(super) async fn find_erasure(db: &impl ConnectionTrait, conference: Uuid) -> DbResult<Option<erasure::Model>> {
    Ok(erasure::Entity::find().filter(erasure::Column::ConferenceId.eq(conference)).one(db).await?)
}

pub(super) async fn insert_erasure(tx: &Tx, row: erasure::Model) -> DbResult<erasure::Model> {
    let row: erasure::ActiveModel = row.into();
    Ok(row.reset_all().insert(&**tx).await?)
}

/// Erasures of a company (`None`: of all), newest first, with how many there are.
pub(super) async fn list_erasures(
    db: &impl ConnectionTrait,
    company: Option<CompanyId>,
    slice: Slice,
) -> DbResult<(Vec<erasure::Model>, u64)> {
    let mut query = erasure::Entity::find();
    if let Some(company) = company {
        query = query.filter(erasure::Column::CompanyId.eq(company.0));
    }
    let total = query.clone().count(db).await?;
    let query = query.order_by_desc(erasure::Column::At).order_by_desc(erasure::Column::Id);
    Ok((query.offset(slice.offset).limit(slice.limit).all(db).await?, total))
}

/// Conferences with a proof of erasure, all of which the register must name.
pub(super) async fn erased_ids(db: &impl ConnectionTrait) -> DbResult<Vec<Uuid>> {
    let query = erasure::Entity::find().select_only().column(erasure::Column::ConferenceId);
    Ok(query.into_tuple().all(db).await?)
}

/// Which of these conferences exist and are not erased.
pub(super) async fn not_erased(db: &impl ConnectionTrait, ids: &[Uuid]) -> DbResult<Vec<Uuid>> {
    let mut found = Vec::new();
    for ids in ids.chunks(500) {
        let query = conference::Entity::find()
            .select_only()
            .column(conference::Column::Id)
            .filter(conference::Column::Id.is_in(ids.iter().copied()))
            .filter(conference::Column::ErasedAt.is_null());
        found.extend(query.into_tuple::<Uuid>().all(db).await?);
    }
    Ok(found)
}

/// Conferences created up to `created` that still have files, of one company or of all but some. Oldest first.
pub(super) async fn list_due(
    db: &impl ConnectionTrait,
    of: Companies<'_>,
    created: DateTime<Utc>,
    slice: Slice,
) -> DbResult<Vec<Uuid>> {
    let mut query = conference::Entity::find()
        .select_only()
        .column(conference::Column::Id)
        .filter(conference::Column::CreatedAt.lte(created))
        .filter(conference::Column::ErasedAt.is_null())
        .filter(conference::Column::Id.in_subquery(media_items::with_files()));
    query = match of {
        Companies::One(id) => query.filter(conference::Column::CompanyId.eq(id.0)),
        Companies::AllBut([]) => query,
        Companies::AllBut(ids) => query.filter(conference::Column::CompanyId.is_not_in(ids.iter().map(|id| id.0))),
    };
    let query = query.order_by_asc(conference::Column::CreatedAt).order_by_asc(conference::Column::Id);
    Ok(query.offset(slice.offset).limit(slice.limit).into_tuple().all(db).await?)
}

/// Whose conferences.
#[derive(Clone, Copy)]
pub(super) enum Companies<'a> {
    One(CompanyId),
    AllBut(&'a [CompanyId]),
}

/// Marks a conference's files as expired.
pub(super) async fn mark_expired(tx: &Tx, id: ConferenceId, at: DateTime<Utc>) -> DbResult<()> {
    media_items::expire(tx, id, at).await?;
    conference::Entity::update_many()
        .col_expr(conference::Column::MediaExpiredAt, Expr::value(at))
        .filter(conference::Column::Id.eq(id.0))
        .exec(&**tx)
        .await?;
    Ok(())
}

/// Conferences of a company with this person as their client, newest first.
pub(super) async fn list_of_person(
    db: &impl ConnectionTrait,
    scope: Scope,
    company: CompanyId,
    subject: &Subject,
    limit: u64,
) -> DbResult<Vec<conference::Model>> {
    let same = |column: conference::Column, text: &str| Expr::expr(Func::lower(Expr::col(column))).eq(text.to_lowercase());
    let known = match subject {
        Subject::Phone(phone) => conference::Column::PhoneNumber.eq(phone),
        Subject::Email(email) => same(conference::Column::Email, email),
    };
    // Numbers and addresses that the link was sent to before the present one.
    let written = Outbox::conferences_written_to(subject.as_str());
    // Recipients of requests for files, even when the message itself no longer exists.
    let asked = file_requests::with_recipient(subject.as_str());
    let of_person = Condition::any()
        .add(known)
        .add(conference::Column::Id.in_subquery(written))
        .add(conference::Column::Id.in_subquery(asked));
    Ok(conference::Entity::find()
        .filter(scope.condition())
        .filter(conference::Column::CompanyId.eq(company.0))
        .filter(conference::Column::ErasedAt.is_null())
        .filter(of_person)
        .order_by_desc(conference::Column::CreatedAt)
        .limit(limit)
        .all(db)
        .await?)
}

pub(super) async fn insert_request(tx: &Tx, row: privacy_request::Model) -> DbResult<privacy_request::Model> {
    let row: privacy_request::ActiveModel = row.into();
    Ok(row.reset_all().insert(&**tx).await?)
}

/// Requests at a company (`None`: at all), newest first, with how many there are.
pub(super) async fn list_requests(
    db: &impl ConnectionTrait,
    company: Option<CompanyId>,
    slice: Slice,
) -> DbResult<(Vec<privacy_request::Model>, u64)> {
    let mut query = privacy_request::Entity::find();
    if let Some(company) = company {
        query = query.filter(privacy_request::Column::CompanyId.eq(company.0));
    }
    let total = query.clone().count(db).await?;
    let query = query.order_by_desc(privacy_request::Column::At).order_by_desc(privacy_request::Column::Id);
    Ok((query.offset(slice.offset).limit(slice.limit).all(db).await?, total))
}
