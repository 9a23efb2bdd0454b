//! Sound of one published microphone: taken out of its redundancy (RFC 2198), repaired by it, and put into it again for
//! those whose numbers differ or who get it from a publisher without.
//!
//! Called by `track` and `hub::media`. Pure.
//! *Invariant:* no number comes out twice: what was repaired is dropped when it comes late.

use crate::packet::{Packet, Payload};
use std::collections::VecDeque;
use std::sync::Arc;
use str0m::rtp::{RedDecoder, RedEncoder, RedundantBlock};

/// Repaired numbers remembered.
const MAX_REPAIRED: usize = 32;

/// One packet of sound; its payload is Opus and nothing else.
#[derive(Debug)]
pub struct Sound {
    pub packet: Packet,
    /// It came after a later one.
    pub late: bool,
    /// Ticks before this one, and the Opus then.
    previous: Option<(u32, Arc<[u8]>)>,
    /// With redundancy, by the payload type of Opus inside.
    red: Vec<(u8, Arc<[u8]>)>,
}

impl Sound {
    /// This and the packet before it, for a receiver whose Opus has this payload type.
    pub fn with_redundancy(&mut self, opus: u8) -> Arc<[u8]> {
        if let Some((_, known)) = self.red.iter().find(|(pt, _)| *pt == opus) {
            return known.clone();
        }
        let block = |(offset, payload): &(u32, Arc<[u8]>)| RedundantBlock {
            pt: opus,
            timestamp_offset: *offset,
            payload: payload.to_vec(),
        };
        let blocks: Vec<RedundantBlock> = self.previous.iter().map(block).collect();
        let made: Arc<[u8]> = RedEncoder::encode(opus, &self.packet.payload, &blocks).into();
        self.red.push((opus, made.clone()));
        made
    }
}

/// What is known of a publisher's sound.
#[derive(Debug, Default, Clone)]
pub struct Microphone {
    source: Option<u32>,
    last: Option<(u64, u64, Arc<[u8]>)>,
    repaired: VecDeque<u64>,
}

impl Microphone {
    /// Takes a packet; gives the one before it, if it was lost and could be repaired, and itself.
    pub fn take(&mut self, packet: Packet, payload: Payload) -> [Option<Sound>; 2] {
        if self.source != Some(packet.source) {
            *self = Self { source: Some(packet.source), ..Self::default() };
        }
        if self.repaired.contains(&packet.seq) {
            return [None, None];
        }
        if payload != Payload::Red {
            return [None, self.sound(packet, Vec::new())];
        }
        let wire = packet.payload.clone();
        let Ok(blocks) = RedDecoder::decode(&wire) else {
            return [None, None];
        };
        let Some((primary, earlier)) = blocks.split_last() else {
            return [None, None];
        };
        let earlier = earlier.iter().rev().find(|b| b.pt == primary.pt && !b.payload.is_empty());
        let repaired = earlier.and_then(|b| self.repair(&packet, b.timestamp_offset, b.payload));
        let packet = Packet { payload: primary.payload.into(), ..packet };
        [repaired, self.sound(packet, vec![(primary.pt, wire.clone())])]
    }

    /// The packet before `after`, when just that one is missing.
    fn repair(&mut self, after: &Packet, offset: u32, payload: &[u8]) -> Option<Sound> {
        let (seq, time, _) = self.last.as_ref()?;
        let at = after.time.checked_sub(offset.into())?;
        if after.seq != seq + 2 || at <= *time {
            return None;
        }
        if self.repaired.len() >= MAX_REPAIRED {
            self.repaired.pop_front();
        }
        self.repaired.push_back(after.seq - 1);
        let packet = Packet {
            seq: after.seq - 1,
            time: at,
            marker: false,
            payload: payload.into(),
            audio_level: None,
            voice: None,
            ..after.clone()
        };
        self.sound(packet, Vec::new())
    }

    fn sound(&mut self, packet: Packet, red: Vec<(u8, Arc<[u8]>)>) -> Option<Sound> {
        if packet.payload.is_empty() {
            return None;
        }
        let late = self.last.as_ref().is_some_and(|(seq, ..)| packet.seq < *seq);
        let before = self.last.as_ref().filter(|(seq, ..)| seq + 1 == packet.seq);
        let previous = before.and_then(|(_, time, payload)| {
            let offset = u32::try_from(packet.time.checked_sub(*time)?).ok()?;
            Some((offset, payload.clone()))
        });
        if !late {
            self.last = Some((packet.seq, packet.time, packet.payload.clone()));
        }
        Some(Sound { packet, late, previous, red })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::testing::raw;
    use proptest::prelude::*;

    fn red(seq: u64, this: &[u8], before: &[u8]) -> Packet {
        let block = RedundantBlock { pt: 111, timestamp_offset: 960, payload: before.to_vec() };
        let payload = RedEncoder::encode(111, this, &[block]);
        Packet { clock: 48_000, ..raw(seq, seq * 960, &payload, false) }
    }

    fn opus(sounds: [Option<Sound>; 2]) -> Vec<(u64, u64, Vec<u8>)> {
        sounds.into_iter().flatten().map(|s| (s.packet.seq, s.packet.time, s.packet.payload.to_vec())).collect()
    }

    // ENGINE-15
    #[test]
    fn a_lost_packet_is_repaired_by_the_next_and_not_given_twice() {
        let mut m = Microphone::default();
        assert_eq!(opus(m.take(red(1, b"a", b"0"), Payload::Red)), [(1, 960, b"a".to_vec())]);
        let both = [(2, 1_920, b"b".to_vec()), (3, 2_880, b"c".to_vec())];
        assert_eq!(opus(m.take(red(3, b"c", b"b"), Payload::Red)), both);
        assert!(opus(m.take(red(2, b"b", b"a"), Payload::Red)).is_empty(), "late, and known");
        assert_eq!(opus(m.take(red(6, b"f", b"e"), Payload::Red)).len(), 1, "two are missing: which is not known");
        let late = m.take(red(5, b"e", b"d"), Payload::Red);
        assert!(late[1].as_ref().is_some_and(|s| s.late));
    }

    // ENGINE-15
    #[test]
    fn redundancy_is_shared_where_numbers_agree_and_made_where_they_do_not() {
        let mut m = Microphone::default();
        let first = red(1, b"a", b"0");
        let wire = first.payload.clone();
        let [_, Some(mut sound)] = m.take(first, Payload::Red) else { panic!("a sound") };
        assert!(Arc::ptr_eq(&sound.with_redundancy(111), &wire), "shared");
        let plain = Packet { clock: 48_000, ..raw(2, 1_920, b"b", false) };
        let [_, Some(mut sound)] = m.take(plain, Payload::Opus) else { panic!("a sound") };
        let made = sound.with_redundancy(109);
        let blocks = RedDecoder::decode(&made).expect("readable");
        let read: Vec<(u8, u32, &[u8])> = blocks.iter().map(|b| (b.pt, b.timestamp_offset, b.payload)).collect();
        assert_eq!(read, [(109, 960, &b"a"[..]), (109, 0, &b"b"[..])]);
        assert!(Arc::ptr_eq(&sound.with_redundancy(109), &made), "made once");
    }

    proptest! {
        // ENGINE-5
        #[test]
        fn whatever_comes_no_number_comes_out_twice(
            steps in proptest::collection::vec((0u64..60, proptest::collection::vec(any::<u8>(), 0..20), any::<bool>()), 1..100)
        ) {
            let mut m = Microphone::default();
            let (mut arrived, mut given) = (std::collections::HashSet::new(), std::collections::HashSet::new());
            for (seq, payload, plain) in steps {
                if !arrived.insert(seq) {
                    continue;
                }
                let kind = if plain { Payload::Opus } else { Payload::Red };
                for mut sound in m.take(raw(seq, seq * 960, &payload, false), kind).into_iter().flatten() {
                    prop_assert!(given.insert(sound.packet.seq));
                    let _ = sound.with_redundancy(111);
                }
            }
        }
    }
}
