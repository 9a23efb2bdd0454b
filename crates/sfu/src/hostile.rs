//! What a stranger's bytes reach first in this crate, for tests that throw them at it. Nothing else calls this.

use crate::packet::Vp8Head;
use crate::sdp::{SectionUse, offered_sections, patch_answer};

/// The head of an RTP payload: whether it is VP8's.
#[must_use]
pub fn payload(bytes: &[u8]) -> bool {
    Vp8Head::parse(bytes).is_some()
}

/// A frame of the signalling socket: whether it was understood.
#[must_use]
pub fn frame(bytes: &[u8]) -> bool {
    crate::signal::decode_request(bytes).is_ok()
}

/// An offer: how many sections were found. Its answer is patched as well.
#[must_use]
pub fn offer(sdp: &str) -> usize {
    let answer = patch_answer(sdp, |_| SectionUse::Unused);
    offered_sections(sdp).len().max(offered_sections(&answer).len())
}
