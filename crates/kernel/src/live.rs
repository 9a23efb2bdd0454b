//! Messages to open screens, as the rooms see them: audience, event and data.
//!
//! Rooms call [`Announcer::tell`] after their transaction has committed; the server's sockets carry it out, on this node
//! and on the others. *Invariant:* losing a message is harmless, since screens count again whenever they connect.

use crate::{CompanyId, Role, SessionId, UserId};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;

/// The audience of a message; nobody else receives it.
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

/// Names of the events, in one table for the server and the web app (`web/src/api/generated/events.ts`).
pub mod names {
    use crate::{CompanyId, UserId};
    use std::fmt::Display;

    /// An event that open screens receive.
    #[derive(Clone, Copy, Debug)]
    pub struct Event {
        /// Its name in the code of the web app.
        pub key: &'static str,
        /// Its name on the wire, or the beginning of it.
        pub wire: &'static str,
        /// Whose id ends the name on the wire.
        pub of: Option<&'static str>,
        /// What it carries.
        pub data: &'static str,
    }

    const PERSONAL: Event =
        Event { key: "personalNotification", wire: "newPersonalNotification_", of: Some("userId"), data: "`{_id}`" };
    const GENERAL: Event = Event { key: "generalNotification", wire: "newGeneralNotification", of: None, data: "`{_id}`" };
    const IN: Event = Event { key: "videocallIn", wire: "videocallIn_", of: Some("parent"), data: "The request." };
    const OUT: Event = Event {
        key: "videocallOut",
        wire: "videocallOut_",
        of: Some("parent"),
        data: "`{_id, reason: accepted|refused|withdrawn|expired}`",
    };
    const BULK: Event = Event { key: "videocallBulkDelete", wire: "videocallBulkDelete_", of: None, data: "`{}`: count again." };
    const MENU: Event = Event {
        key: "unblockMenu",
        wire: "unblockMenu_",
        of: Some("userId"),
        data: "`{state: blocked|unblocked|mobile-unblocked}`",
    };
    const LOST: Event = Event { key: "sync", wire: "sync", of: None, data: "`{}`: events were lost, count everything again." };

    /// Every event.
    pub const TABLE: &[Event] = &[PERSONAL, GENERAL, IN, OUT, BULK, MENU, LOST];

    pub const NEW_GENERAL_NOTIFICATION: &str = GENERAL.wire;
    pub const VIDEOCALL_BULK_DELETE: &str = BULK.wire;
    pub const SYNC: &str = LOST.wire;

    pub fn new_personal_notification(user: UserId) -> String {
        PERSONAL.about(user)
    }
    pub fn videocall_in(parent: CompanyId) -> String {
        IN.about(parent)
    }
    pub fn videocall_out(parent: CompanyId) -> String {
        OUT.about(parent)
    }
    pub fn unblock_menu(user: UserId) -> String {
        MENU.about(user)
    }

    impl Event {
        fn about(&self, id: impl Display) -> String {
            format!("{}{id}", self.wire)
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;
        use std::collections::BTreeSet;
        use uuid::Uuid;

        #[test]
        fn every_event_has_one_name_of_its_own() {
            assert_eq!(TABLE.iter().map(|event| event.key).collect::<BTreeSet<_>>().len(), TABLE.len());
            assert_eq!(TABLE.iter().map(|event| event.wire).collect::<BTreeSet<_>>().len(), TABLE.len());
            let id = Uuid::from_u128(7);
            assert_eq!(unblock_menu(id.into()), format!("unblockMenu_{id}"));
            assert_eq!(videocall_in(id.into()), format!("videocallIn_{id}"));
        }
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

    /// Discards every message. For commands that serve no screens.
    pub fn silent() -> Self {
        Self::new(|_| {})
    }

    /// Sends a message to its audience; call it after the commit.
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
