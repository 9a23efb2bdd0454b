//! What changes in a conference after it was opened. Whoever changes it holds its lock, and appends the track.

use super::super::conference::Conference;
use super::super::entity::{ActiveModel, Column, Entity};
use super::super::model::LinkChannel;
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::{ConferenceId, Sources};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::Expr;
use sea_orm::{ActiveModelTrait, ColumnTrait, EntityTrait, QueryFilter, Set, Unchanged};

/// Nothing of this conference, to be filled with what changes.
fn of(id: ConferenceId) -> ActiveModel {
    ActiveModel { id: Unchanged(id.0), ..Default::default() }
}

/// Its client is reached there from now on.
pub async fn redirect(tx: &Tx, id: ConferenceId, channel: LinkChannel, to: String) -> DbResult<Conference> {
    let mut change = of(id);
    match channel {
        LinkChannel::Sms => change.phone_number = Set(to),
        LinkChannel::Email | LinkChannel::None => change.email = Set(Some(to)),
    }
    Ok(change.update(&**tx).await?.into())
}

/// What follows from who is connected.
pub struct Settled {
    /// Media room of the client's first connection.
    pub sid: Option<String>,
    pub idle_since: Option<DateTime<Utc>>,
    pub duration_s: Option<i64>,
}

pub async fn settle(tx: &Tx, id: ConferenceId, settled: Settled) -> DbResult<()> {
    let mut change = of(id);
    change.sid = Set(settled.sid);
    change.idle_since = Set(settled.idle_since);
    change.duration_s = Set(settled.duration_s);
    change.update(&**tx).await?;
    Ok(())
}

/// Closes it for good; the duration is final.
pub async fn close(tx: &Tx, id: ConferenceId, at: DateTime<Utc>, duration_s: Option<i64>) -> DbResult<()> {
    let mut change = of(id);
    change.closed = Set(true);
    change.closed_at = Set(Some(at));
    change.idle_since = Set(None);
    change.duration_s = Set(duration_s);
    change.update(&**tx).await?;
    Ok(())
}

/// Keeps it open and its link alive for an appointment, or no longer.
pub async fn hold(
    tx: &Tx,
    id: ConferenceId,
    until: Option<DateTime<Utc>>,
    link_expires_at: DateTime<Utc>,
) -> DbResult<Conference> {
    let mut change = of(id);
    change.held_until = Set(until);
    change.expired_at = Set(link_expires_at);
    Ok(change.update(&**tx).await?.into())
}

async fn set(tx: &Tx, id: ConferenceId, column: Column, value: Expr) -> DbResult<()> {
    Entity::update_many().col_expr(column, value).filter(Column::Id.eq(id.0)).exec(&**tx).await?;
    Ok(())
}

/// Records that the client was asked for files.
pub async fn mark_files_requested(tx: &Tx, id: ConferenceId) -> DbResult<()> {
    set(tx, id, Column::FilesRequested, Expr::value(true)).await
}

/// Records that the company has opened the conference's media.
pub async fn mark_media_seen(tx: &Tx, id: ConferenceId, at: DateTime<Utc>) -> DbResult<()> {
    set(tx, id, Column::MediaSeenAt, Expr::value(at)).await
}

/// Records that its files were deleted.
pub async fn mark_media_expired(tx: &Tx, id: ConferenceId, at: DateTime<Utc>) -> DbResult<()> {
    set(tx, id, Column::MediaExpiredAt, Expr::value(at)).await
}

/// What is written in place of the personal values.
pub struct Erased<'a> {
    /// In place of the case number.
    pub name: &'a str,
    /// As which case it was billed; what is known already stays without it.
    pub billing_case: Option<String>,
    pub at: DateTime<Utc>,
}

/// Removes its personal values and its key, and makes the links that were sent stop working (RETAIN-9).
pub async fn erase(tx: &Tx, sources: &Sources, id: ConferenceId, erased: Erased<'_>) -> DbResult<()> {
    let mut row = of(id);
    row.data_key = Set(None);
    if let Some(case) = erased.billing_case {
        row.billing_case = Set(Some(case));
    }
    row.expedient_number = Set(erased.name.to_owned());
    row.expedient_key = Set(String::new());
    row.phone_number = Set(String::new());
    row.search = Set(String::new());
    row.starter_search = Set(None);
    for value in [
        &mut row.contact_person,
        &mut row.email,
        &mut row.full_address,
        &mut row.address,
        &mut row.city,
        &mut row.city_region,
        &mut row.postal_code,
        &mut row.region,
        &mut row.car_id,
    ] {
        *value = Set(None);
    }
    row.hash = Set(sources.hex::<16>());
    row.short_code = Set(sources.base62(10));
    row.erased_at = Set(Some(erased.at));
    row.update(&**tx).await?;
    Ok(())
}
