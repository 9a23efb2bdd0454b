//! Queries of terms and blocked data.

use super::classes::places;
use super::entity::blocked_data::{Column, Entity, Model};
use crate::erasures::ERASED_NAME;
use atalaya_cases::usage;
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::collate::search_text;
use atalaya_kernel::keeping::DataClass;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::Expr;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, PaginatorTrait, QueryFilter, QueryOrder,
    QueryResult, QuerySelect, Statement, Value,
};
use serde_json::{Map, json};
use uuid::Uuid;

async fn say(tx: &Tx, sql: &str, values: Vec<Value>) -> DbResult<()> {
    tx.execute_raw(Statement::from_sql_and_values(tx.get_database_backend(), sql, values)).await?;
    Ok(())
}

async fn ask(db: &impl ConnectionTrait, sql: &str, values: Vec<Value>) -> DbResult<Vec<QueryResult>> {
    Ok(db.query_all_raw(Statement::from_sql_and_values(db.get_database_backend(), sql, values)).await?)
}

/// Closed conferences opened up to `opened` whose data of this class are not blocked yet.
const DUE: &str = "FROM conference c WHERE c.closed AND c.erased_at IS NULL AND c.created_at <= $1 \
    AND NOT EXISTS (SELECT 1 FROM blocked_data b WHERE b.conference_id = c.id AND b.data_class = $2)";

/// Oldest first, from `offset`.
pub(super) async fn list_due(
    db: &impl ConnectionTrait,
    class: DataClass,
    opened: DateTime<Utc>,
    (offset, limit): (u64, u64),
) -> DbResult<Vec<Uuid>> {
    let sql = format!("SELECT c.id {DUE} ORDER BY c.created_at, c.id LIMIT {limit} OFFSET {offset}");
    let rows = ask(db, &sql, vec![opened.into(), class.name().into()]).await?;
    rows.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect()
}

pub(super) async fn count_due(db: &impl ConnectionTrait, class: DataClass, opened: DateTime<Utc>) -> DbResult<i64> {
    let rows = ask(db, &format!("SELECT COUNT(*) {DUE}"), vec![opened.into(), class.name().into()]).await?;
    Ok(rows.first().map(|row| row.try_get_by_index(0)).transpose()?.unwrap_or(0))
}

/// Blocked values whose time is over by then.
pub(super) async fn count_over(db: &impl ConnectionTrait, class: DataClass, at: DateTime<Utc>) -> DbResult<u64> {
    let query = Entity::find().filter(Column::DataClass.eq(class.name())).filter(Column::Sealed.is_not_null());
    Ok(query.filter(Column::DeleteAt.lte(at)).count(db).await?)
}

/// The values of a class, by name; empty ones are left out.
pub(super) async fn values(tx: &Tx, class: DataClass, id: Uuid) -> DbResult<Map<String, serde_json::Value>> {
    let mut all = Map::new();
    for (name, query) in places(class).values {
        let mut texts: Vec<String> = Vec::new();
        for row in ask(&**tx, query, vec![id.into()]).await? {
            let text: Option<String> = row.try_get_by_index(0)?;
            texts.extend(text.filter(|text| !text.is_empty()));
        }
        if !texts.is_empty() {
            all.insert((*name).to_owned(), json!(texts));
        }
    }
    Ok(all)
}

/// Removes the values of a class from where users find them, and from what lists are searched by.
pub(super) async fn remove(tx: &Tx, class: DataClass, id: Uuid) -> DbResult<()> {
    // What other classes blocked stays until its own day.
    for statement in places(class).removals.iter().filter(|statement| !statement.contains(" blocked_data ")) {
        say(tx, statement, vec![id.into()]).await?;
    }
    if class == DataClass::Events {
        forget_case(tx, id).await?;
    }
    reword(tx, id).await
}

/// The case number goes; what an invoice counts cases by stays.
async fn forget_case(tx: &Tx, id: Uuid) -> DbResult<()> {
    let rows =
        ask(&**tx, "SELECT company_id, expedient_key, billing_case FROM conference WHERE id = $1", vec![id.into()]).await?;
    let Some(row) = rows.first() else { return Ok(()) };
    let (company, key): (Uuid, String) = (row.try_get_by_index(0)?, row.try_get_by_index(1)?);
    let kept: Option<String> = row.try_get_by_index(2)?;
    let others = "SELECT 1 FROM conference WHERE company_id = $1 AND expedient_key = $2 AND id <> $3 LIMIT 1";
    if ask(&**tx, others, vec![company.into(), key.clone().into(), id.into()]).await?.is_empty() {
        let notes = "DELETE FROM expedient_note WHERE company_id = $1 AND expedient_key = $2";
        say(tx, notes, vec![company.into(), key.clone().into()]).await?;
    }
    let case = usage::case(company, &key).or(kept);
    let sql = "UPDATE conference SET expedient_number = $2, expedient_key = '', billing_case = $3 WHERE id = $1";
    say(tx, sql, vec![id.into(), ERASED_NAME.into(), case.into()]).await
}

async fn reword(tx: &Tx, id: Uuid) -> DbResult<()> {
    const COLUMNS: &str = "expedient_number, expedient_key, phone_number, contact_person, car_id, full_address, address, city, \
        user_name, customer_name";
    let rows = ask(&**tx, &format!("SELECT {COLUMNS} FROM conference WHERE id = $1"), vec![id.into()]).await?;
    let Some(row) = rows.first() else { return Ok(()) };
    let mut words = Vec::new();
    for nth in 0..10 {
        let word: Option<String> = row.try_get_by_index(nth)?;
        words.push(word.unwrap_or_default());
    }
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (all, starter) = (search_text(&words), search_text(&[words[0], words[1], words[4], words[8], words[9]]));
    let sql = "UPDATE conference SET search = $2, starter_search = CASE WHEN starter_search IS NULL THEN NULL ELSE $3 END \
        WHERE id = $1";
    say(tx, sql, vec![id.into(), all.into(), starter.into()]).await
}

pub(super) async fn insert(tx: &Tx, row: Model) -> DbResult<()> {
    row.into_active_model().reset_all().insert(&**tx).await?;
    Ok(())
}

pub(super) async fn is_blocked(tx: &Tx, class: DataClass, id: Uuid) -> DbResult<bool> {
    let query = Entity::find().filter(Column::ConferenceId.eq(id)).filter(Column::DataClass.eq(class.name()));
    Ok(query.one(&**tx).await?.is_some())
}

/// Deletes blocked values whose time is over; their rows stay, so that nobody looks for the values again. Answers how many.
pub(super) async fn delete_over(tx: &Tx, at: DateTime<Utc>) -> DbResult<u64> {
    let gone = Entity::update_many()
        .col_expr(Column::Sealed, Expr::value(None::<Vec<u8>>))
        .filter(Column::Sealed.is_not_null())
        .filter(Column::DeleteAt.lte(at))
        .exec(&**tx)
        .await?;
    Ok(gone.rows_affected)
}

/// Conferences whose events were blocked long enough: nothing keeps the rest of them. Oldest first.
pub(super) async fn list_ended(db: &impl ConnectionTrait, at: DateTime<Utc>, offset: u64, limit: u64) -> DbResult<Vec<Uuid>> {
    let sql = format!(
        "SELECT b.conference_id FROM blocked_data b JOIN conference c ON c.id = b.conference_id \
         WHERE b.data_class = 'events' AND b.delete_at <= $1 AND c.erased_at IS NULL ORDER BY b.delete_at, b.id \
         LIMIT {limit} OFFSET {offset}"
    );
    ask(db, &sql, vec![at.into()]).await?.iter().map(|row| Ok(row.try_get_by_index(0)?)).collect()
}

/// What is blocked of a conference, in the order of blocking.
pub(super) async fn list_of(db: &impl ConnectionTrait, id: Uuid) -> DbResult<Vec<Model>> {
    let query = Entity::find().filter(Column::ConferenceId.eq(id)).filter(Column::Sealed.is_not_null());
    Ok(query.order_by_asc(Column::BlockedAt).order_by_asc(Column::DataClass).limit(DataClass::ALL.len() as u64).all(db).await?)
}
