//! One websocket frame = one `SignalRequest` or `SignalResponse`.

use super::{MAX_SIGNAL_FRAME, SignalError};
use livekit_protocol::{SignalRequest, SignalResponse, signal_request, signal_response};
use prost::Message;

/// Reads a frame of the client. `Ok(None)` = a message kind this server does not know, which is ignored.
pub(crate) fn decode_request(bytes: &[u8]) -> Result<Option<signal_request::Message>, SignalError> {
    if bytes.len() > MAX_SIGNAL_FRAME {
        return Err(SignalError::Frame);
    }
    SignalRequest::decode(bytes).map(|r| r.message).map_err(|_| SignalError::Frame)
}

pub(crate) fn encode_response(message: signal_response::Message) -> Vec<u8> {
    SignalResponse { message: Some(message) }.encode_to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_ping_is_read() {
        let bytes = SignalRequest { message: Some(signal_request::Message::Ping(7)) }.encode_to_vec();
        assert_eq!(decode_request(&bytes), Ok(Some(signal_request::Message::Ping(7))));
        assert_eq!(decode_request(&[0xff; 40]), Err(SignalError::Frame));
        assert_eq!(decode_request(&vec![0; MAX_SIGNAL_FRAME + 1]), Err(SignalError::Frame));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
            let _ = decode_request(&bytes);
        }
    }
}
