//! Reading, editing and ticking shot lists.

use super::model::{self, Shot, TickState, TickedShot};
use super::store;
use crate::Assistance;
use crate::calls::say;
use crate::media_items;
use atalaya_cases::conferences::model::Wrong;
use atalaya_cases::conferences::{self, Conference, ConferenceError, ConferenceType};
use atalaya_cases::live::LiveEvent;
use atalaya_db::DbResult;
use atalaya_identity::audit::{self, Action, Entry};
use atalaya_kernel::{CompanyId, ConferenceId, Language};
use atalaya_rest::caller::Caller;
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

/// The list in force for a company and type, and whether it is the company's own.
pub async fn list(
    deps: &Assistance,
    company: Option<CompanyId>,
    conference_type: ConferenceType,
    language: Language,
) -> DbResult<(Vec<Shot>, bool)> {
    let own = match company {
        Some(company) => store::list(deps.db.read(), company, conference_type).await?,
        None => None,
    };
    Ok(match own {
        Some(shots) => (shots, true),
        None => (model::defaults(conference_type, language), false),
    })
}

/// Replaces a company's list by one that was checked, or by the platform's (SHOT-3).
pub async fn replace(
    deps: &Assistance,
    caller: &Caller,
    company: CompanyId,
    conference_type: ConferenceType,
    shots: Option<&[Shot]>,
) -> Result<(), ConferenceError> {
    let tx = deps.db.write().await?;
    match shots {
        Some(shots) => store::put_list(&tx, &deps.sources, company, conference_type, shots, caller.user).await?,
        None => store::delete_list(&tx, company, conference_type).await?,
    }
    let detail = json!({"type": i16::from(conference_type), "shots": shots.map_or(0, <[Shot]>::len)});
    audit::service::record(&deps.identity, &tx, Entry::company(Action::ShotsChanged, company).by(caller).detail(detail)).await?;
    Ok(tx.commit().await?)
}

/// The shots of a conference with their states.
pub async fn ticks(deps: &Assistance, row: &Conference, language: Language) -> Result<Vec<TickedShot>, ConferenceError> {
    let id = ConferenceId(row.id);
    let (shots, _) = list(deps, Some(CompanyId(row.company_id)), row.conference_type, language).await?;
    let (marks, taken) = (store::marks(deps.db.read(), id).await?, store::taken(deps.db.read(), id).await?);
    let ticked = |shot: Shot| {
        let tick = model::tick(marks.get(&shot.key), taken.get(&shot.key));
        TickedShot { state: tick.state, media_id: tick.media, at: tick.at, shot }
    };
    Ok(shots.into_iter().map(ticked).collect())
}

/// A tick by hand.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Mark {
    pub key: String,
    /// `missing` removes the tick: no file counts as this shot any more.
    pub state: TickState,
    /// The file that shows it.
    #[serde(default)]
    pub media_id: Option<Uuid>,
}

/// Ticks a shot of a conference.
///
/// Errors: `INVALID_FIELDS` about `key` (in no list) or `mediaId` (no picture or video of this conference); `MEDIA_ERASED` (410).
pub async fn mark(deps: &Assistance, caller: &Caller, row: &Conference, mark: &Mark) -> Result<(), ConferenceError> {
    if row.erased_at.is_some() {
        return Err(ConferenceError::MediaErased);
    }
    let known = ticks(deps, row, Language::default()).await?;
    if !known.iter().any(|ticked| ticked.shot.key == mark.key) {
        return Err(invalid("key"));
    }
    let id = ConferenceId(row.id);
    match write(deps, caller, id, mark).await? {
        true => publish(deps, row).await,
        false => return Err(invalid("mediaId")),
    }
    Ok(())
}

fn invalid(field: &'static str) -> ConferenceError {
    ConferenceError::Invalid(vec![Wrong { field, code: "INVALID", max: None }])
}

async fn write(deps: &Assistance, caller: &Caller, id: ConferenceId, mark: &Mark) -> Result<bool, ConferenceError> {
    let tx = deps.db.write().await?;
    conferences::lock_living(&tx, id).await?;
    if mark.state == TickState::Missing {
        store::delete_mark(&tx, id, &mark.key).await?;
        media_items::untag(&tx, id, &mark.key).await?;
    } else {
        if let Some(item) = mark.media_id
            && !media_items::tag(&tx, id, item, &mark.key).await?
        {
            return Ok(false);
        }
        store::put_mark(&tx, &deps.sources, id, &mark.key, mark.state, mark.media_id, caller.user).await?;
    }
    tx.commit().await?;
    Ok(true)
}

/// Notifies screens and call of the shots' states: after a tick, and after a file of a shot arrived or was reviewed.
/// Without labels, because every listener has the list in a language of their own.
pub async fn publish(deps: &Assistance, row: &Conference) {
    match ticks(deps, row, Language::default()).await {
        Ok(all) => {
            let tick = |t: &TickedShot| json!({"key": t.shot.key, "state": t.state, "mediaId": t.media_id, "at": t.at});
            let shots: Vec<_> = all.iter().map(tick).collect();
            let id = ConferenceId(row.id);
            deps.live.publish(id, LiveEvent::new("shots", json!({"shots": shots})));
            say(deps, id, json!({"t": "shots", "shots": shots})).await;
        }
        Err(error) => tracing::warn!(conference.id = %row.id, %error, "shots could not be told"),
    }
}
