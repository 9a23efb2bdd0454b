//! The user that a program acts as: its customer's principal.

use crate::Integrations;
use crate::api_keys::ApiCaller;
use atalaya_identity::companies::Company;
use atalaya_identity::users::{self, User};
use atalaya_kernel::{Role, SessionId};
use atalaya_rest::caller::{Caller, Via};
use atalaya_rest::problem::Problem;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use uuid::Uuid;

/// A valid key, acting as a principal of its customer: the one who generated it, else the first.
///
/// Errors: those of [`ApiCaller`]; 403 `ACCOUNT_INACTIVE` when the customer has no principal who may log in.
#[derive(Clone, Debug)]
pub struct ExtCaller {
    pub caller: Caller,
    pub principal: User,
    pub company: Company,
}

impl FromRequestParts<Integrations> for ExtCaller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, deps: &Integrations) -> Result<Self, Problem> {
        let ApiCaller { key, company } = ApiCaller::from_request_parts(parts, deps).await?;
        let principals = users::service::list_active(&deps.identity, company.id, &[Role::Customer]).await?;
        let made_it = principals.iter().find(|user| user.id == key.created_by);
        let principal = made_it.or(principals.first()).ok_or_else(|| Problem::forbidden("ACCOUNT_INACTIVE"))?.clone();
        Ok(Self { caller: acting_as(&principal), principal, company })
    }
}

/// The caller that stands for a user in the rooms below. There is no session; the key is the proof.
fn acting_as(user: &User) -> Caller {
    Caller {
        user: user.id,
        role: user.role,
        company: user.parent,
        session: SessionId(Uuid::nil()),
        support: false,
        language: Some(user.language),
        via: Via::Bearer,
    }
}
