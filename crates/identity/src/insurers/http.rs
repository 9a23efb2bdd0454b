//! `insuranceCompanies`, `company-insurers/{companyId}`; whom an operator may ask is answered by assistance, which knows
//! who is in a call.

use super::model::{Insurer, parse_ids, tidy_name};
use super::{service, store};
use crate::directory::get_company;
use crate::guards::pass;
use crate::{Identity, IdentityError, Origin};
use atalaya_content::languages::model::text;
use atalaya_db::DbError;
use atalaya_kernel::access::Guard;
use atalaya_kernel::{CompanyId, CompanyKind, InsuranceId, Language};
use atalaya_rest::xlsx::{self, Cell};
use atalaya_rest::{AdminOnly, ApiResult, Caller, Json, Path, Problem, Query, RequestLanguage};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa_axum::{router::OpenApiRouter, routes};

pub(super) fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new()
        .routes(routes!(list_insurance_companies))
        .routes(routes!(create_insurance_company))
        .routes(routes!(update_insurance_company))
        .routes(routes!(get_company_insurers))
        .routes(routes!(put_company_insurers))
}

fn database(error: DbError) -> Problem {
    IdentityError::from(error).into()
}

/// An insurance company; what is optional is the administrator's.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = InsuranceCompany)]
pub(crate) struct InsurerView {
    #[serde(rename = "_id")]
    id: InsuranceId,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    active: Option<bool>,
    /// How many customers work for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    customers: Option<i64>,
}

impl InsurerView {
    fn full(insurer: Insurer, customers: i64) -> Self {
        Self { id: insurer.id, name: insurer.name, active: Some(insurer.active), customers: Some(customers) }
    }
}

#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
#[derive(Default)]
pub(crate) struct InsurersQuery {
    /// `true`: those that are not offered too; for administrators.
    all: Option<String>,
    /// `xlsx` answers the same as a workbook; for administrators.
    format: Option<String>,
}

/// The insurance companies in the order of their names.
///
/// Source: INSURER-1.
#[utoipa::path(get, path = "/api/v1/insuranceCompanies", tag = "insurance", params(InsurersQuery),
    responses((status = 200, body = Vec<InsurerView>), (status = 401)))]
pub(crate) async fn list_insurance_companies(
    State(d): State<Identity>,
    caller: Caller,
    RequestLanguage(language): RequestLanguage,
    Query(query): Query<InsurersQuery>,
) -> ApiResult<Response> {
    if !caller.is_admin() {
        let insurers = store::list(d.db.read(), false).await.map_err(database)?;
        let view = |insurer: Insurer| InsurerView { id: insurer.id, name: insurer.name, active: None, customers: None };
        return Ok(Json(insurers.into_iter().map(view).collect::<Vec<_>>()).into_response());
    }
    let all = query.all.is_some_and(|all| matches!(all.as_str(), "true" | "1" | ""));
    let insurers = store::list(d.db.read(), all).await.map_err(database)?;
    let counts = store::count_customers(d.db.read()).await.map_err(database)?;
    let count = |id: InsuranceId| counts.get(&id).copied().unwrap_or_default();
    if query.format.as_deref() == Some("xlsx") {
        let rows = insurers.into_iter().map(|insurer| sheet_row(&insurer, count(insurer.id))).collect();
        return workbook(&d, language, rows).await;
    }
    let views = insurers.into_iter().map(|insurer| {
        let customers = count(insurer.id);
        InsurerView::full(insurer, customers)
    });
    Ok(Json(views.collect::<Vec<_>>()).into_response())
}

fn sheet_row(insurer: &Insurer, customers: i64) -> Vec<Cell> {
    vec![Cell::text(&insurer.name), Cell::Flag(insurer.active), Cell::count(customers)]
}

async fn workbook(d: &Identity, language: Language, rows: Vec<Vec<Cell>>) -> ApiResult<Response> {
    let columns = [("sheetName", 40), ("sheetActive", 10), ("sheetCustomers", 10)];
    let columns = columns.map(|(key, width)| xlsx::Column::new(text(language, "insurers", key), width));
    let now = d.sources.now();
    let built = xlsx::build(move || xlsx::workbook(&columns, &rows, now)).await?;
    Ok(xlsx::attachment("aseguradoras", now, built))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewInsurerBody {
    insurance_company: NewInsurer,
}

#[derive(Deserialize, utoipa::ToSchema)]
pub(crate) struct NewInsurer {
    name: String,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InsurerAnswer {
    insurance_company: InsurerView,
}

/// Adds an insurance company.
///
/// Errors: `INVALID_FIELDS` (422), `INSURANCE_NAME_TAKEN` (409). Source: INSURER-1.
#[utoipa::path(post, path = "/api/v1/insuranceCompanies", tag = "insurance", request_body = NewInsurerBody,
    responses((status = 200, body = InsurerAnswer), (status = 401), (status = 403), (status = 409), (status = 422)))]
pub(crate) async fn create_insurance_company(
    State(d): State<Identity>,
    caller: AdminOnly,
    origin: Origin,
    Json(body): Json<NewInsurerBody>,
) -> ApiResult<Json<InsurerAnswer>> {
    let name = tidy_name(&body.insurance_company.name).map_err(|error| Problem::invalid([error]))?;
    let made = service::create_insurer(&d, &caller, &origin, name).await?;
    Ok(Json(InsurerAnswer { insurance_company: InsurerView::full(made, 0) }))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InsurerBody {
    insurance_company: InsurerChange,
}

/// Absent keys stay as they are.
#[derive(Deserialize, utoipa::ToSchema)]
pub(crate) struct InsurerChange {
    #[serde(rename = "_id")]
    id: InsuranceId,
    name: Option<String>,
    active: Option<bool>,
}

/// Renames an insurance company, takes it out of the offer or puts it back.
///
/// Errors: `INVALID_FIELDS` (422), `INSURANCE_NOT_FOUND` (404), `INSURANCE_NAME_TAKEN` (409). Source: INSURER-1.
#[utoipa::path(put, path = "/api/v1/insuranceCompanies", tag = "insurance", request_body = InsurerBody,
    responses((status = 200, body = InsurerAnswer), (status = 401), (status = 403), (status = 404), (status = 409),
        (status = 422)))]
pub(crate) async fn update_insurance_company(
    State(d): State<Identity>,
    caller: AdminOnly,
    origin: Origin,
    Json(body): Json<InsurerBody>,
) -> ApiResult<Json<InsurerAnswer>> {
    let InsurerChange { id, name, active } = body.insurance_company;
    let name = name.as_deref().map(tidy_name).transpose().map_err(|error| Problem::invalid([error]))?;
    let changed = service::update_insurer(&d, &caller, &origin, id, name, active).await?;
    let customers = store::count_customers(d.db.read()).await.map_err(database)?.get(&id).copied().unwrap_or_default();
    Ok(Json(InsurerAnswer { insurance_company: InsurerView::full(changed, customers) }))
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompanyInsurersAnswer {
    /// Ids.
    insurance_companies: Vec<InsuranceId>,
}

/// The insurance companies that a customer works for, for its principal and administrators.
///
/// Errors: `COMPANY_NOT_FOUND` (404, also another tenant's), 403. Source: INSURER-2.
#[utoipa::path(get, path = "/api/v1/company-insurers/{companyId}", tag = "insurance",
    params(("companyId" = String, Path, description = "The customer")),
    responses((status = 200, body = CompanyInsurersAnswer), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn get_company_insurers(
    State(d): State<Identity>,
    caller: Caller,
    Path(id): Path<CompanyId>,
) -> ApiResult<Json<CompanyInsurersAnswer>> {
    pass(&caller, Guard::PrincipalOf, id)?;
    if get_company(&d, id).await?.kind != CompanyKind::Customer {
        return Err(IdentityError::CompanyNotFound.into());
    }
    Ok(Json(CompanyInsurersAnswer { insurance_companies: store::list_of(d.db.read(), id).await.map_err(database)? }))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompanyInsurersBody {
    #[schema(value_type = Vec<String>)]
    insurance_companies: Value,
}

/// Writes the whole set of insurance companies that a customer works for.
///
/// Errors: `COMPANY_NOT_FOUND` (404), `INVALID_FIELDS` (422). Source: INSURER-2.
#[utoipa::path(put, path = "/api/v1/company-insurers/{companyId}", tag = "insurance", request_body = CompanyInsurersBody,
    params(("companyId" = String, Path, description = "The customer")),
    responses((status = 200, body = CompanyInsurersAnswer), (status = 401), (status = 403), (status = 404), (status = 422)))]
pub(crate) async fn put_company_insurers(
    State(d): State<Identity>,
    caller: AdminOnly,
    origin: Origin,
    Path(id): Path<CompanyId>,
    Json(body): Json<CompanyInsurersBody>,
) -> ApiResult<Json<CompanyInsurersAnswer>> {
    let ids = parse_ids(&body.insurance_companies).map_err(|error| Problem::invalid([error]))?;
    service::put_insurers(&d, &caller, &origin, id, &ids).await?;
    Ok(Json(CompanyInsurersAnswer { insurance_companies: ids }))
}
