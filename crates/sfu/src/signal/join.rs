//! The `join_request` query value: base64url of a `WrappedJoinRequest`, usually gzip inside.

use super::{MAX_JOIN_REQUEST, SignalError};
use base64::Engine as _;
use base64::alphabet::URL_SAFE;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use flate2::read::MultiGzDecoder;
use livekit_protocol::{JoinRequest, WrappedJoinRequest, wrapped_join_request::Compression};
use prost::Message;
use std::io::Read;

/// Longest query value that is decoded, bytes.
const MAX_PARAM: usize = 256 * 1024;

const BASE64URL: GeneralPurpose =
    GeneralPurpose::new(&URL_SAFE, GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent));

/// Decodes the query value. Decompression stops at [`MAX_JOIN_REQUEST`], so a gzip bomb costs at most that.
///
/// Errors: `JOIN_REQUEST_INVALID`, `JOIN_REQUEST_TOO_LARGE`.
pub fn decode_join_request(param: &str) -> Result<JoinRequest, SignalError> {
    if param.len() > MAX_PARAM {
        return Err(SignalError::JoinRequestTooLarge);
    }
    let wrapped = BASE64URL.decode(param).map_err(|_| SignalError::JoinRequest)?;
    let wrapped = WrappedJoinRequest::decode(&wrapped[..]).map_err(|_| SignalError::JoinRequest)?;
    let plain = match Compression::try_from(wrapped.compression) {
        Ok(Compression::None) => wrapped.join_request,
        Ok(Compression::Gzip) => gunzip(&wrapped.join_request)?,
        Err(_) => return Err(SignalError::JoinRequest),
    };
    JoinRequest::decode(&plain[..]).map_err(|_| SignalError::JoinRequest)
}

fn gunzip(bytes: &[u8]) -> Result<Vec<u8>, SignalError> {
    let mut plain = Vec::new();
    let mut limited = MultiGzDecoder::new(bytes).take(MAX_JOIN_REQUEST as u64 + 1);
    limited.read_to_end(&mut plain).map_err(|_| SignalError::JoinRequest)?;
    if plain.len() > MAX_JOIN_REQUEST {
        return Err(SignalError::JoinRequestTooLarge);
    }
    Ok(plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression as Level, write::GzEncoder};
    use proptest::prelude::*;
    use std::io::Write;

    fn wrap(bytes: Vec<u8>, compression: Compression) -> String {
        let wrapped = WrappedJoinRequest { compression: compression as i32, join_request: bytes };
        base64::engine::general_purpose::URL_SAFE.encode(wrapped.encode_to_vec())
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut writer = GzEncoder::new(Vec::new(), Level::best());
        writer.write_all(bytes).expect("in memory");
        writer.finish().expect("in memory")
    }

    #[test]
    fn plain_and_compressed_requests_are_read_with_and_without_padding() {
        let request = JoinRequest { participant_sid: "PA_x".into(), reconnect: true, ..Default::default() };
        for param in [wrap(request.encode_to_vec(), Compression::None), wrap(gzip(&request.encode_to_vec()), Compression::Gzip)] {
            assert_eq!(decode_join_request(&param).expect("read").participant_sid, "PA_x");
            assert!(decode_join_request(param.trim_end_matches('=')).is_ok());
        }
    }

    // ENGINE-5
    #[test]
    fn a_gzip_bomb_is_refused_at_the_limit() {
        let bomb = gzip(&vec![0u8; 40 * MAX_JOIN_REQUEST]);
        assert!(bomb.len() < 64 * 1024, "a bomb is small");
        assert_eq!(decode_join_request(&wrap(bomb, Compression::Gzip)), Err(SignalError::JoinRequestTooLarge));
    }

    proptest! {
        #[test]
        fn any_text_is_refused_or_read_without_a_panic(text in ".{0,400}") {
            let _ = decode_join_request(&text);
        }

        #[test]
        fn any_bytes_inside_are_refused_or_read(bytes in proptest::collection::vec(any::<u8>(), 0..300), gz in any::<bool>()) {
            let kind = if gz { Compression::Gzip } else { Compression::None };
            let _ = decode_join_request(&wrap(bytes, kind));
        }
    }
}
