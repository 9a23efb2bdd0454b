//! Calls of shot lists.

use super::model::{self, Shot, ShotInput, TickedShot};
use super::service::{self, Mark};
use crate::Assistance;
use atalaya_cases::conferences::{self, Scope};
use atalaya_cases::conferences::{ConferenceError, ConferenceType};
use atalaya_identity::guards::member_of;
use atalaya_kernel::{CompanyId, ConferenceId, Language};
use atalaya_rest::caller::{AdminOrCustomer, Caller, ConferenceSide};
use atalaya_rest::extract::{Json, Path, RequestLanguage};
use atalaya_rest::problem::Problem;
use atalaya_rest::response::ApiResult;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn routes(deps: Assistance) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(get_shots, put_shots))
        .routes(routes!(reset_shots))
        .routes(routes!(conference_shots, mark_shot))
        .with_state(deps)
}

/// Something for each type of conference.
#[derive(Serialize, ToSchema)]
struct ShotLists {
    autos: Vec<Shot>,
    diversos: Vec<Shot>,
}

/// Whether the list is the company's own.
#[derive(Serialize, ToSchema)]
struct ShotsCustom {
    autos: bool,
    diversos: bool,
}

#[derive(Serialize, ToSchema)]
struct ShotsBody {
    shots: ShotLists,
    custom: ShotsCustom,
}

async fn body(deps: &Assistance, company: Option<CompanyId>, language: Language) -> Result<Json<ShotsBody>, ConferenceError> {
    let (autos, own_autos) = service::list(deps, company, ConferenceType::Autos, language).await?;
    let (diversos, own_diversos) = service::list(deps, company, ConferenceType::Diversos, language).await?;
    let custom = ShotsCustom { autos: own_autos, diversos: own_diversos };
    Ok(Json(ShotsBody { shots: ShotLists { autos, diversos }, custom }))
}

async fn company_of(deps: &Assistance, caller: &Caller, id: &str) -> Result<CompanyId, Problem> {
    let id: CompanyId = id.parse().map_err(|_| Problem::not_found("COMPANY_NOT_FOUND"))?;
    member_of(&deps.identity, *caller, id).await?;
    Ok(id)
}

/// The shot lists of a company (`0`: the platform's), in force for both types.
///
/// Errors: `COMPANY_NOT_FOUND` (404).
#[utoipa::path(get, path = "/api/v1/shots/{companyId}", tag = "shots", operation_id = "get_shots",
    params(("companyId" = String, Path)), responses((status = 200, body = ShotsBody)), security(("session" = [])))]
async fn get_shots(
    State(deps): State<Assistance>,
    ConferenceSide(caller): ConferenceSide,
    Path(id): Path<String>,
    RequestLanguage(language): RequestLanguage,
) -> ApiResult<Json<ShotsBody>> {
    let company = if id == "0" { None } else { Some(company_of(&deps, &caller, &id).await?) };
    Ok(body(&deps, company, language).await?)
}

#[derive(Deserialize, ToSchema)]
struct PutShots {
    /// 1 Autos, 2 Diversos.
    #[serde(rename = "type")]
    #[schema(value_type = i16)]
    conference_type: ConferenceType,
    /// 1 to 30; label up to 60 characters, hint up to 120. Keys are kept, and made where there are none.
    #[serde(default)]
    shots: Vec<ShotInput>,
}

/// Gives a company a list of its own for a type.
///
/// Errors: `INVALID_FIELDS` (422) about `type`, `shots`, `shots.N.label|hint|key`; `COMPANY_NOT_FOUND` (404).
#[utoipa::path(put, path = "/api/v1/shots/{companyId}", tag = "shots", operation_id = "put_shots",
    params(("companyId" = String, Path)), request_body = PutShots,
    responses((status = 200, body = ShotsBody)), security(("session" = [])))]
async fn put_shots(
    State(deps): State<Assistance>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Path(id): Path<String>,
    RequestLanguage(language): RequestLanguage,
    Json(request): Json<PutShots>,
) -> ApiResult<Json<ShotsBody>> {
    let company = company_of(&deps, &caller, &id).await?;
    let shots = model::check(&request.shots, || deps.sources.base62(8)).map_err(Problem::invalid)?;
    service::replace(&deps, &caller, company, request.conference_type, Some(&shots)).await?;
    Ok(body(&deps, Some(company), language).await?)
}

#[derive(Deserialize, ToSchema)]
struct ResetShots {
    /// 1 Autos, 2 Diversos.
    #[serde(rename = "type")]
    #[schema(value_type = i16)]
    conference_type: ConferenceType,
}

/// Gives a company the platform's list of a type again.
///
/// Errors: `INVALID_FIELDS` (422) about `type`; `COMPANY_NOT_FOUND` (404).
#[utoipa::path(post, path = "/api/v1/shots-reset/{companyId}", tag = "shots", operation_id = "reset_shots",
    params(("companyId" = String, Path)), request_body = ResetShots,
    responses((status = 200, body = ShotsBody)), security(("session" = [])))]
async fn reset_shots(
    State(deps): State<Assistance>,
    AdminOrCustomer(caller): AdminOrCustomer,
    Path(id): Path<String>,
    RequestLanguage(language): RequestLanguage,
    Json(request): Json<ResetShots>,
) -> ApiResult<Json<ShotsBody>> {
    let company = company_of(&deps, &caller, &id).await?;
    service::replace(&deps, &caller, company, request.conference_type, None).await?;
    Ok(body(&deps, Some(company), language).await?)
}

#[derive(Serialize, ToSchema)]
struct ConferenceShotsBody {
    shots: Vec<TickedShot>,
}

/// The shots of a conference with their states, set by the latest file marked as the shot, or by hand.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404).
#[utoipa::path(get, path = "/api/v1/conference-shots/{id}", tag = "shots", operation_id = "conference_shots",
    params(("id" = ConferenceId, Path)), responses((status = 200, body = ConferenceShotsBody)), security(("session" = [])))]
async fn conference_shots(
    State(deps): State<Assistance>,
    ConferenceSide(caller): ConferenceSide,
    Path(id): Path<ConferenceId>,
    RequestLanguage(language): RequestLanguage,
) -> ApiResult<Json<ConferenceShotsBody>> {
    let row = conferences::get(deps.db.read(), Scope::of(&caller), id).await?;
    Ok(Json(ConferenceShotsBody { shots: service::ticks(&deps, &row, language).await? }))
}

/// Ticks a shot by hand or removes its tick; a file named with it is marked as showing it.
///
/// Errors: `CONFERENCE_NOT_FOUND` (404); `INVALID_FIELDS` (422) about `key`, `state`, `mediaId`.
#[utoipa::path(put, path = "/api/v1/conference-shots/{id}", tag = "shots", operation_id = "mark_shot",
    params(("id" = ConferenceId, Path)), request_body = Mark,
    responses((status = 200, body = ConferenceShotsBody)), security(("session" = [])))]
async fn mark_shot(
    State(deps): State<Assistance>,
    ConferenceSide(caller): ConferenceSide,
    Path(id): Path<ConferenceId>,
    RequestLanguage(language): RequestLanguage,
    Json(request): Json<Mark>,
) -> ApiResult<Json<ConferenceShotsBody>> {
    let row = conferences::get(deps.db.read(), Scope::of(&caller), id).await?;
    service::mark(&deps, &caller, &row, &request).await?;
    Ok(Json(ConferenceShotsBody { shots: service::ticks(&deps, &row, language).await? }))
}
