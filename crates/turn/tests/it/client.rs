//! A client of the relay: asks, answers challenges, reads answers.

use atalaya_turn::{Client, Limits, Moment, Output, Server, SharedSecret, TurnConfig, Via};
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use stun_types::attribute::{ErrorCode, MessageIntegrity, Nonce, Realm, Username, XorMappedAddress};
use stun_types::message::{
    IntegrityAlgorithm, IntegrityKey, LongTermKeyCredentials, Message, MessageClass, MessageType, MessageWriteVec, Method,
    TransactionId,
};
use stun_types::prelude::*;
use turn_types::attribute::{ChannelNumber, Data, Lifetime, RequestedTransport, XorPeerAddress, XorRelayedAddress};
use turn_types::message as method;

pub const ENGINE: &str = "203.0.113.5:7882";
pub const ENGINE_V6: &str = "[2001:db8::5]:7882";
pub const LOCAL: &str = "203.0.113.5:7882";
pub const REALM: &str = "atalaya";
/// Who is in a call.
pub const LIVE: [&str; 2] = ["PA_alice", "PA_bob"];
const START_S: i64 = 1_800_000_000;

pub fn address(text: &str) -> SocketAddr {
    text.parse().expect("an address")
}

pub fn secret() -> SharedSecret {
    SharedSecret::new(b"a secret of the engine")
}

/// The relay and its clock.
pub struct World {
    pub server: Server,
    pub start: Instant,
    pub passed: Duration,
    pub live: Vec<&'static str>,
}

pub fn world() -> World {
    with(Limits::default(), &[ENGINE, ENGINE_V6])
}

pub fn with(limits: Limits, peers: &[&str]) -> World {
    let start = Instant::now();
    let peers = peers.iter().map(|p| address(p)).collect();
    let config = TurnConfig { peers, secret: secret(), nonce_key: [7; 32], limits };
    World { server: Server::new(config, start), start, passed: Duration::ZERO, live: LIVE.to_vec() }
}

/// An answer, read.
#[derive(Debug, Default)]
pub struct Answer {
    pub code: Option<u16>,
    pub size: usize,
    pub has_integrity: bool,
    pub nonce: Option<String>,
    pub mapped: Option<SocketAddr>,
    pub relayed: Option<SocketAddr>,
    pub lifetime_s: Option<u32>,
}

impl Answer {
    pub fn ok(&self) -> &Self {
        assert_eq!(self.code, None, "{self:?}");
        self
    }
}

impl World {
    pub fn at(&self) -> Moment {
        let passed_s = i64::try_from(self.passed.as_secs()).expect("a short test");
        Moment { now: self.start + self.passed, unix_s: START_S + passed_s }
    }

    pub fn wait(&mut self, seconds: u64) {
        self.passed += Duration::from_secs(seconds);
        let now = self.at().now;
        self.server.tick(now);
    }

    /// What the engine gets of these bytes: relayed address, peer, data.
    pub fn receive(&mut self, client: Client, bytes: &[u8]) -> Option<(SocketAddr, SocketAddr, Vec<u8>)> {
        let live = self.live.clone();
        let relayed = self.server.receive(self.at(), client, bytes, &|subject| live.contains(&subject))?;
        Some((relayed.relayed, relayed.peer, relayed.data.to_vec()))
    }

    pub fn sent(&mut self, to: Client) -> Option<Vec<u8>> {
        match self.server.poll()? {
            Output::Send { client, bytes } => {
                assert_eq!(client, to, "an answer to somebody else");
                Some(bytes)
            }
            Output::Close { client } => panic!("{client:?} was closed"),
        }
    }

    /// Sends a request and reads its answer.
    pub fn ask(&mut self, client: Client, bytes: &[u8], key: Option<&IntegrityKey>) -> Option<Answer> {
        assert_eq!(self.receive(client, bytes), None, "requests are not relayed");
        let answer = self.sent(client)?;
        let message = Message::from_bytes(&answer).expect("an answer can be read");
        let transaction = message.transaction_id();
        let has_integrity = message.has_attribute(MessageIntegrity::TYPE);
        if let (Some(key), true) = (key, has_integrity) {
            message.validate_integrity_with_key(key).expect("the answer is signed with the client's key");
        }
        Some(Answer {
            code: message.attribute::<ErrorCode>().ok().map(|e| e.code()),
            size: answer.len(),
            has_integrity,
            nonce: message.attribute::<Nonce>().ok().map(|n| n.nonce().to_owned()),
            mapped: message.attribute::<XorMappedAddress>().ok().map(|a| a.addr(transaction)),
            relayed: message.attribute::<XorRelayedAddress>().ok().map(|a| a.addr(transaction)),
            lifetime_s: message.attribute::<Lifetime>().ok().map(|l| l.seconds()),
        })
    }
}

/// One client with its credentials.
#[derive(Clone)]
pub struct Person {
    pub client: Client,
    pub username: String,
    pub password: String,
    pub realm: String,
    pub nonce: Option<String>,
}

impl Person {
    pub fn new(subject: &str, from: &str) -> Self {
        let issued = secret().issue(subject, START_S, 3_600);
        let client = Client { via: Via::Udp(address(LOCAL)), address: address(from) };
        Self { client, username: issued.username, password: issued.password, realm: REALM.into(), nonce: None }
    }

    pub fn by_tcp(mut self, connection: u64) -> Self {
        self.client.via = Via::Tcp(connection);
        self
    }

    pub fn key(&self) -> IntegrityKey {
        LongTermKeyCredentials::new(self.username.clone(), self.password.clone(), self.realm.clone())
            .make_key(IntegrityAlgorithm::Sha1)
    }

    /// A signed request of any shape.
    pub fn signed(&self, method: Method, transaction: TransactionId, attributes: &[&dyn AttributeWrite]) -> Vec<u8> {
        let kind = MessageType::from_class_method(MessageClass::Request, method);
        let mut message = Message::builder(kind, transaction, MessageWriteVec::new());
        for attribute in attributes {
            message.add_attribute(*attribute).expect("fits");
        }
        if let Some(nonce) = &self.nonce {
            message.add_attribute(&Username::new(&self.username).expect("short")).expect("fits");
            message.add_attribute(&Realm::new(&self.realm).expect("short")).expect("fits");
            message.add_attribute(&Nonce::new(nonce).expect("short")).expect("fits");
            message.add_message_integrity_with_key(&self.key(), IntegrityAlgorithm::Sha1).expect("fits");
        }
        message.finish()
    }

    pub fn ask(&self, world: &mut World, method: Method, attributes: &[&dyn AttributeWrite]) -> Answer {
        let bytes = self.signed(method, TransactionId::generate(), attributes);
        world.ask(self.client, &bytes, Some(&self.key())).expect("an answer")
    }

    /// Asks without credentials, takes the nonce.
    pub fn meet(&mut self, world: &mut World) {
        self.nonce = None;
        let answer = self.ask(world, method::ALLOCATE, &[&RequestedTransport::new(RequestedTransport::UDP)]);
        assert_eq!(answer.code, Some(401));
        self.nonce = answer.nonce;
    }

    pub fn allocate(&mut self, world: &mut World) -> Answer {
        self.meet(world);
        self.ask(world, method::ALLOCATE, &[&RequestedTransport::new(RequestedTransport::UDP)])
    }

    pub fn permit(&self, world: &mut World, peer: &str) -> Answer {
        self.peer(world, method::CREATE_PERMISSION, peer, &[])
    }

    pub fn bind(&self, world: &mut World, channel: u16, peer: &str) -> Answer {
        self.peer(world, method::CHANNEL_BIND, peer, &[&ChannelNumber::new(channel)])
    }

    fn peer(&self, world: &mut World, method: Method, peer: &str, more: &[&dyn AttributeWrite]) -> Answer {
        let transaction = TransactionId::generate();
        let peer = XorPeerAddress::new(address(peer), transaction);
        let mut attributes: Vec<&dyn AttributeWrite> = vec![&peer];
        attributes.extend(more);
        let bytes = self.signed(method, transaction, &attributes);
        world.ask(self.client, &bytes, Some(&self.key())).expect("an answer")
    }

    pub fn refresh(&self, world: &mut World, seconds: u32) -> Answer {
        self.ask(world, method::REFRESH, &[&Lifetime::new(seconds)])
    }
}

/// A Send indication.
pub fn indication(peer: &str, data: &[u8]) -> Vec<u8> {
    let mut message = Message::builder_indication(method::SEND, MessageWriteVec::new());
    let transaction = message.transaction_id();
    message.add_attribute(&XorPeerAddress::new(address(peer), transaction)).expect("fits");
    message.add_attribute(&Data::new(data)).expect("fits");
    message.finish()
}

pub fn channel_data(channel: u16, data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(data.len()).expect("short");
    [&channel.to_be_bytes()[..], &length.to_be_bytes(), data].concat()
}
