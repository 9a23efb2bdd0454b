//! Queries of what the pages told.

use super::entity::path_report::{ActiveModel, Column, Entity, Model};
use super::model::{PathEntry, PathReport, word};
use super::service::entries;
use atalaya_db::{DbResult, Reads, Tx};
use atalaya_kernel::{ConferenceId, Sources};
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Set};

/// More are never kept of a conference.
const ALL: u64 = 2000;

/// What was told about a conference, in order.
pub async fn list(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<Vec<Model>> {
    let query = Entity::find().filter(Column::ConferenceId.eq(id.0));
    Ok(query.order_by_asc(Column::At).order_by_asc(Column::Id).limit(ALL).rows(db).await?)
}

/// What was told about a conference, in order, without naming anybody.
pub async fn list_entries(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<Vec<PathEntry>> {
    Ok(entries(list(db, id).await?))
}

pub async fn insert(tx: &Tx, sources: &Sources, id: ConferenceId, identity: &str, report: &PathReport) -> DbResult<()> {
    let number = |value: Option<u32>| value.and_then(|value| i32::try_from(value).ok());
    let row = ActiveModel {
        id: Set(sources.uuid()),
        conference_id: Set(id.0),
        identity: Set(identity.to_owned()),
        way: Set(report.way.map(word)),
        failed: Set(words(report)),
        rtt_ms: Set(number(report.rtt_ms)),
        kbps: Set(number(report.kbps)),
        loss_percent: Set(number(report.loss_percent)),
        at: Set(report.at(sources.now())),
    };
    row.insert(&**tx).await?;
    Ok(())
}

/// The failures of a report as they are stored.
pub fn words(report: &PathReport) -> String {
    report.failed.iter().map(word).collect::<Vec<_>>().join(" ")
}
