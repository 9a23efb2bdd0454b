//! What rows are made into: models of entities, and tuples.

use super::cell::{Cell, Kind};
use rusqlite::Row;
use rusqlite::types::ValueRef;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DbErr, EntityTrait, FromQueryResult, IdenStatic, Iterable, QueryResult, TryGetableMany,
    TryIntoModel,
};

/// Made of a row, whoever read it.
pub(crate) trait Made: Sized + Send + 'static {
    /// What it takes from the columns of these names; `None` when it cannot be made of them here.
    fn plan(columns: &[String]) -> Option<Vec<Kind>>;
    /// `None` when a cell holds something else than expected.
    fn of_row(plan: &[Kind], row: &Row<'_>) -> Option<Self>;
    /// Of a row that came by way of the pool.
    fn of_result(row: &QueryResult) -> Result<Self, DbErr>;
}

/// A row of an entity: the statement must have its columns, in its order.
pub(crate) struct Whole<E: EntityTrait>(pub E::Model);

/// The kinds of an entity's columns, if these are they, with this before their names.
fn plan_of<E: EntityTrait>(columns: &[String], before: &str) -> Option<Vec<Kind>> {
    let own = || E::Column::iter();
    let are_own = own().map(|column| Some(column.as_str())).eq(columns.iter().map(|name| name.strip_prefix(before)));
    if are_own { own().map(|column| Kind::of(column.def().get_column_type())).collect() } else { None }
}

/// The entity whose columns begin with the `first` one.
fn model_of<E: EntityTrait>(plan: &[Kind], row: &Row<'_>, first: usize) -> Option<E::Model>
where
    E::ActiveModel: TryIntoModel<E::Model>,
{
    let mut model = <E::ActiveModel as ActiveModelTrait>::default();
    for (nth, (column, kind)) in E::Column::iter().zip(plan).enumerate() {
        // Checks the kind against the field's type.
        model.try_set(column, kind.read(row.get_ref(first + nth).ok()?)?).ok()?;
    }
    model.try_into_model().ok()
}

impl<E> Made for Whole<E>
where
    E: EntityTrait + 'static,
    E::Model: Send + 'static,
    E::ActiveModel: TryIntoModel<E::Model>,
{
    fn plan(columns: &[String]) -> Option<Vec<Kind>> {
        plan_of::<E>(columns, "")
    }

    fn of_row(plan: &[Kind], row: &Row<'_>) -> Option<Self> {
        model_of::<E>(plan, row, 0).map(Self)
    }

    fn of_result(row: &QueryResult) -> Result<Self, DbErr> {
        E::Model::from_query_result(row, "").map(Self)
    }
}

/// Rows of two entities side by side, as sea-orm names their columns; of the second one perhaps nothing.
pub(crate) struct Both<E: EntityTrait, F: EntityTrait>(pub E::Model, pub Option<F::Model>);

const LEFT: &str = "A_";
const RIGHT: &str = "B_";

impl<E, F> Made for Both<E, F>
where
    E: EntityTrait + 'static,
    F: EntityTrait + 'static,
    E::Model: Send + 'static,
    F::Model: Send + 'static,
    E::ActiveModel: TryIntoModel<E::Model>,
    F::ActiveModel: TryIntoModel<F::Model>,
{
    fn plan(columns: &[String]) -> Option<Vec<Kind>> {
        let (left, right) = columns.split_at_checked(E::Column::iter().count())?;
        let mut plan = plan_of::<E>(left, LEFT)?;
        plan.extend(plan_of::<F>(right, RIGHT)?);
        Some(plan)
    }

    fn of_row(plan: &[Kind], row: &Row<'_>) -> Option<Self> {
        let (left, right) = plan.split_at_checked(E::Column::iter().count())?;
        let is_nothing = (0..right.len()).all(|nth| matches!(row.get_ref(left.len() + nth), Ok(ValueRef::Null)));
        let second = if is_nothing { None } else { Some(model_of::<F>(right, row, left.len())?) };
        Some(Self(model_of::<E>(left, row, 0)?, second))
    }

    fn of_result(row: &QueryResult) -> Result<Self, DbErr> {
        Ok(Self(E::Model::from_query_result(row, LEFT)?, F::Model::from_query_result_optional(row, RIGHT)?))
    }
}

/// A row as a tuple: one cell after the other.
pub(crate) struct Parts<T>(pub T);

/// Tuples that a row can be read as, of the types that entities use.
pub trait Tuple: TryGetableMany + Send + 'static {
    #[doc(hidden)]
    const LENGTH: usize;
    #[doc(hidden)]
    fn of_cells(row: &CellsOf<'_>) -> Option<Self>;
}

/// A row under its own name, so that the driver's is not seen outside.
pub struct CellsOf<'a>(&'a Row<'a>);

impl CellsOf<'_> {
    fn nth<T: Cell>(&self, nth: usize) -> Option<T> {
        T::of(self.0.get_ref(nth).ok()?)
    }
}

impl<T: Tuple> Made for Parts<T> {
    fn plan(columns: &[String]) -> Option<Vec<Kind>> {
        (columns.len() == T::LENGTH).then(Vec::new)
    }

    fn of_row(_: &[Kind], row: &Row<'_>) -> Option<Self> {
        T::of_cells(&CellsOf(row)).map(Self)
    }

    fn of_result(row: &QueryResult) -> Result<Self, DbErr> {
        row.try_get_many_by_index().map(Self)
    }
}

macro_rules! tuples {
    ($($length:literal: $($cell:ident $nth:tt)+;)+) => {
        $(impl<$($cell: Cell + sea_orm::TryGetable + Send + 'static),+> Tuple for ($($cell,)+) {
            const LENGTH: usize = $length;
            fn of_cells(row: &CellsOf<'_>) -> Option<Self> {
                Some(($(row.nth::<$cell>($nth)?,)+))
            }
        })+
    };
}

tuples! {
    1: A 0;
    2: A 0 B 1;
    3: A 0 B 1 C 2;
    4: A 0 B 1 C 2 D 3;
    5: A 0 B 1 C 2 D 3 E 4;
    6: A 0 B 1 C 2 D 3 E 4 F 5;
}
