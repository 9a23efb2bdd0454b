//! Numbers of packets on their way to one subscriber: several sources, and packets left out, become one stream.
//!
//! Called by `forward`. Pure.
//! *Invariants:* two packets never get one number; what was left out on purpose leaves no gap; what is missing stays a
//! gap with room for exactly what is missing, so that it can still come.

use std::collections::VecDeque;

/// Stretches remembered for late packets.
const MAX_STRETCHES: usize = 64;

/// Where a packet goes: number, time, picture id (15 bits) and TL0PICIDX of the stream to the subscriber.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    pub seq: u64,
    pub time: u64,
    pub picture: u16,
    pub tl0: u8,
}

/// From packet `from` of the source on, these are added (wrapping).
#[derive(Debug, Clone, Copy)]
struct Stretch {
    from: u64,
    seq: u64,
    time: u64,
    picture: u16,
    tl0: u8,
}

/// Numbers of one packet of the source.
#[derive(Debug, Clone, Copy, Default)]
pub struct Numbers {
    pub seq: u64,
    pub time: u64,
    pub picture: u16,
    pub tl0: u8,
}

#[derive(Debug, Default)]
pub struct Splice {
    stretches: VecDeque<Stretch>,
    highest: u64,
    last: Option<Place>,
}

impl Splice {
    /// The highest number of the source that was placed or left out.
    pub fn highest(&self) -> u64 {
        self.highest
    }

    /// What is added to the source's time now.
    pub fn shift(&self) -> Option<u64> {
        self.stretches.back().map(|s| s.time)
    }

    /// A source begins with this packet, at `time` of the stream; earlier packets of it have no place.
    pub fn begin(&mut self, first: Numbers, time: u64) {
        self.stretches.clear();
        self.highest = first.seq;
        let shift = time.wrapping_sub(first.time);
        let stretch = match self.last {
            None => Stretch { from: first.seq, seq: 1u64.wrapping_sub(first.seq), time: shift, picture: 0, tl0: 0 },
            Some(last) => Stretch {
                from: first.seq,
                seq: last.seq.wrapping_add(1).wrapping_sub(first.seq),
                time: shift,
                picture: last.picture.wrapping_add(1).wrapping_sub(first.picture),
                tl0: last.tl0.wrapping_add(1).wrapping_sub(first.tl0),
            },
        };
        self.stretches.push_back(stretch);
    }

    /// From this packet on, the stream's time is the source's plus `shift`.
    pub fn shift_from(&mut self, seq: u64, shift: u64) {
        self.stretch(seq, seq, |s| s.time = shift);
    }

    /// Leaves out the newest packet; `picture` = the first of its frame.
    pub fn leave_out(&mut self, seq: u64, picture: bool) {
        self.highest = self.highest.max(seq);
        self.stretch(seq.wrapping_add(1), seq, |s| {
            s.seq = s.seq.wrapping_sub(1);
            s.picture = s.picture.wrapping_sub(u16::from(picture));
        });
    }

    /// A new stretch; one in which nothing was placed, because it begins at `unused`, is replaced.
    fn stretch(&mut self, from: u64, unused: u64, change: impl FnOnce(&mut Stretch)) {
        let Some(mut next) = self.stretches.back().copied() else {
            return;
        };
        if next.from == unused {
            self.stretches.pop_back();
        }
        next.from = from;
        change(&mut next);
        self.stretches.push_back(next);
        if self.stretches.len() > MAX_STRETCHES {
            self.stretches.pop_front();
        }
    }

    /// The place of a packet; `None` for one from before the beginning.
    pub fn place(&mut self, numbers: Numbers) -> Option<Place> {
        let stretch = self.stretches.iter().rev().find(|s| s.from <= numbers.seq)?;
        let place = Place {
            seq: numbers.seq.wrapping_add(stretch.seq),
            time: numbers.time.wrapping_add(stretch.time),
            picture: numbers.picture.wrapping_add(stretch.picture) & 0x7fff,
            tl0: numbers.tl0.wrapping_add(stretch.tl0),
        };
        self.highest = self.highest.max(numbers.seq);
        if self.last.is_none_or(|last| place.seq > last.seq) {
            self.last = Some(place);
        }
        Some(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    fn numbers(seq: u64) -> Numbers {
        Numbers { seq, time: seq * 10, picture: seq as u16, tl0: seq as u8 }
    }

    fn seq(splice: &mut Splice, number: u64) -> Option<u64> {
        splice.place(numbers(number)).map(|p| p.seq)
    }

    // ENGINE-34
    #[test]
    fn what_is_left_out_leaves_no_gap_and_what_is_missing_leaves_its_own() {
        let mut s = Splice::default();
        s.begin(numbers(70_000), 500);
        assert_eq!(s.place(numbers(70_000)).map(|p| (p.seq, p.time)), Some((1, 500)));
        s.leave_out(70_001, true);
        s.leave_out(70_002, false);
        let next = s.place(numbers(70_003)).expect("placed");
        assert_eq!((next.seq, next.picture), (2, (70_003u64 as u16 - 1) & 0x7fff));
        assert_eq!(seq(&mut s, 70_006), Some(5), "two are missing");
        assert_eq!((seq(&mut s, 70_005), seq(&mut s, 70_004)), (Some(4), Some(3)), "and come late");
        assert_eq!(seq(&mut s, 69_999), None, "before the beginning");
        s.begin(numbers(3), 900);
        let other = s.place(numbers(3)).expect("placed");
        assert_eq!((other.seq, other.time), (6, 900), "another source goes on");
        assert_eq!(other.picture, (70_006u64 as u16 - 1).wrapping_add(1) & 0x7fff);
    }

    #[test]
    fn a_late_packet_keeps_the_place_it_would_have_had() {
        let mut s = Splice::default();
        s.begin(numbers(1), 0);
        assert_eq!(seq(&mut s, 1), Some(1));
        s.leave_out(3, true);
        assert_eq!((seq(&mut s, 4), seq(&mut s, 2)), (Some(3), Some(2)));
        s.shift_from(5, 77);
        assert_eq!(s.place(numbers(5)).map(|p| (p.seq, p.time)), Some((4, 127)));
        assert_eq!(s.place(numbers(4)).map(|p| p.time), Some(30), "of its own stretch");
    }

    proptest! {
        // ENGINE-34
        #[test]
        fn no_number_is_given_twice_and_order_is_kept(
            steps in proptest::collection::vec((0u8..10, 0u64..6), 1..300)
        ) {
            let mut s = Splice::default();
            let mut given = HashSet::new();
            let (mut next, mut missing): (u64, Vec<u64>) = (65_000, Vec::new());
            s.begin(numbers(next), 1);
            let mut newest = 0;
            for (what, by) in steps {
                match what {
                    0 => { s.leave_out(next, true); next += 1; }
                    1 => { missing.extend(next..next + by); next += by; }
                    2 => if let Some(late) = missing.pop() && let Some(p) = s.place(numbers(late)) {
                        prop_assert!(given.insert(p.seq), "late {late}");
                    },
                    3 if by == 0 => { missing.clear(); next = next.wrapping_mul(31) % 1_000_000; s.begin(numbers(next), next); }
                    _ => {
                        let p = s.place(numbers(next)).expect("newest");
                        prop_assert!(given.insert(p.seq) && p.seq > newest);
                        newest = p.seq;
                        next += 1;
                    }
                }
            }
        }
    }
}
