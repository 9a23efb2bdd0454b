//! The relay: who has an allocation, what comes in, what goes out.

mod auth;
mod requests;

use crate::allocation::Allocation;
use crate::budget::Sources;
use crate::credentials::SharedSecret;
use crate::messages;
use crate::nonce::Nonces;
use std::collections::{HashMap, VecDeque};
use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};
use stun_types::message::{Message, MessageClass, MessageWriteVec};
use stun_types::prelude::*;
use turn_types::attribute::{Data, XorPeerAddress};
use turn_types::channel::ChannelData;
use turn_types::message as method;

/// How long a connection may stay without an allocation.
const INTRODUCTION: Duration = Duration::from_secs(10);
/// How often what has expired is removed.
const TICK: Duration = Duration::from_secs(1);
/// Connections waiting for an allocation; further ones are closed.
const MAX_STRANGERS: usize = 1_024;
const MAX_STRANGERS_OF_ADDRESS: usize = 64;

/// How a client reaches us.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Via {
    /// By datagrams to this address of ours.
    Udp(SocketAddr),
    /// By the connection of this number.
    Tcp(u64),
    /// As `Tcp`, inside the web server's TLS.
    Tls(u64),
}

impl Via {
    pub fn is_stream(self) -> bool {
        !matches!(self, Self::Udp(_))
    }
}

/// A client: one allocation at most (RFC 8656's 5-tuple).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Client {
    pub via: Via,
    pub address: SocketAddr,
}

/// Both clocks.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    pub now: Instant,
    /// Unix seconds.
    pub unix_s: i64,
}

/// How much one client, one address and all together may have (TURN-5).
#[derive(Debug, Clone)]
pub struct Limits {
    pub allocations: usize,
    pub allocations_of_subject: usize,
    pub allocations_of_address: usize,
    /// Of one allocation, each way.
    pub bytes_per_second: u32,
    /// To a source that has proved nothing.
    pub answers_per_second: u32,
    pub answers_burst: u32,
}

impl Limits {
    pub(crate) fn burst_bytes(&self) -> u32 {
        self.bytes_per_second
    }
}

impl Default for Limits {
    /// A browser makes one allocation for each of its networks and each address that it is offered, and new ones when it
    /// changes networks. The bytes are those of a call at 1080p with room to spare.
    fn default() -> Self {
        Self {
            allocations: 4_096,
            allocations_of_subject: 32,
            allocations_of_address: 512,
            bytes_per_second: 2_000_000,
            answers_per_second: 20,
            answers_burst: 100,
        }
    }
}

pub struct TurnConfig {
    /// The engine's own UDP addresses, the only ones that anything is relayed to.
    pub peers: Vec<SocketAddr>,
    pub secret: SharedSecret,
    /// Random, of this process.
    pub nonce_key: [u8; 32],
    pub limits: Limits,
}

/// What the caller has to do for clients.
#[derive(Debug, PartialEq, Eq)]
pub enum Output {
    Send {
        client: Client,
        bytes: Vec<u8>,
    },
    /// End the connection.
    Close {
        client: Client,
    },
}

/// A packet for the engine, which gets it as if it came from `relayed`.
#[derive(Debug, PartialEq, Eq)]
pub struct Relayed<'a> {
    pub relayed: SocketAddr,
    /// The engine's address that it is for.
    pub peer: SocketAddr,
    pub data: &'a [u8],
}

/// Counted since the start.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Stats {
    pub allocations_udp: u64,
    pub allocations_tcp: u64,
    pub allocations_tls: u64,
    /// Credentials that are wrong, expired or nobody's.
    pub refused_credentials: u64,
    /// Peers that are not the engine.
    pub refused_peers: u64,
    pub refused_quota: u64,
    /// Requests that got no answer, for their source had asked too often.
    pub unanswered: u64,
    pub bytes_up: u64,
    pub bytes_down: u64,
    /// Packets beyond an allocation's bandwidth.
    pub dropped: u64,
}

pub struct Server {
    config: TurnConfig,
    nonces: Nonces,
    sources: Sources,
    allocations: HashMap<Client, Allocation>,
    relayed: HashMap<SocketAddr, Client>,
    /// Connections without an allocation, and since when.
    strangers: HashMap<Client, Instant>,
    out: VecDeque<Output>,
    next_port: u16,
    next_tick: Instant,
    stats: Stats,
}

impl Server {
    pub fn new(config: TurnConfig, now: Instant) -> Self {
        let nonces = Nonces::new(&config.nonce_key);
        let sources = Sources::new(now, config.limits.answers_burst);
        Self {
            config,
            nonces,
            sources,
            allocations: HashMap::new(),
            relayed: HashMap::new(),
            strangers: HashMap::new(),
            out: VecDeque::new(),
            next_port: 0,
            next_tick: now + TICK,
            stats: Stats::default(),
        }
    }

    pub fn poll(&mut self) -> Option<Output> {
        self.out.pop_front()
    }

    pub fn stats(&self) -> Stats {
        self.stats
    }

    pub fn allocations(&self) -> usize {
        self.allocations.len()
    }

    /// Whether packets to this address are for one of our clients.
    pub fn owns(&self, address: SocketAddr) -> bool {
        self.relayed.contains_key(&address)
    }

    /// A connection that speaks TURN was opened.
    pub fn opened(&mut self, now: Instant, client: Client) {
        let theirs = self.strangers.keys().filter(|stranger| ip_of(**stranger) == ip_of(client)).count();
        if self.strangers.len() >= MAX_STRANGERS || theirs >= MAX_STRANGERS_OF_ADDRESS {
            return self.out.push_back(Output::Close { client });
        }
        self.strangers.insert(client, now);
    }

    /// A connection ended, and with it its allocation.
    pub fn closed(&mut self, client: Client) {
        self.strangers.remove(&client);
        self.end(client);
    }

    /// Who holds an allocation, once for each.
    pub fn holders(&self) -> impl Iterator<Item = &str> {
        self.allocations.values().map(|allocation| allocation.subject.as_str())
    }

    /// Ends the allocations of a subject that has left (TURN-6).
    pub fn end_subject(&mut self, now: Instant, subject: &str) {
        let theirs: Vec<Client> = self.allocations.iter().filter(|(_, a)| a.subject == subject).map(|(c, _)| *c).collect();
        theirs.into_iter().for_each(|client| self.let_go(now, client));
    }

    /// Removes what has expired. Call it at least every second.
    pub fn tick(&mut self, now: Instant) {
        if now < self.next_tick {
            return;
        }
        self.next_tick = now + TICK;
        let expired: Vec<Client> = self.allocations.iter().filter(|(_, a)| a.expires <= now).map(|(c, _)| *c).collect();
        expired.into_iter().for_each(|client| self.let_go(now, client));
        let out = &mut self.out;
        self.strangers.retain(|client, since| {
            let stays = now.saturating_duration_since(*since) < INTRODUCTION;
            if !stays {
                out.push_back(Output::Close { client: *client });
            }
            stays
        });
    }

    /// Bytes of a client: one datagram, or one message of its connection. `is_live` says whether a subject may relay now.
    pub fn receive<'a>(
        &mut self,
        at: Moment,
        client: Client,
        bytes: &'a [u8],
        is_live: &dyn Fn(&str) -> bool,
    ) -> Option<Relayed<'a>> {
        if bytes.first().is_some_and(|first| (0x40..0x50).contains(first)) {
            return self.channel_data(at.now, client, bytes);
        }
        let message = Message::from_bytes(bytes).ok()?;
        match message.class() {
            MessageClass::Request => self.request(at, client, &message, is_live),
            MessageClass::Indication if message.has_method(method::SEND) => return self.send(at.now, client, bytes, &message),
            _ => {}
        }
        None
    }

    /// A packet of the engine to a relayed address: to whom, and as what, it goes.
    pub fn send_to_client(
        &mut self,
        now: Instant,
        relayed: SocketAddr,
        peer: SocketAddr,
        data: &[u8],
    ) -> Option<(Client, Vec<u8>)> {
        let client = *self.relayed.get(&relayed)?;
        let allocation = self.allocations.get_mut(&client).filter(|a| now < a.expires)?;
        if !allocation.permits(now, peer.ip()) {
            return None;
        }
        if !allocation.may_receive(now, data.len(), &self.config.limits) {
            self.stats.dropped += 1;
            return None;
        }
        self.stats.bytes_down += data.len() as u64;
        let bytes = match allocation.channel_to(now, peer) {
            Some(channel) => channel_data(channel, data)?,
            None => data_indication(peer, data),
        };
        Some((client, if client.via.is_stream() { crate::pad(bytes) } else { bytes }))
    }

    fn channel_data<'a>(&mut self, now: Instant, client: Client, bytes: &'a [u8]) -> Option<Relayed<'a>> {
        let (channel, length) = ChannelData::parse_header(bytes).ok()?;
        // Datagrams may be padded as well.
        let data = bytes.get(4..4 + length)?;
        let peer = self.allocations.get(&client).filter(|a| now < a.expires)?.peer_of(now, channel)?;
        self.relay(now, client, peer, data)
    }

    /// A Send indication, which has no answer: what may not pass is dropped.
    fn send<'a>(&mut self, now: Instant, client: Client, bytes: &'a [u8], message: &Message<'_>) -> Option<Relayed<'a>> {
        let peer = messages::value::<XorPeerAddress>(message)?.addr(message.transaction_id());
        let data = data_of(bytes)?;
        if !self.is_peer(peer) {
            self.stats.refused_peers += 1;
            return None;
        }
        let permitted = self.allocations.get(&client).is_some_and(|a| now < a.expires && a.permits(now, peer.ip()));
        if permitted { self.relay(now, client, peer, data) } else { None }
    }

    fn relay<'a>(&mut self, now: Instant, client: Client, peer: SocketAddr, data: &'a [u8]) -> Option<Relayed<'a>> {
        let allocation = self.allocations.get_mut(&client)?;
        if !allocation.may_send(now, data.len(), &self.config.limits) {
            self.stats.dropped += 1;
            return None;
        }
        self.stats.bytes_up += data.len() as u64;
        Some(Relayed { relayed: allocation.relayed, peer, data })
    }

    /// Whether this is an address of the engine: the whole of it, for other ports of the same machine are none (TURN-2).
    fn is_peer(&self, address: SocketAddr) -> bool {
        self.config.peers.contains(&SocketAddr::new(address.ip().to_canonical(), address.port()))
    }

    /// Ends an allocation; its connection may ask for another one for a while.
    fn let_go(&mut self, now: Instant, client: Client) {
        self.end(client);
        if client.via.is_stream() {
            self.strangers.insert(client, now);
        }
    }

    fn end(&mut self, client: Client) {
        if let Some(allocation) = self.allocations.remove(&client) {
            self.relayed.remove(&allocation.relayed);
        }
    }

    /// Answers whoever has proved the credentials.
    fn answer(&mut self, client: Client, bytes: Vec<u8>) {
        self.out.push_back(Output::Send { client, bytes });
    }

    /// Answers somebody who has proved nothing (TURN-4).
    fn answer_stranger(&mut self, now: Instant, client: Client, bytes: Vec<u8>) {
        let limits = &self.config.limits;
        if self.sources.take(now, ip_of(client), limits.answers_per_second, limits.answers_burst) {
            self.out.push_back(Output::Send { client, bytes });
        } else {
            self.stats.unanswered += 1;
        }
    }
}

fn ip_of(client: Client) -> IpAddr {
    client.address.ip().to_canonical()
}

fn channel_data(channel: u16, data: &[u8]) -> Option<Vec<u8>> {
    let length = u16::try_from(data.len()).ok()?;
    let mut bytes = Vec::with_capacity(data.len() + 8);
    bytes.extend_from_slice(&channel.to_be_bytes());
    bytes.extend_from_slice(&length.to_be_bytes());
    bytes.extend_from_slice(data);
    Some(bytes)
}

fn data_indication(peer: SocketAddr, data: &[u8]) -> Vec<u8> {
    let mut message = Message::builder_indication(method::DATA, MessageWriteVec::with_capacity(data.len() + 64));
    let transaction = message.transaction_id();
    messages::add(&mut message, &XorPeerAddress::new(peer, transaction));
    messages::add(&mut message, &Data::new(data));
    message.finish()
}

/// The DATA attribute's bytes where they lie, so that media are not copied.
fn data_of(bytes: &[u8]) -> Option<&[u8]> {
    const DATA: [u8; 2] = [0x00, 0x13];
    let mut rest = bytes.get(20..)?;
    while let [a, b, high, low, ..] = *rest {
        let length = usize::from(u16::from_be_bytes([high, low]));
        if [a, b] == DATA {
            return rest.get(4..4 + length);
        }
        rest = rest.get(4 + length.next_multiple_of(4)..)?;
    }
    None
}
