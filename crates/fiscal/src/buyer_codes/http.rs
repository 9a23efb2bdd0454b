//! Buyer codes, read and written by administrators (EINV-14).

use super::model::{BuyerCodes, Typed, checked};
use super::service;
use crate::{Fiscal, FiscalError};
use atalaya_identity::Origin;
use atalaya_identity::companies::service::get_company;
use atalaya_kernel::CompanyId;
use atalaya_rest::{AdminOnly, ApiResult, Json, Path, Problem};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(crate) fn routes() -> OpenApiRouter<Fiscal> {
    OpenApiRouter::new().routes(routes!(get_buyer_codes, set_buyer_codes))
}

/// What a company wants to read on electronic invoices to it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BuyerCodes)]
struct CodesBody {
    company_id: CompanyId,
    /// An order, a cost centre … (BT-10 of EN 16931).
    reference: Option<String>,
    /// DIR3 code of a public body's accounting office (`oficina contable`).
    accounting: Option<String>,
    /// DIR3 code of its managing body (`órgano gestor`).
    managing: Option<String>,
    /// DIR3 code of its processing unit (`unidad tramitadora`).
    processing: Option<String>,
}

impl CodesBody {
    fn new(company_id: CompanyId, BuyerCodes { reference, offices }: BuyerCodes) -> Self {
        let Some(offices) = offices else {
            return Self { company_id, reference, accounting: None, managing: None, processing: None };
        };
        let (accounting, managing, processing) = (Some(offices.accounting), Some(offices.managing), Some(offices.processing));
        Self { company_id, reference, accounting, managing, processing }
    }
}

/// All of it is written; what is absent or empty is given up.
#[derive(Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[schema(as = BuyerCodesChange)]
struct ChangeBody {
    /// At most 100 characters.
    reference: Option<String>,
    /// Nine letters and digits; all three offices or none.
    accounting: Option<String>,
    managing: Option<String>,
    processing: Option<String>,
}

/// What a company wants to read on electronic invoices to it.
///
/// Errors: `COMPANY_NOT_FOUND` (404). Source: EINV-14.
#[utoipa::path(get, path = "/api/v1/buyer-codes/{companyId}", tag = "fiscal", operation_id = "get_buyer_codes",
    params(("companyId" = String, Path)),
    responses((status = 200, body = CodesBody), (status = 401), (status = 403), (status = 404)), security(("session" = [])))]
async fn get_buyer_codes(State(d): State<Fiscal>, _admin: AdminOnly, Path(id): Path<CompanyId>) -> ApiResult<Json<CodesBody>> {
    get_company(&d.identity, id).await?;
    Ok(Json(CodesBody::new(id, service::find(&d, id).await.map_err(FiscalError::from)?)))
}

/// Writes what a company wants to read on electronic invoices to it; files that are taken from now on have it, also of earlier invoices.
///
/// Errors: `COMPANY_NOT_FOUND` (404), `INVALID_FIELDS` (422) on each field. Source: EINV-14.
#[utoipa::path(post, path = "/api/v1/buyer-codes/{companyId}", tag = "fiscal", operation_id = "post_buyer_codes",
    params(("companyId" = String, Path)), request_body = ChangeBody,
    responses((status = 200, body = CodesBody), (status = 401), (status = 403), (status = 404), (status = 422)),
    security(("session" = [])))]
async fn set_buyer_codes(
    State(d): State<Fiscal>,
    caller: AdminOnly,
    origin: Origin,
    Path(id): Path<CompanyId>,
    Json(body): Json<ChangeBody>,
) -> ApiResult<Json<CodesBody>> {
    let ChangeBody { reference, accounting, managing, processing } = body;
    let codes = checked(Typed { reference, accounting, managing, processing }).map_err(Problem::invalid)?;
    get_company(&d.identity, id).await?;
    service::change(&d, (&caller, &origin), id, codes.clone()).await?;
    Ok(Json(CodesBody::new(id, codes)))
}
