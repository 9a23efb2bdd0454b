//! `user/{id}`, `user`, `users/{id}`, `exist-userName/{userName}`, `me`.

use super::changes::UserChange;
use super::service::{self, Asking};
use crate::auth::http::UserView;
use crate::auth::middleware::bearer;
use crate::directory::{self, Company, ListedUser, USER_SORT_FIELDS, UserFilter};
use crate::guards::{CallerAccount, people_of};
use crate::menu::{self, MenuItem};
use crate::{Identity, Origin};
use atalaya_content::languages::headings;
use atalaya_kernel::{CompanyId, Language, Status, UserId};
use atalaya_rest::page::ListQuery;
use atalaya_rest::xlsx::{self, Cell, WorkbookError};
use atalaya_rest::{ApiResult, Caller, Json, Path, Problem, Query, RequestLanguage};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct UserAnswer {
    user: UserView,
}

/// A user's profile: one's own, any for administrators, colleagues' for the support flag and the principal.
///
/// Errors: `USER_NOT_FOUND` (404, also another tenant's), `OWN_ID_REQUIRED` (403).
/// Source: USER-2.
#[utoipa::path(get, path = "/api/v1/user/{id}", tag = "users", params(("id" = String, Path)),
    responses((status = 200, body = UserAnswer), (status = 403), (status = 404)))]
pub(crate) async fn get_user(State(d): State<Identity>, caller: Caller, Path(id): Path<UserId>) -> ApiResult<Json<UserAnswer>> {
    let (user, company) = service::get_profile(&d, &caller, id).await?;
    Ok(Json(UserAnswer { user: UserView::new(&user, &company, None, d.sources.now()) }))
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct MeAnswer {
    user: UserView,
    menu: Vec<MenuItem>,
}

/// The caller's own account and menu as they are now, for a shell that has been open for a while.
///
/// Source: USER-7.
#[utoipa::path(get, path = "/api/v1/me", tag = "users", responses((status = 200, body = MeAnswer), (status = 401)))]
pub(crate) async fn get_me(State(d): State<Identity>, own: CallerAccount) -> ApiResult<Json<MeAnswer>> {
    let user = UserView::new(own.user(), own.company(), None, d.sources.now());
    Ok(Json(MeAnswer { user, menu: menu::for_user(own.user()) }))
}

/// A user in a list.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = ListedUser)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ListedView {
    #[serde(flatten)]
    user: UserView,
    last_login: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UsersAnswer {
    users: Vec<ListedView>,
    /// Of the whole filter.
    total: u64,
    next_cursor: Option<String>,
}

/// The users of a company, searched, filtered, sorted, paged; `format=xlsx` answers them as a workbook.
///
/// Sorted by `name`, `userName`, `status`, `role`, `lastLogin` or `createdAt`. Errors: `COMPANY_NOT_FOUND` (404, also
/// another tenant's), `ROLE_NOT_ALLOWED` (403), `INVALID_FIELDS` (422). Source: USER-1.
#[utoipa::path(get, path = "/api/v1/users/{id}", tag = "users", params(("id" = CompanyId, Path), ListQuery),
    responses((status = 200, body = UsersAnswer), (status = 403), (status = 404), (status = 422)))]
pub(crate) async fn list_users(
    State(d): State<Identity>,
    caller: Caller,
    RequestLanguage(language): RequestLanguage,
    Path(id): Path<CompanyId>,
    Query(query): Query<ListQuery>,
) -> ApiResult<Response> {
    let company = people_of(&d, caller, id).await?.company;
    let status = query.status.map(Status::try_from).transpose();
    let status = status.map_err(|_| Problem::invalid([]).field("status", "INVALID"))?;
    let (slice, sort) = (query.slice()?, query.sort(USER_SORT_FIELDS)?);
    let filter = UserFilter { company: id, search: query.search(), status };
    let (rows, total) = directory::list_users(&d.db, &filter, sort, slice).await?;
    let now = d.sources.now();
    if query.wants_workbook(total)? {
        let book = xlsx::build(move || workbook(language, &rows, now)).await?;
        return Ok(xlsx::attachment("usuarios", now, book));
    }
    let users = rows.into_iter().map(|listed| view(listed, &company, now)).collect();
    Ok(Json(UsersAnswer { users, total, next_cursor: slice.next_cursor(total) }).into_response())
}

fn view(listed: ListedUser, company: &Company, now: DateTime<Utc>) -> ListedView {
    let ListedUser { user, created_at, last_login } = listed;
    ListedView { user: UserView::new(&user, company, None, now), last_login, created_at }
}

fn workbook(language: Language, rows: &[ListedUser], now: DateTime<Utc>) -> Result<Vec<u8>, WorkbookError> {
    const HEADINGS: &[(&str, u8)] = &[
        ("sheetName", 20),
        ("sheetSurname", 25),
        ("sheetUserName", 30),
        ("sheetEmail", 30),
        ("sheetPhone", 18),
        ("sheetRole", 18),
        ("sheetStatus", 18),
        ("sheetSupport", 10),
        ("sheetTwoFactor", 14),
        ("sheetLastLogin", 18),
        ("sheetCreatedAt", 18),
    ];
    let cells = |ListedUser { user, created_at, last_login }: &ListedUser| {
        vec![
            Cell::text(&user.name),
            Cell::text(&user.surname),
            Cell::text(&user.user_name),
            Cell::optional(user.email.as_ref()),
            Cell::optional(user.phone.as_ref()),
            Cell::text(headings::role(language, user.role)),
            Cell::text(headings::status(language, user.status)),
            Cell::Flag(user.support),
            Cell::Flag(user.has2fa),
            last_login.map_or(Cell::Empty, Cell::time),
            Cell::time(*created_at),
        ]
    };
    let rows: Vec<Vec<Cell>> = rows.iter().map(cells).collect();
    xlsx::workbook(&headings::columns(language, "users", HEADINGS), &rows, now)
}

#[derive(Deserialize, utoipa::ToSchema)]
pub(crate) struct PutUserBody {
    user: UserFields,
}

/// A changed user. Missing fields stay as they are; what the caller may not set is ignored, and so is any other key.
#[derive(Deserialize, utoipa::ToSchema)]
#[schema(as = UserFields)]
pub(crate) struct UserFields {
    #[serde(rename = "_id")]
    id: UserId,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    surname: Option<String>,
    /// `null` clears it.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>)]
    email: Option<Option<String>>,
    /// `null` clears it.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<String>)]
    phone: Option<Option<String>>,
    #[serde(default)]
    language: Option<String>,
    /// By administrators, and by principals within the creator table.
    #[serde(default)]
    #[schema(value_type = Option<i16>)]
    role: Option<Value>,
    /// By administrators; by principals 1 and 2.
    #[serde(default)]
    #[schema(value_type = Option<i16>)]
    status: Option<Value>,
    /// By administrators.
    #[serde(default)]
    #[schema(value_type = Option<bool>)]
    support: Option<Value>,
}

/// Tells `null` from a missing key.
fn given<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::<String>::deserialize(deserializer).map(Some)
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ChangedUser)]
pub(crate) struct ChangedUserAnswer {
    user: UserView,
    /// The log-in name, and address, that both mailboxes have to confirm before it is in force.
    pending_user_name: Option<String>,
}

/// Changes a user: oneself, a colleague by support flag or principal, anybody by an administrator. Another address behind
/// the log-in name becomes the name: at once by an administrator (not one's own), else once old and new address have confirmed it.
///
/// Errors: `USER_NOT_FOUND` (404, also another tenant's), `OWN_ID_REQUIRED` (403), `USER_NAME_TAKEN` (409),
/// `FRESH_PROOF_REQUIRED` (403) for another address,
/// `INVALID_FIELDS` (422).
/// Source: USER-3, USER-4, USER-5.
#[utoipa::path(put, path = "/api/v1/user", tag = "users", request_body = PutUserBody,
    responses((status = 200, body = ChangedUserAnswer), (status = 403), (status = 404), (status = 409), (status = 422)))]
pub(crate) async fn put_user(
    State(d): State<Identity>,
    caller: Caller,
    origin: Origin,
    Json(PutUserBody { user }): Json<PutUserBody>,
) -> ApiResult<Json<ChangedUserAnswer>> {
    let UserFields { id, name, surname, email, phone, language, role, status, support } = user;
    let change = UserChange { name, surname, email, phone, language, role, status, support };
    let (user, company, pending_user_name) = service::change_user(&d, &caller, &origin, id, &change).await?;
    let user = UserView::new(&user, &company, None, d.sources.now());
    Ok(Json(ChangedUserAnswer { user, pending_user_name }))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[schema(as = UserNameConfirmation)]
pub(crate) struct ConfirmBody {
    /// Of the link.
    token: String,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = UserNameConfirmed)]
pub(crate) struct ConfirmAnswer {
    /// The new name is in force; else the other address has to confirm it too.
    done: bool,
    user_name: String,
}

/// Confirms another log-in name with the link that went to the old or to the new address.
///
/// Errors: `TOKEN_INVALID`, `TOKEN_EXPIRED`, `TOKEN_USED` (422), `USER_NAME_TAKEN` (409).
#[utoipa::path(post, path = "/api/v1/user-name-confirm", tag = "users", request_body = ConfirmBody, security(()),
    responses((status = 200, body = ConfirmAnswer), (status = 409), (status = 422)))]
pub(crate) async fn confirm_user_name(
    State(d): State<Identity>,
    origin: Origin,
    Json(body): Json<ConfirmBody>,
) -> ApiResult<Json<ConfirmAnswer>> {
    let confirmed = super::user_name::confirm(&d, &body.token, &origin).await?;
    Ok(Json(ConfirmAnswer { done: confirmed.done, user_name: confirmed.user_name }))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExistBody {
    /// The company; empty or missing for one that is still to be created, or for one's own.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    customer_id: Option<String>,
    /// The role of the account to be. User names are unique in a company whatever the role.
    #[serde(default, rename = "role")]
    #[schema(value_type = Option<i16>)]
    _role: Option<Value>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ExistAnswer {
    exist: bool,
}

/// Whether a user name is taken in a company: asked by its members, administrators, or with an activation link's token
/// as bearer.
///
/// Errors: `COMPANY_NOT_FOUND` (404), `TOKEN_*` (422), 401 without either. Source: USER-6.
#[utoipa::path(post, path = "/api/v1/exist-userName/{userName}", tag = "users", params(("userName" = String, Path)),
    request_body = ExistBody, responses((status = 200, body = ExistAnswer), (status = 401), (status = 404), (status = 422)))]
pub(crate) async fn exist_user_name(
    State(d): State<Identity>,
    caller: Result<Caller, Problem>,
    headers: HeaderMap,
    Path(user_name): Path<String>,
    Json(body): Json<ExistBody>,
) -> ApiResult<Json<ExistAnswer>> {
    let asking = match (&caller, bearer(&headers)) {
        (Ok(caller), _) => Asking::Member(caller),
        // A token with dots is a session's that has ended, no link's.
        (Err(_), Some(token)) if !token.contains('.') => Asking::Invited(token),
        (Err(problem), _) => return Err(problem.clone()),
    };
    let company = body.customer_id.as_deref().map(str::trim).filter(|id| !id.is_empty());
    let company = company.map(str::parse::<CompanyId>).transpose().map_err(|_| Problem::not_found("COMPANY_NOT_FOUND"))?;
    let exist = service::user_name_exists(&d, asking, company, &user_name).await?;
    Ok(Json(ExistAnswer { exist }))
}
