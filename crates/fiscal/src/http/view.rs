//! Fiscal data on the wire.

use crate::history::History;
use crate::model::{Block, FIELDS, Request, Status, Version, is_another_taxpayer};
use crate::service;
use crate::{Fiscal, FiscalResult, store};
use atalaya_identity::companies::model::Company;
use atalaya_identity::companies::service as companies;
use atalaya_identity::users::service as users;
use atalaya_kernel::{CompanyId, UserId};
use atalaya_rest::Caller;
use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use std::collections::HashMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// How invoices name a taxpayer.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FiscalBlock)]
pub(super) struct BlockView {
    cif: String,
    company: String,
    address: String,
    postal_code: String,
    city: String,
    region: String,
    /// Two letters (ISO 3166-1); `ES` unless an administrator said otherwise.
    country: String,
}

impl From<Block> for BlockView {
    fn from(of: Block) -> Self {
        let text = Option::unwrap_or_default;
        let country = of.country().to_owned();
        Self {
            country,
            cif: text(of.cif),
            company: of.company,
            address: text(of.address),
            postal_code: text(of.postal_code),
            city: text(of.city),
            region: text(of.region),
        }
    }
}

/// What held from a day on.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FiscalVersion)]
pub(super) struct VersionView {
    number: i32,
    /// The first day of it, in Madrid; none: since always.
    valid_from: Option<NaiveDate>,
    block: BlockView,
    /// `general`, `outside`, `reverseCharge` or `igic`.
    regime: &'static str,
    reason: Option<String>,
    /// When VIES confirmed the VAT number, and its number of that consultation.
    vies_at: Option<DateTime<Utc>>,
    vies_reference: Option<String>,
    /// Names of people; those of the platform's are for administrators only.
    asked_by: Option<String>,
    approved_by: Option<String>,
    request_id: Option<Uuid>,
    created_at: DateTime<Utc>,
}

/// A field that is to change.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FiscalFieldChange)]
pub(super) struct FieldView {
    /// Its name in the company's form.
    field: &'static str,
    /// What is in force, while the request is open.
    from: Option<String>,
    to: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FiscalDocument)]
pub(super) struct DocumentView {
    name: String,
    /// Its media type.
    kind: String,
    size_bytes: i64,
    sha256: String,
}

/// A request for other fiscal data.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FiscalRequest)]
pub(super) struct RequestView {
    #[serde(rename = "_id")]
    id: Uuid,
    customer_id: CompanyId,
    /// As it is called now.
    company: String,
    status: Status,
    /// From which day it is so.
    since: NaiveDate,
    changes: Vec<FieldView>,
    note: Option<String>,
    /// None yet: the request cannot be decided.
    document: Option<DocumentView>,
    /// `general`, `outside`, `reverseCharge` or `igic`: in force, and what approving makes it.
    regime: &'static str,
    regime_after: &'static str,
    /// Approving suspends mandate and terms.
    another_taxpayer: bool,
    asked_by: String,
    asked_at: DateTime<Utc>,
    /// For administrators only.
    decided_by: Option<String>,
    decided_at: Option<DateTime<Utc>>,
    /// What the administrator wrote.
    reason: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct FiscalRequestAnswer {
    fiscal_request: RequestView,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct FiscalRequestsAnswer {
    pub fiscal_requests: Vec<RequestView>,
    /// How many there are in all pages.
    pub total: u64,
    /// The `cursor` of the next page.
    pub next_cursor: Option<String>,
}

/// A company's fiscal data and their history.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = FiscalIdentity)]
pub(super) struct IdentityView {
    customer_id: CompanyId,
    block: BlockView,
    /// `general`, `outside`, `reverseCharge` or `igic`, today.
    regime: &'static str,
    /// The newest first; none while nothing ever changed.
    versions: Vec<VersionView>,
    /// The one that waits.
    open_request: Option<RequestView>,
    /// Decided and withdrawn ones, the newest first.
    requests: Vec<RequestView>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct FiscalIdentityAnswer {
    fiscal_identity: IdentityView,
}

/// Makes views for one caller; each name is looked up once.
pub(super) struct Views<'a> {
    d: &'a Fiscal,
    caller: &'a Caller,
    names: HashMap<UserId, String>,
}

impl<'a> Views<'a> {
    pub(super) fn new(d: &'a Fiscal, caller: &'a Caller) -> Self {
        Self { d, caller, names: HashMap::new() }
    }

    async fn name(&mut self, user: UserId) -> FiscalResult<String> {
        if let Some(known) = self.names.get(&user) {
            return Ok(known.clone());
        }
        let name = users::display_name(&self.d.identity, user).await?;
        self.names.insert(user, name.clone());
        Ok(name)
    }

    /// The name of somebody who may be of the platform; for administrators only.
    async fn inner_name(&mut self, user: Option<UserId>) -> FiscalResult<Option<String>> {
        match user.filter(|_| self.caller.is_admin()) {
            Some(user) => self.name(user).await.map(Some),
            None => Ok(None),
        }
    }

    async fn version(&mut self, of: Version) -> FiscalResult<VersionView> {
        let (vies_at, vies_reference) = of.vies.map(|vies| (vies.at, vies.reference)).unzip();
        Ok(VersionView {
            number: of.number,
            valid_from: of.valid_from,
            block: of.block.into(),
            regime: of.regime.name(),
            reason: of.reason,
            vies_at,
            vies_reference: vies_reference.flatten(),
            asked_by: self.inner_name(of.asked_by).await?,
            approved_by: self.inner_name(of.approved_by).await?,
            request_id: of.request,
            created_at: of.created_at,
        })
    }

    async fn request(&mut self, of: Request, company: &Company) -> FiscalResult<RequestView> {
        let open = of.status == Status::Open;
        let before = store::current(self.d.db.read(), company).await?;
        let after = before.with(&of.wanted).home_with(&before);
        let text = |block: &Block, field| block.get(field).unwrap_or_default().to_owned();
        let wanted = |field: &_| of.wanted.iter().any(|(of, _)| of == field);
        let changes = FIELDS.into_iter().filter(wanted).map(|field| FieldView {
            field: field.wire(),
            from: open.then(|| text(&before, field)),
            to: text(&after, field),
        });
        let regime = service::today_s_regime(self.d, company).await?;
        Ok(RequestView {
            id: of.id,
            customer_id: of.company,
            company: company.name.clone(),
            status: of.status,
            since: of.since,
            changes: changes.collect(),
            note: of.note.clone(),
            regime: regime.name(),
            regime_after: service::regime_after(self.d, company, &before, &after).await?.name(),
            another_taxpayer: open && is_another_taxpayer(company.kind, &before, &after),
            asked_by: self.name(of.asked_by).await?,
            asked_at: of.asked_at,
            decided_by: self.inner_name(of.decided_by).await?,
            decided_at: of.decided_at,
            reason: of.answer,
            document: of.proof.map(|proof| DocumentView {
                name: proof.name,
                kind: proof.kind,
                size_bytes: proof.size_bytes,
                sha256: proof.sha256,
            }),
        })
    }

    /// Requests of any companies, in their order.
    pub(super) async fn requests(mut self, of: Vec<Request>) -> FiscalResult<Vec<RequestView>> {
        let ids: Vec<CompanyId> = of.iter().map(|request| request.company).collect();
        let companies = companies::list_companies(&self.d.identity, &ids).await?;
        let companies: HashMap<CompanyId, Company> = companies.into_iter().map(|company| (company.id, company)).collect();
        let mut views = Vec::with_capacity(of.len());
        for request in of {
            if let Some(company) = companies.get(&request.company) {
                views.push(self.request(request, company).await?);
            }
        }
        Ok(views)
    }

    pub(super) async fn answer(self, of: Request) -> FiscalResult<FiscalRequestAnswer> {
        let view = self.requests(vec![of]).await?.pop();
        Ok(FiscalRequestAnswer { fiscal_request: view.ok_or(crate::FiscalError::NotFound)? })
    }

    pub(super) async fn identity(mut self, of: History) -> FiscalResult<FiscalIdentityAnswer> {
        let History { company, block, regime, versions, requests } = of;
        let mut shown = Vec::with_capacity(versions.len());
        for version in versions {
            shown.push(self.version(version).await?);
        }
        let (mut open_request, mut closed) = (None, Vec::new());
        for request in requests {
            let open = request.status == Status::Open;
            let view = self.request(request, &company).await?;
            if open {
                open_request = Some(view);
            } else {
                closed.push(view);
            }
        }
        let identity = IdentityView {
            customer_id: company.id,
            block: block.into(),
            regime: regime.name(),
            versions: shown,
            open_request,
            requests: closed,
        };
        Ok(FiscalIdentityAnswer { fiscal_identity: identity })
    }
}
