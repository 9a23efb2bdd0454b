//! The administrator's calls about campaigns.

use super::model::{BroadcastData, Campaign, Progress, State, Wish};
use super::{CampaignError, service, store};
use crate::Outreach;
use atalaya_identity::auth::service::Origin;
use atalaya_identity::users::service as users;
use atalaya_kernel::{CampaignId, Language, UserId};
use atalaya_messaging::standalone;
use atalaya_rest::{AdminOnly, ApiResult, Json, Path, Query, RequestLanguage};
use axum::extract::State as Of;
use axum::http::{HeaderMap, StatusCode};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

/// Campaigns of one page.
const PAGE: u64 = 20;

pub(crate) fn routes(deps: Outreach) -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(broadcast_emails))
        .routes(routes!(list_campaigns))
        .routes(routes!(get_campaign))
        .routes(routes!(stop_campaign))
        .with_state(deps)
}

#[derive(Deserialize, ToSchema)]
struct BroadcastInput {
    data: BroadcastData,
}

/// One of the three, by what was asked for.
#[derive(Serialize, ToSchema, Default)]
struct BroadcastBody {
    #[serde(skip_serializing_if = "Option::is_none")]
    preview: Option<CampaignPreview>,
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<CampaignTest>,
    #[serde(skip_serializing_if = "Option::is_none")]
    campaign: Option<CampaignView>,
}

#[derive(Serialize, ToSchema)]
struct CampaignTest {
    email: String,
}

#[derive(Serialize, ToSchema)]
struct CampaignPreview {
    subject: String,
    text: String,
    html: String,
    /// Different addresses that would be written to now.
    recipients: u64,
    excluded: CampaignExcluded,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CampaignExcluded {
    /// Addresses whose holder has not said yes.
    no_consent: u64,
    /// Addresses on the suppression list.
    suppressed: u64,
    /// Accounts without an address.
    invalid: u64,
}

/// A campaign and what became of its messages.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Campaign)]
struct CampaignView {
    #[serde(rename = "_id")]
    id: CampaignId,
    subject: String,
    text: String,
    audience: CampaignAudience,
    #[schema(required = true)]
    language: Option<Language>,
    status: State,
    author: CampaignAuthor,
    /// Recipients when it was made.
    total: i64,
    /// Messages in the outbox that are not sent yet.
    queued: u64,
    sent: u64,
    failed: u64,
    /// Messages that stay in the outbox, because no mail server is configured.
    captured: u64,
    /// People who left by a link of it.
    unsubscribed: u64,
    send_at: DateTime<Utc>,
    created_at: DateTime<Utc>,
    started_at: Option<DateTime<Utc>>,
    ended_at: Option<DateTime<Utc>>,
}

#[derive(Serialize, ToSchema)]
struct CampaignAudience {
    roles: Vec<i16>,
}

#[derive(Serialize, ToSchema)]
struct CampaignAuthor {
    #[serde(rename = "_id")]
    id: UserId,
    /// Empty when the account is gone.
    name: String,
}

impl CampaignView {
    fn new(row: Campaign, progress: Progress, names: &HashMap<Uuid, String>) -> Self {
        Self {
            id: row.id,
            audience: CampaignAudience { roles: row.audience.roles.iter().map(|role| i16::from(*role)).collect() },
            language: row.audience.language,
            status: row.state,
            author: CampaignAuthor { id: UserId(row.author), name: names.get(&row.author).cloned().unwrap_or_default() },
            subject: row.subject,
            text: row.text,
            total: row.total,
            queued: progress.queued(),
            sent: progress.sent,
            failed: progress.failed,
            captured: progress.captured,
            unsubscribed: progress.left,
            send_at: row.send_at,
            created_at: row.created_at,
            started_at: row.started_at,
            ended_at: row.ended_at,
        }
    }
}

async fn views(d: &Outreach, rows: Vec<Campaign>) -> Result<Vec<CampaignView>, CampaignError> {
    let authors = users::list_by_ids(&d.identity, rows.iter().map(|row| UserId(row.author))).await?;
    let names = authors.into_iter().map(|user| (user.id.0, user.display_name())).collect();
    let mut all = Vec::with_capacity(rows.len());
    for row in rows {
        let progress = store::progress(d.db.read(), row.id).await?;
        all.push(CampaignView::new(row, progress, &names));
    }
    Ok(all)
}

async fn view(d: &Outreach, row: Campaign) -> Result<CampaignView, CampaignError> {
    Ok(views(d, vec![row]).await?.remove(0))
}

/// Sends advertising to those of an audience who said yes: with `preview` only counts and shows it (200), with `test`
/// writes one message to that address (200), else makes a campaign whose messages a job writes bit by bit (202). The
/// header `Idempotency-Key` makes a second press answer the first one's campaign.
///
/// Errors: `INVALID_FIELDS` (422) about `data.subject`, `data.text`, `data.audience`, `data.language`, `data.test`,
/// `data.sendAt`, `data.idempotencyKey`; `CAMPAIGN_EMPTY` (422); `IDEMPOTENCY_MISMATCH`, `MARKETING_SUPPRESSED` (409).
#[utoipa::path(post, path = "/api/v1/broadcastEmails", tag = "marketing", operation_id = "broadcast_emails",
    request_body = BroadcastInput, params(("Idempotency-Key" = Option<String>, Header)),
    responses((status = 200, body = BroadcastBody), (status = 202, body = BroadcastBody), (status = 401), (status = 403),
        (status = 409), (status = 422)),
    security(("session" = [])))]
async fn broadcast_emails(
    Of(d): Of<Outreach>,
    caller: AdminOnly,
    RequestLanguage(language): RequestLanguage,
    origin: Origin,
    headers: HeaderMap,
    Json(input): Json<BroadcastInput>,
) -> ApiResult<(StatusCode, Json<BroadcastBody>)> {
    let key = headers.get("idempotency-key").map(|key| key.to_str().unwrap_or_default());
    let new = input.data.check(key, d.sources.now()).map_err(CampaignError::Invalid)?;
    let mut body = BroadcastBody::default();
    match &new.wish {
        Wish::Preview => {
            let found = service::preview(&d, &new, language).await?;
            let (no_consent, suppressed, invalid) = (found.no_consent, found.suppressed, found.invalid);
            body.preview = Some(CampaignPreview {
                subject: found.email.subject,
                text: found.email.text,
                html: standalone(&found.email.html),
                recipients: found.recipients,
                excluded: CampaignExcluded { no_consent, suppressed, invalid },
            });
        }
        Wish::Test(email) => {
            service::test(&d, &new, email, language).await?;
            body.test = Some(CampaignTest { email: email.clone() });
        }
        Wish::Send => {
            let made = service::create(&d, &caller, &origin, &new).await?;
            body.campaign = Some(view(&d, made).await?);
            return Ok((StatusCode::ACCEPTED, Json(body)));
        }
    }
    Ok((StatusCode::OK, Json(body)))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct CampaignQuery {
    /// From 1 on.
    page: Option<u64>,
}

#[derive(Serialize, ToSchema)]
struct CampaignsBody {
    campaigns: Vec<CampaignView>,
    total: u64,
    page: u64,
    pages: u64,
}

/// All campaigns, the newest first, 20 on a page.
#[utoipa::path(get, path = "/api/v1/campaigns", tag = "marketing", operation_id = "list_campaigns", params(CampaignQuery),
    responses((status = 200, body = CampaignsBody), (status = 401), (status = 403)), security(("session" = [])))]
async fn list_campaigns(Of(d): Of<Outreach>, _: AdminOnly, Query(query): Query<CampaignQuery>) -> ApiResult<Json<CampaignsBody>> {
    // Bounded, so that the offset fits the databases' signed integers.
    let page = query.page.unwrap_or(1).clamp(1, 1_000_000);
    let found = store::page(d.db.read(), (page - 1) * PAGE, PAGE).await;
    let (rows, total) = found.map_err(CampaignError::from)?;
    let campaigns = views(&d, rows).await?;
    Ok(Json(CampaignsBody { campaigns, total, page, pages: total.div_ceil(PAGE).max(1) }))
}

#[derive(Serialize, ToSchema)]
struct CampaignBody {
    campaign: CampaignView,
}

/// A campaign and what became of its messages.
///
/// Errors: `CAMPAIGN_NOT_FOUND` (404).
#[utoipa::path(get, path = "/api/v1/campaign/{id}", tag = "marketing", operation_id = "get_campaign",
    params(("id" = String, Path)),
    responses((status = 200, body = CampaignBody), (status = 401), (status = 403), (status = 404)), security(("session" = [])))]
async fn get_campaign(Of(d): Of<Outreach>, _: AdminOnly, Path(id): Path<CampaignId>) -> ApiResult<Json<CampaignBody>> {
    let row = store::find(d.db.read(), id).await.map_err(CampaignError::from)?.ok_or(CampaignError::NotFound)?;
    Ok(Json(CampaignBody { campaign: view(&d, row).await? }))
}

/// Stops a campaign: who was not written to yet is not.
///
/// Errors: `CAMPAIGN_NOT_FOUND` (404); `CAMPAIGN_OVER` (409).
#[utoipa::path(post, path = "/api/v1/campaign/{id}/stop", tag = "marketing", operation_id = "stop_campaign",
    params(("id" = String, Path)),
    responses((status = 200, body = CampaignBody), (status = 401), (status = 403), (status = 404), (status = 409)),
    security(("session" = [])))]
async fn stop_campaign(
    Of(d): Of<Outreach>,
    caller: AdminOnly,
    origin: Origin,
    Path(id): Path<CampaignId>,
) -> ApiResult<Json<CampaignBody>> {
    let stopped = service::stop(&d, &caller, &origin, id).await?;
    Ok(Json(CampaignBody { campaign: view(&d, stopped).await? }))
}
