//! Queries on the `company` table; those of lists are in `company_lists`.

use super::{BATCH, sms};
use crate::directory::company::{CompanyChanges, CompanyRecord, Issuer, SealedIban, StoredAccount};
use crate::directory::entity::company::{ActiveModel, Column, Entity, Model};
use crate::directory::{BillingFacts, Company, CompanyField, NewCompany, SenderStatus};
use crate::{IdentityError, IdentityResult};
use atalaya_db::{DbError, DbResult, Reads, Tx};
use atalaya_kernel::{CompanyId, CompanyKind, Language, Status, collate};
use chrono::{DateTime, Utc};
use sea_orm::ActiveValue::{self, Set};
pub(crate) use sea_orm::ConnectionTrait as Connection;
use sea_orm::sea_query::{Expr, SelectStatement};
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, ExprTrait};
use sea_orm::{QueryFilter, QueryOrder, QuerySelect, Value};
use std::collections::HashMap;
use uuid::Uuid;

pub(crate) async fn find_company(db: &impl ConnectionTrait, id: CompanyId) -> IdentityResult<Option<Company>> {
    Entity::find_by_id(id.0).row(db).await.map_err(DbError::from)?.map(to_company).transpose()
}

/// Companies of these ids.
pub(crate) async fn list_companies(db: &impl ConnectionTrait, ids: &[CompanyId]) -> IdentityResult<Vec<Company>> {
    let mut all = Vec::with_capacity(ids.len());
    for batch in ids.chunks(BATCH) {
        let rows = Entity::find().filter(Column::Id.is_in(batch.iter().map(|id| id.0))).rows(db).await.map_err(DbError::from)?;
        for row in rows {
            all.push(to_company(row)?);
        }
    }
    Ok(all)
}

/// Those of the companies that keep files for days of their own.
pub(crate) async fn retention_days(db: &impl ConnectionTrait, ids: &[CompanyId]) -> IdentityResult<HashMap<CompanyId, i32>> {
    let mut all = HashMap::new();
    for batch in ids.chunks(BATCH) {
        let rows: Vec<(Uuid, i32)> = Entity::find()
            .select_only()
            .columns([Column::Id, Column::RetentionDays])
            .filter(Column::Id.is_in(batch.iter().map(|id| id.0)))
            .filter(Column::RetentionDays.is_not_null())
            .tuples(db)
            .await
            .map_err(DbError::from)?;
        all.extend(rows.into_iter().map(|(id, days)| (CompanyId(id), days)));
    }
    Ok(all)
}

/// What these companies are called.
pub(crate) async fn company_names(db: &impl ConnectionTrait, ids: &[CompanyId]) -> IdentityResult<HashMap<CompanyId, String>> {
    let mut all = HashMap::new();
    for batch in ids.chunks(BATCH) {
        let query = Entity::find().select_only().columns([Column::Id, Column::Company]);
        let query = query.filter(Column::Id.is_in(batch.iter().map(|id| id.0)));
        let rows: Vec<(Uuid, String)> = query.tuples(db).await.map_err(DbError::from)?;
        all.extend(rows.into_iter().map(|(id, name)| (CompanyId(id), name)));
    }
    Ok(all)
}

/// Companies that keep files for more than `days`, each with its own number of days.
pub(crate) async fn list_retention(db: &impl ConnectionTrait, days: i32) -> IdentityResult<Vec<(CompanyId, i32)>> {
    let rows: Vec<(Uuid, i32)> = Entity::find()
        .select_only()
        .columns([Column::Id, Column::RetentionDays])
        .filter(Column::RetentionDays.gt(days))
        .tuples(db)
        .await
        .map_err(DbError::from)?;
    Ok(rows.into_iter().map(|(id, days)| (CompanyId(id), days)).collect())
}

/// The platform company, of which there is one.
pub(crate) async fn find_platform(db: &impl ConnectionTrait) -> IdentityResult<Option<Company>> {
    let found = Entity::find().filter(Column::Kind.eq(i16::from(CompanyKind::Platform))).order_by_asc(Column::CreatedAt).row(db);
    found.await.map_err(DbError::from)?.map(to_company).transpose()
}

/// Errors: [`IdentityError::CompanyExists`].
pub(crate) async fn insert_company(
    db: &impl ConnectionTrait,
    id: CompanyId,
    new: &NewCompany,
    iban: Option<SealedIban>,
    now: DateTime<Utc>,
) -> IdentityResult<()> {
    let mut row = ActiveModel {
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
        has_iban: Set(false),
        language: Set(new.language.code().to_owned()),
        sms_text: Set(new.sms_text.clone()),
        sms_sender: Set(new.sms_sender.clone()),
        sms_sender_status: Set(new.sms_sender.as_ref().map(|_| SenderStatus::Registered.name().to_owned())),
        sms_fold: Set(true),
        sms_whatsapp: Set(false),
        sms_whatsapp_first: Set(false),
        legal: Set(new.legal),
        retention_days: Set(new.retention_days),
        pay_start_at: Set(new.pay_start_at),
        created_at: Set(now),
        fiscal_version: Set(0),
        // What may be absent.
        ..<ActiveModel as Default>::default()
    };
    if iban.is_some() {
        set_iban(&mut row, iban);
    }
    index(&mut row);
    Entity::insert(row).exec_without_returning(db).await.map_err(refused)?;
    Ok(())
}

fn set_iban(row: &mut ActiveModel, iban: Option<SealedIban>) {
    row.has_iban = Set(iban.is_some());
    let (mut sealed, mut last4, mut country, mut bank, mut hash) = (None, None, None, None, None);
    row.account_id = Set(iban.as_ref().map(|iban| iban.id));
    if let Some(iban) = iban {
        (sealed, last4, country, bank, hash) =
            (Some(iban.sealed), Some(iban.last4), Some(iban.country), iban.bank, Some(iban.hash));
    }
    row.bank_account = Set(sealed);
    row.iban_last4 = Set(last4);
    row.iban_country = Set(country);
    row.iban_bank = Set(bank);
    row.iban_hash = Set(hash);
}

/// Writes what lists are searched in and ordered by; after every change of a name.
fn index(row: &mut ActiveModel) {
    let optional = [&row.cif, &row.email, &row.mobile, &row.phone, &row.city, &row.region];
    let optional = optional.map(|text| text.as_ref().as_deref().unwrap_or_default());
    let all: Vec<&str> = [row.company.as_ref().as_str(), row.name.as_ref()].into_iter().chain(optional).collect();
    let search = collate::search_text(&all);
    let sort_key = collate::sort_key(row.company.as_ref());
    differs(&mut row.search, search);
    differs(&mut row.sort_key, sort_key);
}

/// Sets a column unless it has the value; answers whether it had not.
fn differs<V: Into<Value> + PartialEq>(column: &mut ActiveValue<V>, value: V) -> bool {
    column.set_ne(value);
    column.is_set()
}

/// A company, locked until the transaction ends.
pub(crate) struct LockedCompany(pub(super) Model);

/// Locks a company until the transaction ends.
///
/// Errors: [`IdentityError::CompanyNotFound`].
pub(crate) async fn lock_company(tx: &Tx, id: CompanyId) -> IdentityResult<LockedCompany> {
    atalaya_db::lock_row(tx, "company", id.0).await?;
    let found = Entity::find_by_id(id.0).one(&**tx).await.map_err(DbError::from)?;
    found.map(LockedCompany).ok_or(IdentityError::CompanyNotFound)
}

impl LockedCompany {
    pub(crate) fn record(&self) -> IdentityResult<CompanyRecord> {
        to_record(self.0.clone())
    }

    /// Writes changes. Answers the names of the fields that differ now.
    ///
    /// Errors: [`IdentityError::CompanyExists`].
    pub(crate) async fn change(self, tx: &Tx, changes: CompanyChanges) -> IdentityResult<Vec<&'static str>> {
        let mut row = ActiveModel::from(self.0);
        let mut names = Vec::new();
        for (field, text) in changes.texts {
            if set_text(&mut row, field, text) {
                names.push(field.wire());
            }
        }
        let ActiveModel { pay_start_at, retention_days, registry_data, bic, creditor_suffix, status, .. } = &mut row;
        let others = [
            ("status", changes.status.is_some_and(|new| differs(status, new.into()))),
            ("pay_startAt", changes.pay_start_at.is_some_and(|new| differs(pay_start_at, new))),
            ("retentionDays", changes.retention_days.is_some_and(|new| differs(retention_days, new))),
            ("registryData", changes.registry_data.is_some_and(|new| differs(registry_data, new))),
            ("bic", changes.bic.is_some_and(|new| differs(bic, new))),
            ("creditorSuffix", changes.creditor_suffix.is_some_and(|new| differs(creditor_suffix, new))),
        ];
        names.extend(others.into_iter().filter_map(|(name, differs)| differs.then_some(name)));
        if let Some(iban) = changes.iban {
            set_iban(&mut row, iban);
            names.push("bankAccount");
        }
        if changes.accepts_anew {
            row.legal.set_ne(false);
        }
        if let Some(request) = changes.fiscal_request {
            row.fiscal_request_id.set_ne(request);
        }
        row.fiscal_version.set_ne(changes.fiscal_version.unwrap_or(*row.fiscal_version.as_ref()));
        index(&mut row);
        if row.is_changed() {
            tx.changed("company", row.id.as_ref());
            Entity::update(row).exec(&**tx).await.map_err(refused)?;
        }
        Ok(names)
    }
}

/// A company with what its profile and its invoices need, without a check of the caller.
pub(crate) async fn find_record(db: &impl ConnectionTrait, id: CompanyId) -> IdentityResult<Option<CompanyRecord>> {
    Entity::find_by_id(id.0).row(db).await.map_err(DbError::from)?.map(to_record).transpose()
}

fn set_text(row: &mut ActiveModel, field: CompanyField, text: Option<String>) -> bool {
    match field {
        CompanyField::Name => differs(&mut row.name, text.unwrap_or_default()),
        CompanyField::Company => differs(&mut row.company, text.unwrap_or_default()),
        CompanyField::Cif => differs(&mut row.cif, text),
        CompanyField::Address => differs(&mut row.address, text),
        CompanyField::City => differs(&mut row.city, text),
        CompanyField::Region => differs(&mut row.region, text),
        CompanyField::PostalCode => differs(&mut row.postal_code, text),
        CompanyField::Email => differs(&mut row.email, text),
        CompanyField::Phone => differs(&mut row.phone, text),
        CompanyField::Mobile => differs(&mut row.mobile, text),
    }
}

/// A company of the kind that has this tax id already refuses the row.
fn refused(error: sea_orm::DbErr) -> IdentityError {
    match DbError::from(error) {
        DbError::Duplicate(_) => IdentityError::CompanyExists,
        other => other.into(),
    }
}

pub(super) fn to_company(row: Model) -> IdentityResult<Company> {
    let corrupt = |what: &dyn std::fmt::Display| IdentityError::Corrupt(format!("company {}: {what}", row.id));
    let status = row.status.try_into().map_err(|e| corrupt(&e))?;
    let kind = row.kind.try_into().map_err(|e| corrupt(&e))?;
    let sms_sender = sms::registered(&row);
    Ok(Company {
        id: row.id.into(),
        kind,
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
        sms_sender,
        sms_fold: row.sms_fold,
        sms_whatsapp: row.sms_whatsapp,
        sms_whatsapp_first: row.sms_whatsapp_first,
        iban_last4: row.iban_last4,
        retention_days: row.retention_days,
        fiscal_version: row.fiscal_version,
        fiscal_request: row.fiscal_request_id,
        billing: BillingFacts {
            kind,
            status,
            legal: row.legal,
            has_iban: row.has_iban,
            pay_start_at: row.pay_start_at,
            created_at: row.created_at,
        },
    })
}

pub(super) fn to_record(row: Model) -> IdentityResult<CompanyRecord> {
    let account = row.bank_account.clone().map(|sealed| StoredAccount {
        id: row.account_id,
        sealed,
        last4: row.iban_last4.clone(),
        country: row.iban_country.clone(),
        bank: row.iban_bank.clone(),
        hash: row.iban_hash.clone(),
    });
    let issuer =
        Issuer { registry_data: row.registry_data.clone(), bic: row.bic.clone(), creditor_suffix: row.creditor_suffix.clone() };
    let (legal_id, price_id) = (row.legal_id, row.price_id);
    Ok(CompanyRecord { company: to_company(row)?, account, issuer, legal_id, price_id })
}

/// Records of these ids.
pub(crate) async fn list_records(db: &impl ConnectionTrait, ids: &[CompanyId]) -> IdentityResult<Vec<CompanyRecord>> {
    let mut all = Vec::with_capacity(ids.len());
    for batch in ids.chunks(BATCH) {
        let found = Entity::find().filter(Column::Id.is_in(batch.iter().map(|id| id.0))).rows(db).await;
        for row in found.map_err(DbError::from)? {
            all.push(to_record(row)?);
        }
    }
    Ok(all)
}

/// The active customers among these ids, in the order of their names.
pub(crate) async fn active_customers_among(
    db: &impl ConnectionTrait,
    ids: SelectStatement,
    limit: u64,
) -> IdentityResult<Vec<Company>> {
    let rows = Entity::find()
        .filter(Column::Id.in_subquery(ids))
        .filter(Column::Kind.eq(i16::from(CompanyKind::Customer)))
        .filter(Column::Status.eq(i16::from(Status::Active)))
        .order_by_asc(Column::SortKey)
        .order_by_asc(Column::Id)
        .limit(limit)
        .rows(db);
    rows.await.map_err(DbError::from)?.into_iter().map(to_company).collect()
}

/// The one of these companies that has this e-mail.
pub(crate) async fn company_with_email(
    db: &impl ConnectionTrait,
    email: &str,
    among: Vec<CompanyId>,
) -> DbResult<Option<CompanyId>> {
    let query = Entity::find().filter(Column::Id.is_in(among.into_iter().map(|id| id.0))).filter(Column::Email.eq(email));
    Ok(query.row(db).await?.map(|row| row.id.into()))
}

/// Sets a company active, with the day its payment starts.
pub(crate) async fn activate_company(tx: &Tx, id: CompanyId, pay_start: DateTime<Utc>) -> DbResult<()> {
    tx.changed("company", id);
    Entity::update_many()
        .col_expr(Column::Status, Expr::value(i16::from(Status::Active)))
        .col_expr(Column::PayStartAt, Expr::value(Some(pay_start)))
        .filter(Column::Id.eq(id.0))
        .exec(&**tx)
        .await?;
    Ok(())
}

/// Writes which terms and price table a company accepted last.
pub(crate) async fn set_terms(tx: &Tx, company: CompanyId, legal_id: Uuid, price_id: Uuid) -> DbResult<()> {
    tx.changed("company", company);
    Entity::update_many()
        .col_expr(Column::Legal, Expr::value(true))
        .col_expr(Column::LegalId, Expr::value(Some(legal_id)))
        .col_expr(Column::PriceId, Expr::value(Some(price_id)))
        .filter(Column::Id.eq(company.0))
        .exec(&**tx)
        .await?;
    Ok(())
}

/// Puts a company's account under another seal, as long as it is still that account. The keyed hash goes too: with the
/// server's key alone, the few accounts that fit the shown digits could be tried.
pub(crate) async fn reseal(tx: &Tx, id: CompanyId, account: Uuid, sealed: &str) -> IdentityResult<bool> {
    tx.changed("company", id);
    let done = Entity::update_many()
        .col_expr(Column::BankAccount, Expr::value(sealed))
        .col_expr(Column::IbanHash, Expr::value(None::<String>))
        .filter(Column::Id.eq(id.0).and(Column::AccountId.eq(account)))
        .exec(&**tx)
        .await
        .map_err(DbError::from)?;
    Ok(done.rows_affected == 1)
}

pub(crate) async fn forget_bic(tx: &Tx, id: CompanyId) -> IdentityResult<()> {
    tx.changed("company", id);
    let update = Entity::update_many().col_expr(Column::Bic, Expr::value(None::<String>)).filter(Column::Id.eq(id.0));
    update.exec(&**tx).await.map_err(DbError::from)?;
    Ok(())
}

/// Customers with an account, and those whose account's text begins with `mark`.
pub(crate) async fn count_accounts(db: &impl ConnectionTrait, mark: &str) -> IdentityResult<(u64, u64)> {
    let all = || Entity::find().filter(Column::HasIban.eq(true).and(Column::Kind.eq(i16::from(CompanyKind::Customer))));
    let marked = all().filter(Column::BankAccount.starts_with(mark)).number(db).await.map_err(DbError::from)?;
    Ok((all().number(db).await.map_err(DbError::from)?, marked))
}
