//! `sepa-secret` and `encrypt-iban`.

use super::Room;
use crate::BillingError;
use crate::mandates::{MandateError, secret};
use atalaya_identity::audit::{self, Action, Entry};
use atalaya_identity::auth::service::Origin;
use atalaya_identity::companies::accounts;
use atalaya_kernel::{CompanyId, CompanyKind};
use atalaya_rest::{AdminOnly, ApiResult, Json, Problem};
use axum::extract::State;
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

#[derive(Serialize, ToSchema)]
pub(crate) struct SecretAnswer {
    /// False until the first secret was used.
    set: bool,
    /// Customers whose account lies under it, and those whose does not.
    protected: u64,
    unprotected: u64,
}

/// Whether there is a SEPA secret, and what lies under it.
#[utoipa::path(get, path = "/api/v1/sepa-secret", tag = "sepa", responses((status = 200, body = SecretAnswer)), security(("session" = [])))]
pub(super) async fn get_sepa_secret(State(room): State<Room>, _: AdminOnly) -> ApiResult<Json<SecretAnswer>> {
    let (protected, unprotected) = accounts::count_protected(&room.billing.identity).await?;
    Ok(Json(SecretAnswer { set: secret::is_set(&room.billing).await?, protected, unprotected }))
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EncryptBody {
    #[schema(value_type = String)]
    secret: SecretString,
    #[schema(value_type = String)]
    customer_id: Value,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ProtectedCustomer {
    #[serde(rename = "_id")]
    id: CompanyId,
    bank_account: Option<String>,
    iban_protected: bool,
}

#[derive(Serialize, ToSchema)]
pub(super) struct EncryptAnswer {
    customer: ProtectedCustomer,
}

/// Puts a customer's account under the SEPA secret: from then on the server alone cannot read it. The first secret that is
/// used becomes the secret.
///
/// Errors: 422 `SECRET_MISMATCH` at `secret` (never 401), 404 `COMPANY_NOT_FOUND` (also for no customer), 409 `IBAN_MISSING`, 429.
#[utoipa::path(post, path = "/api/v1/encrypt-iban", tag = "sepa", request_body = EncryptBody,
    responses((status = 200, body = EncryptAnswer), (status = 409), (status = 422), (status = 429)), security(("session" = [])))]
pub(super) async fn encrypt_iban(
    State(room): State<Room>,
    AdminOnly(caller): AdminOnly,
    origin: Origin,
    Json(body): Json<EncryptBody>,
) -> ApiResult<Json<EncryptAnswer>> {
    let d = &room.billing;
    let id = body.customer_id.as_str().and_then(|text| text.parse::<CompanyId>().ok());
    let id = id.ok_or_else(|| Problem::not_found("COMPANY_NOT_FOUND"))?;
    let party = accounts::find(&d.identity, id).await?;
    // Nobody could open the platform's own account for a remittance, or use an operator's.
    if party.company.kind != CompanyKind::Customer {
        return Err(Problem::not_found("COMPANY_NOT_FOUND"));
    }
    if party.account.is_none() {
        return Err(MandateError::IbanMissing.into());
    }
    room.count_try(&caller)?;
    let key = secret::unlock(d, &body.secret).await?;
    let tx = d.db.write().await.map_err(BillingError::from)?;
    if secret::protect(d, &tx, &key, id).await? {
        let entry = Entry::company(Action::IbanProtected, id).by(&caller).from(origin.address);
        audit::service::record(&d.identity, &tx, entry).await?;
    }
    tx.commit().await.map_err(BillingError::from)?;
    let account = accounts::find(&d.identity, id).await?.account;
    let protected = account.as_ref().is_some_and(|account| account.protected);
    let customer = ProtectedCustomer { id, bank_account: account.map(|account| account.masked), iban_protected: protected };
    Ok(Json(EncryptAnswer { customer }))
}
