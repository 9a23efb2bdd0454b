//! `contract`: what a company accepted, or the terms in force, as PDF.

use crate::http::file;
use crate::terms::contracts;
use crate::{Billing, BillingResult};
use atalaya_identity::companies::{Company, service as companies};
use atalaya_identity::{IdentityError, guards};
use atalaya_kernel::{CompanyId, Language};
use atalaya_rest::address::{ClientAddress, subscriber};
use atalaya_rest::ratelimit::RateLimiter;
use atalaya_rest::{ApiResult, Caller, Problem, Query, RequestLanguage};
use axum::extract::State;
use axum::response::Response;
use chrono::TimeDelta;
use serde::Deserialize;
use std::net::IpAddr;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Documents a minute for one address, because anybody may ask.
const A_MINUTE: usize = 20;

#[derive(Clone)]
struct Door {
    d: Billing,
    limit: RateLimiter<IpAddr>,
}

pub(super) fn routes(d: Billing) -> OpenApiRouter {
    let limit = RateLimiter::new(d.sources.clock(), A_MINUTE, TimeDelta::minutes(1));
    OpenApiRouter::new().routes(routes!(get_contract)).with_state(Door { d, limit })
}

#[derive(Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct ContractQuery {
    /// Of a document without an acceptance; an accepted text is printed as it was read.
    language: Option<Language>,
    /// Whose contract, for administrators.
    company: Option<CompanyId>,
}

/// The contract as PDF: for a principal what his company accepted, for everybody else the terms and prices in force.
///
/// Errors: `COMPANY_NOT_FOUND` (404) at another's `company`, `TOO_MANY_REQUESTS` (429).
#[utoipa::path(get, path = "/api/v1/contract", tag = "legal", operation_id = "get_contract", params(ContractQuery), security(()),
    responses((status = 200, description = "The contract", content_type = "application/pdf"), (status = 404), (status = 429)))]
async fn get_contract(
    State(Door { d, limit }): State<Door>,
    RequestLanguage(language): RequestLanguage,
    ClientAddress(address): ClientAddress,
    caller: Option<Caller>,
    Query(query): Query<ContractQuery>,
) -> ApiResult<Response> {
    limit.hit(subscriber(address)).map_err(|seconds| Problem::too_many("TOO_MANY_REQUESTS", seconds))?;
    let company = whose(&d, caller, query.company).await?;
    let contract = contracts::gather(&d, company, query.language.unwrap_or(language)).await?;
    let pdf = contracts::pdf(&d, contract).await?;
    Ok(file(pdf, "application/pdf", "inline", "contrato.pdf"))
}

async fn whose(d: &Billing, caller: Option<Caller>, asked: Option<CompanyId>) -> BillingResult<Option<Company>> {
    match (caller, asked) {
        (Some(caller), Some(id)) => Ok(Some(guards::principal_of(&d.identity, caller, id).await?.company)),
        (None, Some(_)) => Err(IdentityError::CompanyNotFound.into()),
        (Some(caller), None) if caller.role.is_principal() => {
            Ok(Some(companies::get_company(&d.identity, caller.company).await?))
        }
        _ => Ok(None),
    }
}
