//! Queries on the `company` table.

use super::entity::{ActiveModel, Column, Entity, Model};
use super::model::{BillingFacts, Company, NewCompany};
use crate::{IdentityError, IdentityResult};
use atalaya_db::DbError;
use atalaya_kernel::{CompanyId, CompanyKind, Language};
use chrono::{DateTime, Utc};
use sea_orm::{ActiveValue::Set, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder};

pub(crate) async fn find_company(db: &impl ConnectionTrait, id: CompanyId) -> IdentityResult<Option<Company>> {
    Entity::find_by_id(id.0).one(db).await.map_err(DbError::from)?.map(to_company).transpose()
}

/// The platform company, of which there is one.
pub(crate) async fn find_platform(db: &impl ConnectionTrait) -> IdentityResult<Option<Company>> {
    let found = Entity::find().filter(Column::Kind.eq(i16::from(CompanyKind::Platform))).order_by_asc(Column::CreatedAt).one(db);
    found.await.map_err(DbError::from)?.map(to_company).transpose()
}

pub(crate) async fn insert_company(
    db: &impl ConnectionTrait,
    id: CompanyId,
    new: &NewCompany,
    sealed_iban: Option<String>,
    now: DateTime<Utc>,
) -> IdentityResult<()> {
    let row = ActiveModel {
        id: Set(id.0),
        kind: Set(new.kind.into()),
        status: Set(new.status.into()),
        company_type: Set(new.kind.into()),
        cif: Set(new.cif.clone()),
        name: Set(new.contact_name.clone()),
        company: Set(new.name.clone()),
        address: Set(new.address.clone()),
        city: Set(new.city.clone()),
        region: Set(new.region.clone()),
        postal_code: Set(new.postal_code.clone()),
        email: Set(new.email.clone()),
        phone: Set(new.phone.clone()),
        mobile: Set(new.mobile.clone()),
        has_iban: Set(sealed_iban.is_some()),
        bank_account: Set(sealed_iban),
        iban_last4: Set(new.iban.as_deref().map(last4)),
        language: Set(new.language.code().to_owned()),
        sms_text: Set(new.sms_text.clone()),
        sms_sender: Set(new.sms_sender.clone()),
        legal: Set(new.legal),
        legal_id: Set(None),
        price_id: Set(None),
        retention_days: Set(new.retention_days),
        pay_start_at: Set(new.pay_start_at),
        created_at: Set(now),
    };
    Entity::insert(row).exec_without_returning(db).await.map_err(DbError::from)?;
    Ok(())
}

fn last4(iban: &str) -> String {
    let from = iban.char_indices().rev().nth(3).map_or(0, |(i, _)| i);
    iban[from..].to_owned()
}

pub(crate) fn to_company(row: Model) -> IdentityResult<Company> {
    let corrupt = |what: &dyn std::fmt::Display| IdentityError::Corrupt(format!("company {}: {what}", row.id));
    let status = row.status.try_into().map_err(|e| corrupt(&e))?;
    Ok(Company {
        id: row.id.into(),
        kind: row.kind.try_into().map_err(|e| corrupt(&e))?,
        status,
        name: row.company,
        contact_name: row.name,
        cif: row.cif,
        address: row.address,
        city: row.city,
        region: row.region,
        postal_code: row.postal_code,
        email: row.email,
        phone: row.phone,
        mobile: row.mobile,
        language: Language::parse(&row.language).unwrap_or_default(),
        sms_text: row.sms_text,
        sms_sender: row.sms_sender,
        iban_last4: row.iban_last4,
        retention_days: row.retention_days,
        billing: BillingFacts {
            status,
            legal: row.legal,
            has_iban: row.has_iban,
            pay_start_at: row.pay_start_at,
            created_at: row.created_at,
        },
    })
}
