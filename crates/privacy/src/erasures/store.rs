//! Queries of retention, erasure and persons.

use super::entity::{erasure, privacy_request};
use super::persons::Subject;
use super::wipe;
use atalaya_assistance::media_items;
use atalaya_cases::conferences::{self, CompaniesDue, Conference, Erased, PersonKnown, Scope};
use atalaya_cases::usage;
use atalaya_client_files::requests as file_requests;
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::{CompanyId, ConferenceId, Sources};
use atalaya_messaging::Outbox;
use atalaya_rest::page::Slice;
use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Statement,
};
use uuid::Uuid;

/// Stands where the case number of an erased conference was.
pub const ERASED_NAME: &str = "Eliminado";

/// Removes every personal value of a conference and destroys its key. The chain, its counts and hashes stay (RETAIN-9).
pub(super) async fn wipe(tx: &Tx, sources: &Sources, row: Conference, at: DateTime<Utc>) -> DbResult<()> {
    let (id, company, expedient) = (row.id, row.company_id, row.expedient_key.clone());
    for statement in wipe::STATEMENTS {
        tx.execute_raw(Statement::from_sql_and_values(tx.get_database_backend(), *statement, [id.into()])).await?;
    }
    let erased = Erased { name: ERASED_NAME, billing_case: usage::case(company, &expedient), at };
    conferences::erase(tx, sources, ConferenceId(id), erased).await?;
    media_items::mark_expired(tx, id, at).await?;
    if !conferences::is_case_left(&**tx, CompanyId(company), &expedient).await? {
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

/// Conferences created up to `created` that still have files, of one company or of all but some. Oldest first.
pub(super) async fn list_due(
    db: &impl ConnectionTrait,
    of: CompaniesDue<'_>,
    created: DateTime<Utc>,
    slice: Slice,
) -> DbResult<Vec<Uuid>> {
    conferences::list_due(db, of, created, media_items::with_files(), slice).await
}

/// Marks a conference's files as expired.
pub(super) async fn mark_expired(tx: &Tx, id: ConferenceId, at: DateTime<Utc>) -> DbResult<()> {
    media_items::expire(tx, id, at).await?;
    conferences::mark_media_expired(tx, id, at).await
}

/// Conferences of a company with this person as their client, newest first.
pub(super) async fn list_of_person(
    db: &impl ConnectionTrait,
    scope: Scope,
    company: CompanyId,
    subject: &Subject,
    limit: u64,
) -> DbResult<Vec<Conference>> {
    let person = match subject {
        Subject::Phone(phone) => PersonKnown::Phone(phone),
        Subject::Email(email) => PersonKnown::Email(email),
    };
    // Numbers and addresses that the link was sent to before the present one.
    let written = Outbox::conferences_written_to(subject.as_str());
    // Recipients of requests for files, even when the message itself no longer exists.
    let asked = file_requests::with_recipient(subject.as_str());
    conferences::list_of_person(db, (scope, company), person, [written, asked], limit).await
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
