//! `atalaya doctor --deep`: walks database, storage and chains, and tells what is lost, doubled or dangling
//! (docs/rules/deep.md).
//!
//! *Invariant:* it only reads. What it calls damage can come of no crash at any moment; what a crash may leave behind, and
//! the server tidies up by itself, is a note.

mod files;
mod probes;
mod references;
mod store;

use atalaya_blobs::{BlobStore, MasterKeys, Spool};
use atalaya_cases::evidence;
use atalaya_db::{Db, DbResult};
use chrono::{DateTime, TimeDelta, Utc};
use std::fmt;

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The database's own check of its file fails.
    DatabaseDamaged,
    /// A row names a row that is not there.
    Dangling,
    /// A conference's chain, its head, or a seal over it does not fit its events.
    ChainBroken,
    /// What lists show of a conference is not what its events say.
    SummaryWrong,
    /// A row names a file that is not in the storage.
    FileMissing,
    /// A file does not open, or is not what its row says.
    FileDamaged,
    /// No row names a file. A crash between the storing of a file and its row leaves one; nobody can open it.
    FileStray,
    /// Numbers that must have no gap have one, or one was given twice.
    NumberGap,
    /// Amounts that must add up do not.
    SumWrong,
    /// Columns of a row, or rows that belong together, contradict each other.
    StateWrong,
    /// Work that no worker will ever take, or that should have been done long ago.
    Stuck,
}

impl Kind {
    /// The code in the output, for programs.
    pub fn code(self) -> &'static str {
        match self {
            Self::DatabaseDamaged => "DATABASE_DAMAGED",
            Self::Dangling => "DANGLING",
            Self::ChainBroken => "CHAIN_BROKEN",
            Self::SummaryWrong => "SUMMARY_WRONG",
            Self::FileMissing => "FILE_MISSING",
            Self::FileDamaged => "FILE_DAMAGED",
            Self::FileStray => "FILE_STRAY",
            Self::NumberGap => "NUMBER_GAP",
            Self::SumWrong => "SUM_WRONG",
            Self::StateWrong => "STATE_WRONG",
            Self::Stuck => "STUCK",
        }
    }

    /// Whether something is lost, doubled or dangling (DEEP-1).
    pub fn is_damage(self) -> bool {
        self != Self::FileStray
    }
}

/// Something that is wrong, with how often and the first place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub kind: Kind,
    /// What was examined: a table and column, a kind of file, a series.
    pub what: String,
    pub count: usize,
    /// Id of the first row, or name of the first file.
    pub first: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}, first {}", self.kind.code(), self.what, self.count, self.first)
    }
}

/// Everything that was found, and how much was looked at.
#[derive(Debug, Default)]
pub struct Walk {
    pub findings: Vec<Finding>,
    pub references: usize,
    pub conferences: usize,
    pub files: usize,
    pub probes: usize,
}

impl Walk {
    fn found(&mut self, kind: Kind, what: impl Into<String>, places: &[String]) {
        if let Some(first) = places.first() {
            self.findings.push(Finding { kind, what: what.into(), count: places.len(), first: first.clone() });
        }
    }

    /// What was looked at, in a line.
    pub fn told(&self) -> String {
        let Self { references, conferences, files, probes, .. } = self;
        format!("{references} references, {conferences} chains, {files} files and {probes} rules of consistency were examined")
    }
}

/// How long work may be overdue, and a state that is about to change may stand, before it counts as stuck.
const PATIENCE: TimeDelta = TimeDelta::days(1);

/// Walks everything. `spool` holds the recordings under way.
///
/// Errors: those of the database; a storage that does not answer is a finding.
pub async fn walk(db: &Db, blobs: &BlobStore, master: &MasterKeys, spool: Option<&Spool>, now: DateTime<Utc>) -> DbResult<Walk> {
    let mut walk = Walk::default();
    walk.found(Kind::DatabaseDamaged, "database", &store::integrity(db).await?);
    for (table, places) in store::declared_references(db).await? {
        walk.found(Kind::Dangling, table, &places);
    }
    for reference in references::ALL {
        walk.references += 1;
        walk.found(Kind::Dangling, reference.told(), &store::ids(db, &reference.statement(), None).await?);
    }
    for probe in probes::ALL {
        walk.probes += 1;
        walk.found(probe.kind, probe.what, &store::ids(db, probe.sql, Some(now - PATIENCE)).await?);
    }
    chains(db, &mut walk).await?;
    files::walk(db, blobs, master, spool, &mut walk).await?;
    Ok(walk)
}

async fn chains(db: &Db, walk: &mut Walk) -> DbResult<()> {
    let (mut broken, mut wrong) = (Vec::new(), Vec::new());
    for id in evidence::all_ids(db).await? {
        walk.conferences += 1;
        // It holds the conference, so that nothing is appended meanwhile, and is dropped without a commit: this only looks.
        let tx = db.write().await?;
        if !evidence::rebuild(&tx, id).await? {
            wrong.push(id.to_string());
        }
        if evidence::verify(&*tx, id).await?.is_err() {
            broken.push(id.to_string());
        }
    }
    walk.found(Kind::ChainBroken, "conference", &broken);
    walk.found(Kind::SummaryWrong, "conference.projection", &wrong);
    Ok(())
}
