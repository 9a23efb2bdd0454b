//! What is known of a statement, found out once.

use super::cell::{Kind, bound};
use super::made::Made;
use rusqlite::Statement;
use sea_orm::sea_query::Value;
use std::any::TypeId;
use std::borrow::Cow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// A statement that can be answered here.
#[derive(Debug)]
pub(super) struct Shape {
    /// The names of the columns.
    columns: Vec<String>,
    /// The place of each parameter's value among the statement's values.
    parameters: Vec<usize>,
    slow: AtomicBool,
    /// What the first one who asked makes of it.
    plan: OnceLock<(TypeId, Option<Vec<Kind>>)>,
}

impl Shape {
    /// `None` when the statement writes or answers with nothing.
    pub fn of(statement: &Statement<'_>) -> Option<Self> {
        if statement.column_count() == 0 || !statement.readonly() {
            return None;
        }
        let columns = statement.column_names().into_iter().map(str::to_owned).collect();
        Some(Self { columns, parameters: parameters(statement)?, slow: AtomicBool::new(false), plan: OnceLock::new() })
    }

    /// What a row is made into a `T` by; `None` when it cannot be here.
    pub fn plan<T: Made>(&self) -> Option<Cow<'_, [Kind]>> {
        let (first, plan) = self.plan.get_or_init(|| (TypeId::of::<T>(), T::plan(&self.columns)));
        if *first == TypeId::of::<T>() { plan.as_deref().map(Cow::Borrowed) } else { T::plan(&self.columns).map(Cow::Owned) }
    }

    /// Whether it took long when it was last asked.
    pub fn is_slow(&self) -> bool {
        self.slow.load(Ordering::Relaxed)
    }

    pub fn set_slow(&self, slow: bool) {
        self.slow.store(slow, Ordering::Relaxed);
    }

    /// Whether all values could be given to the statement.
    pub fn bind(&self, statement: &mut Statement<'_>, values: &[Value]) -> rusqlite::Result<bool> {
        for (nth, place) in self.parameters.iter().enumerate() {
            let Some(value) = values.get(*place).and_then(bound) else { return Ok(false) };
            statement.raw_bind_parameter(nth + 1, value)?;
        }
        Ok(true)
    }

    /// Whether the statement still has as many columns as when it was first seen.
    pub fn is_of(&self, statement: &Statement<'_>) -> bool {
        statement.column_count() == self.columns.len()
    }
}

/// Which value each parameter takes: `?` the next one, `?3` and `$3` the third.
fn parameters(statement: &Statement<'_>) -> Option<Vec<usize>> {
    let mut next = 0;
    (1..=statement.parameter_count())
        .map(|nth| match statement.parameter_name(nth) {
            Some(name) => name.strip_prefix(['?', '$'])?.parse::<usize>().ok()?.checked_sub(1),
            None => {
                next += 1;
                Some(next - 1)
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::Connection;

    fn shape(sql: &str) -> Option<Shape> {
        let connection = Connection::open_in_memory().expect("opens");
        connection.execute_batch("CREATE TABLE invoice (id uuid_text, note text, at text)").expect("creates");
        Shape::of(&connection.prepare(sql).expect(sql))
    }

    #[test]
    fn parameters_take_their_values_as_the_pool_gives_them() {
        for (sql, expected) in [
            ("SELECT id FROM invoice WHERE id = ? AND note = ?", vec![0, 1]),
            ("SELECT id FROM invoice WHERE id = $2 AND note = $1 AND at > $2", vec![1, 0]),
            ("SELECT id FROM invoice", vec![]),
        ] {
            assert_eq!(shape(sql).expect(sql).parameters, expected, "{sql}");
        }
    }

    #[test]
    fn who_writes_is_asked_elsewhere() {
        for sql in ["DELETE FROM invoice RETURNING id", "BEGIN", "SELECT id FROM invoice WHERE id = :id"] {
            assert!(shape(sql).is_none(), "{sql}");
        }
    }
}
