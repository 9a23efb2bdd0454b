//! What logged-in people are told while they look: their menu is blocked or open again (SPEC §4 Blocking).
//!
//! Published by `companies` and `users` after their commit, read by the event stream of the shell. Within one process;
//! the sockets of SPEC §7 carry it further (docs/decisions/0007).

use atalaya_kernel::{CompanyId, UserId};
use serde::Serialize;
use tokio::sync::broadcast;

/// State of the menu entries that lead to video calls. Wire values of `unblockMenu_{userId}` (DESIGN §5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MenuState {
    Blocked,
    Unblocked,
    MobileUnblocked,
}

/// Whom an event concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    User(UserId),
    /// Everybody of a company.
    Company(CompanyId),
}

/// Something a shell reacts to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccountEvent {
    pub audience: Audience,
    pub menu: MenuState,
}

/// Hands events to whoever listens in this process. Cheap to clone.
#[derive(Clone)]
pub struct AccountEvents(broadcast::Sender<AccountEvent>);

impl Default for AccountEvents {
    fn default() -> Self {
        Self(broadcast::channel(256).0)
    }
}

impl AccountEvents {
    /// Tells listeners; call it after the commit. Nobody listening is fine.
    pub fn publish(&self, event: AccountEvent) {
        let _ = self.0.send(event);
    }

    pub fn listen(&self) -> broadcast::Receiver<AccountEvent> {
        self.0.subscribe()
    }
}

pub(crate) fn routes(identity: crate::Identity) -> utoipa_axum::router::OpenApiRouter {
    utoipa_axum::router::OpenApiRouter::new().with_state(identity)
}
