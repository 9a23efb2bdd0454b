//! Connections that speak TURN: on the media port, and those that the web server hands over from inside its TLS.

use atalaya_turn::{Client, Deframer, Via};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadHalf, WriteHalf};
use tokio::sync::{Semaphore, mpsc};

/// Simultaneous connections.
const MAX_CONNECTIONS: usize = 1_024;
/// Packets waiting for one client; more are dropped, as a full network queue would.
const MAX_WAITING: usize = 512;
/// Bytes written at once.
const MAX_WRITE: usize = 16 * 1_024;
/// A connection that is silent for longer than any allocation lasts is closed.
const IDLE: Duration = Duration::from_secs(3_660);

pub(crate) enum StreamEvent {
    Opened { client: Client, writer: mpsc::Sender<Vec<u8>> },
    Message { client: Client, bytes: Vec<u8> },
    Closed { client: Client },
}

/// Where the web server hands over connections that speak TURN.
#[derive(Clone)]
pub struct TurnDoor {
    events: mpsc::Sender<StreamEvent>,
    ids: Arc<AtomicU64>,
    places: Arc<Semaphore>,
}

impl TurnDoor {
    pub(crate) fn new(events: mpsc::Sender<StreamEvent>) -> Self {
        Self { events, ids: Arc::new(AtomicU64::new(1)), places: Arc::new(Semaphore::new(MAX_CONNECTIONS)) }
    }

    /// Carries a connection inside TLS until either side ends it. `first`: what was read of it already.
    pub async fn serve_tls(&self, stream: impl AsyncRead + AsyncWrite + Send, peer: SocketAddr, first: &[u8]) {
        let client = Client { via: Via::Tls(self.next_id()), address: peer };
        self.serve(stream, client, first).await;
    }

    pub(super) async fn serve_tcp(&self, stream: impl AsyncRead + AsyncWrite + Send, peer: SocketAddr, first: &[u8]) {
        let client = Client { via: Via::Tcp(self.next_id()), address: peer };
        self.serve(stream, client, first).await;
    }

    fn next_id(&self) -> u64 {
        self.ids.fetch_add(1, Ordering::Relaxed)
    }

    async fn serve(&self, stream: impl AsyncRead + AsyncWrite + Send, client: Client, first: &[u8]) {
        let Ok(_place) = self.places.try_acquire() else {
            return;
        };
        let (reader, writer) = tokio::io::split(stream);
        let (sender, queue) = mpsc::channel(MAX_WAITING);
        if self.events.send(StreamEvent::Opened { client, writer: sender }).await.is_err() {
            return;
        }
        // The engine drops the queue's sender to end a connection; then the writer ends, and with it the reader.
        tokio::select! {
            () = write(writer, queue) => {}
            () = self.read(reader, client, first) => {}
        }
        let _ = self.events.send(StreamEvent::Closed { client }).await;
    }

    async fn read(&self, mut reader: ReadHalf<impl AsyncRead>, client: Client, first: &[u8]) {
        let mut deframer = Deframer::default();
        let mut buffer = vec![0u8; first.len().max(4_096)];
        buffer[..first.len()].copy_from_slice(first);
        let mut count = first.len();
        loop {
            let mut messages = Vec::new();
            let framed = deframer.push(&buffer[..count], |m| messages.push(m));
            for bytes in messages {
                if self.events.send(StreamEvent::Message { client, bytes }).await.is_err() {
                    return;
                }
            }
            if framed.is_err() {
                return;
            }
            count = match tokio::time::timeout(IDLE, reader.read(&mut buffer)).await {
                Ok(Ok(count)) if count > 0 => count,
                _ => return,
            };
        }
    }
}

async fn write(mut writer: WriteHalf<impl AsyncWrite>, mut queue: mpsc::Receiver<Vec<u8>>) {
    while let Some(mut bytes) = queue.recv().await {
        while bytes.len() < MAX_WRITE
            && let Ok(more) = queue.try_recv()
        {
            bytes.extend_from_slice(&more);
        }
        if writer.write_all(&bytes).await.is_err() || writer.flush().await.is_err() {
            return;
        }
    }
}
