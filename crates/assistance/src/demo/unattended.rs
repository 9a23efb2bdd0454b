//! The engine as calls of the past see it: their rooms are over and nobody is in them.

use crate::calls::{EngineError, EngineKind, JoinGrant, MediaEngine, Packet};
use async_trait::async_trait;
use atalaya_kernel::{ConferenceId, RecordingId};
use std::sync::Arc;

/// Names and tokens of the real engine; nothing is sent to it. A LiveKit server makes every message to an empty room
/// wait three seconds, which a past of a hundred calls does not bear.
pub(super) struct UnattendedEngine(pub(super) Arc<dyn MediaEngine>);

#[async_trait]
impl MediaEngine for UnattendedEngine {
    fn kind(&self) -> EngineKind {
        self.0.kind()
    }

    fn browser_url(&self) -> Option<String> {
        self.0.browser_url()
    }

    fn mint(&self, grant: &JoinGrant) -> String {
        self.0.mint(grant)
    }

    fn can_record(&self) -> bool {
        self.0.can_record()
    }

    async fn send(&self, _: ConferenceId, _: Packet) -> Result<(), EngineError> {
        Err(EngineError::NotThere)
    }

    async fn mute(&self, _: ConferenceId, _: &str, _: &str, _: bool) -> Result<(), EngineError> {
        Err(EngineError::NotThere)
    }

    async fn remove(&self, _: ConferenceId, _: &str) -> Result<(), EngineError> {
        Err(EngineError::NotThere)
    }

    async fn close_room(&self, _: ConferenceId) -> Result<(), EngineError> {
        Err(EngineError::NotThere)
    }

    async fn start_recording(&self, _: ConferenceId, _: RecordingId) -> Result<Option<String>, EngineError> {
        Err(EngineError::NoRecording)
    }

    async fn pause_recording(&self, _: ConferenceId, _: RecordingId) -> Result<(), EngineError> {
        Err(EngineError::RecordingState)
    }

    async fn resume_recording(&self, _: ConferenceId, _: RecordingId) -> Result<(), EngineError> {
        Err(EngineError::RecordingState)
    }

    async fn stop_recording(&self, _: ConferenceId, _: RecordingId, _: Option<&str>) -> Result<(), EngineError> {
        Err(EngineError::RecordingState)
    }

    async fn healthy(&self) -> Result<(), EngineError> {
        self.0.healthy().await
    }
}
