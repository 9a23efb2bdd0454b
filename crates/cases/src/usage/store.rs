//! Queries on conferences and stays, by company.

use super::Period;
use super::model::Stay;
use crate::casebook;
use crate::connections;
use atalaya_db::DbResult;
use atalaya_kernel::CompanyId;
use sea_orm::ConnectionTrait;
use std::collections::HashMap;
use uuid::Uuid;

/// The stays in the conferences that were open in the period.
pub async fn stays(db: &impl ConnectionTrait, companies: &[CompanyId], period: Period) -> DbResult<HashMap<Uuid, Vec<Stay>>> {
    let conferences = casebook::billed_ids(companies, (period.start, period.end));
    let mut all: HashMap<Uuid, Vec<Stay>> = HashMap::new();
    for row in connections::stays_among(db, conferences, period.until).await? {
        let stay = Stay { staff: row.is_staff(), identity: row.identity, from: row.joined_at, to: row.left_at };
        all.entry(row.conference_id).or_default().push(stay);
    }
    Ok(all)
}
