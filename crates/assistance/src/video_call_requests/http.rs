//! Calls of the waiting and the answering side.

use crate::Assistance;
use utoipa_axum::router::OpenApiRouter;

pub(crate) fn routes(deps: Assistance) -> OpenApiRouter {
    OpenApiRouter::new().with_state(deps)
}
