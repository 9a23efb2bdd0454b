//! Queries of appointments.

use super::entity::appointment::{ActiveModel, Column, Entity, Model};
use super::model::{AppointmentState, AppointmentView, Side, remind_at};
use crate::conferences::{self, Conference, Scope};
use atalaya_db::{DbResult, Reads, Tx};
use atalaya_kernel::Sources;
use chrono::{DateTime, Utc};
use sea_orm::sea_query::SelectStatement;
use sea_orm::{ActiveModelTrait, ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder};
use sea_orm::{QuerySelect, QueryTrait, Set};
use uuid::Uuid;

pub(super) use super::entity::appointment::Model as Row;

/// Appointments in a list at most.
const LIST_MAX: u64 = 500;

impl Model {
    pub(super) fn view(&self) -> AppointmentView {
        AppointmentView { at: self.at, state: AppointmentState::parse(&self.state), proposed_by: Side::parse(&self.proposed_by) }
    }
}

pub(super) async fn find(db: &impl ConnectionTrait, conference: Uuid) -> DbResult<Option<Model>> {
    Ok(Entity::find().filter(Column::ConferenceId.eq(conference)).row(db).await?)
}

/// Writes what became of a conference's appointment.
pub(super) async fn write(
    tx: &Tx,
    sources: &Sources,
    conference: &Conference,
    known: Option<Model>,
    view: &AppointmentView,
) -> DbResult<Model> {
    let now = sources.now();
    let (id, created_at, sequence) = match &known {
        Some(row) => (row.id, row.created_at, row.sequence + 1),
        None => (sources.uuid(), now, 0),
    };
    let row = ActiveModel {
        id: Set(id),
        conference_id: Set(conference.id),
        company_id: Set(conference.company_id),
        user_id: Set(conference.user_id),
        state: Set(view.state.name().to_owned()),
        proposed_by: Set(view.proposed_by.name().to_owned()),
        sequence: Set(sequence),
        at: Set(view.at),
        created_at: Set(created_at),
        changed_at: Set(now),
        remind_at: Set(remind_at(view, now)),
    };
    Ok(if known.is_some() { row.update(&**tx).await? } else { row.insert(&**tx).await? })
}

/// Those of whom both sides are to be reminded. Bounded.
pub(super) async fn list_due(db: &impl ConnectionTrait, now: DateTime<Utc>) -> DbResult<Vec<Model>> {
    Ok(Entity::find().filter(Column::RemindAt.lte(now)).order_by_asc(Column::RemindAt).limit(100).rows(db).await?)
}

/// Notes that both sides are reminded. Answers whether this is the first time.
pub(super) async fn reminded(tx: &Tx, row: &Model) -> DbResult<bool> {
    let Some(now) = Entity::find_by_id(row.id).one(&**tx).await? else { return Ok(false) };
    if now.remind_at.is_none() || now.remind_at != row.remind_at {
        return Ok(false);
    }
    let mut change = now.into_active_model();
    change.remind_at = Set(None);
    change.update(&**tx).await?;
    Ok(true)
}

/// The conferences with an agreed appointment, as a query for other rooms' conditions.
pub fn agreed_conferences() -> SelectStatement {
    let agreed = Column::State.eq(AppointmentState::Agreed.name());
    Entity::find().select_only().column(Column::ConferenceId).filter(agreed).into_query()
}

/// Appointments of open conferences within this scope from `from`, before `until`, the first one first.
pub(super) async fn list(
    db: &impl ConnectionTrait,
    scope: Scope,
    company: Option<Uuid>,
    (from, until): (DateTime<Utc>, DateTime<Utc>),
) -> DbResult<Vec<(Model, Conference)>> {
    let mut rows = Entity::find()
        .filter(Column::At.gte(from))
        .filter(Column::At.lt(until))
        .filter(Column::State.ne(AppointmentState::Cancelled.name()))
        .order_by_asc(Column::At)
        .order_by_asc(Column::Id)
        .limit(LIST_MAX);
    if let Some(company) = company {
        rows = rows.filter(Column::CompanyId.eq(company));
    }
    let rows = rows.filter(Column::ConferenceId.in_subquery(conferences::open_ids(scope))).rows(db).await?;
    let cases = conferences::list_by_ids(db, rows.iter().map(|row| row.conference_id)).await?;
    let case_of = |row: &Model| cases.iter().find(|case| case.id == row.conference_id).cloned();
    Ok(rows.into_iter().filter_map(|row| case_of(&row).map(|case| (row, case))).collect())
}
