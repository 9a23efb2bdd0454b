//! The private evidence key, `<data folder>/evidence-key.pem`, mode 0600, and `atalaya evidence-key` (EVID-40 to EVID-45).
//!
//! A rotation writes the new key beside the old one, publishes it, and moves it into place. A start after a crash between
//! the last two completes the move; the old key is kept by nobody.

use crate::config::Config;
use crate::{private_file, start};
use anyhow::{Context, Result, anyhow, bail};
use atalaya_cases::evidence_keys::{self, Key, KeyPair, KeySource, service};
use atalaya_db::Db;
use atalaya_kernel::Sources;
use chrono::NaiveDate;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// The file's name, in the data folder and in a backup that was asked for it.
pub const FILE: &str = "evidence-key.pem";

/// Where the key is.
pub fn path(data_dir: &Path) -> PathBuf {
    data_dir.join(FILE)
}

fn next(data_dir: &Path) -> PathBuf {
    data_dir.join("evidence-key.next.pem")
}

/// What distinguishes one file of this name from the next.
type Version = (u64, i64, i64);

/// The key in its file. Read again when the file is another one: a rotation needs no restart.
pub struct KeyFile {
    path: PathBuf,
    read: Mutex<(Version, Arc<KeyPair>)>,
}

impl KeyFile {
    /// Opens the file, or makes it.
    ///
    /// Errors: the file cannot be read or written, is damaged, or others may read it.
    pub fn load_or_create(data_dir: &Path, sources: &Sources) -> Result<Self> {
        let path = path(data_dir);
        if !path.exists() {
            write(&path, &KeyPair::generate(sources))?;
        }
        Ok(Self { read: Mutex::new(read(&path)?), path })
    }

    fn version(&self) -> Option<Version> {
        std::fs::metadata(&self.path).ok().map(|meta| version(&meta))
    }
}

fn version(meta: &std::fs::Metadata) -> Version {
    (meta.ino(), meta.mtime(), meta.mtime_nsec())
}

impl std::fmt::Debug for KeyFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "KeyFile({})", self.path.display())
    }
}

impl KeySource for KeyFile {
    fn current(&self) -> Arc<KeyPair> {
        let mut known = self.read.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if self.version().is_some_and(|version| version != known.0) {
            match read(&self.path) {
                Ok(fresh) => *known = fresh,
                Err(error) => tracing::error!(error = format!("{error:#}"), "the evidence key is not read again"),
            }
        }
        known.1.clone()
    }
}

fn read(path: &Path) -> Result<(Version, Arc<KeyPair>)> {
    let meta = private_file::metadata(path)?;
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let key = KeyPair::of_pem(&text).ok_or_else(|| anyhow!("{} is damaged: it holds no P-256 key", path.display()))?;
    Ok((version(&meta), Arc::new(key)))
}

fn write(path: &Path, key: &KeyPair) -> Result<()> {
    private_file::write(path, &key.pem())
}

/// Completes a rotation that a crash cut short: a key that is published already takes its place, another one is deleted.
pub async fn settle(data_dir: &Path, db: &Db) -> Result<()> {
    let waiting = next(data_dir);
    if !waiting.exists() {
        return Ok(());
    }
    let (_, key) = read(&waiting)?;
    let fingerprint = key.public().fingerprint();
    let published = evidence_keys::list(db.read()).await?.iter().any(|key| key.fingerprint == fingerprint);
    if published { std::fs::rename(&waiting, path(data_dir)) } else { std::fs::remove_file(&waiting) }
        .with_context(|| format!("completing the change of the evidence key {}", waiting.display()))
}

/// Opens what every subcommand needs: database and present key, published.
async fn open(config: &Config) -> Result<(Db, Sources, Arc<KeyPair>)> {
    start::data_dir(config)?;
    let sources = Sources::system();
    let db = start::database(config).await?;
    settle(&config.data_dir, &db).await?;
    let key = KeyFile::load_or_create(&config.data_dir, &sources)?.current();
    service::register(&db, &sources, &key).await?;
    Ok((db, sources, key))
}

/// `atalaya evidence-key list`.
pub async fn list(config: &Config) -> Result<String> {
    let (db, _, key) = open(config).await?;
    let keys = evidence_keys::list(db.read()).await?;
    let lines = keys.iter().map(|one| line(one, one.fingerprint == key.public().fingerprint()));
    Ok(lines.collect())
}

fn line(key: &Key, current: bool) -> String {
    let until = key.until.map(|at| format!(", until {}", service::moment(at))).unwrap_or_default();
    let stolen = key.stolen_on.map(|day| format!(", stolen {day}")).unwrap_or_default();
    let follows = if key.endorsement.is_some() { ", endorsed by the one before" } else { "" };
    let now = if current { ", signs now" } else { "" };
    format!("{} since {}{until}{stolen}{follows}{now}\n", key.fingerprint, service::moment(key.since))
}

/// `atalaya evidence-key rotate`: the present key endorses the next one and is retired.
pub async fn rotate(config: &Config) -> Result<String> {
    let (db, sources, old) = open(config).await?;
    let new = KeyPair::generate(&sources);
    write(&next(&config.data_dir), &new)?;
    let tx = db.write().await?;
    service::follow(&tx, &sources, &old, new.public()).await?;
    tx.commit().await?;
    settle(&config.data_dir, &db).await?;
    db.close().await.context("closing the database")?;
    let (old, new) = (old.public().fingerprint(), new.public().fingerprint());
    Ok(format!("{new} signs from now on, endorsed by\n{old}, which is retired: its private half is gone.\n"))
}

/// `atalaya evidence-key report-stolen`: what the key signed after that day is worth nothing. The present key is replaced by one
/// that begins anew.
pub async fn report_stolen(config: &Config, day: NaiveDate, fingerprint: Option<&str>) -> Result<String> {
    let (db, sources, present) = open(config).await?;
    let own = present.public().fingerprint();
    if day > sources.now().date_naive() {
        bail!("{day} has not come yet");
    }
    let named = fingerprint.map_or_else(|| own.clone(), str::to_ascii_lowercase);
    let replaced = (named == own).then(|| KeyPair::generate(&sources));
    if let Some(new) = &replaced {
        write(&next(&config.data_dir), new)?;
    }
    let tx = db.write().await?;
    if !service::stolen(&tx, &sources, &named, day).await? {
        bail!("{named} is not a key of this installation: see `atalaya evidence-key list`");
    }
    if let Some(new) = &replaced {
        service::begin_anew(&tx, &sources, new.public()).await?;
    }
    tx.commit().await?;
    settle(&config.data_dir, &db).await?;
    db.close().await.context("closing the database")?;
    let mut report = format!("{named} is reported stolen: what it signed after {day} is not valid.\n");
    if let Some(new) = &replaced {
        report.push_str(&format!("{} signs from now on; it begins anew.\n", new.public().fingerprint()));
    }
    Ok(report)
}
