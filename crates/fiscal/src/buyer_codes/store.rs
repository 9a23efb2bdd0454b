//! Queries of buyer codes.

use super::entity::buyer_codes::{ActiveModel, Column, Entity, Model};
use super::model::{BuyerCodes, Offices};
use atalaya_db::{DbResult, Reads, Tx};
use atalaya_kernel::CompanyId;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::OnConflict;
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter};

pub(super) async fn find(db: &impl ConnectionTrait, company: CompanyId) -> DbResult<BuyerCodes> {
    let row = Entity::find().filter(Column::Id.eq(company.0)).row(db).await?;
    Ok(row.map(to_codes).unwrap_or_default())
}

fn to_codes(row: Model) -> BuyerCodes {
    let offices = match (row.accounting, row.managing, row.processing) {
        (Some(accounting), Some(managing), Some(processing)) => Some(Offices { accounting, managing, processing }),
        _ => None,
    };
    BuyerCodes { reference: row.reference, offices }
}

pub(super) async fn put(tx: &Tx, company: CompanyId, codes: BuyerCodes, at: DateTime<Utc>) -> DbResult<()> {
    let (accounting, managing, processing) = match codes.offices {
        Some(offices) => (Some(offices.accounting), Some(offices.managing), Some(offices.processing)),
        None => (None, None, None),
    };
    let row = ActiveModel {
        id: Set(company.0),
        reference: Set(codes.reference),
        accounting: Set(accounting),
        managing: Set(managing),
        processing: Set(processing),
        updated_at: Set(at),
    };
    let columns = [Column::Reference, Column::Accounting, Column::Managing, Column::Processing, Column::UpdatedAt];
    let over = OnConflict::column(Column::Id).update_columns(columns).to_owned();
    Entity::insert(row).on_conflict(over).exec_without_returning(&**tx).await?;
    Ok(())
}
