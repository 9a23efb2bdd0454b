//! A LiveKit server or cluster behind the interface (CALL-1).

use super::embedded::mint;
use super::engine::{CallEvent, EngineError, EngineKind, Gone, JoinGrant, MediaEngine, Packet, TOPIC};
use async_trait::async_trait;
use atalaya_kernel::{ConferenceId, RecordingId};
use atalaya_sfu::TokenKeys;
use livekit_api::access_token::TokenVerifier;
use livekit_api::services::room::{RoomClient, SendDataOptions};
use livekit_api::services::{ServerError, ServiceError};
use livekit_api::webhooks::WebhookReceiver;
use livekit_protocol::DisconnectReason;
use livekit_protocol::data_packet::Kind;
use secrecy::{ExposeSecret, SecretString};
use std::time::Duration;

/// Where the cluster is (`ATALAYA_LIVEKIT_URL`, `_API_KEY`, `_API_SECRET`).
#[derive(Clone)]
pub struct LiveKitConfig {
    /// `ws(s)://` or `http(s)://`; browsers and the room service use the same host.
    pub url: String,
    pub api_key: String,
    pub api_secret: SecretString,
}

/// Drives a LiveKit cluster through its room service.
pub struct LiveKitEngine {
    browser_url: String,
    rooms: RoomClient,
    keys: TokenKeys,
    webhooks: WebhookReceiver,
}

impl LiveKitEngine {
    pub fn new(config: &LiveKitConfig) -> Self {
        let http = config.url.replacen("ws", "http", usize::from(config.url.starts_with("ws")));
        let browser_url = config.url.replacen("http", "ws", usize::from(config.url.starts_with("http")));
        let secret = config.api_secret.expose_secret();
        Self {
            browser_url,
            rooms: RoomClient::with_api_key(&http, &config.api_key, secret)
                .with_failover(false)
                .with_request_timeout(Duration::from_secs(5)),
            keys: TokenKeys::new(config.api_key.clone(), config.api_secret.clone()),
            webhooks: WebhookReceiver::new(TokenVerifier::with_api_key(&config.api_key, secret)),
        }
    }

    /// Checks a webhook's signature and translates it. `Ok(None)`: genuine, but irrelevant here.
    ///
    /// Errors: `()` for a forged or unreadable one.
    #[allow(clippy::result_unit_err)]
    pub fn read_webhook(&self, body: &str, authorization: &str) -> Result<Option<CallEvent>, ()> {
        let event = self.webhooks.receive(body, authorization).map_err(|_| ())?;
        let Some(room) = event.room else { return Ok(None) };
        let (name, sid) = (room.name, room.sid);
        Ok(match (event.event.as_str(), event.participant) {
            ("room_started", _) => Some(CallEvent::RoomStarted { room: name, sid }),
            ("room_finished", _) => Some(CallEvent::RoomFinished { room: name, sid }),
            ("participant_joined", Some(p)) => {
                Some(CallEvent::Joined { room: name, identity: p.identity, participant_sid: p.sid, name: p.name })
            }
            ("participant_left", Some(p)) => {
                let gone = gone_of(p.disconnect_reason());
                Some(CallEvent::Left { room: name, identity: p.identity, participant_sid: p.sid, gone })
            }
            _ => None,
        })
    }
}

fn gone_of(reason: DisconnectReason) -> Gone {
    match reason {
        DisconnectReason::ClientInitiated => Gone::Left,
        DisconnectReason::DuplicateIdentity => Gone::Replaced,
        DisconnectReason::ParticipantRemoved => Gone::Removed,
        DisconnectReason::RoomDeleted | DisconnectReason::RoomClosed => Gone::Closed,
        _ => Gone::Lost,
    }
}

impl From<ServiceError> for EngineError {
    fn from(error: ServiceError) -> Self {
        match &error {
            ServiceError::Twirp(ServerError::Twirp(code)) if code.code == "not_found" => Self::NotThere,
            _ => Self::Unavailable(error.to_string()),
        }
    }
}

#[async_trait]
impl MediaEngine for LiveKitEngine {
    fn kind(&self) -> EngineKind {
        EngineKind::Livekit
    }

    fn browser_url(&self) -> Option<String> {
        Some(self.browser_url.clone())
    }

    fn mint(&self, grant: &JoinGrant) -> String {
        mint(&self.keys, grant)
    }

    /// The cluster's egress service writes to a storage of its own, so that there is no recording (CALL-9).
    fn can_record(&self) -> bool {
        false
    }

    async fn send(&self, conference: ConferenceId, packet: Packet) -> Result<(), EngineError> {
        let options = SendDataOptions {
            kind: Kind::Reliable,
            destination_identities: packet.to,
            topic: Some(TOPIC.into()),
            ..SendDataOptions::default()
        };
        Ok(self.rooms.send_data(&conference.to_string(), packet.payload.to_string().into_bytes(), options).await?)
    }

    async fn mute(&self, conference: ConferenceId, identity: &str, track_sid: &str, muted: bool) -> Result<(), EngineError> {
        self.rooms.mute_published_track(&conference.to_string(), identity, track_sid, muted).await?;
        Ok(())
    }

    async fn remove(&self, conference: ConferenceId, identity: &str) -> Result<(), EngineError> {
        Ok(self.rooms.remove_participant(&conference.to_string(), identity).await?)
    }

    async fn close_room(&self, conference: ConferenceId) -> Result<(), EngineError> {
        Ok(self.rooms.delete_room(&conference.to_string()).await?)
    }

    async fn start_recording(&self, _: ConferenceId, _: RecordingId) -> Result<Option<String>, EngineError> {
        Err(EngineError::NoRecording)
    }

    async fn pause_recording(&self, _: ConferenceId, _: RecordingId) -> Result<(), EngineError> {
        Err(EngineError::NoRecording)
    }

    async fn resume_recording(&self, _: ConferenceId, _: RecordingId) -> Result<(), EngineError> {
        Err(EngineError::NoRecording)
    }

    async fn stop_recording(&self, _: ConferenceId, _: RecordingId, _: Option<&str>) -> Result<(), EngineError> {
        Err(EngineError::NoRecording)
    }

    async fn healthy(&self) -> Result<(), EngineError> {
        self.rooms.list_rooms(vec!["none".into()]).await?;
        Ok(())
    }
}
