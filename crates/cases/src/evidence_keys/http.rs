//! The public keys, for anybody.

use super::{Key, Signed, service, store};
use crate::Cases;
use atalaya_rest::problem::Problem;
use atalaya_rest::response::ApiResult;
use axum::extract::State;
use axum::http::{HeaderName, header};
use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub fn routes(deps: Cases) -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(evidence_keys)).with_state(deps)
}

/// The public keys that sign seals and certificates, newest first, each after its facts: since when, until when, from which
/// day on it was stolen, which one it follows.
#[utoipa::path(get, path = "/.well-known/atalaya-evidence.pem", tag = "certificates", operation_id = "evidence_keys",
    responses((status = 200, description = "The keys (SPKI, PEM)", content_type = "application/x-pem-file")), security(()))]
async fn evidence_keys(State(deps): State<Cases>) -> ApiResult<([(HeaderName, &'static str); 2], String)> {
    let keys = store::list(deps.db.read()).await.map_err(Problem::internal)?;
    let headers = [(header::CONTENT_TYPE, "application/x-pem-file"), (header::CACHE_CONTROL, "no-cache")];
    Ok((headers, service::published(&keys)))
}

/// A signature of the installation, and what is known of the key that made it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignatureView {
    /// SHA-256 of the public key.
    fingerprint: String,
    /// Base64 of its SubjectPublicKeyInfo.
    public_key: String,
    /// Base64 of DER.
    signature: String,
    retired_at: Option<DateTime<Utc>>,
    /// What it signed after this day is not valid.
    stolen_on: Option<NaiveDate>,
}

impl SignatureView {
    pub fn of(signed: Signed, key: Key) -> Self {
        Self {
            fingerprint: key.fingerprint,
            public_key: key.public_key,
            signature: signed.signature,
            retired_at: key.until,
            stolen_on: key.stolen_on,
        }
    }
}
