//! The little that must be known of the codecs: a VP8 keyframe's size and an Opus packet's duration.

/// The pixel size that a VP8 keyframe carries; `None` for other frames and for damaged ones (RFC 6386 §9.1).
pub(crate) fn vp8_keyframe_size(frame: &[u8]) -> Option<(u32, u32)> {
    let [tag, _, _, 0x9D, 0x01, 0x2A, w0, w1, h0, h1, ..] = *frame else { return None };
    if tag & 1 != 0 {
        return None;
    }
    // The two upper bits of each value are a scaling hint, not size.
    let width = u32::from(u16::from_le_bytes([w0, w1]) & 0x3FFF);
    let height = u32::from(u16::from_le_bytes([h0, h1]) & 0x3FFF);
    (width > 0 && height > 0).then_some((width, height))
}

/// The duration of an Opus packet in microseconds (RFC 6716 §3.1); 0 for an empty or damaged one.
pub(crate) fn opus_duration_us(packet: &[u8]) -> u64 {
    let Some(&toc) = packet.first() else { return 0 };
    let config = toc >> 3;
    let frame_us = match config {
        0..=11 => [10_000, 20_000, 40_000, 60_000][usize::from(config & 3)],
        12..=15 => [10_000, 20_000][usize::from(config & 1)],
        _ => [2_500, 5_000, 10_000, 20_000][usize::from(config & 3)],
    };
    let frames = match toc & 3 {
        0 => 1,
        1 | 2 => 2,
        _ => packet.get(1).map_or(0, |byte| u64::from(byte & 0x3F)),
    };
    // No packet is longer than 120 ms; more is damage.
    (frame_us * frames).min(120_000)
}

/// The OpusHead that goes into CodecPrivate (RFC 7845 §5.1): channel mapping family 0, nothing to skip, because the
/// encoder's look-ahead happened at the sender and its length is not told on the wire.
pub(crate) fn opus_head(channels: u8, rate: u32) -> [u8; 19] {
    let mut head = *b"OpusHead\x01\0\0\0\0\0\0\0\0\0\0";
    head[9] = channels;
    head[12..16].copy_from_slice(&rate.to_le_bytes());
    head
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keyframe_size_ignores_the_scaling_bits() {
        let frame = [0x10, 0, 0, 0x9D, 0x01, 0x2A, 0x80, 0x42, 0xE0, 0x81, 7];
        assert_eq!(vp8_keyframe_size(&frame), Some((0x280, 0x1E0)));
        assert_eq!(vp8_keyframe_size(&[0x11, 0, 0, 0x9D, 0x01, 0x2A, 0x80, 2, 0xE0, 1]), None, "delta frame");
        assert_eq!(vp8_keyframe_size(&frame[..9]), None, "too short");
    }

    #[test]
    fn opus_lengths() {
        assert_eq!(opus_duration_us(&[0xFC, 0, 0]), 20_000, "CELT full band, 20 ms, one frame");
        assert_eq!(opus_duration_us(&[0x79]), 40_000, "hybrid, 20 ms, two frames");
        assert_eq!(opus_duration_us(&[0x1B, 3]), 120_000, "60 ms times three is capped");
        assert_eq!(opus_duration_us(&[]), 0);
    }
}
