//! What logged-in people are told while they look: their menu is blocked or open again (SPEC §4 Blocking).
//!
//! Published by `companies` and `users` after their commit, read by the event stream of the shell. Within one process;
//! the sockets of SPEC §7 carry it further (docs/decisions/0007).

mod http;

use atalaya_kernel::{CompanyId, UserId};
use serde::Serialize;
use tokio::sync::broadcast;
use utoipa_axum::{router::OpenApiRouter, routes};

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

impl AccountEvent {
    /// Whether it concerns this user of this company.
    pub fn concerns(&self, user: UserId, company: CompanyId) -> bool {
        match self.audience {
            Audience::User(id) => id == user,
            Audience::Company(id) => id == company,
        }
    }
}

pub(crate) fn routes(identity: crate::Identity) -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(http::account_events)).with_state(identity)
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn events_reach_those_they_concern() {
        let id = Uuid::from_u128;
        let of = |audience| AccountEvent { audience, menu: MenuState::Blocked };
        let company = of(Audience::Company(id(10).into()));
        assert!(company.concerns(id(1).into(), id(10).into()) && !company.concerns(id(1).into(), id(11).into()));
        let user = of(Audience::User(id(1).into()));
        assert!(user.concerns(id(1).into(), id(10).into()) && !user.concerns(id(2).into(), id(10).into()));
        assert_eq!(serde_json::to_value(MenuState::MobileUnblocked).unwrap(), "mobile-unblocked");
    }
}
