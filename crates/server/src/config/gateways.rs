//! The settings of SMS and WhatsApp gateways.

use super::load::{ConfigError, Reader};
use super::{SmsConfig, WhatsappConfig};
use atalaya_messaging::{HttpGatewayOptions, SmsCeiling, sms};

/// Settings that mean nothing without the address.
const WHATSAPP_MORE: [&str; 2] = ["whatsapp_key", "whatsapp_receipt_secret"];

pub(super) fn read_sms(read: &Reader) -> Result<Option<SmsConfig>, ConfigError> {
    let sender = read.text("sms_sender");
    if sender.as_deref().is_some_and(|name| !sms::is_sender(name)) {
        return Err(read.bad("sms_sender", "expected 3 to 11 letters, digits and signs, at least one letter"));
    }
    let schemes = ["twilio", "http+twilio", "http", "https"];
    if read.url("sms_url", &schemes)?.is_none() {
        return Ok(None);
    }
    // As it was written: the slash at its end may matter to a gateway.
    let url = read.secret("sms_url").expect("just read");
    let text = |key| read.text(key).unwrap_or_default();
    Ok(Some(if read.text("sms_url").is_some_and(|url| url.starts_with("http://") || url.starts_with("https://")) {
        SmsConfig::Http(HttpGatewayOptions {
            url,
            method: text("sms_method"),
            headers: read.secret("sms_headers"),
            body: text("sms_body"),
            id: text("sms_id"),
            success: text("sms_success"),
            receipt_secret: read.secret("sms_receipt_secret"),
            sender,
        })
    } else {
        SmsConfig::Twilio { url, sender }
    }))
}

pub(super) fn read_whatsapp(read: &Reader) -> Result<Option<WhatsappConfig>, ConfigError> {
    if read.url("whatsapp_url", &["http", "https"])?.is_none() {
        if let Some(key) = WHATSAPP_MORE.into_iter().find(|key| read.text(key).is_some()) {
            return Err(ConfigError::Incomplete { key, why: "is set without whatsapp_url" });
        }
        return Ok(None);
    }
    Ok(Some(WhatsappConfig {
        url: read.secret("whatsapp_url").expect("just read"),
        key: read.secret("whatsapp_key"),
        receipt_secret: read.secret("whatsapp_receipt_secret"),
    }))
}

/// How many messages the client of one conference may get.
pub(super) fn conference_messages(read: &Reader) -> Result<u32, ConfigError> {
    let many: u32 = read.required("conference_messages", "a number of messages")?;
    if (1..=1000).contains(&many) { Ok(many) } else { Err(read.bad("conference_messages", "must be between 1 and 1000")) }
}

/// How many SMS one company may write.
pub(super) fn sms_ceiling(read: &Reader) -> Result<SmsCeiling, ConfigError> {
    let number = |name: &'static str| {
        let many: u32 = read.required(name, "a number of SMS")?;
        if many <= 1_000_000 { Ok(many) } else { Err(read.bad(name, "must be between 0 and 1000000")) }
    };
    Ok(SmsCeiling { per_hour: number("sms_per_hour")?, per_day: number("sms_per_day")? })
}
