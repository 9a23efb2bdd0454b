//! `incidences/{id}`: a page of the list, or all of it as a workbook.

use crate::Records;
use crate::incidences::view::{self, IncidenceRow};
use crate::tickets::model::{Kind, Reason, Status};
use crate::tickets::{self, Filter, Scope};
use atalaya_cases::conferences::ConferenceError;
use atalaya_cases::lists::model::RangeBody;
use atalaya_identity::IdentityError;
use atalaya_identity::users::model::{Reach, profile_reach};
use atalaya_identity::users::service as users;
use atalaya_kernel::{CompanyId, UserId};
use atalaya_rest::caller::{Caller, SupportSide};
use atalaya_rest::extract::{Json, Path, Query, RequestLanguage};
use atalaya_rest::page::{ListQuery, Slice};
use atalaya_rest::problem::{FieldError, Problem};
use atalaya_rest::response::ApiResult;
use atalaya_rest::xlsx::attachment;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

mod workbook;

/// Lines of a page.
const PAGE: u64 = 20;

pub fn routes(deps: Records) -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(list_incidences)).with_state(deps)
}

/// What a list is narrowed to.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
struct IncidencesQuery {
    /// Statuses, separated by commas; every one when empty.
    status: Option<String>,
    /// Types, separated by commas; every one when empty.
    #[serde(rename = "type")]
    kind: Option<String>,
    /// Reasons, separated by commas; every one when empty.
    reason: Option<String>,
    /// Only those of this company: any for an administrator, otherwise the caller's own.
    company: Option<String>,
    /// Sent from this day or moment on, `2026-11-14` or RFC 3339.
    begin: Option<String>,
    /// Sent up to this day or moment, inclusive.
    end: Option<String>,
    /// Words that must all occur in number, case, author, company or comments.
    q: Option<String>,
    /// From 1.
    page: Option<u32>,
    /// `xlsx` answers every row of the filter as a workbook.
    format: Option<String>,
}

/// Numbers separated by commas.
fn several<T>(field: &'static str, text: &Option<String>, parse: fn(i16) -> Option<T>) -> Result<Vec<T>, Problem> {
    let all = text.as_deref().unwrap_or_default().split(',').map(str::trim).filter(|text| !text.is_empty());
    let read = |text: &str| text.parse().ok().and_then(parse);
    all.map(|text| read(text).ok_or_else(|| Problem::invalid([]).field(field, "INVALID"))).collect()
}

impl IncidencesQuery {
    fn filter(&self, caller: &Caller, of: UserId) -> Result<Filter, Problem> {
        let range = RangeBody { begin: self.begin.clone(), end: self.end.clone() };
        let bounds = range.bounds();
        let (from, until) = bounds.map_err(|wrong| Problem::invalid([FieldError::new(wrong.field, wrong.code)]))?;
        Ok(Filter {
            author: (of != caller.user).then_some(of),
            statuses: several("status", &self.status, Status::parse)?,
            kinds: several("type", &self.kind, Kind::parse)?,
            reasons: several("reason", &self.reason, Reason::parse)?,
            company: self.company(caller)?,
            from,
            until,
            search: self.q.as_deref().unwrap_or_default().chars().take(200).collect(),
            ..Filter::of(Scope::of(caller))
        })
    }

    fn company(&self, caller: &Caller) -> Result<Option<CompanyId>, Problem> {
        let Some(text) = self.company.as_deref().filter(|text| !text.is_empty()) else { return Ok(None) };
        let id: CompanyId = text.parse().map_err(|_| Problem::invalid([]).field("company", "INVALID"))?;
        match caller.is_admin() || id == caller.company {
            true => Ok(Some(id)),
            false => Err(Problem::not_found("COMPANY_NOT_FOUND")),
        }
    }
}

#[derive(Serialize, ToSchema)]
struct IncidencesBody {
    /// The latest change first.
    incidences: Vec<IncidenceRow>,
    /// Of the whole filter.
    total: u64,
    page: u64,
    pages: u64,
}

/// The incidences of a user: an administrator's own id lists everybody's, a principal's his company's. `format=xlsx`
/// answers them as a workbook.
///
/// Errors: `USER_NOT_FOUND` (404, also another tenant's), `COMPANY_NOT_FOUND` (404, another tenant's), `OWN_ID_REQUIRED`,
/// `ROLE_NOT_ALLOWED` (403), `INVALID_FIELDS` (422) about `status`, `type`, `reason`, `company`, `begin`, `end`, `format`,
/// `WORKBOOK_TOO_LONG` (422).
#[utoipa::path(get, path = "/api/v1/incidences/{id}", tag = "incidences", operation_id = "list_incidences",
    params(("id" = UserId, Path), IncidencesQuery), responses((status = 200, body = IncidencesBody)), security(("session" = [])))]
async fn list_incidences(
    State(deps): State<Records>,
    caller: Caller,
    Path(id): Path<UserId>,
    Query(query): Query<IncidencesQuery>,
    RequestLanguage(language): RequestLanguage,
) -> ApiResult<Response> {
    require_reach(&deps, &caller, id).await?;
    if !SupportSide::allows(caller.role) {
        return Err(IdentityError::RoleNotAllowed.into());
    }
    let filter = query.filter(&caller, id)?;
    let book = ListQuery { format: query.format.clone(), ..ListQuery::default() };
    let whole = book.slice()?;
    let total = tickets::count(deps.db.read(), &filter).await.map_err(ConferenceError::from)?;
    if book.wants_workbook(total)? {
        let found = tickets::list(deps.db.read(), &filter, whole).await.map_err(ConferenceError::from)?;
        let rows = view::plain(&deps, &caller, &found).await?;
        let now = deps.sources.now();
        return Ok(attachment("incidencias", now, workbook::of(rows, caller.is_admin(), language, now).await?));
    }
    let page = u64::from(query.page.unwrap_or(1).max(1));
    let slice = Slice { offset: (page - 1) * PAGE, limit: PAGE };
    let found = tickets::list(deps.db.read(), &filter, slice).await.map_err(ConferenceError::from)?;
    let incidences = view::rows(&deps, &caller, &found).await?;
    Ok(Json(IncidencesBody { incidences, total, page, pages: total.div_ceil(PAGE).max(1) }).into_response())
}

/// The own-id guard, for a user that exists.
async fn require_reach(deps: &Records, caller: &Caller, id: UserId) -> ApiResult<()> {
    let user = users::find_user(&deps.identity, id).await?.ok_or(IdentityError::UserNotFound)?;
    match profile_reach(caller, user.id, user.parent) {
        Reach::Allowed => Ok(()),
        Reach::Forbidden => Err(IdentityError::OwnIdRequired.into()),
        Reach::Hidden => Err(IdentityError::UserNotFound.into()),
    }
}
