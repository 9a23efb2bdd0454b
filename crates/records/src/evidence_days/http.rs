//! The published roots, for anybody.

use crate::Records;
use atalaya_cases::evidence::days::{self, Day};
use atalaya_cases::evidence::stamps::Stamped;
use atalaya_cases::evidence_keys::service::moment;
use atalaya_rest::extract::{Json, Query};
use atalaya_rest::problem::{FieldError, Problem};
use atalaya_rest::response::ApiResult;
use axum::extract::State;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

/// Days of a page.
const PAGE_DAYS: u64 = 100;

pub fn routes(deps: Records) -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(evidence_roots)).with_state(deps)
}

#[derive(Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct RootsQuery {
    /// Days before this one (`2026-11-27`); the newest without it.
    before: Option<String>,
}

/// The time stamp of a root.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RootTimestamp {
    authority: String,
    serial: String,
    at: DateTime<Utc>,
    /// Of a qualified trust service provider.
    qualified: bool,
    /// Base64 of the DER of the RFC 3161 token over the root.
    token: String,
}

impl From<Stamped> for RootTimestamp {
    fn from(stamped: Stamped) -> Self {
        Self {
            authority: stamped.authority,
            serial: stamped.serial,
            at: stamped.at,
            qualified: stamped.qualified,
            token: STANDARD.encode(&stamped.token),
        }
    }
}

/// The root of a day.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RootView {
    day: NaiveDate,
    /// Sealed states of cases under it.
    seals: i32,
    /// The root before it, the first leaf of its tree.
    previous: String,
    root: String,
    /// When it was closed, as it is signed.
    closed_at: String,
    /// Fingerprint of the key that signed it, one of `/.well-known/atalaya-evidence.pem`.
    key: String,
    /// Base64 of DER, over the statement `VADAY1`.
    signature: String,
    timestamp: Option<RootTimestamp>,
}

impl RootView {
    fn of(day: Day, stamped: Option<Stamped>) -> Self {
        Self {
            day: day.day,
            seals: day.seals,
            previous: day.previous,
            root: day.root,
            closed_at: moment(day.at),
            key: day.signed.fingerprint,
            signature: day.signed.signature,
            timestamp: stamped.map(RootTimestamp::from),
        }
    }
}

#[derive(Serialize, ToSchema)]
struct RootsBody {
    /// Newest first, at most 100.
    roots: Vec<RootView>,
    /// `before` of the next page; null on the last.
    next: Option<NaiveDate>,
}

/// The roots of closed days, newest first. Days without a seal have none.
///
/// Errors: `INVALID_FIELDS` (422).
#[utoipa::path(get, path = "/api/v1/evidence-roots", tag = "certificates", operation_id = "evidence_roots", params(RootsQuery),
    responses((status = 200, body = RootsBody)), security(()))]
async fn evidence_roots(State(deps): State<Records>, Query(query): Query<RootsQuery>) -> ApiResult<Json<RootsBody>> {
    let db = deps.db.read();
    let day = |text: String| text.parse().map_err(|_| Problem::invalid([FieldError::new("before", "DATE_INVALID")]));
    let before: Option<NaiveDate> = query.before.map(day).transpose()?;
    let mut found = days::list(db, before, PAGE_DAYS + 1).await.map_err(Problem::internal)?;
    let more = found.len() as u64 > PAGE_DAYS;
    found.truncate(PAGE_DAYS as usize);
    let next = found.last().filter(|_| more).map(|day| day.day);
    let mut stamps = days::stamps_of(db, &found).await.map_err(Problem::internal)?;
    let view = |day: Day| {
        let stamped = stamps.remove(&day.id);
        RootView::of(day, stamped)
    };
    Ok(Json(RootsBody { roots: found.into_iter().map(view).collect(), next }))
}

/// What webhooks receive of a closed day.
pub fn facts(day: &Day) -> Value {
    json!({
        "day": day.day, "seals": day.seals, "previous": day.previous, "root": day.root, "closedAt": moment(day.at),
        "key": day.signed.fingerprint, "signature": day.signed.signature,
    })
}
