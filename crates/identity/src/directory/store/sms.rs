//! Queries on a company's SMS.

use super::companies::lock_company;
use crate::directory::entity::company::{Column, Entity, Model};
use crate::directory::sms::{CompanySender, Sender, SenderStatus, SmsProfile};
use crate::{IdentityError, IdentityResult};
use atalaya_db::{DbError, Reads, Tx};
use atalaya_kernel::CompanyId;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

/// Errors: [`IdentityError::CompanyNotFound`].
pub(crate) async fn find_sms_profile(db: &impl ConnectionTrait, id: CompanyId) -> IdentityResult<SmsProfile> {
    let row = Entity::find_by_id(id.0).row(db).await.map_err(DbError::from)?;
    row.map(|row| profile(&row)).ok_or(IdentityError::CompanyNotFound)
}

/// The same, locked until the transaction ends. Errors: [`IdentityError::CompanyNotFound`].
pub(crate) async fn lock_sms_profile(tx: &Tx, id: CompanyId) -> IdentityResult<SmsProfile> {
    Ok(profile(&lock_company(tx, id).await?.0))
}

fn profile(row: &Model) -> SmsProfile {
    SmsProfile {
        text: row.sms_text.clone(),
        fold: row.sms_fold,
        whatsapp: row.sms_whatsapp,
        whatsapp_first: row.sms_whatsapp_first,
        sender: row.sms_sender.clone().map(|name| Sender {
            name,
            status: status(row),
            holder_nif: row.sms_sender_nif.clone(),
            evidence_at: row.sms_sender_at,
            provider: row.sms_sender_provider.clone(),
            since: row.sms_sender_since,
        }),
    }
}

fn status(row: &Model) -> SenderStatus {
    row.sms_sender_status.as_deref().and_then(SenderStatus::parse).unwrap_or(SenderStatus::Draft)
}

/// The name that messages may carry.
pub(super) fn registered(row: &Model) -> Option<String> {
    row.sms_sender.clone().filter(|_| status(row) == SenderStatus::Registered)
}

pub(crate) async fn write_sms_profile(tx: &Tx, id: CompanyId, profile: &SmsProfile) -> IdentityResult<()> {
    tx.changed("company", id);
    let sender = profile.sender.as_ref();
    let text = |of: fn(&Sender) -> Option<String>| Expr::value(sender.and_then(of));
    Entity::update_many()
        .col_expr(Column::SmsText, Expr::value(profile.text.clone()))
        .col_expr(Column::SmsFold, Expr::value(profile.fold))
        .col_expr(Column::SmsWhatsapp, Expr::value(profile.whatsapp))
        .col_expr(Column::SmsWhatsappFirst, Expr::value(profile.whatsapp_first))
        .col_expr(Column::SmsSender, text(|sender| Some(sender.name.clone())))
        .col_expr(Column::SmsSenderStatus, text(|sender| Some(sender.status.name().to_owned())))
        .col_expr(Column::SmsSenderNif, text(|sender| sender.holder_nif.clone()))
        .col_expr(Column::SmsSenderProvider, text(|sender| sender.provider.clone()))
        .col_expr(Column::SmsSenderAt, Expr::value(sender.and_then(|sender| sender.evidence_at) as Option<DateTime<Utc>>))
        .col_expr(Column::SmsSenderSince, Expr::value(sender.and_then(|sender| sender.since) as Option<DateTime<Utc>>))
        .filter(Column::Id.eq(id.0))
        .exec(&**tx)
        .await
        .map_err(DbError::from)?;
    Ok(())
}

/// Companies whose sender name stands at one of these, the longest waiting first, and how many there are.
pub(crate) async fn list_senders(
    db: &impl ConnectionTrait,
    statuses: &[SenderStatus],
    offset: u64,
    limit: u64,
) -> IdentityResult<(Vec<CompanySender>, u64)> {
    let mut stands = Condition::any().add(Column::SmsSenderStatus.is_in(statuses.iter().map(|status| status.name())));
    // A name without a state is a draft.
    if statuses.contains(&SenderStatus::Draft) {
        stands = stands.add(Column::SmsSenderStatus.is_null());
    }
    let query = Entity::find().filter(Column::SmsSender.is_not_null()).filter(stands);
    let total = query.clone().number(db).await.map_err(DbError::from)?;
    let query = query.order_by_asc(Column::SmsSenderSince).order_by_asc(Column::Id);
    let rows = query.offset(offset).limit(limit).rows(db).await.map_err(DbError::from)?;
    let one = |row: Model| {
        let sender = profile(&row).sender?;
        Some(CompanySender { company: row.id.into(), name: row.company, sender })
    };
    Ok((rows.into_iter().filter_map(one).collect(), total))
}
