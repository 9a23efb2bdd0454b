//! The WhatsApp session: one telephone, linked by a code (MSG-18).
//!
//! Every call needs the bearer header, which no cross-site page can send, so those that change something may be GETs, as
//! specified; the web app uses POST.

use super::super::service::{self, SessionAction};
use crate::Outreach;
use atalaya_identity::auth::service::Origin;
use atalaya_messaging::WhatsappState;
use atalaya_rest::{AdminOnly, ApiResult, Json};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(super) fn routes() -> OpenApiRouter<Outreach> {
    OpenApiRouter::new()
        .routes(routes!(whatsapp_status))
        .routes(routes!(get_restart, post_restart))
        .routes(routes!(get_stop, post_stop))
        .routes(routes!(get_clean, post_clean))
}

#[derive(Serialize, ToSchema)]
#[schema(as = WhatsappSession)]
struct SessionBody {
    /// The platform has a WhatsApp gateway.
    configured: bool,
    /// `STOPPED`, `STARTING`, `SCAN_QR_CODE`, `WORKING` or `FAILED`; `STOPPED` without a gateway.
    status: &'static str,
    /// The code to be scanned, as a data URL of a picture.
    qr: Option<String>,
    /// Number of the linked telephone.
    me: Option<String>,
}

impl From<WhatsappState> for SessionBody {
    fn from(state: WhatsappState) -> Self {
        Self { configured: true, status: state.status, qr: state.qr, me: state.me }
    }
}

/// How the session stands. Without a gateway that is no error.
///
/// Errors: `WHATSAPP_UNAVAILABLE` (503).
#[utoipa::path(get, path = "/api/v1/whatsapp-status", tag = "messaging", operation_id = "whatsapp_status",
    responses((status = 200, body = SessionBody), (status = 401), (status = 403), (status = 503)), security(("session" = [])))]
async fn whatsapp_status(State(d): State<Outreach>, _admin: AdminOnly) -> ApiResult<Json<SessionBody>> {
    let state = service::whatsapp_state(&d).await?;
    let nothing = SessionBody { configured: false, status: "STOPPED", qr: None, me: None };
    Ok(Json(state.map_or(nothing, Into::into)))
}

async fn act(d: &Outreach, caller: &AdminOnly, origin: &Origin, action: SessionAction) -> ApiResult<Json<SessionBody>> {
    Ok(Json(service::act_on_whatsapp(d, caller, origin, action).await?.into()))
}

/// Two calls that do the same: as specified by GET, and by POST.
macro_rules! actions {
    ($($(#[$doc:meta])* $get:ident $post:ident $path:literal $get_id:literal $post_id:literal $action:ident;)+) => {$(
        $(#[$doc])*
        ///
        /// Errors: `WHATSAPP_NOT_CONFIGURED` (409), `WHATSAPP_UNAVAILABLE` (503).
        #[utoipa::path(get, path = $path, tag = "messaging", operation_id = $get_id,
            responses((status = 200, body = SessionBody), (status = 401), (status = 403), (status = 409), (status = 503)),
            security(("session" = [])))]
        async fn $get(State(d): State<Outreach>, caller: AdminOnly, origin: Origin) -> ApiResult<Json<SessionBody>> {
            act(&d, &caller, &origin, SessionAction::$action).await
        }

        $(#[$doc])*
        ///
        /// Errors: those of the GET.
        #[utoipa::path(post, path = $path, tag = "messaging", operation_id = $post_id,
            responses((status = 200, body = SessionBody), (status = 401), (status = 403), (status = 409), (status = 503)),
            security(("session" = [])))]
        async fn $post(State(d): State<Outreach>, caller: AdminOnly, origin: Origin) -> ApiResult<Json<SessionBody>> {
            act(&d, &caller, &origin, SessionAction::$action).await
        }
    )+};
}

actions! {
    /// Starts the session, or starts it anew.
    get_restart post_restart "/api/v1/restart-whatsapp" "restart_whatsapp" "post_restart_whatsapp" Restart;
    /// Stops the session; the telephone stays linked.
    get_stop post_stop "/api/v1/stop-whatsapp" "stop_whatsapp" "post_stop_whatsapp" Stop;
    /// Unlinks the telephone; another code waits to be scanned.
    get_clean post_clean "/api/v1/whatsapp-cleanSession" "clean_whatsapp_session" "post_clean_whatsapp_session" Clean;
}
