//! Queries on the `legal_text` table.

use super::entity::{ActiveModel, Column, Entity, Model};
use super::model::{LegalKind, LegalText, Seed};
use atalaya_db::{DbResult, Reads, Tx};
use atalaya_kernel::ClientLanguage;
use chrono::{DateTime, Utc};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};
use std::collections::HashMap;
use uuid::Uuid;

/// The newest version in force in a language. Before the first one began, for example when a clock that was ahead was set right, it is
/// that one (LEGAL-10).
pub(crate) async fn find_in_force(
    db: &impl ConnectionTrait,
    kind: LegalKind,
    language: ClientLanguage,
    now: DateTime<Utc>,
) -> DbResult<Option<LegalText>> {
    let all = || Entity::find().filter(Column::Kind.eq(kind as i16)).filter(Column::Language.eq(language.code()));
    let newest = all().filter(Column::InForceFrom.lte(now)).order_by_desc(Column::Version).row(db).await?;
    let found = match newest {
        Some(found) => Some(found),
        None => all().order_by_asc(Column::Version).row(db).await?,
    };
    Ok(found.and_then(to_text))
}

pub(crate) async fn find_text(db: &impl ConnectionTrait, id: Uuid) -> DbResult<Option<LegalText>> {
    Ok(Entity::find_by_id(id).row(db).await?.and_then(to_text))
}

/// A version in a language.
pub(crate) async fn find_version(
    db: &impl ConnectionTrait,
    kind: LegalKind,
    version: i32,
    language: ClientLanguage,
) -> DbResult<Option<LegalText>> {
    let found = Entity::find()
        .filter(Column::Kind.eq(kind as i16))
        .filter(Column::Version.eq(version))
        .filter(Column::Language.eq(language.code()))
        .row(db);
    Ok(found.await?.and_then(to_text))
}

/// `None` for a kind of a later release.
fn to_text(row: Model) -> Option<LegalText> {
    Some(LegalText {
        id: row.id,
        kind: LegalKind::parse(row.kind)?,
        version: row.version,
        language: ClientLanguage::parse(&row.language)?,
        title: row.title,
        html: row.html,
        sha256: row.sha256,
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

pub(crate) async fn insert(tx: &Tx, text: &LegalText, now: DateTime<Utc>) -> DbResult<()> {
    let row = ActiveModel {
        id: Set(text.id),
        kind: Set(text.kind as i16),
        version: Set(text.version),
        language: Set(text.language.code().to_owned()),
        title: Set(text.title.clone()),
        html: Set(text.html.clone()),
        sha256: Set(text.sha256.clone()),
        in_force_from: Set(text.in_force_from),
        created_at: Set(now),
    };
    Entity::insert(row).exec_without_returning(&**tx).await?;
    Ok(())
}

/// 0 for a kind without texts.
pub(crate) async fn last_version(tx: &Tx, kind: LegalKind) -> DbResult<i32> {
    let last = Entity::find().filter(Column::Kind.eq(kind as i16)).order_by_desc(Column::Version).one(&**tx).await?;
    Ok(last.map_or(0, |row| row.version))
}

/// Every text, by kind, the newest version first, then by language.
pub(crate) async fn list(db: &impl ConnectionTrait) -> DbResult<Vec<LegalText>> {
    let rows =
        Entity::find().order_by_asc(Column::Kind).order_by_desc(Column::Version).order_by_desc(Column::Language).rows(db).await?;
    Ok(rows.into_iter().filter_map(to_text).collect())
}

/// A text's title and version, without the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    pub id: Uuid,
    pub kind: i16,
    pub version: i32,
    pub title: String,
}

/// The headings of these texts; `db` may be a transaction.
pub async fn headings(db: &impl ConnectionTrait, mut ids: Vec<Uuid>) -> DbResult<HashMap<Uuid, Heading>> {
    ids.sort_unstable();
    ids.dedup();
    let mut all = HashMap::with_capacity(ids.len());
    for part in ids.chunks(500) {
        let columns = [Column::Id, Column::Kind, Column::Version, Column::Title];
        let query = Entity::find().select_only().columns(columns).filter(Column::Id.is_in(part.iter().copied()));
        let rows: Vec<(Uuid, i16, i32, String)> = query.tuples(db).await?;
        all.extend(rows.into_iter().map(|(id, kind, version, title)| (id, Heading { id, kind, version, title })));
    }
    Ok(all)
}
