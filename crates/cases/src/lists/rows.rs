//! Lines of lists: a conference, what lists show beside it, and the administrator's columns.

use super::model::DurationState;
use crate::Cases;
use crate::conferences::view::{ConferenceView, shown_name};
use crate::conferences::{Conference, ConferenceError};
use crate::connections::{self, MediaRoom};
use crate::evidence;
use atalaya_identity::companies;
use atalaya_identity::users::{self, User};
use atalaya_kernel::{CompanyId, Role, UserId};
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::collections::{BTreeSet, HashMap};
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
    /// Who cancelled it: somebody of ours closed it before the client came. Empty when their name is not known any more.
    pub cancelled_by: Option<String>,
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
#[derive(Default)]
struct Beside<'a> {
    rooms: &'a [MediaRoom],
    new_files: u32,
    cancelled_by: Option<String>,
    company_days: Option<i32>,
}

fn row(row: &Conference, beside: Beside<'_>, role: Role, now: DateTime<Utc>) -> ConferenceRow {
    let projection = row.projection();
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
        cancelled_by: beside.cancelled_by,
        conference: conference.shown_to(role),
        derived,
    }
}

/// Rows as lists show them; one query each reads the rooms of all of them, their new files, and who cancelled them.
pub async fn complete(
    deps: &Cases,
    rows: &[Conference],
    role: Role,
    now: DateTime<Utc>,
) -> Result<Vec<ConferenceRow>, ConferenceError> {
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let rooms = connections::rooms_of(deps.db.read(), &ids).await?;
    let news = deps.unseen.count(&ids).await?;
    let mut cancelled = cancelled_by(deps, rows).await?;
    let beside = |id: Uuid| Beside {
        rooms: rooms.get(&id).map_or(&[][..], Vec::as_slice),
        new_files: news.get(&id).copied().unwrap_or(0),
        cancelled_by: cancelled.remove(&id),
        company_days: None,
    };
    of(deps, rows, role, now, beside).await
}

/// The same for a workbook, which of what stands beside a conference shows only who cancelled it.
pub async fn plain(
    deps: &Cases,
    rows: &[Conference],
    role: Role,
    now: DateTime<Utc>,
) -> Result<Vec<ConferenceRow>, ConferenceError> {
    let mut cancelled = cancelled_by(deps, rows).await?;
    of(deps, rows, role, now, |id| Beside { cancelled_by: cancelled.remove(&id), ..Beside::default() }).await
}

async fn of<'a>(
    deps: &Cases,
    rows: &[Conference],
    role: Role,
    now: DateTime<Utc>,
    mut beside: impl FnMut(Uuid) -> Beside<'a>,
) -> Result<Vec<ConferenceRow>, ConferenceError> {
    let mut companies: Vec<CompanyId> = rows.iter().map(|row| CompanyId(row.company_id)).collect();
    companies.sort_unstable_by_key(|id| id.0);
    companies.dedup();
    let days = companies::service::retention_days(&deps.identity, &companies).await?;
    let of = |one: &Conference| {
        row(one, Beside { company_days: days.get(&CompanyId(one.company_id)).copied(), ..beside(one.id) }, role, now)
    };
    Ok(rows.iter().map(of).collect())
}

/// The names of those who closed a conference before its client came (CASE-28).
async fn cancelled_by(deps: &Cases, rows: &[Conference]) -> Result<HashMap<Uuid, String>, ConferenceError> {
    let never_met: Vec<&Conference> = rows.iter().filter(|row| row.closed && row.sid.is_none()).collect();
    let ids: Vec<Uuid> = never_met.iter().map(|row| row.id).collect();
    let closers = evidence::closers(deps.db.read(), &ids).await?;
    let people: BTreeSet<UserId> = closers.values().copied().collect();
    let people = users::service::list_by_ids(&deps.identity, people).await?;
    let people: HashMap<UserId, User> = people.into_iter().map(|user| (user.id, user)).collect();
    let named = |row: &Conference| {
        let closer = closers.get(&row.id)?;
        let name = people.get(closer).and_then(|user| shown_name(user, CompanyId(row.company_id)));
        let known = || if closer.0 == row.user_id { row.user_name.clone() } else { String::new() };
        Some((row.id, name.unwrap_or_else(known)))
    };
    Ok(never_met.into_iter().filter_map(named).collect())
}
