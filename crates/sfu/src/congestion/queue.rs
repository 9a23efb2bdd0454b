//! The frames that wait in str0m's pacer, which has no way to drop them: their age, and the gate before it.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Older entries are forgotten: their last packet was dropped with a freed section.
const FORGET: Duration = Duration::from_secs(3);
const DISCARD_ABOVE: Duration = Duration::from_millis(120);
const RESTART_BELOW: Duration = Duration::from_millis(150);
const GATE: Duration = Duration::from_millis(400);
const MAX_FRAMES: usize = 512;

/// The gate's verdict about a frame (ENGINE-18).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    Send,
    /// Leave this one out; the next may go.
    Skip,
    /// Leave everything out until a keyframe, and step down.
    Gate,
}

#[derive(Debug, Default)]
pub struct PacerQueue {
    frames: VecDeque<(u32, Instant)>,
}

impl PacerQueue {
    /// A video frame with this wire time was written.
    pub fn wrote(&mut self, time: u32, now: Instant) {
        if self.frames.len() >= MAX_FRAMES {
            self.frames.pop_front();
        }
        self.frames.push_back((time, now));
    }

    /// A datagram leaves: the last packet of a frame (marker bit) ends its wait. The RTP header is clear text.
    pub fn left(&mut self, datagram: &[u8]) {
        let [first, second, _, _, t0, t1, t2, t3, ..] = *datagram else {
            return;
        };
        let is_rtp = (128..192).contains(&first) && !(64..96).contains(&(second & 0x7f));
        if !is_rtp || second & 0x80 == 0 {
            return;
        }
        let time = u32::from_be_bytes([t0, t1, t2, t3]);
        if let Some(at) = self.frames.iter().position(|(t, _)| *t == time) {
            self.frames.remove(at);
        }
    }

    /// Age of the oldest waiting frame.
    pub fn age(&mut self, now: Instant) -> Duration {
        while let Some((_, at)) = self.frames.front()
            && now.saturating_duration_since(*at) > FORGET
        {
            self.frames.pop_front();
        }
        self.frames.front().map_or(Duration::ZERO, |(_, at)| now.saturating_duration_since(*at))
    }

    /// Whether a frame may be written now. `restarts` = a keyframe that begins a layer after a pause.
    pub fn admit(&mut self, keyframe: bool, discardable: bool, restarts: bool, now: Instant) -> Admission {
        let age = self.age(now);
        if restarts && age > RESTART_BELOW {
            Admission::Skip
        } else if !keyframe && age > GATE {
            Admission::Gate
        } else if discardable && !keyframe && age > DISCARD_ABOVE {
            Admission::Skip
        } else {
            Admission::Send
        }
    }
}

#[cfg(test)]
mod queue_tests {
    use super::*;

    fn packet(time: u32, marker: bool) -> Vec<u8> {
        let mut bytes = vec![0x80, 96 | if marker { 0x80 } else { 0 }, 0, 1];
        bytes.extend(time.to_be_bytes());
        bytes.extend([0; 8]);
        bytes
    }

    // ENGINE-18
    #[test]
    fn the_queue_is_measured_and_gated() {
        let start = Instant::now();
        let mut queue = PacerQueue::default();
        queue.wrote(7, start);
        let at = |ms| start + Duration::from_millis(ms);
        queue.left(&packet(7, false));
        assert_eq!(queue.age(at(130)), Duration::from_millis(130), "only its last packet ends the wait");
        assert_eq!(queue.admit(false, true, false, at(130)), Admission::Skip);
        assert_eq!(queue.admit(false, false, false, at(130)), Admission::Send);
        assert_eq!(queue.admit(true, false, true, at(160)), Admission::Skip, "no restart into a full queue");
        assert_eq!(queue.admit(false, false, false, at(401)), Admission::Gate);
        assert_eq!(queue.admit(true, false, false, at(401)), Admission::Send);
        queue.left(&packet(7, true));
        assert_eq!(queue.age(at(500)), Duration::ZERO);
    }

    #[test]
    fn rtcp_and_short_datagrams_are_not_media() {
        let mut queue = PacerQueue::default();
        let now = Instant::now();
        queue.wrote(0, now);
        queue.left(&[0x80, 200, 0, 0, 0, 0, 0, 0]);
        queue.left(&[]);
        queue.left(&[1, 2, 3]);
        assert!(queue.age(now + Duration::from_millis(5)) > Duration::ZERO);
    }
}
