//! `fresh-proof`.

use super::service::{self, Proof};
use crate::auth::http::check_length;
use crate::{Identity, Origin};
use atalaya_rest::{ApiResult, Caller, Json, NoContent, Problem};
use axum::extract::State;
use passki::AuthenticationCredential;
use serde::Deserialize;
use uuid::Uuid;

/// One of them: the password, a code, or a passkey with its ceremony.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(as = FreshProof)]
pub(crate) struct ProofBody {
    /// Of an account without a second factor.
    #[serde(default)]
    #[schema(required = false)]
    password: Option<String>,
    /// Of the authenticator, or a recovery code.
    #[serde(default)]
    #[schema(required = false)]
    code: Option<String>,
    /// Of `passkey-login-options`.
    #[serde(default)]
    #[schema(required = false)]
    ceremony: Option<Uuid>,
    /// `AuthenticationResponseJSON`.
    #[serde(default)]
    #[schema(value_type = Option<Object>, required = false)]
    credential: Option<AuthenticationCredential>,
}

/// Proves again who is logged in, for the calls that answer `FRESH_PROOF_REQUIRED`; it is fresh for ten minutes.
///
/// Errors: `PASSWORD_WRONG` on `password`, `CODE_REQUIRED` on `code`, `CODE_INVALID`, `PASSKEY_INVALID` (422),
/// `SECOND_FACTOR_INACTIVE` (409), `LOGIN_LOCKED` (429). Source: PROOF-1, PROOF-2.
#[utoipa::path(post, path = "/api/v1/fresh-proof", tag = "auth", request_body = ProofBody,
    responses((status = 204), (status = 401), (status = 409), (status = 422), (status = 429)))]
pub(crate) async fn prove(
    State(d): State<Identity>,
    caller: Caller,
    origin: Origin,
    Json(body): Json<ProofBody>,
) -> ApiResult<NoContent> {
    let proof = match body {
        ProofBody { ceremony: Some(ceremony), credential: Some(credential), .. } => {
            Proof::Passkey(ceremony, Box::new(credential))
        }
        ProofBody { code: Some(code), .. } => {
            check_length("code", &code)?;
            Proof::Code(code)
        }
        ProofBody { password: Some(password), .. } => {
            check_length("password", &password)?;
            Proof::Password(password)
        }
        _ => return Err(Problem::invalid([]).field("password", "REQUIRED")),
    };
    service::prove(&d, &caller, proof, &origin).await?;
    Ok(NoContent)
}
