//! Companies: the tenants, their profile and its changes.
//!
//! Called by `invitations` (registration), by `outreach` and `assistance` (SMS text and sender) and by `billing`. What a company is
//! and how it is stored is `directory`'s, its account `bank_accounts`', its contract `terms_acceptance`'s. *Invariant:* a change
//! that ends or opens a company's access is announced to its people's screens after the commit.

pub mod customers;
pub mod desk;
pub mod form;
pub(crate) mod http;
pub mod privileged;
pub mod profile;
pub mod service;
pub mod sms;

pub use crate::bank_accounts as accounts;
pub use crate::directory::{Banner, BillingFacts, CallRefusal, Company, NewCompany};
pub use crate::terms_acceptance as legal;
pub use desk::FiscalDesk;
pub use profile::Profile;

/// A company and its billing facts.
pub mod model {
    pub use crate::directory::{Banner, BannerKind, BillingFacts, CallRefusal, Company, Missing, NewCompany};
}

pub(crate) fn routes(identity: crate::Identity) -> utoipa_axum::router::OpenApiRouter {
    http::routes().with_state(identity)
}
