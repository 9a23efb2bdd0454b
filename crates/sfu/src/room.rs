//! A media room: its members and who is speaking.
//!
//! Called by `hub`.

use crate::participant::PeerId;
use crate::recorder::Recording;
use livekit_protocol::Room as RoomInfo;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Loudness (0 … 1) above which somebody speaks.
const SPEAKS: f64 = 0.12;
/// Smallest change of loudness that is reported.
const STEPS: f64 = 8.0;

pub struct Room {
    pub name: String,
    pub sid: String,
    pub created_at_ms: i64,
    pub metadata: String,
    pub max_participants: u32,
    pub empty_timeout: Duration,
    pub empty_since: Option<Instant>,
    pub members: Vec<PeerId>,
    pub recording: Option<Recording>,
    speakers: HashMap<String, u8>,
}

impl Room {
    pub fn new(name: String, sid: String, created_at_ms: i64, empty_timeout: Duration, now: Instant) -> Self {
        Self {
            name,
            sid,
            created_at_ms,
            metadata: String::new(),
            max_participants: 0,
            empty_timeout,
            empty_since: Some(now),
            members: Vec::new(),
            recording: None,
            speakers: HashMap::new(),
        }
    }

    pub fn is_over(&self, now: Instant) -> bool {
        self.empty_since.is_some_and(|at| now.saturating_duration_since(at) >= self.empty_timeout)
    }

    pub fn info(&self, publishers: u32) -> RoomInfo {
        let seconds = u32::try_from(self.empty_timeout.as_secs()).unwrap_or(u32::MAX);
        RoomInfo {
            sid: self.sid.clone(),
            name: self.name.clone(),
            empty_timeout: seconds,
            departure_timeout: seconds,
            max_participants: self.max_participants,
            creation_time: self.created_at_ms / 1_000,
            creation_time_ms: self.created_at_ms,
            metadata: self.metadata.clone(),
            num_participants: u32::try_from(self.members.len()).unwrap_or(u32::MAX),
            num_publishers: publishers,
            active_recording: self.recording.as_ref().is_some_and(|r| !r.is_paused()),
            ..Default::default()
        }
    }

    /// Takes the levels of everybody; returns who changed, with the new level (0 = fell silent).
    pub fn hear(&mut self, levels: &[(String, f64)]) -> Vec<(String, f32)> {
        let mut changed = Vec::new();
        for (sid, level) in levels {
            let step = if *level < SPEAKS { 0 } else { (level * STEPS).ceil() as u8 };
            let before = self.speakers.get(sid).copied().unwrap_or(0);
            if step != before {
                changed.push((sid.clone(), f32::from(step) / STEPS as f32));
                self.speakers.insert(sid.clone(), step);
            }
        }
        let gone: Vec<String> =
            self.speakers.keys().filter(|sid| !levels.iter().any(|(known, _)| known == *sid)).cloned().collect();
        for sid in gone {
            if self.speakers.remove(&sid).is_some_and(|step| step > 0) {
                changed.push((sid, 0.0));
            }
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speakers_are_told_when_they_change() {
        let mut room = Room::new("r".into(), "RM_1".into(), 0, Duration::from_secs(1), Instant::now());
        let say = |level: f64| vec![("PA_1".to_string(), level)];
        assert_eq!(room.hear(&say(0.5)).len(), 1);
        assert!(room.hear(&say(0.5)).is_empty(), "no change, no message");
        assert_eq!(room.hear(&say(0.05)), [("PA_1".to_string(), 0.0)]);
        room.hear(&say(0.9));
        assert_eq!(room.hear(&[]), [("PA_1".to_string(), 0.0)], "left while speaking");
    }
}
