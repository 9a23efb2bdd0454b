//! Web push: devices that asked for it, and what is sent to them (SPEC §7 Push, RFC 8030, 8291, 8292).

pub(crate) mod http;

/// The server's VAPID key pair (RFC 8292).
#[derive(Clone, Debug)]
pub struct PushKeys {}
