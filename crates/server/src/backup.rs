//! `atalaya backup` and `atalaya restore`.
//!
//! A backup is a folder: `manifest.json`, the database (`database.db`, or `database.dump` made by `pg_dump`), `files/`,
//! `spool/` and `secrets.toml`; `evidence-key.pem` only when asked for. Files stay encrypted; the keys that open them are in the
//! database, wrapped by the master key in `secrets.toml`, so the three belong together and the folder must be kept as safe as the
//! server itself.
//!
//! *Invariant:* the register of erasures is in no backup, and `restore` carries it out before anything can be read: what was
//! erased stays erased, whatever the backup holds.

use crate::config::{Config, Secrets};
use crate::lock::DataLock;
use crate::{evidence_key, start};
use anyhow::{Context, Result, bail};
use atalaya_blobs::StorageConfig;
use atalaya_db::{Db, DbOptions};
use atalaya_kernel::Sources;
use atalaya_privacy::erasures::register::{Line, Register};
use atalaya_privacy::erasures::{erasure, expiry};
use chrono::{DateTime, Utc};
use secrecy::ExposeSecret;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use tokio::process::Command;

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Manifest {
    version: String,
    created_at: String,
    /// `sqlite` or `postgres`.
    database: String,
    /// Whether the files are in the backup; a bucket's are not.
    files: bool,
}

const SQLITE_COPY: &str = "database.db";
const POSTGRES_DUMP: &str = "database.dump";
/// In the data folder: when the last backup was finished.
const LAST: &str = "last-backup";

/// Makes a backup. The database is copied before the files: every file it names exists by then, and what arrives
/// meanwhile is at most a file that no row names.
///
/// The evidence key is left out unless asked for: whoever has it can make evidence, and a lost one costs only a new one.
pub async fn backup(config: &Config, dir: &Path, with_evidence_key: bool) -> Result<String> {
    if dir.exists() && std::fs::read_dir(dir)?.next().is_some() {
        bail!("{} is not empty: a backup needs a folder of its own", dir.display());
    }
    let db = start::connect(config).await?;
    private_dir(dir)?;
    let database = match config.sqlite_file() {
        Some(_) => {
            db.snapshot(&dir.join(SQLITE_COPY)).await.context("copying the database")?;
            "sqlite"
        }
        None => {
            let url = config.database_url();
            let out = dir.join(POSTGRES_DUMP);
            let mut dump = Command::new("pg_dump");
            dump.args(["--format=custom", "--no-owner", "--file"]).arg(&out);
            dump.arg("--dbname").arg(without_password(url.expose_secret())).env("PGPASSWORD", password(url.expose_secret()));
            tool(dump, "pg_dump").await?;
            "postgres"
        }
    };
    db.close().await.context("closing the database")?;
    let secrets = Secrets::path(&config.data_dir);
    if secrets.exists() {
        copy_private(&secrets, &dir.join("secrets.toml")).with_context(|| format!("copying {}", secrets.display()))?;
    }
    let key = evidence_key::path(&config.data_dir);
    if with_evidence_key && key.exists() {
        copy_private(&key, &dir.join(evidence_key::FILE))?;
    }
    let mut copied = copy_tree(&spool(config), &dir.join("spool"))?;
    let folder = files(config);
    if let Some(folder) = &folder {
        copied += copy_tree(folder, &dir.join("files"))?;
    }
    let now = Sources::system().now();
    let manifest = Manifest {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        created_at: now.to_rfc3339(),
        database: database.to_owned(),
        files: folder.is_some(),
    };
    // Last: a folder without a manifest is a backup that did not finish.
    std::fs::write(dir.join("manifest.json"), serde_json::to_vec_pretty(&manifest)?)?;
    note(&config.data_dir, now).context("writing down when the backup was made")?;
    let bucket = if folder.is_some() { "" } else { " The bucket's files are not copied: use the bucket's own versions." };
    Ok(format!("Backup in {}: database, secrets, {copied} file(s).{bucket}\n", dir.display()))
}

/// Writes down in the data folder that a backup was finished.
pub fn note(data_dir: &Path, at: DateTime<Utc>) -> std::io::Result<()> {
    std::fs::write(data_dir.join(LAST), at.to_rfc3339())
}

/// When the last backup of this data folder was finished; `None` without one.
pub fn last(data_dir: &Path) -> Option<DateTime<Utc>> {
    let text = std::fs::read_to_string(data_dir.join(LAST)).ok()?;
    DateTime::parse_from_rfc3339(text.trim()).ok().map(|at| at.to_utc())
}

/// Puts a backup back, without what the register of erasures names: that of the data folder, and `erasures` of another
/// machine, whose lines the data folder's register then has too.
pub async fn restore(config: &Config, dir: &Path, force: bool, erasures: Option<&Path>) -> Result<String> {
    let manifest = std::fs::read(dir.join("manifest.json"))
        .with_context(|| format!("{} is not a finished backup (no manifest.json)", dir.display()))?;
    let manifest: Manifest = serde_json::from_slice(&manifest).context("manifest.json")?;
    let engine = if config.sqlite_file().is_some() { "sqlite" } else { "postgres" };
    if manifest.database != engine {
        bail!("the backup is of {}, the configured database is {engine}", manifest.database);
    }
    start::data_dir(config)?;
    let secrets = Secrets::path(&config.data_dir);
    if secrets.exists() && !force {
        bail!(
            "{} already holds data: restore into an empty data folder, or say --force to replace it",
            config.data_dir.display()
        );
    }
    let register = Erasures::collect(config, erasures)?;
    let mut erased = 0;
    match config.sqlite_file() {
        Some(file) => erased += restore_sqlite(&dir.join(SQLITE_COPY), &file, force, &register.lines).await?,
        None => restore_postgres(config, &dir.join(POSTGRES_DUMP)).await?,
    }
    if dir.join("secrets.toml").exists() {
        copy_private(&dir.join("secrets.toml"), &secrets).with_context(|| format!("writing {}", secrets.display()))?;
    }
    if dir.join(evidence_key::FILE).exists() {
        copy_private(&dir.join(evidence_key::FILE), &evidence_key::path(&config.data_dir))?;
    }
    let mut copied = copy_tree(&dir.join("spool"), &spool(config))?;
    if let (Some(folder), true) = (files(config), manifest.files) {
        let gone = register.folders();
        copied += copy_without(&dir.join("files"), &folder, &|path| gone.iter().any(|name| path.ends_with(name)))?;
    }
    let db = start::database(config).await?;
    if !db.is_whole().await? {
        bail!("the restored database is damaged");
    }
    // PostgreSQL's own restore shows its rows when it ends; nobody is served meanwhile.
    let sources = Sources::system();
    erased += erasure::replay(&db, &sources, &register.lines).await.context("carrying out the register of erasures")?;
    let blobs = start::storage(config, &sources)?;
    let deleted = expiry::delete_files(&blobs, &spool(config), &db, &sources).await;
    db.close().await.context("closing the database")?;
    let mut report = format!("Restored the backup of {}: database, secrets, {copied} file(s).\n", manifest.created_at);
    if !evidence_key::path(&config.data_dir).exists() {
        report.push_str(
            "The backup has no evidence key: a new one begins at the next start; what the old one signed stays valid.\n",
        );
    }
    report.push_str(&register.report(erased));
    if let Err(error) = deleted {
        let later = "The files of erased conferences could not all be deleted; the server does it when the storage answers";
        report.push_str(&format!("{later} ({error}). Nobody can open them.\n"));
    }
    Ok(report)
}

/// What was erased, by the registers at hand.
struct Erasures {
    lines: Vec<Line>,
    /// The files that were read.
    from: Vec<PathBuf>,
}

impl Erasures {
    fn collect(config: &Config, other: Option<&Path>) -> Result<Self> {
        let own = erasures(config);
        let read = |register: &Register| {
            register.read().with_context(|| format!("the register of erasures {}", register.path().display()))
        };
        let mut lines = read(&own)?;
        let mut from: Vec<PathBuf> = own.exists().then(|| own.path().to_owned()).into_iter().collect();
        if let Some(other) = other {
            let register = Register::at(other);
            if !register.exists() {
                bail!("there is no register of erasures at {}: nothing was restored", other.display());
            }
            let known: HashSet<_> = lines.iter().map(|line| line.conference_id).collect();
            let new: Vec<Line> = read(&register)?.into_iter().filter(|line| !known.contains(&line.conference_id)).collect();
            if !new.is_empty() {
                own.append(&new).with_context(|| format!("writing {}", own.path().display()))?;
            }
            lines.extend(new);
            from.push(other.to_owned());
        }
        Ok(Self { lines, from })
    }

    /// Folders of files that are not copied back.
    fn folders(&self) -> Vec<PathBuf> {
        self.lines.iter().map(|line| PathBuf::from(format!("conferences/{}", line.conference_id))).collect()
    }

    fn report(&self, erased: usize) -> String {
        if self.from.is_empty() {
            return "NO REGISTER OF ERASURES was found: if anything was erased after this backup was made, it is back. Say \
                    --erasures FILE with the erasures.jsonl of the data folder that the backup is from.\n"
                .to_owned();
        }
        let files: Vec<_> = self.from.iter().map(|file| file.display().to_string()).collect();
        format!("Register of erasures ({}): {} named, {erased} erased anew.\n", files.join(", "), self.lines.len())
    }
}

async fn restore_sqlite(copy: &Path, file: &Path, force: bool, lines: &[Line]) -> Result<usize> {
    let _lock = DataLock::take(file)?;
    if file.exists() && !force {
        bail!("{} exists: say --force to replace it", file.display());
    }
    // A write-ahead log of the replaced database would be read into the restored one.
    for suffix in ["-wal", "-shm"] {
        let beside = PathBuf::from(format!("{}{suffix}", file.display()));
        if beside.exists() {
            std::fs::remove_file(&beside)?;
        }
    }
    let part = file.with_extension("restoring");
    let done = put_in_place(copy, &part, file, lines).await;
    if done.is_err() {
        // It holds what the register says must not come back.
        for left in ["restoring", "restoring-wal", "restoring-shm", "erased", "erased-wal", "erased-shm"] {
            let _ = std::fs::remove_file(file.with_extension(left));
        }
    }
    done
}

async fn put_in_place(copy: &Path, part: &Path, file: &Path, lines: &[Line]) -> Result<usize> {
    std::fs::copy(copy, part).with_context(|| format!("copying {}", copy.display()))?;
    let erased =
        if lines.is_empty() { 0 } else { erase_in(part, lines).await.context("carrying out the register of erasures")? };
    std::fs::File::open(part)?.sync_all()?;
    std::fs::rename(part, file).with_context(|| format!("writing {}", file.display()))?;
    Ok(erased)
}

/// Erases in a SQLite file that has not its name yet. It is written anew as a whole, so that no page keeps what went.
async fn erase_in(part: &Path, lines: &[Line]) -> Result<usize> {
    let db = Db::connect(DbOptions::new(format!("sqlite://{}", part.display()))).await?;
    db.migrate().await?;
    let erased = erasure::replay(&db, &Sources::system(), lines).await?;
    let clean = part.with_extension("erased");
    if clean.exists() {
        std::fs::remove_file(&clean)?;
    }
    db.snapshot(&clean).await?;
    db.close().await?;
    for suffix in ["-wal", "-shm"] {
        let beside = PathBuf::from(format!("{}{suffix}", part.display()));
        if beside.exists() {
            std::fs::remove_file(&beside)?;
        }
    }
    std::fs::rename(&clean, part)?;
    Ok(erased)
}

async fn restore_postgres(config: &Config, dump: &Path) -> Result<()> {
    let url = config.database_url();
    let mut restore = Command::new("pg_restore");
    restore.args(["--clean", "--if-exists", "--no-owner", "--exit-on-error", "--single-transaction", "--dbname"]);
    restore.arg(without_password(url.expose_secret())).env("PGPASSWORD", password(url.expose_secret())).arg(dump);
    tool(restore, "pg_restore").await
}

async fn tool(mut command: Command, name: &str) -> Result<()> {
    let output = match command.output().await {
        Ok(output) => output,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            bail!("{name} is not installed: a PostgreSQL backup needs PostgreSQL's client programs (Debian: postgresql-client)")
        }
        Err(error) => return Err(error).with_context(|| format!("running {name}")),
    };
    if !output.status.success() {
        bail!("{name} failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(())
}

/// The URL as it may stand in a process list.
fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    match rest.rsplit_once('@') {
        Some((user, host)) => format!("{scheme}://{}@{host}", user.split(':').next().unwrap_or("")),
        None => url.to_owned(),
    }
}

fn password(url: &str) -> String {
    let user = url.split_once("://").and_then(|(_, rest)| rest.rsplit_once('@')).map_or("", |(user, _)| user);
    let raw = user.split_once(':').map_or("", |(_, password)| password);
    percent_decode(raw)
}

fn percent_decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let mut decoded = [0];
        match tail.get(..2).filter(|_| *first == b'%').map(|digits| hex::decode_to_slice(digits, &mut decoded)) {
            Some(Ok(())) => {
                bytes.push(decoded[0]);
                rest = &tail[2..];
            }
            _ => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn files(config: &Config) -> Option<PathBuf> {
    match &config.storage {
        StorageConfig::Folder(folder) => Some(folder.clone()),
        StorageConfig::S3(_) | StorageConfig::Memory => None,
    }
}

/// The register of erasures, in no backup.
pub(crate) fn erasures(config: &Config) -> Register {
    let own = || config.data_dir.join("erasures.jsonl");
    Register::at(config.erasure_register.clone().unwrap_or_else(own))
}

/// Where recordings under way are kept.
pub(crate) fn spool(config: &Config) -> PathBuf {
    config.data_dir.join("spool")
}

fn private_dir(dir: &Path) -> Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(dir);
    made.with_context(|| format!("cannot make {}", dir.display()))
}

/// Copies a file for nobody else's eyes, whatever the original's mode and the folder's (STORE-23).
fn copy_private(from: &Path, to: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    std::fs::copy(from, to)?;
    std::fs::set_permissions(to, std::fs::Permissions::from_mode(0o600))
}

/// Copies a folder's files; a file that a running server removed meanwhile is passed over.
fn copy_tree(from: &Path, to: &Path) -> Result<u64> {
    copy_without(from, to, &|_| false)
}

/// The same but for the folders that `skip` names.
fn copy_without(from: &Path, to: &Path, skip: &impl Fn(&Path) -> bool) -> Result<u64> {
    if !from.exists() {
        return Ok(0);
    }
    private_dir(to)?;
    let mut copied = 0;
    for entry in std::fs::read_dir(from).with_context(|| format!("reading {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            if !skip(&entry.path()) {
                copied += copy_without(&entry.path(), &target, skip)?;
            }
            continue;
        }
        match copy_private(&entry.path(), &target) {
            Ok(()) => copied += 1,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| format!("copying {}", entry.path().display())),
        }
    }
    Ok(copied)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_do_not_stand_in_process_lists() {
        let url = "postgres://ana:p%40ss:w@db.example:5432/atalaya?sslmode=require";
        assert_eq!(without_password(url), "postgres://ana@db.example:5432/atalaya?sslmode=require");
        assert_eq!(password(url), "p@ss:w");
        assert_eq!(without_password("postgres://db/atalaya"), "postgres://db/atalaya");
    }
}
