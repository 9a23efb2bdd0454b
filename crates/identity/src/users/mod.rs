//! Accounts of persons (SPEC §3 User).
//!
//! Called by `auth` (log-in), by `assistance` (names) and by the demo. *Invariant:* a reader sees users of its own
//! company only, unless it is an administrator; the password hash never leaves `store`.

pub mod changes;
pub(crate) mod entity;
mod http;
pub mod model;
pub mod service;
pub(crate) mod store;

use crate::Identity;
pub use model::{NewUser, User};
pub use store::addresses::AddressesOf;
use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) fn routes(identity: Identity) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(http::get_user))
        .routes(routes!(http::get_me))
        .routes(routes!(http::list_users))
        .routes(routes!(http::put_user))
        .routes(routes!(http::exist_user_name))
        .with_state(identity)
}
