//! ICE-TCP, passive (RFC 6544): for networks that block UDP. Bounded in connections, time and queue.

use super::framing::{Deframer, frame};
use super::streams::TurnDoor;
use atalaya_turn::begins_stream;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, mpsc};

/// Simultaneous connections, known or not.
const MAX_CONNECTIONS: usize = 512;
/// Packets waiting for one client; more are dropped, as a full network queue would.
const MAX_WAITING: usize = 512;
/// A connection that is silent for this long is closed.
const IDLE: Duration = Duration::from_secs(60);
/// A connection that has not named its participant within this time is closed.
const INTRODUCTION: Duration = Duration::from_secs(10);

pub(super) enum TcpEvent {
    Opened { peer: SocketAddr, writer: mpsc::Sender<Vec<u8>> },
    Packet { peer: SocketAddr, local: SocketAddr, bytes: Vec<u8> },
    Closed { peer: SocketAddr },
}

/// Accepts connections until the engine ends. Those that speak TURN go through `turn`.
pub(super) async fn accept(listener: TcpListener, events: mpsc::Sender<TcpEvent>, turn: Option<TurnDoor>) {
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let Ok(place) = places.clone().acquire_owned().await else {
            return;
        };
        let (stream, peer) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(e) => {
                tracing::warn!(error = %e, "a media connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        if events.is_closed() {
            return;
        }
        let (events, turn) = (events.clone(), turn.clone());
        tokio::spawn(async move {
            serve(stream, peer, &events, turn).await;
            drop(place);
        });
    }
}

async fn serve(mut stream: TcpStream, peer: SocketAddr, events: &mpsc::Sender<TcpEvent>, turn: Option<TurnDoor>) {
    let Ok(local) = stream.local_addr() else {
        return;
    };
    let _ = stream.set_nodelay(true);
    let Ok(Some((first, is_turn))) = tokio::time::timeout(INTRODUCTION, first_bytes(&mut stream)).await else {
        return;
    };
    match turn {
        Some(turn) if is_turn => turn.serve_tcp(stream, peer, &first).await,
        _ => serve_ice(stream, peer, local, events, first).await,
    }
}

/// The first bytes, as many as say whether the connection speaks TURN.
async fn first_bytes(stream: &mut TcpStream) -> Option<(Vec<u8>, bool)> {
    let mut bytes = Vec::with_capacity(256);
    loop {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
        if let Some(is_turn) = begins_stream(&bytes) {
            return Some((bytes, is_turn));
        }
    }
}

async fn serve_ice(stream: TcpStream, peer: SocketAddr, local: SocketAddr, events: &mpsc::Sender<TcpEvent>, first: Vec<u8>) {
    let (reader, writer) = stream.into_split();
    let (sender, queue) = mpsc::channel(MAX_WAITING);
    if events.send(TcpEvent::Opened { peer, writer: sender }).await.is_err() {
        return;
    }
    // The engine drops the queue's sender to end a connection; then the writer ends, and with it the reader.
    tokio::select! {
        () = write(writer, queue) => {}
        () = read(reader, peer, local, events, first) => {}
    }
    let _ = events.send(TcpEvent::Closed { peer }).await;
}

async fn write(mut writer: OwnedWriteHalf, mut queue: mpsc::Receiver<Vec<u8>>) {
    while let Some(packet) = queue.recv().await {
        if let Some(framed) = frame(&packet)
            && writer.write_all(&framed).await.is_err()
        {
            return;
        }
    }
}

async fn read(mut reader: OwnedReadHalf, peer: SocketAddr, local: SocketAddr, events: &mpsc::Sender<TcpEvent>, first: Vec<u8>) {
    let mut deframer = Deframer::default();
    let mut buffer = vec![0u8; 4_096];
    let mut patience = INTRODUCTION;
    let mut count = first.len();
    buffer[..count].copy_from_slice(&first);
    loop {
        let mut packets = Vec::new();
        let framed = deframer.push(&buffer[..count], |p| packets.push(p));
        for bytes in packets {
            patience = IDLE;
            if events.send(TcpEvent::Packet { peer, local, bytes }).await.is_err() {
                return;
            }
        }
        if framed.is_err() {
            return tracing::debug!("a connection on the media port sent no media");
        }
        count = match tokio::time::timeout(patience, reader.read(&mut buffer)).await {
            Ok(Ok(count)) if count > 0 => count,
            _ => return,
        };
    }
}

/// The open connections as the engine knows them.
#[derive(Default)]
pub(super) struct TcpPeers {
    peers: HashMap<SocketAddr, (mpsc::Sender<Vec<u8>>, bool)>,
    pub dropped: u64,
    pub refused: u64,
}

impl TcpPeers {
    pub fn opened(&mut self, peer: SocketAddr, writer: mpsc::Sender<Vec<u8>>) {
        self.peers.insert(peer, (writer, false));
    }

    pub fn closed(&mut self, peer: SocketAddr) {
        self.peers.remove(&peer);
    }

    /// Whether a packet of this connection is accepted: its first one must name a participant (`known`).
    pub fn admits(&mut self, peer: SocketAddr, known: impl FnOnce() -> bool) -> bool {
        match self.peers.get_mut(&peer) {
            None => false,
            Some((_, true)) => true,
            Some((_, introduced)) if known() => {
                *introduced = true;
                true
            }
            Some(_) => {
                self.peers.remove(&peer);
                self.refused += 1;
                if self.refused.is_power_of_two() {
                    tracing::info!(media.refused_connections = self.refused, "a media connection was for nobody");
                }
                false
            }
        }
    }

    pub fn send(&mut self, peer: SocketAddr, packet: Vec<u8>) {
        if let Some((writer, _)) = self.peers.get(&peer)
            && writer.try_send(packet).is_err()
        {
            self.dropped += 1;
        }
    }
}
