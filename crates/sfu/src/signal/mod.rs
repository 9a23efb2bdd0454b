//! LiveKit signalling, version 1: protobuf frames over a websocket, read and written without any I/O.

mod frames;
mod join;
pub(crate) mod messages;

pub(crate) use frames::{decode_request, encode_response};
pub use join::decode_join_request;

/// Largest signalling frame accepted from a client, bytes.
pub const MAX_SIGNAL_FRAME: usize = 256 * 1024;
/// Largest join request after decompression, bytes.
pub const MAX_JOIN_REQUEST: usize = 1024 * 1024;

/// Why a signalling input was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignalError {
    #[error("the join request is missing or cannot be read")]
    JoinRequest,
    #[error("the join request is too large")]
    JoinRequestTooLarge,
    #[error("the signalling frame cannot be read")]
    Frame,
}

impl SignalError {
    /// Stable code, upper case.
    pub fn code(self) -> &'static str {
        match self {
            Self::JoinRequest => "JOIN_REQUEST_INVALID",
            Self::JoinRequestTooLarge => "JOIN_REQUEST_TOO_LARGE",
            Self::Frame => "SIGNAL_FRAME_INVALID",
        }
    }
}
