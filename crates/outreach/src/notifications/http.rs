//! Calls of the bell and its panel.

use crate::Outreach;
use utoipa_axum::router::OpenApiRouter;

pub(crate) fn routes(deps: Outreach) -> OpenApiRouter {
    OpenApiRouter::new().with_state(deps)
}
