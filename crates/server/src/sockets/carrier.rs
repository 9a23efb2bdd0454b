//! Carries messages from the rooms of the application to the sockets.

use super::Command;
use super::hub::{rooms_for, session_room, socket_room};
use atalaya_kernel::live::{LiveMessage, names};
use serde_json::{Value, json};
use socketioxide::adapter::Adapter;
use socketioxide::operators::BroadcastOperators;
use socketioxide::{BroadcastError, SocketIo};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// The one task that sends.
pub(super) struct Carrier<A: Adapter> {
    pub io: SocketIo<A>,
    pub queue: mpsc::Receiver<Command>,
    pub missed: Arc<AtomicBool>,
}

impl<A: Adapter> Carrier<A> {
    /// Until the process is asked to stop; closes every socket then, so that none holds the stop up.
    pub(super) async fn run(mut self, stop: CancellationToken) {
        loop {
            tokio::select! {
                () = stop.cancelled() => break,
                command = self.queue.recv() => match command {
                    Some(command) => self.carry(command).await,
                    None => break,
                },
            }
            if self.missed.swap(false, Ordering::Relaxed) {
                tracing::warn!("too many messages for open screens at once: all are asked to count again");
                self.emit(None, names::SYNC, &json!({})).await;
            }
        }
        self.io.close().await;
    }

    async fn carry(&self, command: Command) {
        match command {
            Command::Live(LiveMessage::Event { audience, name, data }) => {
                self.emit(rooms_for(&audience), &name, &data).await;
            }
            Command::Live(LiveMessage::SessionEnded(session)) => self.close(session_room(session)).await,
            Command::Close(id) => self.close(socket_room(&id)).await,
            Command::Here { room, name, data } => {
                let _ = self.io.local().within(vec![room]).emit(&name, &data).await;
            }
        }
    }

    async fn emit(&self, rooms: Option<Vec<String>>, name: &str, data: &Value) {
        let to = |all: BroadcastOperators<A>| match rooms.clone() {
            Some(rooms) => all.within(rooms),
            None => all,
        };
        if let Err(BroadcastError::Adapter(error)) = to(self.io.broadcast()).emit(name, data).await {
            tracing::warn!(%error, "other nodes were not told");
            let _ = to(self.io.local()).emit(name, data).await;
        }
    }

    async fn close(&self, room: String) {
        if let Err(BroadcastError::Adapter(error)) = self.io.within(vec![room.clone()]).disconnect().await {
            tracing::warn!(%error, "other nodes were not told");
            let _ = self.io.local().within(vec![room]).disconnect().await;
        }
    }
}
