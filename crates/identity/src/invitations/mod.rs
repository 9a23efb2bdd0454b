//! Invitations and what they become: accounts and companies (SPEC §4 Activation, DESIGN §3).

use crate::Identity;
use utoipa_axum::router::OpenApiRouter;

pub(crate) fn routes(identity: Identity) -> OpenApiRouter {
    OpenApiRouter::new().with_state(identity)
}
