//! The media ports: which sockets are bound, and which addresses are announced to the clients.

use super::addresses::interface_addresses;
use crate::config::EngineConfig;
use crate::error::EngineError;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, UdpSocket};
use str0m::Candidate;
use str0m::net::TcpType;

/// Bound sockets and their announced addresses.
pub(crate) struct Ports {
    /// A socket and the announced address that its datagrams count as arriving at.
    pub udp: Vec<(UdpSocket, SocketAddr)>,
    pub tcp: Option<TcpListener>,
    pub tcp_addresses: Vec<SocketAddr>,
    pub candidates: Vec<Candidate>,
    announced: Vec<IpAddr>,
    pub port: u16,
}

impl Ports {
    /// The engine's UDP addresses as clients know them, candidates of the engine.
    pub fn announced_udp(&self) -> Vec<SocketAddr> {
        self.announced.iter().map(|ip| SocketAddr::new(*ip, self.port)).collect()
    }
}

/// Binds everything. Errors: `MEDIA_PORT_UNAVAILABLE`, `MEDIA_NO_ADDRESS`.
pub(crate) fn bind(config: &EngineConfig) -> Result<Ports, EngineError> {
    let announced = announced(config);
    let first = *announced.first().ok_or(EngineError::NoAddress)?;
    let (udp, tcp) = bind_both(config, &announced)?;
    let port = udp.first().map(|(_, a)| a.port()).unwrap_or(config.udp_bind.port());
    let tcp_port = tcp.as_ref().and_then(|t| t.local_addr().ok()).map(|a| a.port());
    let tcp_addresses: Vec<SocketAddr> =
        tcp_port.map(|port| announced.iter().map(|ip| SocketAddr::new(*ip, port)).collect()).unwrap_or_default();
    let mut candidates: Vec<Candidate> = Vec::new();
    candidates.extend(announced.iter().filter_map(|ip| Candidate::host(SocketAddr::new(*ip, port), "udp").ok()));
    candidates
        .extend(tcp_addresses.iter().filter_map(|a| Candidate::builder().tcp().host(*a).tcptype(TcpType::Passive).build().ok()));
    tracing::info!(media.port = port, media.address = %first, media.tcp = tcp.is_some(), "media ports are open");
    Ok(Ports { udp, tcp, tcp_addresses, candidates, announced, port })
}

fn announced(config: &EngineConfig) -> Vec<IpAddr> {
    if !config.announce.is_empty() {
        return config.announce.clone();
    }
    let bind = config.udp_bind.ip();
    if !bind.is_unspecified() {
        return vec![bind];
    }
    // 127.0.0.1 comes last, because Firefox does not connect to it (ENGINE-9).
    let mut own = interface_addresses();
    own.retain(|ip| ip.is_ipv4() || bind.is_ipv6());
    own.push(IpAddr::V4(Ipv4Addr::LOCALHOST));
    own
}

type UdpSockets = Vec<(UdpSocket, SocketAddr)>;
type BindUdp = fn(SocketAddr, &[IpAddr]) -> Result<UdpSockets, EngineError>;

/// UDP and TCP share one number. Where the system chooses it, another process may hold that number for TCP or at another
/// of our addresses, so another number is tried.
fn bind_both(config: &EngineConfig, announced: &[IpAddr]) -> Result<(UdpSockets, Option<TcpListener>), EngineError> {
    let bind = config.udp_bind;
    let attempts = if bind.port() == 0 { 8 } else { 1 };
    let ways: &[BindUdp] = if bind.ip().is_unspecified() { &[bind_each, bind_one] } else { &[bind_one] };
    let mut result = Err(EngineError::NoAddress);
    for bind_udp in ways.iter().flat_map(|way| std::iter::repeat_n(way, attempts)) {
        result = bind_udp(bind, announced).and_then(|udp| {
            let port = udp.first().map(|(_, a)| a.port()).unwrap_or(bind.port());
            let tcp = config.tcp_bind.map(|bind| listen(bind, port)).transpose()?;
            Ok((udp, tcp))
        });
        if result.is_ok() {
            break;
        }
    }
    result
}

/// One socket per announced address, so that answers leave from the address they were sent to.
fn bind_each(bind: SocketAddr, announced: &[IpAddr]) -> Result<UdpSockets, EngineError> {
    let mut port = bind.port();
    let mut sockets = Vec::new();
    for ip in announced {
        let socket = socket_at(SocketAddr::new(*ip, port))?;
        let address = socket.local_addr().map_err(EngineError::Bind)?;
        port = address.port();
        sockets.push((socket, address));
    }
    Ok(sockets)
}

/// A single socket on the bind address, for an announced address that is not the machine's own (1:1 NAT).
fn bind_one(bind: SocketAddr, announced: &[IpAddr]) -> Result<UdpSockets, EngineError> {
    let socket = socket_at(bind)?;
    let port = socket.local_addr().map_err(EngineError::Bind)?.port();
    let first = *announced.first().ok_or(EngineError::NoAddress)?;
    Ok(vec![(socket, SocketAddr::new(first, port))])
}

fn socket_at(address: SocketAddr) -> Result<UdpSocket, EngineError> {
    let socket = UdpSocket::bind(address).map_err(EngineError::Bind)?;
    socket.set_nonblocking(true).map_err(EngineError::Bind)?;
    Ok(socket)
}

fn listen(bind: SocketAddr, udp_port: u16) -> Result<TcpListener, EngineError> {
    let port = if bind.port() == 0 { udp_port } else { bind.port() };
    let listener = TcpListener::bind(SocketAddr::new(bind.ip(), port)).map_err(EngineError::Bind)?;
    listener.set_nonblocking(true).map_err(EngineError::Bind)?;
    Ok(listener)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::RelayConfig;
    use std::time::Duration;

    fn config(udp_bind: &str, announce: &[&str]) -> EngineConfig {
        EngineConfig {
            udp_bind: udp_bind.parse().expect("an address"),
            tcp_bind: Some("127.0.0.1:0".parse().expect("an address")),
            announce: announce.iter().map(|a| a.parse().expect("an address")).collect(),
            api_key: "k".into(),
            api_secret: "s".to_string().into(),
            relay: RelayConfig::Off,
            empty_room_timeout: Duration::from_secs(1),
        }
    }

    // ENGINE-9
    #[test]
    fn loopback_is_announced_last_and_tcp_takes_the_udp_number() {
        let ports = bind(&config("0.0.0.0:0", &[])).expect("free ports");
        let addresses: Vec<IpAddr> = ports.udp.iter().map(|(_, a)| a.ip()).collect();
        assert_eq!(addresses.last(), Some(&IpAddr::V4(Ipv4Addr::LOCALHOST)));
        assert!(ports.tcp_addresses.iter().all(|a| a.port() == ports.port));
        assert_eq!(ports.candidates.len(), addresses.len() * 2);
    }

    // ENGINE-9
    #[test]
    fn an_address_behind_nat_is_announced_without_being_bound() {
        let ports = bind(&config("0.0.0.0:0", &["203.0.113.7"])).expect("free ports");
        assert_eq!(ports.udp.len(), 1);
        assert_eq!(ports.udp[0].1, SocketAddr::new("203.0.113.7".parse().expect("an address"), ports.port));
    }
}
