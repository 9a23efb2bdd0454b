//! The same three calls under three nouns: `customers`, `repairers`, `carReparations`.

use super::sheet;
use super::view::CompanyView;
use super::{own_company, profile_of};
use crate::companies::form::{self, CompanyInput, Purpose};
use crate::companies::privileged::{self, PrivilegedInput};
use crate::companies::service::{self, Change};
use crate::companies::{Profile, profile};
use crate::directory::{self, Company, CompanyFilter, CompanySort};
use crate::guards::pass;
use crate::terms_acceptance as terms;
use crate::{Identity, IdentityError, IdentityResult, Origin, sessions};
use atalaya_kernel::access::Guard;
use atalaya_kernel::{CompanyId, CompanyKind, Language, Status};
use atalaya_rest::page::ListQuery;
use atalaya_rest::{AdminOnly, ApiResult, Caller, Json, Path, Problem, Query, RequestLanguage, xlsx};
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa_axum::{router::OpenApiRouter, routes};

pub(super) fn routes() -> OpenApiRouter<Identity> {
    OpenApiRouter::new()
        .routes(routes!(list_customers))
        .routes(routes!(get_customer))
        .routes(routes!(update_customer))
        .routes(routes!(list_repairers))
        .routes(routes!(get_repairer))
        .routes(routes!(update_repairer))
        .routes(routes!(list_car_reparations))
        .routes(routes!(get_car_reparation))
        .routes(routes!(update_car_reparation))
}

/// The administrator reads the platform company as a customer: its profile is the issuer of the invoices (COMPANY-5).
const CUSTOMERS: &[CompanyKind] = &[CompanyKind::Customer, CompanyKind::Platform];
const REPAIRERS: &[CompanyKind] = &[CompanyKind::Repairer];
const WORKSHOPS: &[CompanyKind] = &[CompanyKind::CarRepairShop];

/// A page of companies, or its workbook.
enum Listed {
    Page { companies: Vec<CompanyView>, total: u64, next_cursor: Option<String> },
    Workbook(Response),
}

async fn list_of(d: &Identity, kind: CompanyKind, query: &ListQuery, language: Language) -> ApiResult<Listed> {
    let (slice, sort) = (query.slice()?, query.sort(CompanySort::FIELDS)?);
    let status = query.status.map(Status::try_from).transpose();
    let status = status.map_err(|_| Problem::invalid([]).field("status", "INVALID"))?;
    let filter = CompanyFilter { kind, status, search: query.search() };
    let (records, total) = directory::page_of_companies(d.db.read(), &filter, sort, slice).await?;
    let profiles = profile::of_records(d, d.db.read(), records).await?;
    let now = d.sources.now();
    if query.wants_workbook(total)? {
        return Ok(Listed::Workbook(workbook(d, kind, profiles, language).await?));
    }
    let companies = profiles.into_iter().map(|profile| CompanyView::new(profile, now)).collect();
    Ok(Listed::Page { companies, total, next_cursor: slice.next_cursor(total) })
}

async fn workbook(d: &Identity, kind: CompanyKind, profiles: Vec<Profile>, language: Language) -> ApiResult<Response> {
    let stem = match kind {
        CompanyKind::Repairer => "reparadores",
        CompanyKind::CarRepairShop => "talleres",
        CompanyKind::Customer | CompanyKind::Platform => "clientes",
    };
    let now = d.sources.now();
    let build = move || xlsx::workbook(&sheet::columns(language), &sheet::rows(profiles, language, now), now);
    let bytes = xlsx::build(build).await?;
    Ok(xlsx::attachment(stem, now, bytes))
}

/// A company to be changed. Absent keys stay as they are; those that the caller may not set are ignored.
#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompanyChange {
    #[serde(rename = "_id")]
    id: CompanyId,
    #[serde(flatten)]
    fields: CompanyInput,
    #[serde(flatten)]
    privileged: PrivilegedInput,
    /// True when the company's principal accepts the terms with it.
    #[serde(default)]
    #[schema(value_type = Option<bool>)]
    legal: Value,
    /// The text that was shown.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    legal_id: Value,
}

async fn update(
    d: &Identity,
    caller: &Caller,
    origin: &Origin,
    kinds: &[CompanyKind],
    language: Language,
    mut body: CompanyChange,
) -> ApiResult<CompanyView> {
    let company = own_company(d, caller, body.id, kinds).await?;
    let mut errors = Vec::new();
    let mut change = Change::default();
    body.fields.leave_out_unchanged(company.cif.as_deref(), company.postal_code.as_deref());
    match form::check(&body.fields, Purpose::Update(company.kind)) {
        Ok(checked) => change.checked = checked,
        Err(wrong) => errors.extend(wrong),
    }
    if caller.is_admin() {
        match privileged::check(&body.privileged, company.kind) {
            Ok(privileged) => change.privileged = privileged,
            Err(wrong) => errors.extend(wrong),
        }
    }
    match acceptance(d, caller, &company, &body, language).await {
        Ok(accepted) => change.accepted = accepted,
        Err(IdentityError::Invalid(wrong)) => errors.extend(wrong),
        Err(other) => return Err(other.into()),
    }
    if !errors.is_empty() {
        return Err(Problem::invalid(errors));
    }
    change.proved = sessions::has_fresh_proof(d, d.db.read(), caller.session).await?;
    let profile = service::update_company(d, caller, origin, body.id, change).await?;
    Ok(CompanyView::new(profile, d.sources.now()))
}

/// The terms that a principal accepts with the change. Nobody accepts for another company, and what is accepted stays.
async fn acceptance(
    d: &Identity,
    caller: &Caller,
    company: &Company,
    body: &CompanyChange,
    language: Language,
) -> IdentityResult<Option<terms::Accepted>> {
    let accepts = body.legal == Value::Bool(true) && caller.role.is_principal();
    if !accepts || (company.billing.legal && body.legal_id.is_null()) {
        return Ok(None);
    }
    let shown = match &body.legal_id {
        Value::Null => None,
        value => match value.as_str().and_then(|id| id.parse().ok()) {
            Some(id) => Some(id),
            None => return Err(IdentityError::invalid("legalId", "INVALID")),
        },
    };
    terms::texts(d, Some(company.id), shown, language).await.map(Some)
}

macro_rules! nouns {
    ($(
        $kind:ident $kinds:ident $noun:ident $one:literal $plural:ident $many:literal
        $list:ident $get:ident $update:ident $Answer:ident $ListAnswer:ident $Body:ident;
    )+) => {$(
        #[derive(Serialize, utoipa::ToSchema)]
        #[serde(rename_all = "camelCase")]
        pub(crate) struct $Answer {
            pub(super) $noun: CompanyView,
        }

        #[derive(Serialize, utoipa::ToSchema)]
        #[serde(rename_all = "camelCase")]
        pub(crate) struct $ListAnswer {
            $plural: Vec<CompanyView>,
            /// How many there are in all pages.
            total: u64,
            /// The `cursor` of the next page.
            next_cursor: Option<String>,
        }

        #[derive(Deserialize, utoipa::ToSchema)]
        #[serde(rename_all = "camelCase")]
        pub(crate) struct $Body {
            $noun: CompanyChange,
        }

        /// Companies of this kind, searched, filtered, sorted and paged; with `format=xlsx` all of them as a workbook.
        ///
        /// Errors: `INVALID_FIELDS` (422) about `sort`, `status`, `cursor`, `format`. Source: COMPANY-1.
        #[utoipa::path(get, path = $many, tag = "companies", params(ListQuery),
            responses((status = 200, body = $ListAnswer), (status = 401), (status = 403), (status = 422)))]
        pub(crate) async fn $list(
            State(d): State<Identity>,
            _: AdminOnly,
            RequestLanguage(language): RequestLanguage,
            Query(query): Query<ListQuery>,
        ) -> ApiResult<Response> {
            Ok(match list_of(&d, CompanyKind::$kind, &query, language).await? {
                Listed::Page { companies, total, next_cursor } => {
                    Json($ListAnswer { $plural: companies, total, next_cursor }).into_response()
                }
                Listed::Workbook(response) => response,
            })
        }

        /// A company's profile, for its principal and administrators.
        ///
        /// Errors: `COMPANY_NOT_FOUND` (404, also another tenant's or another kind's), 403. Source: COMPANY-6.
        #[utoipa::path(get, path = concat!($one, "/{id}"), tag = "companies", params(("id" = String, Path)),
            responses((status = 200, body = $Answer), (status = 401), (status = 403), (status = 404)))]
        pub(crate) async fn $get(
            State(d): State<Identity>,
            caller: Caller,
            Path(id): Path<CompanyId>,
        ) -> ApiResult<Json<$Answer>> {
            pass(&caller, Guard::PrincipalOf, id)?;
            let profile = profile_of(&d, id, $kinds).await?;
            Ok(Json($Answer { $noun: CompanyView::new(profile, d.sources.now()) }))
        }

        /// Changes a company's profile. Its principal may change the profile and accept the terms; administrators also
        /// status, payment start, retention, insurance companies and the platform's data as an issuer.
        ///
        /// Errors: `INVALID_FIELDS` (422) with every wrong field, `COMPANY_EXISTS` (409), `COMPANY_NOT_FOUND` (404), 403, also
        /// `FRESH_PROOF_REQUIRED` for another bank account.
        /// Source: COMPANY-2, COMPANY-3, COMPANY-4.
        #[utoipa::path(put, path = $one, tag = "companies", request_body = $Body,
            responses((status = 200, body = $Answer), (status = 401), (status = 403), (status = 404), (status = 409),
                (status = 422)))]
        pub(crate) async fn $update(
            State(d): State<Identity>,
            caller: Caller,
            origin: Origin,
            RequestLanguage(language): RequestLanguage,
            Json(body): Json<$Body>,
        ) -> ApiResult<Json<$Answer>> {
            Ok(Json($Answer { $noun: update(&d, &caller, &origin, $kinds, language, body.$noun).await? }))
        }
    )+};
}

nouns! {
    Customer CUSTOMERS customer "/api/v1/customer" customers "/api/v1/customers"
        list_customers get_customer update_customer CustomerAnswer CustomersAnswer CustomerBody;
    Repairer REPAIRERS repairer "/api/v1/repairer" repairers "/api/v1/repairers"
        list_repairers get_repairer update_repairer RepairerAnswer RepairersAnswer RepairerBody;
    CarRepairShop WORKSHOPS car_reparation "/api/v1/carReparation" car_reparations "/api/v1/carReparations"
        list_car_reparations get_car_reparation update_car_reparation
        CarReparationAnswer CarReparationsAnswer CarReparationBody;
}
