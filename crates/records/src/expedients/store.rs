//! Queries of expedients and their notes.

use super::entity::expedient_note::{ActiveModel, Column, Entity, Model};
use atalaya_cases::conferences::Scope;
use atalaya_cases::conferences::entity as conference;
use atalaya_db::{DbResult, Reads, Tx};
use atalaya_kernel::{CompanyId, UserId};
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Set};
use uuid::Uuid;

/// Maximum numbers of conferences, files and notes of one case.
const CONFERENCES: u64 = 200;
pub const FILES: u64 = 5000;
const NOTES: u64 = 1000;

/// The conferences of a case that are within the scope, newest first. Sorted here, because with
/// an ORDER BY the database reads all conferences of the company by date instead of the few of the case.
pub async fn conferences(db: &impl ConnectionTrait, scope: Scope, key: &str) -> DbResult<Vec<conference::Model>> {
    let query = conference::Entity::find().filter(scope.condition()).filter(conference::Column::ExpedientKey.eq(key));
    let mut rows = query.limit(CONFERENCES).rows(db).await?;
    rows.sort_by_key(|row| std::cmp::Reverse((row.created_at, row.id)));
    Ok(rows)
}

/// The notes of these companies about a case, newest first.
pub async fn notes(db: &impl ConnectionTrait, companies: &[Uuid], key: &str) -> DbResult<Vec<Model>> {
    Ok(Entity::find()
        .filter(Column::CompanyId.is_in(companies.iter().copied()))
        .filter(Column::ExpedientKey.eq(key))
        .order_by_desc(Column::CreatedAt)
        .order_by_desc(Column::Id)
        .limit(NOTES)
        .rows(db)
        .await?)
}

/// A note of that company, or of any company when none is given.
pub async fn find_note(db: &impl ConnectionTrait, company: Option<CompanyId>, id: Uuid) -> DbResult<Option<Model>> {
    let mut query = Entity::find_by_id(id);
    if let Some(company) = company {
        query = query.filter(Column::CompanyId.eq(company.0));
    }
    Ok(query.row(db).await?)
}

/// A note about to be written.
pub struct NewNote {
    pub id: Uuid,
    pub company: CompanyId,
    pub user: UserId,
    pub user_name: String,
    pub key: String,
    pub text: String,
    pub at: chrono::DateTime<chrono::Utc>,
}

pub async fn insert_note(tx: &Tx, note: NewNote) -> DbResult<Model> {
    let row = ActiveModel {
        id: Set(note.id),
        company_id: Set(note.company.0),
        user_id: Set(note.user.0),
        expedient_key: Set(note.key),
        user_name: Set(note.user_name),
        text: Set(note.text),
        created_at: Set(note.at),
    };
    Ok(row.insert(&**tx).await?)
}

pub async fn delete_note(tx: &Tx, id: Uuid) -> DbResult<()> {
    Entity::delete_by_id(id).exec(&**tx).await?;
    Ok(())
}

/// Deletes a company's notes about a case; for the erasure of the case's last conference.
pub async fn delete_notes(tx: &Tx, company: CompanyId, key: &str) -> DbResult<u64> {
    let gone = Entity::delete_many().filter(Column::CompanyId.eq(company.0)).filter(Column::ExpedientKey.eq(key));
    Ok(gone.exec(&**tx).await?.rows_affected)
}
