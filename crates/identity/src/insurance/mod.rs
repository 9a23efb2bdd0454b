//! Insurance companies and which customers work for them (SPEC §7 Insurance, DESIGN §3).

use crate::Identity;
use utoipa_axum::router::OpenApiRouter;

pub(crate) fn routes(identity: Identity) -> OpenApiRouter {
    OpenApiRouter::new().with_state(identity)
}
