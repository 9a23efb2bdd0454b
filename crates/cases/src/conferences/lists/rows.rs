//! Lines of lists: a conference, what lists show beside it, and the administrator's columns.

use super::model::DurationState;
use super::store;
use crate::Cases;
use crate::conferences::entity::Model;
use crate::conferences::model::ConferenceError;
use crate::conferences::view::ConferenceView;
use crate::connections::room;
use atalaya_identity::companies;
use atalaya_kernel::{CompanyId, Role};
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// A line of a list, with the derived columns for administrators.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConferenceRow {
    #[serde(flatten)]
    pub conference: ConferenceView,
    pub duration_state: DurationState,
    /// Files of any kind.
    pub files: u32,
    /// Those of them that the caller's company has not seen.
    pub new_files: u32,
    /// Administrators only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub derived: Option<Derived>,
}

/// The derived columns.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Derived {
    pub browser: Option<String>,
    pub os: Option<String>,
    /// Observation state: pending, correct, noLink, noLegal, permissions or unknown.
    pub observations: &'static str,
    /// The client's position is known.
    pub geolocation: bool,
    pub pictures: u32,
    pub videos: u32,
}

/// What a row's conference has beside itself.
struct Beside<'a> {
    rooms: &'a [room::Model],
    new_files: u32,
    company_days: Option<i32>,
}

fn row(row: &Model, beside: &Beside<'_>, role: Role, now: DateTime<Utc>) -> ConferenceRow {
    let projection = crate::evidence::projection_of(row);
    let is_new = beside.new_files > 0;
    let mut conference = ConferenceView::with(row, &projection, beside.rooms, is_new, beside.company_days, now);
    let observation = conference.observation.take();
    let derived = (role == Role::Admin).then(|| Derived {
        browser: projection.browser.clone(),
        os: projection.os.clone(),
        observations: observation.unwrap_or("unknown"),
        geolocation: projection.positions > 0,
        pictures: projection.pictures,
        videos: projection.videos,
    });
    ConferenceRow {
        duration_state: DurationState::of(row.duration_s, row.sid.is_some(), row.closed, row.expired_at <= now),
        files: projection.pictures + projection.videos + projection.documents,
        new_files: if role.is_repair_side() { 0 } else { beside.new_files },
        conference: conference.shown_to(role),
        derived,
    }
}

/// Rows as lists show them; one query reads the rooms of all of them, another their new files.
pub async fn complete(
    deps: &Cases,
    rows: &[Model],
    role: Role,
    now: DateTime<Utc>,
) -> Result<Vec<ConferenceRow>, ConferenceError> {
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let rooms = store::rooms_of(deps.db.read(), &ids).await?;
    let news = deps.unseen.count(&ids).await?;
    of(deps, rows, role, now, |id| (rooms.get(&id).map_or(&[][..], Vec::as_slice), news.get(&id).copied().unwrap_or(0))).await
}

/// The same for a workbook, which shows neither rooms nor new files.
pub async fn plain(deps: &Cases, rows: &[Model], role: Role, now: DateTime<Utc>) -> Result<Vec<ConferenceRow>, ConferenceError> {
    of(deps, rows, role, now, |_| (&[][..], 0)).await
}

async fn of<'a>(
    deps: &Cases,
    rows: &[Model],
    role: Role,
    now: DateTime<Utc>,
    beside: impl Fn(Uuid) -> (&'a [room::Model], u32),
) -> Result<Vec<ConferenceRow>, ConferenceError> {
    let mut companies: Vec<CompanyId> = rows.iter().map(|row| CompanyId(row.company_id)).collect();
    companies.sort_unstable_by_key(|id| id.0);
    companies.dedup();
    let days = companies::service::retention_days(&deps.identity, &companies).await?;
    let of = |one: &Model| {
        let (rooms, new_files) = beside(one.id);
        row(one, &Beside { rooms, new_files, company_days: days.get(&CompanyId(one.company_id)).copied() }, role, now)
    };
    Ok(rows.iter().map(of).collect())
}
