//! Queries on the `legal_text` table.

use super::entity::{ActiveModel, Column, Entity, Model};
use super::model::{LegalKind, LegalText, Seed};
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::Language;
use chrono::{DateTime, Utc};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder};
use uuid::Uuid;

/// The newest version in force in a language.
pub(crate) async fn find_in_force(
    db: &impl ConnectionTrait,
    kind: LegalKind,
    language: Language,
    now: DateTime<Utc>,
) -> DbResult<Option<Model>> {
    let found = Entity::find()
        .filter(Column::Kind.eq(kind as i16))
        .filter(Column::Language.eq(language.code()))
        .filter(Column::InForceFrom.lte(now))
        .order_by_desc(Column::Version)
        .one(db);
    Ok(found.await?)
}

pub(crate) async fn find_text(db: &impl ConnectionTrait, id: Uuid) -> DbResult<Option<LegalText>> {
    Ok(Entity::find_by_id(id).one(db).await?.and_then(to_text))
}

/// A version in a language.
pub(crate) async fn find_version(
    db: &impl ConnectionTrait,
    kind: LegalKind,
    version: i32,
    language: Language,
) -> DbResult<Option<LegalText>> {
    let found = Entity::find()
        .filter(Column::Kind.eq(kind as i16))
        .filter(Column::Version.eq(version))
        .filter(Column::Language.eq(language.code()))
        .one(db);
    Ok(found.await?.and_then(to_text))
}

/// `None` for a kind of a later release.
pub(crate) fn to_text(row: Model) -> Option<LegalText> {
    Some(LegalText {
        id: row.id,
        kind: LegalKind::parse(row.kind)?,
        version: row.version,
        language: Language::parse(&row.language)?,
        title: row.title,
        html: row.html,
        in_force_from: row.in_force_from,
    })
}

pub(crate) async fn exists(tx: &Tx, seed: &Seed) -> DbResult<bool> {
    let found = Entity::find()
        .filter(Column::Kind.eq(seed.kind as i16))
        .filter(Column::Version.eq(seed.version))
        .filter(Column::Language.eq(seed.language.code()))
        .one(&**tx);
    Ok(found.await?.is_some())
}

pub(crate) async fn insert_text(tx: &Tx, id: Uuid, seed: &Seed, sha256: String, now: DateTime<Utc>) -> DbResult<()> {
    let row = ActiveModel {
        id: Set(id),
        kind: Set(seed.kind as i16),
        version: Set(seed.version),
        language: Set(seed.language.code().to_owned()),
        title: Set(seed.title.to_owned()),
        html: Set(seed.html.to_owned()),
        sha256: Set(sha256),
        in_force_from: Set(now),
        created_at: Set(now),
    };
    Entity::insert(row).exec_without_returning(&**tx).await?;
    Ok(())
}
