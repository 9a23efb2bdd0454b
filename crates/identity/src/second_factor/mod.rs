//! The second factor: authenticator codes and recovery codes (SPEC §4 Login steps, DESIGN §3).

use crate::Identity;
use utoipa_axum::router::OpenApiRouter;

pub(crate) fn routes(identity: Identity) -> OpenApiRouter {
    OpenApiRouter::new().with_state(identity)
}
