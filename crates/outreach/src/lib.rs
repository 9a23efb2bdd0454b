//! Outreach: how people are notified outside of a conference: notifications in the bell, web push on their devices, the
//! sending and texts of messages, advertising to those who want it.
//!
//! Called by the rooms of assistance and by `server`. Uses identity (users and companies), jobs (deliveries) and the
//! announcer (open screens). *Invariant:* a notification is written in the transaction of its cause; open screens are
//! notified after the commit.

mod account_records;
pub mod campaigns;
mod deps;
pub mod marketing;
pub mod message_service;
pub mod notifications;
pub mod push;
pub mod sms_texts;

pub use account_records::AccountRecords;
pub use deps::{Outreach, Parts};

use utoipa_axum::router::OpenApiRouter;

/// Every route of this context, under its full path.
pub fn routes(deps: Outreach) -> OpenApiRouter {
    OpenApiRouter::new()
        .merge(notifications::http::routes(deps.clone()))
        .merge(push::http::routes(deps.clone()))
        .merge(message_service::http::routes(deps.clone()))
        .merge(sms_texts::http::routes(deps.clone()))
        .merge(marketing::http::routes(deps.clone()))
        .merge(campaigns::http::routes(deps))
}
