//! What open screens are told while they look (SPEC §7 Sockets, DESIGN §6), as the rooms see it: whom, which event, what.
//!
//! Rooms call [`Announcer::tell`] after their transaction has committed; the server's sockets carry it out, on this node
//! and on the others. *Invariant:* losing a message is harmless, since screens count again whenever they connect.

use crate::{CompanyId, Role, SessionId, UserId};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// Whom a message concerns; nobody else hears it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Audience {
    User(UserId),
    /// Everybody of a company.
    Company(CompanyId),
    /// Everybody of these roles, in every company.
    Roles(Vec<Role>),
    Everybody,
}

/// One message for open screens.
#[derive(Clone, Debug, PartialEq)]
pub enum LiveMessage {
    /// An event under its wire name, for instance `videocallIn_{parent}`.
    Event { audience: Audience, name: String, data: Value },
    /// A session has ended: its sockets are closed.
    SessionEnded(SessionId),
}

/// Names of the events, built in one place (SPEC §7 Sockets).
pub mod names {
    use crate::{CompanyId, UserId};

    pub const NEW_GENERAL_NOTIFICATION: &str = "newGeneralNotification";
    pub const VIDEOCALL_BULK_DELETE: &str = "videocallBulkDelete_";

    pub fn new_personal_notification(user: UserId) -> String {
        format!("newPersonalNotification_{user}")
    }
    pub fn videocall_in(parent: CompanyId) -> String {
        format!("videocallIn_{parent}")
    }
    pub fn videocall_out(parent: CompanyId) -> String {
        format!("videocallOut_{parent}")
    }
    pub fn unblock_menu(user: UserId) -> String {
        format!("unblockMenu_{user}")
    }
}

type Carry = dyn Fn(LiveMessage) + Send + Sync;

/// Hands messages to the sockets. Cheap to clone; never waits.
#[derive(Clone)]
pub struct Announcer(Arc<Carry>);

impl Announcer {
    pub fn new(carry: impl Fn(LiveMessage) + Send + Sync + 'static) -> Self {
        Self(Arc::new(carry))
    }

    /// Tells nobody. For commands that serve no screens.
    pub fn silent() -> Self {
        Self::new(|_| {})
    }

    /// Tells whom it concerns; call it after the commit.
    pub fn tell(&self, audience: Audience, name: impl Into<String>, data: Value) {
        (self.0)(LiveMessage::Event { audience, name: name.into(), data });
    }

    /// Closes the sockets of a session that has ended; call it after the commit.
    pub fn end_session(&self, session: SessionId) {
        (self.0)(LiveMessage::SessionEnded(session));
    }
}

impl fmt::Debug for Announcer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Announcer")
    }
}
