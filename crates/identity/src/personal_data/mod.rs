//! What is kept of somebody who has an account, as a file for himself (arts. 15 and 20 GDPR; MYDATA-1, MYDATA-2).
//!
//! Called by the page of the own security. *Invariant:* the file holds nothing that opens an account and nobody else's name; what other
//! contexts keep comes from whoever fills [`MoreRecords`].

mod http;
mod model;
mod service;

use crate::Identity;
pub use service::MoreRecords;
use utoipa_axum::{router::OpenApiRouter, routes};

pub(crate) fn routes(identity: Identity) -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(http::get_my_data)).with_state(identity)
}
