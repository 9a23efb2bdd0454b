//! Accounts of persons.
//!
//! Called by `assistance` (names), `invitations` and the demo; how users are stored is `directory`'s. *Invariant:* a reader sees
//! users of its own company only, unless it is an administrator.

pub mod changes;
mod http;
pub mod model;
pub mod service;
mod user_name;

use crate::Identity;
pub use crate::directory::{AddressesOf, NewUser, User};
use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) fn routes(identity: Identity) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(http::get_user))
        .routes(routes!(http::get_me))
        .routes(routes!(http::list_users))
        .routes(routes!(http::put_user))
        .routes(routes!(http::exist_user_name))
        .routes(routes!(http::confirm_user_name))
        .with_state(identity)
}
