//! HTTP calls of this room.

use super::service::{self, Availability, CandidateView};
use crate::Assistance;
use atalaya_kernel::{CompanyId, InsuranceId};
use atalaya_rest::caller::{AdminOrRepairSide, ConferenceReader};
use atalaya_rest::extract::{Json, Path};
use atalaya_rest::response::ApiResult;
use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn routes(deps: Assistance) -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(get_availability)).routes(routes!(list_customer_insurance)).with_state(deps)
}

/// Which people of a customer are free, in a call or away; for the repair side only whether somebody is free.
///
/// Errors: `COMPANY_NOT_FOUND` (404), also another tenant's and one that may not be asked.
#[utoipa::path(get, path = "/api/v1/availability/{companyId}", tag = "video-calls", operation_id = "get_availability",
    params(("companyId" = CompanyId, Path)), responses((status = 200, body = Availability)), security(("session" = [])))]
async fn get_availability(
    State(deps): State<Assistance>,
    ConferenceReader(caller): ConferenceReader,
    Path(id): Path<CompanyId>,
) -> ApiResult<Json<Availability>> {
    Ok(Json(service::of(&deps, &caller, id).await?))
}

/// The active, unblocked customers that work for an insurance company, and whether somebody there is free.
///
/// Errors: `INSURANCE_NOT_FOUND` (404).
#[utoipa::path(get, path = "/api/v1/customer-insurance/{companyId}", tag = "insurance",
    operation_id = "list_customer_insurance",
    params(("companyId" = String, Path, description = "The insurance company")),
    responses((status = 200, body = Vec<CandidateView>), (status = 401), (status = 403), (status = 404)),
    security(("session" = [])))]
async fn list_customer_insurance(
    State(deps): State<Assistance>,
    AdminOrRepairSide(caller): AdminOrRepairSide,
    Path(id): Path<InsuranceId>,
) -> ApiResult<Json<Vec<CandidateView>>> {
    Ok(Json(service::candidates(&deps, &caller, id).await?))
}
