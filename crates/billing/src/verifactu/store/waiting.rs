//! The queue of a chain: what waits, what the answer about it was, when the next call may be made.

use super::super::entity::{chain, record, sending};
use super::super::model::{RecordKind, State};
use super::ROWS_AT_ONCE;
use atalaya_db::{DbResult, Tx};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, ExprTrait, Query};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, PaginatorTrait, QueryFilter, QueryOrder, QuerySelect, Select};
use std::collections::HashMap;
use uuid::Uuid;

/// A record that waits to be sent.
pub(crate) struct Waiting {
    pub id: Uuid,
    pub number: String,
    pub annulment: bool,
    pub xml: String,
    pub at: DateTime<Utc>,
    /// Calls with it that were refused as a whole, at most 2.
    pub faults: i32,
    pub sent_at: Option<DateTime<Utc>>,
}

fn waiting() -> sea_orm::Condition {
    let states = [State::Pending.name(), State::Sent.name()];
    sea_orm::Condition::all().add(sending::Column::State.is_in(states))
}

/// Those of a chain that wait and were made in this environment; others are not sent here.
fn waiting_of(chain: Uuid, environment: &str) -> Select<sending::Entity> {
    let made = Query::select()
        .expr(Expr::val(1))
        .from(record::Entity)
        .and_where(Expr::col((record::Entity, record::Column::Id)).equals((sending::Entity, sending::Column::Id)))
        .and_where(record::Column::Environment.eq(environment))
        .to_owned();
    sending::Entity::find().filter(waiting()).filter(sending::Column::ChainId.eq(chain)).filter(Expr::exists(made))
}

/// How many records of a chain wait, made in this environment.
pub(crate) async fn count_waiting(db: &impl ConnectionTrait, chain: Uuid, environment: &str) -> DbResult<u64> {
    Ok(waiting_of(chain, environment).count(db).await?)
}

/// The first records that wait, in the order of the chain, made in this environment: those that were in no refused call, or
/// the suspects that were.
pub(crate) async fn list_waiting(
    db: &impl ConnectionTrait,
    (chain, environment): (Uuid, &str),
    suspects: bool,
    limit: u64,
) -> DbResult<Vec<Waiting>> {
    let states: Vec<sending::Model> = waiting_of(chain, environment)
        .filter(if suspects { sending::Column::Faults.gt(0) } else { sending::Column::Faults.eq(0) })
        .order_by_asc(sending::Column::Seq)
        .limit(limit)
        .all(db)
        .await?;
    let (Some(first), Some(last)) = (states.first().map(|row| row.seq), states.last().map(|row| row.seq)) else {
        return Ok(Vec::new());
    };
    let mut states: HashMap<i64, sending::Model> = states.into_iter().map(|row| (row.seq, row)).collect();
    let rows = record::Entity::find()
        .filter(record::Column::ChainId.eq(chain))
        .filter(record::Column::Seq.between(first, last))
        .filter(record::Column::Environment.eq(environment))
        .order_by_asc(record::Column::Seq)
        .all(db)
        .await?;
    let waiting = rows.into_iter().filter_map(|row| {
        let state = states.remove(&row.seq)?;
        Some(Waiting {
            id: row.id,
            annulment: row.kind == RecordKind::Annulled.name(),
            number: row.number,
            xml: row.xml,
            at: row.at,
            faults: state.faults,
            sent_at: state.sent_at,
        })
    });
    Ok(waiting.collect())
}

/// A call with them was refused as a whole, so that one of them may be why.
pub(crate) async fn suspect(tx: &Tx, ids: &[Uuid], faults: i32) -> DbResult<()> {
    for part in ids.chunks(ROWS_AT_ONCE * 5) {
        sending::Entity::update_many()
            .col_expr(sending::Column::Faults, Expr::value(faults))
            .filter(sending::Column::Id.is_in(part.iter().copied()))
            .exec(&**tx)
            .await?;
    }
    Ok(())
}

/// They are on their way.
pub(crate) async fn mark_sent(tx: &Tx, ids: &[Uuid], at: DateTime<Utc>) -> DbResult<()> {
    for part in ids.chunks(ROWS_AT_ONCE * 5) {
        sending::Entity::update_many()
            .col_expr(sending::Column::State, Expr::value(State::Sent.name()))
            .col_expr(sending::Column::Attempts, Expr::col(sending::Column::Attempts).add(1))
            .col_expr(sending::Column::SentAt, Expr::value(Some(at)))
            .filter(sending::Column::Id.is_in(part.iter().copied()))
            .filter(waiting())
            .exec(&**tx)
            .await?;
    }
    Ok(())
}

/// What the tax office said of a record.
pub(crate) struct Verdict {
    pub state: State,
    pub csv: Option<String>,
    pub code: Option<String>,
    pub message: Option<String>,
}

/// Writes the answer about one record.
pub(crate) async fn answer(tx: &Tx, id: Uuid, verdict: Verdict, at: DateTime<Utc>) -> DbResult<()> {
    sending::Entity::update_many()
        .col_expr(sending::Column::State, Expr::value(verdict.state.name()))
        .col_expr(sending::Column::Csv, Expr::value(verdict.csv))
        .col_expr(sending::Column::Code, Expr::value(verdict.code))
        .col_expr(sending::Column::Message, Expr::value(verdict.message))
        .col_expr(sending::Column::AnsweredAt, Expr::value(Some(at)))
        .filter(sending::Column::Id.eq(id))
        .filter(waiting())
        .exec(&**tx)
        .await?;
    Ok(())
}

/// A call that came to nothing.
pub(crate) struct Failure<'a> {
    pub code: &'static str,
    /// The tax office's words.
    pub text: Option<&'a str>,
    pub at: DateTime<Utc>,
    pub in_a_row: i32,
}

/// When the next call may be made, after one that was answered or one that failed.
pub(crate) async fn schedule(tx: &Tx, chain: Uuid, next_at: DateTime<Utc>, failure: Option<Failure<'_>>) -> DbResult<()> {
    let mut query = chain::Entity::update_many()
        .col_expr(chain::Column::NextAt, Expr::value(Some(next_at)))
        .col_expr(chain::Column::Failures, Expr::value(failure.as_ref().map_or(0, |failure| failure.in_a_row)));
    if let Some(failure) = failure {
        query = query.col_expr(chain::Column::LastError, Expr::value(Some(failure.code)));
        query = query.col_expr(chain::Column::LastErrorText, Expr::value(failure.text));
        query = query.col_expr(chain::Column::LastErrorAt, Expr::value(Some(failure.at)));
    }
    query.filter(chain::Column::Id.eq(chain)).exec(&**tx).await?;
    Ok(())
}
