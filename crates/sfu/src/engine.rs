//! The engine's handle, which the rest of the program calls.

use crate::config::{EngineConfig, RelayCheck, RelayOffer};
use crate::driver::{CHECK_S, Command, Driver, RelayParts, TurnDoor, bind, check_subject, plan};
use crate::error::EngineError;
use crate::events::EngineEvent;
use crate::gate::{Gate, Seat};
use crate::hub::{Hub, HubConfig};
use crate::recorder::{RecordingSink, WriterThread};
use crate::token::TokenKeys;
use atalaya_kernel::Sources;
use atalaya_turn::Credentials;
use livekit_protocol as proto;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;
use tokio::sync::{mpsc, oneshot};

/// Commands waiting for the engine's thread; callers wait beyond that.
const MAX_COMMANDS: usize = 1_024;
/// Messages of TURN's connections waiting for the engine's thread.
const MAX_STREAM_EVENTS: usize = 1_024;
/// Events waiting for the program; further ones are lost and counted.
const MAX_EVENTS: usize = 4_096;

/// The embedded media engine. Cheap to clone; it stops with [`Engine::shutdown`] or when the last clone is dropped.
#[derive(Clone)]
pub struct Engine {
    pub(crate) commands: mpsc::Sender<Command>,
    pub(crate) keys: TokenKeys,
    pub(crate) sources: Sources,
    pub(crate) gate: Arc<OnceLock<Arc<dyn Gate>>>,
    conns: Arc<AtomicU64>,
    port: u16,
    turn: Option<TurnDoor>,
    offer: Option<RelayOffer>,
}

impl Engine {
    /// Opens the media ports and starts the engine's thread, with the system's clock.
    ///
    /// Errors: `MEDIA_PORT_UNAVAILABLE`, `MEDIA_NO_ADDRESS`.
    pub async fn start(
        config: EngineConfig,
        sink: Arc<dyn RecordingSink>,
    ) -> Result<(Self, mpsc::Receiver<EngineEvent>), EngineError> {
        Self::start_with(config, sink, Sources::system()).await
    }

    /// As [`Engine::start`], with the clock and the randomness given.
    pub async fn start_with(
        config: EngineConfig,
        sink: Arc<dyn RecordingSink>,
        sources: Sources,
    ) -> Result<(Self, mpsc::Receiver<EngineEvent>), EngineError> {
        let ports = bind(&config)?;
        let keys = TokenKeys::new(config.api_key.clone(), config.api_secret.clone());
        let (commands, inbox) = mpsc::channel(MAX_COMMANDS);
        let (events, outbox) = mpsc::channel(MAX_EVENTS);
        let writer = WriterThread::start(sink, events.clone()).map_err(EngineError::Bind)?;
        let cert = str0m::crypto::from_feature_flags()
            .dtls_provider
            .generate_certificate()
            .ok_or_else(|| EngineError::Bind(std::io::Error::other("no DTLS certificate")))?;
        let port = ports.port;
        let udp: Vec<_> = ports.announced_udp();
        let (turn, offer) = plan(&config, &udp, &ports.tcp_addresses, &sources);
        let relay = turn.map(|config| {
            let (streams, inbox) = mpsc::channel(MAX_STREAM_EVENTS);
            RelayParts { config, door: TurnDoor::new(streams), inbox }
        });
        let turn = relay.as_ref().map(|relay| relay.door.clone());
        let hub = Hub::new(
            HubConfig {
                candidates: ports.candidates.clone(),
                keys: keys.clone(),
                relay: offer.clone(),
                empty_room_timeout: config.empty_room_timeout,
                sources: sources.clone(),
                cert,
            },
            Instant::now(),
        );
        let driver = Driver { hub, commands: inbox, events, writer, ports, relay };
        std::thread::Builder::new().name("atalaya-media".into()).spawn(move || driver.run()).map_err(EngineError::Bind)?;
        let (gate, conns) = (Arc::default(), Arc::new(AtomicU64::new(1)));
        let engine = Self { commands, keys, sources, gate, conns, port, turn, offer };
        Ok((engine, outbox))
    }

    /// The media port, UDP (and TCP when it is on).
    pub fn media_port(&self) -> u16 {
        self.port
    }

    /// Where connections that speak TURN are handed over; `None` without a relay of our own.
    pub fn turn_door(&self) -> Option<TurnDoor> {
        self.turn.clone()
    }

    /// The relay for somebody in no call, for a minute (TURN-11).
    pub fn relay_check(&self) -> RelayCheck {
        let Some(offer) = &self.offer else { return RelayCheck::Off };
        if self.turn.is_none() {
            return RelayCheck::Elsewhere;
        }
        if offer.urls.is_empty() {
            return RelayCheck::Off;
        }
        let subject = check_subject(&self.sources);
        let Credentials { username, password } = offer.secret.issue(&subject, self.sources.now().timestamp(), CHECK_S);
        RelayCheck::Try { urls: offer.urls.clone(), username, password, expires_in_s: CHECK_S }
    }

    /// Verifies and mints tokens of this engine.
    pub fn keys(&self) -> &TokenKeys {
        &self.keys
    }

    /// Who is asked besides the token from now on; once.
    pub fn set_gate(&self, gate: Arc<dyn Gate>) {
        let _ = self.gate.set(gate);
    }

    pub(crate) fn next_conn(&self) -> u64 {
        self.conns.fetch_add(1, Ordering::Relaxed)
    }

    /// Runs an operation on the engine's thread.
    async fn call<T: Send + 'static>(
        &self,
        operation: impl FnOnce(&mut Hub, Instant) -> T + Send + 'static,
    ) -> Result<T, EngineError> {
        let (answer, result) = oneshot::channel();
        let run = Command::Run(Box::new(move |hub, now| drop(answer.send(operation(hub, now)))));
        self.commands.send(run).await.map_err(|_| EngineError::Stopped)?;
        result.await.map_err(|_| EngineError::Stopped)
    }

    /// Opens a room (or changes the given settings of an open one).
    pub async fn create_room(&self, request: proto::CreateRoomRequest) -> Result<proto::Room, EngineError> {
        self.call(move |hub, now| hub.create_room(now, &request)).await?
    }

    /// The open rooms; all of them when `names` is empty.
    pub async fn list_rooms(&self, names: Vec<String>) -> Result<Vec<proto::Room>, EngineError> {
        self.call(move |hub, _| hub.list_rooms(&names)).await
    }

    /// Disconnects everybody and closes the room. Errors: `MEDIA_ROOM_NOT_FOUND`.
    pub async fn delete_room(&self, room: &str) -> Result<(), EngineError> {
        let room = room.to_string();
        self.call(move |hub, now| hub.delete_room(now, &room)).await?
    }

    /// Errors: `MEDIA_ROOM_NOT_FOUND`.
    pub async fn list_participants(&self, room: &str) -> Result<Vec<proto::ParticipantInfo>, EngineError> {
        let room = room.to_string();
        self.call(move |hub, _| hub.list_participants(&room)).await?
    }

    /// Errors: `MEDIA_ROOM_NOT_FOUND`, `MEDIA_PARTICIPANT_NOT_FOUND`.
    pub async fn get_participant(&self, room: &str, identity: &str) -> Result<proto::ParticipantInfo, EngineError> {
        let (room, identity) = (room.to_string(), identity.to_string());
        self.call(move |hub, _| hub.get_participant(&room, &identity)).await?
    }

    /// Removes a participant. Errors: `MEDIA_ROOM_NOT_FOUND`, `MEDIA_PARTICIPANT_NOT_FOUND`.
    pub async fn remove_participant(&self, room: &str, identity: &str) -> Result<(), EngineError> {
        let (room, identity) = (room.to_string(), identity.to_string());
        self.call(move |hub, now| hub.remove_participant(now, &room, &identity)).await?
    }

    /// The places that are taken with a log-in.
    pub async fn seats(&self) -> Result<Vec<Seat>, EngineError> {
        self.call(|hub, _| hub.seats()).await
    }

    /// Removes whoever sits there with this log-in. Errors: `MEDIA_ROOM_NOT_FOUND`, `MEDIA_PARTICIPANT_NOT_FOUND`.
    pub async fn remove_seat(&self, seat: Seat) -> Result<(), EngineError> {
        self.call(move |hub, now| hub.remove_seat(now, &seat)).await?
    }

    /// Mutes a track. Errors: not found, and `MEDIA_REMOTE_UNMUTE` for the unmuting of a muted one.
    pub async fn mute_published_track(
        &self,
        room: &str,
        identity: &str,
        track_sid: &str,
        muted: bool,
    ) -> Result<proto::TrackInfo, EngineError> {
        let (room, identity, sid) = (room.to_string(), identity.to_string(), track_sid.to_string());
        self.call(move |hub, now| hub.mute_published_track(now, &room, &identity, &sid, muted)).await?
    }

    /// Sends a data message of the server; empty `destination_identities` = everybody in the room.
    pub async fn send_data(
        &self,
        room: &str,
        bytes: Vec<u8>,
        topic: Option<String>,
        destination_identities: Vec<String>,
        reliable: bool,
    ) -> Result<(), EngineError> {
        let room = room.to_string();
        self.call(move |hub, now| hub.send_data(now, &room, bytes, topic, &destination_identities, reliable)).await?
    }

    /// Records the room. Errors: `MEDIA_ROOM_NOT_FOUND`, `RECORDING_STATE` when a recording runs.
    pub async fn start_recording(&self, room: &str, recording_id: &str) -> Result<(), EngineError> {
        let (room, id) = (room.to_string(), recording_id.to_string());
        self.call(move |hub, now| hub.start_recording(now, &room, &id)).await?
    }

    /// Pauses: after the answer no frame is recorded. Errors: `RECORDING_STATE` when none runs or it is paused.
    pub async fn pause_recording(&self, room: &str) -> Result<(), EngineError> {
        let room = room.to_string();
        self.call(move |hub, now| hub.pause_recording(now, &room)).await?
    }

    /// Resumes; video begins with a keyframe. Errors: `RECORDING_STATE` when it is not paused.
    pub async fn resume_recording(&self, room: &str) -> Result<(), EngineError> {
        let room = room.to_string();
        self.call(move |hub, now| hub.resume_recording(now, &room)).await?
    }

    /// Ends the recording; `RecordingFile` events follow. Errors: `RECORDING_STATE` when none runs.
    pub async fn stop_recording(&self, room: &str) -> Result<(), EngineError> {
        let room = room.to_string();
        self.call(move |hub, now| hub.stop_recording(now, &room)).await?
    }

    /// Notifies every participant that the server stops, finishes the recordings, and returns when all is written.
    pub async fn shutdown(&self) {
        let (done, finished) = oneshot::channel();
        if self.commands.send(Command::ShutDown(done)).await.is_ok() {
            let _ = finished.await;
        }
    }
}
