//! Counts the statements that a process makes.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The statements of one database, `BEGIN` and `COMMIT` of writers included. Cheap to clone.
#[derive(Clone, Default)]
pub struct Statements(Arc<Inner>);

#[derive(Default)]
struct Inner {
    count: AtomicU64,
    direct: AtomicU64,
    keeps: AtomicBool,
    texts: Mutex<Vec<String>>,
}

impl Statements {
    /// Since the process began.
    pub fn count(&self) -> u64 {
        self.0.count.load(Ordering::Relaxed)
    }

    /// Those of them that were answered on the thread that asked, or for it, and not by way of a pool.
    pub fn direct(&self) -> u64 {
        self.0.direct.load(Ordering::Relaxed)
    }

    /// Keeps the texts of those to come, without their values. For tests.
    pub fn keep(&self) {
        self.0.keeps.store(true, Ordering::Relaxed);
    }

    /// The texts kept since the last call.
    pub fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.0.texts.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn note_direct(&self, sql: &str) {
        self.0.direct.fetch_add(1, Ordering::Relaxed);
        self.note(sql);
    }

    pub(crate) fn note(&self, sql: &str) {
        self.0.count.fetch_add(1, Ordering::Relaxed);
        if self.0.keeps.load(Ordering::Relaxed) {
            self.0.texts.lock().unwrap_or_else(PoisonError::into_inner).push(sql.to_owned());
        }
    }
}
