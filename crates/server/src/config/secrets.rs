//! Secrets that nobody configured: made at first start, kept in `<data dir>/secrets.toml`, mode 0600.

use super::Config;
use crate::evidence_key::KeyFile;
use crate::keys::token::{self, Token};
use crate::private_file;
use anyhow::{Context, Result, anyhow, bail};
use atalaya_blobs::{KEY_ID_BYTES, Master, MasterKeys};
use atalaya_cases::evidence_keys::{KeyPair, KeySource};
use atalaya_identity::FieldKey;
use atalaya_kernel::Sources;
use atalaya_outreach::push::PushKeys;
use chrono::{DateTime, Utc};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Keys of the running server. Losing `master_media_key` loses every stored file.
#[derive(Clone)]
pub struct Secrets {
    /// Signs session tokens (HS256).
    pub token: Changing<[u8; 32]>,
    /// Encrypts single fields such as IBANs.
    pub field: Changing<[u8; 32]>,
    /// Finds fields by their hash; it stays when the field key changes.
    pub field_digest_key: [u8; 32],
    /// Wraps the key of every conference's media; in the file, or in the token.
    pub master: Changing<Master>,
    /// The token of the configuration.
    pub pkcs11: Option<Token>,
    /// Names and signs the embedded engine's tokens.
    pub media_api_key: String,
    pub media_api_secret: Changing<SecretString>,
    /// Signs web pushes (P-256); 32 bytes as base64url. A new one makes every device subscribe anew.
    pub vapid_private_key: SecretString,
    /// Signs seals and certificates; in a file of its own, which is in no backup unless asked for.
    pub evidence_key: Arc<dyn KeySource>,
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secrets(…)")
    }
}

/// A key that can be changed while the server runs (KEYS-1).
#[derive(Clone)]
pub struct Changing<K> {
    /// Signs and seals.
    pub present: K,
    /// Only read with: the ones before, or the next one.
    pub accepted: Vec<K>,
}

impl<K> std::fmt::Debug for Changing<K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Changing(…, {} accepted)", self.accepted.len())
    }
}

/// Which key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Which {
    /// Signs sessions and cookies
    Session,
    /// Signs tokens of the embedded media engine
    Media,
    /// Seals fields: IBANs, secrets of second factors and webhooks, devices, links in the outbox
    Fields,
    /// Wraps the keys of files
    Files,
    /// Signs seals and certificates
    Evidence,
}

/// A key that is accepted beside the present one: the next one, or one from before.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accepted {
    pub which: Which,
    pub key: String,
    /// When it was put in or retired.
    pub since: DateTime<Utc>,
    /// It is to become the present one, and has signed and sealed nothing yet.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub next: bool,
}

/// `secrets.toml`.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    token_key: String,
    field_key: String,
    master_media_key: String,
    media_api_key: String,
    media_api_secret: String,
    /// Files of earlier versions have none.
    vapid_private_key: Option<String>,
    /// Of the field key that came first; written when that one is changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    field_digest_key: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accepted: Vec<Accepted>,
}

impl File {
    /// The present key. `None` for the evidence key, which is elsewhere.
    pub fn present(&mut self, which: Which) -> Option<&mut String> {
        match which {
            Which::Session => Some(&mut self.token_key),
            Which::Media => Some(&mut self.media_api_secret),
            Which::Fields => Some(&mut self.field_key),
            Which::Files => Some(&mut self.master_media_key),
            Which::Evidence => None,
        }
    }

    /// The key that was made to become the present one, when a change is under way.
    pub fn next(&self, which: Which) -> Option<&Accepted> {
        self.accepted.iter().find(|one| one.which == which && one.next)
    }

    /// Keys from before the present one.
    pub fn earlier(&self, which: Which) -> impl Iterator<Item = &Accepted> {
        self.accepted.iter().filter(move |one| one.which == which && !one.next)
    }

    /// The present key of files, when it is in a token.
    pub fn in_token(&self) -> Option<&str> {
        Some(self.master_media_key.as_str()).filter(|text| token::is_in_token(text))
    }

    /// Makes a key the present one; that one is accepted from then on in its place.
    pub fn promote(&mut self, which: Which, next: &str, now: DateTime<Utc>) -> Result<()> {
        if which == Which::Fields && self.field_digest_key.is_none() {
            self.field_digest_key = Some(hex::encode(FieldKey::digest_key(&key("field_key", &self.field_key)?)));
        }
        self.accepted.retain(|one| !(one.which == which && one.key == next));
        let Some(present) = self.present(which) else { return Ok(()) };
        let before = std::mem::replace(present, next.to_owned());
        self.accepted.push(Accepted { which, key: before, since: now, next: false });
        Ok(())
    }

    fn accepted(&self, which: Which) -> impl Iterator<Item = &str> {
        self.accepted.iter().filter(move |one| one.which == which).map(|one| one.key.as_str())
    }
}

/// A new key of this kind as it stands in the file; that of files is made in the token, where there is one (KEYS-6).
///
/// Errors: the token does not answer, or cannot make one.
pub async fn fresh_key(which: Which, sources: &Sources, token: Option<&Token>) -> Result<String> {
    Ok(match (which, token) {
        (Which::Media, _) => sources.base62(43),
        (Which::Files, Some(token)) => token.make(sources.bytes::<KEY_ID_BYTES>()).await.context("a key in the token")?,
        _ => sources.hex::<32>(),
    })
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
                let file = file_of(&path, &text)?;
                complete(&path, file, sources)?
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => write(&path, fresh(sources))?,
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
        };
        let token = config.pkcs11.as_ref().map(Token::new).transpose()?;
        let evidence_key = Arc::new(KeyFile::load_or_create(&config.data_dir, sources, token.clone())?);
        let mut secrets = parse(file, evidence_key, token).with_context(|| format!("{} is damaged", path.display()))?;
        secrets.configured(config);
        Ok(secrets)
    }

    /// Fresh keys that are written nowhere. For tests.
    pub fn generate(sources: &Sources) -> Self {
        let evidence_key = Arc::new(Arc::new(KeyPair::generate(sources)));
        parse(fresh(sources), evidence_key, None).expect("fresh keys have the right lengths")
    }

    /// Reads the file as it is. Errors: it cannot be read, is damaged, or others may read it.
    pub fn read(data_dir: &Path) -> Result<File> {
        let path = Self::path(data_dir);
        private_file::metadata(&path)?;
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        file_of(&path, &text)
    }

    /// Writes the file, whole or not at all.
    pub fn write(data_dir: &Path, file: File) -> Result<()> {
        write(&Self::path(data_dir), file).map(drop)
    }

    /// What stands before all that the earlier keys of this kind sealed; none for keys that only sign.
    pub fn earlier_ids(&self, file: &File, which: Which) -> Result<Vec<String>> {
        let texts = file.earlier(which).map(|one| one.key.as_str());
        match which {
            Which::Fields => texts.map(|text| Ok(FieldKey::id_of(&key("field_key", text)?))).collect(),
            Which::Files => texts.map(|text| Ok(hex::encode(MasterKeys::id_of(master(text, self.pkcs11.as_ref())?)))).collect(),
            Which::Session | Which::Media | Which::Evidence => Ok(Vec::new()),
        }
    }

    /// The keys of the file as they are now; a configured media key pair stays what it is.
    pub fn read_again(&self, config: &Config) -> Result<Self> {
        let mut secrets = parse(Self::read(&config.data_dir)?, self.evidence_key.clone(), self.pkcs11.clone())?;
        secrets.configured(config);
        Ok(secrets)
    }

    fn configured(&mut self, config: &Config) {
        if let (Some(key), Some(secret)) = (&config.media.api_key, &config.media.api_secret) {
            self.media_api_key = key.clone();
            self.media_api_secret = Changing { present: secret.clone(), accepted: Vec::new() };
        }
    }
}

/// Reads a file's text. What the parser says of it would show the line, and with it a key: only its number is told (KEYS-7).
fn file_of(path: &Path, text: &str) -> Result<File> {
    toml::from_str(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let line = text.bytes().take(start).filter(|byte| *byte == b'\n').count() + 1;
        anyhow!("{} is damaged, near line {line}", path.display())
    })
}

fn key(name: &'static str, text: &str) -> Result<[u8; 32]> {
    let mut key = [0; 32];
    hex::decode_to_slice(text, &mut key).map_err(|_| anyhow!("{name} must be 32 bytes in hexadecimal"))?;
    Ok(key)
}

fn changing(name: &'static str, file: &File, which: Which, present: &str) -> Result<Changing<[u8; 32]>> {
    let accepted = file.accepted(which).map(|text| key(name, text)).collect::<Result<_>>()?;
    Ok(Changing { present: key(name, present)?, accepted })
}

/// A master key, or the name of one in the token.
fn master(text: &str, token: Option<&Token>) -> Result<Master> {
    if !token::is_in_token(text) {
        return Ok(key("master_media_key", text)?.into());
    }
    let Some(token) = token else { bail!("the master key of files is in a token: set ATALAYA_PKCS11_MODULE, _TOKEN and _PIN") };
    token.named(text).with_context(|| format!("{text} names no key: 16 hexadecimal digits follow the colon"))
}

fn fresh(sources: &Sources) -> File {
    File {
        token_key: sources.hex::<32>(),
        field_key: sources.hex::<32>(),
        master_media_key: sources.hex::<32>(),
        media_api_key: format!("API{}", sources.base62(12)),
        media_api_secret: sources.base62(43),
        vapid_private_key: Some(PushKeys::generate(sources)),
        field_digest_key: None,
        accepted: Vec::new(),
    }
}

fn parse(file: File, evidence_key: Arc<dyn KeySource>, pkcs11: Option<Token>) -> Result<Secrets> {
    let vapid_private_key = file.vapid_private_key.clone().context("vapid_private_key is missing")?;
    if PushKeys::read(&vapid_private_key, "").is_none() {
        bail!("vapid_private_key must be a P-256 private key: 32 bytes in base64url");
    }
    let field = changing("field_key", &file, Which::Fields, &file.field_key)?;
    Ok(Secrets {
        token: changing("token_key", &file, Which::Session, &file.token_key)?,
        field_digest_key: match &file.field_digest_key {
            Some(text) => key("field_digest_key", text)?,
            None => FieldKey::digest_key(&field.present),
        },
        field,
        master: Changing {
            present: master(&file.master_media_key, pkcs11.as_ref())?,
            accepted: file.accepted(Which::Files).map(|text| master(text, pkcs11.as_ref())).collect::<Result<_>>()?,
        },
        pkcs11,
        media_api_secret: Changing {
            accepted: file.accepted(Which::Media).map(|secret| secret.to_owned().into()).collect(),
            present: file.media_api_secret.clone().into(),
        },
        media_api_key: file.media_api_key,
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

#[cfg(test)]
mod tests {
    use super::*;

    // KEYS-7
    #[test]
    fn a_damaged_file_is_told_without_what_stands_in_it() {
        for text in ["# Keys\ntoken_key = \"5ec7e7\nfield_key = \"5ec7e7\"\n", "token_key = \"5ec7e7\"\nother = \"5ec7e7\"\n"] {
            let error = file_of(Path::new("secrets.toml"), text).map(drop).expect_err("it is damaged");
            let told = format!("{error:#} {error:?}");
            assert!(told.contains("secrets.toml is damaged, near line") && !told.contains("5ec7e7"), "{told}");
        }
    }
}
