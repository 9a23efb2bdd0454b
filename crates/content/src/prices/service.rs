//! The tables in force.

use super::model::{FIRST_DAY, NewPrice, Price, first};
use super::store;
use crate::{Content, ContentError, ContentResult};
use atalaya_db::Tx;
use atalaya_kernel::{CompanyId, UserId};
use chrono::{DateTime, Utc};
use std::collections::HashMap;
use uuid::Uuid;

/// Writes the first table into a database that has none. Runs at every start.
pub async fn seed(d: &Content) -> ContentResult<()> {
    let tx = d.db.write().await?;
    let now = d.sources.now();
    let day = DateTime::parse_from_rfc3339(FIRST_DAY).map_or(now, |day| day.to_utc());
    let far = now.max(day);
    if store::find_in_force(&*tx, None, far).await?.is_none() {
        let price = Price { id: d.sources.uuid(), table: first(), company: None, valid_from: day.min(now), created_at: now };
        store::insert(&tx, &price, None).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// The table in force at an instant: the one offered to the company if there is one, else everybody's.
///
/// Errors: [`ContentError::NoPrice`] before [`seed`], or for a time before the first table.
pub async fn in_force(d: &Content, company: Option<CompanyId>, at: DateTime<Utc>) -> ContentResult<Price> {
    if company.is_some()
        && let Some(own) = store::find_in_force(d.db.read(), company, at).await?
    {
        return Ok(own);
    }
    store::find_in_force(d.db.read(), None, at).await?.ok_or(ContentError::NoPrice)
}

/// A table by its id, in force or not.
pub async fn find(d: &Content, id: Uuid) -> ContentResult<Option<Price>> {
    Ok(store::find(d.db.read(), id).await?)
}

/// Adds a table in the caller's transaction; the caller has checked its rules.
pub async fn add(d: &Content, tx: &Tx, new: NewPrice, by: UserId) -> ContentResult<Price> {
    let mut table = new.table;
    table.discounts.sort_by_key(|tier| tier.to);
    let price =
        Price { id: d.sources.uuid(), table, company: new.company, valid_from: new.valid_from, created_at: d.sources.now() };
    store::insert(tx, &price, Some(by.0)).await?;
    Ok(price)
}

/// The tables, at most a thousand, by the day they come into force, newest first, with their authors.
pub async fn list(d: &Content) -> ContentResult<Vec<(Price, Option<UserId>)>> {
    let found = store::list(d.db.read(), 1000).await?;
    Ok(found.into_iter().map(|(price, by)| (price, by.map(UserId))).collect())
}

/// Tables by their ids; those that do not exist are absent.
pub async fn find_many(d: &Content, ids: &[Uuid]) -> ContentResult<HashMap<Uuid, Price>> {
    let found = store::find_many(d.db.read(), ids).await?;
    Ok(found.into_iter().map(|price| (price.id, price)).collect())
}
