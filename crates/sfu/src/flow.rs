//! One track's packets on their way to one subscriber: which go, and under which numbers.
//!
//! Called by `hub::media`. Pure: packets and time in, places out.
//! *Invariants:* a layer begins with the first packet of a keyframe (ENGINE-19); what was decided about a frame at its
//! first packet holds for all of it (ENGINE-18).

use crate::forward::{Forwarder, Verdict};
use crate::packet::{Packet, Vp8Head};
use crate::splice::{Numbers, Place, Splice};
use std::collections::VecDeque;
use std::time::Instant;

/// A publisher whose numbers jump further has begun anew.
const MAX_JUMP: u64 = 1_000;
/// The same for sound, of which a second may be lost; more was not sent on purpose.
const MAX_SILENCE: u64 = 50;
/// Frames left out that late packets may belong to.
const MAX_LEFT_OUT: usize = 16;

/// What to do with a video packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Drop,
    Go(Place),
    /// It begins a frame, to be written at this time: [`VideoFlow::open`] or [`VideoFlow::leave_out`] it.
    Begins {
        time: u64,
        /// The frame begins a layer.
        started: bool,
    },
}

#[derive(Debug, Default)]
pub struct VideoFlow {
    layers: Forwarder,
    splice: Splice,
    source: Option<u32>,
    /// The newest frame, and whether it goes.
    frame: Option<(u64, bool)>,
    left_out: VecDeque<u64>,
}

impl VideoFlow {
    pub fn set_target(&mut self, target: Option<usize>) {
        self.layers.set_target(target);
    }

    pub fn target(&self) -> Option<usize> {
        self.layers.target()
    }

    pub fn current(&self) -> Option<usize> {
        self.layers.current()
    }

    /// The layer whose keyframe is waited for.
    pub fn awaited(&self) -> Option<usize> {
        self.layers.awaited()
    }

    /// Drops everything until a keyframe.
    pub fn interrupt(&mut self) {
        self.layers.interrupt();
    }

    pub fn judge(&mut self, packet: &Packet, now: Instant) -> Step {
        let ours = self.layers.current() == Some(packet.layer);
        let follows = self.source == Some(packet.source) && packet.seq <= self.splice.highest().saturating_add(MAX_JUMP);
        if ours && !follows {
            // Another source, or a jump: nothing before it is known to fit.
            self.layers.interrupt();
        }
        let flows = ours && follows;
        let Some(head) = packet.vp8 else {
            if flows && packet.seq > self.splice.highest() {
                self.splice.leave_out(packet.seq, false);
            }
            return Step::Drop;
        };
        if flows && packet.seq <= self.splice.highest() {
            return if self.left_out.contains(&packet.time) { Step::Drop } else { self.go(packet, &head) };
        }
        if flows && let Some((_, goes)) = self.frame.filter(|(time, _)| *time == packet.time) {
            if goes {
                return self.go(packet, &head);
            }
            self.splice.leave_out(packet.seq, false);
            return Step::Drop;
        }
        match self.layers.judge(packet.layer, head.keyframe, packet.time, now) {
            Verdict::Drop => Step::Drop,
            Verdict::Write { time, started } => Step::Begins { time, started },
        }
    }

    fn go(&mut self, packet: &Packet, head: &Vp8Head) -> Step {
        self.splice.place(numbers(packet, head)).map_or(Step::Drop, Step::Go)
    }

    /// The frame goes; the place of its first packet.
    pub fn open(&mut self, packet: &Packet, head: &Vp8Head, time: u64, now: Instant) -> Option<Place> {
        let shift = time.wrapping_sub(packet.time);
        if self.layers.current() != Some(packet.layer) {
            self.splice.begin(numbers(packet, head), time);
            self.source = Some(packet.source);
            self.left_out.clear();
        } else if self.splice.shift() != Some(shift) {
            self.splice.shift_from(packet.seq, shift);
        }
        self.layers.written(packet.layer, packet.time, time, now);
        self.frame = Some((packet.time, true));
        self.splice.place(numbers(packet, head))
    }

    /// The frame does not go, the next one may.
    pub fn leave_out(&mut self, packet: &Packet) {
        if self.layers.current() != Some(packet.layer) {
            return;
        }
        self.frame = Some((packet.time, false));
        if self.left_out.len() >= MAX_LEFT_OUT {
            self.left_out.pop_front();
        }
        self.left_out.push_back(packet.time);
        self.splice.leave_out(packet.seq, true);
    }
}

fn numbers(packet: &Packet, head: &Vp8Head) -> Numbers {
    Numbers { seq: packet.seq, time: packet.time, picture: head.picture.unwrap_or(0), tl0: head.tl0.unwrap_or(0) }
}

/// Sound: every packet goes, gaps stay gaps.
#[derive(Debug, Default)]
pub struct AudioFlow {
    splice: Splice,
    source: Option<u32>,
    last: Option<(u64, Instant)>,
}

impl AudioFlow {
    pub fn place(&mut self, packet: &Packet, now: Instant) -> Option<Place> {
        let numbers = Numbers { seq: packet.seq, time: packet.time, ..Numbers::default() };
        let follows = self.source == Some(packet.source) && packet.seq <= self.splice.highest().saturating_add(MAX_SILENCE);
        if !follows {
            let time = self.last.map_or(packet.time, |(last, at)| {
                let gap = now.saturating_duration_since(at).as_micros() * u128::from(packet.clock) / 1_000_000;
                last.wrapping_add(u64::try_from(gap).unwrap_or(0).max(1))
            });
            self.splice.begin(numbers, time);
            self.source = Some(packet.source);
        }
        let newest = packet.seq >= self.splice.highest();
        let place = self.splice.place(numbers)?;
        if newest {
            self.last = Some((place.time, now));
        }
        Some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::testing::{raw, vp8};
    use proptest::prelude::*;
    use std::collections::HashSet;
    use std::time::Duration;

    /// Feeds a packet to a flow whose gate lets `admits` through.
    fn feed(flow: &mut VideoFlow, packet: &Packet, admits: bool, now: Instant) -> Option<Place> {
        match flow.judge(packet, now) {
            Step::Drop => None,
            Step::Go(place) => Some(place),
            Step::Begins { time, .. } if admits => flow.open(packet, &packet.vp8.expect("video"), time, now),
            Step::Begins { .. } => {
                flow.leave_out(packet);
                None
            }
        }
    }

    fn flow() -> VideoFlow {
        let mut flow = VideoFlow::default();
        flow.set_target(Some(0));
        flow
    }

    // ENGINE-18, ENGINE-34
    #[test]
    fn a_frame_goes_or_stays_as_a_whole_and_leaves_no_trace() {
        let (mut f, now) = (flow(), Instant::now());
        assert_eq!(feed(&mut f, &vp8(9, 0, 4, true, false, true), true, now), None, "no keyframe");
        assert_eq!(feed(&mut f, &vp8(10, 3_000, 5, true, true, false), true, now).map(|p| (p.seq, p.picture)), Some((1, 5)));
        assert_eq!(feed(&mut f, &vp8(11, 3_000, 5, false, false, true), true, now).map(|p| p.seq), Some(2));
        assert_eq!(feed(&mut f, &vp8(12, 6_000, 6, true, false, false), false, now), None, "the gate is closed");
        assert_eq!(feed(&mut f, &vp8(14, 6_000, 6, false, false, true), true, now), None, "for all of the frame");
        assert_eq!(feed(&mut f, &vp8(13, 6_000, 6, false, false, false), true, now), None, "late packets too");
        let next = feed(&mut f, &vp8(15, 9_000, 7, true, false, true), true, now).expect("written");
        assert_eq!((next.picture, next.tl0, next.time), (6, 7, 9_000), "the picture ids are without a gap");
    }

    // ENGINE-19
    #[test]
    fn a_switch_waits_for_a_keyframe_s_first_packet_and_goes_on_in_all_numbers() {
        let (mut f, now) = (flow(), Instant::now());
        feed(&mut f, &vp8(10, 3_000, 5, true, true, true), true, now);
        f.set_target(Some(1));
        let upper = |p: Packet| Packet { layer: 1, source: 8, ..p };
        let at = now + Duration::from_millis(100);
        assert_eq!(feed(&mut f, &upper(vp8(900, 70_000, 300, false, false, false)), true, at), None, "not its first");
        assert!(feed(&mut f, &vp8(11, 6_000, 6, true, false, true), true, at).is_some(), "the old layer flows until then");
        let first = feed(&mut f, &upper(vp8(901, 79_000, 301, true, true, false)), true, at + Duration::from_millis(10));
        assert_eq!(first, Some(Place { seq: 3, time: 6_900, picture: 7, tl0: 7 }));
        let second = feed(&mut f, &upper(vp8(902, 79_000, 301, false, false, true)), true, at);
        assert_eq!(second.map(|p| (p.seq, p.time)), Some((4, 6_900)));
        assert_eq!(feed(&mut f, &vp8(12, 9_000, 7, true, true, true), true, at), None, "the old layer has ended");
    }

    // ENGINE-34
    #[test]
    fn lost_packets_come_late_padding_leaves_nothing_and_jumps_wait_for_a_keyframe() {
        let (mut f, now) = (flow(), Instant::now());
        let seq = |f: &mut VideoFlow, p: &Packet| feed(f, p, true, now).map(|p| p.seq);
        assert_eq!(seq(&mut f, &vp8(65_535, 0, 1, true, true, false)), Some(1));
        assert_eq!(seq(&mut f, &vp8(65_537, 0, 1, false, false, true)), Some(3), "over the wrap, one missing");
        assert_eq!(seq(&mut f, &raw(65_538, 0, &[], false)), None, "padding");
        assert_eq!(seq(&mut f, &vp8(65_539, 3_000, 2, true, false, true)), Some(4), "as if it had not been");
        assert_eq!(seq(&mut f, &vp8(65_536, 0, 1, false, false, false)), Some(2), "late");
        assert_eq!(seq(&mut f, &vp8(80_000, 6_000, 3, true, false, true)), None, "a jump");
        assert_eq!(f.awaited(), Some(0));
        assert_eq!(seq(&mut f, &vp8(80_001, 9_000, 4, true, true, true)), Some(5));
    }

    #[test]
    fn sound_keeps_its_gaps_and_another_source_goes_on() {
        let (mut f, now) = (AudioFlow::default(), Instant::now());
        let sound = |source, seq, time| Packet { source, clock: 48_000, ..raw(seq, time, &[0x78], false) };
        assert_eq!(f.place(&sound(1, 50, 960), now).map(|p| (p.seq, p.time)), Some((1, 960)));
        assert_eq!(f.place(&sound(1, 52, 2_880), now).map(|p| (p.seq, p.time)), Some((3, 2_880)));
        assert_eq!(f.place(&sound(1, 51, 1_920), now).map(|p| (p.seq, p.time)), Some((2, 1_920)));
        let later = now + Duration::from_millis(20);
        assert_eq!(f.place(&sound(2, 9_000, 5), later).map(|p| (p.seq, p.time)), Some((4, 2_880 + 960)));
        let much_later = later + Duration::from_secs(60);
        let after = f.place(&sound(2, 12_000, 2_880_005), much_later).map(|p| (p.seq, p.time));
        assert_eq!(after, Some((5, 3_840 + 2_880_000)), "a muted minute is no loss");
    }

    proptest! {
        // ENGINE-19, ENGINE-34
        #[test]
        fn whatever_a_publisher_sends_numbers_are_given_once(
            steps in proptest::collection::vec(
                (0usize..3, 0u64..3_000, 0u64..40, any::<u16>(), any::<(bool, bool, bool, bool)>(), proptest::option::of(0usize..3), 0u64..60),
                1..200,
            )
        ) {
            let mut f = flow();
            let mut now = Instant::now();
            let mut given = HashSet::new();
            let mut seen = HashSet::new();
            for (layer, seq, frame, picture, (first, key, admits, padding), target, wait) in steps {
                now += Duration::from_millis(wait);
                f.set_target(target.or(f.target()));
                let source = layer as u32;
                // As str0m gives them: no number of a source twice.
                if !seen.insert((layer, seq)) {
                    continue;
                }
                let packet = if padding { raw(seq, frame, &[], false) } else { vp8(seq, frame * 3_000, picture, first, key, true) };
                let packet = Packet { layer, source, ..packet };
                let before = f.current();
                if let Some(place) = feed(&mut f, &packet, admits, now) {
                    prop_assert!(before == f.current() || packet.is_key_start());
                    prop_assert!(given.insert(place.seq), "{place:?}");
                }
            }
        }
    }
}
