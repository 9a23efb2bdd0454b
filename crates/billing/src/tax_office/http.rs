//! The statement of compliance, which everybody may read.

use super::{SYSTEM_VERSION, declaration};
use crate::Billing;
use atalaya_rest::caller::Caller;
use atalaya_rest::extract::{Json, RequestLanguage};
use atalaya_rest::response::ApiResult;
use axum::extract::State as Deps;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(crate) fn routes(d: Billing) -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(get_declaration)).with_state(d)
}

#[derive(Serialize, ToSchema)]
#[schema(as = DeclarationPoint)]
struct PointView {
    /// a to l.
    point: String,
    /// Empty: not configured.
    text: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Declaration)]
struct DeclarationBody {
    points: Vec<PointView>,
    /// Of the program.
    version: &'static str,
    /// Day and place, as configured.
    signed_at: Option<String>,
}

/// The producer's statement of compliance, in the caller's language.
#[utoipa::path(get, path = "/api/v1/verifactu-declaration", tag = "verifactu", operation_id = "get_verifactu_declaration",
    responses((status = 200, body = DeclarationBody)), security(("session" = [])))]
async fn get_declaration(
    Deps(d): Deps<Billing>,
    _: Caller,
    RequestLanguage(language): RequestLanguage,
) -> ApiResult<Json<DeclarationBody>> {
    let settings = &d.settings.verifactu;
    let issuer = declaration::platform(&d).await?;
    let points = declaration::points(settings, issuer.as_ref(), language);
    let points = points.into_iter().map(|(point, text)| PointView { point: point.to_string(), text }).collect();
    Ok(Json(DeclarationBody { points, version: SYSTEM_VERSION, signed_at: settings.declared.clone() }))
}
