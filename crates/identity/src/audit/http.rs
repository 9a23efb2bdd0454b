//! `audit` and `user-logs/{id}`.

use super::Action;
use super::view::{self, Filter, LogView, Names};
use crate::{Identity, IdentityError, directory};
use atalaya_kernel::{CompanyId, UserId};
use atalaya_rest::page::ListQuery;
use atalaya_rest::{AdminOnly, ApiResult, Caller, Json, Path, Problem, Query, RequestLanguage, xlsx};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// Which part of the log.
#[derive(Debug, Clone, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub(crate) struct AuditQuery {
    /// Only entries about this company; a principal's own when missing.
    company: Option<String>,
    /// Only entries about this user.
    user: Option<String>,
    /// Only this action, for instance `USER_DEACTIVATED`.
    action: Option<String>,
    /// A date-time or a day of Europe/Madrid, inclusive.
    from: Option<String>,
    /// A date-time or a day of Europe/Madrid, inclusive.
    to: Option<String>,
    /// Rows at most, 1 to 200.
    limit: Option<u64>,
    /// `nextCursor` of the page before.
    cursor: Option<String>,
    /// `xlsx` answers every row of the filter as a workbook.
    format: Option<String>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LogsAnswer {
    logs: Vec<LogView>,
    /// Of the whole filter.
    total: u64,
    next_cursor: Option<String>,
}

/// Who did what to which account, newest first; `format=xlsx` answers it as a workbook. Administrators read everything,
/// principals what is about their company.
///
/// Errors: `ROLE_NOT_ALLOWED` (403), `COMPANY_NOT_FOUND` (404, another tenant's), `INVALID_FIELDS` (422).
/// Source: AUDIT-2, AUDIT-3.
#[utoipa::path(get, path = "/api/v1/audit", tag = "audit", params(AuditQuery),
    responses((status = 200, body = LogsAnswer), (status = 403), (status = 404), (status = 422)))]
pub(crate) async fn list_audit(
    State(d): State<Identity>,
    caller: Caller,
    RequestLanguage(language): RequestLanguage,
    Query(query): Query<AuditQuery>,
) -> ApiResult<Response> {
    let company = view::scope(&caller, id("company", query.company.as_deref())?)?;
    let user = id("user", query.user.as_deref())?;
    answer(&d, &caller, language, query, Filter { company, user, ..Filter::default() }).await
}

/// What was done to one user's account, newest first. People read about their own.
///
/// Errors: `ROLE_NOT_ALLOWED` (403), `USER_NOT_FOUND` (404, also another tenant's), `INVALID_FIELDS` (422).
/// Source: AUDIT-2, AUDIT-3.
#[utoipa::path(get, path = "/api/v1/user-logs/{id}", tag = "audit", params(("id" = UserId, Path), AuditQuery),
    responses((status = 200, body = LogsAnswer), (status = 403), (status = 404), (status = 422)))]
pub(crate) async fn user_logs(
    State(d): State<Identity>,
    caller: Caller,
    RequestLanguage(language): RequestLanguage,
    Path(id): Path<UserId>,
    Query(query): Query<AuditQuery>,
) -> ApiResult<Response> {
    let user = directory::find_user(d.db.read(), id).await?.ok_or(IdentityError::UserNotFound)?;
    if !caller.is_admin() && caller.company != user.parent {
        return Err(IdentityError::UserNotFound.into());
    }
    // Everybody sees what was done to the own account.
    let company = if caller.user == id { Some(user.parent) } else { view::scope(&caller, None)? };
    answer(&d, &caller, language, query, Filter { company, user: Some(id), ..Filter::default() }).await
}

/// Whether the chain of the log holds.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AuditChainAnswer {
    /// `whole` or `broken`.
    state: &'static str,
    /// Entries that hold, from the first one on.
    entries: i64,
    /// Hash of the last of them; whoever notes it can prove later that nothing was cut off.
    head: String,
    checked_at: chrono::DateTime<chrono::Utc>,
    /// Null while it holds.
    broken: Option<BreakView>,
}

/// Where the chain breaks first.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = AuditChainBreak)]
struct BreakView {
    /// Place in the chain; null for an entry that was put in past it.
    seq: Option<i64>,
    /// Null when the entry is gone.
    #[serde(rename = "_id")]
    id: Option<uuid::Uuid>,
    /// `changed`, `missing` or `outside`.
    reason: &'static str,
}

/// Walks the chain of the whole log. Administrators only.
///
/// Errors: `ROLE_NOT_ALLOWED` (403). Source: AUDIT-9.
#[utoipa::path(get, path = "/api/v1/audit-chain", tag = "audit",
    responses((status = 200, body = AuditChainAnswer), (status = 403)))]
pub(crate) async fn audit_chain(State(d): State<Identity>, _admin: AdminOnly) -> ApiResult<Json<AuditChainAnswer>> {
    let chain = atalaya_ledger::verify(&d.db, None).await.map_err(IdentityError::from)?;
    let broken = chain.broken.map(|found| BreakView { seq: found.seq, id: found.id, reason: found.flaw.name() });
    let state = if broken.is_none() { "whole" } else { "broken" };
    Ok(Json(AuditChainAnswer { state, entries: chain.entries, head: chain.head, checked_at: d.sources.now(), broken }))
}

async fn answer(
    d: &Identity,
    caller: &Caller,
    language: atalaya_kernel::Language,
    query: AuditQuery,
    filter: Filter,
) -> ApiResult<Response> {
    let filter = Filter {
        action: action(query.action.as_deref())?,
        from: view::bound("from", query.from.as_deref().unwrap_or_default(), false)?,
        before: view::bound("to", query.to.as_deref().unwrap_or_default(), true)?,
        ..filter
    };
    let page = ListQuery { limit: query.limit, cursor: query.cursor, format: query.format, ..ListQuery::default() };
    let slice = page.slice()?;
    let (rows, total) = atalaya_ledger::list(&d.db, &filter, slice.offset, slice.limit).await.map_err(IdentityError::from)?;
    let names = names(d, &rows).await?;
    let logs: Vec<LogView> = rows.into_iter().map(|entry| LogView::new(entry, &names, caller)).collect();
    if page.wants_workbook(total)? {
        let now = d.sources.now();
        let book = xlsx::build(move || view::workbook(language, &logs, now)).await?;
        return Ok(xlsx::attachment("actividad", now, book));
    }
    Ok(Json(LogsAnswer { logs, total, next_cursor: slice.next_cursor(total) }).into_response())
}

async fn names(d: &Identity, rows: &[view::Logged]) -> ApiResult<Names> {
    let users: HashSet<UserId> = rows.iter().filter_map(|row| row.user).collect();
    let companies: HashSet<CompanyId> = rows.iter().map(|row| row.company).collect();
    let users = directory::list_users_by_ids(d.db.read(), users).await?;
    let companies = directory::company_names(d.db.read(), &Vec::from_iter(companies)).await?;
    Ok(Names { users: users.into_iter().map(|user| (user.id, user)).collect(), companies })
}

fn id<T: std::str::FromStr>(field: &'static str, text: Option<&str>) -> Result<Option<T>, Problem> {
    let text = text.filter(|text| !text.is_empty());
    text.map(str::parse).transpose().map_err(|_| Problem::invalid([]).field(field, "INVALID"))
}

/// Only actions there are: what nobody does is a mistake in the query.
fn action(text: Option<&str>) -> Result<Option<String>, Problem> {
    let Some(text) = text.filter(|text| !text.is_empty()) else { return Ok(None) };
    if Action::ALL.iter().any(|action| action.name() == text) {
        return Ok(Some(text.to_owned()));
    }
    Err(Problem::invalid([]).field("action", "INVALID"))
}
