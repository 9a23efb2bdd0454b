//! Recordings of rooms: started, paused, resumed, stopped.

use super::{Hub, HubOutput};
use crate::error::EngineError;
use crate::participant::PeerId;
use crate::recorder::{RecordOp, Recording};
use crate::sdp::Kind;
use livekit_protocol::RoomUpdate;
use livekit_protocol::signal_response::Message;
use std::time::Instant;

impl Hub {
    /// Records the room from now on. Errors: no such room, or one runs already.
    pub fn start_recording(&mut self, now: Instant, room: &str, recording_id: &str) -> Result<(), EngineError> {
        let first_file = self.next_file;
        let target = self.rooms.get_mut(room).ok_or(EngineError::RoomNotFound)?;
        if target.recording.is_some() {
            return Err(EngineError::RecordingState);
        }
        target.recording = Some(Recording::new(recording_id.to_string(), room.to_string(), first_file, now));
        // Files of this recording get numbers nobody else uses.
        self.next_file += 1 << 20;
        self.tell_recording(room);
        self.ask_layers(now);
        self.beat_recordings(now);
        self.settle(now);
        Ok(())
    }

    /// Nothing is recorded until it is resumed.
    pub fn pause_recording(&mut self, now: Instant, room: &str) -> Result<(), EngineError> {
        let recording = self.recording_of(room)?;
        if recording.is_paused() {
            return Err(EngineError::RecordingState);
        }
        let ops = recording.pause(now);
        self.order(ops);
        self.tell_recording(room);
        Ok(())
    }

    pub fn resume_recording(&mut self, now: Instant, room: &str) -> Result<(), EngineError> {
        let recording = self.recording_of(room)?;
        if !recording.is_paused() {
            return Err(EngineError::RecordingState);
        }
        recording.resume(now);
        self.tell_recording(room);
        self.ask_layers(now);
        self.beat_recordings(now);
        self.settle(now);
        Ok(())
    }

    /// Ends the recording; its files are announced by `RecordingFile` events.
    pub fn stop_recording(&mut self, now: Instant, room: &str) -> Result<(), EngineError> {
        let target = self.rooms.get_mut(room).ok_or(EngineError::RoomNotFound)?;
        let recording = target.recording.take().ok_or(EngineError::RecordingState)?;
        self.close_recording(recording, now);
        self.tell_recording(room);
        Ok(())
    }

    /// Clients show whether the room is being recorded.
    fn tell_recording(&mut self, name: &str) {
        let (Ok(info), Ok(room)) = (self.room_info(name), self.room(name)) else {
            return;
        };
        for id in room.members.clone() {
            self.send(id, Message::RoomUpdate(RoomUpdate { room: Some(info.clone()) }));
        }
    }

    pub(super) fn close_recording(&mut self, recording: Recording, now: Instant) {
        let ops = recording.finish(now);
        self.order(ops);
    }

    /// Opens files that waited long enough, and asks for the keyframes recordings wait for.
    pub(super) fn beat_recordings(&mut self, now: Instant) {
        let mut ops = Vec::new();
        let mut wanted: Vec<(PeerId, String, usize)> = Vec::new();
        for room in self.rooms.values_mut() {
            let Some(recording) = &mut room.recording else {
                continue;
            };
            ops.extend(recording.tick(now));
            for id in &room.members {
                let tracks = self.peers.get(id).map(|p| p.tracks.as_slice()).unwrap_or_default();
                for track in tracks.iter().filter(|t| t.kind == Kind::Video && t.is_published() && !t.muted) {
                    let best = track.best_layer(usize::MAX, now);
                    let layer = recording.awaited_layer(&track.sid, best);
                    wanted.extend(layer.map(|l| (*id, track.sid.clone(), l)));
                }
            }
        }
        self.order(ops);
        for (publisher, sid, layer) in wanted {
            self.request_keyframe(publisher, &sid, layer, now);
        }
    }

    fn recording_of(&mut self, room: &str) -> Result<&mut Recording, EngineError> {
        let room = self.rooms.get_mut(room).ok_or(EngineError::RoomNotFound)?;
        room.recording.as_mut().ok_or(EngineError::RecordingState)
    }

    fn order(&mut self, ops: Vec<RecordOp>) {
        self.out.extend(ops.into_iter().map(HubOutput::Record));
    }
}
