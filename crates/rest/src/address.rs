//! Where a request comes from: the peer, or what a proxy we trust says about it.

use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::Response;
use ipnet::IpNet;
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The caller's address. For rate limits and the evidence log; never for our own logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);

/// Proxies, and networks of them, whose `X-Forwarded-For` is believed (EDGE-5).
#[derive(Clone, Debug, Default)]
pub struct TrustedProxies {
    networks: Arc<[IpNet]>,
    warned: Arc<AtomicBool>,
}

/// An unlisted proxy forwarded this request: everybody behind it seems to have its address.
#[derive(Clone, Copy, Debug)]
pub struct UnlistedProxy;

impl TrustedProxies {
    pub fn new(networks: &[IpNet]) -> Self {
        Self { networks: networks.into(), warned: Arc::default() }
    }

    fn holds(&self, address: IpAddr) -> bool {
        self.networks.iter().any(|network| network.contains(&address))
    }

    /// Logs it once. The address of a proxy is nobody's personal data.
    fn warn(&self, peer: IpAddr) {
        if is_inside(peer) && !self.warned.swap(true, Ordering::Relaxed) {
            tracing::warn!(proxy = %peer, "a proxy that is not in ATALAYA_TRUSTED_PROXIES passes requests on");
        }
    }
}

/// Whether an address belongs to a network of its own, as that of a proxy beside the server does.
fn is_inside(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => v4.is_private() || v4.is_loopback() || v4.is_link_local(),
        IpAddr::V6(v6) => v6.is_loopback() || v6.is_unique_local() || v6.is_unicast_link_local(),
    }
}

impl<S: Send + Sync> FromRequestParts<S> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get::<Self>().copied().unwrap_or(Self(IpAddr::V4(Ipv4Addr::UNSPECIFIED))))
    }
}

/// The unit that limits count by: an IPv4 address, or the /64 network of an IPv6 address.
pub fn subscriber(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V6(v6) => {
            let s = v6.segments();
            Ipv6Addr::new(s[0], s[1], s[2], s[3], 0, 0, 0, 0).into()
        }
        v4 => v4,
    }
}

/// Middleware: resolves the address once and leaves it in the extensions.
pub async fn resolve(State(trusted): State<TrustedProxies>, mut req: Request, next: Next) -> Response {
    if let Some(ConnectInfo(peer)) = req.extensions().get::<ConnectInfo<SocketAddr>>() {
        let forwarded = req.headers().get_all("x-forwarded-for").iter().filter_map(|v| v.to_str().ok());
        let address = client_of(peer.ip(), forwarded, &trusted);
        let is_passed_on = ["x-forwarded-for", "forwarded", "via"].iter().any(|name| req.headers().contains_key(*name));
        let proxy = peer.ip().to_canonical();
        if is_passed_on && !trusted.holds(proxy) {
            trusted.warn(proxy);
            req.extensions_mut().insert(UnlistedProxy);
        }
        req.extensions_mut().insert(ClientAddress(address));
    }
    next.run(req).await
}

/// Walks the chain from our side; the first hop that is not one of our proxies is the client.
fn client_of<'a>(peer: IpAddr, forwarded: impl Iterator<Item = &'a str>, trusted: &TrustedProxies) -> IpAddr {
    let chain: Vec<&str> = forwarded.flat_map(|line| line.split(',')).map(str::trim).collect();
    let mut client = peer.to_canonical();
    for hop in chain.into_iter().rev() {
        if !trusted.holds(client) {
            break;
        }
        match hop.parse::<IpAddr>() {
            Ok(address) => client = address.to_canonical(),
            Err(_) => break,
        }
    }
    client
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subscriber_is_one_network() {
        let of = |s: &str| subscriber(s.parse().unwrap());
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_ne!(of("1.2.3.4"), of("1.2.3.5"));
    }

    // EDGE-5
    #[test]
    fn only_trusted_proxies_are_believed() {
        let ip = |s: &str| s.parse::<IpAddr>().unwrap();
        let proxies = TrustedProxies::new(&[ip("10.0.0.1").into(), ip("10.0.0.2").into()]);
        assert_eq!(client_of(ip("1.2.3.4"), ["9.9.9.9"].into_iter(), &proxies), ip("1.2.3.4"));
        assert_eq!(client_of(ip("10.0.0.1"), ["6.6.6.6, 9.9.9.9, 10.0.0.2"].into_iter(), &proxies), ip("9.9.9.9"));
        assert_eq!(client_of(ip("10.0.0.1"), ["junk"].into_iter(), &proxies), ip("10.0.0.1"));
        assert_eq!(client_of(ip("::ffff:1.2.3.4"), [].into_iter(), &TrustedProxies::default()), ip("1.2.3.4"));
    }

    // EDGE-5
    #[test]
    fn a_network_of_proxies_is_believed_and_nobody_beside_it() {
        let ip = |s: &str| s.parse::<IpAddr>().unwrap();
        let proxies = TrustedProxies::new(&["10.1.0.0/16".parse().unwrap(), "fd00::/8".parse().unwrap()]);
        let behind = |peer| client_of(ip(peer), ["9.9.9.9"].into_iter(), &proxies);
        assert_eq!(
            (behind("10.1.200.7"), behind("fd12::1"), behind("::ffff:10.1.0.1")),
            (ip("9.9.9.9"), ip("9.9.9.9"), ip("9.9.9.9"))
        );
        assert_eq!((behind("10.2.0.1"), behind("fe80::1")), (ip("10.2.0.1"), ip("fe80::1")));
    }
}
