//! Letting sockets in, and out again.

use super::Command;
use super::guard::Flood;
use atalaya_identity::presence::model::OpenSocket;
use atalaya_identity::presence::service::{self as presence, Entered};
use atalaya_identity::{Identity, IdentityError, auth};
use atalaya_kernel::live::Audience;
use atalaya_kernel::{CompanyId, Role, SessionId, UserId};
use serde::Deserialize;
use socketioxide::adapter::Adapter;
use socketioxide::extract::{SocketRef, TryData};
use socketioxide::handler::ConnectHandler;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc};
use tokio_util::sync::CancellationToken;

/// Handshakes that may use the database at once: a whole office coming back must not keep requests waiting.
const HANDSHAKES: usize = 4;
/// A refused handshake waits this long. Meanwhile the connection's other tries are ignored, so that guessing is slow.
const REFUSAL: Duration = Duration::from_millis(300);
/// Closed sockets that are forgotten in one transaction.
const BATCH: usize = 500;

/// What is known of this node's sockets. Cheap to clone.
#[derive(Clone)]
pub(super) struct Hub {
    pub identity: Identity,
    pub open: Open,
    pub commands: mpsc::Sender<Command>,
    left: mpsc::UnboundedSender<String>,
    turns: Arc<Semaphore>,
}

/// The sockets of this node, by id.
pub(super) type Open = Arc<Mutex<HashMap<String, (UserId, CompanyId)>>>;

/// `auth` of the handshake.
#[derive(Deserialize)]
struct Handshake {
    token: String,
}

/// Why a handshake fails, as the client's `connect_error` says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Refusal {
    Unauthenticated,
    Unavailable,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unauthenticated => "UNAUTHENTICATED",
            Self::Unavailable => "UNAVAILABLE",
        })
    }
}

impl Hub {
    pub(super) fn new(identity: Identity, commands: mpsc::Sender<Command>, left: mpsc::UnboundedSender<String>) -> Self {
        Self { identity, open: Open::default(), commands, left, turns: Arc::new(Semaphore::new(HANDSHAKES)) }
    }

    /// What answers those who connect.
    pub(super) fn handler<A: Adapter>(&self) -> impl ConnectHandler<A, (SocketRef<A>,)> + use<A> {
        let (check, enter) = (self.clone(), self.clone());
        let connected = async move |socket: SocketRef<A>| enter.connected(socket).await;
        let handshake = async move |socket: SocketRef<A>, TryData(auth): TryData<Handshake>| check.check(socket, auth.ok()).await;
        connected.with(handshake)
    }

    /// The handshake: a session token, verified like that of a request.
    async fn check<A: Adapter>(self, socket: SocketRef<A>, auth: Option<Handshake>) -> Result<(), Refusal> {
        let entered = match auth {
            None => Err(Refusal::Unauthenticated),
            Some(Handshake { token }) => {
                let _turn = self.turns.acquire().await.map_err(|_| Refusal::Unavailable)?;
                presence::enter(&self.identity, &token, &socket.id.to_string()).await.map_err(refusal)
            }
        };
        match entered {
            Ok(entered) => {
                socket.extensions.insert(entered);
                Ok(())
            }
            Err(refusal) => {
                tokio::time::sleep(REFUSAL).await;
                Err(refusal)
            }
        }
    }

    /// The socket is in: from now on it hears what concerns it.
    async fn connected<A: Adapter>(self, socket: SocketRef<A>) {
        let Some(Entered { socket: open, role, surplus }) = socket.extensions.remove::<Entered>() else { return };
        self.open.lock().expect("nobody panics holding it").insert(open.id.clone(), (open.user, open.company));
        metrics::gauge!("sockets_open").increment(1.0);
        let hub = self.clone();
        let id = open.id.clone();
        socket.on_disconnect(async move || hub.left(id));
        let flood = Arc::new(Flood::default());
        socket.on_fallback(async move |socket: SocketRef<A>| {
            if flood.is_too_much() {
                tracing::info!("a socket that talked too much was closed");
                let _ = socket.disconnect();
            }
        });
        socket.join(rooms_of(&open, role));
        for id in surplus {
            let _ = self.commands.send(Command::Close(id)).await;
        }
        // A peer that went before the handler above was there is forgotten by nobody else.
        if !socket.connected() {
            return self.left(open.id);
        }
        // The session may have ended between its check and the rooms.
        if !auth::service::is_alive(&self.identity, open.session).await.unwrap_or(true) {
            let _ = socket.disconnect();
        }
    }

    fn left(&self, id: String) {
        if self.open.lock().expect("nobody panics holding it").remove(&id).is_some() {
            metrics::gauge!("sockets_open").decrement(1.0);
            let _ = self.left.send(id);
        }
    }
}

fn refusal(error: IdentityError) -> Refusal {
    match error {
        IdentityError::TokenInvalid | IdentityError::TokenExpired | IdentityError::SessionEnded => Refusal::Unauthenticated,
        error => {
            tracing::warn!(%error, "a socket could not be let in");
            Refusal::Unavailable
        }
    }
}

/// What this socket hears.
fn rooms_of(open: &OpenSocket, role: Role) -> Vec<String> {
    vec![user_room(open.user), company_room(open.company), role_room(role), session_room(open.session), socket_room(&open.id)]
}

pub(super) fn user_room(id: UserId) -> String {
    format!("user:{id}")
}

fn company_room(id: CompanyId) -> String {
    format!("company:{id}")
}

fn role_room(role: Role) -> String {
    format!("role:{}", i16::from(role))
}

pub(super) fn session_room(id: SessionId) -> String {
    format!("session:{id}")
}

pub(super) fn socket_room(id: &str) -> String {
    format!("socket:{id}")
}

/// The rooms of an audience; `None` is everybody.
pub(super) fn rooms_for(audience: &Audience) -> Option<Vec<String>> {
    match audience {
        Audience::User(id) => Some(vec![user_room(*id)]),
        Audience::Company(id) => Some(vec![company_room(*id)]),
        Audience::Roles(roles) => Some(roles.iter().map(|role| role_room(*role)).collect()),
        Audience::Everybody => None,
    }
}

/// Takes closed sockets out of the table, many at a time; at the end this node with all it had.
pub(super) async fn forget_closed(d: Identity, mut leaving: mpsc::UnboundedReceiver<String>, stop: CancellationToken) {
    let mut ids = Vec::new();
    loop {
        tokio::select! {
            () = stop.cancelled() => break,
            count = leaving.recv_many(&mut ids, BATCH) => {
                if count == 0 {
                    break;
                }
                if let Err(error) = presence::leave(&d, &ids).await {
                    tracing::warn!(%error, "closed sockets stay in the table until this node stops");
                }
                ids.clear();
            }
        }
    }
    if let Err(error) = presence::stop(&d).await {
        tracing::warn!(%error, "this node's sockets stay in the table until they count no more");
    }
}
