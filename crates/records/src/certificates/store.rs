//! Queries of certificates. Scoped through their conference; the public call by the code, which is the permission.

use super::entity::{certificate, year};
use super::model;
use atalaya_cases::conferences::{self, Conference, Scope};
use atalaya_cases::evidence_keys::Signed;
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::events::TrackType;
use atalaya_kernel::{ConferenceId, Sources, UserId};
use chrono::{DateTime, Utc};
use sea_orm::sea_query::{Expr, ExprTrait, OnConflict};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder, QuerySelect, Set,
};
use uuid::Uuid;

pub use certificate::Model;

/// A certificate about to be issued.
pub struct New {
    pub conference: Conference,
    pub seal_id: Uuid,
    pub stamp_id: Option<Uuid>,
    /// The last event it describes.
    pub seq: i32,
    pub issued_by: UserId,
    pub issuer_name: String,
    /// The company that runs this installation, with its tax id (CERT-31).
    pub issuing: Option<(String, Option<String>)>,
}

/// Certificates of a conference, newest first.
pub async fn list(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<Vec<Model>> {
    Ok(certificate::Entity::find()
        .filter(certificate::Column::ConferenceId.eq(id.0))
        .order_by_desc(certificate::Column::IssuedAt)
        .order_by_desc(certificate::Column::Number)
        .limit(200)
        .all(db)
        .await?)
}

/// The newest certificate of a conference.
pub async fn latest(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<Option<Model>> {
    Ok(list(db, id).await?.into_iter().next())
}

/// The last event of a conference that is not itself the issue of a certificate; 0 without any.
pub async fn last_fact(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<i32> {
    let links = atalaya_cases::evidence::links(db, id).await?;
    Ok(links.iter().rev().find(|l| l.event_type != TrackType::CertificateIssued.wire()).map_or(0, |l| l.seq))
}

/// The certificate that is still current: the newest one, unless it was voided, something happened since, or its seal
/// received a time stamp meanwhile (CERT-8).
pub async fn standing(db: &impl ConnectionTrait, id: ConferenceId) -> DbResult<Option<Model>> {
    let Some(last) = latest(db, id).await?.filter(|row| row.voided_at.is_none()) else { return Ok(None) };
    let stamped = atalaya_cases::evidence::stamps::stamp_of(db, last.seal_id).await?;
    let whole = last.seq >= last_fact(db, id).await? && last.stamp_id == stamped;
    Ok(whole.then_some(last))
}

/// A certificate as it would be issued now, with the year's next number. Nothing is written.
pub async fn draft(db: &impl ConnectionTrait, sources: &Sources, new: New) -> DbResult<Model> {
    let now = sources.now();
    let last = year::Entity::find_by_id(model::year(now)).one(db).await?.map_or(0, |row| row.last);
    let (issuing_company, issuing_tax_id) = new.issuing.unzip();
    Ok(Model {
        id: sources.uuid(),
        conference_id: new.conference.id,
        company_id: new.conference.company_id,
        seal_id: new.seal_id,
        stamp_id: new.stamp_id,
        issued_by: new.issued_by.0,
        fingerprint: None,
        signature: None,
        issuing_company,
        issuing_tax_id: issuing_tax_id.flatten(),
        voided_by: None,
        number: model::number(now, last + 1),
        code: model::code(sources.bytes::<13>()),
        issuer_name: new.issuer_name,
        language: new.conference.language,
        company_name: new.conference.customer_name,
        expedient_masked: model::mask_expedient(&new.conference.expedient_number),
        void_reason: None,
        seq: new.seq,
        issued_at: now,
        voided_at: None,
    })
}

/// Issues a drafted certificate and takes its number; `None` when another has taken it.
pub async fn insert(tx: &Tx, draft: Model) -> DbResult<Option<Model>> {
    let sequence = next_of_year(tx, model::year(draft.issued_at)).await?;
    if model::number(draft.issued_at, sequence) != draft.number {
        return Ok(None);
    }
    certificate::Entity::insert(draft.clone().into_active_model().reset_all()).exec_without_returning(&**tx).await?;
    Ok(Some(draft))
}

/// Adds the installation's signature to a certificate that is being issued.
pub async fn sign(tx: &Tx, row: Model, signed: Signed) -> DbResult<Model> {
    let mut change = row.into_active_model();
    change.fingerprint = Set(Some(signed.fingerprint));
    change.signature = Set(Some(signed.signature));
    Ok(change.update(&**tx).await?)
}

/// Increments the year's count; the row stays locked until the transaction ends, so that numbers have no gaps.
async fn next_of_year(tx: &Tx, of: i32) -> DbResult<i32> {
    let first = year::ActiveModel { year: Set(of), last: Set(0) };
    let once = OnConflict::column(year::Column::Year).do_nothing().to_owned();
    year::Entity::insert(first).on_conflict(once).exec_without_returning(&**tx).await?;
    year::Entity::update_many()
        .col_expr(year::Column::Last, Expr::col(year::Column::Last).add(1))
        .filter(year::Column::Year.eq(of))
        .exec(&**tx)
        .await?;
    let row = year::Entity::find_by_id(of).one(&**tx).await?;
    Ok(row.map_or(1, |row| row.last))
}

/// A certificate by its code, with its conference.
pub async fn find_by_code(db: &impl ConnectionTrait, code: &str) -> DbResult<Option<(Model, Conference)>> {
    let Some(row) = certificate::Entity::find().filter(certificate::Column::Code.eq(code)).one(db).await? else {
        return Ok(None);
    };
    let conference = conferences::find(db, Scope::All, ConferenceId(row.conference_id)).await?;
    Ok(conference.map(|conference| (row, conference)))
}

/// A certificate by its id, if its conference is within the scope.
pub async fn find(db: &impl ConnectionTrait, scope: Scope, id: Uuid) -> DbResult<Option<(Model, Conference)>> {
    let Some(row) = certificate::Entity::find_by_id(id).one(db).await? else { return Ok(None) };
    let conference = conferences::find(db, scope, ConferenceId(row.conference_id)).await?;
    Ok(conference.map(|conference| (row, conference)))
}

/// Voids a certificate.
pub async fn void(tx: &Tx, row: Model, by: UserId, reason: String, at: DateTime<Utc>) -> DbResult<Model> {
    let mut change = row.into_active_model();
    change.voided_at = Set(Some(at));
    change.voided_by = Set(Some(by.0));
    change.void_reason = Set(Some(reason));
    Ok(change.update(&**tx).await?)
}
