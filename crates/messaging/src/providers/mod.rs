//! Gateways that carry SMS and WhatsApp messages (DOMAIN §6.7, DESIGN §9).
//!
//! *Invariants:* a gateway gets ten seconds and is never followed elsewhere; what it answers is read up to a limit and
//! believed only in the agreed form; no address, key or telephone number reaches a log.

mod client;
mod http_gateway;
mod signature;
mod template;
mod twilio;
mod waha;

pub use http_gateway::{HttpGateway, HttpGatewayOptions};
pub use signature::sign;
pub use twilio::Twilio;
pub use waha::{Waha, WhatsappState};

/// Why a gateway's configuration cannot be used. Never prints an address, which may hold a password.
#[derive(Debug, thiserror::Error)]
pub enum GatewayError {
    #[error("the address cannot be understood: expected {0}")]
    Url(&'static str),
    #[error("{setting}: {why}")]
    Option { setting: &'static str, why: String },
}

/// A part of an address with its `%xx` undone.
fn decoded(text: &str) -> String {
    let plain = text.replace('+', "%2B").replace('&', "%26");
    url::form_urlencoded::parse(format!("x={plain}").as_bytes()).map(|(_, value)| value.into_owned()).next().unwrap_or_default()
}

/// The value of an option behind the `?`. A plus sign is one, not a space.
fn option(url: &url::Url, name: &str) -> Option<String> {
    let pairs = url.query().unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='));
    pairs.into_iter().find(|(key, _)| *key == name).map(|(_, value)| decoded(value)).filter(|value| !value.is_empty())
}

/// What a gateway calls a message, when it can be one.
fn provider_id(text: &str) -> Option<String> {
    let fits = (1..=200).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_graphic());
    fits.then(|| text.to_owned())
}
