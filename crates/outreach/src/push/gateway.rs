//! Sends one push to its push service: encrypted for the device (RFC 8291), signed by us (RFC 8292), never redirected,
//! never to an internal address (PUSH-5).

use super::endpoint::PushServices;
use super::model::PushKind;
use super::subscription::Target;
use super::vapid::PushKeys;
use atalaya_kernel::{Sources, UserId};
use atalaya_rest::ratelimit::RateLimiter;
use chrono::{DateTime, TimeDelta, Utc};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{StatusCode, header, redirect};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

/// How long a push service may take to answer.
const PATIENCE: Duration = Duration::from_secs(8);
/// Pushes that one person may ask for in a minute (PUSH-12).
const ASKED_FOR: usize = 10;
/// The longest wait that a push service may ask for; longer ones are shortened.
const WAIT_MAX_S: u64 = 3600;

/// The sender of pushes. Cheap to clone.
#[derive(Clone)]
pub struct PushGateway(Arc<Inner>);

struct Inner {
    keys: PushKeys,
    services: PushServices,
    client: reqwest::Client,
    asked_for: RateLimiter<UserId>,
}

/// The outcome of a push.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The push service accepted it.
    Delivered(u16),
    /// The subscription no longer exists (404, 410), or can never be sent to.
    Gone(Option<u16>),
    /// The push service rejects it.
    Refused(u16),
    /// Not now; perhaps with the time to wait.
    Later { status: Option<u16>, after: Option<TimeDelta> },
}

/// One push to one device.
pub(crate) struct Parcel<'a> {
    pub target: &'a Target,
    pub payload: &'a str,
    pub kind: PushKind,
    pub topic: String,
    /// When it becomes useless.
    pub expires_at: DateTime<Utc>,
}

impl PushGateway {
    pub fn new(keys: PushKeys, services: PushServices, sources: &Sources) -> Self {
        let client = reqwest::Client::builder()
            .timeout(PATIENCE)
            .redirect(redirect::Policy::none())
            .no_proxy()
            .dns_resolver(Arc::new(OutsideOnly(services.clone())))
            .user_agent("atalaya")
            .build()
            .expect("a client with fixed settings can be built");
        let asked_for = RateLimiter::new(sources.clock(), ASKED_FOR, TimeDelta::minutes(1));
        Self(Arc::new(Inner { keys, services, client, asked_for }))
    }

    pub fn keys(&self) -> &PushKeys {
        &self.0.keys
    }

    pub(crate) fn services(&self) -> &PushServices {
        &self.0.services
    }

    /// Counts a push that somebody asked for. Errors: the seconds until the next is allowed.
    pub(crate) fn ask(&self, who: UserId) -> Result<(), u64> {
        self.0.asked_for.hit(who)
    }

    /// Sends one push. Only the host of its push service reaches the log.
    pub(crate) async fn send(&self, parcel: &Parcel<'_>, now: DateTime<Utc>) -> Outcome {
        // Checked again: the list of services may have changed since the device registered.
        let Some(url) = self.0.services.admit(&parcel.target.endpoint) else { return Outcome::Gone(None) };
        let Some((point, auth)) = parcel.target.keys() else { return Outcome::Gone(None) };
        let Ok(body) = web_push_native::encrypt(parcel.payload.as_bytes().to_vec(), &point, &auth) else {
            return Outcome::Gone(None);
        };
        let host = url.host_str().unwrap_or_default().to_owned();
        let Some(authorization) = self.0.keys.authorization(&url.origin().ascii_serialization(), now) else {
            tracing::error!("a push cannot be signed");
            return Outcome::Later { status: None, after: None };
        };
        let answer = self
            .0
            .client
            .post(url)
            .header(header::AUTHORIZATION, authorization)
            .header(header::CONTENT_ENCODING, "aes128gcm")
            .header(header::CONTENT_TYPE, "application/octet-stream")
            .header("TTL", (parcel.expires_at - now).num_seconds().max(0))
            .header("Urgency", parcel.kind.urgency())
            .header("Topic", &parcel.topic)
            .body(body)
            .send()
            .await;
        match answer {
            Ok(answer) => judged(answer.status(), answer.headers(), &host),
            Err(error) => {
                let why = if error.is_timeout() { "no answer in time" } else { "cannot be reached" };
                tracing::warn!(push.host = host, why, "push not sent");
                Outcome::Later { status: None, after: None }
            }
        }
    }
}

/// The outcome that an answer means (PUSH-8; RFC 8030 §5, §7.3, RFC 8292 §4.2).
fn judged(status: StatusCode, headers: &header::HeaderMap, host: &str) -> Outcome {
    let number = status.as_u16();
    match number {
        200..=299 => Outcome::Delivered(number),
        404 | 410 => Outcome::Gone(Some(number)),
        408 | 425 | 429 | 500..=599 => {
            let after = headers.get(header::RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse::<u64>().ok());
            let after = after.map(|seconds| TimeDelta::seconds(seconds.min(WAIT_MAX_S).cast_signed()));
            tracing::warn!(push.host = host, status = number, "push not taken now");
            Outcome::Later { status: Some(number), after }
        }
        _ => {
            // 401 and 403: our signature or contact (setting `push_contact`); 413: too long; 3xx: redirects are not followed.
            tracing::warn!(push.host = host, status = number, "push refused");
            Outcome::Refused(number)
        }
    }
}

/// Resolves names to public addresses only: a push service's name with an internal address is an attack or a mistake.
/// Configured services may have any address.
struct OutsideOnly(PushServices);

impl Resolve for OutsideOnly {
    fn resolve(&self, name: Name) -> Resolving {
        let anywhere = self.0.names_host(name.as_str());
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            let outside: Vec<SocketAddr> = found.into_iter().filter(|address| anywhere || is_outside(address.ip())).collect();
            if outside.is_empty() {
                return Err("no address outside".into());
            }
            Ok(Box::new(outside.into_iter()) as Addrs)
        })
    }
}

/// Whether an address belongs to the public Internet (IANA special-purpose registries).
pub fn is_outside(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_outside_v4(ip),
        IpAddr::V6(ip) => is_outside_v6(ip),
    }
}

fn is_outside_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    let special = ip.is_private()
        || ip.is_loopback()
        || ip.is_link_local()
        || ip.is_documentation()
        || matches!((a, b, c), (0, ..) | (100, 64..=127, _) | (192, 0, 0) | (192, 88, 99) | (198, 18..=19, _) | (224..=255, ..));
    !special
}

fn is_outside_v6(ip: Ipv6Addr) -> bool {
    if let Some(inner) = ip.to_ipv4_mapped() {
        return is_outside_v4(inner);
    }
    let segments = ip.segments();
    let embedded = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match segments {
        // NAT64 and 6to4 embed an IPv4 address.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => is_outside_v4(embedded(high, low)),
        [0x2002, high, low, ..] => is_outside_v4(embedded(high, low)),
        // Teredo, benchmarks, documentation.
        [0x2001, 0..=0x1ff | 0xdb8, ..] => false,
        // Everything public is global unicast.
        [first, ..] => (0x2000..=0x3fff).contains(&first),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // PUSH-5
    #[test]
    fn addresses_inside_are_told_from_those_outside() {
        for inside in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.0.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "255.255.255.255",
            "224.0.0.1",
            "198.18.0.1",
            "192.0.0.8",
            "::1",
            "::",
            "fe80::1",
            "fc00::1",
            "fd12::1",
            "ff02::1",
            "::ffff:10.0.0.1",
            "::ffff:127.0.0.1",
            "64:ff9b::a00:1",
            "2002:a00:1::",
            "2001:db8::1",
            "2001::1",
        ] {
            assert!(!is_outside(inside.parse().unwrap()), "{inside}");
        }
        for outside in ["142.250.184.10", "8.8.8.8", "2a00:1450:4003:80f::200a", "64:ff9b::8efa:b80a", "::ffff:8.8.8.8"] {
            assert!(is_outside(outside.parse().unwrap()), "{outside}");
        }
    }

    // PUSH-8
    #[test]
    fn answers_are_understood() {
        let judge = |status: u16, after: Option<&str>| {
            let mut headers = header::HeaderMap::new();
            if let Some(after) = after {
                headers.insert(header::RETRY_AFTER, after.parse().unwrap());
            }
            judged(StatusCode::from_u16(status).unwrap(), &headers, "h")
        };
        assert_eq!(judge(201, None), Outcome::Delivered(201));
        assert_eq!(judge(410, None), Outcome::Gone(Some(410)));
        assert_eq!(judge(404, None), Outcome::Gone(Some(404)));
        assert_eq!(judge(307, None), Outcome::Refused(307));
        assert_eq!(judge(403, None), Outcome::Refused(403));
        assert_eq!(judge(429, Some("30")), Outcome::Later { status: Some(429), after: Some(TimeDelta::seconds(30)) });
        let long = Some(TimeDelta::seconds(3600));
        assert_eq!(judge(503, Some("99999999999")), Outcome::Later { status: Some(503), after: long });
        assert_eq!(judge(500, Some("Wed, 21 Oct 2026 07:28:00 GMT")), Outcome::Later { status: Some(500), after: None });
    }
}
