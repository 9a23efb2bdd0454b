//! Queries of expedients and their notes.

use super::entity::expedient_note::{ActiveModel, Column, Entity, Model};
use super::model::Note;
use atalaya_db::{DbResult, Reads, Tx};
use atalaya_kernel::{CompanyId, UserId};
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Set};
use uuid::Uuid;

impl From<Model> for Note {
    fn from(row: Model) -> Self {
        Self { id: row.id, user: UserId(row.user_id), user_name: row.user_name, text: row.text, created_at: row.created_at }
    }
}

/// Maximum numbers of files and notes of one case.
pub const FILES: u64 = 5000;
const NOTES: u64 = 1000;

/// The notes of these companies about a case, newest first.
pub async fn notes(db: &impl ConnectionTrait, companies: &[Uuid], key: &str) -> DbResult<Vec<Note>> {
    let rows = Entity::find()
        .filter(Column::CompanyId.is_in(companies.iter().copied()))
        .filter(Column::ExpedientKey.eq(key))
        .order_by_desc(Column::CreatedAt)
        .order_by_desc(Column::Id)
        .limit(NOTES)
        .rows(db)
        .await?;
    Ok(rows.into_iter().map(Note::from).collect())
}

/// A note of that company, or of any company when none is given.
pub async fn find_note(db: &impl ConnectionTrait, company: Option<CompanyId>, id: Uuid) -> DbResult<Option<Note>> {
    let mut query = Entity::find_by_id(id);
    if let Some(company) = company {
        query = query.filter(Column::CompanyId.eq(company.0));
    }
    Ok(query.row(db).await?.map(Note::from))
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

pub async fn insert_note(tx: &Tx, note: NewNote) -> DbResult<Note> {
    let row = ActiveModel {
        id: Set(note.id),
        company_id: Set(note.company.0),
        user_id: Set(note.user.0),
        expedient_key: Set(note.key),
        user_name: Set(note.user_name),
        text: Set(note.text),
        created_at: Set(note.at),
    };
    Ok(row.insert(&**tx).await?.into())
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
