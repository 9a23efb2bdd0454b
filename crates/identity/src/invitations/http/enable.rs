//! `customer-no-login/{id}` and `activate-…/{id}`: the administrator's page of a company that registered itself.

use super::Door;
use crate::Origin;
use crate::companies::http::CompanyView;
use crate::invitations::service::enable;
use atalaya_kernel::{CompanyId, CompanyKind};
use atalaya_rest::{ApiResult, Caller, Json, Path};
use axum::extract::State;
use serde::{Deserialize, Serialize};

#[derive(Deserialize, utoipa::ToSchema)]
#[schema(as = EnableBody)]
pub(crate) struct EnableBody {
    /// Of the link; empty with an administrator's session.
    #[serde(default)]
    token: String,
}

#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = EnabledCustomer)]
pub(crate) struct CustomerAnswer {
    customer: CompanyView,
}

/// A company of any kind for the page of its activation, by the link's token or by an administrator's session.
///
/// Errors: `TOKEN_INVALID` (also another company's), `TOKEN_EXPIRED`, `TOKEN_USED` (422); without a token 401,
/// `ROLE_NOT_ALLOWED` (403); `COMPANY_NOT_FOUND` (404). Source: INVITE-7.
#[utoipa::path(post, path = "/api/v1/customer-no-login/{id}", tag = "invitations", params(("id" = String, Path)), security(()),
    request_body = EnableBody,
    responses((status = 200, body = CustomerAnswer), (status = 401), (status = 403), (status = 404), (status = 422)))]
pub(crate) async fn view_company(
    State(door): State<Door>,
    caller: Option<Caller>,
    origin: Origin,
    Path(id): Path<CompanyId>,
    Json(body): Json<EnableBody>,
) -> ApiResult<Json<CustomerAnswer>> {
    door.admit_token(origin.address)?;
    let company = enable::view(&door.d, caller.as_ref(), id, &body.token).await?;
    Ok(Json(CustomerAnswer { customer: CompanyView::of(&door.d, company.id).await? }))
}

async fn activate(
    door: &Door,
    caller: Option<Caller>,
    origin: &Origin,
    id: CompanyId,
    kind: CompanyKind,
    token: &str,
) -> ApiResult<CompanyView> {
    door.admit_token(origin.address)?;
    let company = enable::activate(&door.d, caller.as_ref(), id, kind, token, origin.address).await?;
    Ok(CompanyView::of(&door.d, company.id).await?)
}

macro_rules! activations {
    ($($(#[$doc:meta])* $handler:ident $path:literal $kind:ident $field:ident $Answer:ident;)+) => {$(
        #[derive(Serialize, utoipa::ToSchema)]
        #[serde(rename_all = "camelCase")]
        pub(crate) struct $Answer {
            $field: CompanyView,
        }

        $(#[$doc])*
        ///
        /// Errors: as `customer-no-login`; `COMPANY_NOT_FOUND` (404) also for another kind of company.
        /// Source: INVITE-7.
        #[utoipa::path(put, path = $path, tag = "invitations", params(("id" = String, Path)), security(()),
            request_body = EnableBody,
            responses((status = 200, body = $Answer), (status = 401), (status = 403), (status = 404), (status = 422)))]
        pub(crate) async fn $handler(
            State(door): State<Door>,
            caller: Option<Caller>,
            origin: Origin,
            Path(id): Path<CompanyId>,
            Json(body): Json<EnableBody>,
        ) -> ApiResult<Json<$Answer>> {
            let $field = activate(&door, caller, &origin, id, CompanyKind::$kind, &body.token).await?;
            Ok(Json($Answer { $field }))
        }
    )+};
}

activations! {
    /// Activates a customer and its principal; the payment starts when the trial is over.
    activate_customer "/api/v1/activate-customer/{id}" Customer customer ActivatedCustomer;
    /// Activates a repairer and its principal; the payment starts when the trial is over.
    activate_repairer "/api/v1/activate-repairer/{id}" Repairer repairer ActivatedRepairer;
    /// Activates a workshop and its principal; the payment starts when the trial is over.
    activate_workshop "/api/v1/activate-car-reparation/{id}" CarRepairShop car_reparation ActivatedCarReparation;
}
