//! The queries of lists: one page, its count, and what belongs to its rows (docs/decisions/0044).
//!
//! A list is read in one of two ways, whichever touches fewer rows: *picked*, by the index of its days or words, and then
//! sorted; or *walked* along the index of the column that it is sorted by, where each row is asked the rest.

mod filter;
mod follow;
mod tally;

pub use filter::Filter;
pub use follow::Reader;

use super::model::SortBy;
use crate::casebook::{Column, Conference, Table};
use atalaya_db::{DbResult, Reads, ReadsTuples};
use atalaya_kernel::Role;
use atalaya_rest::page::{Slice, Sort};
use filter::{ENTRY, Use, Uses};
use sea_orm::sea_query::{Expr, SelectStatement};
use sea_orm::{ColumnTrait, ConnectionTrait, EntityTrait, Order, QueryFilter, QueryOrder, QuerySelect, QueryTrait, Select};
use tally::Tally;
use uuid::Uuid;

/// Fields a list can be sorted by; the first, descending, is the default of the screens.
pub const SORTS: &[(&str, SortBy)] = &[
    ("createdAt", SortBy::CreatedAt),
    ("expedientNumber", SortBy::Expedient),
    ("userName", SortBy::UserName),
    ("customerName", SortBy::CustomerName),
    ("phoneNumber", SortBy::PhoneNumber),
    ("carId", SortBy::CarId),
    ("duration", SortBy::Duration),
];

fn column(by: SortBy) -> Column {
    match by {
        SortBy::CreatedAt => Column::CreatedAt,
        SortBy::Expedient => Column::ExpedientKey,
        SortBy::UserName => Column::UserName,
        SortBy::CustomerName => Column::CustomerName,
        SortBy::PhoneNumber => Column::PhoneNumber,
        SortBy::CarId => Column::CarId,
        SortBy::Duration => Column::DurationS,
    }
}

/// The fields of the repair side's lists, which show no number.
pub fn sorts_for(role: Role) -> Vec<(&'static str, SortBy)> {
    SORTS.iter().filter(|(_, by)| !(role.is_repair_side() && *by == SortBy::PhoneNumber)).copied().collect()
}

/// Long, and shown by no list: its rows are without them.
const LEFT_OUT: &[Column] = &[Column::Search, Column::StarterSearch, Column::ChainHead, Column::BillingCase];
/// Rows of a list by date from which on a page is found by the counts of its days.
const FAR: u64 = 2_000;
/// Hits of a search up to which nobody asks whether another way is shorter.
const FEW: u64 = 500;
/// What it costs to ask a walked row the rest, to sort a picked one, and to sort one by its entry alone: measured, as ratios.
const ASKED: u64 = 3;
const SORTED: u64 = 5;
const SORTED_ENTRY: u64 = 2;

/// A page, and how many rows the whole list has. The rows are without what no list shows.
pub struct Found {
    pub rows: Vec<Conference>,
    pub total: u64,
}

/// How many conferences the filter has.
pub async fn count(db: &impl ConnectionTrait, filter: &Filter) -> DbResult<u64> {
    if filter.words().is_empty()
        && let Some(owner) = filter.tallied()
    {
        return Ok(tally::read(db, filter, owner).await?.total());
    }
    let backend = db.get_database_backend();
    let Some(mut hits) = filter.entries(backend) else {
        return Ok(filter.select(backend, Uses::INDEXED).number(db).await?);
    };
    hits.expr_as(Expr::cust("COUNT(*)"), "hits");
    let hits: Option<(i64,)> = hits.tuple(db).await?;
    Ok(hits.map_or(0, |(hits,)| u64::try_from(hits).unwrap_or(0)))
}

/// A part of the list, without what no list shows.
pub async fn list(db: &impl ConnectionTrait, filter: &Filter, sort: Sort<SortBy>, slice: Slice) -> DbResult<Vec<Conference>> {
    Ok(page(db, filter, sort, slice, None).await?.rows)
}

/// A page: what follows the row `after`, the last one of the page before, if it is still there, else by its number.
pub async fn page(
    db: &impl ConnectionTrait,
    filter: &Filter,
    sort: Sort<SortBy>,
    slice: Slice,
    after: Option<Uuid>,
) -> DbResult<Found> {
    let backend = db.get_database_backend();
    let (words, owner) = (filter.words(), filter.tallied());
    // A first page that is not full is everything there is.
    let is_first = slice.offset == 0 && (is_by_date(sort) || owner.is_none());
    if words.is_empty() && is_first {
        let ids = part(in_order(filter.select(backend, Uses::INDEXED), sort, false), slice);
        let rows = read(db, ids, sort).await?;
        let is_all = u64::try_from(rows.len()).is_ok_and(|rows| rows < slice.limit);
        let total = if is_all { rows.len() as u64 } else { count(db, filter).await? };
        return Ok(Found { rows, total });
    }
    let (total, tally) = match owner {
        Some(owner) if words.is_empty() => {
            let tally = tally::read(db, filter, owner).await?;
            (tally.total(), Some((owner, tally)))
        }
        _ => (count(db, filter).await?, None),
    };
    if slice.offset >= total {
        return Ok(Found { rows: Vec::new(), total });
    }
    let is_ordered = tally.is_some_and(|(_, tally)| is_by_date(sort) || tally.is_everything());
    if let (true, Some(after)) = (is_ordered, after)
        && let Some(ids) = follow::ids(db, filter, sort, after, slice.limit).await?
    {
        let rows = whole(db, in_order(Table::find().filter(Column::Id.is_in(ids)), sort, false)).await?;
        return Ok(Found { rows, total });
    }
    let ids = match tally {
        Some((owner, tally)) => counted(db, filter, sort, slice, (owner, tally)).await?,
        None => searched(db, filter, sort, slice, total).await?,
    };
    Ok(Found { rows: read(db, ids, sort).await?, total })
}

/// The rows of these ids, in order: sorting carries no whole rows.
async fn read(db: &impl ConnectionTrait, ids: SelectStatement, sort: Sort<SortBy>) -> DbResult<Vec<Conference>> {
    whole(db, in_order(Table::find().filter(Column::Id.in_subquery(ids)), sort, false)).await
}

/// What the query finds, without what no list shows.
async fn whole(db: &impl ConnectionTrait, query: Select<Table>) -> DbResult<Vec<Conference>> {
    Ok(query.without(LEFT_OUT).rows(db).await?.into_iter().map(Conference::from).collect())
}

/// In the order of a list, or from its other end.
fn in_order(query: Select<Table>, sort: Sort<SortBy>, from_end: bool) -> Select<Table> {
    let order = || if sort.descending == from_end { Order::Asc } else { Order::Desc };
    query.order_by(column(sort.field), order()).order_by(Column::Id, order())
}

fn is_by_date(sort: Sort<SortBy>) -> bool {
    sort.field == SortBy::CreatedAt
}

/// The ids of a part.
fn part(query: Select<Table>, slice: Slice) -> SelectStatement {
    query.select_only().column(Column::Id).offset(slice.offset).limit(slice.limit).into_query()
}

/// The ids of a part of a list whose days are counted.
async fn counted(
    db: &impl ConnectionTrait,
    filter: &Filter,
    sort: Sort<SortBy>,
    slice: Slice,
    (owner, tally): (Uuid, Tally),
) -> DbResult<SelectStatement> {
    let (backend, total) = (db.get_database_backend(), tally.total());
    if is_by_date(sort) {
        let mut query = filter.select(backend, Uses::INDEXED);
        let mut slice = slice;
        if slice.offset >= FAR {
            let at = (slice.offset, sort.descending);
            let (range, offset) = tally::jump(db, filter, (owner, tally), at).await?;
            query = query.filter(Column::CreatedAt.gte(range.from)).filter(Column::CreatedAt.lt(range.until));
            slice.offset = offset;
        }
        return Ok(part(in_order(query, sort, false), slice));
    }
    if tally.is_everything() {
        let query = filter.select(backend, Uses { days: Use::Nothing, words: Use::Nothing });
        // Its second half is nearer to its end.
        let behind = total.saturating_sub(slice.offset.saturating_add(slice.limit));
        return Ok(match behind < slice.offset {
            true => {
                let limit = slice.limit.min(total - slice.offset);
                part(in_order(query, sort, true), Slice { offset: behind, limit })
            }
            false => part(in_order(query, sort, false), slice),
        });
    }
    let everything = u64::try_from(tally.everything).unwrap_or(total);
    let days = if is_walked(slice, everything, total, SORTED) { Use::Rows } else { Use::Index };
    Ok(part(in_order(filter.select(backend, Uses { days, words: Use::Nothing }), sort, false), slice))
}

/// Whether to walk along the order of a list of `everything` until enough of the `total` rows have been met costs less than
/// to pick and sort them all.
fn is_walked(slice: Slice, everything: u64, total: u64, sorted: u64) -> bool {
    let met = slice.offset.saturating_add(slice.limit).min(total);
    met.saturating_mul(everything / total.max(1)).saturating_mul(ASKED) < total.saturating_mul(sorted)
}

/// The ids of a part of a list that is searched, or narrowed by what nobody counts.
async fn searched(
    db: &impl ConnectionTrait,
    filter: &Filter,
    sort: Sort<SortBy>,
    slice: Slice,
    total: u64,
) -> DbResult<SelectStatement> {
    let backend = db.get_database_backend();
    let entries = filter.entries(backend).filter(|_| is_by_date(sort));
    if total > FEW
        && backend == sea_orm::DbBackend::Sqlite
        && let Some(owner) = filter.tallied()
    {
        let tally = tally::read(db, filter, owner).await?;
        let cost = if entries.is_some() { SORTED_ENTRY } else { SORTED };
        if is_walked(slice, u64::try_from(tally.everything).unwrap_or(total), total, cost) {
            let days = match (is_by_date(sort), tally.is_everything()) {
                (_, true) => Use::Nothing,
                (true, false) => Use::Index,
                (false, false) => Use::Rows,
            };
            return Ok(part(in_order(filter.select(backend, Uses { days, words: Use::Rows }), sort, false), slice));
        }
    }
    let Some(mut hits) = entries else {
        return Ok(part(in_order(filter.select(backend, Uses::INDEXED), sort, false), slice));
    };
    let order = || if sort.descending { Order::Desc } else { Order::Asc };
    hits.column((ENTRY, "conference_id"))
        .order_by((ENTRY, "created_at"), order())
        .order_by((ENTRY, "conference_id"), order())
        .offset(slice.offset)
        .limit(slice.limit);
    Ok(hits)
}
