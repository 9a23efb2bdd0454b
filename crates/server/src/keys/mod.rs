//! The keys of a running server, and changing them while it runs (KEYS-1 to KEYS-5).
//!
//! `secrets.toml` is where they are. A server looks at the file twice a second and takes what it says: the present key signs and
//! seals, the others are only read with. A change therefore has two steps, a moment apart: the next key is accepted everywhere,
//! then it becomes the present one.

pub mod rotate;
pub mod signing;
mod store;
pub mod token;
mod wrapping;

use crate::config::{Config, Secrets};
use crate::evidence_key;
use anyhow::{Context, Result, bail};
use atalaya_blobs::{BlobError, MasterKeys};
use atalaya_identity::{FieldKey, TokenKeys};
use atalaya_sfu::TokenKeys as MediaKeys;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

pub use store::{Counted, FIELDS, FILES, Place, fields, files, forgotten};

/// How often a server looks whether its keys changed.
pub const LOOK: Duration = Duration::from_millis(500);

/// The keys that a server works with; clones share them.
#[derive(Clone)]
pub struct Rings {
    pub session: TokenKeys,
    pub fields: FieldKey,
    pub files: MasterKeys,
}

impl Rings {
    pub fn new(secrets: &Secrets) -> Self {
        let rings = Self {
            session: TokenKeys::new(&secrets.token.present),
            fields: FieldKey::new(&secrets.field.present),
            files: MasterKeys::new(secrets.master.present.clone(), Vec::new()),
        };
        rings.replace(secrets);
        rings
    }

    /// Takes the keys as they are now.
    pub fn replace(&self, secrets: &Secrets) {
        self.session.replace(&secrets.token.present, &secrets.token.accepted);
        self.fields.replace(&secrets.field.present, &secrets.field.accepted, &secrets.field_digest_key);
        self.files.replace(secrets.master.present.clone(), secrets.master.accepted.clone());
    }
}

/// How the token is.
#[derive(Debug)]
pub struct Answered {
    /// Its label, maker and model.
    pub name: String,
    /// Whether the present key is in it, and not in the file any more.
    pub holds: bool,
}

/// Whether the token of the configuration answers and has the key that it should; says how it is (KEYS-6).
///
/// Errors: it does not answer, or has not that key.
pub async fn examine(config: &Config, secrets: &Secrets) -> Result<Option<Answered>> {
    let Some(token) = &secrets.pkcs11 else { return Ok(None) };
    let file = Secrets::read(&config.data_dir)?;
    let wanted = file.in_token();
    if let Some((id, _)) = evidence_key::in_token(&config.data_dir) {
        token.has_pair(id).await.context("the evidence key is in the token, which must answer before the server starts")?;
    }
    match token.check(wanted).await {
        Ok(name) => Ok(Some(Answered { name, holds: wanted.is_some() })),
        Err(BlobError::UnknownKey) => bail!("the token has not the key {}", wanted.unwrap_or_default()),
        Err(error) => Err(error).context("the token of ATALAYA_PKCS11_MODULE must answer before the server starts"),
    }
}

/// Gives the media engine its secrets as they are now.
pub fn replace_media(media: &MediaKeys, secrets: &Secrets) {
    media.replace(secrets.media_api_secret.present.clone(), secrets.media_api_secret.accepted.iter().cloned());
}

/// What distinguishes one file of this name from the next.
type Version = (u64, i64, i64);

fn version(path: &Path) -> Option<Version> {
    std::fs::metadata(path).ok().map(|meta| (meta.ino(), meta.mtime(), meta.mtime_nsec()))
}

/// Takes changed keys until the server stops. A file that cannot be read changes nothing.
pub async fn follow(config: Config, mut secrets: Secrets, rings: Rings, media: Option<MediaKeys>, stop: CancellationToken) {
    let path = Secrets::path(&config.data_dir);
    let mut known = version(&path);
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(LOOK) => {}
        }
        let now = version(&path);
        if now == known || now.is_none() {
            continue;
        }
        known = now;
        match secrets.read_again(&config) {
            Ok(changed) => {
                secrets = changed;
                rings.replace(&secrets);
                if let Some(media) = &media {
                    replace_media(media, &secrets);
                }
                tracing::info!("the keys in secrets.toml changed and are used");
            }
            Err(error) => tracing::error!(error = format!("{error:#}"), "secrets.toml changed and is not read"),
        }
    }
}
