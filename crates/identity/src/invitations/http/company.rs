//! The company in answers of this room.

use crate::companies::model::Company;
use crate::companies::service::get_company;
use crate::{Identity, IdentityResult};
use atalaya_kernel::{CompanyId, Status};
use chrono::{DateTime, Utc};
use serde::Serialize;

/// A company as the page of its activation shows it.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompanyView {
    #[serde(rename = "_id")]
    id: CompanyId,
    company_type: String,
    #[schema(value_type = i16, minimum = 0, maximum = 5)]
    status: Status,
    cif: Option<String>,
    name: String,
    company: String,
    address: Option<String>,
    city: Option<String>,
    region: Option<String>,
    postal_code: Option<String>,
    email: Option<String>,
    phone: Option<String>,
    mobile: Option<String>,
    /// Masked.
    bank_account: Option<String>,
    has_iban: bool,
    legal: bool,
    #[serde(rename = "pay_startAt")]
    pay_start_at: Option<DateTime<Utc>>,
}

impl CompanyView {
    pub(crate) async fn of(d: &Identity, id: CompanyId) -> IdentityResult<Self> {
        Ok(get_company(d, id).await?.into())
    }
}

impl From<Company> for CompanyView {
    fn from(company: Company) -> Self {
        Self {
            id: company.id,
            company_type: i16::from(company.kind).to_string(),
            status: company.status,
            cif: company.cif,
            name: company.contact_name,
            company: company.name,
            address: company.address,
            city: company.city,
            region: company.region,
            postal_code: company.postal_code,
            email: company.email,
            phone: company.phone,
            mobile: company.mobile,
            bank_account: company.iban_last4.map(|last4| format!("**** {last4}")),
            has_iban: company.billing.has_iban,
            legal: company.billing.legal,
            pay_start_at: company.billing.pay_start_at,
        }
    }
}
