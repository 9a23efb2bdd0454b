//! What stores read from, and how.

use crate::Statements;
use crate::direct::{Both, Direct, Made, Parts, Tuple, Whole};
use sea_orm::sea_query::{Expr, SelectStatement};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseConnection, DatabaseExecutor, DbBackend, DbErr, EntityTrait, ExecResult, IdenStatic,
    IntoDatabaseExecutor, Iterable, QueryResult, QuerySelect, QueryTrait, Select, SelectTwo, Statement, TryIntoModel,
};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

/// A connection for reading. What is asked by way of [`Reads`] is read from a SQLite file on the thread that asks
/// (docs/decisions/0043); all else by way of a pool.
#[derive(Clone)]
pub struct Reader {
    pool: DatabaseConnection,
    direct: Option<Direct>,
    statements: Statements,
}

impl Reader {
    pub(crate) fn new(pool: DatabaseConnection, direct: Option<Direct>, statements: Statements) -> Self {
        Self { pool, direct, statements }
    }

    pub(crate) fn pool(&self) -> &DatabaseConnection {
        &self.pool
    }

    /// Tables have changed.
    pub(crate) fn forget(&self) {
        if let Some(direct) = &self.direct {
            direct.forget();
        }
    }

    pub(crate) async fn close(self) -> Result<(), DbErr> {
        if let Some(direct) = self.direct {
            direct.close();
        }
        self.pool.close().await
    }
}

#[async_trait::async_trait]
impl ConnectionTrait for Reader {
    fn get_database_backend(&self) -> DbBackend {
        self.pool.get_database_backend()
    }

    async fn execute_raw(&self, statement: Statement) -> Result<ExecResult, DbErr> {
        self.pool.execute_raw(statement).await
    }

    async fn execute_unprepared(&self, sql: &str) -> Result<ExecResult, DbErr> {
        self.pool.execute_unprepared(sql).await
    }

    async fn query_one_raw(&self, statement: Statement) -> Result<Option<QueryResult>, DbErr> {
        self.pool.query_one_raw(statement).await
    }

    async fn query_all_raw(&self, statement: Statement) -> Result<Vec<QueryResult>, DbErr> {
        if let Some(direct) = &self.direct
            && let Ok(wish) = WISH.try_with(Arc::clone)
            && wish.fulfil(direct, &statement).await?
        {
            self.statements.note_direct(&statement.sql);
            return Ok(Vec::new());
        }
        self.pool.query_all_raw(statement).await
    }
}

/// For migrations.
impl<'c> IntoDatabaseExecutor<'c> for &'c Reader {
    fn into_database_executor(self) -> DatabaseExecutor<'c> {
        DatabaseExecutor::Connection(&self.pool)
    }
}

tokio::task_local! {
    /// What the rows of the statement that is being asked are to be made into. sea-orm's own rows can be made by its drivers alone,
    /// so a reader that has one of ours hands the finished structs over here and answers with no rows.
    static WISH: Arc<dyn Wish>;
}

type Fulfilled<'a> = Pin<Box<dyn Future<Output = Result<bool, DbErr>> + Send + 'a>>;

trait Wish: Send + Sync {
    /// Whether it was; otherwise the pool must be asked.
    fn fulfil<'a>(&'a self, direct: &'a Direct, statement: &'a Statement) -> Fulfilled<'a>;
}

struct Wished<T>(Mutex<Option<Vec<T>>>);

impl<T: Made> Wish for Wished<T> {
    fn fulfil<'a>(&'a self, direct: &'a Direct, statement: &'a Statement) -> Fulfilled<'a> {
        Box::pin(async move {
            let rows = direct.read(statement).await?;
            let is_done = rows.is_some();
            *self.0.lock().unwrap_or_else(PoisonError::into_inner) = rows;
            Ok(is_done)
        })
    }
}

async fn made<T: Made>(db: &impl ConnectionTrait, query: SelectStatement) -> Result<Vec<T>, DbErr> {
    let statement = db.get_database_backend().build(&query);
    drop(query);
    asked(db, statement).await
}

async fn asked<T: Made>(db: &impl ConnectionTrait, statement: Statement) -> Result<Vec<T>, DbErr> {
    let wished = Arc::new(Wished::<T>(Mutex::new(None)));
    let rows = WISH.scope(wished.clone(), db.query_all_raw(statement)).await?;
    let direct = wished.0.lock().unwrap_or_else(PoisonError::into_inner).take();
    direct.map_or_else(|| rows.iter().map(T::of_result).collect(), Ok)
}

/// Reading without a detour: the same rows as by sea-orm's `all`, `one` and `count`, which go on to exist for the rest.
pub trait Reads<E: EntityTrait>: Sized {
    /// The rows of an entity without these columns, whose fields stay empty: columns without a value and texts.
    fn without(self, columns: &[E::Column]) -> Self;
    /// All rows of an entity.
    fn rows(self, db: &impl ConnectionTrait) -> impl Future<Output = Result<Vec<E::Model>, DbErr>> + Send;
    /// The first one.
    fn row(self, db: &impl ConnectionTrait) -> impl Future<Output = Result<Option<E::Model>, DbErr>> + Send;
    /// All rows of a projection, as tuples.
    fn tuples<T: Tuple>(self, db: &impl ConnectionTrait) -> impl Future<Output = Result<Vec<T>, DbErr>> + Send;
    /// The first one.
    fn tuple<T: Tuple>(self, db: &impl ConnectionTrait) -> impl Future<Output = Result<Option<T>, DbErr>> + Send;
    /// How many rows there are of those asked for.
    fn number(self, db: &impl ConnectionTrait) -> impl Future<Output = Result<u64, DbErr>> + Send;
}

impl<E> Reads<E> for Select<E>
where
    E: EntityTrait + 'static,
    E::Model: Send + 'static,
    E::ActiveModel: TryIntoModel<E::Model>,
{
    fn without(self, columns: &[E::Column]) -> Self {
        let is_left_out = |column: E::Column| columns.iter().any(|one| one.as_str() == column.as_str());
        E::Column::iter().fold(self.select_only(), |query, column| match is_left_out(column) {
            true => query.expr_as(Expr::cust(if column.def().is_null() { "NULL" } else { "''" }), column.as_str()),
            false => query.column(column),
        })
    }

    async fn rows(self, db: &impl ConnectionTrait) -> Result<Vec<E::Model>, DbErr> {
        let rows: Vec<Whole<E>> = made(db, self.into_query()).await?;
        Ok(rows.into_iter().map(|Whole(model)| model).collect())
    }

    async fn row(self, db: &impl ConnectionTrait) -> Result<Option<E::Model>, DbErr> {
        let rows: Vec<Whole<E>> = made(db, first(self)).await?;
        Ok(rows.into_iter().next().map(|Whole(model)| model))
    }

    async fn tuples<T: Tuple>(self, db: &impl ConnectionTrait) -> Result<Vec<T>, DbErr> {
        let rows: Vec<Parts<T>> = made(db, self.into_query()).await?;
        Ok(rows.into_iter().map(|Parts(tuple)| tuple).collect())
    }

    async fn tuple<T: Tuple>(self, db: &impl ConnectionTrait) -> Result<Option<T>, DbErr> {
        let rows: Vec<Parts<T>> = made(db, first(self)).await?;
        Ok(rows.into_iter().next().map(|Parts(tuple)| tuple))
    }

    async fn number(self, db: &impl ConnectionTrait) -> Result<u64, DbErr> {
        let mut of = self.into_query();
        of.clear_order_by();
        let mut query = SelectStatement::new();
        query.expr(Expr::cust("COUNT(*) AS num_items")).from_subquery(of, "sub_query");
        let rows: Vec<Parts<(i64,)>> = made(db, query).await?;
        Ok(rows.first().map_or(0, |Parts((number,))| number.unsigned_abs()))
    }
}

fn first(query: impl QueryTrait<QueryStatement = SelectStatement>) -> SelectStatement {
    let mut query = query.into_query();
    query.limit(1);
    query
}

/// The same of two entities that were joined by `find_also_related`.
pub trait ReadsBoth<E: EntityTrait, F: EntityTrait>: Sized {
    /// All rows, each with its related one if there is one.
    fn rows(self, db: &impl ConnectionTrait) -> impl Future<Output = Result<Vec<Pair<E, F>>, DbErr>> + Send;
    /// The first one.
    fn row(self, db: &impl ConnectionTrait) -> impl Future<Output = Result<Option<Pair<E, F>>, DbErr>> + Send;
}

type Pair<E, F> = (<E as EntityTrait>::Model, Option<<F as EntityTrait>::Model>);

impl<E, F> ReadsBoth<E, F> for SelectTwo<E, F>
where
    E: EntityTrait + 'static,
    F: EntityTrait + 'static,
    E::Model: Send + 'static,
    F::Model: Send + 'static,
    E::ActiveModel: TryIntoModel<E::Model>,
    F::ActiveModel: TryIntoModel<F::Model>,
{
    async fn rows(self, db: &impl ConnectionTrait) -> Result<Vec<Pair<E, F>>, DbErr> {
        let rows: Vec<Both<E, F>> = made(db, self.into_query()).await?;
        Ok(rows.into_iter().map(|Both(one, other)| (one, other)).collect())
    }

    async fn row(self, db: &impl ConnectionTrait) -> Result<Option<Pair<E, F>>, DbErr> {
        let rows: Vec<Both<E, F>> = made(db, first(self)).await?;
        Ok(rows.into_iter().next().map(|Both(one, other)| (one, other)))
    }
}

/// The same of a statement that asks for no entity: its cells as tuples, in the order of its columns.
pub trait ReadsTuples: Sized {
    /// All rows that it asks for.
    fn tuples<T: Tuple>(self, db: &impl ConnectionTrait) -> impl Future<Output = Result<Vec<T>, DbErr>> + Send;
    /// The first of them.
    fn tuple<T: Tuple>(self, db: &impl ConnectionTrait) -> impl Future<Output = Result<Option<T>, DbErr>> + Send;
}

impl ReadsTuples for Statement {
    async fn tuples<T: Tuple>(self, db: &impl ConnectionTrait) -> Result<Vec<T>, DbErr> {
        let rows: Vec<Parts<T>> = asked(db, self).await?;
        Ok(rows.into_iter().map(|Parts(tuple)| tuple).collect())
    }

    async fn tuple<T: Tuple>(self, db: &impl ConnectionTrait) -> Result<Option<T>, DbErr> {
        Ok(self.tuples(db).await?.into_iter().next())
    }
}

impl ReadsTuples for SelectStatement {
    async fn tuples<T: Tuple>(self, db: &impl ConnectionTrait) -> Result<Vec<T>, DbErr> {
        let statement = db.get_database_backend().build(&self);
        drop(self);
        statement.tuples(db).await
    }

    async fn tuple<T: Tuple>(self, db: &impl ConnectionTrait) -> Result<Option<T>, DbErr> {
        Ok(self.tuples(db).await?.into_iter().next())
    }
}
