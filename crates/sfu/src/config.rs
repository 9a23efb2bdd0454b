//! Settings of the engine.

use atalaya_turn::SharedSecret;
use secrecy::SecretString;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

/// TURN, for clients whose network lets nothing else through.
#[derive(Clone, Default)]
pub enum RelayConfig {
    #[default]
    Off,
    /// Ours, on the media ports. `tls`: the `host:port` whose TLS connections are handed to [`crate::TurnDoor`].
    BuiltIn { tls: Option<String> },
    /// Another server that knows the secret (coturn's `use-auth-secret`).
    External { urls: Vec<String>, secret: SecretString },
}

/// What a client is told about TURN, with credentials of its own.
#[derive(Clone)]
pub struct RelayOffer {
    pub urls: Vec<String>,
    pub secret: SharedSecret,
}

/// The relay for somebody who is in no call and only tries whether it is reached.
#[derive(Clone, PartialEq, Eq)]
pub enum RelayCheck {
    Off,
    /// Not ours: what it relays to is not ours to limit.
    Elsewhere,
    Try {
        urls: Vec<String>,
        username: String,
        password: String,
        expires_in_s: i64,
    },
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
    pub relay: RelayConfig,
    /// How long an empty room stays.
    pub empty_room_timeout: Duration,
}
