//! The engine's only contact with the world: sockets, time, threads. One thread runs one [`Hub`].
//!
//! Called by `engine`. *Invariant:* nothing here waits for a slow client, disk or listener; every queue is bounded.

mod addresses;
mod checks;
mod framing;
mod ports;
mod relay;
mod streams;
mod tcp;
mod udp;

pub(crate) use checks::{CHECK_S, subject as check_subject};
pub(crate) use ports::{Ports, bind};
pub(crate) use relay::plan;
pub(crate) use streams::StreamEvent;
pub use streams::TurnDoor;

use crate::events::EngineEvent;
use crate::hub::{Hub, HubOutput, JoinInput};
use crate::participant::ConnId;
use crate::recorder::WriterThread;
use crate::signal::encode_response;
use atalaya_turn::{Client, TurnConfig, Via, is_for_relay};
use livekit_protocol::signal_request;
use relay::Relay;
use std::collections::HashMap;
use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::task::Poll;
use std::time::Instant;
use str0m::net::{Protocol, Transmit};
use tcp::{TcpEvent, TcpPeers};
use tokio::sync::{mpsc, oneshot};
use udp::{Inbox, Port, Run};

/// Datagrams read in one turn before the rest of the work is done.
const READS_PER_TURN: usize = 256;
const COMMANDS_PER_TURN: usize = 64;
/// Packets of TCP clients waiting for the engine.
const TCP_WAITING: usize = 1_024;

/// What a websocket task has to send.
pub(crate) enum ToClient {
    Frame(Vec<u8>),
    Close(&'static str),
}

/// What runs on the engine's thread, with the hub in hand.
pub(crate) type Operation = Box<dyn FnOnce(&mut Hub, Instant) + Send>;

/// What the rest of the program asks of the engine's thread.
pub(crate) enum Command {
    Join {
        input: Box<JoinInput>,
        to_client: mpsc::Sender<ToClient>,
    },
    Signal {
        conn: ConnId,
        request: Box<signal_request::Message>,
    },
    SignalClosed {
        conn: ConnId,
    },
    /// An operation on the hub, with its own way to answer.
    Run(Operation),
    ShutDown(oneshot::Sender<()>),
}

pub(crate) struct Driver {
    pub hub: Hub,
    pub commands: mpsc::Receiver<Command>,
    pub events: mpsc::Sender<EngineEvent>,
    pub writer: WriterThread,
    pub ports: Ports,
    pub relay: Option<RelayParts>,
}

/// What the relay is made of.
pub(crate) struct RelayParts {
    pub config: TurnConfig,
    pub door: TurnDoor,
    pub inbox: mpsc::Receiver<StreamEvent>,
}

impl Driver {
    /// Runs until it is shut down or no handle is left. Call it on a thread of its own.
    pub fn run(self) {
        let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(e) => return tracing::error!(error = %e, "the media engine cannot run"),
        };
        if let Err(e) = runtime.block_on(self.serve()) {
            tracing::error!(error = %e, "the media engine stopped");
        }
    }

    async fn serve(self) -> io::Result<()> {
        let Self { hub, mut commands, events, writer, ports, relay } = self;
        let (relay, door, mut relay_inbox) = match relay {
            Some(parts) => (Some(Relay::new(parts.config)), Some(parts.door), parts.inbox),
            None => (None, None, mpsc::channel(1).1),
        };
        let mut sockets = Vec::new();
        for (socket, address) in ports.udp {
            sockets.push(Port::new(socket, address)?);
        }
        let (tcp_events, mut tcp_inbox) = mpsc::channel(TCP_WAITING);
        if let Some(listener) = ports.tcp {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            tokio::spawn(tcp::accept(listener, tcp_events.clone(), door));
        }
        let mut turn = Turn {
            hub,
            sockets,
            tcp: TcpPeers::default(),
            tcp_addresses: ports.tcp_addresses,
            clients: HashMap::new(),
            events,
            writer,
            relay,
            lost_events: 0,
            inbox: Inbox::default(),
            run: Run::empty(),
        };
        loop {
            let deadline = tokio::time::Instant::from_std(turn.hub.deadline());
            tokio::select! {
                biased;
                () = readable(&turn.sockets) => turn.read_udp(),
                Some(event) = tcp_inbox.recv() => turn.read_tcp(event, &mut tcp_inbox),
                Some(event) = relay_inbox.recv() => turn.read_streams(event, &mut relay_inbox),
                command = commands.recv() => match command {
                    None => break,
                    Some(Command::ShutDown(done)) => {
                        turn.shut_down();
                        let _ = done.send(());
                        return Ok(());
                    }
                    Some(command) => if let Some(done) = turn.obey(command, &mut commands) {
                        turn.shut_down();
                        let _ = done.send(());
                        return Ok(());
                    },
                },
                () = tokio::time::sleep_until(deadline) => {}
            }
            turn.finish_turn();
        }
        turn.shut_down();
        Ok(())
    }
}

async fn readable(sockets: &[Port]) {
    poll_fn(|cx| {
        let ready = sockets.iter().any(|s| s.poll_readable(cx).is_ready());
        if ready { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

struct Turn {
    hub: Hub,
    sockets: Vec<Port>,
    tcp: TcpPeers,
    tcp_addresses: Vec<SocketAddr>,
    clients: HashMap<ConnId, mpsc::Sender<ToClient>>,
    events: mpsc::Sender<EngineEvent>,
    writer: WriterThread,
    relay: Option<Relay>,
    lost_events: u64,
    inbox: Inbox,
    /// Datagrams about to leave together.
    run: Run,
}

impl Turn {
    /// Reads the sockets first, because late reading looks like a queue to the estimators. What has arrived together is
    /// forwarded together.
    fn read_udp(&mut self) {
        let mut reads = 0;
        for index in 0..self.sockets.len() {
            while reads < READS_PER_TURN {
                let address = self.sockets[index].address;
                // Empty datagrams count as well, or a flood of them would hold the turn.
                reads += 1;
                // An ICMP error of an earlier packet is reported here too; it can be ignored.
                match self.sockets[index].read(&mut self.inbox) {
                    Ok(()) => {
                        let now = Instant::now();
                        for (source, bytes) in self.inbox.datagrams() {
                            take_datagram(&mut self.hub, &mut self.relay, (source, address), bytes, now);
                            reads += 1;
                        }
                        self.flush();
                    }
                    Err(e) if e.kind() == io::ErrorKind::WouldBlock => break,
                    Err(_) => {}
                }
            }
        }
    }

    fn read_streams(&mut self, first: StreamEvent, inbox: &mut mpsc::Receiver<StreamEvent>) {
        let mut next = Some(first);
        for _ in 0..READS_PER_TURN {
            let (Some(event), Some(relay)) = (next.take(), &mut self.relay) else {
                break;
            };
            relay.stream(&mut self.hub, event);
            self.flush();
            next = inbox.try_recv().ok();
        }
    }

    fn read_tcp(&mut self, first: TcpEvent, inbox: &mut mpsc::Receiver<TcpEvent>) {
        let mut next = Some(first);
        for _ in 0..READS_PER_TURN {
            let Some(event) = next.take() else {
                break;
            };
            match event {
                TcpEvent::Opened { peer, writer } => self.tcp.opened(peer, writer),
                TcpEvent::Closed { peer } => self.tcp.closed(peer),
                TcpEvent::Packet { peer, local, bytes } => {
                    let hub = &self.hub;
                    if self.tcp.admits(peer, || hub.knows(&bytes)) {
                        let local = self.tcp_destination(local);
                        self.hub.datagram(Instant::now(), Protocol::Tcp, peer, local, &bytes);
                        self.flush();
                    }
                }
            }
            next = inbox.try_recv().ok();
        }
    }

    /// The announced address a connection came to; the first one behind NAT.
    fn tcp_destination(&self, local: SocketAddr) -> SocketAddr {
        let own = self.tcp_addresses.iter().find(|a| a.ip() == local.ip().to_canonical());
        own.or(self.tcp_addresses.first()).copied().unwrap_or(local)
    }

    /// Executes waiting commands; a shutdown among them is returned.
    fn obey(&mut self, first: Command, inbox: &mut mpsc::Receiver<Command>) -> Option<oneshot::Sender<()>> {
        let mut next = Some(first);
        for _ in 0..COMMANDS_PER_TURN {
            let now = Instant::now();
            match next.take()? {
                Command::Join { input, to_client } => {
                    self.clients.insert(input.conn, to_client);
                    if let Err(e) = self.hub.join(now, *input) {
                        tracing::info!(reason = %e, "a join was refused");
                    }
                }
                Command::Signal { conn, request } => self.hub.signal(now, conn, *request),
                Command::SignalClosed { conn } => {
                    self.clients.remove(&conn);
                    self.hub.signal_closed(now, conn);
                }
                Command::Run(operation) => operation(&mut self.hub, now),
                Command::ShutDown(done) => return Some(done),
            }
            self.flush();
            next = inbox.try_recv().ok();
        }
        None
    }

    fn finish_turn(&mut self) {
        let now = Instant::now();
        if self.hub.deadline() <= now {
            self.hub.tick(now);
        }
        if let Some(relay) = &mut self.relay {
            relay.tick(now, self.hub.unix_s());
        }
        self.flush();
    }

    /// Performs the hub's outputs.
    fn flush(&mut self) {
        while let Some(output) = self.hub.poll() {
            match output {
                HubOutput::Transmit(transmit) => self.transmit(transmit),
                HubOutput::Signal { conn, message } => self.tell_client(conn, ToClient::Frame(encode_response(*message))),
                HubOutput::CloseSignal { conn, reason } => {
                    self.tell_client(conn, ToClient::Close(reason));
                    self.clients.remove(&conn);
                }
                HubOutput::Event(event) => self.tell(event),
                HubOutput::Record(op) => self.writer.order(op),
            }
        }
        while let Some((local, address, bytes)) = self.relay.as_mut().and_then(Relay::next_datagram) {
            self.send_datagram(local, address, &bytes);
        }
        self.send_run();
    }

    fn transmit(&mut self, transmit: Transmit) {
        let Transmit { proto, source, destination, contents } = transmit;
        if proto != Protocol::Udp {
            return self.tcp.send(destination, contents.to_vec());
        }
        let Some(relay) = self.relay.as_mut().filter(|r| r.owns(destination)) else {
            return self.send_datagram(source, destination, &contents);
        };
        match relay.transmit(destination, source, &contents) {
            Some((Client { via: Via::Udp(local), address }, bytes)) => self.send_datagram(local, address, &bytes),
            Some((client, bytes)) => relay.write(client, bytes),
            None => {}
        }
    }

    /// Puts a datagram into the run that leaves next.
    fn send_datagram(&mut self, source: SocketAddr, destination: SocketAddr, bytes: &[u8]) {
        let longest = self.port(source).map_or(1, Port::longest_run);
        if !self.run.takes(source, destination, bytes, longest) {
            self.send_run();
            self.run.begin(source, destination, bytes);
        }
    }

    /// The socket of an announced address; the first one behind NAT.
    fn port(&self, address: SocketAddr) -> Option<&Port> {
        self.sockets.iter().find(|p| p.address == address).or(self.sockets.first())
    }

    fn send_run(&mut self) {
        if let Some(port) = self.port(self.run.source).filter(|_| !self.run.is_empty()) {
            port.send(&self.run);
        }
        self.run.clear();
    }

    /// A client that does not read loses its own signalling; the others keep theirs.
    fn tell_client(&mut self, conn: ConnId, message: ToClient) {
        let full = self.clients.get(&conn).is_some_and(|c| c.try_send(message).is_err());
        if full {
            self.clients.remove(&conn);
            self.hub.signal_closed(Instant::now(), conn);
        }
    }

    fn tell(&mut self, event: EngineEvent) {
        match &event {
            EngineEvent::ParticipantLeft { sid, .. } => {
                if let Some(relay) = &mut self.relay {
                    relay.left(sid);
                }
            }
            EngineEvent::RouteChanged { route, .. } => {
                metrics::counter!("media_routes_total", "route" => route.name()).increment(1);
            }
            _ => {}
        }
        if self.events.try_send(event).is_err() {
            self.lost_events += 1;
            if self.lost_events.is_power_of_two() {
                tracing::warn!(media.lost_events = self.lost_events, "nobody takes the engine's events");
            }
        }
    }

    fn shut_down(&mut self) {
        self.hub.shut_down(Instant::now());
        self.flush();
        self.writer.finish();
    }
}

/// Bytes for the relay, or for a peer. Relayed addresses are no sockets: nothing comes from them by the network.
fn take_datagram(
    hub: &mut Hub,
    relay: &mut Option<Relay>,
    (source, local): (SocketAddr, SocketAddr),
    bytes: &[u8],
    now: Instant,
) {
    match relay {
        Some(relay) if is_for_relay(bytes) => relay.receive(hub, Client { via: Via::Udp(local), address: source }, bytes),
        Some(relay) if relay.owns(source) => {}
        _ => hub.datagram(now, Protocol::Udp, source, local, bytes),
    }
}
