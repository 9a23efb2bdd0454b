//! Secrets that nobody configured: made at first start, kept in `<data dir>/secrets.toml`, mode 0600.

use super::Config;
use crate::evidence_key::KeyFile;
use crate::private_file;
use anyhow::{Context, Result, bail};
use atalaya_cases::evidence_keys::{KeyPair, KeySource};
use atalaya_kernel::Sources;
use atalaya_outreach::push::PushKeys;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Keys of the running server. Losing `master_media_key` loses every stored file.
#[derive(Debug, Clone)]
pub struct Secrets {
    /// Signs session tokens (HS256); 32 bytes as hex.
    pub token_key: SecretString,
    /// Encrypts single fields such as IBANs; 32 bytes as hex.
    pub field_key: SecretString,
    /// Wraps the key of every conference's media; 32 bytes.
    pub master_media_key: [u8; 32],
    /// Names and signs the embedded engine's tokens.
    pub media_api_key: String,
    pub media_api_secret: SecretString,
    /// Signs web pushes (P-256); 32 bytes as base64url. A new one makes every device subscribe anew.
    pub vapid_private_key: SecretString,
    /// Signs seals and certificates; in a file of its own, which is in no backup unless asked for.
    pub evidence_key: Arc<dyn KeySource>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    token_key: String,
    field_key: String,
    master_media_key: String,
    media_api_key: String,
    media_api_secret: String,
    /// Files of earlier versions have none.
    vapid_private_key: Option<String>,
}

impl Secrets {
    /// Where the file is.
    pub fn path(data_dir: &Path) -> PathBuf {
        data_dir.join("secrets.toml")
    }

    /// Reads the file, or makes it. A configured media key pair wins over the file's.
    ///
    /// Errors: the file cannot be read or written, is damaged, or others may read it.
    pub fn load_or_create(config: &Config, sources: &Sources) -> Result<Self> {
        let path = Self::path(&config.data_dir);
        let file = match std::fs::read_to_string(&path) {
            Ok(text) => {
                private_file::metadata(&path)?;
                let file = toml::from_str(&text).with_context(|| format!("{} is damaged", path.display()))?;
                complete(&path, file, sources)?
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => write(&path, fresh(sources))?,
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        };
        let evidence_key = Arc::new(KeyFile::load_or_create(&config.data_dir, sources)?);
        let mut secrets = parse(file, evidence_key).with_context(|| format!("{} is damaged", path.display()))?;
        if let (Some(key), Some(secret)) = (&config.media.api_key, &config.media.api_secret) {
            secrets.media_api_key = key.clone();
            secrets.media_api_secret = secret.clone();
        }
        Ok(secrets)
    }

    /// Fresh keys that are written nowhere. For tests.
    pub fn generate(sources: &Sources) -> Self {
        let evidence_key = Arc::new(Arc::new(KeyPair::generate(sources)));
        parse(fresh(sources), evidence_key).expect("fresh keys have the right lengths")
    }

    pub fn token_key_bytes(&self) -> [u8; 32] {
        bytes(&self.token_key)
    }

    pub fn field_key_bytes(&self) -> [u8; 32] {
        bytes(&self.field_key)
    }
}

fn bytes(key: &SecretString) -> [u8; 32] {
    let mut bytes = [0; 32];
    hex::decode_to_slice(key.expose_secret(), &mut bytes).expect("checked when loaded");
    bytes
}

fn fresh(sources: &Sources) -> File {
    File {
        token_key: sources.hex::<32>(),
        field_key: sources.hex::<32>(),
        master_media_key: sources.hex::<32>(),
        media_api_key: format!("API{}", sources.base62(12)),
        media_api_secret: sources.base62(43),
        vapid_private_key: Some(PushKeys::generate(sources)),
    }
}

fn parse(file: File, evidence_key: Arc<dyn KeySource>) -> Result<Secrets> {
    let mut master_media_key = [0; 32];
    hex::decode_to_slice(&file.master_media_key, &mut master_media_key).context("master_media_key")?;
    for (name, key) in [("token_key", &file.token_key), ("field_key", &file.field_key)] {
        if hex::decode(key).context(name)?.len() != 32 {
            bail!("{name} must be 32 bytes in hexadecimal");
        }
    }
    let vapid_private_key = file.vapid_private_key.context("vapid_private_key is missing")?;
    if PushKeys::read(&vapid_private_key, "").is_none() {
        bail!("vapid_private_key must be a P-256 private key: 32 bytes in base64url");
    }
    Ok(Secrets {
        token_key: file.token_key.into(),
        field_key: file.field_key.into(),
        master_media_key,
        media_api_key: file.media_api_key,
        media_api_secret: file.media_api_secret.into(),
        vapid_private_key: vapid_private_key.into(),
        evidence_key,
    })
}

/// Adds the keys that a file of an earlier version lacks; those that it has stay as they are.
fn complete(path: &Path, mut file: File, sources: &Sources) -> Result<File> {
    if file.vapid_private_key.is_some() {
        return Ok(file);
    }
    file.vapid_private_key = Some(PushKeys::generate(sources));
    write(path, file)
}

fn write(path: &Path, file: File) -> Result<File> {
    let text = format!(
        "# Keys of this installation, made at first start. Back this file up: without master_media_key\n\
         # no stored picture or recording can be read again. Nobody but the server may read it.\n{}",
        toml::to_string(&file).context("keys as TOML")?
    );
    private_file::write(path, &text)?;
    Ok(file)
}
