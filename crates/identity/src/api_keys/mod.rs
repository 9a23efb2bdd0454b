//! API keys of a company (SPEC §7 Customers, DESIGN §3 API keys).

use crate::Identity;
use utoipa_axum::router::OpenApiRouter;

pub(crate) fn routes(identity: Identity) -> OpenApiRouter {
    OpenApiRouter::new().with_state(identity)
}
