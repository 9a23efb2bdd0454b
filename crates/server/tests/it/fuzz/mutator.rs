//! Changes good inputs a little, so that they get past a parser's first look. Engines that watch the coverage need a nightly
//! compiler; this needs none, and the same number gives the same inputs.

/// Longest input that is made of shorter ones.
const LONGEST: usize = 256 * 1024;

pub struct Mutator {
    state: u64,
}

impl Mutator {
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(bound.max(1)).expect("a size")).expect("below a size")
    }

    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        let most = (length - start).min(64);
        start..start + self.below(most + 1)
    }

    fn pick<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }

    /// One of the seeds with one to six changes; now and then bytes of chance alone.
    pub fn input(&mut self, seeds: &[&[u8]], words: &[&[u8]]) -> Vec<u8> {
        if self.below(50) == 0 {
            let length = self.below(200);
            return (0..length).map(|_| self.byte()).collect();
        }
        let mut bytes = self.pick(seeds).to_vec();
        for _ in 0..=self.below(6) {
            self.change(&mut bytes, seeds, words);
        }
        bytes.truncate(LONGEST);
        bytes
    }

    fn byte(&mut self) -> u8 {
        self.next().to_le_bytes()[0]
    }

    fn change(&mut self, bytes: &mut Vec<u8>, seeds: &[&[u8]], words: &[&[u8]]) {
        let at = self.below(bytes.len());
        match self.below(9) {
            0 if !bytes.is_empty() => bytes[at] ^= 1 << self.below(8),
            1 if !bytes.is_empty() => bytes[at] = self.byte(),
            2 => bytes.truncate(at),
            3 => drop(bytes.drain(self.range(bytes.len()))),
            4 => {
                let again = bytes[self.range(bytes.len())].to_vec();
                drop(bytes.splice(at..at, again));
            }
            5 if !words.is_empty() => {
                let word = self.pick(words).to_vec();
                drop(bytes.splice(at..at, word));
            }
            // Lengths and counters at their limits.
            6 if bytes.len() >= 4 => {
                let at = at.min(bytes.len() - 4);
                let extreme = [0, 1, 0x7f, 0x80, 0xff, 0xffff, 0x7fff_ffff, 0x8000_0000, u32::MAX][self.below(9)];
                let value = if self.below(2) == 0 { extreme.to_be_bytes() } else { extreme.to_le_bytes() };
                bytes[at..at + 4].copy_from_slice(&value);
            }
            // The beginning of one and the end of another.
            7 => {
                let other = self.pick(seeds);
                bytes.truncate(at);
                bytes.extend_from_slice(&other[self.below(other.len())..]);
            }
            _ => {
                let some: Vec<u8> = (0..self.below(16)).map(|_| self.byte()).collect();
                drop(bytes.splice(at..at, some));
            }
        }
    }
}
