//! Forgotten and changed passwords, and the password operator's desk (SPEC §4, DESIGN §3 Passwords).

use crate::Identity;
use utoipa_axum::router::OpenApiRouter;

pub(crate) fn routes(identity: Identity) -> OpenApiRouter {
    OpenApiRouter::new().with_state(identity)
}
