//! The call as the server sees it: who was there, recording, observation states.

use crate::support::{Case, parts_of, text};
use async_trait::async_trait;
use atalaya_assistance::call_page::closing;
use atalaya_assistance::calls::recording::{self, RecordingAction, RecordingState};
use atalaya_assistance::calls::{CallEvent, EngineError, EngineKind, Gone, JoinGrant, MediaEngine, Packet};
use atalaya_assistance::{Assistance, Parts, tasks};
use atalaya_cases::conferences::{ConferenceError, Scope};
use atalaya_cases::evidence::Actor;
use atalaya_kernel::{ConferenceId, RecordingId, Role};
use atalaya_rest::caller::{Caller, Via};
use atalaya_server::media;
use atalaya_sfu::{EngineEvent, Route};
use atalaya_testkit::{TestApp, both_engines};
use chrono::TimeDelta;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// An engine that notes what it is asked, and fails when told to. The real one is tested with real browsers.
#[derive(Default)]
struct Noting {
    asked: Mutex<Vec<String>>,
    down: AtomicBool,
}

impl Noting {
    fn note(&self, what: impl Into<String>) -> Result<(), EngineError> {
        if self.down.load(Ordering::SeqCst) {
            return Err(EngineError::Unavailable("told to fail".into()));
        }
        self.asked.lock().expect("unpoisoned").push(what.into());
        Ok(())
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("unpoisoned").clone()
    }
}

#[async_trait]
impl MediaEngine for Noting {
    fn kind(&self) -> EngineKind {
        EngineKind::Embedded
    }
    fn browser_url(&self) -> Option<String> {
        None
    }
    fn mint(&self, grant: &JoinGrant) -> String {
        grant.identity.clone()
    }
    fn can_record(&self) -> bool {
        true
    }
    async fn send(&self, _: ConferenceId, packet: Packet) -> Result<(), EngineError> {
        self.note(format!("send {}", packet.payload["t"].as_str().unwrap_or_default()))
    }
    async fn mute(&self, _: ConferenceId, _: &str, _: &str, _: bool) -> Result<(), EngineError> {
        self.note("mute")
    }
    async fn remove(&self, _: ConferenceId, _: &str) -> Result<(), EngineError> {
        self.note("remove")
    }
    async fn close_room(&self, _: ConferenceId) -> Result<(), EngineError> {
        self.note("close room")
    }
    async fn start_recording(&self, _: ConferenceId, _: RecordingId) -> Result<Option<String>, EngineError> {
        self.note("start").map(|()| None)
    }
    async fn pause_recording(&self, _: ConferenceId, _: RecordingId) -> Result<(), EngineError> {
        self.note("pause")
    }
    async fn resume_recording(&self, _: ConferenceId, _: RecordingId) -> Result<(), EngineError> {
        self.note("resume")
    }
    async fn stop_recording(&self, _: ConferenceId, _: RecordingId, _: Option<&str>) -> Result<(), EngineError> {
        self.note("stop")
    }
    async fn healthy(&self) -> Result<(), EngineError> {
        Ok(())
    }
}

/// The application's context with another engine.
fn with_engine(app: &TestApp, engine: Arc<Noting>) -> Assistance {
    Assistance::new(Parts { engine, ..parts_of(app) })
}

fn caller_of(case: &Case<'_>) -> Caller {
    Caller {
        user: case.owner.id,
        role: Role::Worker,
        company: case.owner.company,
        session: case.app.sources.id(),
        support: false,
        language: None,
        via: Via::Bearer,
    }
}

fn id_of(case: &Case<'_>) -> ConferenceId {
    case.id.parse().expect("an id")
}

async fn closed_observation(case: &Case<'_>) -> String {
    text(&case.post("conference-close", json!({})).await.ok()["conference"]["observation"])
}

/// The client accepts and gets into the room, where the adjuster is.
async fn both_inside(case: &Case<'_>) -> (String, String) {
    let key = case.accept().await;
    let joined = case.client_with(&key, "join", json!({"camera": true, "microphone": true})).await.ok();
    let client = text(&joined["identity"]);
    case.room_starts("RM_1").await;
    case.joins(&case.staff_identity(), "PA_staff").await;
    case.joins(&client, "PA_client").await;
    (key, client)
}

both_engines! {
    // CALL-3, CALL-4
    async fn recording_goes_through_its_states_and_counts_no_pause(app) {
        use RecordingAction::{Pause, Resume, Start, Stop};
        let case = Case::open(app).await;
        let engine = Arc::new(Noting::default());
        let deps = with_engine(app, engine.clone());
        let (caller, id) = (caller_of(&case), id_of(&case));
        let act = |action| recording::act(&deps, &caller, id, action);
        let seen = || async { case.link().await["recording"].clone() };
        assert_eq!(seen().await["state"], "idle");
        for early in [Pause, Resume, Stop] {
            assert!(matches!(act(early).await, Err(ConferenceError::RecordingState)), "{early:?} before the start");
        }
        let started = act(Start).await.unwrap();
        assert_eq!((started.state, started.elapsed_ms), (RecordingState::Recording, 0));
        assert_eq!(started.by, Some(case.staff_identity()));
        assert!(deps.keys.get(&started.recording_id.unwrap().to_string()).is_some(), "the writer has its key");
        assert!(matches!(act(Start).await, Err(ConferenceError::RecordingState)), "one at a time");
        app.advance(TimeDelta::seconds(10));
        assert_eq!((&seen().await["state"], &seen().await["elapsedMs"]), (&json!("recording"), &json!(10_000)));
        assert_eq!(act(Pause).await.unwrap().state, RecordingState::Paused);
        assert!(matches!(act(Pause).await, Err(ConferenceError::RecordingState)));
        app.advance(TimeDelta::seconds(60));
        assert_eq!((&seen().await["state"], &seen().await["elapsedMs"]), (&json!("paused"), &json!(10_000)));
        act(Resume).await.unwrap();
        assert!(matches!(act(Resume).await, Err(ConferenceError::RecordingState)));
        app.advance(TimeDelta::seconds(5));
        assert_eq!(case.details().await["recording"]["elapsedMs"], 15_000, "the adjuster sees the same");
        assert_eq!(act(Stop).await.unwrap().state, RecordingState::Idle);
        assert!(matches!(act(Stop).await, Err(ConferenceError::RecordingState)));
        app.advance(TimeDelta::seconds(1));
        assert_ne!(act(Start).await.unwrap().recording_id, started.recording_id, "a second one is another one");
        act(Pause).await.unwrap();
        assert_eq!(act(Stop).await.unwrap().state, RecordingState::Idle, "stopped out of a pause");

        let told: Vec<_> = case.tracks().await.into_iter().filter(|t| t.starts_with("RECORDING")).collect();
        let states = ["STARTED", "PAUSED", "RESUMED", "STOPPED", "STARTED", "PAUSED", "STOPPED"];
        assert_eq!(told, states.map(|s| format!("RECORDING_{s}")));
        let asked = engine.asked();
        let to_all = asked.iter().filter(|what| *what == "send recording").count();
        assert_eq!(to_all, 7, "every change is told to the room: {asked:?}");
    }

    // CALL-6, CALL-7
    async fn a_recording_that_the_engine_refuses_leaves_no_trace(app) {
        let case = Case::open(app).await;
        let engine = Arc::new(Noting::default());
        let deps = with_engine(app, engine.clone());
        let (caller, id) = (caller_of(&case), id_of(&case));
        engine.down.store(true, Ordering::SeqCst);
        let refused = recording::act(&deps, &caller, id, RecordingAction::Start).await;
        assert!(matches!(refused, Err(ConferenceError::EngineUnavailable(_))), "{refused:?}");
        assert_eq!(case.link().await["recording"]["state"], "idle");
        engine.down.store(false, Ordering::SeqCst);
        recording::act(&deps, &caller, id, RecordingAction::Start).await.unwrap();
        engine.down.store(true, Ordering::SeqCst);
        for action in [RecordingAction::Pause, RecordingAction::Stop] {
            assert!(recording::act(&deps, &caller, id, action).await.is_err());
        }
        assert_eq!(case.link().await["recording"]["state"], "recording", "what the engine did not do is not told");
        assert_eq!(case.tracks().await.iter().filter(|t| t.starts_with("RECORDING")).count(), 1);
        // Closing goes on without the engine.
        closing::close(&deps, Scope::All, id, Actor::System).await.unwrap();
        assert_eq!(case.details().await["conference"]["closed"], true);
    }

    // CALL-7
    async fn closing_stops_the_recording_first(app) {
        let case = Case::open(app).await;
        let engine = Arc::new(Noting::default());
        let deps = with_engine(app, engine.clone());
        recording::act(&deps, &caller_of(&case), id_of(&case), RecordingAction::Start).await.unwrap();
        closing::close(&deps, Scope::All, id_of(&case), Actor::System).await.unwrap();
        let tracks = case.tracks().await;
        assert_eq!(tracks[tracks.len() - 2..], ["RECORDING_STOPPED", "CONFERENCE_CLOSED"]);
        let asked: Vec<_> = engine.asked().into_iter().filter(|what| !what.starts_with("send recording")).collect();
        assert_eq!(asked, ["start", "stop", "send closed", "close room"]);
    }

    // CALL-8
    async fn a_recording_that_a_crash_left_is_stopped_at_the_next_start(app) {
        let case = Case::open(app).await;
        let (_, client) = both_inside(&case).await;
        let deps = with_engine(app, Arc::new(Noting::default()));
        recording::act(&deps, &caller_of(&case), id_of(&case), RecordingAction::Start).await.unwrap();
        app.advance(TimeDelta::seconds(20));
        tasks::recover(&deps).await.unwrap();
        let details = case.details().await;
        assert_eq!(details["recording"]["state"], "idle");
        let people = details["participants"].as_array().unwrap().clone();
        assert!(people.len() == 2 && people.iter().all(|p| p["connected"] == false && p["leftAt"].is_string()), "{people:?}");
        assert!(people.iter().any(|p| p["identity"] == json!(client)));
        assert_eq!(details["conference"]["duration"], 20);
        app.advance(TimeDelta::minutes(5));
        assert_eq!(closing::close_idle(&deps).await.unwrap(), 1, "nobody came back");
    }

    // CALL-10
    async fn nothing_to_record_mute_or_remove_without_a_room(app) {
        let case = Case::open(app).await;
        case.post("conference-recording", json!({"action": "start"})).await.problem(409, "RECORDING_STATE");
        case.post("conference-recording", json!({"action": "rewind"})).await.problem(422, "INVALID_FIELDS");
        let mute = json!({"identity": "client:00000000", "trackSid": "TR_x", "muted": true});
        case.post("conference-mute", mute).await.problem(404, "PARTICIPANT_NOT_FOUND");
        case.post("conference-remove", json!({"identity": "client:00000000"})).await.problem(404, "PARTICIPANT_NOT_FOUND");
        assert_eq!(case.tracks().await, ["CONFERENCE_CREATED"]);
    }

    // EVID-10
    async fn observation_states_follow_from_what_the_client_did(app) {
        let open = |fields: Value| async move { Case::open_with(app, fields).await };
        let case = open(json!({"expedientNumber": "A"})).await;
        assert_eq!(case.details().await["conference"]["observation"], "pending");
        assert_eq!(closed_observation(&case).await, "noLink");

        let case = open(json!({"expedientNumber": "B"})).await;
        case.client("track", json!({"type": "LINK_OPENED"})).await.expect(204);
        case.client("legal", case.notice(false).await).await.ok();
        assert_eq!(closed_observation(&case).await, "noLegal");

        let case = open(json!({"expedientNumber": "C"})).await;
        case.client("track", json!({"type": "LINK_OPENED"})).await.expect(204);
        let key = case.accept().await;
        let denied = json!({"type": "PERMISSION_DENIED", "data": {"permission": "camera", "reason": "CAMERA_DENIED"}});
        case.client_with(&key, "track", denied.clone()).await.expect(204);
        assert_eq!(closed_observation(&case).await, "permissions");

        for (expedient, denies, seconds, picture, expected) in [
            ("D", false, 10, false, "unknown"),
            ("E", false, 11, false, "correct"),
            ("F", false, 2, true, "correct"),
            ("G", true, 11, false, "correct"),
        ] {
            let case = open(json!({"expedientNumber": expedient})).await;
            case.client("track", json!({"type": "LINK_OPENED"})).await.expect(204);
            let (key, _) = both_inside(&case).await;
            if denies {
                case.client_with(&key, "track", denied.clone()).await.expect(204);
            }
            if picture {
                case.capture(&key, &json!({"method": "takePhoto"}), &crate::support::png()).await.ok();
            }
            app.advance(TimeDelta::seconds(seconds));
            assert_eq!(closed_observation(&case).await, expected, "{expedient}");
            assert_eq!(case.details().await["conference"]["duration"], seconds);
        }
    }

    // CASE-13
    async fn only_the_time_together_counts_whoever_comes_and_goes(app) {
        let case = Case::open(app).await;
        let (_, client) = both_inside(&case).await;
        let second = format!("user:{}", app.person_in(case.owner.company, Role::Worker).await.id);
        app.advance(TimeDelta::seconds(10));
        case.joins(&second, "PA_second").await;
        case.joins("client:ffffffff", "PA_relative").await;
        app.advance(TimeDelta::seconds(10));
        case.leaves(&case.staff_identity(), "PA_staff").await;
        app.advance(TimeDelta::seconds(10));
        // Without staff for a while: two clients alone do not count.
        case.leaves(&second, "PA_second").await;
        app.advance(TimeDelta::seconds(1000));
        case.joins(&second, "PA_again").await;
        case.leaves(&client, "PA_client").await;
        app.advance(TimeDelta::seconds(7));
        case.leaves("client:ffffffff", "PA_relative").await;
        app.advance(TimeDelta::seconds(500));
        assert_eq!(case.details().await["conference"]["duration"], 37);
        let closed = case.post("conference-close", json!({})).await.ok()["conference"].clone();
        assert_eq!(closed["duration"], 37);
        assert_eq!(closed["sid"], "RM_1");
        assert!(closed["rooms"][0]["endedAt"].is_string(), "{closed}");
    }

    // CALL-2
    async fn repeated_late_and_foreign_events_change_nothing(app) {
        let case = Case::open(app).await;
        let (_, client) = both_inside(&case).await;
        let before = case.tracks().await;
        case.room_starts("RM_1").await;
        case.joins(&client, "PA_client").await;
        case.leaves(&client, "PA_nobody").await;
        for room in ["not an id".to_owned(), app.sources.uuid().to_string()] {
            let event = CallEvent::Joined { room, identity: "x".into(), participant_sid: "PA".into(), name: "x".into() };
            tasks::handle(&app.assistance, event).await;
        }
        assert_eq!(case.tracks().await, before);
        assert_eq!(case.details().await["conference"]["rooms"].as_array().map(Vec::len), Some(1));
        case.leaves(&client, "PA_client").await;
        case.leaves(&client, "PA_client").await;
        let once = case.tracks().await;
        assert_eq!(once.len(), before.len() + 1, "one DISCONNECTED: {once:?}");
        let back = CallEvent::Reconnected { room: case.id.clone(), identity: client.clone() };
        tasks::handle(&app.assistance, back).await;
        assert_eq!(case.tracks().await.last().map(String::as_str), Some("RECONNECTED"));
        case.post("conference-close", json!({})).await.ok();
        let closed = case.tracks().await;
        case.joins(&client, "PA_late").await;
        case.leaves(&case.staff_identity(), "PA_staff").await;
        assert_eq!(case.tracks().await, closed, "a closed conference stays as it is");
    }

    // TURN-6
    async fn the_way_of_a_participant_s_media_is_kept(app) {
        let case = Case::open(app).await;
        both_inside(&case).await;
        for (sid, route) in [("PA_client", Route::Udp), ("PA_client", Route::RelayTls), ("PA_nobody", Route::Tcp)] {
            let event = EngineEvent::RouteChanged { room: case.id.clone(), identity: "x".into(), sid: sid.into(), route };
            media::handle_event(&app.assistance, event).await;
        }
        let id = case.id.parse::<ConferenceId>().expect("an id");
        let stays = atalaya_cases::connections::list_stays(app.db.read(), id).await.expect("the stays");
        let routes: Vec<(&str, Option<&str>)> = stays.iter().map(|s| (s.participant_sid.as_str(), s.route.as_deref())).collect();
        assert!(routes.contains(&("PA_client", Some("relay-tls"))), "{routes:?}");
        assert!(routes.contains(&("PA_staff", None)), "{routes:?}");
    }

    // CASE-10, CASE-14
    async fn a_link_that_nobody_used_lapses_after_a_day(app) {
        let mut unused = Case::open(app).await;
        let begun = Case::open_with(app, json!({"expedientNumber": "EXP-2"})).await;
        let (key, _) = both_inside(&begun).await;
        app.advance(TimeDelta::hours(24) - TimeDelta::milliseconds(1));
        assert_eq!(closing::close_idle(&app.assistance).await.unwrap(), 0);
        app.advance(TimeDelta::milliseconds(1));
        assert_eq!(closing::close_idle(&app.assistance).await.unwrap(), 1, "a call under way goes on");
        assert_eq!(closing::close_idle(&app.assistance).await.unwrap(), 0);
        unused.log_in_again().await;
        let details = unused.details().await;
        let conference = &details["conference"];
        assert_eq!((&conference["closed"], &conference["closedAt"]), (&json!(true), &conference["expiredAt"]));
        assert_eq!((&conference["duration"], &conference["observation"]), (&Value::Null, &json!("noLink")));
        assert_eq!(details["tracks"].as_array().unwrap().last().unwrap()["actor"], "system");
        // Whoever opens it now reads that the link expired, not that a call has ended.
        assert_eq!(unused.link().await["state"], "expired");
        unused.client("track", json!({"type": "LINK_OPENED"})).await.problem(410, "LINK_EXPIRED");
        assert_eq!(begun.link().await["state"], "open");
        begun.client_with(&key, "join", json!({"camera": true, "microphone": true})).await.ok();
    }

    // CASE-14
    async fn a_client_who_comes_back_in_time_keeps_the_conference_open(app) {
        let case = Case::open(app).await;
        let (_, client) = both_inside(&case).await;
        case.leaves(&client, "PA_client").await;
        case.leaves(&case.staff_identity(), "PA_staff").await;
        app.advance(TimeDelta::minutes(4) + TimeDelta::seconds(59));
        case.joins(&client, "PA_back").await;
        app.advance(TimeDelta::minutes(10));
        assert_eq!(closing::close_idle(&app.assistance).await.unwrap(), 0);
        case.leaves(&client, "PA_back").await;
        app.advance(TimeDelta::minutes(5));
        assert_eq!(closing::close_idle(&app.assistance).await.unwrap(), 1);
    }

    // CALL-40
    async fn who_hangs_up_did_not_lose_the_connection(app) {
        let case = Case::open(app).await;
        let (key, client) = both_inside(&case).await;
        let reason = || async {
            let tracks = case.details().await["tracks"].clone();
            let gone = tracks.as_array().unwrap().iter().rfind(|track| track["type"] == "DISCONNECTED").unwrap().clone();
            text(&gone["data"]["reason"])
        };
        case.goes(&client, "PA_client", Gone::Left).await;
        assert_eq!(reason().await, "left");
        let back = || case.client_with(&key, "join", json!({"camera": true, "microphone": true}));
        back().await.ok();
        case.joins(&client, "PA_2").await;
        case.goes(&client, "PA_2", Gone::Lost).await;
        assert_eq!(reason().await, "lost");
        back().await.ok();
        case.joins(&client, "PA_3").await;
        // The page hangs up over HTTP, and only then does the engine remove it.
        case.client_with(&key, "leave", json!({})).await.expect(204);
        case.goes(&client, "PA_3", Gone::Removed).await;
        assert_eq!(reason().await, "left");
    }
}
