//! A browser's subscription, as `PushSubscription.toJSON()` gives it (W3C Push API §8), parsed as untrusted input.

use super::endpoint::PushServices;
use base64::Engine as _;
use base64::alphabet::URL_SAFE;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use chrono::{DateTime, TimeDelta, Utc};
use reqwest::Url;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use web_push_native::{Auth, p256::PublicKey};

/// Maximum length of a subscription sent as text.
const TEXT_MAX: usize = 8192;
/// An expiry further away than this is a browser's nonsense and counts as none.
pub(crate) const EXPIRY_MAX: TimeDelta = TimeDelta::days(3653);
/// Bytes of an uncompressed point of the curve, and of the secret (RFC 8291 §2.1, §3.2).
const POINT_BYTES: usize = 65;
const AUTH_BYTES: usize = 16;

/// With and without padding.
const BASE64: GeneralPurpose =
    GeneralPurpose::new(&URL_SAFE, GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent));

/// Why a subscription is unusable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unusable {
    Malformed,
    /// Its endpoint is not at a push service we know.
    UnknownService,
}

impl Unusable {
    pub(crate) fn code(self) -> &'static str {
        match self {
            Self::Malformed => "PUSH_TOKEN_INVALID",
            Self::UnknownService => "PUSH_SERVICE_UNKNOWN",
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Wire {
    endpoint: String,
    #[serde(default)]
    expiration_time: Option<f64>,
    keys: Option<WireKeys>,
}

#[derive(Deserialize)]
struct WireKeys {
    p256dh: String,
    auth: String,
}

/// What is needed to reach a device. Stored sealed and never printed: whoever has it can send to that device (PUSH-4).
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Target {
    pub endpoint: String,
    pub p256dh: String,
    pub auth: String,
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Target(…)")
    }
}

impl Target {
    /// The keys for encryption; `None` when they are invalid.
    pub(crate) fn keys(&self) -> Option<(PublicKey, Auth)> {
        let point = BASE64.decode(&self.p256dh).ok().filter(|bytes| bytes.len() == POINT_BYTES)?;
        let auth = BASE64.decode(&self.auth).ok().filter(|bytes| bytes.len() == AUTH_BYTES)?;
        Some((PublicKey::from_sec1_bytes(&point).ok()?, Auth::clone_from_slice(&auth)))
    }
}

/// A subscription that pushes may be sent to.
#[derive(Debug)]
pub(crate) struct Subscription {
    pub target: Target,
    /// When it expires, if the browser says so; most never expire.
    pub expires_at: Option<DateTime<Utc>>,
}

/// Reads a token: the subscription as an object, or as text. Errors: [`Unusable`].
pub(crate) fn parse(token: &Value, services: &PushServices) -> Result<Subscription, Unusable> {
    let Wire { endpoint, expiration_time, keys } = wire(token).ok_or(Unusable::Malformed)?;
    let keys = keys.ok_or(Unusable::Malformed)?;
    // Distinguishes nonsense from a service that is missing in the list, which an administrator may want to add.
    let usual = Url::parse(&endpoint).is_ok_and(|url| url.has_host());
    let endpoint = services.admit(&endpoint).ok_or(if usual { Unusable::UnknownService } else { Unusable::Malformed })?;
    let target = Target { endpoint: endpoint.into(), p256dh: keys.p256dh, auth: keys.auth };
    if target.keys().is_none() {
        return Err(Unusable::Malformed);
    }
    // Milliseconds of JavaScript.
    let expires_at = expiration_time.and_then(|millis| DateTime::from_timestamp_millis(millis as i64));
    Ok(Subscription { target, expires_at })
}

fn wire(token: &Value) -> Option<Wire> {
    match token {
        Value::String(text) if text.len() <= TEXT_MAX => serde_json::from_str(text).ok(),
        Value::Object(_) => serde_json::from_value(token.clone()).ok(),
        _ => None,
    }
}

/// The endpoint of a token, in its normal form: of a subscription, or the endpoint itself. `None` for anything else.
pub(crate) fn endpoint_of(token: &Value) -> Option<String> {
    let endpoint = match token {
        Value::String(text) if !text.trim_start().starts_with('{') => text.clone(),
        other => wire(other)?.endpoint,
    };
    Url::parse(&endpoint).ok().map(String::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const POINT: &str = "BLn9b-VR0ca83knDNZ32dCHGyjJp-1riX9ZTN40MqV8K_LpQmLqxC_DoHvqvFXO_nGdAB4W9dogZb_sM-uV4JbY";
    const AUTH: &str = "_ordMnz7uTCmrpBTeUV4Bw";

    fn token(endpoint: &str, p256dh: &str, auth: &str) -> Value {
        json!({"endpoint": endpoint, "expirationTime": null, "keys": {"p256dh": p256dh, "auth": auth}})
    }

    // PUSH-1, PUSH-4
    #[test]
    fn a_subscription_is_read_as_object_and_as_text() {
        let services = PushServices::default();
        let object = token("https://FCM.googleapis.com/fcm/send/a", POINT, AUTH);
        let read = parse(&object, &services).unwrap();
        assert_eq!(read.target.endpoint, "https://fcm.googleapis.com/fcm/send/a");
        assert_eq!(parse(&Value::String(object.to_string()), &services).unwrap().target, read.target);
        assert!(parse(&token("https://web.push.apple.com/a", &format!("{POINT}="), &format!("{AUTH}==")), &services).is_ok());
        assert!(!format!("{read:?}").contains("fcm"), "an endpoint is never printed");
    }

    // PUSH-3
    #[test]
    fn what_cannot_be_encrypted_for_is_refused() {
        let services = PushServices::default();
        let good = "https://fcm.googleapis.com/fcm/send/a";
        let off_the_curve = BASE64.encode([4; 65]);
        let compressed = BASE64.encode([2; 33]);
        for (what, token) in [
            ("no point", token(good, "", AUTH)),
            ("off the curve", token(good, &off_the_curve, AUTH)),
            ("compressed", token(good, &compressed, AUTH)),
            ("short secret", token(good, POINT, "AAAA")),
            ("not base64", token(good, POINT, "!!!!!!!!!!!!!!!!!!!!!!")),
            ("no keys", json!({"endpoint": good})),
            ("no object", json!(["x"])),
            ("null", Value::Null),
            ("text of something else", json!("hola")),
            ("no URL", token("abc", POINT, AUTH)),
        ] {
            assert_eq!(parse(&token, &services).unwrap_err(), Unusable::Malformed, "{what}");
        }
        let inside = token("https://192.168.1.1/x", POINT, AUTH);
        assert_eq!(parse(&inside, &services).unwrap_err(), Unusable::UnknownService);
    }

    // PUSH-11
    #[test]
    fn an_endpoint_is_found_in_either_form() {
        let endpoint = "https://fcm.googleapis.com/fcm/send/a";
        assert_eq!(endpoint_of(&json!(endpoint)).as_deref(), Some(endpoint));
        assert_eq!(endpoint_of(&token(endpoint, "x", "y")).as_deref(), Some(endpoint));
        assert_eq!(endpoint_of(&json!(token(endpoint, "x", "y").to_string())).as_deref(), Some(endpoint));
        assert_eq!(endpoint_of(&json!("no")), None);
        assert_eq!(endpoint_of(&json!(7)), None);
    }
}
