//! The chain in its hashed form, for readers who verify it themselves.

use super::super::chain;
use super::super::entity::value;
use atalaya_db::DbResult;
use atalaya_kernel::ConferenceId;
use atalaya_kernel::events::TrackType;
use chrono::{DateTime, Utc};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder};
use serde_json::{Map, Value};

/// An event with the text that is hashed.
#[derive(Clone, Debug)]
pub struct Link {
    pub seq: i32,
    pub at: DateTime<Utc>,
    pub event_type: String,
    pub data: Map<String, Value>,
    /// JCS of the event: the part of the hashed text after `prev`.
    pub canonical: String,
    pub prev: String,
    pub hash: String,
}

impl Link {
    /// Whether this event added a file.
    pub fn is_media(&self) -> bool {
        [TrackType::MediaCaptured.wire(), TrackType::FileUploaded.wire()].contains(&self.event_type.as_str())
    }

    /// A plain fact of the event.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.data.get(key).and_then(Value::as_str)
    }
}

/// A personal value that is not erased, with its proof.
#[derive(Clone, Debug)]
pub struct ErasableValue {
    pub seq: i32,
    pub field: String,
    /// Hex.
    pub salt: String,
    pub value: String,
    pub commitment: String,
}

/// All events of a conference, in order.
pub async fn links(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<Vec<Link>> {
    let link = |row: super::event::Model| {
        let data: Map<String, Value> = serde_json::from_str(&row.data).unwrap_or_default();
        let event = chain::event_value(row.seq, row.at, &row.event_type, &row.actor, &data);
        Link {
            canonical: chain::canonical(&event),
            seq: row.seq,
            at: row.at,
            event_type: row.event_type,
            data,
            prev: row.prev,
            hash: row.hash,
        }
    };
    Ok(super::events(db, id).await?.into_iter().map(link).collect())
}

/// The personal values of a conference that are not erased.
pub async fn erasable_values(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<Vec<ErasableValue>> {
    let rows = value::Entity::find()
        .filter(value::Column::ConferenceId.eq(id.0))
        .order_by_asc(value::Column::Seq)
        .order_by_asc(value::Column::Field)
        .all(db)
        .await?;
    let of = |row: value::Model| ErasableValue {
        seq: row.seq,
        field: row.field,
        salt: row.salt,
        value: row.value,
        commitment: row.commitment,
    };
    Ok(rows.into_iter().map(of).collect())
}
