//! Gateways that send SMS and WhatsApp messages.
//!
//! *Invariants:* a gateway has ten seconds to answer and its redirects are not followed; its answer is read up to a limit
//! and accepted only in the agreed form (MSG-10); no address, key or telephone number reaches a log.

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

/// Why a gateway's configuration is invalid. Never prints an address, which may hold a password.
#[derive(Debug, thiserror::Error)]
pub enum GatewayError {
    #[error("the address cannot be understood: expected {0}")]
    Url(&'static str),
    #[error("{setting}: {why}")]
    Option { setting: &'static str, why: String },
}

/// A part of a URL with its `%xx` decoded.
fn decoded(text: &str) -> String {
    let plain = text.replace('+', "%2B").replace('&', "%26");
    url::form_urlencoded::parse(format!("x={plain}").as_bytes()).map(|(_, value)| value.into_owned()).next().unwrap_or_default()
}

/// The value of an option after the `?`. A plus sign stays a plus sign.
fn option(url: &url::Url, name: &str) -> Option<String> {
    let pairs = url.query().unwrap_or_default().split('&').filter_map(|pair| pair.split_once('='));
    pairs.into_iter().find(|(key, _)| *key == name).map(|(_, value)| decoded(value)).filter(|value| !value.is_empty())
}

/// A gateway's id of a message, if it is a plausible one.
fn provider_id(text: &str) -> Option<String> {
    let fits = (1..=200).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_graphic());
    fits.then(|| text.to_owned())
}
