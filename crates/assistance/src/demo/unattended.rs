//! The media engine of past calls: their rooms are over and empty.

use crate::calls::{EngineError, EngineKind, JoinGrant, MediaEngine, Packet};
use async_trait::async_trait;
use atalaya_kernel::{ConferenceId, RecordingId};
use std::sync::Arc;

/// Uses the names and tokens of the real engine, but sends nothing to it: a LiveKit server delays every message to an empty
/// room by three seconds, too long for a hundred past calls.
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
