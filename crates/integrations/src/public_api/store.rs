//! Queries of the public API, all within the key's company.

use super::entity::{reference, request};
use super::model::{Listing, PAGE_SIZE};
use atalaya_cases::conferences::model::expedient_key;
use atalaya_cases::conferences::{self, Conference, Selection};
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::{CompanyId, ConferenceId, Sources};
use atalaya_rest::page::Slice;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{OnConflict, Query, SelectStatement};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, Set};
use std::collections::HashMap;
use uuid::Uuid;

/// What an idempotency key was used for.
pub enum Claim {
    /// For the conference that is about to be opened.
    New,
    /// For one that was opened with the same body.
    Same(ConferenceId),
    /// For one that was opened with another body.
    Other,
}

/// Claims an idempotency key for a conference, or finds what it was used for. Of several concurrent calls one claims it; the
/// others wait for its transaction.
pub async fn claim(
    tx: &Tx,
    sources: &Sources,
    company: CompanyId,
    key: &str,
    digest: &str,
    conference: ConferenceId,
) -> DbResult<Claim> {
    let row = request::ActiveModel {
        id: Set(sources.uuid()),
        company_id: Set(company.0),
        conference_id: Set(conference.0),
        idempotency_key: Set(key.to_owned()),
        digest: Set(digest.to_owned()),
        created_at: Set(sources.now()),
    };
    let taken = OnConflict::columns([request::Column::CompanyId, request::Column::IdempotencyKey]).do_nothing().to_owned();
    if request::Entity::insert(row).on_conflict(taken).exec_without_returning(&**tx).await? > 0 {
        return Ok(Claim::New);
    }
    let query = request::Entity::find().filter(request::Column::CompanyId.eq(company.0));
    let found = query.filter(request::Column::IdempotencyKey.eq(key)).one(&**tx).await?;
    Ok(match found {
        Some(row) if row.digest == digest => Claim::Same(ConferenceId(row.conference_id)),
        _ => Claim::Other,
    })
}

/// Deletes idempotency keys that were used before this time. Answers how many.
pub async fn forget_requests(tx: &Tx, before: DateTime<Utc>) -> DbResult<u64> {
    let old = request::Entity::delete_many().filter(request::Column::CreatedAt.lt(before));
    Ok(old.exec(&**tx).await?.rows_affected)
}

/// Writes a program's own name for a conference.
pub async fn refer(tx: &Tx, sources: &Sources, company: CompanyId, id: ConferenceId, external_id: String) -> DbResult<()> {
    let row = reference::ActiveModel {
        id: Set(sources.uuid()),
        conference_id: Set(id.0),
        company_id: Set(company.0),
        external_id: Set(external_id),
    };
    reference::Entity::insert(row).exec_without_returning(&**tx).await?;
    Ok(())
}

/// The programs' own names for these conferences.
pub async fn references(db: &impl ConnectionTrait, ids: &[Uuid]) -> DbResult<HashMap<Uuid, String>> {
    let query = reference::Entity::find().filter(reference::Column::ConferenceId.is_in(ids.iter().copied()));
    Ok(query.all(db).await?.into_iter().map(|row| (row.conference_id, row.external_id)).collect())
}

/// The conferences with this id of the customer's own, as a condition.
fn named(company: CompanyId, external_id: &str) -> SelectStatement {
    Query::select()
        .column(reference::Column::ConferenceId)
        .from(reference::Entity)
        .and_where(reference::Column::CompanyId.eq(company.0))
        .and_where(reference::Column::ExternalId.eq(external_id))
        .to_owned()
}

/// A page of the company's conferences, newest first, and how many there are in all.
pub async fn list(db: &impl ConnectionTrait, company: CompanyId, listing: &Listing) -> DbResult<(Vec<Conference>, u64)> {
    let among = listing.external_id.as_deref().map(|external_id| named(company, external_id));
    let selection = Selection {
        company,
        from: listing.range.from,
        until: listing.range.until,
        expedient_key: listing.expedient.as_deref().map(expedient_key),
        among: among.as_ref(),
    };
    conferences::list_selected(db, &selection, Slice { offset: (listing.page - 1) * PAGE_SIZE, limit: PAGE_SIZE }).await
}
