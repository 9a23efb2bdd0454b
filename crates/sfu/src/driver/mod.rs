//! The engine's only contact with the world: sockets, time, threads. One thread runs one [`Hub`].
//!
//! Called by `engine`. *Invariant:* nothing here waits for a slow client, disk or listener; every queue is bounded.

mod addresses;
mod framing;
mod ports;
mod tcp;

pub(crate) use ports::{Ports, bind};

use crate::events::EngineEvent;
use crate::hub::{Hub, HubOutput, JoinInput};
use crate::participant::ConnId;
use crate::recorder::WriterThread;
use crate::signal::encode_response;
use livekit_protocol::signal_request;
use std::collections::HashMap;
use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::task::Poll;
use std::time::Instant;
use str0m::net::{Protocol, Transmit};
use tcp::{TcpEvent, TcpPeers};
use tokio::net::UdpSocket;
use tokio::sync::{mpsc, oneshot};

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
        let Self { hub, mut commands, events, writer, ports } = self;
        let mut sockets = Vec::new();
        for (socket, address) in ports.udp {
            sockets.push((UdpSocket::from_std(socket)?, address));
        }
        let (tcp_events, mut tcp_inbox) = mpsc::channel(TCP_WAITING);
        if let Some(listener) = ports.tcp {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            tokio::spawn(tcp::accept(listener, tcp_events.clone()));
        }
        let mut turn = Turn {
            hub,
            sockets,
            tcp: TcpPeers::default(),
            tcp_addresses: ports.tcp_addresses,
            clients: HashMap::new(),
            events,
            writer,
            lost_events: 0,
            buffer: vec![0; 2_048],
        };
        loop {
            let deadline = tokio::time::Instant::from_std(turn.hub.deadline());
            tokio::select! {
                biased;
                () = readable(&turn.sockets) => turn.read_udp(),
                Some(event) = tcp_inbox.recv() => turn.read_tcp(event, &mut tcp_inbox),
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

async fn readable(sockets: &[(UdpSocket, SocketAddr)]) {
    poll_fn(|cx| {
        let ready = sockets.iter().any(|(s, _)| s.poll_recv_ready(cx).is_ready());
        if ready { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

struct Turn {
    hub: Hub,
    sockets: Vec<(UdpSocket, SocketAddr)>,
    tcp: TcpPeers,
    tcp_addresses: Vec<SocketAddr>,
    clients: HashMap<ConnId, mpsc::Sender<ToClient>>,
    events: mpsc::Sender<EngineEvent>,
    writer: WriterThread,
    lost_events: u64,
    buffer: Vec<u8>,
}

impl Turn {
    /// Reads the sockets first, because late reading looks like a queue to the estimators.
    fn read_udp(&mut self) {
        let mut reads = 0;
        for index in 0..self.sockets.len() {
            while reads < READS_PER_TURN {
                let (socket, address) = &self.sockets[index];
                let address = *address;
                // An ICMP error of an earlier packet is reported here too; it can be ignored.
                match socket.try_recv_from(&mut self.buffer) {
                    Ok((count, source)) => {
                        let bytes = std::mem::take(&mut self.buffer);
                        self.hub.datagram(Instant::now(), Protocol::Udp, source, address, &bytes[..count]);
                        self.buffer = bytes;
                        self.flush();
                    }
                    Err(e) if e.kind() == io::ErrorKind::WouldBlock => break,
                    Err(_) => {}
                }
                reads += 1;
            }
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
    }

    fn transmit(&mut self, transmit: Transmit) {
        if transmit.proto == Protocol::Udp {
            let own = self.sockets.iter().find(|(_, a)| *a == transmit.source).or(self.sockets.first());
            if let Some((socket, _)) = own {
                // A full socket buffer loses the packet, as any network may.
                let _ = socket.try_send_to(&transmit.contents, transmit.destination);
            }
        } else {
            self.tcp.send(transmit.destination, transmit.contents.to_vec());
        }
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
