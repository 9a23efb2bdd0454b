//! Calls about terms and price tables: the administrator's, and those of the principal who accepts.

mod contract;
mod input;
mod simulation;

use self::input::{LegalInput, PriceInput};
use super::contracts;
use crate::{Billing, BillingError, BillingResult};
use atalaya_content::ContentError;
use atalaya_content::legal::{LegalText, LegalView, service as legal};
use atalaya_content::prices::{NewPrice, Price, PriceView, service as prices};
use atalaya_db::DbError;
use atalaya_identity::IdentityError;
use atalaya_identity::audit::{Action, Entry, service as audit};
use atalaya_identity::auth::service::Origin;
use atalaya_identity::companies::service as companies;
use atalaya_identity::terms_acceptance::{self as acceptance, Counted, Decision};
use atalaya_identity::users::service as users;
use atalaya_kernel::{ClientLanguage, CompanyId, CompanyKind, UserId};
use atalaya_rest::{AdminOnly, ApiResult, Caller, Created, Json, NoContent, Problem, RequestLanguage};
use axum::extract::{DefaultBodyLimit, State};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

/// Bytes of a file of examples at most.
const SIMULATION_BYTES: usize = 1 << 20;

pub(crate) fn routes(d: Billing) -> OpenApiRouter {
    let large = OpenApiRouter::new().routes(routes!(simulate)).layer(DefaultBodyLimit::max(SIMULATION_BYTES));
    OpenApiRouter::new()
        .routes(routes!(list_prices))
        .routes(routes!(create_price))
        .routes(routes!(list_legals))
        .routes(routes!(create_legal))
        .routes(routes!(get_pending))
        .routes(routes!(accept_pending))
        .routes(routes!(decline_pending))
        .merge(large)
        .with_state(d.clone())
        .merge(contract::routes(d))
}

/// A price table with what became of it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PriceVersion {
    #[serde(flatten)]
    price: PriceView,
    /// Name of the company it is offered to.
    company: Option<String>,
    /// How many companies stand by it.
    accepted: i64,
    in_force: bool,
    created_at: DateTime<Utc>,
    created_by: Option<String>,
}

#[derive(Serialize, ToSchema)]
struct PricesBody {
    prices: Vec<PriceVersion>,
}

/// Every price table, the one that comes or came into force last first; at most a thousand.
#[utoipa::path(get, path = "/api/v1/prices", tag = "prices", operation_id = "list_prices",
    responses((status = 200, body = PricesBody), (status = 401), (status = 403)), security(("session" = [])))]
async fn list_prices(State(d): State<Billing>, _: AdminOnly) -> ApiResult<Json<PricesBody>> {
    Ok(Json(PricesBody { prices: versions(&d).await? }))
}

async fn versions(d: &Billing) -> BillingResult<Vec<PriceVersion>> {
    let all = prices::list(&d.content).await?;
    let owners: Vec<CompanyId> = all.iter().filter_map(|(price, _)| price.company).collect();
    let names = companies::names(&d.identity, &owners).await?;
    let makers: HashSet<UserId> = all.iter().filter_map(|(_, by)| *by).collect();
    let makers = users::list_by_ids(&d.identity, makers).await?;
    let makers: HashMap<UserId, String> = makers.into_iter().map(|user| (user.id, user.display_name())).collect();
    let accepted = acceptance::count_by(&d.identity, Counted::Price).await?;
    let now = d.sources.now();
    // The first of each company in this order that has begun is the one in force.
    let mut seen = HashSet::new();
    let version = |(price, by): (Price, Option<UserId>)| PriceVersion {
        company: price.company.and_then(|id| names.get(&id).cloned()),
        accepted: accepted.get(&price.id).copied().unwrap_or_default(),
        in_force: price.valid_from <= now && seen.insert(price.company),
        created_at: price.created_at,
        created_by: by.and_then(|by| makers.get(&by).cloned()),
        price: PriceView::from(&price),
    };
    Ok(all.into_iter().map(version).collect())
}

#[derive(Serialize, ToSchema)]
#[schema(as = NewPriceAnswer)]
struct PriceBody {
    price: PriceView,
}

/// Puts a price table beside the others: for everybody, or offered to one customer. Nothing changes for a company until it
/// accepts it.
///
/// Errors: `INVALID_FIELDS` (422) with every wrong field; `discounts` with `TIERS_INVALID`, `TIERS_NOT_RISING` or
/// `PERCENT_FALLING`.
#[utoipa::path(post, path = "/api/v1/price", tag = "prices", operation_id = "create_price", request_body = PriceInput,
    responses((status = 201, body = PriceBody), (status = 401), (status = 403), (status = 422)), security(("session" = [])))]
async fn create_price(
    State(d): State<Billing>,
    caller: AdminOnly,
    origin: Origin,
    Json(body): Json<PriceInput>,
) -> ApiResult<Created<PriceBody>> {
    let checked = body.check(d.sources.now())?;
    if let Some(id) = checked.company {
        let unknown = || Problem::invalid([]).field("companyId", "COMPANY_NOT_FOUND");
        match companies::get_company(&d.identity, id).await {
            Ok(company) if company.kind == CompanyKind::Customer => {}
            Ok(_) | Err(IdentityError::CompanyNotFound) => return Err(unknown()),
            Err(other) => return Err(other.into()),
        }
    }
    let new = NewPrice { table: checked.table, company: checked.company, valid_from: checked.valid_from };
    let price = add_price(&d, &caller, &origin, new).await?;
    Ok(Created(PriceBody { price: PriceView::from(&price) }))
}

async fn add_price(d: &Billing, caller: &Caller, origin: &Origin, new: NewPrice) -> BillingResult<Price> {
    let tx = d.db.write().await?;
    let price = prices::add(&d.content, &tx, new, caller.user).await?;
    let entry = Entry::company(Action::PricePublished, price.company.unwrap_or(caller.company));
    let entry = entry.by(caller).from(origin.address).detail(json!({"priceId": price.id, "from": price.valid_from}));
    audit::record(&d.identity, &tx, entry).await?;
    tx.commit().await?;
    Ok(price)
}

/// What each example of a file comes to.
#[derive(Serialize, ToSchema)]
struct SimulationBody {
    /// `{name, expected}` in the file's order; amounts in cents.
    #[schema(value_type = Vec<Object>)]
    examples: Vec<atalaya_tariff::simulate::Simulated>,
}

/// Calculates the examples of a file in the format of `billing simulate`; nothing is stored.
///
/// Errors: `SIMULATION_INVALID` (422) naming the example; 413 above 1 MiB.
#[utoipa::path(post, path = "/api/v1/price-simulate", tag = "prices", operation_id = "simulate_price",
    request_body(content = Object, description = "`{examples: […]}` or one example"),
    responses((status = 200, body = SimulationBody), (status = 401), (status = 403), (status = 413), (status = 422)),
    security(("session" = [])))]
async fn simulate(_: AdminOnly, Json(file): Json<Value>) -> ApiResult<Json<SimulationBody>> {
    let calculate = move || simulation::run(&file);
    let examples = tokio::task::spawn_blocking(calculate).await.map_err(Problem::internal)??;
    Ok(Json(SimulationBody { examples }))
}

/// A text of a version.
#[derive(Serialize, ToSchema)]
struct LegalLanguage {
    #[serde(rename = "_id")]
    id: Uuid,
    language: ClientLanguage,
    title: String,
    /// Of its HTML.
    sha256: String,
}

/// A version of a kind of text with its languages and what became of it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LegalVersion {
    /// `1` general conditions, `2` particular conditions, `3` the end client's notice.
    #[serde(rename = "type")]
    kind: i16,
    version: i32,
    in_force_from: DateTime<Utc>,
    in_force: bool,
    /// How many companies stand by it.
    accepted: i64,
    texts: Vec<LegalLanguage>,
}

#[derive(Serialize, ToSchema)]
struct LegalsBody {
    legals: Vec<LegalVersion>,
}

/// Every version of every legal text, by kind, the newest first.
#[utoipa::path(get, path = "/api/v1/legals", tag = "legal", operation_id = "list_legals",
    responses((status = 200, body = LegalsBody), (status = 401), (status = 403)), security(("session" = [])))]
async fn list_legals(State(d): State<Billing>, _: AdminOnly) -> ApiResult<Json<LegalsBody>> {
    let all = legal::list(&d.content).await?;
    let accepted = acceptance::count_by(&d.identity, Counted::Text).await?;
    let now = d.sources.now();
    let mut seen = HashSet::new();
    let mut legals: Vec<LegalVersion> = Vec::new();
    for text in all {
        let kind = text.kind as i16;
        if legals.last().is_none_or(|last| (last.kind, last.version) != (kind, text.version)) {
            let (version, in_force_from) = (text.version, text.in_force_from);
            let in_force = in_force_from <= now && seen.insert(kind);
            legals.push(LegalVersion { kind, version, in_force_from, in_force, accepted: 0, texts: Vec::new() });
        }
        if let Some(last) = legals.last_mut() {
            // Whoever stands by a version read it in one language.
            last.accepted += accepted.get(&text.id).copied().unwrap_or_default();
            last.texts.push(LegalLanguage { id: text.id, language: text.language, title: text.title, sha256: text.sha256 });
        }
    }
    Ok(Json(LegalsBody { legals }))
}

#[derive(Serialize, ToSchema)]
#[schema(as = NewLegalAnswer)]
struct LegalBody {
    legal: LegalView,
}

/// Publishes a legal text: a new version, which begins in Spanish, or a further language of a version. Nothing changes for a
/// company until it accepts it.
///
/// Errors: `INVALID_FIELDS` (422) with every wrong field, `LEGAL_LANGUAGE` at `language`, `LEGAL_VERSION_UNKNOWN` at
/// `version`; `LEGAL_CHANGED` (409) when somebody published at the same moment.
#[utoipa::path(post, path = "/api/v1/legal", tag = "legal", operation_id = "create_legal", request_body = LegalInput,
    responses((status = 201, body = LegalBody), (status = 401), (status = 403), (status = 409), (status = 422)),
    security(("session" = [])))]
async fn create_legal(
    State(d): State<Billing>,
    caller: AdminOnly,
    origin: Origin,
    Json(body): Json<LegalInput>,
) -> ApiResult<Created<LegalBody>> {
    let new = body.check(d.sources.now())?;
    let tx = d.db.write().await.map_err(BillingError::from)?;
    let text: LegalText = match legal::add(&d.content, &tx, new).await {
        Ok(text) => text,
        Err(ContentError::LegalNotFound) => return Err(Problem::invalid([]).field("version", "LEGAL_VERSION_UNKNOWN")),
        Err(ContentError::Db(DbError::Duplicate(_))) => return Err(Problem::conflict("LEGAL_CHANGED")),
        Err(other) => return Err(other.into()),
    };
    let detail =
        json!({"type": text.kind as i16, "version": text.version, "language": text.language, "from": text.in_force_from});
    let entry = Entry::company(Action::LegalPublished, caller.company).by(&caller).from(origin.address).detail(detail);
    audit::record(&d.identity, &tx, entry).await?;
    tx.commit().await.map_err(BillingError::from)?;
    Ok(Created(LegalBody { legal: text.into() }))
}

/// A text in force that the company has not accepted.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PendingLegal {
    legal_id: Uuid,
    #[serde(rename = "type")]
    kind: i16,
    title: String,
    version: i32,
    /// What it stands by, to compare with.
    previous_id: Option<Uuid>,
}

/// A price table in force that the company has not accepted.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PendingPrice {
    #[serde(flatten)]
    price: PriceView,
    /// The table it stands by.
    previous_id: Option<Uuid>,
}

#[derive(Serialize, ToSchema)]
#[schema(as = PendingTerms)]
#[serde(rename_all = "camelCase")]
struct PendingBody {
    pending: Vec<PendingLegal>,
    /// Of customers only.
    price: Option<PendingPrice>,
    /// When this very set was declined.
    declined_at: Option<DateTime<Utc>>,
}

fn principal(caller: Caller) -> ApiResult<Caller> {
    if caller.role.is_principal() { Ok(caller) } else { Err(Problem::forbidden("ROLE_NOT_ALLOWED")) }
}

/// What is in force and the caller's company has not accepted. For principals.
///
/// Errors: 403 for everybody else.
#[utoipa::path(get, path = "/api/v1/legal-pending", tag = "legal", operation_id = "get_pending_terms",
    responses((status = 200, body = PendingBody), (status = 401), (status = 403)), security(("session" = [])))]
async fn get_pending(
    State(d): State<Billing>,
    RequestLanguage(language): RequestLanguage,
    caller: Caller,
) -> ApiResult<Json<PendingBody>> {
    let caller = principal(caller)?;
    let company = companies::get_company(&d.identity, caller.company).await?;
    let found = acceptance::pending(&d.identity, &company, language).await?;
    let text = |of: acceptance::PendingText| PendingLegal {
        legal_id: of.text.id,
        kind: of.text.kind as i16,
        title: of.text.title,
        version: of.text.version,
        previous_id: of.previous,
    };
    let price = |of: acceptance::PendingPrice| PendingPrice { price: PriceView::from(&of.price), previous_id: of.previous };
    Ok(Json(PendingBody {
        pending: found.texts.into_iter().map(text).collect(),
        price: found.price.map(price),
        declined_at: found.declined_at,
    }))
}

/// What the principal saw.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TermsDecision {
    #[serde(default)]
    legal_ids: Vec<Uuid>,
    #[serde(default)]
    price_id: Option<Uuid>,
}

/// Accepts all that is pending, with its proof: who, when, from where, the digest of each text. What stood before ends.
///
/// Errors: 403 for who is no principal; `LEGAL_TEXT_CHANGED` (422) at `legalIds` or `priceId` when what was seen is not
/// (all of) what is in force.
#[utoipa::path(post, path = "/api/v1/legal-accept", tag = "legal", operation_id = "accept_terms", request_body = TermsDecision,
    responses((status = 204), (status = 401), (status = 403), (status = 422)), security(("session" = [])))]
async fn accept_pending(
    State(d): State<Billing>,
    caller: Caller,
    origin: Origin,
    Json(body): Json<TermsDecision>,
) -> ApiResult<NoContent> {
    let caller = principal(caller)?;
    let seen = Decision { legal_ids: body.legal_ids, price_id: body.price_id };
    acceptance::accept_pending(&d.identity, &caller, &origin, &seen).await?;
    // It is accepted, whatever becomes of the document: the daily round keeps what is missing.
    if let Err(error) = contracts::keep(&d, caller.company).await {
        tracing::error!(company = %caller.company, %error, "a contract is not kept");
    }
    Ok(NoContent)
}

/// Notes that the principal declined what is pending. Nothing else changes: what was accepted goes on.
///
/// Errors: 403 for who is no principal.
#[utoipa::path(post, path = "/api/v1/legal-decline", tag = "legal", operation_id = "decline_terms", request_body = TermsDecision,
    responses((status = 204), (status = 401), (status = 403)), security(("session" = [])))]
async fn decline_pending(
    State(d): State<Billing>,
    caller: Caller,
    origin: Origin,
    _: Json<TermsDecision>,
) -> ApiResult<NoContent> {
    acceptance::decline(&d.identity, &principal(caller)?, &origin).await?;
    Ok(NoContent)
}
