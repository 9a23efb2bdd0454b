//! Queries of messages.

use super::entity::invoice_message::{ActiveModel, Column, Entity, Model};
use super::model::{Message, Said, Status};
use crate::{BillingError, BillingResult};
use atalaya_db::{DbError, Reads, Tx};
use atalaya_kernel::InvoiceId;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

/// Messages of one invoice that a screen shows.
const SHOWN: u64 = 200;

/// Those of an invoice, oldest first.
pub(super) async fn list(db: &impl ConnectionTrait, invoice: InvoiceId) -> BillingResult<Vec<Message>> {
    let query = Entity::find().filter(Column::InvoiceId.eq(invoice.0));
    let query = query.order_by_asc(Column::At).order_by_asc(Column::Id).limit(SHOWN);
    query.rows(db).await.map_err(DbError::from)?.into_iter().map(to_message).collect()
}

fn to_message(row: Model) -> BillingResult<Message> {
    let corrupt = || BillingError::Corrupt(format!("invoice message {}", row.id));
    let (status, day) = Status::parse(&row.status).zip(row.day.parse().ok()).ok_or_else(corrupt)?;
    let said = Said { status, day, reason: row.reason };
    Ok(Message { id: row.id, said, by_customer: row.by_customer, user: row.user_id, at: row.at })
}

pub(super) async fn insert(tx: &Tx, invoice: InvoiceId, new: Message) -> BillingResult<()> {
    let row = ActiveModel {
        id: Set(new.id),
        invoice_id: Set(invoice.0),
        user_id: Set(new.user),
        status: Set(new.said.status.name().to_owned()),
        day: Set(new.said.day.to_string()),
        reason: Set(new.said.reason),
        by_customer: Set(new.by_customer),
        at: Set(new.at),
    };
    Entity::insert(row).exec_without_returning(&**tx).await.map_err(DbError::from)?;
    Ok(())
}
