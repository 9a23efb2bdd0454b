//! The requests of clients: Allocate, Refresh, CreatePermission, ChannelBind, Binding.

use super::auth::Proved;
use super::{Client, Moment, Server, Via, ip_of};
use crate::allocation::Allocation;
use crate::messages::{add, refusal, seal, success, unknown, value};
use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};
use stun_types::AddressFamily;
use stun_types::attribute::{AttributeType, ErrorCode, Fingerprint, MessageIntegrity, Nonce, Realm, Username, XorMappedAddress};
use stun_types::message::{BINDING, Message, MessageWriteVec};
use stun_types::prelude::*;
use turn_types::attribute::{
    ChannelNumber, DontFragment, EvenPort, Lifetime, RequestedAddressFamily, RequestedTransport, ReservationToken,
    XorPeerAddress, XorRelayedAddress,
};
use turn_types::message as method;

const DEFAULT_LIFETIME_S: u32 = 600;
const MAX_LIFETIME_S: u32 = 3_600;
/// Channels that may be bound (RFC 8656, section 12).
const CHANNELS: std::ops::RangeInclusive<u16> = 0x4000..=0x4fff;
/// Relayed ports lie below the ports that systems give to their own sockets, so a client on this machine has none of them.
const FIRST_PORT: u16 = 16_384;
const PORTS: u16 = 8_192;

/// Attributes that a request must not carry unless they are here.
const KNOWN: &[AttributeType] = &[
    Username::TYPE,
    Realm::TYPE,
    Nonce::TYPE,
    MessageIntegrity::TYPE,
    Fingerprint::TYPE,
    ChannelNumber::TYPE,
    Lifetime::TYPE,
    XorPeerAddress::TYPE,
    RequestedAddressFamily::TYPE,
    EvenPort::TYPE,
    RequestedTransport::TYPE,
    DontFragment::TYPE,
    ReservationToken::TYPE,
];

type Answer = Result<MessageWriteVec, u16>;

impl Server {
    pub(super) fn request(&mut self, at: Moment, client: Client, message: &Message<'_>, is_live: &dyn Fn(&str) -> bool) {
        let is_ours =
            [method::ALLOCATE, method::REFRESH, method::CREATE_PERMISSION, method::CHANNEL_BIND].contains(&message.method());
        if message.has_method(BINDING) {
            let mut answer = success(message);
            add(&mut answer, &XorMappedAddress::new(mapped(client), message.transaction_id()));
            return self.answer_stranger(at.now, client, seal(message, answer, None));
        }
        if !is_ours {
            return self.answer_stranger(at.now, client, seal(message, refusal(message, ErrorCode::BAD_REQUEST), None));
        }
        let proved = match self.authenticate(at, client, message, is_live) {
            Ok(proved) => proved,
            Err(refusal) => return self.answer_stranger(at.now, client, seal(message, refusal, None)),
        };
        let foreign: Vec<AttributeType> = message
            .iter_attributes()
            .map(|(_, attribute)| attribute.get_type())
            .filter(|kind| kind.comprehension_required() && !KNOWN.contains(kind))
            .take(16)
            .collect();
        let answer = if foreign.is_empty() {
            self.perform(at.now, client, message, &proved).unwrap_or_else(|code| refusal(message, code))
        } else {
            unknown(message, &foreign)
        };
        self.answer(client, seal(message, answer, Some(&proved.key)));
    }

    fn perform(&mut self, now: Instant, client: Client, message: &Message<'_>, proved: &Proved) -> Answer {
        if message.has_method(method::ALLOCATE) {
            return self.allocate(now, client, message, proved);
        }
        let allocation = self.allocations.get(&client).filter(|a| now < a.expires).ok_or(ErrorCode::ALLOCATION_MISMATCH)?;
        if allocation.username != proved.username {
            return Err(ErrorCode::WRONG_CREDENTIALS);
        }
        match message.method() {
            method::REFRESH => self.refresh(now, client, message),
            method::CREATE_PERMISSION => self.permit(now, client, message),
            _ => self.bind_channel(now, client, message),
        }
    }

    fn allocate(&mut self, now: Instant, client: Client, message: &Message<'_>, proved: &Proved) -> Answer {
        if let Some(old) = self.allocations.get(&client).filter(|a| now < a.expires) {
            if old.transaction != message.transaction_id() || old.username != proved.username {
                return Err(ErrorCode::ALLOCATION_MISMATCH);
            }
            let left_s = old.expires.saturating_duration_since(now).as_secs();
            return Ok(allocated(client, message, old.relayed, u32::try_from(left_s).unwrap_or(MAX_LIFETIME_S)));
        }
        let transport = value::<RequestedTransport>(message).ok_or(ErrorCode::BAD_REQUEST)?;
        if transport.protocol() != RequestedTransport::UDP {
            return Err(ErrorCode::UNSUPPORTED_TRANSPORT_PROTOCOL);
        }
        let reserved = message.has_attribute(ReservationToken::TYPE);
        if reserved && (message.has_attribute(EvenPort::TYPE) || message.has_attribute(RequestedAddressFamily::TYPE)) {
            return Err(ErrorCode::BAD_REQUEST);
        }
        // Every port is an even one, so EVEN-PORT is granted; a second port is not kept for anybody.
        if reserved || value::<EvenPort>(message).is_some_and(|even| even.requested()) {
            return Err(ErrorCode::INSUFFICIENT_CAPACITY);
        }
        let relay_ip = self.relay_ip(message)?;
        self.check_quota(client, &proved.subject)?;
        let relayed = self.free_address(relay_ip).ok_or(ErrorCode::INSUFFICIENT_CAPACITY)?;
        let lifetime_s = lifetime_s(message);
        let lifetime = Duration::from_secs(u64::from(lifetime_s));
        self.end(client);
        let (limits, transaction) = (&self.config.limits, message.transaction_id());
        let allocation = Allocation::new(now, &proved.username, &proved.subject, relayed, lifetime, transaction, limits);
        self.allocations.insert(client, allocation);
        self.relayed.insert(relayed, client);
        self.strangers.remove(&client);
        match client.via {
            Via::Udp(_) => self.stats.allocations_udp += 1,
            Via::Tcp(_) => self.stats.allocations_tcp += 1,
            Via::Tls(_) => self.stats.allocations_tls += 1,
        }
        Ok(allocated(client, message, relayed, lifetime_s))
    }

    /// The relayed address's IP: one of the engine, of the family that was asked for. Whoever asks for none gets IPv4 if
    /// the engine has it (RFC 8656, section 7.2), else what it has, because nothing leaves by that address.
    fn relay_ip(&self, message: &Message<'_>) -> Result<IpAddr, u16> {
        let of = |v4: bool| self.config.peers.iter().map(SocketAddr::ip).find(|ip| ip.is_ipv4() == v4);
        if !message.has_attribute(RequestedAddressFamily::TYPE) {
            return of(true).or(of(false)).ok_or(ErrorCode::ADDRESS_FAMILY_NOT_SUPPORTED);
        }
        match value::<RequestedAddressFamily>(message).map(|wish| wish.family()) {
            Some(AddressFamily::IPV4) => of(true).ok_or(ErrorCode::ADDRESS_FAMILY_NOT_SUPPORTED),
            Some(AddressFamily::IPV6) => of(false).ok_or(ErrorCode::ADDRESS_FAMILY_NOT_SUPPORTED),
            None => Err(ErrorCode::ADDRESS_FAMILY_NOT_SUPPORTED),
        }
    }

    fn check_quota(&mut self, client: Client, subject: &str) -> Result<(), u16> {
        let limits = &self.config.limits;
        let theirs = self.allocations.values().filter(|a| a.subject == subject).count();
        let here = self.allocations.keys().filter(|c| ip_of(**c) == ip_of(client)).count();
        let code = if theirs >= limits.allocations_of_subject || here >= limits.allocations_of_address {
            ErrorCode::ALLOCATION_QUOTA_REACHED
        } else if self.allocations.len() >= limits.allocations {
            ErrorCode::INSUFFICIENT_CAPACITY
        } else {
            return Ok(());
        };
        self.stats.refused_quota += 1;
        Err(code)
    }

    fn free_address(&mut self, ip: IpAddr) -> Option<SocketAddr> {
        let free = (0..PORTS).map(|step| SocketAddr::new(ip, FIRST_PORT + 2 * ((self.next_port + step) % PORTS)));
        let address =
            free.into_iter().find(|address| !self.relayed.contains_key(address) && !self.config.peers.contains(address))?;
        self.next_port = ((address.port() - FIRST_PORT) / 2 + 1) % PORTS;
        Some(address)
    }

    fn refresh(&mut self, now: Instant, client: Client, message: &Message<'_>) -> Answer {
        let lifetime_s = match value::<Lifetime>(message) {
            Some(asked) if asked.seconds() == 0 => 0,
            _ => lifetime_s(message),
        };
        let allocation = self.allocations.get_mut(&client).ok_or(ErrorCode::ALLOCATION_MISMATCH)?;
        if let Some(wish) = value::<RequestedAddressFamily>(message)
            && (wish.family() == AddressFamily::IPV4) != allocation.relayed.is_ipv4()
        {
            return Err(ErrorCode::PEER_ADDRESS_FAMILY_MISMATCH);
        }
        allocation.expires = now + Duration::from_secs(u64::from(lifetime_s));
        if lifetime_s == 0 {
            self.let_go(now, client);
        }
        let mut answer = success(message);
        add(&mut answer, &Lifetime::new(lifetime_s));
        Ok(answer)
    }

    fn permit(&mut self, now: Instant, client: Client, message: &Message<'_>) -> Answer {
        let peers = message.iter_attributes().filter(|(_, raw)| raw.get_type() == XorPeerAddress::TYPE);
        let peers: Result<Vec<SocketAddr>, u16> = peers
            .map(|(_, raw)| XorPeerAddress::from_raw_ref(&raw).map(|peer| peer.addr(message.transaction_id())))
            .map(|peer| peer.map_err(|_| ErrorCode::BAD_REQUEST))
            .collect();
        let peers = peers?;
        if peers.is_empty() {
            return Err(ErrorCode::BAD_REQUEST);
        }
        // All or none (RFC 8656, section 10.2).
        peers.iter().try_for_each(|peer| self.check_peer(client, *peer))?;
        let allocation = self.allocations.get_mut(&client).ok_or(ErrorCode::ALLOCATION_MISMATCH)?;
        peers.iter().for_each(|peer| allocation.permit(now, peer.ip()));
        Ok(success(message))
    }

    fn bind_channel(&mut self, now: Instant, client: Client, message: &Message<'_>) -> Answer {
        let (Some(channel), Some(peer)) = (value::<ChannelNumber>(message), value::<XorPeerAddress>(message)) else {
            return Err(ErrorCode::BAD_REQUEST);
        };
        if !CHANNELS.contains(&channel.channel()) {
            return Err(ErrorCode::BAD_REQUEST);
        }
        let peer = peer.addr(message.transaction_id());
        self.check_peer(client, peer)?;
        let allocation = self.allocations.get_mut(&client).ok_or(ErrorCode::ALLOCATION_MISMATCH)?;
        allocation.bind(now, channel.channel(), peer).map_err(|_| ErrorCode::BAD_REQUEST)?;
        Ok(success(message))
    }

    /// The engine's own addresses of the allocation's family, and nothing else (TURN-2).
    fn check_peer(&mut self, client: Client, peer: SocketAddr) -> Result<(), u16> {
        if !self.is_peer(peer) {
            self.stats.refused_peers += 1;
            return Err(ErrorCode::FORBIDDEN);
        }
        let is_v4 = self.allocations.get(&client).is_some_and(|a| a.relayed.is_ipv4());
        if peer.is_ipv4() == is_v4 { Ok(()) } else { Err(ErrorCode::PEER_ADDRESS_FAMILY_MISMATCH) }
    }
}

fn allocated(client: Client, message: &Message<'_>, relayed: SocketAddr, lifetime_s: u32) -> MessageWriteVec {
    let mut answer = success(message);
    add(&mut answer, &XorRelayedAddress::new(relayed, message.transaction_id()));
    add(&mut answer, &Lifetime::new(lifetime_s));
    add(&mut answer, &XorMappedAddress::new(mapped(client), message.transaction_id()));
    answer
}

/// The client's address as it is seen from here.
fn mapped(client: Client) -> SocketAddr {
    SocketAddr::new(ip_of(client), client.address.port())
}

/// The lifetime that is granted, at least the default.
fn lifetime_s(message: &Message<'_>) -> u32 {
    value::<Lifetime>(message).map_or(DEFAULT_LIFETIME_S, |asked| asked.seconds().clamp(DEFAULT_LIFETIME_S, MAX_LIFETIME_S))
}
