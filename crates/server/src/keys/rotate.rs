//! `atalaya keys`: what there is, changing a key, forgetting earlier ones.
//!
//! A change has two steps, so that no server meets what it cannot read: the next key is accepted everywhere, then it becomes the
//! present one. Both are one file written whole; a run that is cut short between them is taken up by the next one.

use super::store::{self, Counted};
use super::{LOOK, Rings, forgotten};
use crate::config::secrets::{Accepted, File, Which, fresh_key};
use crate::config::{Config, Secrets};
use crate::{evidence_key, start};
use anyhow::{Context, Result, bail};
use atalaya_db::{Db, Tx};
use atalaya_identity::audit::{Action, service as audit};
use atalaya_kernel::Sources;
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;
use std::fmt::Write as _;
use std::time::Duration;

/// Until every running server has looked.
pub const SETTLE: Duration = LOOK.saturating_mul(2).saturating_add(Duration::from_millis(500));
/// After that long nobody is logged in by the earlier key, and every device in use has a cookie by the present one.
const SESSIONS_LIVE: TimeDelta = TimeDelta::days(31);
/// A media token lives ten minutes.
const MEDIA_TOKENS_LIVE: TimeDelta = TimeDelta::hours(2);

/// How a key is changed.
#[derive(Clone, Copy, Debug)]
pub struct How {
    /// Say what would be done, and change nothing.
    pub dry: bool,
    /// Make the next key and stop: it is used by another run, when every node has the file.
    pub prepare: bool,
    /// Waited after each step.
    pub settle: Duration,
}

/// `atalaya keys list`: the keys that are accepted beside the present ones, and what lies under which (KEYS-5).
pub async fn list(config: &Config) -> Result<String> {
    let Opened { file, db, rings, sources, .. } = open(config).await?;
    let mut text = String::new();
    for which in [Which::Session, Which::Media, Which::Fields, Which::Files] {
        let place = if which == Which::Files && file.in_token().is_some() { " (in the token)" } else { "" };
        let _ = write!(text, "{}: one present key{place}", name(which));
        for one in file.earlier(which) {
            let _ = write!(text, ", one accepted since {}", day(one.since));
        }
        if let Some(next) = file.next(which) {
            let _ = write!(text, ", the next one made {}", day(next.since));
        }
        if let Some(counted) = count(which, &db, &rings, &sources, true).await? {
            let _ = write!(text, "; {}", told(counted));
        }
        text.push('\n');
    }
    db.close().await.context("closing the database")?;
    for line in evidence_key::list(config).await?.lines() {
        let _ = writeln!(text, "evidence: {line}");
    }
    Ok(text)
}

/// `atalaya keys rotate` (KEYS-3).
///
/// Errors: the key is configured and not in the file; another command changes keys; files and database as ever.
pub async fn rotate(config: &Config, which: Which, how: How) -> Result<String> {
    if which == Which::Evidence {
        return evidence(config, how).await;
    }
    if which == Which::Media && (config.media.livekit.is_some() || config.media.api_secret.is_some()) {
        bail!("this key is configured (media_api_secret or LiveKit's): change it there");
    }
    let _alone = if how.dry { None } else { Some(alone(config)?) };
    let Opened { mut file, secrets, db, rings, sources } = open(config).await?;
    if how.dry {
        let counted = count(which, &db, &rings, &sources, true).await?;
        db.close().await.context("closing the database")?;
        return Ok(plan(which, counted));
    }
    let next = match file.next(which) {
        Some(made) => made.key.clone(),
        None => {
            let next = fresh_key(which, &sources, secrets.pkcs11.as_ref()).await?;
            log(&db, &sources, Action::KeyPrepared, which).await?;
            file.accepted.push(Accepted { which, key: next.clone(), since: sources.now(), next: true });
            Secrets::write(&config.data_dir, file.clone())?;
            tokio::time::sleep(how.settle).await;
            next
        }
    };
    if how.prepare {
        db.close().await.context("closing the database")?;
        let name = name(which);
        return Ok(format!(
            "{name}: the next key is made and accepted. Copy secrets.toml to every node, then run `atalaya keys rotate --which {name}`.\n"
        ));
    }
    log(&db, &sources, Action::KeyRotated, which).await?;
    file.promote(which, &next, sources.now())?;
    Secrets::write(&config.data_dir, file)?;
    tokio::time::sleep(how.settle).await;
    rings.replace(&secrets.read_again(config)?);
    let counted = count(which, &db, &rings, &sources, false).await?;
    db.close().await.context("closing the database")?;
    Ok(format!("{}: the new key is used; the one before is accepted until `atalaya keys forget`.\n", name(which))
        + &sealed(counted))
}

/// Rotates the evidence key, whose private half is in a file of its own (EVID-42).
async fn evidence(config: &Config, how: How) -> Result<String> {
    if how.prepare {
        bail!("a new evidence key needs no preparation: its public half is in the database");
    }
    match how.dry {
        true => Ok(format!(
            "{}A new key would be made, endorsed by the one that signs now.\nNothing was changed.\n",
            evidence_key::list(config).await?
        )),
        false => evidence_key::rotate(config).await,
    }
}

/// `atalaya keys reseal`: what lies under earlier keys is put under the present one, as after a change that was cut short.
///
/// Errors: this key seals nothing.
pub async fn reseal(config: &Config, which: Which, dry: bool) -> Result<String> {
    let _alone = if dry { None } else { Some(alone(config)?) };
    let Opened { db, rings, sources, .. } = open(config).await?;
    if !dry && live(which).is_none() {
        log(&db, &sources, Action::KeyResealed, which).await?;
    }
    let counted = count(which, &db, &rings, &sources, dry).await?;
    db.close().await.context("closing the database")?;
    let Some(counted) = counted else { bail!("{}: this key only signs, nothing lies under it", name(which)) };
    if dry {
        let mut text = format!("{}: {} row(s) would be sealed anew.\nNothing was changed.\n", name(which), counted.stale);
        warn(&mut text, counted);
        return Ok(text);
    }
    Ok(format!("{}:\n{}", name(which), sealed(Some(counted))))
}

/// `atalaya keys forget`: earlier keys that nothing needs any longer (KEYS-4). With `now` tokens are not waited for.
///
/// Errors: something needs one.
pub async fn forget(config: &Config, which: Which, dry: bool, now: bool) -> Result<String> {
    if which == Which::Evidence {
        bail!("the evidence key's private half goes with its rotation; the public one stays for good");
    }
    let _alone = if dry { None } else { Some(alone(config)?) };
    let Opened { mut file, secrets, db, rings, sources } = open(config).await?;
    let Some(youngest) = file.earlier(which).map(|one| one.since).max() else {
        return Ok(format!("{}: there is no earlier key.\n", name(which)));
    };
    let mut text = String::new();
    match live(which) {
        Some(_) if now => {}
        Some(life) if youngest > sources.now() - life => bail!(
            "{}: tokens of an earlier key may still live: wait until {}, or say --now, which ends them",
            name(which),
            day(youngest + life)
        ),
        Some(_) => {}
        None => {
            unneeded(which, &db, &rings, &sources, &mut text).await?;
            if !dry {
                // What was read before it was sealed anew is opened by then. What a late node writes after this is refused.
                tokio::time::sleep(SETTLE).await;
                unneeded(which, &db, &rings, &sources, &mut String::new()).await?;
            }
        }
    }
    if !dry {
        let tx = forgotten::seal_off(&db, which, &secrets.earlier_ids(&file, which)?, sources.now()).await?;
        note(&tx, &sources, Action::KeyForgotten, which).await?;
        tx.commit().await?;
    }
    db.close().await.context("closing the database")?;
    let before = file.accepted.len();
    file.accepted.retain(|one| one.which != which || one.next);
    let forgotten = before - file.accepted.len();
    if dry {
        return Ok(format!("{text}{}: {forgotten} earlier key(s) would be forgotten.\nNothing was changed.\n", name(which)));
    }
    Secrets::write(&config.data_dir, file)?;
    Ok(format!("{text}{}: {forgotten} earlier key(s) forgotten.\n", name(which)))
}

/// Errors: rows lie under an earlier key.
async fn unneeded(which: Which, db: &Db, rings: &Rings, sources: &Sources, text: &mut String) -> Result<()> {
    let Some(counted) = count(which, db, rings, sources, true).await? else { return Ok(()) };
    if counted.stale > 0 {
        let (stale, name) = (counted.stale, name(which));
        bail!("{name}: {stale} row(s) lie under an earlier key: run `atalaya keys reseal --which {name}` first");
    }
    warn(text, counted);
    Ok(())
}

/// Writes an entry of the audit log, before the file changes: no key changes without one.
async fn log(db: &Db, sources: &Sources, action: Action, which: Which) -> Result<()> {
    let tx = db.write().await?;
    note(&tx, sources, action, which).await?;
    Ok(tx.commit().await?)
}

async fn note(tx: &Tx, sources: &Sources, action: Action, which: Which) -> Result<()> {
    let kind = match which {
        Which::Session => "keySession",
        Which::Media => "keyMedia",
        Which::Fields => "keyFields",
        Which::Files => "keyFiles",
        Which::Evidence => "keyEvidence",
    };
    Ok(audit::record_command(tx, sources, action, json!({"kind": kind})).await?)
}

/// How long tokens of a key live; `None` for keys that seal.
fn live(which: Which) -> Option<TimeDelta> {
    match which {
        Which::Session => Some(SESSIONS_LIVE),
        Which::Media => Some(MEDIA_TOKENS_LIVE),
        Which::Fields | Which::Files | Which::Evidence => None,
    }
}

/// One command at a time: two would write over each other's file. Held while the value lives.
fn alone(config: &Config) -> Result<std::fs::File> {
    start::data_dir(config)?;
    let path = config.data_dir.join("keys.lock");
    let opened = std::fs::File::options().write(true).create(true).truncate(false).open(&path);
    let file = opened.with_context(|| format!("cannot open {}", path.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(std::fs::TryLockError::WouldBlock) => bail!("another command is changing keys ({})", path.display()),
        Err(std::fs::TryLockError::Error(error)) => Err(error).with_context(|| format!("cannot lock {}", path.display())),
    }
}

struct Opened {
    file: File,
    secrets: Secrets,
    db: Db,
    rings: Rings,
    sources: Sources,
}

async fn open(config: &Config) -> Result<Opened> {
    start::data_dir(config)?;
    let sources = Sources::system();
    let secrets = Secrets::load_or_create(config, &sources)?;
    let file = Secrets::read(&config.data_dir)?;
    let (db, rings) = (start::database(config).await?, Rings::new(&secrets));
    Ok(Opened { file, secrets, db, rings, sources })
}

/// Rows under the key, sealed anew unless `dry`; `None` for keys that only sign.
async fn count(which: Which, db: &Db, rings: &Rings, sources: &Sources, dry: bool) -> Result<Option<Counted>> {
    Ok(match which {
        Which::Fields => Some(store::fields(db, rings, sources, dry).await?),
        Which::Files => Some(store::files(db, rings, sources, dry).await?),
        Which::Session | Which::Media | Which::Evidence => None,
    })
}

fn plan(which: Which, counted: Option<Counted>) -> String {
    let rows = counted.map(|counted| format!(" {} row(s) would be sealed anew.", counted.fresh + counted.stale));
    let mut text = format!(
        "{}: a new key would be made and used; what the present one signed or sealed stays good.{}\nNothing was changed.\n",
        name(which),
        rows.unwrap_or_default()
    );
    if let Some(counted) = counted {
        warn(&mut text, counted);
    }
    text
}

fn sealed(counted: Option<Counted>) -> String {
    let mut text = String::new();
    if let Some(counted) = counted {
        let _ = writeln!(text, "{} row(s) that lay under an earlier key are under the present one now.", counted.stale);
        warn(&mut text, counted);
    }
    text
}

fn told(counted: Counted) -> String {
    let Counted { fresh, stale, lost } = counted;
    format!("{fresh} row(s) under the present key, {stale} under an earlier one, {lost} under none that is known")
}

fn warn(text: &mut String, counted: Counted) {
    if counted.lost > 0 {
        let _ = writeln!(text, "{} row(s) open with no key of this installation.", counted.lost);
    }
}

fn day(at: DateTime<Utc>) -> String {
    at.format("%Y-%m-%d %H:%M UTC").to_string()
}

fn name(which: Which) -> &'static str {
    match which {
        Which::Session => "session",
        Which::Media => "media",
        Which::Fields => "fields",
        Which::Files => "files",
        Which::Evidence => "evidence",
    }
}
