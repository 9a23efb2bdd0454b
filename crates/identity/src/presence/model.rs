//! A socket that is open, and rules about it.

use atalaya_kernel::{CompanyId, SessionId, UserId};
use chrono::{DateTime, TimeDelta, Utc};

/// Seconds after its last heartbeat until a node's sockets are ignored.
pub const NODE_DEAD_S: i64 = 60;

/// Sockets one user may have open; the oldest goes for one more.
pub const SOCKETS_PER_USER: u64 = 20;

/// A socket that is open, on whichever node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenSocket {
    pub id: String,
    pub user: UserId,
    pub company: CompanyId,
    pub session: SessionId,
}

/// The oldest heartbeat of a node that still counts.
pub fn alive_since(now: DateTime<Utc>) -> DateTime<Utc> {
    now - TimeDelta::seconds(NODE_DEAD_S)
}
