//! Customers, repairers and car repair shops: lists, profiles, changes, and small calls about them.

mod nouns;
mod sheet;
mod view;

use super::profile::{self, Profile};
use crate::directory::{self, Company, get_company};
use crate::guards::pass;
use crate::{Identity, IdentityError, IdentityResult};
use atalaya_content::languages::model::text;
use atalaya_kernel::access::Guard;
use atalaya_kernel::{CompanyId, CompanyKind};
use atalaya_rest::{AdminOnly, ApiResult, Caller, Json, Path, Query, RequestLanguage};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa_axum::{router::OpenApiRouter, routes};
use uuid::Uuid;
pub(crate) use view::CompanyView;
use view::SummaryView;

pub(super) fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new()
        .merge(nouns::routes())
        .routes(routes!(list_active_customers))
        .routes(routes!(list_company_types))
        .routes(routes!(get_parent))
        .routes(routes!(get_customer_by_user))
}

/// What a caller may read and change as its own: an administrator anything, a principal its own company.
///
/// Errors: [`IdentityError::CompanyNotFound`] also for another tenant's, [`IdentityError::RoleNotAllowed`] for members.
async fn own_company(d: &Identity, caller: &Caller, id: CompanyId, kinds: &[CompanyKind]) -> IdentityResult<Company> {
    pass(caller, Guard::PrincipalOf, id)?;
    let company = get_company(d, id).await?;
    if kinds.contains(&company.kind) { Ok(company) } else { Err(IdentityError::CompanyNotFound) }
}

const ANY: &[CompanyKind] = &[CompanyKind::Platform, CompanyKind::Customer, CompanyKind::Repairer, CompanyKind::CarRepairShop];

/// The profile of a company of one of these kinds; the caller has checked who asks.
async fn profile_of(d: &Identity, id: CompanyId, kinds: &[CompanyKind]) -> IdentityResult<Profile> {
    let record = directory::find_record(d.db.read(), id).await?.filter(|record| kinds.contains(&record.company.kind));
    let record = record.ok_or(IdentityError::CompanyNotFound)?;
    profile::of_record(d, d.db.read(), record).await
}

impl CompanyView {
    /// A company by its id; the caller has checked who asks.
    ///
    /// Errors: [`IdentityError::CompanyNotFound`].
    pub(crate) async fn of(d: &Identity, id: CompanyId) -> IdentityResult<Self> {
        Ok(Self::new(profile_of(d, id, ANY).await?, d.sources.now()))
    }
}

#[derive(Deserialize, Default, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub(crate) struct ActiveQuery {
    /// Words that must all occur in the company.
    search: Option<String>,
}

/// A customer to choose.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = CompanyName)]
pub(crate) struct NameView {
    #[serde(rename = "_id")]
    id: CompanyId,
    company: String,
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ActiveCustomersAnswer {
    customers: Vec<NameView>,
}

/// The active customers in the order of their names, 5000 at most.
///
/// Source: COMPANY-1.
#[utoipa::path(get, path = "/api/v1/active-customers", tag = "companies", params(ActiveQuery),
    responses((status = 200, body = ActiveCustomersAnswer), (status = 401), (status = 403)))]
pub(crate) async fn list_active_customers(
    State(d): State<Identity>,
    _: AdminOnly,
    Query(query): Query<ActiveQuery>,
) -> ApiResult<Json<ActiveCustomersAnswer>> {
    let search: String = query.search.unwrap_or_default().chars().take(200).collect();
    let found = directory::list_active_companies(d.db.read(), CompanyKind::Customer, &search).await?;
    let customers = found.into_iter().map(|(id, company)| NameView { id, company }).collect();
    Ok(Json(ActiveCustomersAnswer { customers }))
}

#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = CompanyType)]
pub(crate) struct CompanyTypeView {
    /// `2` customer, `4` repairer, `6` workshop.
    #[serde(rename = "_id")]
    id: &'static str,
    name: &'static str,
}

/// The kinds of tenants, named in the request's language.
#[utoipa::path(get, path = "/api/v1/companyTypes", tag = "companies",
    responses((status = 200, body = Vec<CompanyTypeView>), (status = 401), (status = 403)))]
pub(crate) async fn list_company_types(RequestLanguage(language): RequestLanguage, _: AdminOnly) -> Json<Vec<CompanyTypeView>> {
    Json(["2", "4", "6"].map(|id| CompanyTypeView { id, name: text(language, "roles", id) }).into())
}

/// Everything for its principal and administrators, a summary for everybody else.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(untagged)]
pub(crate) enum ParentView {
    Full(Box<CompanyView>),
    Summary(SummaryView),
}

#[derive(Serialize, utoipa::ToSchema)]
pub(crate) struct ParentAnswer {
    parent: ParentView,
}

/// The company of a user, or the company itself.
///
/// Errors: `COMPANY_NOT_FOUND` (404). Source: COMPANY-7.
#[utoipa::path(get, path = "/api/v1/get-parent/{id}", tag = "companies",
    params(("id" = String, Path, description = "A user or a company")),
    responses((status = 200, body = ParentAnswer), (status = 401), (status = 404)))]
pub(crate) async fn get_parent(State(d): State<Identity>, caller: Caller, Path(id): Path<Uuid>) -> ApiResult<Json<ParentAnswer>> {
    let company = match directory::find_user(d.db.read(), id.into()).await? {
        Some(user) => user.parent,
        None => id.into(),
    };
    let parent = match pass(&caller, Guard::PrincipalOf, company) {
        Ok(()) => ParentView::Full(Box::new(CompanyView::new(profile_of(&d, company, ANY).await?, d.sources.now()))),
        Err(_) => ParentView::Summary(get_company(&d, company).await?.into()),
    };
    Ok(Json(ParentAnswer { parent }))
}

/// The company of a user, for its principal and administrators.
///
/// Errors: `USER_NOT_FOUND` (404, also another tenant's), 403. Source: COMPANY-6.
#[utoipa::path(get, path = "/api/v1/customer-by-user/{id}", tag = "companies",
    params(("id" = String, Path, description = "A user")),
    responses((status = 200, body = nouns::CustomerAnswer), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn get_customer_by_user(
    State(d): State<Identity>,
    caller: Caller,
    Path(id): Path<Uuid>,
) -> ApiResult<Json<nouns::CustomerAnswer>> {
    let user = directory::find_user(d.db.read(), id.into()).await?.ok_or(IdentityError::UserNotFound)?;
    pass(&caller, Guard::PrincipalOf, user.parent).map_err(|error| match error {
        IdentityError::CompanyNotFound => IdentityError::UserNotFound,
        other => other,
    })?;
    Ok(Json(nouns::CustomerAnswer { customer: CompanyView::new(profile_of(&d, user.parent, ANY).await?, d.sources.now()) }))
}
