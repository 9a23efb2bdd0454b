//! The server's configuration: defaults < `atalaya.toml` < environment `ATALAYA_…` < flags.
//!
//! [`settings`] is the one table of names; [`load`] layers the sources and builds [`Config`]; [`reference`] prints the
//! table as `docs/reference/config.md`. *Invariant:* nobody else in the product reads the environment.

mod billing;
mod gateways;
mod load;
mod media;
mod pkcs11;
mod privacy;
mod push;
pub mod reference;
pub mod secrets;
pub mod settings;
mod storage;
#[cfg(test)]
mod tests;

pub use load::{ConfigError, Origin, Origins, collect};
pub use privacy::{PrivacyConfig, processors};
pub use secrets::Secrets;

use atalaya_rest::pace::PaceLimits;
use atalaya_rest::uploads::UploadLimits;
use ipnet::IpNet;
use secrecy::SecretString;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

/// Everything the server was told, checked and typed. Secrets never print.
#[derive(Debug, Clone)]
pub struct Config {
    /// Address of the web server.
    pub listen: SocketAddr,
    /// Origin the outside world uses, without a trailing slash; links in messages begin with it.
    pub public_url: String,
    pub data_dir: PathBuf,
    /// `None`: `erasures.jsonl` in the data folder.
    pub erasure_register: Option<PathBuf>,
    pub shutdown_timeout: Duration,
    pub admin: AdminConfig,
    pub database: DatabaseConfig,
    pub storage: atalaya_blobs::StorageConfig,
    /// Proxies, and networks of them, whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
    pub guards: Guards,
    pub media: MediaConfig,
    pub messaging: MessagingConfig,
    /// Ask for the browsers' list of https-only hosts.
    pub hsts_preload: bool,
    /// Administrators see the links and codes of captured messages without a fresh proof of identity; `None`: as
    /// [`Config::shows_outbox`] says.
    pub outbox_open: Option<bool>,
    pub push: PushConfig,
    /// Webhooks may go to addresses inside and without TLS.
    pub webhooks_inside: bool,
    /// The geocoder; its address may hold a key.
    pub geocoder_url: Option<SecretString>,
    /// Where VAT numbers of the Union are asked about; nowhere without it.
    pub vies_url: Option<String>,
    pub billing: atalaya_billing::BillingSettings,
    /// Stamps the seals of evidence chains; `None` leaves them without an outside witness.
    pub timestamp: Option<atalaya_records::certificates::stamping::Authority>,
    pub tls: TlsConfig,
    pub logging: LoggingConfig,
    pub metrics: MetricsConfig,
    pub links: LinksConfig,
    /// SMS that one company may write.
    pub sms_ceiling: atalaya_messaging::SmsCeiling,
    /// Messages to the client of one conference, over all channels.
    pub conference_messages: u32,
    /// Messages of campaigns that enter the outbox in a minute at most.
    pub campaigns_per_minute: u32,
    /// Days between a company's activation and its first paid day.
    pub trial_days: i64,
    /// Holds the master key of files; `None`: it is in `secrets.toml`.
    pub pkcs11: Option<Pkcs11Config>,
    pub privacy: PrivacyConfig,
}

impl Config {
    /// Whether captured messages are shown whole to administrators (MSG-21): as configured, else on a machine that only
    /// serves itself.
    pub fn shows_outbox(&self) -> bool {
        self.outbox_open.unwrap_or_else(|| self.listen.ip().is_loopback() && is_loopback_url(&self.public_url))
    }
}

fn is_loopback_url(url: &str) -> bool {
    let host = url.split_once("://").map_or(url, |(_, rest)| rest).split('/').next().unwrap_or_default();
    let name = match host.strip_prefix('[') {
        Some(v6) => v6.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name == "localhost" || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// What every request is held to. Constants of the product, which tests make quick.
#[derive(Debug, Clone, Copy)]
pub struct Guards {
    /// How long a connection may take for the head of a request.
    pub head: Duration,
    pub pace: PaceLimits,
    pub uploads: UploadLimits,
}

impl Default for Guards {
    fn default() -> Self {
        Self { head: Duration::from_secs(10), pace: PaceLimits::default(), uploads: UploadLimits::default() }
    }
}

/// A token that wraps the keys of files (KEYS-6).
#[derive(Debug, Clone)]
pub struct Pkcs11Config {
    /// The library of its maker.
    pub module: PathBuf,
    /// Its label.
    pub token: String,
    pub pin: SecretString,
}

/// The first administrator, made on an empty database.
#[derive(Debug, Clone)]
pub struct AdminConfig {
    pub email: Option<String>,
    pub password: Option<SecretString>,
}

#[derive(Debug, Clone)]
pub struct DatabaseConfig {
    /// `sqlite:…` or `postgres://…`; `None` is SQLite in the data folder.
    pub url: Option<SecretString>,
    pub max_connections: u32,
}

#[derive(Debug, Clone)]
pub struct MediaConfig {
    pub udp_port: u16,
    pub tcp_port: u16,
    pub announce_ip: Option<IpAddr>,
    pub api_key: Option<String>,
    pub api_secret: Option<SecretString>,
    /// All three set: a LiveKit server carries the media instead of the embedded engine.
    pub livekit: Option<LiveKitConfig>,
    /// An external TURN server instead of the embedded engine's own.
    pub turn: Option<TurnServerConfig>,
}

#[derive(Debug, Clone)]
pub struct TurnServerConfig {
    pub urls: Vec<String>,
    pub secret: SecretString,
}

#[derive(Debug, Clone)]
pub struct LiveKitConfig {
    pub url: String,
    pub api_key: String,
    pub api_secret: SecretString,
}

#[derive(Debug, Clone)]
pub struct MessagingConfig {
    /// `smtp://user:password@host:port?tls=…`; `None` leaves e-mail captured in the outbox.
    pub smtp_url: Option<SecretString>,
    pub mail_from: String,
    /// `None` leaves SMS captured.
    pub sms: Option<SmsConfig>,
    /// `None` leaves WhatsApp messages captured; nothing falls back to it.
    pub whatsapp: Option<WhatsappConfig>,
}

/// What carries SMS.
#[derive(Debug, Clone)]
pub enum SmsConfig {
    /// `twilio://…`, and the platform's own sender name.
    Twilio {
        url: SecretString,
        sender: Option<String>,
    },
    Http(atalaya_messaging::HttpGatewayOptions),
}

/// What carries WhatsApp messages.
#[derive(Debug, Clone)]
pub struct WhatsappConfig {
    pub url: SecretString,
    pub key: Option<SecretString>,
    pub receipt_secret: Option<SecretString>,
}

/// Web push (RFC 8030, 8292).
#[derive(Debug, Clone)]
pub struct PushConfig {
    /// `mailto:…` or `https://…`: where a push service writes to about this sender.
    pub contact: String,
    /// Origins of push services besides the known ones.
    pub services: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TlsConfig {
    Off,
    /// A certificate of our own under the data folder, made at first start.
    SelfSigned,
    Files {
        certificate: PathBuf,
        key: PathBuf,
    },
}

#[derive(Debug, Clone)]
pub struct LoggingConfig {
    /// A `tracing` filter such as `info` or `warn,atalaya_sfu=debug`.
    pub filter: String,
    pub json: bool,
}

#[derive(Debug, Clone)]
pub struct MetricsConfig {
    /// `GET /metrics` on the main address.
    pub enabled: bool,
    /// A separate address that answers `/metrics` only.
    pub listen: Option<SocketAddr>,
}

/// Business constants that differ from one installation to the next.
#[derive(Debug, Clone)]
pub struct LinksConfig {
    pub admin_mailbox: String,
    pub business_url: String,
    pub search_url: String,
    pub legal_url: Option<String>,
    pub privacy_url: Option<String>,
    pub cookies_url: Option<String>,
    /// Map tiles of somebody else's server; without them maps are outlines.
    pub map: Option<MapTiles>,
}

/// Where browsers get the tiles of maps from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapTiles {
    /// With `{z}`, `{x}`, `{y}` and perhaps `{s}` and `{r}` in it.
    pub url: String,
    /// Whose map it is; shown on it.
    pub attribution: Option<String>,
}

impl MapTiles {
    /// The origin for the page's content policy, with a joker where tiles come from several hosts.
    pub fn origin(&self) -> String {
        let origin: Vec<&str> = self.url.splitn(4, '/').take(3).collect();
        origin.join("/").replace("{s}", "*")
    }
}

impl Config {
    /// The database's address; SQLite in the data folder when none was configured.
    pub fn database_url(&self) -> SecretString {
        self.database.url.clone().unwrap_or_else(|| format!("sqlite://{}", self.data_dir.join("atalaya.db").display()).into())
    }

    /// The SQLite file, or `None` when PostgreSQL is configured.
    pub fn sqlite_file(&self) -> Option<PathBuf> {
        use secrecy::ExposeSecret;
        let url = self.database_url();
        let rest = url.expose_secret().strip_prefix("sqlite:")?.to_owned();
        let rest = rest.strip_prefix("//").unwrap_or(&rest);
        Some(PathBuf::from(rest.split('?').next().unwrap_or(rest)))
    }
}
