//! Calls of a device about its own subscription.

use crate::Outreach;
use utoipa_axum::router::OpenApiRouter;

pub(crate) fn routes(deps: Outreach) -> OpenApiRouter {
    OpenApiRouter::new().with_state(deps)
}
