//! Reads of a SQLite file on the thread that asks (docs/decisions/0043): no thread of a driver in between, statements kept
//! prepared, the file mapped into memory.
//!
//! *Invariants:* nothing is written here. What cannot be answered exactly as the pool's driver would answer it is asked of the
//! pool: a cell that holds something else than its field, every failure. A read that takes long does not keep the thread that
//! asks.

mod cell;
mod made;
mod shape;

use cell::Kind;
pub(crate) use made::{Both, Made, Parts, Whole};
pub use made::{CellsOf, Tuple};
use rusqlite::{CachedStatement, Connection, ErrorCode, OpenFlags};
use sea_orm::{ConnAcquireErr, DbErr, Statement};
use shape::Shape;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// What a read may take of the thread that asks; what needs longer begins anew on a thread of its own.
const BUDGET: Duration = Duration::from_micros(500);
/// Instructions of SQLite's machine between two looks at the clock, some 10 µs.
const STEPS: i32 = 500;
/// Rows between two looks at the clock.
const ROWS: usize = 32;
/// Statements kept prepared per connection.
const PREPARED: usize = 256;
/// Statements at most of which is known what they answer with.
const SHAPES: usize = 4096;
/// What every connection is told. The first 16 MiB of the file are mapped and not copied; of the rest 2 MiB are kept. Both count
/// once per connection towards the memory of the process.
const SETUP: &str = "PRAGMA query_only = ON; PRAGMA mmap_size = 16777216; PRAGMA cache_size = -2048;";

/// The reading connections of one file. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Direct(Arc<Inner>);

struct Inner {
    file: PathBuf,
    idle: Mutex<Idle>,
    /// By the text of the statement; `None` for those that are asked elsewhere.
    shapes: RwLock<HashMap<Box<str>, Option<Arc<Shape>>>>,
    long: Arc<Semaphore>,
    /// Connections kept open without work.
    kept: usize,
    patience: Duration,
}

#[derive(Default)]
struct Idle {
    connections: Vec<Opened>,
    closed: bool,
}

enum Answer<T> {
    Rows(Vec<T>),
    /// It takes longer than the thread that asks can wait.
    Long,
    /// The pool must be asked.
    Elsewhere,
}

impl Direct {
    /// On a machine of so many cores. Who finds too many long reads at work waits for `patience`.
    pub fn new(file: &Path, cores: usize, patience: Duration) -> Self {
        let (idle, shapes, long) = (Mutex::default(), RwLock::default(), Arc::new(Semaphore::new(2 * cores)));
        Self(Arc::new(Inner { file: file.to_owned(), idle, shapes, long, kept: cores.max(2), patience }))
    }

    /// All rows; `None` when the pool must be asked.
    ///
    /// Errors: [`DbErr::ConnectionAcquire`] when it takes long and too many others do so for too long.
    pub async fn read<T: Made>(&self, statement: &Statement) -> Result<Option<Vec<T>>, DbErr> {
        // Nothing here ever waits: a task that reads in a loop would keep its thread for ever.
        tokio::task::coop::consume_budget().await;
        let answer = match self.0.read(statement, Some(BUDGET)) {
            Answer::Long => self.read_apart(statement.clone()).await?,
            answer => answer,
        };
        Ok(match answer {
            Answer::Rows(rows) => Some(rows),
            Answer::Long | Answer::Elsewhere => None,
        })
    }

    /// Reads on a thread that may wait.
    async fn read_apart<T: Made>(&self, statement: Statement) -> Result<Answer<T>, DbErr> {
        let turn = tokio::time::timeout(self.0.patience, self.0.long.clone().acquire_owned()).await;
        let turn = turn.map_err(|_| DbErr::ConnectionAcquire(ConnAcquireErr::Timeout))?;
        let inner = self.0.clone();
        let reading = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            inner.read(&statement, None)
        });
        reading.await.map_err(|error| DbErr::Custom(error.to_string()))
    }

    /// Tables have changed: what is known of statements counts no more.
    pub fn forget(&self) {
        self.0.idle().connections.clear();
        self.0.shapes.write().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Closes every connection; later reads are asked elsewhere.
    pub fn close(&self) {
        let mut idle = self.0.idle();
        idle.closed = true;
        idle.connections.clear();
    }
}

impl Inner {
    fn idle(&self) -> MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read<T: Made>(&self, statement: &Statement, budget: Option<Duration>) -> Answer<T> {
        let known = self.shapes.read().unwrap_or_else(PoisonError::into_inner).get(statement.sql.as_str()).cloned();
        match &known {
            Some(None) => return Answer::Elsewhere,
            Some(Some(shape)) if budget.is_some() && shape.is_slow() => return Answer::Long,
            _ => {}
        }
        let found = match self.lease() {
            Ok(Some(lease)) => self.read_on(&lease, statement, known.flatten(), budget),
            Ok(None) => Ok(Answer::Elsewhere),
            Err(error) => Err(error),
        };
        found.unwrap_or_else(|error| {
            tracing::debug!(%error, "a direct read is asked of the pool");
            Answer::Elsewhere
        })
    }

    fn read_on<T: Made>(
        &self,
        lease: &Lease<'_>,
        statement: &Statement,
        known: Option<Arc<Shape>>,
        budget: Option<Duration>,
    ) -> rusqlite::Result<Answer<T>> {
        let opened = lease.opened();
        let mut prepared = opened.connection.prepare_cached(&statement.sql)?;
        let known = known.filter(|shape| shape.is_of(&prepared)).or_else(|| self.learn(&prepared, &statement.sql));
        let Some(shape) = known else { return Ok(Answer::Elsewhere) };
        let Some(plan) = shape.plan::<T>() else { return Ok(Answer::Elsewhere) };
        let values = statement.values.as_ref().map_or(&[][..], |values| values.0.as_slice());
        if !shape.bind(&mut prepared, values)? {
            return Ok(Answer::Elsewhere);
        }
        let watch = opened.clock.start(budget);
        let answer = match rows(&shape, &plan, &mut prepared, &watch) {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::OperationInterrupted) => Answer::Long,
            done => done?,
        };
        match budget {
            Some(_) if matches!(answer, Answer::Long) || watch.is_over() => shape.set_slow(true),
            None if watch.took() < BUDGET / 4 => shape.set_slow(false),
            _ => {}
        }
        Ok(answer)
    }

    fn learn(&self, prepared: &CachedStatement<'_>, sql: &str) -> Option<Arc<Shape>> {
        let shape = Shape::of(prepared).map(Arc::new);
        let mut shapes = self.shapes.write().unwrap_or_else(PoisonError::into_inner);
        if shapes.len() >= SHAPES {
            shapes.clear();
        }
        shapes.insert(sql.into(), shape.clone());
        shape
    }

    /// `None` when all is closed.
    fn lease(&self) -> rusqlite::Result<Option<Lease<'_>>> {
        let kept = {
            let mut idle = self.idle();
            if idle.closed {
                return Ok(None);
            }
            idle.connections.pop()
        };
        let opened = kept.map_or_else(|| Opened::new(&self.file), Ok)?;
        Ok(Some(Lease { inner: self, opened: Some(opened) }))
    }
}

fn rows<T: Made>(
    shape: &Shape,
    plan: &[Kind],
    prepared: &mut CachedStatement<'_>,
    watch: &Watch<'_>,
) -> rusqlite::Result<Answer<T>> {
    let mut found = Vec::new();
    let mut rows = prepared.raw_query();
    while let Some(row) = rows.next()? {
        let made = if shape.is_of(row.as_ref()) { T::of_row(plan, row) } else { None };
        let Some(made) = made else { return Ok(Answer::Elsewhere) };
        found.push(made);
        if found.len().is_multiple_of(ROWS) && watch.is_over() {
            return Ok(Answer::Long);
        }
    }
    Ok(Answer::Rows(found))
}

/// A connection and the clock that its statements are measured with.
struct Opened {
    connection: Connection,
    clock: Arc<Clock>,
}

impl Opened {
    fn new(file: &Path) -> rusqlite::Result<Self> {
        // Not read-only, which cannot open a journal that nobody has open yet; `query_only` refuses writes.
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(file, flags)?;
        // Who would have to wait asks the pool, which waits on a thread of its own.
        connection.busy_timeout(Duration::ZERO)?;
        connection.execute_batch(SETUP)?;
        connection.set_prepared_statement_cache_capacity(PREPARED);
        let clock = Arc::new(Clock { born: Instant::now(), end: AtomicU64::new(u64::MAX) });
        let watched = clock.clone();
        connection.progress_handler(STEPS, Some(move || watched.is_over()))?;
        Ok(Self { connection, clock })
    }
}

/// Tells SQLite when a statement has had its time.
struct Clock {
    born: Instant,
    /// Nanoseconds after `born`.
    end: AtomicU64,
}

impl Clock {
    fn now(&self) -> u64 {
        u64::try_from(self.born.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    fn is_over(&self) -> bool {
        let end = self.end.load(Ordering::Relaxed);
        end != u64::MAX && self.now() > end
    }

    fn start(&self, budget: Option<Duration>) -> Watch<'_> {
        let began = self.now();
        let end = budget.map_or(u64::MAX, |budget| began + u64::try_from(budget.as_nanos()).unwrap_or(u64::MAX / 2));
        self.end.store(end, Ordering::Relaxed);
        Watch { clock: self, began }
    }
}

/// One statement's time; its end is the end of the limit.
struct Watch<'a> {
    clock: &'a Clock,
    began: u64,
}

impl Watch<'_> {
    fn is_over(&self) -> bool {
        self.clock.is_over()
    }

    fn took(&self) -> Duration {
        Duration::from_nanos(self.clock.now() - self.began)
    }
}

impl Drop for Watch<'_> {
    fn drop(&mut self) {
        self.clock.end.store(u64::MAX, Ordering::Relaxed);
    }
}

/// A connection that is at work; goes back when it is done.
struct Lease<'a> {
    inner: &'a Inner,
    opened: Option<Opened>,
}

impl Lease<'_> {
    fn opened(&self) -> &Opened {
        self.opened.as_ref().expect("it goes back at the end")
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let mut idle = self.inner.idle();
        if !idle.closed && idle.connections.len() < self.inner.kept {
            idle.connections.extend(self.opened.take());
        }
    }
}
