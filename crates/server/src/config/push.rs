//! The settings of web push and of campaigns.

use super::PushConfig;
use super::load::{ConfigError, Reader, email};

/// Where push services write to when nobody is named; `atalaya doctor` says that it cannot exist.
const NOBODY: &str = "admin@localhost";

pub(super) fn read(read: &Reader) -> Result<PushConfig, ConfigError> {
    let contact = match read.text("push_contact") {
        Some(text) if text.contains(|c: char| c.is_whitespace() || c.is_control()) => {
            return Err(read.bad("push_contact", "expected an address without spaces"));
        }
        Some(text) if text.strip_prefix("mailto:").is_some_and(|rest| rest.contains('@')) => text,
        Some(text) if text.strip_prefix("https://").is_some_and(|rest| !rest.is_empty()) => text,
        Some(_) => return Err(read.bad("push_contact", "expected mailto:… or https://…")),
        None => format!("mailto:{}", email(read, "admin_mailbox")?.unwrap_or_else(|| NOBODY.to_owned())),
    };
    let services = read.text("push_services").unwrap_or_default();
    let services = services.split(',').map(str::trim).filter(|part| !part.is_empty());
    let services: Option<Vec<String>> = services.map(atalaya_outreach::push::origin).collect();
    let services = services.ok_or_else(|| read.bad("push_services", "expected origins such as https://push.example.org"))?;
    Ok(PushConfig { contact, services })
}

/// How fast campaigns go.
pub(super) fn campaigns_per_minute(read: &Reader) -> Result<u32, ConfigError> {
    let many: u32 = read.required("campaigns_per_minute", "a number of messages")?;
    if (1..=60_000).contains(&many) { Ok(many) } else { Err(read.bad("campaigns_per_minute", "must be between 1 and 60000")) }
}
