//! Queries of conferences. *Invariant:* every reading query takes a [`Scope`]; another tenant's row is not there.

pub mod changes;
pub mod retention;
pub mod selections;
pub mod statistics;
pub mod usage;

use super::conference::Conference;
use super::entity::{ActiveModel, Column, Entity};
use super::model::{ConferenceError, LinkFallback, Opening, expedient_key, link_expiry};
use crate::lifetimes::requests_expire;
use atalaya_db::{DbResult, Reads, Tx, lock_row};
use atalaya_kernel::{CompanyId, ConferenceId, Role, Sources, UserId};
use atalaya_rest::caller::Caller;
use chrono::{DateTime, Utc};
use sea_orm::{
    ActiveModelTrait, ColumnTrait, Condition, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Set,
};
use uuid::Uuid;

impl From<sea_orm::DbErr> for ConferenceError {
    fn from(error: sea_orm::DbErr) -> Self {
        Self::Db(error.into())
    }
}

/// Which conferences a caller may see (CASE-17).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Administrators.
    All,
    /// Principals: their company's.
    Company(CompanyId),
    /// Workers: their own.
    Own(UserId, CompanyId),
    /// Principals of the repair side: those that their company asked for (REQUEST-19). For reading only.
    StartedBy(CompanyId),
    /// Operators of the repair side: those that they asked for themselves. For reading only.
    Started(UserId, CompanyId),
}

impl Scope {
    pub fn of(caller: &Caller) -> Self {
        match caller.role {
            Role::Admin => Scope::All,
            Role::Customer => Scope::Company(caller.company),
            Role::Repairer | Role::CarRepairShop => Scope::StartedBy(caller.company),
            Role::RepairerOperator | Role::WorkshopOperator => Scope::Started(caller.user, caller.company),
            _ => Scope::Own(caller.user, caller.company),
        }
    }

    pub fn condition(self) -> Condition {
        match self {
            Scope::All => Condition::all(),
            Scope::Company(company) => Condition::all().add(Column::CompanyId.eq(company.0)),
            Scope::Own(user, company) => Condition::all().add(Column::CompanyId.eq(company.0)).add(Column::UserId.eq(user.0)),
            Scope::StartedBy(company) => Condition::all().add(Column::StarterCompanyId.eq(company.0)),
            Scope::Started(user, company) => {
                Condition::all().add(Column::StarterCompanyId.eq(company.0)).add(Column::StarterId.eq(user.0))
            }
        }
    }
}

/// Whether this request for a video call became a conference of this company.
pub async fn request_became_conference(db: &impl ConnectionTrait, company: CompanyId, request: Uuid) -> DbResult<bool> {
    let answered = Entity::find()
        .select_only()
        .column(Column::Id)
        .filter(Column::CompanyId.eq(company.0))
        .filter(Column::ContactId.eq(request))
        .filter(Column::StarterId.is_not_null());
    Ok(answered.tuple::<(Uuid,)>(db).await?.is_some())
}

/// The conference, if it is within the scope.
pub async fn find(db: &impl ConnectionTrait, scope: Scope, id: ConferenceId) -> DbResult<Option<Conference>> {
    Ok(Entity::find_by_id(id.0).filter(scope.condition()).row(db).await?.map(Conference::from))
}

/// The conference, or [`ConferenceError::NotFound`].
pub async fn get(db: &impl ConnectionTrait, scope: Scope, id: ConferenceId) -> Result<Conference, ConferenceError> {
    find(db, scope, id).await?.ok_or(ConferenceError::NotFound)
}

/// For the end client's side, where the secret of the link is the permission.
pub async fn find_by_hash(db: &impl ConnectionTrait, hash: &str) -> DbResult<Option<Conference>> {
    Ok(Entity::find().filter(Column::Hash.eq(hash)).row(db).await?.map(Conference::from))
}

pub async fn find_by_short_code(db: &impl ConnectionTrait, code: &str) -> DbResult<Option<Conference>> {
    Ok(Entity::find().filter(Column::ShortCode.eq(code)).row(db).await?.map(Conference::from))
}

/// These conferences; the scope has been asked.
pub async fn list_by_ids(db: &impl ConnectionTrait, ids: impl Iterator<Item = Uuid>) -> DbResult<Vec<Conference>> {
    let rows = Entity::find().filter(Column::Id.is_in(ids)).rows(db).await?;
    Ok(rows.into_iter().map(Conference::from).collect())
}

/// Open conferences that may have to close: expired links, or idle ones. Bounded.
pub async fn list_to_close(
    db: &impl ConnectionTrait,
    now: DateTime<Utc>,
    idle_before: DateTime<Utc>,
) -> DbResult<Vec<Conference>> {
    let rows = Entity::find()
        .filter(Column::Closed.eq(false))
        .filter(Condition::any().add(Column::HeldUntil.is_null()).add(Column::HeldUntil.lte(now)))
        .filter(
            Condition::any()
                .add(Column::IdleSince.lte(idle_before))
                .add(Condition::all().add(Column::ExpiredAt.lte(now)).add(Column::Sid.is_null())),
        )
        .order_by_asc(Column::CreatedAt)
        .limit(100)
        .rows(db)
        .await?;
    Ok(rows.into_iter().map(Conference::from).collect())
}

/// Who opens a conference, and in whose name.
pub struct Opener {
    pub company: CompanyId,
    pub company_name: String,
    pub user: UserId,
    pub user_name: String,
    /// Days that the company keeps files; `None` for the default of 31 days.
    pub company_days: Option<i32>,
    /// Who asked for it on the repair side, when it answers a request.
    pub starter: Option<(UserId, CompanyId)>,
}

/// What lists are searched by: case, client, plate, place, and who called.
fn search_of(opener: &Opener, opening: &Opening) -> String {
    let optional = |text: &Option<String>| text.clone().unwrap_or_default();
    atalaya_kernel::collate::search_text(&[
        &opening.expedient_number,
        &expedient_key(&opening.expedient_number),
        &opening.phone_number,
        &optional(&opening.contact_person),
        &optional(&opening.car_id),
        &optional(&opening.full_address),
        &optional(&opening.address),
        &optional(&opening.city),
        &opener.user_name,
        &opener.company_name,
    ])
}

/// What the repair side searches its lists by: what they show of the case, and nothing of the client.
fn starter_search_of(opener: &Opener, opening: &Opening) -> Option<String> {
    opener.starter?;
    Some(atalaya_kernel::collate::search_text(&[
        &opening.expedient_number,
        &expedient_key(&opening.expedient_number),
        opening.car_id.as_deref().unwrap_or_default(),
        &opener.user_name,
        &opener.company_name,
    ]))
}

/// Inserts the row with fresh secrets; the track is written by the service.
pub async fn insert(
    tx: &Tx,
    sources: &Sources,
    opener: &Opener,
    opening: &Opening,
    id: ConferenceId,
    language: &str,
    data_key: Vec<u8>,
) -> DbResult<Conference> {
    let now = sources.now();
    let row = ActiveModel {
        id: Set(id.0),
        company_id: Set(opener.company.0),
        user_id: Set(opener.user.0),
        contact_id: Set(opening.contact_id),
        conference_type: Set(opening.conference_type.into()),
        expedient_number: Set(opening.expedient_number.clone()),
        expedient_key: Set(expedient_key(&opening.expedient_number)),
        phone_number: Set(opening.phone_number.clone()),
        contact_person: Set(opening.contact_person.clone()),
        email: Set(opening.email.clone()),
        full_address: Set(opening.full_address.clone()),
        address: Set(opening.address.clone()),
        city: Set(opening.city.clone()),
        city_region: Set(opening.city_region.clone()),
        postal_code: Set(opening.postal_code.clone()),
        region: Set(opening.region.clone()),
        car_id: Set(opening.car_id.clone()),
        app_type: Set(opening.app_type.clone()),
        language: Set(language.to_string()),
        customer_name: Set(opener.company_name.clone()),
        user_name: Set(opener.user_name.clone()),
        sid: Set(None),
        hash: Set(sources.hex::<16>()),
        short_code: Set(sources.base62(10)),
        duration_s: Set(None),
        closed: Set(false),
        files_requested: Set(false),
        created_at: Set(now),
        closed_at: Set(None),
        expired_at: Set(link_expiry(now)),
        media_request_expired: Set(requests_expire(now, opener.company_days)),
        media_seen_at: Set(None),
        idle_since: Set(None),
        data_key: Set(Some(data_key)),
        last_seq: Set(0),
        chain_head: Set(String::new()),
        projection: Set(serde_json::json!({})),
        search: Set(search_of(opener, opening)),
        stage: Set(0),
        media_expired_at: Set(None),
        erased_at: Set(None),
        starter_company_id: Set(opener.starter.map(|(_, company)| company.0)),
        starter_id: Set(opener.starter.map(|(user, _)| user.0)),
        starter_search: Set(starter_search_of(opener, opening)),
        link_fallback: Set(opening.fallback.as_deref().map(LinkFallback::joined)),
        billing_case: Set(None),
        held_until: Set(None),
    };
    Ok(row.insert(&**tx).await?.into())
}

/// Reads the row again inside the transaction, after a track has moved it on.
pub async fn reload(tx: &Tx, id: ConferenceId) -> Result<Conference, ConferenceError> {
    Ok(Entity::find_by_id(id.0).one(&**tx).await?.ok_or(ConferenceError::NotFound)?.into())
}

/// Locks a conference and reads it as it is now. Whoever writes personal values comes before an erasure, which takes them
/// along, or finds it done.
///
/// Errors: `CONFERENCE_NOT_FOUND`, `MEDIA_ERASED`.
pub async fn lock_living(tx: &Tx, id: ConferenceId) -> Result<Conference, ConferenceError> {
    lock_row(tx, "conference", id.0).await?;
    let row = reload(tx, id).await?;
    if row.erased_at.is_some() { Err(ConferenceError::MediaErased) } else { Ok(row) }
}
