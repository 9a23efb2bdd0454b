//! How many SMS a company may send: read and set by administrators (SMS-13).

use crate::Outreach;
use crate::sms_texts::{SmsTextError, ceilings};
use atalaya_identity::auth::service::Origin;
use atalaya_identity::companies;
use atalaya_kernel::CompanyId;
use atalaya_messaging::{CeilingStatus, OwnCeiling};
use atalaya_rest::{AdminOnly, ApiResult, Json, Path, Problem};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// The largest ceiling.
const CEILING_MAX: u32 = 1_000_000;

pub(super) fn routes() -> OpenApiRouter<Outreach> {
    OpenApiRouter::new().routes(routes!(get_ceiling)).routes(routes!(set_ceiling))
}

/// How many SMS a company may send, and has sent.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SmsCeiling)]
struct CeilingBody {
    company_id: CompanyId,
    /// The company's own; empty: `defaultPerHour` holds.
    per_hour: Option<u32>,
    /// The company's own; empty: `defaultPerDay` holds.
    per_day: Option<u32>,
    default_per_hour: u32,
    default_per_day: u32,
    /// In the last sixty minutes.
    last_hour: u32,
    /// Since midnight in Madrid.
    today: u32,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SmsCeilingChange)]
struct ChangeBody {
    /// 0 to 1000000; empty gives the company's own up.
    per_hour: Option<u32>,
    /// 0 to 1000000; empty gives the company's own up.
    per_day: Option<u32>,
}

/// How many SMS a company may send in an hour and in a day, and has sent.
///
/// Errors: `COMPANY_NOT_FOUND` (404).
#[utoipa::path(get, path = "/api/v1/sms-ceiling/{companyId}", tag = "sms", operation_id = "get_sms_ceiling",
    params(("companyId" = String, Path)),
    responses((status = 200, body = CeilingBody), (status = 401), (status = 403), (status = 404)), security(("session" = [])))]
async fn get_ceiling(State(d): State<Outreach>, _admin: AdminOnly, Path(id): Path<CompanyId>) -> ApiResult<Json<CeilingBody>> {
    companies::service::get_company(&d.identity, id).await?;
    Ok(Json(current(&d, id).await?))
}

/// Sets a company's own ceilings; 0 lets nothing out. One that is reached answers 429 (`SMS_CEILING_HOUR`,
/// `SMS_CEILING_DAY`) to whatever would send the next SMS.
///
/// Errors: `COMPANY_NOT_FOUND` (404), `INVALID_FIELDS` (422) on `perHour`, `perDay`.
#[utoipa::path(post, path = "/api/v1/sms-ceiling/{companyId}", tag = "sms", operation_id = "post_sms_ceiling",
    params(("companyId" = String, Path)), request_body = ChangeBody,
    responses((status = 200, body = CeilingBody), (status = 401), (status = 403), (status = 404), (status = 422)),
    security(("session" = [])))]
async fn set_ceiling(
    State(d): State<Outreach>,
    caller: AdminOnly,
    origin: Origin,
    Path(id): Path<CompanyId>,
    Json(body): Json<ChangeBody>,
) -> ApiResult<Json<CeilingBody>> {
    let mut problem = Problem::invalid([]);
    for (field, value) in [("perHour", body.per_hour), ("perDay", body.per_day)] {
        if value.is_some_and(|value| value > CEILING_MAX) {
            problem = problem.field(field, "INVALID");
        }
    }
    if !problem.errors().is_empty() {
        return Err(problem);
    }
    companies::service::get_company(&d.identity, id).await?;
    ceilings::change(&d, (&caller, &origin), id, OwnCeiling { per_hour: body.per_hour, per_day: body.per_day }).await?;
    Ok(Json(current(&d, id).await?))
}

async fn current(d: &Outreach, id: CompanyId) -> Result<CeilingBody, SmsTextError> {
    let status = d.identity.outbox.sms_ceiling(d.db.read(), id).await?;
    let CeilingStatus { own, configured, last_hour, today } = status.ok_or(SmsTextError::NoCeiling)?;
    Ok(CeilingBody {
        company_id: id,
        per_hour: own.per_hour,
        per_day: own.per_day,
        default_per_hour: configured.per_hour,
        default_per_day: configured.per_day,
        last_hour,
        today,
    })
}
