//! Companies: the tenants (DESIGN §3), their profile and the facts that decide who may call.
//!
//! Called by `auth` (log-in), by `assistance` (video-call guard, SMS text and sender) and by the demo.
//! *Invariant:* an IBAN is stored sealed and leaves this room only as its last four characters.

pub mod account_watch;
pub mod accounts;
pub mod customers;
pub(crate) mod entity;
pub mod form;
pub(crate) mod http;
pub mod legal;
pub mod model;
pub mod privileged;
pub mod profile;
pub mod service;
pub mod sms;
pub(crate) mod store;

pub use model::{Banner, BillingFacts, Company, NewCompany};
pub use profile::Profile;

pub(crate) fn routes(identity: crate::Identity) -> utoipa_axum::router::OpenApiRouter {
    http::routes().with_state(identity)
}
