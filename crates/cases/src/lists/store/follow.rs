//! What follows a row in the order of a list, found in the index of the column that the list is sorted by.

use super::filter::{Filter, Use, Uses};
use super::{LEFT_OUT, column, count, in_order, is_by_date, part, searched, whole};
use crate::casebook::{Column, Conference, Table};
use crate::lists::model::SortBy;
use atalaya_db::{DbResult, Reads, ReadsTuples};
use atalaya_rest::page::{Slice, Sort};
use sea_orm::sea_query::{Expr, ExprTrait};
use sea_orm::{ColumnTrait, ConnectionTrait, DbBackend, DbErr, EntityTrait, QueryFilter, QuerySelect, Select, Value};
use std::collections::HashMap;
use uuid::Uuid;

/// A place in the order of a list: a row's value, `None` for null, and its id.
#[derive(Clone, Debug)]
struct Place {
    value: Option<Value>,
    id: Uuid,
}

impl Place {
    fn of(row: &Conference, by: SortBy) -> Self {
        let text = |text: &String| Some(Value::from(text.clone()));
        let value = match by {
            SortBy::CreatedAt => Some(Value::from(row.created_at)),
            SortBy::Expedient => text(&row.expedient_key),
            SortBy::UserName => text(&row.user_name),
            SortBy::CustomerName => text(&row.customer_name),
            SortBy::PhoneNumber => text(&row.phone_number),
            SortBy::CarId => row.car_id.clone().map(Value::from),
            SortBy::Duration => row.duration_s.map(Value::from),
        };
        Self { value, id: row.id }
    }
}

/// The two runs of an order: rows with a value, and those with none, which stand together at one end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Run {
    Values,
    Nulls,
}

/// The runs in the order in which the database gives them: SQLite holds nothing for less than anything, PostgreSQL for more.
fn runs(backend: DbBackend, sort: Sort<SortBy>) -> &'static [Run] {
    if !sort.field.may_be_empty() {
        return &[Run::Values];
    }
    match (backend == DbBackend::Sqlite) == sort.descending {
        true => &[Run::Values, Run::Nulls],
        false => &[Run::Nulls, Run::Values],
    }
}

/// The rest of a run after a place, or all of it.
fn rest_of(query: Select<Table>, sort: Sort<SortBy>, run: Run, after: Option<&Place>) -> Select<Table> {
    let by = column(sort.field);
    let (field, id) = (Expr::col((Table, by)), Expr::col((Table, Column::Id)));
    let beyond = |left: Expr, right: Expr| if sort.descending { left.lt(right) } else { left.gt(right) };
    let query = match run {
        Run::Nulls => query.filter(by.is_null()),
        Run::Values if sort.field.may_be_empty() => query.filter(by.is_not_null()),
        Run::Values => query,
    };
    match after {
        None => query,
        Some(Place { value: None, id: last }) => query.filter(beyond(id, Expr::value(*last))),
        Some(Place { value: Some(value), id: last }) => {
            let place = [Expr::value(value.clone()), Expr::value(*last)];
            query.filter(beyond(Expr::tuple([field, id]), Expr::tuple(place)))
        }
    }
}

/// Up to `limit` rows that follow a place, as `read` reads them.
async fn following<T, R: Future<Output = Result<Vec<T>, DbErr>>>(
    (base, backend): (&Select<Table>, DbBackend),
    sort: Sort<SortBy>,
    after: Option<&Place>,
    limit: u64,
    read: impl Fn(Select<Table>) -> R,
) -> DbResult<Vec<T>> {
    let mut found = Vec::new();
    let mut after = after;
    let begun = after.map(|place| if place.value.is_some() { Run::Values } else { Run::Nulls });
    let ahead = runs(backend, sort).iter().skip_while(|run| begun.is_some_and(|begun| begun != **run));
    for run in ahead {
        let left = limit.saturating_sub(found.len() as u64);
        if left == 0 {
            break;
        }
        found.extend(read(in_order(rest_of(base.clone(), sort, *run, after.take()), sort, false).limit(left)).await?);
    }
    Ok(found)
}

/// The ids of what follows a row of the list; `None` when the list does not have that row any more.
pub(super) async fn ids(
    db: &impl ConnectionTrait,
    filter: &Filter,
    sort: Sort<SortBy>,
    after: Uuid,
    limit: u64,
) -> DbResult<Option<Vec<Uuid>>> {
    let (days, backend) = (if is_by_date(sort) { Use::Index } else { Use::Nothing }, db.get_database_backend());
    let base = filter.select(backend, Uses { days, words: Use::Rows });
    let row = base.clone().filter(Column::Id.eq(after)).without(LEFT_OUT).row(db).await?;
    let Some(row) = row else { return Ok(None) };
    let place = Place::of(&row.into(), sort.field);
    let ids = |query: Select<Table>| query.select_only().column(Column::Id).tuples::<(Uuid,)>(db);
    let found = following((&base, backend), sort, Some(&place), limit, ids).await?;
    Ok(Some(found.into_iter().map(|(id,)| id).collect()))
}

/// Rows that are read at once.
const AT_ONCE: usize = 500;
/// Lists up to this long are sorted once and then read by their ids; longer ones along their index.
const SORTED_AT_ONCE: u64 = 20_000;

/// Reads a whole list in order, a batch at a time, however long it is. Rows that come or go meanwhile are read or not; none
/// is read twice.
pub struct Reader {
    filter: Filter,
    sort: Sort<SortBy>,
    way: Way,
}

enum Way {
    /// The ids that are still to be read, the next ones last.
    Ids(Vec<Uuid>),
    After(Option<Place>),
    Done,
}

impl Reader {
    /// A reader at the beginning of a list, and how many rows the list has now.
    pub async fn open(db: &impl ConnectionTrait, filter: Filter, sort: Sort<SortBy>) -> DbResult<(Self, u64)> {
        let total = count(db, &filter).await?;
        Ok((Self { filter, sort, way: if total <= SORTED_AT_ONCE { Way::Ids(Vec::new()) } else { Way::After(None) } }, total))
    }

    /// Sorts a short list. To be called once, after its length was found acceptable.
    pub async fn begin(mut self, db: &impl ConnectionTrait, total: u64) -> DbResult<Self> {
        if let Way::Ids(ids) = &mut self.way {
            let slice = Slice { offset: 0, limit: Ord::max(total, 1) };
            let backend = db.get_database_backend();
            let chosen = match self.filter.words().is_empty() {
                true => part(in_order(self.filter.select(backend, Uses::INDEXED), self.sort, false), slice),
                false => searched(db, &self.filter, self.sort, slice, total).await?,
            };
            let found: Vec<(Uuid,)> = chosen.tuples(db).await?;
            *ids = found.into_iter().rev().map(|(id,)| id).collect();
        }
        Ok(self)
    }

    /// The next rows, without what no list shows; none at the end.
    pub async fn next(&mut self, db: &impl ConnectionTrait) -> DbResult<Vec<Conference>> {
        match &mut self.way {
            Way::Done => Ok(Vec::new()),
            Way::Ids(ids) => {
                if ids.is_empty() {
                    return Ok(Vec::new());
                }
                let batch = ids.split_off(ids.len().saturating_sub(AT_ONCE));
                let rows = whole(db, Table::find().filter(Column::Id.is_in(batch.iter().copied()))).await?;
                let mut rows: HashMap<Uuid, Conference> = rows.into_iter().map(|row| (row.id, row)).collect();
                Ok(batch.iter().rev().filter_map(|id| rows.remove(id)).collect())
            }
            Way::After(place) => {
                let days = if is_by_date(self.sort) { Use::Index } else { Use::Rows };
                let backend = db.get_database_backend();
                let base = self.filter.select(backend, Uses { days, words: Use::Rows });
                let read = |query: Select<Table>| query.without(LEFT_OUT).rows(db);
                let rows = following((&base, backend), self.sort, place.as_ref(), AT_ONCE as u64, read).await?;
                let rows: Vec<Conference> = rows.into_iter().map(Conference::from).collect();
                self.way = match rows.last() {
                    Some(last) if rows.len() == AT_ONCE => Way::After(Some(Place::of(last, self.sort.field))),
                    _ => Way::Done,
                };
                Ok(rows)
            }
        }
    }
}
