//! The rules of appointments. Pure.

use crate::conferences::ConferenceError;
use chrono::{DateTime, SubsecRound, TimeDelta, Timelike, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How soon a moment may be proposed, and how far ahead (VISIT-1).
const SOONEST: TimeDelta = TimeDelta::minutes(15);
const FARTHEST: TimeDelta = TimeDelta::days(14);
/// How long after its moment an appointment keeps the link and the conference open (VISIT-6).
pub const OPEN_FOR: TimeDelta = TimeDelta::hours(1);
/// How long a proposal waits for its answer, unless its moment comes first (VISIT-6).
const ANSWER_WITHIN: TimeDelta = TimeDelta::hours(24);
/// How long before its moment both sides are reminded (VISIT-5).
pub const REMIND_BEFORE: TimeDelta = TimeDelta::minutes(15);
/// How often the appointment of a conference may change (VISIT-3).
pub const CHANGES_MAX: i32 = 20;

/// What can go wrong with an appointment.
#[derive(Debug, thiserror::Error)]
pub enum AppointmentError {
    /// `APPOINTMENT_NOT_FOUND` (404)
    #[error("the conference has no such appointment")]
    NotFound,
    /// 422 about `at`: `APPOINTMENT_TOO_SOON`, `APPOINTMENT_TOO_LATE`
    #[error("the moment is out of range")]
    Moment(&'static str),
    /// `APPOINTMENT_CHANGES` (409)
    #[error("the appointment was changed too often")]
    Changes,
    #[error(transparent)]
    Conference(#[from] ConferenceError),
}

impl From<atalaya_db::DbError> for AppointmentError {
    fn from(error: atalaya_db::DbError) -> Self {
        Self::Conference(error.into())
    }
}

/// Who named the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = AppointmentSide)]
pub enum Side {
    Staff,
    Client,
}

impl Side {
    pub fn name(self) -> &'static str {
        match self {
            Self::Staff => "staff",
            Self::Client => "client",
        }
    }

    pub fn parse(name: &str) -> Self {
        if name == "client" { Self::Client } else { Self::Staff }
    }
}

/// Where an appointment stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AppointmentState {
    /// One side named a moment, and the other has not answered.
    Proposed,
    Agreed,
    Cancelled,
}

impl AppointmentState {
    pub fn name(self) -> &'static str {
        match self {
            Self::Proposed => "proposed",
            Self::Agreed => "agreed",
            Self::Cancelled => "cancelled",
        }
    }

    pub fn parse(name: &str) -> Self {
        match name {
            "agreed" => Self::Agreed,
            "proposed" => Self::Proposed,
            _ => Self::Cancelled,
        }
    }
}

/// An appointment on the wire.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AppointmentView {
    pub at: DateTime<Utc>,
    pub state: AppointmentState,
    /// The side that named the moment last.
    pub proposed_by: Side,
}

/// The moment that a side names, and what it makes of the appointment so far: the moment that the other side named is thereby
/// agreed (VISIT-2).
///
/// Errors: `APPOINTMENT_TOO_SOON`, `APPOINTMENT_TOO_LATE` about a new moment.
pub fn answer(
    current: Option<&AppointmentView>,
    side: Side,
    at: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<AppointmentView, AppointmentError> {
    // Whole minutes, as people agree them.
    let at = at.trunc_subsecs(0).with_second(0).unwrap_or(at);
    if let Some(known) = current.filter(|known| known.at == at && known.state != AppointmentState::Cancelled) {
        let answered = known.state == AppointmentState::Agreed || known.proposed_by != side;
        if at <= now {
            return Err(AppointmentError::Moment("APPOINTMENT_TOO_SOON"));
        }
        let state = if answered { AppointmentState::Agreed } else { AppointmentState::Proposed };
        return Ok(AppointmentView { at, state, proposed_by: known.proposed_by });
    }
    match at - now {
        ahead if ahead < SOONEST => Err(AppointmentError::Moment("APPOINTMENT_TOO_SOON")),
        ahead if ahead > FARTHEST => Err(AppointmentError::Moment("APPOINTMENT_TOO_LATE")),
        _ => Ok(AppointmentView { at, state: AppointmentState::Proposed, proposed_by: side }),
    }
}

/// Until when the link opens and nothing but a person closes the conference; `held`, until when the appointment before this one
/// did. A client who proposes again before ours have answered gains no time by it (VISIT-6).
pub fn holds_until(
    before: Option<&AppointmentView>,
    held: Option<DateTime<Utc>>,
    view: &AppointmentView,
    now: DateTime<Utc>,
) -> Option<DateTime<Utc>> {
    let waits = |known: &AppointmentView| known.state == AppointmentState::Proposed && known.proposed_by == Side::Client;
    let again = waits(view) && before.is_some_and(waits);
    match view.state {
        AppointmentState::Agreed => Some(view.at + OPEN_FOR),
        AppointmentState::Proposed => {
            let until = view.at.min(now + ANSWER_WITHIN);
            Some(held.filter(|_| again).map_or(until, |held| until.min(held)))
        }
        AppointmentState::Cancelled => None,
    }
}

/// When both sides are reminded; one that is agreed later than that has no reminder (VISIT-5).
pub fn remind_at(view: &AppointmentView, now: DateTime<Utc>) -> Option<DateTime<Utc>> {
    let at = view.at - REMIND_BEFORE;
    (view.state == AppointmentState::Agreed && now < at).then_some(at)
}

/// Whether it still concerns somebody: neither cancelled nor over.
pub fn is_current(view: &AppointmentView, now: DateTime<Utc>) -> bool {
    let over = match view.state {
        AppointmentState::Proposed => view.at,
        _ => view.at + OPEN_FOR,
    };
    view.state != AppointmentState::Cancelled && now < over
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        DateTime::parse_from_rfc3339(text).unwrap().to_utc()
    }

    fn view(state: AppointmentState, proposed_by: Side) -> AppointmentView {
        AppointmentView { at: at("2026-11-21T10:30:00Z"), state, proposed_by }
    }

    const NOW: &str = "2026-11-20T09:00:00Z";

    // VISIT-1
    #[test]
    fn a_moment_is_fifteen_minutes_to_fourteen_days_ahead() {
        let code = |text: &str| match answer(None, Side::Staff, at(text), at(NOW)) {
            Ok(view) => Ok(view.at),
            Err(AppointmentError::Moment(code)) => Err(code),
            Err(other) => panic!("{other}"),
        };
        assert_eq!(code("2026-11-20T09:14:59Z"), Err("APPOINTMENT_TOO_SOON"));
        assert_eq!(code("2026-11-20T09:15:00Z"), Ok(at("2026-11-20T09:15:00Z")));
        assert_eq!(code("2026-12-04T09:00:00Z"), Ok(at("2026-12-04T09:00:00Z")));
        assert_eq!(code("2026-12-04T09:01:00Z"), Err("APPOINTMENT_TOO_LATE"));
        assert_eq!(code("2026-11-21T10:30:42.5Z"), Ok(at("2026-11-21T10:30:00Z")), "whole minutes");
    }

    // VISIT-2
    #[test]
    fn it_is_agreed_when_both_sides_named_the_same_moment() {
        use AppointmentState::{Agreed, Cancelled, Proposed};
        let same = at("2026-11-21T10:30:00Z");
        let said = |current: AppointmentView, side, at| answer(Some(&current), side, at, self::at(NOW)).unwrap();
        for (current, side, state) in [
            (view(Proposed, Side::Staff), Side::Client, Agreed),
            (view(Proposed, Side::Client), Side::Staff, Agreed),
            (view(Proposed, Side::Staff), Side::Staff, Proposed),
            (view(Agreed, Side::Staff), Side::Staff, Agreed),
            (view(Cancelled, Side::Staff), Side::Client, Proposed),
        ] {
            assert_eq!(said(current.clone(), side, same).state, state, "{current:?} {side:?}");
        }
        let other = said(view(Agreed, Side::Staff), Side::Client, at("2026-11-22T10:30:00Z"));
        assert_eq!((other.state, other.proposed_by), (Proposed, Side::Client), "another moment is a proposal again");
        let late = answer(Some(&view(Proposed, Side::Staff)), Side::Client, same, same);
        assert!(matches!(late, Err(AppointmentError::Moment("APPOINTMENT_TOO_SOON"))), "what has passed is not agreed");
    }

    // VISIT-5, VISIT-6
    #[test]
    fn it_holds_the_link_and_has_a_reminder() {
        let (agreed, proposed) = (view(AppointmentState::Agreed, Side::Staff), view(AppointmentState::Proposed, Side::Client));
        let holds_until = |view: &AppointmentView, now| holds_until(None, None, view, now);
        assert_eq!(holds_until(&agreed, at(NOW)), Some(at("2026-11-21T11:30:00Z")));
        assert_eq!(holds_until(&proposed, at(NOW)), Some(at("2026-11-21T09:00:00Z")), "a day for the answer");
        assert_eq!(holds_until(&proposed, at("2026-11-21T10:00:00Z")), Some(proposed.at), "at most until its moment");
        assert_eq!(holds_until(&view(AppointmentState::Cancelled, Side::Staff), at(NOW)), None);
        assert_eq!(remind_at(&agreed, at(NOW)), Some(at("2026-11-21T10:15:00Z")));
        assert_eq!(remind_at(&agreed, at("2026-11-21T10:15:00Z")), None);
        assert_eq!(remind_at(&proposed, at(NOW)), None);
        assert!(is_current(&agreed, at("2026-11-21T11:29:59Z")) && !is_current(&agreed, at("2026-11-21T11:30:00Z")));
        assert!(!is_current(&proposed, proposed.at));
    }

    // VISIT-6
    #[test]
    fn a_client_who_proposes_again_and_again_gains_no_time() {
        let (mine, ours) = (view(AppointmentState::Proposed, Side::Client), view(AppointmentState::Proposed, Side::Staff));
        let held = at("2026-11-20T12:00:00Z");
        assert_eq!(holds_until(Some(&mine), Some(held), &mine, at(NOW)), Some(held), "from the first one on");
        let day = Some(at("2026-11-21T09:00:00Z"));
        assert_eq!(holds_until(Some(&ours), Some(held), &mine, at(NOW)), day, "ours have said something");
        assert_eq!(holds_until(Some(&mine), Some(held), &ours, at(NOW)), day);
        assert_eq!(holds_until(Some(&ours), Some(held), &ours, at(NOW)), day, "ours may give more time");
        let agreed = view(AppointmentState::Agreed, Side::Client);
        assert_eq!(holds_until(Some(&agreed), Some(held), &mine, at(NOW)), day, "another moment than the agreed one");
    }
}
