//! The embedded engine behind the interface, and the sink that keeps its recordings sealed on disk.

use super::engine::{
    CallEvent, CheckRelay, EngineError, EngineKind, Gone, JoinGrant, MediaEngine, Packet, RelayToTry, Seat, Side, TOPIC,
};
use super::recording::KeyRing;
use super::spool::SpoolFile;
use async_trait::async_trait;
use atalaya_blobs::{BlobName, LiveWriter, Spool as SpoolFolder};
use atalaya_kernel::{ConferenceId, RecordingId};
use atalaya_sfu::{
    Claims, Engine, EngineEvent, LeaveReason, RecordingFile, RecordingSink, RecordingSource, RecordingWriter, RelayCheck,
    TokenKeys, VideoGrants,
};
use std::io;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Drives the engine of this process.
pub struct EmbeddedEngine {
    engine: Engine,
}

impl EmbeddedEngine {
    pub fn new(engine: Engine) -> Self {
        Self { engine }
    }
}

/// The claims of a media token; the same for both engines.
pub(super) fn mint(keys: &TokenKeys, grant: &JoinGrant) -> String {
    let sources = match grant.side {
        Side::Staff => Vec::new(),
        Side::Client => ["camera", "microphone", "screen_share"].map(String::from).to_vec(),
    };
    let claims = Claims {
        sub: grant.identity.clone(),
        name: grant.name.clone(),
        metadata: serde_json::json!({"kind": grant.side, "name": grant.name, "device": grant.device}).to_string(),
        video: VideoGrants {
            room: grant.conference.to_string(),
            room_join: true,
            can_publish: Some(true),
            can_subscribe: Some(true),
            can_publish_data: Some(true),
            can_publish_sources: sources,
            ..VideoGrants::default()
        },
        session: grant.session.map(|session| session.to_string()).unwrap_or_default(),
        ..Claims::default()
    };
    let (now, until) = (grant.now.timestamp(), grant.expires_at.timestamp());
    keys.mint(claims, now, until - now).expect("claims of plain text can be signed")
}

impl From<atalaya_sfu::EngineError> for EngineError {
    fn from(error: atalaya_sfu::EngineError) -> Self {
        use atalaya_sfu::EngineError as Sfu;
        match error {
            Sfu::RoomNotFound | Sfu::ParticipantNotFound | Sfu::TrackNotFound => Self::NotThere,
            Sfu::RecordingState => Self::RecordingState,
            other => Self::Unavailable(other.to_string()),
        }
    }
}

#[async_trait]
impl MediaEngine for EmbeddedEngine {
    fn kind(&self) -> EngineKind {
        EngineKind::Embedded
    }

    fn browser_url(&self) -> Option<String> {
        None
    }

    fn mint(&self, grant: &JoinGrant) -> String {
        mint(self.engine.keys(), grant)
    }

    fn can_record(&self) -> bool {
        true
    }

    fn relay_to_try(&self) -> CheckRelay {
        match self.engine.relay_check() {
            RelayCheck::Off => CheckRelay::Off,
            RelayCheck::Elsewhere => CheckRelay::Elsewhere,
            RelayCheck::Try { urls, username, password, expires_in_s } => {
                CheckRelay::Try(RelayToTry { urls, username, credential: password, expires_in_s })
            }
        }
    }

    async fn send(&self, conference: ConferenceId, packet: Packet) -> Result<(), EngineError> {
        let bytes = packet.payload.to_string().into_bytes();
        Ok(self.engine.send_data(&conference.to_string(), bytes, Some(TOPIC.into()), packet.to, true).await?)
    }

    async fn mute(&self, conference: ConferenceId, identity: &str, track_sid: &str, muted: bool) -> Result<(), EngineError> {
        self.engine.mute_published_track(&conference.to_string(), identity, track_sid, muted).await?;
        Ok(())
    }

    async fn remove(&self, conference: ConferenceId, identity: &str) -> Result<(), EngineError> {
        Ok(self.engine.remove_participant(&conference.to_string(), identity).await?)
    }

    async fn seats(&self) -> Result<Option<Vec<Seat>>, EngineError> {
        let seat = |seat: atalaya_sfu::Seat| {
            let (conference, session) = (seat.room.parse().ok()?, seat.session.parse().ok());
            Some(Seat { conference, identity: seat.identity, session })
        };
        Ok(Some(self.engine.seats().await?.into_iter().filter_map(seat).collect()))
    }

    async fn remove_seat(&self, seat: &Seat) -> Result<(), EngineError> {
        let session = seat.session.map(|session| session.to_string()).unwrap_or_default();
        let seat = atalaya_sfu::Seat { room: seat.conference.to_string(), identity: seat.identity.clone(), session };
        Ok(self.engine.remove_seat(seat).await?)
    }

    async fn close_room(&self, conference: ConferenceId) -> Result<(), EngineError> {
        Ok(self.engine.delete_room(&conference.to_string()).await?)
    }

    async fn start_recording(&self, conference: ConferenceId, id: RecordingId) -> Result<Option<String>, EngineError> {
        self.engine.start_recording(&conference.to_string(), &id.to_string()).await?;
        Ok(None)
    }

    async fn pause_recording(&self, conference: ConferenceId, _: RecordingId) -> Result<(), EngineError> {
        Ok(self.engine.pause_recording(&conference.to_string()).await?)
    }

    async fn resume_recording(&self, conference: ConferenceId, _: RecordingId) -> Result<(), EngineError> {
        Ok(self.engine.resume_recording(&conference.to_string()).await?)
    }

    async fn stop_recording(&self, conference: ConferenceId, _: RecordingId, _: Option<&str>) -> Result<(), EngineError> {
        Ok(self.engine.stop_recording(&conference.to_string()).await?)
    }

    async fn healthy(&self) -> Result<(), EngineError> {
        self.engine.list_rooms(vec![String::new()]).await?;
        Ok(())
    }
}

impl From<LeaveReason> for Gone {
    fn from(reason: LeaveReason) -> Self {
        match reason {
            LeaveReason::Client => Self::Left,
            LeaveReason::DuplicateIdentity => Self::Replaced,
            LeaveReason::Removed => Self::Removed,
            LeaveReason::RoomDeleted => Self::Closed,
            LeaveReason::ServerShutdown | LeaveReason::ConnectionLost | LeaveReason::Protocol => Self::Lost,
        }
    }
}

/// What calls need of an event; recordings, quality and routes are reported in other ways.
pub fn call_event(event: EngineEvent) -> Option<CallEvent> {
    Some(match event {
        EngineEvent::RoomStarted { room, sid } => CallEvent::RoomStarted { room, sid },
        EngineEvent::RoomFinished { room, sid } => CallEvent::RoomFinished { room, sid },
        EngineEvent::ParticipantJoined { room, identity, sid, name, .. } => {
            CallEvent::Joined { room, identity, participant_sid: sid, name }
        }
        EngineEvent::ParticipantReconnected { room, identity, .. } => CallEvent::Reconnected { room, identity },
        EngineEvent::ParticipantLeft { room, identity, sid, reason } => {
            CallEvent::Left { room, identity, participant_sid: sid, gone: reason.into() }
        }
        _ => return None,
    })
}

/// Keeps the engine's recordings in the spool, sealed with their conference's key.
pub struct Spool {
    folder: SpoolFolder,
    keys: KeyRing,
    finished: UnboundedSender<BlobName>,
}

impl Spool {
    /// The sink, and the names of finished files as they come.
    pub fn new(folder: SpoolFolder, keys: KeyRing) -> (Self, UnboundedReceiver<BlobName>) {
        let (finished, names) = unbounded_channel();
        (Self { folder, keys, finished }, names)
    }
}

impl RecordingSink for Spool {
    fn open(&self, file: RecordingFile) -> io::Result<Box<dyn RecordingWriter>> {
        let key = self.keys.get(&file.recording_id).ok_or_else(|| io::Error::other("no key for this recording"))?;
        let name = SpoolFile {
            recording: file.recording_id.parse().map_err(io::Error::other)?,
            identity: file.identity,
            screen: file.source == RecordingSource::ScreenShare,
            started_at: file.started_at,
        }
        .name()
        .map_err(io::Error::other)?;
        let writer = self.folder.create(&name, &key).map_err(io::Error::other)?;
        Ok(Box::new(SpoolWriter { writer, name, finished: self.finished.clone() }))
    }
}

struct SpoolWriter {
    writer: LiveWriter,
    name: BlobName,
    finished: UnboundedSender<BlobName>,
}

impl RecordingWriter for SpoolWriter {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.writer.append(bytes).map_err(io::Error::other)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush().map_err(io::Error::other)
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        let finished = self.writer.finish().map_err(io::Error::other);
        // A file that could not be finished is like a torn one: its intact part becomes the video.
        let _ = self.finished.send(self.name);
        finished
    }
}
