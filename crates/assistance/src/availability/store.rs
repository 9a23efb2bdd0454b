//! Who is in a call.

use atalaya_cases::connections::participation as stay;
use atalaya_db::{DbResult, Reads};
use atalaya_kernel::UserId;
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QuerySelect};
use std::collections::HashSet;

/// Which of these users are in a call.
pub async fn in_call(db: &impl ConnectionTrait, users: &[UserId]) -> DbResult<HashSet<UserId>> {
    let mut calling = HashSet::new();
    for part in users.chunks(500) {
        let rows: Vec<(String,)> = stay::Entity::find()
            .select_only()
            .column(stay::Column::Identity)
            .filter(stay::Column::LeftAt.is_null())
            .filter(stay::Column::Identity.is_in(part.iter().map(|user| format!("user:{user}"))))
            .tuples(db)
            .await?;
        calling.extend(rows.iter().filter_map(|(identity,)| identity.strip_prefix("user:")?.parse::<UserId>().ok()));
    }
    Ok(calling)
}
