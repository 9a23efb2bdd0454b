//! One media packet as it arrived, and what its VP8 descriptor says.
//!
//! Called by `link`, which makes them, and by whoever forwards or assembles them. Pure.
//! *Invariant:* nothing here believes a publisher: lengths are checked, and a descriptor that cannot be read is none.

use std::sync::Arc;
use std::time::Instant;
use str0m::rtp::Vp8Descriptor;

/// What a packet carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payload {
    Opus,
    /// Opus with earlier Opus (RFC 2198).
    Red,
    Vp8,
}

/// A packet of a published track. Numbers are those of the publisher, extended past their wraps.
#[derive(Debug, Clone)]
pub struct Packet {
    pub layer: usize,
    /// The publisher's source (SSRC): numbers of different sources have nothing to do with each other.
    pub source: u32,
    pub seq: u64,
    pub time: u64,
    /// Ticks per second of `time`.
    pub clock: u32,
    pub marker: bool,
    pub at: Instant,
    pub payload: Arc<[u8]>,
    /// Of a video packet; `None` = only padding, or not readable.
    pub vp8: Option<Vp8Head>,
    pub audio_level: Option<i8>,
    pub voice: Option<bool>,
}

impl Packet {
    /// Whether a keyframe begins here.
    pub fn is_key_start(&self) -> bool {
        self.vp8.is_some_and(|h| h.keyframe)
    }
}

/// A VP8 payload descriptor (RFC 7741 §4.2).
#[derive(Debug, Clone, Copy)]
pub struct Vp8Head {
    pub descriptor: Vp8Descriptor,
    /// Bytes before the frame's own.
    pub length: usize,
    /// A frame begins here.
    pub first: bool,
    /// A keyframe begins here.
    pub keyframe: bool,
    /// No other frame needs this one.
    pub discardable: bool,
    pub picture: Option<u16>,
    /// Bits of the picture id on the wire.
    pub picture_mask: u16,
    pub tl0: Option<u8>,
}

impl Vp8Head {
    /// `None` = not VP8, or nothing behind the descriptor.
    pub fn parse(payload: &[u8]) -> Option<Self> {
        let descriptor = Vp8Descriptor::parse(payload).ok()?;
        let required = *payload.first()?;
        let (mut length, mut picture_mask) = (1, 0x7f);
        if required & 0x80 != 0 {
            let extension = *payload.get(1)?;
            length = 2;
            if extension & 0x80 != 0 {
                let wide = payload.get(2)? & 0x80 != 0;
                picture_mask = if wide { 0x7fff } else { 0x7f };
                length += if wide { 2 } else { 1 };
            }
            length += usize::from(extension & 0x40 != 0) + usize::from(extension & 0x30 != 0);
        }
        if length >= payload.len() {
            return None;
        }
        let first = required & 0x10 != 0 && required & 0x07 == 0;
        Some(Self {
            descriptor,
            length,
            first,
            keyframe: first && descriptor.starts_keyframe(payload),
            discardable: required & 0x20 != 0,
            picture: descriptor.picture_id(),
            picture_mask,
            tl0: descriptor.tl0_pic_idx(),
        })
    }
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;

    /// A VP8 packet with a 15-bit picture id and a TL0PICIDX.
    pub(crate) fn vp8(seq: u64, time: u64, picture: u16, first: bool, key: bool, marker: bool) -> Packet {
        let id = (picture & 0x7fff | 0x8000).to_be_bytes();
        let head = if key { 0x10 } else { 0x11 };
        let payload = [if first { 0x90 } else { 0x80 }, 0xe0, id[0], id[1], picture as u8, 0x20, head, seq as u8];
        raw(seq, time, &payload, marker)
    }

    pub(crate) fn raw(seq: u64, time: u64, payload: &[u8], marker: bool) -> Packet {
        Packet {
            layer: 0,
            source: 7,
            seq,
            time,
            clock: 90_000,
            marker,
            at: Instant::now(),
            payload: payload.into(),
            vp8: Vp8Head::parse(payload),
            audio_level: None,
            voice: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn descriptors_are_read() {
        // (payload, length of the descriptor, begins a frame, keyframe, discardable, picture, mask, TL0PICIDX)
        type Case<'a> = (&'a [u8], usize, bool, bool, bool, Option<u16>, u16, Option<u8>);
        let cases: [Case; 6] = [
            (&[0x10, 0x10, 0], 1, true, true, false, None, 0x7f, None),
            (&[0x00, 0x10, 0], 1, false, false, false, None, 0x7f, None),
            (&[0x30, 0x11, 0], 1, true, false, true, None, 0x7f, None),
            (&[0x90, 0x80, 0x05, 0x10], 3, true, true, false, Some(5), 0x7f, None),
            (&[0x90, 0x80, 0x81, 0x02, 0x11], 4, true, false, false, Some(258), 0x7fff, None),
            (&[0x90, 0xe0, 0x81, 0x02, 9, 0x40, 0x10], 6, true, true, false, Some(258), 0x7fff, Some(9)),
        ];
        for (payload, length, first, keyframe, discardable, picture, mask, tl0) in cases {
            let head = Vp8Head::parse(payload).expect("readable");
            assert_eq!((head.length, head.first, head.keyframe), (length, first, keyframe), "{payload:?}");
            assert_eq!((head.discardable, head.picture, head.picture_mask, head.tl0), (discardable, picture, mask, tl0));
        }
        for nothing in [&[][..], &[0x90], &[0x90, 0x80], &[0x90, 0x80, 0x81], &[0x90, 0xe0, 0x81, 0x02, 9, 0x40]] {
            assert!(Vp8Head::parse(nothing).is_none(), "{nothing:?}");
        }
    }

    proptest! {
        // ENGINE-5
        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in proptest::collection::vec(any::<u8>(), 0..16)) {
            if let Some(head) = Vp8Head::parse(&bytes) {
                prop_assert!(head.length < bytes.len());
                prop_assert!(head.picture.is_none_or(|p| p <= head.picture_mask));
            }
        }
    }
}
