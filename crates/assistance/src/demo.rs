//! Example conferences for `serve --demo`: closed ones of the last days, with real small media. Rules: docs/rules/demo.md.
//!
//! Called by the server's demo, on an empty database only. *Invariant:* everything is written by the services: the calls
//! of a real adjuster and client are repeated under a clock of the past, so that dates, chain, durations and observation
//! states agree with each other (DEMO-2).

mod cases;
mod past;
mod requests;
mod unattended;

pub use past::{PastCall, seed_call};
pub use requests::FileRequests;

use crate::Assistance;
use crate::Parts;
use crate::call_page::{self, closing};
use crate::calls::service::on_event;
use crate::calls::{CallEvent, Side, recording};
use crate::chat::{ChatRequest, Speaker};
use crate::client_page::model::StepRequest;
use crate::client_page::service::{self as client, LegalAnswer};
use crate::media::MediaError;
use crate::media::service::{self as media, CaptureMeta, NewMedia};
use crate::media_items::{self, Origin};
use atalaya_cases::conferences::{ConferenceError, Scope};
use atalaya_cases::evidence::Actor;
use atalaya_kernel::sources::{ManualClock, SystemEntropy};
use atalaya_kernel::{ClientLanguage, CompanyId, ConferenceId, Role, Sources, UserId};
use atalaya_rest::caller::{Caller, Via};
use bytes::Bytes;
use cases::{CASES, Case, Step};
use chrono::{DateTime, TimeDelta, Timelike, Utc};
use serde_json::json;
use std::sync::Arc;

/// Makes the example conferences, alternating between these workers of this company. Answers how many.
///
/// The company must have been allowed to call ten days ago, and the legal texts must exist.
pub async fn seed(
    deps: &Assistance,
    files: &dyn FileRequests,
    company: CompanyId,
    workers: &[UserId],
) -> Result<usize, MediaError> {
    if workers.is_empty() {
        return Ok(0);
    }
    for (case, worker) in CASES.iter().zip(workers.iter().cycle()) {
        let caller = Caller {
            user: *worker,
            role: Role::Worker,
            company,
            session: deps.sources.id(),
            support: false,
            language: None,
            via: Via::Bearer,
        };
        Replay::begin(deps, files, case, caller).await?.play(case.steps).await?;
    }
    Ok(CASES.len())
}

/// When a case begins: so many days ago at its time of day (UTC).
fn begin_of(case: &Case, now: DateTime<Utc>) -> DateTime<Utc> {
    let day = now - TimeDelta::days(case.days_ago);
    let (hour, minute) = case.time;
    day.with_hour(hour).and_then(|t| t.with_minute(minute)).and_then(|t| t.with_second(12)).unwrap_or(day)
}

/// The same context under another clock, which sends nothing and has no watchers.
pub fn under(clock: &Arc<ManualClock>, deps: &Assistance) -> Assistance {
    let sources = Sources::new(clock.clone(), Arc::new(SystemEntropy));
    Assistance::new(Parts {
        cases: deps.cases.unwatched(sources.clone(), deps.outbox.unsent(sources.clone())),
        outreach: deps.outreach.unwatched(sources),
        engine: Arc::new(unattended::UnattendedEngine(deps.engine.clone())),
        geocoder: None,
        // The texts in force are those of today, so `content` keeps the real clock.
        ..Parts::clone(deps)
    })
}

/// One case being made.
struct Replay<'a> {
    deps: Assistance,
    files: &'a dyn FileRequests,
    clock: Arc<ManualClock>,
    caller: Caller,
    case: &'static Case,
    id: ConferenceId,
    hash: String,
    origin: client::Origin,
    /// Key and identity of the client's device once the notice is accepted.
    device: Option<(String, String)>,
    /// The last request for files.
    request: Option<uuid::Uuid>,
}

impl<'a> Replay<'a> {
    async fn begin(
        deps: &Assistance,
        files: &'a dyn FileRequests,
        case: &'static Case,
        caller: Caller,
    ) -> Result<Self, MediaError> {
        let clock = ManualClock::at(begin_of(case, deps.sources.now()));
        let deps = under(&clock, deps);
        let opened = call_page::open(&deps, &caller, &case.opening()).await?;
        let id = ConferenceId(opened.conference.id);
        let origin = client::Origin { address: case.address_of_client.into(), user_agent: case.user_agent.to_string() };
        Ok(Self { deps, files, clock, caller, case, id, hash: opened.conference.hash, origin, device: None, request: None })
    }

    async fn play(mut self, steps: &[Step]) -> Result<(), MediaError> {
        for step in steps {
            self.step(step).await?;
        }
        Ok(())
    }

    async fn step(&mut self, step: &Step) -> Result<(), MediaError> {
        match step {
            Step::Wait(seconds) => self.clock.advance(TimeDelta::seconds(*seconds)),
            Step::Tell(kind, data) => self.tell(kind, data).await?,
            Step::Answer(accept) => self.answer(*accept).await?,
            Step::Enter => self.enter().await?,
            Step::Say(side, text) => self.say(*side, text).await?,
            Step::Picture(bytes, shot, position) => self.picture(bytes, *shot, *position).await?,
            Step::Document(bytes, name) => self.document(bytes, name).await?,
            Step::Record(bytes, seconds) => self.record(bytes, *seconds).await?,
            Step::Close => drop(closing::close(&self.deps, self.scope(), self.id, self.staff()).await?),
            Step::Lapse => drop(closing::close(&self.deps, Scope::All, self.id, Actor::System).await?),
            Step::Ask(text, things) => self.ask(text, things).await?,
            Step::Send(nth, bytes, name) => self.send(*nth, bytes, name).await?,
            Step::Seen => self.seen().await?,
        }
        Ok(())
    }

    fn scope(&self) -> Scope {
        Scope::of(&self.caller)
    }

    fn staff(&self) -> Actor {
        Actor::User(self.caller.user)
    }

    fn key(&self) -> Option<&str> {
        self.device.as_ref().map(|(key, _)| key.as_str())
    }

    fn identity(&self) -> String {
        self.device.as_ref().map(|(_, identity)| identity.clone()).unwrap_or_default()
    }

    async fn tell(&self, kind: &str, data: &str) -> Result<(), ConferenceError> {
        let data = serde_json::from_str(data).expect("the cases are written as JSON");
        let request = StepRequest { step_type: kind.to_string(), data };
        client::tell(&self.deps, &self.hash, self.key(), &request, &self.origin).await
    }

    async fn answer(&mut self, accept: bool) -> Result<(), ConferenceError> {
        let view = client::view(&self.deps, &self.hash, None).await?;
        let Some(legal) = view.legal else { return Err(ConferenceError::LinkExpired) };
        let answer = LegalAnswer {
            accept,
            document_id: legal.document_id,
            version: legal.version,
            language: ClientLanguage::parse(&legal.language).unwrap_or_default(),
            device_key: None,
        };
        if let Some(accepted) = client::answer(&self.deps, &self.hash, &answer, &self.origin).await? {
            let key = accepted.client_key;
            let identity = client::require_device(&self.deps, self.id, Some(&key)).await?.identity;
            self.device = Some((key, identity));
        }
        Ok(())
    }

    /// Both are in the media room: the adjuster is already waiting there, the client joins.
    async fn enter(&self) -> Result<(), ConferenceError> {
        client::join(&self.deps, &self.hash, self.key(), "", false).await?;
        let sid = |kind: &str| format!("{kind}_{}", self.deps.sources.base62(12));
        let room = self.id.to_string();
        let name = atalaya_identity::users::service::display_name(&self.deps.identity, self.caller.user).await?;
        let events = [
            CallEvent::RoomStarted { room: room.clone(), sid: sid("RM") },
            CallEvent::Joined {
                room: room.clone(),
                identity: format!("user:{}", self.caller.user),
                participant_sid: sid("PA"),
                name,
            },
            CallEvent::Joined {
                room,
                identity: self.identity(),
                participant_sid: sid("PA"),
                name: self.case.contact_person.to_string(),
            },
        ];
        for event in events {
            on_event(&self.deps, event).await?;
        }
        Ok(())
    }

    async fn say(&self, side: Side, text: &str) -> Result<(), ConferenceError> {
        let speaker = match side {
            Side::Staff => Speaker {
                actor: self.staff(),
                identity: format!("user:{}", self.caller.user),
                name: atalaya_identity::users::service::display_name(&self.deps.identity, self.caller.user).await?,
                side,
            },
            Side::Client => {
                Speaker { actor: Actor::Client, identity: self.identity(), name: self.case.contact_person.to_string(), side }
            }
        };
        crate::chat::post(&self.deps, self.id, speaker, &ChatRequest { text: text.to_string(), phrase: None }).await?;
        Ok(())
    }

    async fn picture(&self, bytes: &'static [u8], shot: Option<&str>, position: Option<(f64, f64)>) -> Result<(), MediaError> {
        let meta = CaptureMeta {
            capture_id: Some(self.deps.sources.hex::<8>()),
            method: Some("takePhoto".into()),
            captured_at: Some(self.deps.sources.now() - TimeDelta::milliseconds(1400)),
            latitude: position.map(|(latitude, _)| latitude),
            longitude: position.map(|(_, longitude)| longitude),
            accuracy: position.map(|_| 8.0),
            lens: Some("Trasera 1×".into()),
            name: None,
            shot: shot.map(str::to_owned),
            ..CaptureMeta::default()
        };
        self.add(bytes, Origin::Call, Actor::Client, self.identity(), meta).await
    }

    async fn document(&self, bytes: &'static [u8], name: &str) -> Result<(), MediaError> {
        let meta = CaptureMeta { name: Some(name.to_string()), ..CaptureMeta::default() };
        self.add(bytes, Origin::Upload, self.staff(), format!("user:{}", self.caller.user), meta).await
    }

    async fn record(&self, bytes: &'static [u8], seconds: i64) -> Result<(), MediaError> {
        recording::note_start(&self.deps, self.id, self.deps.sources.id(), None, self.staff()).await?;
        self.clock.advance(TimeDelta::seconds(seconds));
        recording::stop_if_running(&self.deps, self.id, self.staff()).await;
        let meta = CaptureMeta { method: Some("recording".into()), ..CaptureMeta::default() };
        self.add(bytes, Origin::Call, Actor::System, self.identity(), meta).await
    }

    async fn add(
        &self,
        bytes: &'static [u8],
        origin: Origin,
        actor: Actor,
        participant: String,
        meta: CaptureMeta,
    ) -> Result<(), MediaError> {
        let bytes = Bytes::from_static(bytes);
        let new = NewMedia { bytes, origin, actor, participant, meta, picture_only: false };
        media::add(&self.deps, self.id, new).await?;
        Ok(())
    }

    async fn ask(&mut self, text: &str, things: &[(&str, &str, &str)]) -> Result<(), MediaError> {
        let of = |(label, shot, hint): &(&str, &str, &str)| json!({"label": label, "shot": shot, "hint": hint});
        let items: Vec<_> = things.iter().map(of).collect();
        let body = json!({
            "contactType": 1, "contactText": text, "to": self.case.phone_number, "conferenceId": self.id.to_string(),
            "pageShowText": "Con estas fotos cerramos el expediente. Basta con el móvil.", "items": items, "notify": true,
        });
        self.request = Some(self.files.ask(&self.deps, &self.caller, body).await?);
        Ok(())
    }

    async fn send(&self, nth: usize, bytes: &'static [u8], name: &str) -> Result<(), MediaError> {
        let request = self.request.expect("something is asked before it is sent");
        self.files.visit(&self.deps, request, &self.origin).await?;
        self.clock.advance(TimeDelta::seconds(95));
        self.files.send(&self.deps, request, nth, name, bytes).await
    }

    /// The adjuster has looked at the media afterwards.
    async fn seen(&self) -> Result<(), MediaError> {
        let tx = self.deps.db.write().await?;
        media_items::mark_seen(&tx, self.id, self.deps.sources.now()).await?;
        tx.commit().await?;
        Ok(())
    }
}

impl Case {
    fn opening(&self) -> atalaya_cases::conferences::OpenConference {
        let text = |text: &str| Some(text.to_string()).filter(|t| !t.is_empty());
        let body = json!({
            "contactPerson": self.contact_person, "phoneNumber": self.phone_number,
            "expedientNumber": self.expedient_number, "type": self.conference_type, "appType": "web",
        });
        let mut opening: atalaya_cases::conferences::OpenConference =
            serde_json::from_value(body).expect("the cases are good requests");
        opening.address = text(self.address);
        opening.city = text(self.city);
        opening.city_region = text(self.region);
        opening.region = text(self.region);
        opening.postal_code = text(self.postal_code);
        opening.full_address = text(&format!("{}, {} {}", self.address, self.postal_code, self.city));
        opening.car_id = text(self.car_id);
        opening
    }
}
