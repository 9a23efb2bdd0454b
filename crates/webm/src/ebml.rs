//! The container's grammar: element ids, variable-length sizes, and writers for each kind of value (RFC 8794).

pub(crate) mod id {
    pub const EBML: u32 = 0x1A45_DFA3;
    pub const EBML_VERSION: u32 = 0x4286;
    pub const EBML_READ_VERSION: u32 = 0x42F7;
    pub const EBML_MAX_ID_LENGTH: u32 = 0x42F2;
    pub const EBML_MAX_SIZE_LENGTH: u32 = 0x42F3;
    pub const DOC_TYPE: u32 = 0x4282;
    pub const DOC_TYPE_VERSION: u32 = 0x4287;
    pub const DOC_TYPE_READ_VERSION: u32 = 0x4285;
    pub const SEGMENT: u32 = 0x1853_8067;
    pub const SEEK_HEAD: u32 = 0x114D_9B74;
    pub const SEEK: u32 = 0x4DBB;
    pub const SEEK_ID: u32 = 0x53AB;
    pub const SEEK_POSITION: u32 = 0x53AC;
    pub const INFO: u32 = 0x1549_A966;
    pub const TIMESTAMP_SCALE: u32 = 0x2A_D7B1;
    pub const DURATION: u32 = 0x4489;
    pub const MUXING_APP: u32 = 0x4D80;
    pub const WRITING_APP: u32 = 0x5741;
    pub const TRACKS: u32 = 0x1654_AE6B;
    pub const TRACK_ENTRY: u32 = 0xAE;
    pub const TRACK_NUMBER: u32 = 0xD7;
    pub const TRACK_UID: u32 = 0x73C5;
    pub const TRACK_TYPE: u32 = 0x83;
    pub const FLAG_LACING: u32 = 0x9C;
    pub const LANGUAGE: u32 = 0x22_B59C;
    pub const CODEC_ID: u32 = 0x86;
    pub const CODEC_PRIVATE: u32 = 0x63A2;
    pub const SEEK_PRE_ROLL: u32 = 0x56BB;
    pub const VIDEO: u32 = 0xE0;
    pub const PIXEL_WIDTH: u32 = 0xB0;
    pub const PIXEL_HEIGHT: u32 = 0xBA;
    pub const AUDIO: u32 = 0xE1;
    pub const SAMPLING_FREQUENCY: u32 = 0xB5;
    pub const CHANNELS: u32 = 0x9F;
    pub const CUES: u32 = 0x1C53_BB6B;
    pub const CUE_POINT: u32 = 0xBB;
    pub const CUE_TIME: u32 = 0xB3;
    pub const CUE_TRACK_POSITIONS: u32 = 0xB7;
    pub const CUE_TRACK: u32 = 0xF7;
    pub const CUE_CLUSTER_POSITION: u32 = 0xF1;
    pub const CLUSTER: u32 = 0x1F43_B675;
    pub const TIMESTAMP: u32 = 0xE7;
    pub const SIMPLE_BLOCK: u32 = 0xA3;
    pub const BLOCK_GROUP: u32 = 0xA0;
    pub const BLOCK: u32 = 0xA1;
    pub const REFERENCE_BLOCK: u32 = 0xFB;
    pub const TAGS: u32 = 0x1254_C367;
    pub const CHAPTERS: u32 = 0x1043_A770;
    pub const ATTACHMENTS: u32 = 0x1941_A469;
}

/// Whether an element of this id stands directly under the Segment, and so ends a cluster of unknown size.
pub(crate) fn is_top_level(element: u32) -> bool {
    matches!(element, id::CLUSTER | id::CUES | id::SEEK_HEAD | id::INFO | id::TRACKS | id::TAGS | id::CHAPTERS | id::ATTACHMENTS)
}

/// A size that says "until the parent ends", eight bytes long.
pub(crate) const UNKNOWN_SIZE: [u8; 8] = [0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF];

/// The largest size eight bytes can say.
const MAX_SIZE: u64 = (1 << 56) - 2;

pub(crate) fn put_id(out: &mut Vec<u8>, element: u32) {
    let bytes = element.to_be_bytes();
    let skip = (element.leading_zeros() / 8) as usize;
    out.extend_from_slice(&bytes[skip.min(3)..]);
}

/// Writes a size in the fewest bytes.
pub(crate) fn put_size(out: &mut Vec<u8>, size: u64) {
    let mut length = 1;
    // All ones means "unknown", so the last value of each length is taken by the next one.
    while length < 8 && size >= (1u64 << (7 * length)) - 1 {
        length += 1;
    }
    put_size_of_length(out, size, length);
}

/// Writes a size in exactly eight bytes, so that its place can be counted before it is known.
pub(crate) fn put_long_size(out: &mut Vec<u8>, size: u64) {
    put_size_of_length(out, size, 8);
}

fn put_size_of_length(out: &mut Vec<u8>, size: u64, length: usize) {
    let marked = size.min(MAX_SIZE) | (1u64 << (7 * length));
    out.extend_from_slice(&marked.to_be_bytes()[8 - length..]);
}

pub(crate) fn put_bytes(out: &mut Vec<u8>, element: u32, value: &[u8]) {
    put_id(out, element);
    put_size(out, value.len() as u64);
    out.extend_from_slice(value);
}

pub(crate) fn put_text(out: &mut Vec<u8>, element: u32, value: &str) {
    put_bytes(out, element, value.as_bytes());
}

pub(crate) fn put_uint(out: &mut Vec<u8>, element: u32, value: u64) {
    let bytes = value.to_be_bytes();
    let skip = (value.leading_zeros() / 8) as usize;
    put_bytes(out, element, &bytes[skip.min(7)..]);
}

/// Writes an unsigned value in exactly eight bytes.
pub(crate) fn put_long_uint(out: &mut Vec<u8>, element: u32, value: u64) {
    put_bytes(out, element, &value.to_be_bytes());
}

pub(crate) fn put_float(out: &mut Vec<u8>, element: u32, value: f64) {
    put_bytes(out, element, &value.to_be_bytes());
}

/// Writes an element whose children `fill` writes.
pub(crate) fn put_parent(out: &mut Vec<u8>, element: u32, fill: impl FnOnce(&mut Vec<u8>)) {
    let mut children = Vec::new();
    fill(&mut children);
    put_bytes(out, element, &children);
}

/// The EBML header of every file of ours.
pub(crate) fn put_file_head(out: &mut Vec<u8>) {
    put_parent(out, id::EBML, |head| {
        put_uint(head, id::EBML_VERSION, 1);
        put_uint(head, id::EBML_READ_VERSION, 1);
        put_uint(head, id::EBML_MAX_ID_LENGTH, 4);
        put_uint(head, id::EBML_MAX_SIZE_LENGTH, 8);
        put_text(head, id::DOC_TYPE, "webm");
        put_uint(head, id::DOC_TYPE_VERSION, 4);
        put_uint(head, id::DOC_TYPE_READ_VERSION, 2);
    });
}

/// The Info element: milliseconds as the unit of time, and the duration in them when it is known.
pub(crate) fn put_info(out: &mut Vec<u8>, duration_ms: Option<f64>) {
    put_parent(out, id::INFO, |info| {
        put_uint(info, id::TIMESTAMP_SCALE, 1_000_000);
        put_text(info, id::MUXING_APP, "atalaya-webm");
        put_text(info, id::WRITING_APP, "Atalaya");
        if let Some(duration) = duration_ms {
            put_float(info, id::DURATION, duration);
        }
    });
}

/// The value of a one-to-eight-byte unsigned element; 0 for an empty one, `None` when it is too long.
pub(crate) fn uint(payload: &[u8]) -> Option<u64> {
    (payload.len() <= 8).then(|| payload.iter().fold(0, |value, byte| (value << 8) | u64::from(*byte)))
}

/// The value of a float element (4 or 8 bytes; empty is 0).
pub(crate) fn float(payload: &[u8]) -> Option<f64> {
    match payload.len() {
        0 => Some(0.0),
        4 => payload.try_into().ok().map(|bytes| f64::from(f32::from_be_bytes(bytes))),
        8 => payload.try_into().ok().map(f64::from_be_bytes),
        _ => None,
    }
}

/// Takes one id from the front of `bytes`: the id and its length.
pub(crate) fn take_id(bytes: &[u8]) -> Option<(u32, usize)> {
    let length = bytes.first()?.leading_zeros() as usize + 1;
    if length > 4 || bytes.len() < length {
        return None;
    }
    Some((bytes[..length].iter().fold(0, |value, byte| (value << 8) | u32::from(*byte)), length))
}

/// Takes one size from the front of `bytes`: the size (`None` inside means unknown) and its length.
pub(crate) fn take_size(bytes: &[u8]) -> Option<(Option<u64>, usize)> {
    let first = *bytes.first()?;
    let length = first.leading_zeros() as usize + 1;
    if length > 8 || bytes.len() < length {
        return None;
    }
    let all = bytes[..length].iter().fold(0u64, |value, byte| (value << 8) | u64::from(*byte));
    let mask = (1u64 << (7 * length)) - 1;
    let value = all & mask;
    Some(((value != mask).then_some(value), length))
}

/// The children of an element that is wholly in memory, in order; ends at the first one that does not fit.
pub(crate) fn children(mut payload: &[u8]) -> impl Iterator<Item = (u32, &[u8])> {
    std::iter::from_fn(move || {
        let (element, id_length) = take_id(payload)?;
        let (size, size_length) = take_size(&payload[id_length..])?;
        let start = id_length + size_length;
        let end = start.checked_add(usize::try_from(size?).ok()?)?;
        let value = payload.get(start..end)?;
        payload = &payload[end..];
        Some((element, value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_survive_writing_and_reading() {
        for size in [0, 1, 126, 127, 128, 16_382, 16_383, 2_097_150, 2_097_151, 1 << 35, MAX_SIZE] {
            let mut short = Vec::new();
            put_size(&mut short, size);
            assert_eq!(take_size(&short), Some((Some(size), short.len())), "{size}");
            let mut long = Vec::new();
            put_long_size(&mut long, size);
            assert_eq!(take_size(&long), Some((Some(size), 8)), "{size}");
        }
        assert_eq!(take_size(&UNKNOWN_SIZE), Some((None, 8)));
        assert_eq!(take_size(&[0xFF]), Some((None, 1)));
        assert_eq!(take_size(&[0x00; 9]), None);
    }

    #[test]
    fn ids_keep_their_marker_bits() {
        for element in [id::EBML, id::TIMESTAMP_SCALE, id::DOC_TYPE, id::SIMPLE_BLOCK] {
            let mut out = Vec::new();
            put_id(&mut out, element);
            assert_eq!(take_id(&out), Some((element, out.len())));
        }
    }

    #[test]
    fn a_child_that_does_not_fit_ends_the_walk() {
        let mut payload = Vec::new();
        put_uint(&mut payload, id::TRACK_NUMBER, 1);
        put_bytes(&mut payload, id::CODEC_ID, b"V_VP8");
        payload.truncate(payload.len() - 1);
        assert_eq!(children(&payload).collect::<Vec<_>>(), [(id::TRACK_NUMBER, &[1u8][..])]);
    }
}
