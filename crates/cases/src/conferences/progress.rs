//! The client's progress as the adjuster sees it: six steps, each with its time, the failed one with its reason (CASE-11).
//! Pure.

use crate::evidence::{NO_MEDIA, PermissionState, Projection};
use chrono::{DateTime, Utc};
use serde::Serialize;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    Sent,
    Delivered,
    Opened,
    Legal,
    Permissions,
    Connected,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum StepState {
    Pending,
    Active,
    Done,
    Failed,
    Skipped,
}

#[derive(Clone, Debug, PartialEq, Serialize, utoipa::ToSchema)]
pub struct StepView {
    pub step: Step,
    pub state: StepState,
    pub at: Option<DateTime<Utc>>,
    /// Why it failed, or a remark on a done step (`NO_SMS_PROVIDER`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<PermissionDetail>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct PermissionDetail {
    pub camera: PermissionState,
    pub microphone: PermissionState,
    pub geolocation: PermissionState,
}

#[derive(Clone, Debug, PartialEq, Serialize, utoipa::ToSchema)]
pub struct Progress {
    pub steps: Vec<StepView>,
    /// The step that is under way or has failed; `connected` when all is done.
    pub current: Step,
}

/// The newest message of a conference, as far as progress cares.
#[derive(Clone, Debug, Default)]
pub struct LastMessage {
    /// `queued`, `captured`, `sent`, `delivered`, `failed`.
    pub state: String,
    pub channel: String,
    pub at: Option<DateTime<Utc>>,
    /// It replaces one that had not arrived in time (CASE-52).
    pub instead_of_late: bool,
}

/// What progress is computed from.
pub struct Facts<'a> {
    pub projection: &'a Projection,
    pub message: Option<&'a LastMessage>,
    pub client_present: bool,
    pub expired: bool,
}

/// The six steps in their order.
pub fn progress(facts: &Facts<'_>) -> Progress {
    let p = facts.projection;
    let opened = p.opened_at.is_some();
    let mut steps =
        vec![sent(facts), delivered(facts), simple(Step::Opened, p.opened_at), legal(p), permissions(p), connected(facts)];
    if facts.expired && !opened {
        steps[2].state = StepState::Failed;
        steps[2].reason = Some("LINK_EXPIRED".into());
    }
    // A later step that happened proves the earlier ones that left no trace.
    for i in (0..steps.len() - 1).rev() {
        let later = steps[i + 1..].iter().any(|s| s.state == StepState::Done);
        if later && steps[i].state == StepState::Pending {
            steps[i].state = StepState::Skipped;
        }
    }
    let current = steps
        .iter()
        .find(|s| s.state == StepState::Failed)
        .or_else(|| steps.iter().find(|s| s.state == StepState::Pending))
        .map_or(Step::Connected, |s| s.step);
    if let Some(step) = steps.iter_mut().find(|s| s.step == current && s.state == StepState::Pending) {
        step.state = StepState::Active;
    }
    Progress { steps, current }
}

fn simple(step: Step, at: Option<DateTime<Utc>>) -> StepView {
    let state = if at.is_some() { StepState::Done } else { StepState::Pending };
    StepView { step, state, at, reason: None, detail: None }
}

fn sent(facts: &Facts<'_>) -> StepView {
    let p = facts.projection;
    let mut view = simple(Step::Sent, p.sent_at);
    match facts.message {
        None => view.state = StepState::Skipped,
        Some(m) if m.state == "captured" => {
            view.state = StepState::Done;
            view.at = m.at;
            view.reason = Some("NO_SMS_PROVIDER".into());
        }
        Some(m) if m.state == "failed" && p.opened_at.is_none() => {
            view.state = StepState::Failed;
            view.at = p.send_failed_at.or(m.at);
            view.reason = Some(if m.channel == "email" { "EMAIL_FAILED" } else { "SMS_FAILED" }.into());
        }
        Some(m) if matches!(m.state.as_str(), "sent" | "delivered") => {
            view.state = StepState::Done;
            view.at = p.sent_at.or(m.at);
        }
        Some(_) => {}
    }
    view
}

fn delivered(facts: &Facts<'_>) -> StepView {
    let mut view = simple(Step::Delivered, facts.projection.delivered_at);
    // No provider reports the delivery of a captured message or of an e-mail, and without a message there is nothing to deliver.
    if view.at.is_none() && facts.message.is_none_or(|m| m.state == "captured" || m.channel == "email") {
        view.state = StepState::Skipped;
    }
    if view.at.is_none() && facts.message.is_some_and(|m| m.instead_of_late) {
        view.reason = Some("NOT_DELIVERED".into());
    }
    view
}

fn legal(p: &Projection) -> StepView {
    let mut view = simple(Step::Legal, p.legal_accepted_at);
    // Somebody else with the same link may decline while the call goes on.
    if p.legal_rejected_at.is_some() && p.client_connected_at.is_none() {
        view.state = StepState::Failed;
        view.at = p.legal_rejected_at;
        view.reason = Some("LEGAL_REJECTED".into());
    }
    view
}

fn permissions(p: &Projection) -> StepView {
    use PermissionState::{Denied, Granted, Pending, Skipped};
    let mut view = simple(Step::Permissions, None);
    view.detail = Some(PermissionDetail { camera: p.camera, microphone: p.microphone, geolocation: p.geolocation });
    view.at = p.permission_at;
    if p.client_connected_at.is_some() || (p.camera == Granted && p.microphone == Granted) {
        view.state = StepState::Done;
    }
    if p.client_connected_at.is_none()
        && let Some(problem) = p.problem.as_ref().filter(|problem| *problem != NO_MEDIA)
    {
        view.state = StepState::Failed;
        view.at = p.problem_at;
        view.reason = Some(problem.clone());
    }
    if view.state == StepState::Pending && [p.camera, p.microphone].iter().all(|s| matches!(s, Denied | Skipped)) {
        view.state = StepState::Failed;
        view.reason = Some("CAMERA_DENIED".into());
    }
    if [p.camera, p.microphone, p.geolocation].iter().all(|s| *s == Pending) && p.problem.is_none() {
        view.at = None;
    }
    view
}

fn connected(facts: &Facts<'_>) -> StepView {
    let mut view = simple(Step::Connected, facts.projection.client_connected_at);
    if view.at.is_some() && !facts.client_present {
        view.state = StepState::Pending;
    }
    // The network lets no media through: the page asks for pictures, until it does (RESCUE-3).
    if !facts.client_present && facts.projection.problem.as_deref() == Some(NO_MEDIA) {
        view.state = StepState::Failed;
        view.at = facts.projection.problem_at;
        view.reason = Some(NO_MEDIA.into());
    }
    view
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(s: i64) -> Option<DateTime<Utc>> {
        DateTime::from_timestamp(1_800_000_000 + s, 0)
    }

    fn states(facts: &Facts<'_>) -> (String, Step) {
        let progress = progress(facts);
        let letter = |s: &StepView| match s.state {
            StepState::Pending => 'p',
            StepState::Active => 'a',
            StepState::Done => 'd',
            StepState::Failed => 'f',
            StepState::Skipped => 's',
        };
        (progress.steps.iter().map(letter).collect(), progress.current)
    }

    // CASE-11
    #[test]
    fn the_ladder_from_sms_to_video() {
        let message = |state: &str, channel: &str| LastMessage {
            state: state.into(),
            channel: channel.into(),
            at: at(1),
            ..Default::default()
        };
        let opened = Projection { opened_at: at(3), ..Default::default() };
        let accepted = Projection { legal_accepted_at: at(4), ..opened.clone() };
        let blocked = Projection { camera: PermissionState::Denied, problem: Some("CAMERA_DENIED".into()), ..accepted.clone() };
        let granted = Projection { camera: PermissionState::Granted, microphone: PermissionState::Granted, ..accepted.clone() };
        let inside = Projection { client_connected_at: at(6), ..granted.clone() };
        let rejected = Projection { legal_rejected_at: at(4), ..opened.clone() };
        for (projection, message, present, expired, expected, current) in [
            (Projection::default(), Some(message("queued", "sms")), false, false, "appppp", Step::Sent),
            (Projection::default(), Some(message("failed", "sms")), false, false, "fppppp", Step::Sent),
            (Projection::default(), Some(message("captured", "sms")), false, false, "dsappp", Step::Opened),
            (Projection::default(), Some(message("sent", "sms")), false, false, "dapppp", Step::Delivered),
            (Projection::default(), Some(message("sent", "email")), false, false, "dsappp", Step::Opened),
            (Projection::default(), None, false, false, "ssappp", Step::Opened),
            (Projection::default(), Some(message("sent", "email")), false, true, "dsfppp", Step::Opened),
            (opened.clone(), Some(message("sent", "sms")), false, false, "dsdapp", Step::Legal),
            (rejected, Some(message("captured", "sms")), false, false, "dsdfpp", Step::Legal),
            (accepted, Some(message("captured", "sms")), false, false, "dsddap", Step::Permissions),
            (blocked, Some(message("captured", "sms")), false, false, "dsddfp", Step::Permissions),
            (granted, Some(message("captured", "sms")), false, false, "dsddda", Step::Connected),
            (inside.clone(), Some(message("captured", "sms")), true, false, "dsdddd", Step::Connected),
            (inside, Some(message("captured", "sms")), false, false, "dsddda", Step::Connected),
        ] {
            let facts = Facts { projection: &projection, message: message.as_ref(), client_present: present, expired };
            assert_eq!(states(&facts), (expected.to_string(), current), "{projection:?} {message:?}");
        }
    }

    // RESCUE-3
    #[test]
    fn a_network_without_media_is_no_refused_permission() {
        let asked = Projection {
            opened_at: at(3),
            legal_accepted_at: at(4),
            camera: PermissionState::Granted,
            microphone: PermissionState::Granted,
            problem: Some(NO_MEDIA.into()),
            problem_at: at(9),
            ..Default::default()
        };
        let facts = |present| Facts { projection: &asked, message: None, client_present: present, expired: false };
        let steps = progress(&facts(false)).steps;
        assert_eq!((steps[4].state, steps[5].state), (StepState::Done, StepState::Failed));
        assert_eq!((steps[5].reason.as_deref(), steps[5].at), (Some(NO_MEDIA), at(9)));
        assert_eq!(progress(&facts(true)).steps[5].reason, None, "once the client is in, it is over");
    }

    // CASE-52
    #[test]
    fn a_link_that_was_late_says_so_until_it_arrives() {
        let message = LastMessage { state: "sent".into(), channel: "whatsapp".into(), at: at(61), instead_of_late: true };
        let reason = |projection: &Projection| {
            let facts = Facts { projection, message: Some(&message), client_present: false, expired: false };
            progress(&facts).steps[1].reason.clone()
        };
        assert_eq!(reason(&Projection::default()).as_deref(), Some("NOT_DELIVERED"));
        assert_eq!(reason(&Projection { delivered_at: at(70), ..Default::default() }), None);
    }
}
