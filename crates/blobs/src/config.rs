//! The value of `ATALAYA_STORAGE_URL`.

use secrecy::SecretString;
use std::path::PathBuf;

/// Where files are kept.
#[derive(Debug, Clone)]
pub enum StorageConfig {
    /// A folder on this machine: a path, or `file:///a/path`.
    Folder(PathBuf),
    /// `s3://[key:secret@]bucket[/prefix][?endpoint=…&region=…]`.
    S3(S3Config),
    /// `memory:`, lost when the process ends. For tests.
    Memory,
}

/// A bucket, and how to reach it.
#[derive(Debug, Clone, Default)]
pub struct S3Config {
    pub bucket: String,
    pub prefix: String,
    /// Address of a server that is not AWS; plain `http://` is allowed when it is written here.
    pub endpoint: Option<String>,
    pub region: Option<String>,
    pub credentials: Option<S3Credentials>,
}

/// An access key. Without one, the machine's role provides it, as with AWS tools.
#[derive(Debug, Clone)]
pub struct S3Credentials {
    pub access_key_id: String,
    pub secret_access_key: SecretString,
    pub session_token: Option<SecretString>,
}

/// Code `CONFIG_INVALID`: the value of `ATALAYA_STORAGE_URL` cannot be used. Never repeats the value, which may hold a
/// secret (STORE-21).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("ATALAYA_STORAGE_URL: {0}")]
pub struct StorageUrlError(String);

impl StorageUrlError {
    /// The stable code of this error.
    pub fn code(&self) -> &'static str {
        "CONFIG_INVALID"
    }
}

impl StorageConfig {
    /// Reads the setting. `credentials` are those of the environment (`AWS_ACCESS_KEY_ID` and so on, read by the
    /// server's configuration); credentials within the URL win.
    pub fn parse(url: &str, credentials: Option<S3Credentials>) -> Result<Self, StorageUrlError> {
        let url = url.trim();
        if url == "memory:" {
            return Ok(Self::Memory);
        }
        if let Some(rest) = url.strip_prefix("s3://") {
            return parse_s3(rest, credentials).map(Self::S3);
        }
        if let Some(path) = url.strip_prefix("file://") {
            return match path {
                _ if path.starts_with('/') && path.len() > 1 => Ok(Self::Folder(PathBuf::from(percent_decode(path)?))),
                _ => Err(problem("file:// needs an absolute path, as in file:///var/lib/atalaya")),
            };
        }
        match url.split_once("://") {
            Some((scheme, _)) if scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
                Err(problem(format!("unknown kind `{scheme}`; a path, file:// or s3:// is expected")))
            }
            Some(_) => Err(problem("neither a path nor a URL")),
            None if url.is_empty() => Err(problem("empty")),
            None => Ok(Self::Folder(PathBuf::from(url))),
        }
    }
}

fn parse_s3(rest: &str, environment: Option<S3Credentials>) -> Result<S3Config, StorageUrlError> {
    let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (user, place) = match place.rsplit_once('@') {
        Some((user, place)) => (Some(user), place),
        None => (None, place),
    };
    let (bucket, prefix) = place.split_once('/').unwrap_or((place, ""));
    let is_bucket = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
    if bucket.is_empty() || !bucket.bytes().all(is_bucket) {
        return Err(problem("s3:// needs a bucket name, as in s3://bucket/prefix"));
    }
    let prefix = prefix.trim_end_matches('/');
    if !prefix.is_empty() && crate::BlobName::new(prefix).is_err() {
        return Err(problem("the prefix after the bucket may hold A-Z a-z 0-9 . _ - / only"));
    }
    let mut config =
        S3Config { bucket: bucket.to_owned(), prefix: prefix.to_owned(), credentials: environment, ..S3Config::default() };
    if let Some(user) = user {
        config.credentials = Some(parse_user(user)?);
    }
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let value = percent_decode(value)?;
        match key {
            "endpoint" if value.starts_with("http://") || value.starts_with("https://") => {
                config.endpoint = Some(value.trim_end_matches('/').to_owned());
            }
            "endpoint" => return Err(problem("`endpoint` must begin with http:// or https://")),
            "region" if !value.is_empty() => config.region = Some(value),
            "region" => return Err(problem("`region` is empty")),
            _ => return Err(problem(format!("unknown parameter `{}`", key.escape_debug()))),
        }
    }
    Ok(config)
}

fn parse_user(user: &str) -> Result<S3Credentials, StorageUrlError> {
    let (id, secret) = user.split_once(':').unwrap_or((user, ""));
    if id.is_empty() || secret.is_empty() {
        return Err(problem("credentials are written as s3://key:secret@bucket, percent-encoded"));
    }
    let secret = percent_decode(secret)?;
    Ok(S3Credentials { access_key_id: percent_decode(id)?, secret_access_key: secret.into(), session_token: None })
}

fn percent_decode(text: &str) -> Result<String, StorageUrlError> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut decoded = [0];
        let digits = rest.get(..2).ok_or_else(|| problem("a % without two hexadecimal digits"))?;
        hex::decode_to_slice(digits, &mut decoded).map_err(|_| problem("a % without two hexadecimal digits"))?;
        bytes.push(decoded[0]);
        rest = &rest[2..];
    }
    String::from_utf8(bytes).map_err(|_| problem("percent-encoding that is not UTF-8"))
}

fn problem(text: impl Into<String>) -> StorageUrlError {
    StorageUrlError(text.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use secrecy::ExposeSecret;

    fn s3(url: &str) -> S3Config {
        match StorageConfig::parse(url, None) {
            Ok(StorageConfig::S3(config)) => config,
            other => panic!("{url}: {other:?}"),
        }
    }

    // STORE-21
    #[test]
    fn folders() {
        for (url, path) in [("./data/media", "./data/media"), ("/srv/a", "/srv/a"), ("file:///srv/a%20b", "/srv/a b")] {
            match StorageConfig::parse(url, None) {
                Ok(StorageConfig::Folder(folder)) => assert_eq!(folder, PathBuf::from(path)),
                other => panic!("{url}: {other:?}"),
            }
        }
        assert!(matches!(StorageConfig::parse("memory:", None), Ok(StorageConfig::Memory)));
    }

    // STORE-21
    #[test]
    fn buckets() {
        let config = s3("s3://AK:se%2Fcr%2Bet@media/one/two/?endpoint=http://127.0.0.1:9000/&region=eu-west-1");
        assert_eq!((config.bucket.as_str(), config.prefix.as_str()), ("media", "one/two"));
        assert_eq!(config.endpoint.as_deref(), Some("http://127.0.0.1:9000"));
        assert_eq!(config.region.as_deref(), Some("eu-west-1"));
        let credentials = config.credentials.expect("given");
        assert_eq!(credentials.access_key_id, "AK");
        assert_eq!(credentials.secret_access_key.expose_secret(), "se/cr+et");
        assert!(s3("s3://media").credentials.is_none());
    }

    // STORE-21
    #[test]
    fn errors_name_the_key_and_keep_the_secret() {
        for url in [
            "",
            "ftp://x",
            "file://relative",
            "s3://",
            "s3:///prefix",
            "s3://AK@b",
            "s3://b/../x",
            "s3://b?endpoint=localhost",
            "s3://b?region=",
            "s3://b?colour=blue",
            "s3://AK:hush%2@b",
            "a b://x",
        ] {
            let error = StorageConfig::parse(url, None).expect_err(url);
            assert!(error.to_string().starts_with("ATALAYA_STORAGE_URL: "), "{error}");
            assert!(!error.to_string().contains("hush"));
        }
        let shown = format!("{:?}", StorageConfig::parse("s3://AK:hush@b", None));
        assert!(!shown.contains("hush"), "{shown}");
    }
}
