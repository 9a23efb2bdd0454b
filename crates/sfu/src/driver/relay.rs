//! TURN on the engine's ports (docs/rules/turn.md): which bytes are for it, whom it answers, what it counts.

use super::checks::Checks;
use super::streams::StreamEvent;
use crate::config::{EngineConfig, RelayConfig, RelayOffer};
use crate::events::Route;
use crate::hub::Hub;
use atalaya_kernel::Sources;
use atalaya_turn::{Client, Limits, Moment, Output, Server, SharedSecret, Stats, TurnConfig, Via};
use secrecy::ExposeSecret;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// How often the numbers are told.
const COUNT: Duration = Duration::from_secs(1);

/// The relay of this engine, if it has one, and what clients are told.
pub(crate) fn plan(
    config: &EngineConfig,
    udp: &[SocketAddr],
    tcp: &[SocketAddr],
    sources: &Sources,
) -> (Option<TurnConfig>, Option<RelayOffer>) {
    match &config.relay {
        RelayConfig::Off => (None, None),
        RelayConfig::External { urls, secret } => {
            let secret = SharedSecret::new(secret.expose_secret().as_bytes());
            (None, Some(RelayOffer { urls: urls.clone(), secret }))
        }
        RelayConfig::BuiltIn { tls } => {
            // A key of its own: what signs tokens signs nothing else.
            let secret = SharedSecret::new(format!("turn:{}", config.api_secret.expose_secret()).as_bytes());
            let turn =
                TurnConfig { peers: udp.to_vec(), secret: secret.clone(), nonce_key: sources.bytes(), limits: Limits::default() };
            (Some(turn), Some(RelayOffer { urls: urls(tcp, tls.as_deref()), secret }))
        }
    }
}

/// One address of each family by TCP and one by TLS: a browser makes an allocation for each, from each network.
///
/// UDP is answered and not offered. Where it works, the way to the engine does, by the same port. And Chromium takes all that
/// comes from the address of a TURN server for TURN's, so that the direct way to that address would be dead.
fn urls(tcp: &[SocketAddr], tls: Option<&str>) -> Vec<String> {
    let first = |v4: bool| tcp.iter().find(move |a| a.is_ipv4() == v4);
    let by_tcp = [first(true), first(false)].into_iter().flatten().map(|a| format!("turn:{a}?transport=tcp"));
    let by_tls = tls.into_iter().map(|host| format!("turns:{host}?transport=tcp"));
    by_tcp.chain(by_tls).collect()
}

/// The relay at work.
pub(super) struct Relay {
    server: Server,
    streams: HashMap<Via, mpsc::Sender<Vec<u8>>>,
    next_count: Instant,
    checks: Checks,
}

impl Relay {
    pub fn new(config: TurnConfig) -> Self {
        let now = Instant::now();
        Self { server: Server::new(config, now), streams: HashMap::new(), next_count: now, checks: Checks::default() }
    }

    pub fn owns(&self, address: SocketAddr) -> bool {
        self.server.owns(address)
    }

    /// A message of a client. What it relays goes to the hub as a datagram from the relayed address.
    pub fn receive(&mut self, hub: &mut Hub, client: Client, bytes: &[u8]) {
        let at = Moment { now: Instant::now(), unix_s: hub.unix_s() };
        let server = &mut self.server;
        let checks = &self.checks;
        let is_live = |sid: &str| checks.admits(sid, at.unix_s) || hub.has_participant(sid);
        // A library reads these bytes; a panic there costs this message and nothing else.
        let relayed = catch_unwind(AssertUnwindSafe(|| server.receive(at, client, bytes, &is_live))).unwrap_or_default();
        if let Some(relayed) = relayed {
            hub.relayed(at.now, route(client.via), relayed.relayed, relayed.peer, relayed.data);
        }
    }

    /// A packet of the engine to a relayed address.
    pub fn transmit(&mut self, relayed: SocketAddr, from: SocketAddr, bytes: &[u8]) -> Option<(Client, Vec<u8>)> {
        self.server.send_to_client(Instant::now(), relayed, from, bytes)
    }

    pub fn stream(&mut self, hub: &mut Hub, event: StreamEvent) {
        match event {
            StreamEvent::Opened { client, writer } => {
                self.streams.insert(client.via, writer);
                self.server.opened(Instant::now(), client);
            }
            StreamEvent::Message { client, bytes } if self.streams.contains_key(&client.via) => self.receive(hub, client, &bytes),
            StreamEvent::Message { .. } => {}
            StreamEvent::Closed { client } => {
                self.streams.remove(&client.via);
                self.server.closed(client);
            }
        }
    }

    /// A participant has left, and with it its right to relay (TURN-6).
    pub fn left(&mut self, sid: &str) {
        self.server.end_subject(Instant::now(), sid);
    }

    /// The next answer that leaves by a datagram; those of connections are sent here.
    pub fn next_datagram(&mut self) -> Option<(SocketAddr, SocketAddr, Vec<u8>)> {
        while let Some(output) = self.server.poll() {
            match output {
                Output::Send { client: Client { via: Via::Udp(local), address }, bytes } => return Some((local, address, bytes)),
                Output::Send { client, bytes } => self.write(client, bytes),
                Output::Close { client } => drop(self.streams.remove(&client.via)),
            }
        }
        None
    }

    /// Queues bytes for a connection; a full queue loses them, as a network would.
    pub fn write(&self, client: Client, bytes: Vec<u8>) {
        if let Some(writer) = self.streams.get(&client.via) {
            let _ = writer.try_send(bytes);
        }
    }

    pub fn tick(&mut self, now: Instant, unix_s: i64) {
        self.server.tick(now);
        if now >= self.next_count {
            self.next_count = now + COUNT;
            for over in self.checks.look(self.server.holders(), unix_s) {
                self.server.end_subject(now, &over);
            }
            count(&self.server.stats(), self.server.allocations());
        }
    }
}

fn route(via: Via) -> Route {
    match via {
        Via::Udp(_) => Route::RelayUdp,
        Via::Tcp(_) => Route::RelayTcp,
        Via::Tls(_) => Route::RelayTls,
    }
}

/// The relay's numbers as metrics; labels have few values.
fn count(stats: &Stats, allocations: usize) {
    for (by, value) in [("udp", stats.allocations_udp), ("tcp", stats.allocations_tcp), ("tls", stats.allocations_tls)] {
        metrics::counter!("turn_allocations_total", "transport" => by).absolute(value);
    }
    for (reason, value) in [
        ("credentials", stats.refused_credentials),
        ("peer", stats.refused_peers),
        ("quota", stats.refused_quota),
        ("pace", stats.unanswered),
        ("bandwidth", stats.dropped),
    ] {
        metrics::counter!("turn_refused_total", "reason" => reason).absolute(value);
    }
    for (direction, value) in [("up", stats.bytes_up), ("down", stats.bytes_down)] {
        metrics::counter!("turn_bytes_total", "direction" => direction).absolute(value);
    }
    metrics::gauge!("turn_allocations").set(allocations as f64);
}

#[cfg(test)]
mod tests {
    use super::*;

    // TURN-1
    #[test]
    fn one_address_of_each_family_is_offered_by_tcp_and_one_by_tls() {
        let parse = |list: &[&str]| list.iter().map(|a| a.parse().expect("an address")).collect::<Vec<SocketAddr>>();
        let tcp = parse(&["192.0.2.2:7882", "10.0.0.1:7882", "[2001:db8::5]:7882", "127.0.0.1:7882"]);
        let expected = [
            "turn:192.0.2.2:7882?transport=tcp",
            "turn:[2001:db8::5]:7882?transport=tcp",
            "turns:atalaya.example:443?transport=tcp",
        ];
        assert_eq!(urls(&tcp, Some("atalaya.example:443")), expected);
        assert!(urls(&[], None).is_empty());
    }
}
