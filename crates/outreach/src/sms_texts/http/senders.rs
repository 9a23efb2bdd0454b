//! The administrators' list of sender names and their registrations.

use super::super::SmsTextError;
use crate::Outreach;
use atalaya_identity::companies::sms::{self, CompanySender, SenderStatus};
use atalaya_kernel::CompanyId;
use atalaya_rest::{AdminOnly, ApiResult, Json, Problem, Query};
use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Names of one page.
const PAGE: u64 = 50;
/// The last page; keeps the offset within what databases accept.
const PAGES_MAX: u64 = 100_000;

pub(super) fn routes() -> OpenApiRouter<Outreach> {
    OpenApiRouter::new().routes(routes!(list_senders))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ListQuery {
    /// `draft`, `requested`, `registered` or `rejected`; without it what waits: `draft` and `requested`.
    status: Option<String>,
    /// From 1.
    page: Option<u64>,
}

/// A company's sender name.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SmsSenderEntry)]
struct EntryBody {
    company_id: CompanyId,
    company: String,
    /// The name.
    sms: String,
    /// `draft`, `requested`, `registered` or `rejected`.
    status: &'static str,
    /// Since when it stands there; empty for those of before this was written down.
    since: Option<DateTime<Utc>>,
    /// Tax id of the holder when the registration was asked for.
    holder_nif: Option<String>,
    /// Date of the Registry's answer.
    evidence_at: Option<DateTime<Utc>>,
    /// The messaging provider named in the registration.
    provider: Option<String>,
}

impl From<CompanySender> for EntryBody {
    fn from(one: CompanySender) -> Self {
        let CompanySender { company, name, sender } = one;
        Self {
            company_id: company,
            company: name,
            sms: sender.name,
            status: sender.status.name(),
            since: sender.since,
            holder_nif: sender.holder_nif,
            evidence_at: sender.evidence_at,
            provider: sender.provider,
        }
    }
}

#[derive(Serialize, ToSchema)]
#[schema(as = SmsSenders)]
struct ListBody {
    senders: Vec<EntryBody>,
    total: u64,
    /// Names of one page.
    size: u64,
}

/// The sender names of all companies, the longest waiting first; what waits without `status`.
///
/// Errors: `INVALID_FIELDS` (422) on `status`, `page`.
#[utoipa::path(get, path = "/api/v1/sms-senders", tag = "sms", operation_id = "list_sms_senders", params(ListQuery),
    responses((status = 200, body = ListBody), (status = 401), (status = 403), (status = 422)), security(("session" = [])))]
async fn list_senders(State(d): State<Outreach>, _admin: AdminOnly, Query(query): Query<ListQuery>) -> ApiResult<Json<ListBody>> {
    let statuses = match query.status.as_deref().filter(|text| !text.is_empty()) {
        None => vec![SenderStatus::Draft, SenderStatus::Requested],
        Some(text) => vec![SenderStatus::parse(text).ok_or_else(|| Problem::invalid([]).field("status", "INVALID"))?],
    };
    let page = query.page.unwrap_or(1);
    if !(1..=PAGES_MAX).contains(&page) {
        return Err(Problem::invalid([]).field("page", "INVALID"));
    }
    let found = sms::list_senders(&d.identity, &statuses, (page - 1) * PAGE, PAGE).await;
    let (senders, total) = found.map_err(SmsTextError::from)?;
    Ok(Json(ListBody { senders: senders.into_iter().map(Into::into).collect(), total, size: PAGE }))
}
