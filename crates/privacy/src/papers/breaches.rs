//! The register of breaches (GDPR art. 33.5): what happened, its effects, and what was done.

use super::entity::security_breach::Model;
use super::store;
use crate::Privacy;
use crate::erasures::PrivacyError;
use atalaya_cases::conferences::model::Wrong;
use atalaya_identity::audit::{Action, Entry, service as audit};
use atalaya_identity::users;
use atalaya_rest::caller::Caller;
use chrono::{DateTime, TimeDelta, Utc};
use serde::Deserialize;
use serde_json::json;
use utoipa::ToSchema;
use uuid::Uuid;

/// Maximum length of a title.
const TITLE_MAX: usize = 120;
/// Maximum length of the other texts.
const TEXT_MAX: usize = 2000;
/// Within these hours of knowing, the authority is told.
const TOLD_WITHIN_H: i64 = 72;
/// Maximum number of people concerned.
const PEOPLE_MAX: i32 = 100_000_000;

/// An entry as typed.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct NewBreach {
    /// The entry that this one continues.
    pub follows: Option<Uuid>,
    /// 1 to 120 characters.
    pub title: String,
    /// What happened, and to which data: 1 to 2000 characters.
    pub nature: String,
    /// What it may mean for people: at most 2000 characters.
    pub effects: String,
    /// What was done and will be done: at most 2000 characters.
    pub measures: String,
    /// How many people are concerned, as far as it is known.
    pub people: Option<i32>,
    pub happened_at: Option<DateTime<Utc>>,
    /// When it became known; not in the future.
    pub known_at: Option<DateTime<Utc>>,
    /// When the authority was told.
    pub authority_at: Option<DateTime<Utc>>,
    /// When the people were told.
    pub people_at: Option<DateTime<Utc>>,
}

/// Until when the authority is to be told.
pub fn due(row: &Model) -> DateTime<Utc> {
    row.known_at + TimeDelta::hours(TOLD_WITHIN_H)
}

fn check(new: &NewBreach, now: DateTime<Utc>) -> Result<DateTime<Utc>, PrivacyError> {
    let mut wrong = Vec::new();
    let mut add = |field, code, max| wrong.push(Wrong { field, code, max });
    for (field, text, max, needed) in [
        ("title", &new.title, TITLE_MAX, true),
        ("nature", &new.nature, TEXT_MAX, true),
        ("effects", &new.effects, TEXT_MAX, false),
        ("measures", &new.measures, TEXT_MAX, false),
    ] {
        match text.trim().chars().count() {
            0 if needed => add(field, "REQUIRED", None),
            n if n > max => add(field, "TOO_LONG", Some(max)),
            _ => {}
        }
    }
    if new.people.is_some_and(|people| !(0..=PEOPLE_MAX).contains(&people)) {
        add("people", "INVALID", None);
    }
    for (field, at) in [
        ("happenedAt", new.happened_at),
        ("knownAt", new.known_at),
        ("authorityAt", new.authority_at),
        ("peopleAt", new.people_at),
    ] {
        if at.is_some_and(|at| at > now) {
            add(field, "DATE_IN_FUTURE", None);
        }
    }
    match new.known_at {
        None => add("knownAt", "REQUIRED", None),
        Some(known) if new.happened_at.is_some_and(|happened| happened > known) => add("happenedAt", "INVALID", None),
        Some(_) => {}
    }
    match (new.known_at, wrong.is_empty()) {
        (Some(known), true) => Ok(known),
        _ => Err(PrivacyError::Invalid(wrong)),
    }
}

/// Adds an entry; it is never changed afterwards.
///
/// Errors: `INVALID_FIELDS` (422), also about `follows` when there is no such entry.
pub async fn add(deps: &Privacy, caller: &Caller, new: NewBreach) -> Result<Model, PrivacyError> {
    let now = deps.sources.now();
    let known_at = check(&new, now)?;
    if let Some(id) = new.follows
        && store::find(deps.db.read(), id).await?.is_none()
    {
        return Err(PrivacyError::Invalid(vec![Wrong { field: "follows", code: "INVALID", max: None }]));
    }
    let row = Model {
        id: deps.sources.uuid(),
        by_id: caller.user.0,
        follows: new.follows,
        by_name: users::service::display_name(&deps.identity, caller.user).await?,
        title: new.title.trim().to_owned(),
        nature: new.nature.trim().to_owned(),
        effects: new.effects.trim().to_owned(),
        measures: new.measures.trim().to_owned(),
        people: new.people,
        happened_at: new.happened_at,
        known_at,
        authority_at: new.authority_at,
        people_at: new.people_at,
        at: now,
    };
    let tx = deps.db.write().await?;
    let row = store::insert(&tx, row).await?;
    let detail = json!({"breachId": row.id.to_string()});
    audit::record(&deps.identity, &tx, Entry { detail, ..Entry::company(Action::BreachRecorded, caller.company).by(caller) })
        .await?;
    tx.commit().await?;
    Ok(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(hours: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000, 0).expect("a date") + TimeDelta::hours(hours)
    }

    // RETAIN-30
    #[test]
    fn an_entry_says_what_and_when() {
        let good = NewBreach {
            title: "Portátil perdido".into(),
            nature: "Con copias de expedientes".into(),
            known_at: Some(at(0)),
            happened_at: Some(at(-5)),
            ..NewBreach::default()
        };
        assert_eq!(check(&good, at(1)).ok(), Some(at(0)));
        let fields = |new: NewBreach| match check(&new, at(1)) {
            Err(PrivacyError::Invalid(wrong)) => wrong.iter().map(|one| (one.field, one.code)).collect::<Vec<_>>(),
            other => panic!("{other:?}"),
        };
        let empty = [("title", "REQUIRED"), ("nature", "REQUIRED"), ("knownAt", "REQUIRED")];
        assert_eq!(fields(NewBreach::default()), empty);
        assert_eq!(fields(NewBreach { known_at: Some(at(2)), ..good.clone() }), [("knownAt", "DATE_IN_FUTURE")]);
        assert_eq!(fields(NewBreach { happened_at: Some(at(1)), ..good.clone() }), [("happenedAt", "INVALID")]);
        assert_eq!(
            fields(NewBreach { people: Some(-1), effects: "x".repeat(2001), ..good }),
            [("effects", "TOO_LONG"), ("people", "INVALID")]
        );
    }
}
