//! Where files are kept, and with which credentials.

use super::load::{ConfigError, Reader};
use atalaya_blobs::{S3Credentials, StorageConfig};
use secrecy::SecretString;
use std::path::PathBuf;

/// Credentials: in the URL, else our own settings, else the names that AWS tools use.
pub(super) fn storage(read: &Reader, aws: Option<S3Credentials>) -> Result<StorageConfig, ConfigError> {
    let ours = match (read.text("storage_access_key"), read.secret("storage_secret_key")) {
        (None, None) => None,
        (Some(access_key_id), Some(secret_access_key)) => {
            Some(S3Credentials { access_key_id, secret_access_key, session_token: None })
        }
        _ => {
            let why = "storage_access_key and storage_secret_key belong together; only one is set";
            return Err(ConfigError::Incomplete { key: "storage_access_key", why });
        }
    };
    match read.text("storage_url") {
        Some(url) => StorageConfig::parse(&url, ours.or(aws)).map_err(|e| read.bad("storage_url", &e.to_string())),
        None => {
            let data_dir = PathBuf::from(read.text("data_dir").unwrap_or_default());
            Ok(StorageConfig::Folder(data_dir.join("files")))
        }
    }
}

/// `AWS_ACCESS_KEY_ID` and its companions, read for S3 only.
pub(super) fn aws_credentials(environment: &[(String, String)]) -> Option<S3Credentials> {
    let get = |name: &str| environment.iter().find(|(n, v)| n == name && !v.is_empty()).map(|(_, v)| v.clone());
    Some(S3Credentials {
        access_key_id: get("AWS_ACCESS_KEY_ID")?,
        secret_access_key: get("AWS_SECRET_ACCESS_KEY")?.into(),
        session_token: get("AWS_SESSION_TOKEN").map(SecretString::from),
    })
}
