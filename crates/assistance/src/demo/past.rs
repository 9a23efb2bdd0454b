//! Plain calls of past months: only people connected together, as the basis of consumption and invoices.

use super::under;
use crate::Assistance;
use crate::call_page::{self, closing};
use crate::calls::CallEvent;
use crate::calls::service::on_event;
use atalaya_cases::conferences::{ConferenceError, Scope};
use atalaya_cases::evidence::Actor;
use atalaya_kernel::sources::ManualClock;
use atalaya_kernel::{CompanyId, ConferenceId, Role, UserId};
use atalaya_rest::caller::{Caller, Via};
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;

/// A past call.
#[derive(Clone, Debug)]
pub struct PastCall {
    pub at: DateTime<Utc>,
    pub seconds: i64,
    pub expedient: String,
    /// A second device of the client's side took part.
    pub guest: bool,
}

/// Makes it, by this worker of this company, under a clock of the past.
pub async fn seed_call(deps: &Assistance, company: CompanyId, worker: UserId, call: &PastCall) -> Result<(), ConferenceError> {
    let clock = ManualClock::at(call.at);
    let deps = under(&clock, deps);
    let caller = Caller {
        user: worker,
        role: Role::Worker,
        company,
        session: deps.sources.id(),
        support: false,
        language: None,
        via: Via::Bearer,
    };
    let body = json!({
        "contactPerson": "Asegurado", "phoneNumber": "+34600111222", "expedientNumber": call.expedient, "type": 2, "appType": "web",
    });
    let opening = serde_json::from_value(body).expect("a good request");
    let opened = call_page::open(&deps, &caller, &opening).await?;
    let (id, room) = (ConferenceId(opened.conference.id), opened.conference.id.to_string());
    let sid = |kind: &str| format!("{kind}_{}", deps.sources.base62(12));
    let name = atalaya_identity::users::service::display_name(&deps.identity, worker).await?;
    let mut people =
        vec![(format!("user:{worker}"), name), (format!("client:{}", deps.sources.hex::<4>()), "Asegurado".to_owned())];
    if call.guest {
        people.push((format!("client:{}", deps.sources.hex::<4>()), "Reparador".to_owned()));
    }
    on_event(&deps, CallEvent::RoomStarted { room: room.clone(), sid: sid("RM") }).await?;
    for (identity, name) in people {
        let joined = CallEvent::Joined { room: room.clone(), identity, participant_sid: sid("PA"), name };
        on_event(&deps, joined).await?;
        clock.advance(TimeDelta::seconds(1));
    }
    clock.advance(TimeDelta::seconds(call.seconds));
    closing::close(&deps, Scope::of(&caller), id, Actor::User(worker)).await?;
    Ok(())
}
