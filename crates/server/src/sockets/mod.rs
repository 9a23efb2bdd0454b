//! Socket.IO at its default path: what open screens are told.
//!
//! Rooms of the application hand messages to the [`Announcer`], which never waits; one task per process carries them to
//! the sockets of this node and, through PostgreSQL, of the others. *Invariant:* a socket stands for a living session,
//! and hears what concerns its user, company, role and session, nothing else. What it says is ignored.
//!
//! A ring. After its commit a room calls `announcer.tell(audience, name, data)`, which puts the message into a bounded queue.
//! One task sends it to the sockets in `user:…`, `company:…`, `role:…` of this node, and through PostgreSQL's NOTIFY to those
//! of the others. A page registers its socket (`socket-user`) and counts again whenever it connects or is told `sync`, so that
//! a lost event never leaves a wrong number. Ending a session closes its sockets (`identity::presence`, which also knows who of
//! a company is online).

mod carrier;
mod door;
mod guard;
mod hub;
mod watch;

use crate::sockets::carrier::Carrier;
use crate::sockets::hub::Hub;
use atalaya_db::Db;
use atalaya_identity::Identity;
use atalaya_kernel::live::{Announcer, LiveMessage};
use axum::Router;
use socketioxide::adapter::{Adapter, Emitter, LocalAdapter};
use socketioxide::{ParserConfig, SocketIo, SocketIoBuilder};
use socketioxide_postgres::{PostgresAdapterCtr, SqlxAdapter};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Messages that may wait for the carrying task. Beyond, they are dropped and every screen is asked to count again.
const QUEUE: usize = 10_000;
/// Messages that may wait for one socket. A peer that is slower misses its next ping too, is closed, comes back and
/// counts again. Small, since every socket reserves them.
const SOCKET_QUEUE: usize = 64;
/// Bytes of one message from outside at most.
const MESSAGE_MAX: usize = 16 * 1024;
/// A connection that has not proved itself in this time is cut off.
const HANDSHAKE: Duration = Duration::from_secs(10);
/// Connections of our own to PostgreSQL: one listens, the others tell.
const POOL: u32 = 3;

/// What the carrying task is asked for.
#[derive(Debug)]
enum Command {
    Live(LiveMessage),
    /// An event for one user's sockets on this node only: every node looks for itself.
    Here {
        room: String,
        name: String,
        data: serde_json::Value,
    },
    /// Closes one socket, wherever it is.
    Close(String),
}

/// The sockets of this node, not started yet.
pub struct Sockets {
    commands: mpsc::Sender<Command>,
    missed: Arc<AtomicBool>,
    queue: mpsc::Receiver<Command>,
    routes: Router,
    io: Io,
}

/// The one place that knows how nodes talk to each other: not at all beside a SQLite file, through the database on
/// PostgreSQL.
enum Io {
    Local(SocketIo<LocalAdapter>),
    Postgres(SocketIo<SqlxAdapter<Emitter>>),
}

impl Io {
    /// With the router that answers its path.
    fn new(db: &Db) -> (Router, Self) {
        match db.side_pool(POOL) {
            None => {
                let (service, io) = configured(SocketIo::builder()).build_svc();
                (door::routes(service), Self::Local(io))
            }
            Some(pool) => {
                let adapter = PostgresAdapterCtr::new_with_sqlx(pool);
                let (service, io) = configured(SocketIo::builder().with_adapter(adapter)).build_svc();
                (door::routes(service), Self::Postgres(io))
            }
        }
    }
}

fn configured<A: Adapter>(builder: SocketIoBuilder<A>) -> SocketIoBuilder<A> {
    builder
        .with_parser(ParserConfig::common().max_incoming_binaries(1).max_incoming_binary_buf_size(MESSAGE_MAX))
        .max_payload(MESSAGE_MAX as u64)
        .ws_max_message_size(MESSAGE_MAX)
        .ws_max_frame_size(MESSAGE_MAX)
        // Of what a socket says, the token of its handshake is the longest; a buffer grows when it must.
        .ws_read_buffer_size(512)
        .max_buffer_size(SOCKET_QUEUE)
        .connect_timeout(HANDSHAKE)
}

impl Sockets {
    pub fn new(db: &Db) -> Self {
        let (commands, queue) = mpsc::channel(QUEUE);
        let (routes, io) = Io::new(db);
        Self { commands, missed: Arc::default(), queue, routes, io }
    }

    /// What the rooms tell through.
    pub fn announcer(&self) -> Announcer {
        let (commands, missed) = (self.commands.clone(), self.missed.clone());
        Announcer::new(move |message| {
            if commands.try_send(Command::Live(message)).is_err() {
                missed.store(true, Ordering::Relaxed);
            }
        })
    }

    /// The door for connections, and what must run behind it.
    pub(crate) fn wire(self, identity: &Identity, public_url: &str, stop: &CancellationToken) -> (Router, SocketTasks) {
        let Self { commands, missed, queue, routes, io } = self;
        let (left, leaving) = mpsc::unbounded_channel();
        let hub = Hub::new(identity.clone(), commands, left);
        (door::guarded(routes, public_url, stop), SocketTasks { hub, missed, queue, leaving, io })
    }
}

/// What runs behind the door while the server does.
pub struct SocketTasks {
    hub: Hub,
    missed: Arc<AtomicBool>,
    queue: mpsc::Receiver<Command>,
    leaving: mpsc::UnboundedReceiver<String>,
    io: Io,
}

impl SocketTasks {
    /// Starts to let sockets in. They are closed when the process is asked to stop.
    ///
    /// Errors: PostgreSQL does not answer.
    pub async fn start(self, tasks: &TaskTracker, stop: &CancellationToken) -> anyhow::Result<()> {
        let Self { hub, missed, queue, leaving, io } = self;
        watch::first(&hub).await?;
        match io {
            Io::Local(io) => {
                io.ns("/", hub.handler());
                tasks.spawn(Carrier { io, queue, missed }.run(stop.clone()));
            }
            Io::Postgres(io) => {
                io.ns("/", hub.handler()).await?;
                tasks.spawn(Carrier { io, queue, missed }.run(stop.clone()));
            }
        }
        tasks.spawn(watch::run(hub.clone(), stop.clone()));
        tasks.spawn(hub::forget_closed(hub.identity, leaving, stop.clone()));
        Ok(())
    }
}
