//! `atalaya doctor`: one line per thing that must work.

mod backups;

use crate::config::{Config, ConfigError, Secrets};
use crate::keys::{self, Answered};
use crate::{audit, deep, serve, start, tls};
use anyhow::{Result, bail};
use atalaya_blobs::Spool;
use atalaya_cases::evidence::Examined;
use atalaya_db::Db;
use atalaya_kernel::Sources;
use atalaya_messaging::Channel;
use atalaya_privacy::erasures::erasure::{Agreement, compare};
use atalaya_records::certificates::stamping::try_authority;
use chrono::{DateTime, TimeDelta, Utc};
use std::fmt;
use std::net::{SocketAddr, UdpSocket};
use std::time::Duration;

/// How one thing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Ok,
    /// Works, but somebody should know.
    Note,
    Failed,
}

/// All lines.
#[derive(Debug, Default)]
pub struct Report(Vec<(Verdict, &'static str, String)>);

impl Report {
    /// A configuration that cannot be used hides everything behind it.
    pub fn unconfigured(error: &ConfigError) -> Self {
        Self(vec![(Verdict::Failed, "configuration", error.to_string())])
    }

    /// Nothing failed.
    pub fn is_good(&self) -> bool {
        self.0.iter().all(|(verdict, ..)| *verdict != Verdict::Failed)
    }

    fn ok(&mut self, what: &'static str, text: impl Into<String>) {
        self.0.push((Verdict::Ok, what, text.into()));
    }

    fn note(&mut self, what: &'static str, text: impl Into<String>) {
        self.0.push((Verdict::Note, what, text.into()));
    }

    fn failed(&mut self, what: &'static str, text: impl Into<String>) {
        self.0.push((Verdict::Failed, what, text.into()));
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (verdict, what, text) in &self.0 {
            let word = match verdict {
                Verdict::Ok => "ok",
                Verdict::Note => "note",
                Verdict::Failed => "FAILED",
            };
            writeln!(f, "{word:<7} {what:<14} {text}")?;
        }
        Ok(())
    }
}

/// Examines everything; a failed check is a line, not an error.
pub async fn examine(config: &Config, rebuild: bool, deep: bool) -> Result<Report> {
    let mut report = Report::default();
    let sources = Sources::system();
    report.ok("configuration", format!("data folder {}, public address {}", config.data_dir.display(), config.public_url));
    check_public_url(config, &mut report);
    check_proxy(config, &mut report).await;
    check_certificate(config, sources.now(), &mut report);
    if let Err(error) = start::data_dir(config) {
        report.failed("data folder", format!("{error:#}"));
        return Ok(report);
    }
    match Secrets::load_or_create(config, &sources) {
        Ok(secrets) => {
            report.ok("secrets", Secrets::path(&config.data_dir).display().to_string());
            check_token(config, &secrets, &mut report).await;
        }
        Err(error) => report.failed("secrets", format!("{error:#}")),
    }
    check_database(config, rebuild, &mut report).await;
    if deep {
        check_deep(config, &sources, &mut report).await;
    }
    check_storage(config, &sources, &mut report).await;
    backups::check(config, sources.now(), &mut report);
    check_messages(config, &mut report).await;
    check_media(config, &mut report).await;
    check_timestamp(config, &sources, &mut report).await;
    check_push(config, &mut report);
    Ok(report)
}

/// Whether the token with the master key of files answers (KEYS-6).
async fn check_token(config: &Config, secrets: &Secrets, report: &mut Report) {
    match keys::examine(config, secrets).await {
        Ok(None) => {}
        Ok(Some(Answered { name, holds: true })) => report.ok("token", format!("{name} answers and has the master key of files")),
        Ok(Some(Answered { name, holds: false })) => {
            let text =
                "but the master key of files is in secrets.toml: `atalaya keys rotate --which files` makes one in the token";
            report.note("token", format!("{name} answers, {text}"));
        }
        Err(error) => report.failed("token", format!("{error:#}")),
    }
}

fn check_public_url(config: &Config, report: &mut Report) {
    let url = &config.public_url;
    let local = ["http://localhost", "http://127.0.0.1", "http://[::1]"].iter().any(|start| url.starts_with(start));
    if url.starts_with("http://") && !local {
        report.note(
            "public address",
            "browsers give cameras to https:// and localhost only: set ATALAYA_TLS, or a proxy with https",
        );
    } else if local {
        report.note("public address", "a phone cannot open links to localhost: set ATALAYA_PUBLIC_URL");
    }
}

/// How long before its end a certificate is spoken of.
const CERTIFICATE_ENDS: TimeDelta = TimeDelta::days(21);

/// Whether browsers still accept the certificate, by its time (DEEP-11).
fn check_certificate(config: &Config, now: DateTime<Utc>, report: &mut Report) {
    let Some(end) = tls::ends_at(config) else { return };
    let day = end.format("%Y-%m-%d");
    if end <= now {
        report
            .failed("certificate", format!("it ended on {day}: browsers refuse the server until ATALAYA_TLS_CERT is a new one"));
    } else if end - now < CERTIFICATE_ENDS {
        report.note("certificate", format!("it ends on {day}"));
    } else {
        report.ok("certificate", format!("until {day}"));
    }
}

/// Asks the running server, by the way that everybody takes, what it makes of the proxy before it (EDGE-5).
async fn check_proxy(config: &Config, report: &mut Report) {
    // Our own certificate may be self-signed; nothing secret is sent or believed.
    let client = reqwest::Client::builder().timeout(Duration::from_secs(5)).tls_danger_accept_invalid_certs(true);
    let Ok(client) = client.redirect(reqwest::redirect::Policy::none()).build() else { return };
    let Ok(answer) = client.get(format!("{}/healthz", config.public_url)).send().await else { return };
    let Ok(answer) = answer.json::<serde_json::Value>().await else { return };
    match (answer["status"].as_str(), answer["proxy"].as_str()) {
        (Some("ok"), Some("unlisted")) => report.failed(
            "proxy",
            "the proxy in front of the server is not listed, so that everybody seems to have its address and shares its \
             limits: set ATALAYA_TRUSTED_PROXIES (its address is in the server's log)",
        ),
        (Some("ok"), _) => report.ok("proxy", "none, or listed"),
        _ => {}
    }
}

/// Asks the time stamp authority for a stamp over nothing.
async fn check_timestamp(config: &Config, sources: &Sources, report: &mut Report) {
    let Some(authority) = &config.timestamp else { return };
    match try_authority(authority, sources).await {
        Ok(name) => report.ok("time stamps", format!("by {name}")),
        Err(error) => report.failed("time stamps", error.to_string()),
    }
}

/// Push services are not asked: they answer about devices only.
fn check_push(config: &Config, report: &mut Report) {
    let contact = &config.push.contact;
    if ["@localhost", "@atalaya.example"].iter().any(|end| contact.ends_with(end)) {
        let text = format!("{contact} cannot exist, and some push services refuse it: set ATALAYA_PUSH_CONTACT");
        report.note("web push", text);
    } else {
        report.ok("web push", format!("push services write to {contact}"));
    }
}

async fn check_database(config: &Config, rebuild: bool, report: &mut Report) {
    let db = match start::connect(config).await {
        Ok(db) => db,
        Err(error) => return report.failed("database", format!("{error:#}")),
    };
    match (db.pending_migrations().await, db.is_whole().await) {
        (Ok(0), Ok(true)) => report.ok("database", format!("{}, up to date", start::describe(config, &db))),
        (Ok(n), Ok(true)) => report.note("database", format!("{n} migration(s) will be applied at the next start")),
        (_, Ok(false)) => report.failed("database", "the file is damaged: restore a backup (atalaya restore DIR)"),
        (Err(error), _) | (_, Err(error)) => report.failed("database", atalaya_rest::problem::chain(&error)),
    }
    check_erasures(config, &db, report).await;
    check_audit(&db, report).await;
    if rebuild {
        check_conferences(&db, report).await;
    }
}

/// Walks database, storage and chains (DEEP-1); a line for each finding.
async fn check_deep(config: &Config, sources: &Sources, report: &mut Report) {
    match walk(config, sources).await {
        Ok(walk) => {
            for finding in &walk.findings {
                match finding.kind.is_damage() {
                    true => report.failed("deep", finding.to_string()),
                    false => report.note("deep", finding.to_string()),
                }
            }
            report.ok("deep", walk.told());
        }
        Err(error) => report.failed("deep", format!("{error:#}")),
    }
}

async fn walk(config: &Config, sources: &Sources) -> Result<deep::Walk> {
    let secrets = Secrets::load_or_create(config, sources)?;
    let db = start::connect(config).await?;
    if db.pending_migrations().await? > 0 {
        bail!("the database is not up to date: start the server once, or say `atalaya migrate`");
    }
    let blobs = start::storage(config, sources)?;
    let folder = crate::backup::spool(config);
    let spool = folder.exists().then(|| Spool::open(folder, sources.clone())).transpose()?;
    let master = keys::Rings::new(&secrets).files;
    let walk = deep::walk(&db, &blobs, &master, spool.as_ref(), sources.now()).await?;
    db.close().await?;
    Ok(walk)
}

/// Whether the log of who did what is as it was written (AUDIT-9).
async fn check_audit(db: &Db, report: &mut Report) {
    if !matches!(db.pending_migrations().await, Ok(0)) {
        return;
    }
    match audit::examine(db, None).await {
        Ok(chain) if chain.broken.is_none() => report.ok("audit log", audit::told(&chain)),
        Ok(chain) => report.failed("audit log", audit::told(&chain)),
        Err(error) => report.failed("audit log", format!("{error:#}")),
    }
}

/// Whether the register outside the database names what the database says is erased, and the other way round.
async fn check_erasures(config: &Config, db: &Db, report: &mut Report) {
    // Before the first migration there is nothing to compare.
    if !matches!(db.pending_migrations().await, Ok(0)) {
        return;
    }
    let register = crate::backup::erasures(config);
    let place = register.path().display();
    match compare(db, &register).await {
        Ok(Agreement { erasures, not_done: 0, not_registered: 0 }) => {
            report.ok("erasures", format!("{erasures}, the same in the register {place}"));
        }
        Ok(Agreement { not_done, not_registered, .. }) => {
            let mut text = format!("the register {place} and the database differ:");
            if not_done > 0 {
                text.push_str(&format!(" {not_done} in the register are not erased (the next start erases them);"));
            }
            if not_registered > 0 {
                text.push_str(&format!(" {not_registered} erased are not in the register (a backup would bring them back);"));
            }
            report.failed("erasures", text.trim_end_matches(';'));
        }
        Err(error) => report.failed("erasures", format!("{place}: {}", atalaya_rest::problem::chain(&error))),
    }
}

/// Proves what lists show equal to the track log, and every chain of evidence whole.
async fn check_conferences(db: &Db, report: &mut Report) {
    match atalaya_cases::evidence::examine_all(db).await {
        Ok(Examined { conferences, mended: 0, broken: 0 }) => {
            report.ok("conferences", format!("{conferences}: lists equal the track log, every chain is whole"));
        }
        Ok(Examined { conferences, mended, broken }) => {
            let text = format!("of {conferences}, {mended} list entries were wrong and are mended, {broken} chains do not fit");
            report.failed("conferences", text);
        }
        Err(error) => report.failed("conferences", atalaya_rest::problem::chain(&error)),
    }
}

async fn check_storage(config: &Config, sources: &Sources, report: &mut Report) {
    let place = match &config.storage {
        atalaya_blobs::StorageConfig::Folder(folder) => format!("folder {}", folder.display()),
        atalaya_blobs::StorageConfig::S3(s3) => format!("bucket {}", s3.bucket),
        atalaya_blobs::StorageConfig::Memory => "memory: files are lost when the server stops".into(),
    };
    let blobs = match start::storage(config, sources) {
        Ok(blobs) => blobs,
        Err(error) => return report.failed("storage", format!("{error:#}")),
    };
    match blobs.check().await {
        Ok(()) => report.ok("storage", place),
        Err(error) => report.failed("storage", format!("{place}: {}", atalaya_rest::problem::chain(&error))),
    }
}

async fn check_messages(config: &Config, report: &mut Report) {
    let providers = match serve::providers(config) {
        Ok(providers) => providers,
        Err(error) => return report.failed("messages", format!("{error:#}")),
    };
    match providers.get(Channel::Email) {
        None => report.note("mail", "no mail server: e-mails stay in the outbox (ATALAYA_SMTP_URL)"),
        Some(provider) => match provider.check().await {
            Ok(()) => report.ok("mail", format!("the mail server answers; e-mails come from {}", config.messaging.mail_from)),
            Err(error) => report.failed("mail", error.to_string()),
        },
    }
    match providers.get(Channel::Sms) {
        None => report.note("sms", "no SMS gateway: texts stay in the outbox (ATALAYA_SMS_URL)"),
        Some(provider) => match provider.check().await {
            Ok(()) => report.ok("sms", format!("the gateway ({}) answers", provider.name())),
            Err(error) => report.failed("sms", error.to_string()),
        },
    }
    match providers.get(Channel::Whatsapp) {
        None => report.note("whatsapp", "no gateway: nothing goes by WhatsApp (ATALAYA_WHATSAPP_URL)"),
        Some(provider) => match provider.check().await {
            Ok(()) => report.ok("whatsapp", "the session works"),
            Err(error) => report.failed("whatsapp", error.to_string()),
        },
    }
}

async fn check_media(config: &Config, report: &mut Report) {
    if let Some(livekit) = &config.media.livekit {
        return match reach(&livekit.url).await {
            Ok(()) => report.ok("media", format!("LiveKit server {} answers", livekit.url)),
            Err(error) => report.failed("media", format!("LiveKit server {}: {error}", livekit.url)),
        };
    }
    let port = config.media.udp_port;
    match UdpSocket::bind(SocketAddr::from(([0, 0, 0, 0], port))) {
        Ok(_) => report.ok("media", format!("UDP port {port} is free; TCP port {}", config.media.tcp_port)),
        Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {
            report.note("media", format!("UDP port {port} is in use: by the running server, or it cannot start"));
        }
        Err(error) => report.failed("media", format!("UDP port {port}: {error}")),
    }
    match (config.media.announce_ip, tls::outgoing_address()) {
        (Some(ip), _) => report.ok("media address", format!("browsers send media to {ip}")),
        (None, Some(ip)) => {
            report.note("media address", format!("browsers send media to {ip}; behind NAT set ATALAYA_MEDIA_ANNOUNCE_IP"));
        }
        (None, None) => report.note("media address", "this machine has no network: only browsers on it can call"),
    }
}

/// Opens a TCP connection to the host of a URL.
async fn reach(url: &str) -> Result<(), String> {
    let (scheme, rest) = url.split_once("://").ok_or("not a URL")?;
    let authority = rest.split('/').next().unwrap_or("");
    let address = match authority.rsplit_once(':') {
        Some((_, port)) if port.bytes().all(|b| b.is_ascii_digit()) => authority.to_owned(),
        _ => format!("{authority}:{}", if matches!(scheme, "https" | "wss") { 443 } else { 80 }),
    };
    let connecting = tokio::net::TcpStream::connect(address);
    match tokio::time::timeout(Duration::from_secs(5), connecting).await {
        Ok(Ok(_)) => Ok(()),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err("no answer within five seconds".into()),
    }
}
