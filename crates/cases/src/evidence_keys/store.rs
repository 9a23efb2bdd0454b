//! Public keys in the database.

use super::entity::evidence_key;
use super::model::PublicKey;
use atalaya_db::{DbResult, Reads, Tx};
use chrono::{DateTime, NaiveDate, Utc};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder, Set};
use uuid::Uuid;

/// A public key of this installation.
#[derive(Clone, Debug, PartialEq)]
pub struct Key {
    pub fingerprint: String,
    /// Base64 of its SubjectPublicKeyInfo.
    pub public_key: String,
    pub since: DateTime<Utc>,
    /// When it was retired.
    pub until: Option<DateTime<Utc>>,
    /// From when on somebody else may have it, in UTC.
    pub stolen_on: Option<NaiveDate>,
    /// The key that it follows.
    pub previous: Option<String>,
    /// That key's signature under the statement that this one follows it.
    pub endorsement: Option<String>,
}

impl From<evidence_key::Model> for Key {
    fn from(row: evidence_key::Model) -> Self {
        Self {
            fingerprint: row.fingerprint,
            public_key: row.public_key,
            since: row.since,
            until: row.until,
            stolen_on: row.stolen_on.and_then(|day| day.parse().ok()),
            previous: row.previous,
            endorsement: row.endorsement,
        }
    }
}

/// Every key, newest first.
pub async fn list(db: &impl ConnectionTrait) -> DbResult<Vec<Key>> {
    let newest = evidence_key::Entity::find().order_by_desc(evidence_key::Column::Since);
    let rows = newest.order_by_asc(evidence_key::Column::Fingerprint).rows(db).await?;
    Ok(rows.into_iter().map(Key::from).collect())
}

async fn row(db: &impl ConnectionTrait, fingerprint: &str) -> DbResult<Option<evidence_key::Model>> {
    Ok(evidence_key::Entity::find().filter(evidence_key::Column::Fingerprint.eq(fingerprint)).row(db).await?)
}

pub(super) async fn find(db: &impl ConnectionTrait, fingerprint: &str) -> DbResult<Option<Key>> {
    Ok(row(db, fingerprint).await?.map(Key::from))
}

/// Adds a key; one that is there already stays as it is.
pub(super) async fn add(
    tx: &Tx,
    id: Uuid,
    key: &PublicKey,
    since: DateTime<Utc>,
    follows: Option<(String, String)>,
) -> DbResult<()> {
    let (previous, endorsement) = follows.unzip();
    let new = evidence_key::ActiveModel {
        id: Set(id),
        fingerprint: Set(key.fingerprint()),
        public_key: Set(key.base64()),
        previous: Set(previous),
        endorsement: Set(endorsement),
        stolen_on: Set(None),
        since: Set(since),
        until: Set(None),
    };
    let once = OnConflict::column(evidence_key::Column::Fingerprint).do_nothing().to_owned();
    evidence_key::Entity::insert(new).on_conflict(once).exec_without_returning(&**tx).await?;
    Ok(())
}

/// Retires a key, and notes from when on it is not ours alone. Answers whether it is known.
pub(super) async fn retire(tx: &Tx, fingerprint: &str, at: DateTime<Utc>, stolen_on: Option<NaiveDate>) -> DbResult<bool> {
    let Some(found) = row(&**tx, fingerprint).await? else { return Ok(false) };
    let until = found.until.or(Some(at));
    let mut change = found.into_active_model();
    change.until = Set(until);
    if let Some(day) = stolen_on {
        change.stolen_on = Set(Some(day.to_string()));
    }
    change.update(&**tx).await?;
    Ok(true)
}
