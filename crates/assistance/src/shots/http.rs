//! Calls of this room. Wire names are the specification's.

use crate::Assistance;
use utoipa_axum::router::OpenApiRouter;

pub fn routes(deps: Assistance) -> OpenApiRouter {
    OpenApiRouter::new().with_state(deps)
}
