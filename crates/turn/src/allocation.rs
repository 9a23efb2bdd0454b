//! One allocation: a client's relayed address, and what may pass through it.

use crate::budget::Budget;
use crate::server::Limits;
use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};
use stun_types::message::TransactionId;

/// How long a permission lasts (RFC 8656, section 9).
const PERMISSION: Duration = Duration::from_secs(300);
/// How long a binding of a channel lasts (section 12).
const CHANNEL: Duration = Duration::from_secs(600);

pub(crate) struct Allocation {
    pub username: String,
    /// Whom the credentials were issued for.
    pub subject: String,
    pub relayed: SocketAddr,
    pub expires: Instant,
    /// Of the request that made it; a retransmission gets the same answer.
    pub transaction: TransactionId,
    permissions: Vec<(IpAddr, Instant)>,
    channels: Vec<(u16, SocketAddr, Instant)>,
    up: Budget,
    down: Budget,
}

/// Why a channel cannot be bound.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ChannelTaken;

impl Allocation {
    pub fn new(
        now: Instant,
        username: &str,
        subject: &str,
        relayed: SocketAddr,
        lifetime: Duration,
        transaction: TransactionId,
        limits: &Limits,
    ) -> Self {
        Self {
            username: username.to_owned(),
            subject: subject.to_owned(),
            relayed,
            expires: now + lifetime,
            transaction,
            permissions: Vec::new(),
            channels: Vec::new(),
            up: Budget::new(now, limits.burst_bytes()),
            down: Budget::new(now, limits.burst_bytes()),
        }
    }

    /// Lets packets of this address pass. Only addresses of the engine get here, so the list is short.
    pub fn permit(&mut self, now: Instant, peer: IpAddr) {
        let until = now + PERMISSION;
        match self.permissions.iter_mut().find(|(ip, _)| *ip == peer) {
            Some((_, at)) => *at = until,
            None => self.permissions.push((peer, until)),
        }
    }

    pub fn permits(&self, now: Instant, peer: IpAddr) -> bool {
        self.permissions.iter().any(|(ip, until)| *ip == peer && now < *until)
    }

    /// Binds a channel to a peer, or renews the binding; it permits the peer as well.
    pub fn bind(&mut self, now: Instant, channel: u16, peer: SocketAddr) -> Result<(), ChannelTaken> {
        self.channels.retain(|(_, _, until)| now < *until);
        let other = self.channels.iter().any(|(c, p, _)| (*c == channel) != (*p == peer));
        if other {
            return Err(ChannelTaken);
        }
        let until = now + CHANNEL;
        match self.channels.iter_mut().find(|(c, ..)| *c == channel) {
            Some((.., at)) => *at = until,
            None => self.channels.push((channel, peer, until)),
        }
        self.permit(now, peer.ip());
        Ok(())
    }

    pub fn peer_of(&self, now: Instant, channel: u16) -> Option<SocketAddr> {
        self.channels.iter().find(|(c, _, until)| *c == channel && now < *until).map(|(_, peer, _)| *peer)
    }

    pub fn channel_to(&self, now: Instant, peer: SocketAddr) -> Option<u16> {
        self.channels.iter().find(|(_, p, until)| *p == peer && now < *until).map(|(channel, ..)| *channel)
    }

    /// Whether the way from the client still has room for these bytes.
    pub fn may_send(&mut self, now: Instant, bytes: usize, limits: &Limits) -> bool {
        self.up.take(now, bytes, limits.bytes_per_second, limits.burst_bytes())
    }

    /// Whether the way to the client still has room for these bytes.
    pub fn may_receive(&mut self, now: Instant, bytes: usize, limits: &Limits) -> bool {
        self.down.take(now, bytes, limits.bytes_per_second, limits.burst_bytes())
    }
}
