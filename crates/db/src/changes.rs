//! What changed, for those who keep copies of rows or wait for work: in this process after the commit, and from other
//! processes through PostgreSQL's NOTIFY.
//!
//! *Invariant:* whoever keeps a copy may use it only while [`Changes::are_heard`], and forgets it on a [`Change`]. On SQLite,
//! which one process uses, that is always so but while a transaction that touched a kept table has not ended; on PostgreSQL
//! while the listener has proved within [`TRUST`] that it receives what was committed before.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// How long a proof of the listener counts: what another node changed is seen within this time.
pub const TRUST: Duration = Duration::from_millis(900);
/// The age at which a proof that is used gets a successor.
const RENEWAL: Duration = Duration::from_millis(300);

/// Tables whose rows processes keep copies of, and the changes that stand for each.
const KEPT: [(&str, &[&str]); 3] =
    [("company", &["company"]), ("app_user", &["app_user"]), ("session", &["app_user", "company"])];

/// Something that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// A row of a table, or what belongs to it: `key` is its id, of a job its kind.
    Of { table: String, key: String },
    /// Anything may have changed.
    Anything,
}

impl Change {
    pub(crate) fn of(table: &str, key: impl ToString) -> Self {
        Self::Of { table: table.to_owned(), key: key.to_string() }
    }
}

type Observer = Arc<dyn Fn(&Change) + Send + Sync>;

/// The changes of one database. Cheap to clone.
#[derive(Clone)]
pub struct Changes(Arc<Inner>);

struct Inner {
    observers: Mutex<Vec<Observer>>,
    hearing: Hearing,
}

enum Hearing {
    /// SQLite: the kept tables that a transaction which has not ended wrote to, a bit each.
    Touched(AtomicU8),
    Listener(Proofs),
}

/// Of the listener on PostgreSQL.
#[derive(Default)]
struct Proofs {
    state: Mutex<Proof>,
    wanted: Notify,
}

#[derive(Default)]
struct Proof {
    /// Everything committed before this moment was received.
    heard_until: Option<Instant>,
    /// The last question, and when it was asked.
    asked: Option<(u64, Instant)>,
}

impl Changes {
    pub(crate) fn on_sqlite() -> Self {
        Self::with(Hearing::Touched(AtomicU8::new(0)))
    }

    pub(crate) fn on_postgres() -> Self {
        Self::with(Hearing::Listener(Proofs::default()))
    }

    fn with(hearing: Hearing) -> Self {
        Self(Arc::new(Inner { observers: Mutex::default(), hearing }))
    }

    /// Calls `observer` after every change; it must neither wait nor write.
    pub fn observe(&self, observer: impl Fn(&Change) + Send + Sync + 'static) {
        self.0.observers.lock().unwrap_or_else(PoisonError::into_inner).push(Arc::new(observer));
    }

    /// Whether every change that a copy must not outlive has been told.
    pub fn are_heard(&self) -> bool {
        match &self.0.hearing {
            Hearing::Touched(tables) => tables.load(Ordering::Acquire) == 0,
            Hearing::Listener(proofs) => {
                let heard_until = proofs.state.lock().unwrap_or_else(PoisonError::into_inner).heard_until;
                let age = heard_until.map(|at| at.elapsed());
                if age.is_none_or(|age| age > RENEWAL) {
                    proofs.wanted.notify_one();
                }
                age.is_some_and(|age| age < TRUST)
            }
        }
    }

    pub(crate) fn tell(&self, change: &Change) {
        let observers = self.0.observers.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for observer in observers {
            observer(change);
        }
    }

    /// A row was written by a SQLite connection, perhaps in a transaction that has not ended.
    pub(crate) fn touch(&self, table: &str) {
        if let Hearing::Touched(tables) = &self.0.hearing
            && let Some(nth) = KEPT.iter().position(|(kept, _)| *kept == table)
        {
            tables.fetch_or(1 << nth, Ordering::AcqRel);
        }
    }

    pub(crate) fn is_touched(&self) -> bool {
        matches!(&self.0.hearing, Hearing::Touched(tables) if tables.load(Ordering::Acquire) != 0)
    }

    /// A transaction has ended with these changes. A kept table that it wrote to without saying so may have changed in any
    /// row: a writer that forgets to tell costs time, never safety.
    pub(crate) fn settle(&self, told: &[Change]) {
        for change in told {
            self.tell(change);
        }
        let Hearing::Touched(tables) = &self.0.hearing else { return };
        let touched = tables.load(Ordering::Acquire);
        let is_told =
            |names: &[&str]| told.iter().any(|one| matches!(one, Change::Of { table, .. } if names.contains(&table.as_str())));
        let untold = KEPT.iter().enumerate().any(|(nth, (_, names))| touched & (1 << nth) != 0 && !is_told(names));
        if untold {
            self.tell(&Change::Anything);
        }
        // After it was told, so that nobody keeps in between what was read before.
        tables.fetch_and(!touched, Ordering::AcqRel);
    }

    /// Resolves when a copy is used whose proof is old.
    pub(crate) async fn proof_wanted(&self) {
        match &self.0.hearing {
            Hearing::Listener(proofs) => proofs.wanted.notified().await,
            Hearing::Touched(_) => std::future::pending().await,
        }
    }

    /// A question is sent now that the listener has to hear.
    pub(crate) fn asked(&self, question: u64) {
        self.on_proof(|proof| proof.asked = Some((question, Instant::now())));
    }

    /// The listener heard a question of this process.
    pub(crate) fn heard(&self, question: u64) {
        self.on_proof(|proof| {
            if let Some((asked, at)) = proof.asked
                && asked == question
            {
                proof.heard_until = Some(at);
            }
        });
    }

    /// The listener hears nothing any more: no copy counts until it does, and then none from before.
    pub(crate) fn deaf(&self) {
        self.on_proof(|proof| *proof = Proof::default());
        self.tell(&Change::Anything);
    }

    fn on_proof(&self, change: impl FnOnce(&mut Proof)) {
        if let Hearing::Listener(proofs) = &self.0.hearing {
            change(&mut proofs.state.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard_by(changes: &Changes) -> Arc<Mutex<Vec<Change>>> {
        let all = Arc::new(Mutex::new(Vec::new()));
        let heard = all.clone();
        changes.observe(move |change| heard.lock().unwrap().push(change.clone()));
        all
    }

    // SESSION-13
    #[test]
    fn a_kept_table_that_was_written_in_silence_may_have_changed_anywhere() {
        let changes = Changes::on_sqlite();
        let heard = heard_by(&changes);
        for (tables, told, expected) in [
            (vec!["job", "message"], vec![], vec![]),
            (vec!["app_user"], vec![], vec![Change::Anything]),
            (vec!["session"], vec![Change::of("app_user", 1)], vec![Change::of("app_user", 1)]),
            (vec!["session"], vec![Change::of("company", 1)], vec![Change::of("company", 1)]),
            (vec!["company"], vec![Change::of("app_user", 1)], vec![Change::of("app_user", 1), Change::Anything]),
        ] {
            tables.iter().for_each(|table| changes.touch(table));
            assert_eq!(changes.are_heard(), tables[0] == "job", "nothing is kept before the end of {tables:?}");
            changes.settle(&told);
            assert!(changes.are_heard());
            assert_eq!(std::mem::take(&mut *heard.lock().unwrap()), expected, "{tables:?}");
        }
    }

    // SESSION-14
    #[test]
    fn only_the_answer_to_the_last_question_proves_that_the_listener_hears() {
        let changes = Changes::on_postgres();
        let heard = heard_by(&changes);
        assert!(!changes.are_heard(), "nobody listens");
        changes.asked(1);
        changes.asked(2);
        changes.heard(1);
        assert!(!changes.are_heard());
        changes.heard(2);
        assert!(changes.are_heard());
        changes.deaf();
        assert!(!changes.are_heard());
        assert_eq!(*heard.lock().unwrap(), [Change::Anything]);
        changes.heard(2);
        assert!(!changes.are_heard(), "an answer from before");
    }
}
