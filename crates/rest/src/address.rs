//! Where a request comes from: the peer, or what a proxy we trust says about it.

use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::Response;
use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

/// The caller's address. For rate limits and the evidence log; never for our own logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);

/// Proxies whose `X-Forwarded-For` is believed.
#[derive(Clone, Debug, Default)]
pub struct TrustedProxies(pub Arc<[IpAddr]>);

impl<S: Send + Sync> FromRequestParts<S> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get::<Self>().copied().unwrap_or(Self(IpAddr::V4(Ipv4Addr::UNSPECIFIED))))
    }
}

/// What one subscriber has: an IPv4 address, or the /64 network of an IPv6 one. Limits count by it.
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
        let address = client_of(peer.ip(), forwarded, &trusted.0);
        req.extensions_mut().insert(ClientAddress(address));
    }
    next.run(req).await
}

/// Walks the chain from our side; the first hop that is not one of our proxies is the client.
fn client_of<'a>(peer: IpAddr, forwarded: impl Iterator<Item = &'a str>, trusted: &[IpAddr]) -> IpAddr {
    let chain: Vec<&str> = forwarded.flat_map(|line| line.split(',')).map(str::trim).collect();
    let mut client = peer.to_canonical();
    for hop in chain.into_iter().rev() {
        if !trusted.contains(&client) {
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

    #[test]
    fn only_trusted_proxies_are_believed() {
        let ip = |s: &str| s.parse::<IpAddr>().unwrap();
        let proxies = [ip("10.0.0.1"), ip("10.0.0.2")];
        assert_eq!(client_of(ip("1.2.3.4"), ["9.9.9.9"].into_iter(), &proxies), ip("1.2.3.4"));
        assert_eq!(client_of(ip("10.0.0.1"), ["6.6.6.6, 9.9.9.9, 10.0.0.2"].into_iter(), &proxies), ip("9.9.9.9"));
        assert_eq!(client_of(ip("10.0.0.1"), ["junk"].into_iter(), &proxies), ip("10.0.0.1"));
        assert_eq!(client_of(ip("::ffff:1.2.3.4"), [].into_iter(), &[]), ip("1.2.3.4"));
    }
}
