//! The facts about its conference that an incidence collects by itself: tracks, connections, messages, browsers (INCID-9).
//! Collected in the transaction that writes the incidence, erased with the conference.

use crate::Records;
use atalaya_assistance::path_reports::{self, PathEntry};
use atalaya_cases::conferences::service::progress_of;
use atalaya_cases::conferences::view::participants;
use atalaya_cases::conferences::{Conference, ConferenceError};
use atalaya_cases::connections::{self, Stay};
use atalaya_cases::evidence::{self, Track};
use atalaya_checks::browser::browser_and_system;
use atalaya_db::Tx;
use atalaya_identity::devices;
use atalaya_kernel::events::TrackType;
use atalaya_kernel::{ConferenceId, UserId};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use uuid::Uuid;

/// Maximum number of tracks copied, the last ones.
const TRACKS: usize = 300;

/// Everything that was found out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[schema(as = IncidenceDiagnostics)]
pub struct Diagnostics {
    pub made_at: Option<DateTime<Utc>>,
    /// False: the summary that others than administrators see.
    pub full: bool,
    pub conference: Option<ConferenceFacts>,
    /// The client's six steps.
    pub steps: Vec<StepFacts>,
    pub network: Option<NetworkFacts>,
    /// What both pages told about how their media came, and what failed.
    pub connections: Vec<PathEntry>,
    pub client: Option<BrowserFacts>,
    pub adjuster: Option<BrowserFacts>,
    /// Who sent the incidence, and what his page told.
    pub sender: Option<SenderFacts>,
    pub messages: Vec<MessageFacts>,
    pub presence: Vec<PresenceFacts>,
    pub tracks: Vec<TrackFacts>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[schema(as = DiagnosticsConference)]
pub struct ConferenceFacts {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// 1 Autos, 2 Diversos.
    #[serde(rename = "type")]
    pub conference_type: i16,
    pub created_at: DateTime<Utc>,
    pub closed_at: Option<DateTime<Utc>>,
    pub closed: bool,
    /// Seconds together.
    pub duration: Option<i64>,
    pub language: String,
    pub app_type: String,
    /// Observation state of the conference.
    pub observation: String,
    pub pictures: u32,
    pub videos: u32,
    pub documents: u32,
    pub positions: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = DiagnosticsStep)]
pub struct StepFacts {
    /// `sent`, `delivered`, `opened`, `legal`, `permissions`, `connected`.
    pub step: String,
    /// `pending`, `active`, `done`, `failed`, `skipped`.
    pub state: String,
    pub at: Option<DateTime<Utc>>,
    pub reason: Option<String>,
}

/// What the engine told about connections.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[schema(as = DiagnosticsNetwork)]
pub struct NetworkFacts {
    pub rooms: u32,
    pub client: SideFacts,
    pub staff: SideFacts,
    /// The last refusal of the client's browser, or what kept it from connecting.
    pub problem: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[schema(as = DiagnosticsSide)]
pub struct SideFacts {
    pub connections: u32,
    pub disconnections: u32,
    /// Connections lost and taken up again without leaving.
    pub reconnections: u32,
    /// Seconds connected, all stays together.
    pub connected_s: i64,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[schema(as = DiagnosticsBrowser)]
pub struct BrowserFacts {
    pub browser: String,
    pub os: String,
    /// Administrators only.
    pub user_agent: Option<String>,
}

impl BrowserFacts {
    fn of(user_agent: &str) -> Self {
        let (browser, os) = browser_and_system(user_agent);
        Self { browser: browser.into(), os: os.into(), user_agent: Some(user_agent.to_owned()) }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[schema(as = DiagnosticsSender)]
pub struct SenderFacts {
    pub browser: Option<BrowserFacts>,
    /// As the modal told.
    #[schema(value_type = Object)]
    pub told: Map<String, Value>,
    /// As the modal told.
    #[schema(value_type = Object)]
    pub network: Map<String, Value>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[schema(as = DiagnosticsMessage)]
pub struct MessageFacts {
    pub channel: String,
    pub state: String,
    pub error: Option<String>,
    pub created_at: DateTime<Utc>,
    pub sent_at: Option<DateTime<Utc>>,
}

/// One stay in the media room.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[schema(as = DiagnosticsPresence)]
pub struct PresenceFacts {
    /// `staff` or `client`.
    pub kind: String,
    pub joined_at: DateTime<Utc>,
    pub left_at: Option<DateTime<Utc>>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
#[schema(as = DiagnosticsTrack)]
pub struct TrackFacts {
    pub seq: i32,
    #[serde(rename = "type")]
    pub track_type: String,
    /// `staff`, `client` or `system`.
    pub actor: String,
    pub at: DateTime<Utc>,
    /// The permission and the reason of a refusal, if that is what it is about.
    pub detail: Option<String>,
}

impl Diagnostics {
    /// The summary for its author and the principal: what happened, without what devices report about themselves.
    pub fn summary(mut self) -> Self {
        self.full = false;
        for browser in [&mut self.client, &mut self.adjuster].into_iter().flatten() {
            browser.user_agent = None;
        }
        self.sender = None;
        self.messages.clear();
        self.presence.clear();
        self.tracks.clear();
        self
    }
}

/// The sender of an incidence, as the request describes them.
#[derive(Clone, Debug, Default)]
pub struct Sender {
    pub user_agent: Option<String>,
    pub told: Map<String, Value>,
    pub network: Map<String, Value>,
}

impl Sender {
    fn facts(&self) -> SenderFacts {
        let browser = self.user_agent.as_deref().map(BrowserFacts::of);
        SenderFacts { browser, told: self.told.clone(), network: self.network.clone() }
    }
}

/// For an incidence about no conference: only its sender.
pub fn general(sender: &Sender, now: DateTime<Utc>) -> Diagnostics {
    Diagnostics { made_at: Some(now), full: true, sender: Some(sender.facts()), ..Diagnostics::default() }
}

/// The browser of the adjuster's last log-in; the sender's own when the sender is the adjuster.
pub async fn adjuster_of(
    deps: &Records,
    conference: &Conference,
    sender: (UserId, &Sender),
) -> Result<Option<String>, ConferenceError> {
    if conference.user_id == sender.0.0 {
        return Ok(sender.1.user_agent.clone());
    }
    Ok(devices::service::last_user_agent(&deps.identity, UserId(conference.user_id)).await?)
}

/// For an incidence about a conference; `adjuster` from [`adjuster_of`]. Reads inside the transaction that writes it.
pub async fn about(
    deps: &Records,
    tx: &Tx,
    row: &Conference,
    sender: &Sender,
    adjuster: Option<&str>,
) -> Result<Diagnostics, ConferenceError> {
    let (id, now) = (ConferenceId(row.id), deps.sources.now());
    let tracks = evidence::list(&**tx, id).await?;
    let stays = connections::list_stays(&**tx, id).await?;
    let rooms = connections::list_rooms(&**tx, id).await?;
    let messages = deps.outbox.for_conference(&**tx, id).await?;
    let people = participants(&stays);
    let connections = path_reports::list_entries(&**tx, id).await?;
    let progress = progress_of(row, &messages, &people, now);
    let projection = row.projection();
    let side = |kind: &str| {
        let own = |track: &&Track| side_of(&track.actor) == kind;
        let count = |of: TrackType| count(tracks.iter().filter(own).filter(|track| track.track_type == of));
        let span = |stay: &Stay| (stay.left_at.unwrap_or(now) - stay.joined_at).num_seconds();
        SideFacts {
            connections: count(TrackType::Connected),
            disconnections: count(TrackType::Disconnected),
            reconnections: count(TrackType::Reconnected),
            connected_s: stays.iter().filter(|stay| stay.kind.name() == kind).map(span).sum(),
        }
    };
    let agent = tracks.iter().rev().find_map(|track| track.data.get("userAgent").and_then(Value::as_str));
    let live = !row.closed && row.expired_at > now;
    Ok(Diagnostics {
        made_at: Some(now),
        full: true,
        conference: Some(ConferenceFacts {
            id: row.id,
            conference_type: row.conference_type.into(),
            created_at: row.created_at,
            closed_at: row.closed_at,
            closed: row.closed,
            duration: row.duration_s,
            language: row.language.clone(),
            app_type: row.app_type.clone(),
            observation: projection.observation(live, row.duration_s.unwrap_or(0)).to_owned(),
            pictures: projection.pictures,
            videos: projection.videos,
            documents: projection.documents,
            positions: projection.positions,
        }),
        steps: progress
            .steps
            .iter()
            .map(|step| StepFacts { step: word(&step.step), state: word(&step.state), at: step.at, reason: step.reason.clone() })
            .collect(),
        network: Some(NetworkFacts {
            rooms: count(rooms.iter()),
            client: side("client"),
            staff: side("staff"),
            problem: projection.problem.clone(),
        }),
        connections,
        client: agent.map(BrowserFacts::of),
        adjuster: adjuster.map(BrowserFacts::of),
        sender: Some(sender.facts()),
        messages: messages
            .iter()
            .map(|message| MessageFacts {
                channel: message.channel.name().to_owned(),
                state: message.state.name().to_owned(),
                error: message.error.clone(),
                created_at: message.created_at,
                sent_at: message.sent_at,
            })
            .collect(),
        presence: stays
            .iter()
            .map(|stay| PresenceFacts { kind: stay.kind.name().to_owned(), joined_at: stay.joined_at, left_at: stay.left_at })
            .collect(),
        tracks: tracks.iter().skip(tracks.len().saturating_sub(TRACKS)).map(track_facts).collect(),
    })
}

fn count<T>(of: impl Iterator<Item = T>) -> u32 {
    u32::try_from(of.count()).unwrap_or(u32::MAX)
}

/// The wire name of a plain enum's value.
fn word(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(word)) => word,
        _ => String::new(),
    }
}

fn side_of(actor: &str) -> &'static str {
    match actor {
        "client" => "client",
        "system" => "system",
        _ => "staff",
    }
}

fn track_facts(track: &Track) -> TrackFacts {
    let text = |key: &str| track.data.get(key).and_then(Value::as_str);
    let words: Vec<&str> = ["permission", "reason", "browser", "os"].into_iter().filter_map(text).collect();
    TrackFacts {
        seq: track.seq,
        track_type: track.track_type.wire().to_owned(),
        actor: side_of(&track.actor).to_owned(),
        at: track.at,
        detail: (!words.is_empty()).then(|| words.join(" · ")),
    }
}
