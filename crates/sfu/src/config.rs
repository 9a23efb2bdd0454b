//! Settings of the engine.

use secrecy::SecretString;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

/// A STUN or TURN server handed to the clients.
#[derive(Clone, Default)]
pub struct IceServer {
    pub urls: Vec<String>,
    pub username: String,
    pub credential: String,
}

/// Settings of the embedded engine.
#[derive(Clone)]
pub struct EngineConfig {
    /// The one UDP port for everybody; an unspecified address binds every announced one.
    pub udp_bind: SocketAddr,
    /// Where ICE-TCP (RFC 6544, passive) is accepted; port 0 takes the number of the UDP port.
    pub tcp_bind: Option<SocketAddr>,
    /// Addresses announced to the clients; empty = the machine's own, and 127.0.0.1 last (ENGINE-9).
    pub announce: Vec<IpAddr>,
    pub api_key: String,
    pub api_secret: SecretString,
    pub ice_servers: Vec<IceServer>,
    /// How long an empty room stays.
    pub empty_room_timeout: Duration,
}
