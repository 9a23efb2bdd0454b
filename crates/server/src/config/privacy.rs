//! How long data and backups are kept, and who processes data for this installation.

use super::load::{ConfigError, Reader};
use super::{Config, SmsConfig};
use atalaya_blobs::StorageConfig;
use atalaya_kernel::keeping::{Processor, Service, Terms};
use secrecy::ExposeSecret;
use std::path::PathBuf;

/// Most days that blocked data and backups may be kept.
const MOST_DAYS: i64 = 3652;

#[derive(Debug, Clone)]
pub struct PrivacyConfig {
    pub keeping: Terms,
    /// Days after which every backup is deleted; `None`: not written down.
    pub backup_keep_days: Option<i64>,
    /// Where backups lie, each in a folder of its own.
    pub backup_dir: Option<PathBuf>,
    /// Who runs the machines.
    pub hosting: Option<String>,
    /// Who answers about privacy.
    pub officer: Option<String>,
}

pub(super) fn read(read: &Reader) -> Result<PrivacyConfig, ConfigError> {
    let blocked_days: i64 = read.required("blocked_days", "a number of days")?;
    if !(0..=MOST_DAYS).contains(&blocked_days) {
        return Err(read.bad("blocked_days", "must be between 0 and 3652"));
    }
    let text = read.text("keep_days").unwrap_or_default();
    let keeping = Terms::parse(&text, blocked_days).map_err(|why| read.bad("keep_days", &why))?;
    let backup_keep_days = read.parsed("backup_keep_days", "a number of days")?;
    if backup_keep_days.is_some_and(|days| !(1..=MOST_DAYS).contains(&days)) {
        return Err(read.bad("backup_keep_days", "must be between 1 and 3652"));
    }
    let backup_dir = read.text("backup_dir").map(PathBuf::from);
    if backup_dir.is_some() && backup_keep_days.is_none() {
        return Err(ConfigError::Incomplete { key: "backup_dir", why: "is set without backup_keep_days" });
    }
    Ok(PrivacyConfig {
        keeping,
        backup_keep_days,
        backup_dir,
        hosting: read.text("hosting"),
        officer: read.text("privacy_officer"),
    })
}

/// Who processes data for this installation, in the order of [`Service`]: what is configured, and nothing else (RETAIN-29).
pub fn processors(config: &Config) -> Vec<Processor> {
    let named = |service, name: &str| Some(Processor { service, name: name.to_owned() });
    let at = |service, address: Option<&str>| address.and_then(|address| Processor::at(service, address));
    let storage = match &config.storage {
        StorageConfig::S3(s3) => match &s3.endpoint {
            Some(endpoint) => Processor::at(Service::Storage, endpoint),
            None => named(Service::Storage, format!("Amazon S3 {}", s3.region.as_deref().unwrap_or_default()).trim_end()),
        },
        StorageConfig::Folder(_) | StorageConfig::Memory => None,
    };
    let sms = config.messaging.sms.as_ref().map(|sms| match sms {
        SmsConfig::Twilio { url, .. } => url.expose_secret(),
        SmsConfig::Http(options) => options.url.expose_secret(),
    });
    let secret = |value: &Option<secrecy::SecretString>| value.as_ref().map(|url| url.expose_secret().to_owned());
    let whatsapp = config.messaging.whatsapp.as_ref().map(|whatsapp| whatsapp.url.expose_secret());
    let video = config.media.livekit.as_ref().map(|livekit| livekit.url.as_str());
    let relay = config.media.turn.as_ref().and_then(|turn| turn.urls.first());
    // `turn:host:port` has no slashes.
    let relay = relay.and_then(|url| url.split_once(':')).map(|(_, rest)| rest);
    let all = [
        config.privacy.hosting.as_deref().and_then(|name| named(Service::Hosting, name)),
        storage,
        at(Service::Email, secret(&config.messaging.smtp_url).as_deref()),
        at(Service::Sms, sms),
        at(Service::Whatsapp, whatsapp),
        at(Service::Video, video),
        at(Service::Video, relay),
        at(Service::TimeStamps, config.timestamp.as_ref().map(|authority| authority.url.as_str())),
        at(Service::Geocoding, secret(&config.geocoder_url).as_deref()),
        at(Service::Maps, config.links.map.as_ref().map(|map| map.url.as_str())),
    ];
    let mut told: Vec<Processor> = Vec::new();
    for processor in all.into_iter().flatten() {
        if !told.contains(&processor) {
            told.push(processor);
        }
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Origins, collect};

    // RETAIN-29
    #[test]
    fn only_what_is_configured_is_named() {
        let mut config = collect(&Origins::default()).expect("the defaults are valid");
        assert!(processors(&config).is_empty());
        config.messaging.smtp_url = Some("smtps://user:secret@smtp.example.es".to_owned().into());
        config.messaging.sms =
            Some(SmsConfig::Twilio { url: "twilio://AC1:secret@api.twilio.com?from=X".to_owned().into(), sender: None });
        config.privacy.hosting = Some("Nube Ibérica SL (España)".into());
        let told: Vec<(&str, String)> =
            processors(&config).into_iter().map(|processor| (processor.service.name(), processor.name)).collect();
        let expected = [("hosting", "Nube Ibérica SL (España)"), ("email", "smtp.example.es"), ("sms", "api.twilio.com")];
        assert_eq!(told, expected.map(|(service, name)| (service, name.to_owned())));
    }
}
