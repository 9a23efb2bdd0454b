//! Companies on the wire.

use crate::companies::profile::Profile;
use crate::directory::{Company, Missing, User};
use crate::terms_acceptance::LegalHistory;
use atalaya_content::legal::Heading;
use atalaya_kernel::{CompanyId, CompanyKind, Status, UserId};
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::collections::HashMap;
use uuid::Uuid;

/// A company as its principal and administrators see it.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = Company)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompanyView {
    #[serde(rename = "_id")]
    id: CompanyId,
    /// `1` platform, `2` customer, `4` repairer, `6` workshop.
    company_type: String,
    #[schema(value_type = i16, minimum = 0, maximum = 5)]
    status: Status,
    cif: String,
    /// The tax id is right, but its last character is of an unusual kind: worth a second look.
    cif_warning: bool,
    /// The contact person.
    name: String,
    company: String,
    address: String,
    city: String,
    region: String,
    postal_code: String,
    email: String,
    phone: Option<String>,
    mobile: Option<String>,
    /// Masked, `ES91 **** **** **** **** 1332`.
    bank_account: Option<String>,
    has_iban: bool,
    /// The account lies under the SEPA secret (`encrypt-iban`): the server alone cannot read it.
    iban_protected: bool,
    bank_name: Option<&'static str>,
    legal: bool,
    legal_id: Option<Uuid>,
    price_id: Option<Uuid>,
    legal_history: Vec<LegalHistoryView>,
    #[serde(rename = "pay_startAt")]
    pay_start_at: Option<DateTime<Utc>>,
    #[serde(rename = "created_at")]
    created_at: DateTime<Utc>,
    retention_days: Option<i32>,
    /// The open request for other fiscal data, which waits for the administrator (FISCAL-2).
    fiscal_request: Option<Uuid>,
    /// Whether video-call requests are blocked, and what the company lacks (REQUEST-9).
    blocked: bool,
    missing: Vec<Missing>,
    /// How many accounts it has.
    users: i64,
    principal: Option<PrincipalView>,
    /// Of the platform company only, as the two below.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    registry_data: Option<Option<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    bic: Option<Option<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    creditor_suffix: Option<Option<String>>,
}

/// An acceptance of the terms.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = LegalHistory)]
pub(crate) struct LegalHistoryView {
    id: Uuid,
    #[serde(rename = "priceId")]
    price_id: Option<Uuid>,
    accepted_at: DateTime<Utc>,
    expires_at: Option<DateTime<Utc>>,
    /// `1` general, `2` particular conditions; with version and title what the text was.
    #[serde(rename = "type")]
    kind: Option<i16>,
    version: Option<i32>,
    title: Option<String>,
}

impl LegalHistoryView {
    fn new(of: LegalHistory, titles: &HashMap<Uuid, Heading>) -> Self {
        let text = titles.get(&of.legal_id);
        Self {
            id: of.legal_id,
            price_id: of.price_id,
            accepted_at: of.accepted_at,
            expires_at: of.expires_at,
            kind: text.map(|text| text.kind),
            version: text.map(|text| text.version),
            title: text.map(|text| text.title.clone()),
        }
    }
}

/// The account with the company's even role.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = Principal)]
pub(crate) struct PrincipalView {
    #[serde(rename = "_id")]
    id: UserId,
    name: String,
    email: Option<String>,
    phone: Option<String>,
    #[schema(value_type = i16, minimum = 0, maximum = 5)]
    status: Status,
}

impl From<User> for PrincipalView {
    fn from(of: User) -> Self {
        Self { id: of.id, name: of.display_name(), email: of.email, phone: of.phone, status: of.status }
    }
}

impl CompanyView {
    pub(crate) fn new(profile: Profile, now: DateTime<Utc>) -> Self {
        let Profile { company, issuer, .. } = profile;
        let titles = &profile.legal_titles;
        let platform = company.kind == CompanyKind::Platform;
        let text = Option::unwrap_or_default;
        Self {
            id: company.id,
            company_type: i16::from(company.kind).to_string(),
            status: company.status,
            cif: text(company.cif),
            cif_warning: profile.cif_warning,
            name: company.contact_name,
            company: company.name,
            address: text(company.address),
            city: text(company.city),
            region: text(company.region),
            postal_code: text(company.postal_code),
            email: text(company.email),
            phone: company.phone,
            mobile: company.mobile,
            bank_account: profile.masked_iban,
            has_iban: company.billing.has_iban,
            iban_protected: profile.iban_protected,
            bank_name: profile.bank_name,
            legal: company.billing.legal,
            legal_id: profile.legal_id,
            price_id: profile.price_id,
            legal_history: profile.legal_history.into_iter().map(|of| LegalHistoryView::new(of, titles)).collect(),
            pay_start_at: company.billing.pay_start_at,
            created_at: company.billing.created_at,
            retention_days: company.retention_days,
            fiscal_request: company.fiscal_request,
            blocked: company.billing.is_blocked(true, now),
            missing: company.billing.missing(now),
            users: profile.users,
            principal: profile.principal.map(Into::into),
            registry_data: platform.then_some(issuer.registry_data),
            bic: platform.then_some(issuer.bic),
            creditor_suffix: platform.then_some(issuer.creditor_suffix),
        }
    }
}

/// A company as strangers see it (COMPANY-7): enough to know whether it can be worked with.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = CompanySummary)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SummaryView {
    #[serde(rename = "_id")]
    id: CompanyId,
    company_type: String,
    company: String,
    #[schema(value_type = i16, minimum = 0, maximum = 5)]
    status: Status,
    legal: bool,
    has_iban: bool,
    #[serde(rename = "pay_startAt")]
    pay_start_at: Option<DateTime<Utc>>,
}

impl From<Company> for SummaryView {
    fn from(of: Company) -> Self {
        Self {
            id: of.id,
            company_type: i16::from(of.kind).to_string(),
            company: of.name,
            status: of.status,
            legal: of.billing.legal,
            has_iban: of.billing.has_iban,
            pay_start_at: of.billing.pay_start_at,
        }
    }
}
