//! Sends one delivery to its receiver: never redirected, never to an address in our own network (HOOK-4, HOOK-8).

use super::model::{Failure, address, signature};
use atalaya_outreach::push::is_outside;
use chrono::{DateTime, Utc};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{Url, header, redirect};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use uuid::Uuid;

/// How long a receiver may take to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// The sender of deliveries. Cheap to clone.
#[derive(Clone)]
pub struct Gateway {
    client: reqwest::Client,
    names: Names,
}

/// Resolves host names.
#[derive(Clone)]
struct Names {
    /// Allows internal addresses and plain `http`, for tests.
    inside: bool,
}

/// One delivery.
pub struct Parcel<'a> {
    pub url: &'a str,
    pub secret: &'a str,
    pub id: Uuid,
    pub event: &'a str,
    pub body: &'a str,
}

impl Gateway {
    /// `inside` allows receivers in our own network and without TLS.
    pub fn new(inside: bool) -> Self {
        let names = Names { inside };
        let client = reqwest::Client::builder()
            .timeout(PATIENCE)
            .redirect(redirect::Policy::none())
            .no_proxy()
            .dns_resolver(Arc::new(names.clone()))
            .user_agent("atalaya-webhooks")
            .build()
            .expect("a client with fixed settings can be built");
        Self { client, names }
    }

    /// An address in its normal form, when it may be registered: its name is resolved now.
    ///
    /// `None` for an address that leads into our own network, cannot be resolved, or is not https.
    pub async fn admit(&self, text: &str) -> Option<String> {
        let url = address(text, self.names.inside)?;
        match literal(&url) {
            Some(ip) => self.names.allows(ip).then(|| url.to_string()),
            None => {
                self.names.look_up(url.host_str()?).await.ok()?;
                Some(url.to_string())
            }
        }
    }

    /// Sends one delivery. Only the receiver's host reaches the log.
    pub async fn send(&self, parcel: &Parcel<'_>, now: DateTime<Utc>) -> Result<u16, Failure> {
        // An IP address is not resolved, so the resolver would not check it.
        let url = address(parcel.url, self.names.inside).ok_or(Failure::Address)?;
        if literal(&url).is_some_and(|ip| !self.names.allows(ip)) {
            return Err(Failure::Address);
        }
        let host = url.host_str().unwrap_or_default().to_owned();
        let sent = self
            .client
            .post(url)
            .header(header::CONTENT_TYPE, "application/json")
            .header("Atalaya-Signature", signature(parcel.secret, now, parcel.body))
            .header("Atalaya-Delivery", parcel.id.to_string())
            .header("Atalaya-Event", parcel.event)
            .body(parcel.body.to_owned())
            .send()
            .await;
        // The answer's body is not needed, so it is not read.
        match sent {
            Ok(answer) if answer.status().is_success() => Ok(answer.status().as_u16()),
            Ok(answer) => Err(Failure::Status(answer.status().as_u16())),
            Err(error) => {
                let failure = why(&error);
                tracing::warn!(webhook.host = host, why = failure.name(), "webhook not delivered");
                Err(failure)
            }
        }
    }
}

fn why(error: &reqwest::Error) -> Failure {
    let mut cause: Option<&dyn std::error::Error> = Some(error);
    while let Some(one) = cause {
        if one.is::<Inside>() {
            return Failure::Address;
        }
        cause = one.source();
    }
    if error.is_timeout() { Failure::Timeout } else { Failure::Unreachable }
}

/// The IP address that a URL has instead of a name.
fn literal(url: &Url) -> Option<IpAddr> {
    url.host_str()?.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

/// A name has internal addresses only.
#[derive(Debug, thiserror::Error)]
#[error("no address outside")]
struct Inside;

impl Names {
    fn allows(&self, ip: IpAddr) -> bool {
        self.inside || is_outside(ip)
    }

    async fn look_up(&self, name: &str) -> Result<Vec<SocketAddr>, Box<dyn std::error::Error + Send + Sync>> {
        let found: Vec<SocketAddr> = tokio::net::lookup_host((name, 0)).await?.collect();
        let allowed: Vec<SocketAddr> = found.into_iter().filter(|address| self.allows(address.ip())).collect();
        if allowed.is_empty() { Err(Box::new(Inside)) } else { Ok(allowed) }
    }
}

/// The client connects to these addresses and resolves nothing itself, so a name cannot change in between (DNS rebinding).
impl Resolve for Names {
    fn resolve(&self, name: Name) -> Resolving {
        let names = self.clone();
        Box::pin(async move { Ok(Box::new(names.look_up(name.as_str()).await?.into_iter()) as Addrs) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // HOOK-8
    #[tokio::test]
    async fn addresses_inside_are_not_admitted() {
        let gateway = Gateway::new(false);
        for inside in [
            "https://127.0.0.1/",
            "https://[::1]/",
            "https://10.0.0.1/",
            "https://169.254.169.254/latest/meta-data",
            "https://192.168.1.1:8443/",
            "https://[fe80::1]/",
            "https://[::ffff:127.0.0.1]/",
            "https://0/",
            "https://2130706433/",
            "https://0x7f.1/",
            "https://localhost/",
            "https://no-such-name.invalid/",
            "http://8.8.8.8/",
        ] {
            assert_eq!(gateway.admit(inside).await, None, "{inside}");
        }
        assert_eq!(gateway.admit(" https://8.8.8.8/hook ").await.as_deref(), Some("https://8.8.8.8/hook"));
        assert!(Gateway::new(true).admit("http://127.0.0.1:9/x").await.is_some());
    }

    // HOOK-8
    #[tokio::test]
    async fn what_leads_inside_is_not_connected_to() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let port = listener.local_addr().expect("bound").port();
        let gateway = Gateway::new(false);
        for host in ["127.0.0.1", "localhost", "[::1]"] {
            let url = format!("https://{host}:{port}/");
            let parcel = Parcel { url: &url, secret: "s", id: Uuid::nil(), event: "e", body: "{}" };
            assert_eq!(gateway.send(&parcel, DateTime::UNIX_EPOCH).await, Err(Failure::Address), "{url}");
        }
        let nobody = tokio::time::timeout(Duration::from_millis(50), listener.accept()).await;
        assert!(nobody.is_err(), "somebody connected");
    }
}
