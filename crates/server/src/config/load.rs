//! Layering the sources and turning texts into a checked [`Config`].

use super::settings::{self, SETTINGS, Setting};
use super::*;
use super::{billing, gateways, media, pkcs11, privacy, push, storage};
use crate::admin;
use atalaya_blobs::S3Credentials;
use atalaya_records::certificates::stamping::Authority;
use secrecy::ExposeSecret;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// Where a value came from, for error messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    File(PathBuf),
    Environment,
    Flag,
}

/// A configuration that cannot be used. The message names the key and never prints a value of a secret.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("unknown setting `{key}` {origin}")]
    Unknown { key: String, origin: Origin },
    #[error("setting `{key}` {origin}: {why}")]
    Bad { key: String, origin: Origin, why: String },
    #[error("setting `{key}`: {why}")]
    Incomplete { key: &'static str, why: &'static str },
    #[error("configuration file {path}: {why}")]
    File { path: PathBuf, why: String },
}

/// The raw sources, highest priority last. Handed in, so that tests need no real environment.
#[derive(Debug, Default)]
pub struct Origins {
    /// `--config`; without it `atalaya.toml` in the working folder is read when it exists.
    pub file: Option<PathBuf>,
    pub environment: Vec<(String, String)>,
    pub flags: Vec<(String, String)>,
}

#[derive(Debug, Clone)]
struct Value {
    text: String,
    origin: Origin,
}

type Values = BTreeMap<&'static str, Value>;

/// Reads all sources and checks every value.
///
/// Errors: [`ConfigError`], the first one found.
pub fn collect(origins: &Origins) -> Result<Config, ConfigError> {
    let mut values = Values::new();
    read_file(origins, &mut values)?;
    read_environment(&origins.environment, &mut values)?;
    for (key, text) in &origins.flags {
        put(&mut values, key, text.clone(), Origin::Flag)?;
    }
    build(&values, storage::aws_credentials(&origins.environment))
}

fn read_file(origins: &Origins, values: &mut Values) -> Result<(), ConfigError> {
    let named = origins.file.clone().or_else(|| {
        let value = origins.environment.iter().find(|(name, _)| name == "ATALAYA_CONFIG")?;
        Some(PathBuf::from(&value.1))
    });
    let path = named.clone().unwrap_or_else(|| PathBuf::from("atalaya.toml"));
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if named.is_none() && error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(ConfigError::File { path, why: error.to_string() }),
    };
    let table: toml::Table =
        text.parse().map_err(|e: toml::de::Error| ConfigError::File { path: path.clone(), why: e.to_string() })?;
    let mut flat = Vec::new();
    flatten("", table, &path, &mut flat)?;
    for (key, text) in flat {
        put(values, &key, text, Origin::File(path.clone()))?;
    }
    Ok(())
}

/// `[media] udp_port = 1` and `media_udp_port = 1` are the same setting.
fn flatten(prefix: &str, table: toml::Table, path: &Path, into: &mut Vec<(String, String)>) -> Result<(), ConfigError> {
    for (name, value) in table {
        let key = if prefix.is_empty() { name } else { format!("{prefix}_{name}") };
        let text = match value {
            toml::Value::String(text) => text,
            toml::Value::Integer(number) => number.to_string(),
            toml::Value::Boolean(flag) => flag.to_string(),
            toml::Value::Table(inner) => {
                flatten(&key, inner, path, into)?;
                continue;
            }
            other => {
                let why = format!("a {} cannot be a setting", other.type_str());
                return Err(ConfigError::Bad { key, origin: Origin::File(path.to_owned()), why });
            }
        };
        into.push((key, text));
    }
    Ok(())
}

fn read_environment(environment: &[(String, String)], values: &mut Values) -> Result<(), ConfigError> {
    for (name, text) in environment {
        let Some(key) = name.strip_prefix("ATALAYA_") else { continue };
        if settings::FOREIGN_ENV.contains(&name.as_str()) || name.starts_with(settings::TEST_ENV_PREFIX) {
            continue;
        }
        let key = key.to_ascii_lowercase();
        let shown = |error| match error {
            ConfigError::Unknown { origin, .. } => ConfigError::Unknown { key: name.clone(), origin },
            ConfigError::Bad { origin, why, .. } => ConfigError::Bad { key: name.clone(), origin, why },
            other => other,
        };
        put(values, &key, text.clone(), Origin::Environment).map_err(shown)?;
    }
    Ok(())
}

/// Puts one value into the map; a `…_file` twin of a secret is read from its file.
fn put(values: &mut Values, key: &str, text: String, origin: Origin) -> Result<(), ConfigError> {
    if let Some(setting) = settings::find(key) {
        put_known(values, setting, text, origin);
        return Ok(());
    }
    let twin = key.strip_suffix("_file").and_then(settings::find).filter(|setting| setting.secret);
    let Some(setting) = twin else { return Err(ConfigError::Unknown { key: key.to_owned(), origin }) };
    let content = std::fs::read_to_string(&text).map_err(|e| ConfigError::Bad {
        key: key.to_owned(),
        origin: origin.clone(),
        why: format!("cannot read {text}: {e}"),
    })?;
    put_known(values, setting, content.trim_end_matches(['\r', '\n']).to_owned(), origin);
    Ok(())
}

fn put_known(values: &mut Values, setting: &'static Setting, text: String, origin: Origin) {
    if text.is_empty() {
        values.remove(setting.key);
    } else {
        values.insert(setting.key, Value { text, origin });
    }
}

/// Typed access to the collected texts.
pub(super) struct Reader<'a>(&'a Values);

impl Reader<'_> {
    pub(super) fn text(&self, key: &'static str) -> Option<String> {
        let default = SETTINGS.iter().find(|s| s.key == key).expect("every key read here is in the table").default;
        match self.0.get(key) {
            Some(value) => Some(value.text.clone()),
            None => (!default.is_empty()).then(|| default.to_owned()),
        }
    }

    pub(super) fn secret(&self, key: &'static str) -> Option<SecretString> {
        self.text(key).map(SecretString::from)
    }

    pub(super) fn parsed<T: FromStr>(&self, key: &'static str, expected: &str) -> Result<Option<T>, ConfigError> {
        let Some(text) = self.text(key) else { return Ok(None) };
        text.parse().map(Some).map_err(|_| self.bad(key, &format!("expected {expected}, got `{text}`")))
    }

    pub(super) fn required<T: FromStr>(&self, key: &'static str, expected: &str) -> Result<T, ConfigError> {
        self.parsed(key, expected).map(|value| value.expect("a setting read as required has a default"))
    }

    pub(super) fn bad(&self, key: &'static str, why: &str) -> ConfigError {
        let origin = self.0.get(key).map_or(Origin::Flag, |value| value.origin.clone());
        let name = match origin {
            Origin::Environment => settings::find(key).map_or_else(|| key.to_owned(), Setting::env),
            _ => key.to_owned(),
        };
        ConfigError::Bad { key: name, origin, why: why.to_owned() }
    }

    /// A URL of one of these schemes, without a trailing slash.
    pub(super) fn url(&self, key: &'static str, schemes: &[&str]) -> Result<Option<String>, ConfigError> {
        let Some(text) = self.text(key) else { return Ok(None) };
        let rest = schemes.iter().find_map(|s| text.strip_prefix(s)?.strip_prefix("://"));
        match rest {
            Some(rest) if !rest.is_empty() && !rest.contains(char::is_whitespace) => {
                Ok(Some(text.trim_end_matches('/').to_owned()))
            }
            // A database URL holds a password, so no value is repeated here.
            _ => Err(self.bad(key, &format!("expected an address beginning with {}", schemes.join(":// or ") + "://"))),
        }
    }
}

fn build(values: &Values, aws: Option<S3Credentials>) -> Result<Config, ConfigError> {
    let read = Reader(values);
    let listen: SocketAddr = read.required("listen", "an address and port such as 127.0.0.1:8080")?;
    let tls = tls(&read)?;
    let public_url =
        read.url("public_url", &["http", "https"])?.unwrap_or_else(|| default_public_url(listen, tls != TlsConfig::Off));
    read.url("database_url", &["postgres", "postgresql", "sqlite"])?;
    read.url("smtp_url", &["smtp", "smtps"])?;
    let config = Config {
        listen,
        public_url,
        data_dir: PathBuf::from(read.text("data_dir").unwrap_or_default()),
        erasure_register: read.text("erasure_register").map(PathBuf::from),
        shutdown_timeout: Duration::from_secs(read.required("shutdown_timeout", "a number of seconds")?),
        admin: AdminConfig { email: email(&read, "admin_email")?, password: read.secret("admin_password") },
        database: DatabaseConfig {
            url: read.secret("database_url"),
            max_connections: read.required("database_max_connections", "a number")?,
        },
        storage: storage::storage(&read, aws)?,
        trusted_proxies: networks(&read, "trusted_proxies")?,
        guards: Guards::default(),
        media: media::read(&read)?,
        messaging: MessagingConfig {
            smtp_url: read.secret("smtp_url"),
            mail_from: read.text("mail_from").unwrap_or_default(),
            sms: gateways::read_sms(&read)?,
            whatsapp: gateways::read_whatsapp(&read)?,
        },
        hsts_preload: read.required("hsts_preload", "true or false")?,
        outbox_open: read.parsed("outbox_open", "true or false")?,
        push: push::read(&read)?,
        webhooks_inside: read.required("webhooks_allow_private", "true or false")?,
        geocoder_url: read.url("geocoder_url", &["http", "https"])?.map(Into::into),
        vies_url: read.url("vies_url", &["http", "https"])?,
        billing: billing::read(&read)?,
        timestamp: timestamp(&read)?,
        tls,
        logging: logging(&read)?,
        metrics: MetricsConfig {
            enabled: read.required("metrics", "true or false")?,
            listen: read.parsed("metrics_listen", "an address and port")?,
        },
        sms_ceiling: gateways::sms_ceiling(&read)?,
        conference_messages: gateways::conference_messages(&read)?,
        campaigns_per_minute: push::campaigns_per_minute(&read)?,
        trial_days: read.required("trial_days", "a number of days")?,
        pkcs11: pkcs11::read(&read)?,
        privacy: privacy::read(&read)?,
        links: LinksConfig {
            admin_mailbox: email(&read, "admin_mailbox")?.unwrap_or_default(),
            business_url: read.url("business_url", &["http", "https"])?.unwrap_or_default(),
            search_url: read.url("search_url", &["http", "https"])?.unwrap_or_default(),
            legal_url: read.url("legal_url", &["http", "https"])?,
            privacy_url: read.url("privacy_url", &["http", "https"])?,
            cookies_url: read.url("cookies_url", &["http", "https"])?,
            map: map(&read)?,
        },
    };
    check(&read, &config)?;
    Ok(config)
}

fn map(read: &Reader) -> Result<Option<MapTiles>, ConfigError> {
    let Some(url) = read.text("map_tiles_url") else { return Ok(None) };
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let (host, path) = rest.and_then(|rest| rest.split_once('/')).unwrap_or_default();
    let plain = host.strip_prefix("{s}.").unwrap_or(host);
    let good_host = !plain.is_empty() && plain.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b':'));
    if !good_host || !["{z}", "{x}", "{y}"].iter().all(|part| path.contains(part)) || !path.is_ascii() {
        return Err(read.bad("map_tiles_url", "must be http(s)://host/… with {z}, {x} and {y} in its path"));
    }
    Ok(Some(MapTiles { url, attribution: read.text("map_attribution") }))
}

fn check(read: &Reader, config: &Config) -> Result<(), ConfigError> {
    if config.database.max_connections == 0 {
        return Err(read.bad("database_max_connections", "must be at least 1"));
    }
    if !(0..=3650).contains(&config.trial_days) {
        return Err(read.bad("trial_days", "must be between 0 and 3650"));
    }
    if config.admin.password.is_some() && config.admin.email.is_none() {
        let (key, why) = ("admin_password", "is set without admin_email");
        return Err(ConfigError::Incomplete { key, why });
    }
    if let AdminConfig { email: Some(email), password: Some(password) } = &config.admin
        && let Some(refusal) = admin::weakness(email, password.expose_secret())
    {
        return Err(read.bad("admin_password", &refusal.to_string()));
    }
    Ok(())
}

/// A browser only grants the camera to HTTPS and to `localhost`, so a loopback address is printed by name.
fn default_public_url(listen: SocketAddr, tls: bool) -> String {
    let scheme = if tls { "https" } else { "http" };
    match listen.ip() {
        ip if ip.is_loopback() || ip.is_unspecified() => format!("{scheme}://localhost:{}", listen.port()),
        IpAddr::V6(ip) => format!("{scheme}://[{ip}]:{}", listen.port()),
        IpAddr::V4(ip) => format!("{scheme}://{ip}:{}", listen.port()),
    }
}

pub(super) fn email(read: &Reader, key: &'static str) -> Result<Option<String>, ConfigError> {
    let Some(text) = read.text(key) else { return Ok(None) };
    let fits = matches!(text.split_once('@'), Some((user, host)) if !user.is_empty() && !host.is_empty());
    if !fits || text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Err(read.bad(key, "expected an e-mail address"));
    }
    Ok(Some(text))
}

/// Addresses, and networks as `10.0.0.0/8`.
fn networks(read: &Reader, key: &'static str) -> Result<Vec<IpNet>, ConfigError> {
    let text = read.text(key).unwrap_or_default();
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    let network = |part: &str| part.parse::<IpNet>().or_else(|_| part.parse::<IpAddr>().map(IpNet::from));
    parts.map(|part| network(part).map_err(|_| read.bad(key, "expected IP addresses or networks separated by commas"))).collect()
}

fn timestamp(read: &Reader) -> Result<Option<Authority>, ConfigError> {
    let qualified: bool = read.required("timestamp_qualified", "true or false")?;
    match read.url("timestamp_url", &["http", "https"])? {
        Some(_) => Ok(read.text("timestamp_url").map(|url| Authority { url, qualified })),
        None if qualified => Err(ConfigError::Incomplete { key: "timestamp_qualified", why: "is set without timestamp_url" }),
        None => Ok(None),
    }
}

fn tls(read: &Reader) -> Result<TlsConfig, ConfigError> {
    let (certificate, key) = (read.text("tls_cert"), read.text("tls_key"));
    match (read.text("tls").unwrap_or_default().as_str(), certificate, key) {
        ("files", Some(certificate), Some(key)) => Ok(TlsConfig::Files { certificate: certificate.into(), key: key.into() }),
        ("files", ..) => Err(read.bad("tls", "`files` needs tls_cert and tls_key")),
        ("acme", ..) => Err(read.bad("tls", "`acme` is not supported in this version")),
        ("off" | "self-signed", Some(_), _) | ("off" | "self-signed", _, Some(_)) => {
            Err(ConfigError::Incomplete { key: "tls_cert", why: "tls_cert and tls_key need tls = \"files\"" })
        }
        ("off", ..) => Ok(TlsConfig::Off),
        ("self-signed", ..) => Ok(TlsConfig::SelfSigned),
        (other, ..) => Err(read.bad("tls", &format!("expected off, self-signed or files, got `{other}`"))),
    }
}

fn logging(read: &Reader) -> Result<LoggingConfig, ConfigError> {
    let filter = read.text("log").unwrap_or_default();
    if let Err(error) = tracing_subscriber::EnvFilter::try_new(&filter) {
        return Err(read.bad("log", &error.to_string()));
    }
    let json = match read.text("log_format").unwrap_or_default().as_str() {
        "text" => false,
        "json" => true,
        other => return Err(read.bad("log_format", &format!("expected text or json, got `{other}`"))),
    };
    Ok(LoggingConfig { filter, json })
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::File(path) => write!(f, "in {}", path.display()),
            Origin::Environment => write!(f, "in the environment"),
            Origin::Flag => write!(f, "on the command line"),
        }
    }
}
