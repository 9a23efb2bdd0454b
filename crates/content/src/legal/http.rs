//! `legal-id/{id or 0}` and `legalbylanguage/{legalId or 0}/{languageCode}`: the conditions a company accepts.

use super::diff::{DiffBlock, diff};
use super::model::LegalText;
use super::plain::blocks;
use super::service;
use crate::Content;
use atalaya_kernel::{ClientLanguage, Language};
use atalaya_rest::{ApiResult, Caller, Json, Path, Problem, RequestLanguage};
use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;

/// A legal text.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = Legal)]
#[serde(rename_all = "camelCase")]
pub struct LegalView {
    #[serde(rename = "_id")]
    id: Uuid,
    /// `1` general conditions, `2` particular conditions.
    #[serde(rename = "type")]
    #[schema(minimum = 1, maximum = 2)]
    kind: i16,
    title: String,
    version: i32,
    language: ClientLanguage,
    html: String,
    in_force_from: DateTime<Utc>,
}

impl From<LegalText> for LegalView {
    fn from(text: LegalText) -> Self {
        Self {
            id: text.id,
            kind: text.kind as i16,
            title: text.title,
            version: text.version,
            language: text.language,
            html: text.html,
            in_force_from: text.in_force_from,
        }
    }
}

#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = LegalTexts)]
pub(crate) struct LegalAnswer {
    legal: Vec<LegalView>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = LegalDiff)]
pub(crate) struct DiffAnswer {
    diff: Vec<DiffBlock>,
}

/// What changed from one text to another, block by block and word by word.
///
/// Errors: 403 for those who do not accept terms, `LEGAL_NOT_FOUND` (404).
#[utoipa::path(get, path = "/api/v1/legal-diff/{from}/{to}", tag = "legal", security(("session" = [])),
    params(("from" = Uuid, Path), ("to" = Uuid, Path)),
    responses((status = 200, body = DiffAnswer), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn get_legal_diff(
    State(d): State<Content>,
    caller: Caller,
    Path((from, to)): Path<(String, String)>,
) -> ApiResult<Json<DiffAnswer>> {
    if !caller.is_admin() && !caller.role.is_principal() {
        return Err(Problem::forbidden("ROLE_NOT_ALLOWED"));
    }
    let mut sides = Vec::with_capacity(2);
    for id in [from, to] {
        let id = Uuid::parse_str(&id).map_err(|_| Problem::not_found("LEGAL_NOT_FOUND"))?;
        let text = service::conditions(&d, id, None).await?;
        sides.push(blocks(&text.html).into_iter().map(|block| block.text).collect::<Vec<_>>());
    }
    Ok(Json(DiffAnswer { diff: diff(&sides[0], &sides[1]) }))
}

/// The texts of an id; `0` means those in force.
async fn texts(d: &Content, id: &str, language: Language, translate: bool) -> ApiResult<Json<LegalAnswer>> {
    let found = if id == "0" {
        service::conditions_in_force(d, language).await?
    } else {
        let id = Uuid::parse_str(id).map_err(|_| Problem::not_found("LEGAL_NOT_FOUND"))?;
        vec![service::conditions(d, id, translate.then_some(language.into())).await?]
    };
    Ok(Json(LegalAnswer { legal: found.into_iter().map(LegalView::from).collect() }))
}

/// A legal text by its id, or with `0` the general and particular conditions in force, in the request's language.
///
/// Errors: `LEGAL_NOT_FOUND` (404).
#[utoipa::path(get, path = "/api/v1/legal-id/{id}", tag = "legal", security(()),
    params(("id" = String, Path, description = "`0` for those in force")),
    responses((status = 200, body = LegalAnswer), (status = 404)))]
pub(crate) async fn get_legal(
    State(d): State<Content>,
    RequestLanguage(language): RequestLanguage,
    Path(id): Path<String>,
) -> ApiResult<Json<LegalAnswer>> {
    texts(&d, &id, language, false).await
}

/// The same in a language that is named; Spanish stands in for a text that lacks it.
///
/// Errors: `LEGAL_NOT_FOUND` (404), `INVALID_FIELDS` with `LANGUAGE_UNKNOWN` (422).
#[utoipa::path(get, path = "/api/v1/legalbylanguage/{legalId}/{languageCode}", tag = "legal", security(()),
    params(("legalId" = String, Path, description = "`0` for those in force"), ("languageCode" = String, Path)),
    responses((status = 200, body = LegalAnswer), (status = 404), (status = 422)))]
pub(crate) async fn get_legal_by_language(
    State(d): State<Content>,
    Path((id, code)): Path<(String, String)>,
) -> ApiResult<Json<LegalAnswer>> {
    let language = Language::parse(&code);
    let language = language.ok_or_else(|| Problem::invalid([]).field("languageCode", "LANGUAGE_UNKNOWN"))?;
    texts(&d, &id, language, true).await
}
