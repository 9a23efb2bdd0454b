//! Frames of one published layer out of its packets, for recordings.
//!
//! Called by `track`. Pure: packets in, whole frames out.
//! *Invariant:* frames come out in order, and none whose reference may be missing: after a loss that was not repaired,
//! the next is a keyframe (ENGINE-33). What waits is bounded.

use crate::packet::Packet;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a lost packet is waited for.
const PATIENCE: Duration = Duration::from_millis(500);
/// Packets that wait at most; a keyframe of a screen share has some hundred.
const MAX_WAITING: usize = 1_024;

/// A whole frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    pub time: u64,
    pub keyframe: bool,
    pub at: Instant,
    pub data: Arc<[u8]>,
}

/// What an arrival led to.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Assembled {
    pub frames: Vec<Frame>,
    /// Something is missing for good since this arrival.
    pub lost: bool,
    /// Something is missing for good: only a keyframe helps, and it has not come.
    pub needs_keyframe: bool,
}

#[derive(Debug, Default, Clone)]
pub struct Assembler {
    source: Option<u32>,
    /// The number with which the next frame begins; `None` until a keyframe.
    next: Option<u64>,
    waiting: BTreeMap<u64, Packet>,
    gap_since: Option<Instant>,
    /// Something was lost since the last frame.
    broken: bool,
    /// The last frame's picture id.
    picture: Option<u16>,
}

/// State of the frame at the head.
enum Head {
    /// Its packets end before this number.
    Whole(u64),
    /// Its last packets have not come yet.
    Open,
    /// A packet before others is missing.
    Gap,
    /// It has no beginning, although nothing is missing before it.
    Broken,
}

impl Assembler {
    /// Takes a packet. Frames are built only when `wanted`, else they come out empty.
    pub fn take(&mut self, packet: &Packet, wanted: bool) -> Assembled {
        let mut out = Assembled::default();
        if self.source != Some(packet.source) {
            *self = Self { source: Some(packet.source), ..Self::default() };
        }
        if self.next.is_some_and(|next| packet.seq < next) {
            return out;
        }
        self.waiting.insert(packet.seq, packet.clone());
        while self.waiting.len() > MAX_WAITING {
            self.waiting.pop_first();
            out.lost |= self.next.take().is_some();
        }
        let ends = packet.marker || packet.vp8.is_none() || self.gap_since.is_some() || self.next.is_none();
        while ends && self.advance(packet.at, wanted, &mut out) {}
        self.broken = (self.broken || out.lost) && self.next.is_none();
        out.needs_keyframe = self.broken;
        out
    }

    /// One step; `false` = nothing more can be done now.
    fn advance(&mut self, now: Instant, wanted: bool, out: &mut Assembled) -> bool {
        let Some(next) = self.next else {
            return self.find_keyframe();
        };
        let Some((seq, first)) = self.waiting.first_key_value() else {
            self.gap_since = None;
            return false;
        };
        let seq = *seq;
        if seq == next && first.vp8.is_none() {
            self.waiting.pop_first();
            self.next = Some(next.wrapping_add(1));
            return true;
        }
        if seq != next && self.follows(first) {
            // Only packets that carry nothing are missing.
            self.next = Some(seq);
            return true;
        }
        let head = if seq == next { self.head() } else { Head::Gap };
        match head {
            Head::Whole(end) => {
                self.gap_since = None;
                self.emit(end, wanted, out);
                true
            }
            Head::Open => false,
            Head::Gap if now.saturating_duration_since(*self.gap_since.get_or_insert(now)) < PATIENCE => false,
            Head::Gap | Head::Broken => {
                out.lost = true;
                self.gap_since = None;
                self.next = None;
                // The head cannot begin anything any more.
                self.waiting.pop_first();
                true
            }
        }
    }

    /// Whether a packet begins the frame after the last one, by its picture id.
    fn follows(&self, packet: &Packet) -> bool {
        let head = packet.vp8.filter(|h| h.first);
        let ids = head.and_then(|h| Some((h.picture?, h.picture_mask))).zip(self.picture);
        ids.is_some_and(|((picture, mask), last)| picture == last.wrapping_add(1) & mask)
    }

    fn find_keyframe(&mut self) -> bool {
        let Some(start) = self.waiting.values().find(|p| p.is_key_start()).map(|p| p.seq) else {
            // The first packet of a keyframe may still come after its others.
            while self.waiting.len() > MAX_WAITING / 2 {
                self.waiting.pop_first();
            }
            return false;
        };
        self.waiting = self.waiting.split_off(&start);
        self.next = Some(start);
        true
    }

    fn head(&self) -> Head {
        let Some((_, first)) = self.waiting.first_key_value() else {
            return Head::Open;
        };
        if !first.vp8.is_some_and(|h| h.first) {
            return Head::Broken;
        }
        let mut expected = first.seq;
        for packet in self.waiting.values() {
            if packet.seq != expected {
                return Head::Gap;
            }
            let other = packet.time != first.time || (packet.seq != first.seq && packet.vp8.is_some_and(|h| h.first));
            if other && packet.vp8.is_some() {
                return Head::Whole(packet.seq);
            }
            expected = expected.wrapping_add(1);
            if packet.marker && packet.vp8.is_some() {
                return Head::Whole(expected);
            }
        }
        Head::Open
    }

    fn emit(&mut self, end: u64, wanted: bool, out: &mut Assembled) {
        let rest = self.waiting.split_off(&end);
        let packets = std::mem::replace(&mut self.waiting, rest);
        self.next = Some(end);
        let Some(first) = packets.values().next() else {
            return;
        };
        self.picture = first.vp8.and_then(|h| h.picture);
        let mut data = Vec::new();
        if wanted {
            let parts = packets.values().filter_map(|p| p.payload.get(p.vp8?.length..));
            parts.for_each(|part| data.extend_from_slice(part));
        }
        out.frames.push(Frame { time: first.time, keyframe: first.is_key_start(), at: first.at, data: data.into() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::testing::{raw, vp8};
    use proptest::prelude::*;

    /// Times of the frames that came out, and whether something was lost.
    fn take(a: &mut Assembler, packets: &[Packet]) -> (Vec<u64>, bool) {
        let mut all = Assembled::default();
        for packet in packets {
            let out = a.take(packet, true);
            all.frames.extend(out.frames);
            all.lost |= out.lost;
        }
        (all.frames.iter().map(|f| f.time).collect(), all.lost)
    }

    #[test]
    fn frames_come_out_whole_and_in_order() {
        let mut a = Assembler::default();
        assert_eq!(take(&mut a, &[vp8(1, 0, 1, true, false, true)]), (vec![], false), "not before a keyframe");
        let (one, two) = (vp8(2, 10, 2, true, true, false), vp8(3, 10, 2, false, false, true));
        let (three, four) = (vp8(4, 20, 3, true, false, true), vp8(6, 30, 4, false, false, true));
        assert_eq!(take(&mut a, &[two, three, four.clone(), one]), (vec![10, 20], false));
        assert_eq!(take(&mut a, &[vp8(5, 30, 4, true, false, false)]), (vec![30], false));
        let frame = a.take(&vp8(7, 40, 5, true, false, true), true).frames.remove(0);
        assert_eq!(&frame.data[..], &[0x11, 7], "without descriptors");
        assert_eq!(take(&mut a, &[four]), (vec![], false), "a duplicate");
    }

    // ENGINE-33
    #[test]
    fn after_a_loss_the_next_frame_is_a_keyframe() {
        let mut a = Assembler::default();
        let start = Instant::now();
        let at = |p: Packet, ms| Packet { at: start + Duration::from_millis(ms), ..p };
        assert_eq!(take(&mut a, &[at(vp8(1, 0, 1, true, true, true), 0)]).0, [0]);
        assert_eq!(take(&mut a, &[at(vp8(3, 20, 3, true, false, true), 40)]), (vec![], false), "2 may still come");
        assert_eq!(take(&mut a, &[at(vp8(4, 30, 4, true, false, true), 600)]), (vec![], true));
        assert_eq!(take(&mut a, &[at(vp8(5, 40, 5, true, false, true), 640)]).0, Vec::<u64>::new());
        assert!(a.take(&at(vp8(50, 45, 5, true, false, true), 650), true).needs_keyframe, "still");
        assert_eq!(take(&mut a, &[at(vp8(60, 50, 6, true, true, true), 680)]).0, [50]);
    }

    // ENGINE-33
    #[test]
    fn padding_is_not_a_loss_and_picture_ids_tell_it_from_one() {
        let mut a = Assembler::default();
        assert_eq!(take(&mut a, &[vp8(1, 0, 127, true, true, true), raw(2, 0, &[], false)]).0, [0]);
        assert_eq!(take(&mut a, &[vp8(3, 10, 128, true, false, true)]).0, [10]);
        assert_eq!(take(&mut a, &[vp8(6, 20, 129, true, false, true)]).0, [20], "4 and 5 carried nothing");
        assert_eq!(take(&mut a, &[vp8(8, 30, 131, true, false, true)]).0, Vec::<u64>::new(), "130 is missing");
        assert_eq!(take(&mut a, &[vp8(7, 25, 130, true, false, true)]).0, [25, 30]);
    }

    proptest! {
        // ENGINE-5, ENGINE-33
        #[test]
        fn whatever_comes_memory_is_bounded_and_the_first_frame_is_a_keyframe(
            steps in proptest::collection::vec(
                (0u64..600, 0u64..40, proptest::collection::vec(any::<u8>(), 0..12), any::<bool>(), 0u32..2, 0u64..400), 1..300)
        ) {
            let mut a = Assembler::default();
            let start = Instant::now();
            let (mut whole, mut source_before) = (false, None);
            for (seq, time, payload, marker, source, ms) in steps {
                let packet = Packet { source, at: start + Duration::from_millis(ms), ..raw(seq, time, &payload, marker) };
                let out = a.take(&packet, true);
                if source_before.replace(source) != Some(source) { whole = false; }
                for frame in out.frames {
                    prop_assert!(whole || frame.keyframe || out.lost);
                    whole = true;
                }
                whole &= !out.lost || a.next.is_some();
                prop_assert!(a.waiting.len() <= MAX_WAITING);
            }
        }

        #[test]
        fn any_order_within_the_window_gives_every_frame(order in Just((1u64..40).collect::<Vec<_>>()).prop_shuffle()) {
            let mut a = Assembler::default();
            prop_assert_eq!(take(&mut a, &[vp8(0, 0, 0, true, true, true)]).0, [0]);
            // Three packets a frame.
            let packets: Vec<Packet> = order.iter().map(|n| {
                let (frame, part) = ((n - 1) / 3 + 1, (n - 1) % 3);
                vp8(*n, frame * 10, frame as u16, part == 0, false, part == 2)
            }).collect();
            let (times, lost) = take(&mut a, &packets);
            prop_assert_eq!(times, (1..14).map(|f| f * 10).collect::<Vec<u64>>());
            prop_assert!(!lost);
        }
    }
}
