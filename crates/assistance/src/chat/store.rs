//! Queries of the chat.

use super::ChatMessage;
use super::entity::chat_message::{ActiveModel, Column, Entity, Model};
use atalaya_db::{DbResult, Reads, Tx};
use atalaya_kernel::ConferenceId;
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Set};

/// Lines of one conference that are read.
const LIST_MAX: u64 = 1000;

impl From<Model> for ChatMessage {
    fn from(row: Model) -> Self {
        Self { id: row.id, from: row.identity, name: row.name, kind: row.kind, text: row.text, phrase: row.phrase, at: row.at }
    }
}

pub async fn insert(tx: &Tx, conference: ConferenceId, message: ChatMessage) -> DbResult<ChatMessage> {
    let row = ActiveModel {
        id: Set(message.id),
        conference_id: Set(conference.0),
        identity: Set(message.from),
        name: Set(message.name),
        kind: Set(message.kind),
        text: Set(message.text),
        phrase: Set(message.phrase),
        at: Set(message.at),
    };
    Ok(row.insert(&**tx).await?.into())
}

/// The newest lines of a conference, in order.
pub async fn list(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<Vec<ChatMessage>> {
    let mut rows =
        Entity::find().filter(Column::ConferenceId.eq(id.0)).order_by_desc(Column::At).limit(LIST_MAX).rows(db).await?;
    rows.reverse();
    Ok(rows.into_iter().map(ChatMessage::from).collect())
}
