//! The private evidence key, `<data folder>/evidence-key.pem`, mode 0600, and `atalaya evidence-key` (EVID-40 to EVID-45). With a
//! token in the settings the next key is made there, and the file only names it (EVID-54).
//!
//! A rotation writes the new key beside the old one, publishes it, and moves it into place. A start after a crash between
//! the last two completes the move; the old key is kept by nobody.

use crate::config::Config;
use crate::keys::signing;
use crate::keys::token::Token;
use crate::{private_file, start};
use anyhow::{Context, Result, anyhow, bail};
use atalaya_blobs::KEY_ID_BYTES;
use atalaya_cases::evidence_keys::{self, Key, KeyPair, KeySource, PublicKey, SigningKey, service};
use atalaya_db::{Db, Tx};
use atalaya_identity::audit::{Action, service as audit};
use atalaya_kernel::Sources;
use chrono::NaiveDate;
use serde_json::json;
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
    token: Option<Token>,
    read: Mutex<(Version, SigningKey)>,
}

impl KeyFile {
    /// Opens the file, or makes it.
    ///
    /// Errors: the file cannot be read or written, is damaged, or others may read it; it names a key in a token, and there is none.
    pub fn load_or_create(data_dir: &Path, sources: &Sources, token: Option<Token>) -> Result<Self> {
        let path = path(data_dir);
        if !path.exists() {
            private_file::write(&path, &KeyPair::generate(sources).pem())?;
        }
        Ok(Self { read: Mutex::new(read(&path, token.as_ref())?), path, token })
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
    fn current(&self) -> SigningKey {
        let mut known = self.read.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if self.version().is_some_and(|version| version != known.0) {
            match read(&self.path, self.token.as_ref()) {
                Ok(fresh) => *known = fresh,
                Err(error) => tracing::error!(error = format!("{error:#}"), "the evidence key is not read again"),
            }
        }
        known.1.clone()
    }
}

fn text_of(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

fn read(path: &Path, token: Option<&Token>) -> Result<(Version, SigningKey)> {
    let meta = private_file::metadata(path)?;
    let text = text_of(path)?;
    let key = match (signing::named(&text), token) {
        (Some((id, public)), Some(token)) => token.signing_key(id, public),
        (Some(_), None) => bail!("the evidence key is in a token: set ATALAYA_PKCS11_MODULE, _TOKEN and _PIN"),
        (None, _) => SigningKey::Here(Arc::new(pair(path, &text)?)),
    };
    Ok((version(&meta), key))
}

fn pair(path: &Path, text: &str) -> Result<KeyPair> {
    KeyPair::of_pem(text).ok_or_else(|| anyhow!("{} is damaged: it holds no P-256 key", path.display()))
}

/// The key of the data folder, when it is in a token.
pub fn in_token(data_dir: &Path) -> Option<([u8; KEY_ID_BYTES], PublicKey)> {
    signing::named(&std::fs::read_to_string(path(data_dir)).ok()?)
}

/// Makes the next key beside the present one: in the token, where there is one.
async fn make_next(config: &Config, sources: &Sources, token: Option<&Token>) -> Result<PublicKey> {
    let (text, public) = match token {
        Some(token) => {
            let id = sources.bytes::<KEY_ID_BYTES>();
            let public = token.make_pair(id).await.context("a pair of keys in the token")?;
            (signing::text(id, &public), public)
        }
        None => {
            let pair = KeyPair::generate(sources);
            (pair.pem(), pair.public().clone())
        }
    };
    private_file::write(&next(&config.data_dir), &text)?;
    Ok(public)
}

/// Destroys a retired key that was in the token; says so when it cannot be, since the token may come back without us.
async fn destroy(token: Option<&Token>, retired: Option<([u8; KEY_ID_BYTES], PublicKey)>) -> String {
    let (Some(token), Some((id, _))) = (token, retired) else { return String::new() };
    match token.destroy_pair(id).await {
        Ok(()) => String::new(),
        Err(error) => format!("Its private half is still in the token, as {}: delete it there ({error}).\n", hex::encode(id)),
    }
}

/// Completes a rotation that a crash cut short: a key that is published already takes its place, another one is deleted.
pub async fn settle(data_dir: &Path, db: &Db) -> Result<()> {
    let waiting = next(data_dir);
    if !waiting.exists() {
        return Ok(());
    }
    let text = text_of(&waiting)?;
    let fingerprint = match signing::named(&text) {
        Some((_, public)) => public.fingerprint(),
        None => pair(&waiting, &text)?.public().fingerprint(),
    };
    let published = evidence_keys::list(db.read()).await?.iter().any(|key| key.fingerprint == fingerprint);
    if published { std::fs::rename(&waiting, path(data_dir)) } else { std::fs::remove_file(&waiting) }
        .with_context(|| format!("completing the change of the evidence key {}", waiting.display()))
}

/// What every subcommand needs: database, token and present key, published.
struct Opened {
    db: Db,
    sources: Sources,
    token: Option<Token>,
    present: SigningKey,
}

async fn open(config: &Config) -> Result<Opened> {
    start::data_dir(config)?;
    let sources = Sources::system();
    let db = start::database(config).await?;
    settle(&config.data_dir, &db).await?;
    let token = config.pkcs11.as_ref().map(Token::new).transpose()?;
    let present = KeyFile::load_or_create(&config.data_dir, &sources, token.clone())?.current();
    service::register(&db, &sources, present.public()).await?;
    Ok(Opened { db, sources, token, present })
}

/// `atalaya evidence-key list`.
pub async fn list(config: &Config) -> Result<String> {
    let Opened { db, present, .. } = open(config).await?;
    let keys = evidence_keys::list(db.read()).await?;
    let own = present.public().fingerprint();
    let place = if matches!(present, SigningKey::Token(..)) { ", signs now (in the token)" } else { ", signs now" };
    let lines = keys.iter().map(|one| line(one, if one.fingerprint == own { place } else { "" }));
    Ok(lines.collect())
}

fn line(key: &Key, now: &str) -> String {
    let until = key.until.map(|at| format!(", until {}", service::moment(at))).unwrap_or_default();
    let stolen = key.stolen_on.map(|day| format!(", stolen {day}")).unwrap_or_default();
    let follows = if key.endorsement.is_some() { ", endorsed by the one before" } else { "" };
    format!("{} since {}{until}{stolen}{follows}{now}\n", key.fingerprint, service::moment(key.since))
}

/// `atalaya evidence-key rotate`: the present key endorses the next one and is retired.
pub async fn rotate(config: &Config) -> Result<String> {
    let Opened { db, sources, token, present: old } = open(config).await?;
    let retired = in_token(&config.data_dir);
    let new = make_next(config, &sources, token.as_ref()).await?;
    let tx = db.write().await?;
    service::follow(&tx, &sources, &old, &new).await?;
    log(&tx, &sources, Action::KeyRotated, &new.fingerprint()).await?;
    tx.commit().await?;
    settle(&config.data_dir, &db).await?;
    db.close().await.context("closing the database")?;
    let left = destroy(token.as_ref(), retired).await;
    let (old, new) = (old.public().fingerprint(), new.fingerprint());
    let gone = if left.is_empty() { ": its private half is gone.\n" } else { ".\n" };
    Ok(format!("{new} signs from now on, endorsed by\n{old}, which is retired{gone}{left}"))
}

/// The change in the audit log, with the key that it is about (AUDIT-11).
async fn log(tx: &Tx, sources: &Sources, action: Action, fingerprint: &str) -> Result<()> {
    let detail = json!({"kind": "keyEvidence", "fingerprint": fingerprint});
    Ok(audit::record_command(tx, sources, action, detail).await?)
}

/// `atalaya evidence-key report-stolen`: what the key signed after that day is worth nothing. The present key is replaced by one
/// that begins anew.
pub async fn report_stolen(config: &Config, day: NaiveDate, fingerprint: Option<&str>) -> Result<String> {
    let Opened { db, sources, token, present } = open(config).await?;
    let held = in_token(&config.data_dir);
    let own = present.public().fingerprint();
    if day > sources.now().date_naive() {
        bail!("{day} has not come yet");
    }
    let named = fingerprint.map_or_else(|| own.clone(), str::to_ascii_lowercase);
    let replaced = match named == own {
        true => Some(make_next(config, &sources, token.as_ref()).await?),
        false => None,
    };
    let tx = db.write().await?;
    if !service::stolen(&tx, &sources, &named, day).await? {
        bail!("{named} is not a key of this installation: see `atalaya evidence-key list`");
    }
    if let Some(new) = &replaced {
        service::begin_anew(&tx, &sources, new).await?;
    }
    log(&tx, &sources, Action::KeyStolen, &named).await?;
    tx.commit().await?;
    settle(&config.data_dir, &db).await?;
    db.close().await.context("closing the database")?;
    let mut report = format!("{named} is reported stolen: what it signed after {day} is not valid.\n");
    if let Some(new) = &replaced {
        report.push_str(&format!("{} signs from now on; it begins anew.\n", new.fingerprint()));
        report.push_str(&destroy(token.as_ref(), held).await);
    }
    Ok(report)
}
