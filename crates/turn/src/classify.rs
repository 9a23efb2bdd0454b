//! What on a shared port is for the relay (RFC 7983): the engine's own ICE, DTLS and RTP have other first bytes.

/// STUN's fixed bytes 4 to 7 (RFC 8489, section 5).
const MAGIC: [u8; 4] = [0x21, 0x12, 0xa4, 0x42];
/// The methods Allocate, Refresh, Send, Data, CreatePermission and ChannelBind.
const METHODS: [u16; 6] = [0x003, 0x004, 0x006, 0x007, 0x008, 0x009];
const BINDING_REQUEST: u16 = 0x0001;
const USERNAME: [u8; 2] = [0x00, 0x06];

/// Whether a datagram on the media port is for the relay: ChannelData, a method of TURN, or a binding request that names
/// nobody. A binding request with a user name is a check of the engine's ICE.
pub fn is_for_relay(bytes: &[u8]) -> bool {
    let [first, second, ..] = *bytes else {
        return false;
    };
    if (0x40..0x50).contains(&first) {
        return true;
    }
    if first >= 0x40 || bytes.len() < 20 || bytes[4..8] != MAGIC {
        return false;
    }
    let kind = u16::from_be_bytes([first, second]);
    // The method without the two bits of the class.
    let method = (kind & 0x000f) | ((kind & 0x00e0) >> 1) | ((kind & 0x3e00) >> 2);
    METHODS.contains(&method) || (kind == BINDING_REQUEST && !has_user_name(bytes))
}

fn has_user_name(bytes: &[u8]) -> bool {
    let mut rest = &bytes[20..];
    while let [a, b, high, low, ..] = *rest {
        if [a, b] == USERNAME {
            return true;
        }
        let length = usize::from(u16::from_be_bytes([high, low])).next_multiple_of(4);
        rest = rest.get(4 + length..).unwrap_or_default();
    }
    false
}

/// Whether a TCP or TLS connection that begins with these bytes speaks TURN; `None`: more of them are needed.
///
/// HTTP begins with a letter. ICE-TCP (RFC 4571) has two bytes of length first, so the fixed bytes stand elsewhere.
pub fn begins_stream(bytes: &[u8]) -> Option<bool> {
    match bytes {
        [first, ..] if *first > 3 => Some(false),
        [_, _, _, _, fixed @ ..] => {
            let seen = fixed.len().min(4);
            if fixed[..seen] != MAGIC[..seen] {
                return Some(false);
            }
            (seen == 4).then_some(true)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn stun(kind: u16, attributes: &[u8]) -> Vec<u8> {
        let length = u16::try_from(attributes.len()).expect("short");
        [&kind.to_be_bytes()[..], &length.to_be_bytes(), &MAGIC, &[7; 12], attributes].concat()
    }

    // TURN-1
    #[test]
    fn each_protocol_on_the_media_port_goes_its_way() {
        let named = [0x80, 0x22, 0, 1, b'x', 0, 0, 0, 0, 6, 0, 3, b'a', b':', b'b', 0];
        for (bytes, expected, what) in [
            (stun(0x0003, &[]), true, "Allocate"),
            (stun(0x0004, &[]), true, "Refresh"),
            (stun(0x0008, &[]), true, "CreatePermission"),
            (stun(0x0009, &[]), true, "ChannelBind"),
            (stun(0x0016, &[]), true, "a Send indication"),
            (vec![0x40, 0, 0, 1, 9], true, "ChannelData"),
            (vec![0x4f, 0xff, 0, 0], true, "ChannelData of the last channel"),
            (stun(0x0001, &[]), true, "a binding request that names nobody"),
            (stun(0x0001, &named), false, "a check of the engine's ICE"),
            (stun(0x0101, &[]), false, "an answer to the engine's own check"),
            (stun(0x0111, &[]), false, "a refusal of the engine's own check"),
            (vec![22, 0xfe, 0xfd, 0], false, "DTLS"),
            (vec![0x80, 111, 0, 1], false, "RTP"),
            (vec![0x50, 0, 0, 1], false, "a first byte that RFC 8656 reserves"),
            (vec![0, 3, 0, 0, 1, 2, 3, 4], false, "no STUN"),
            (vec![0x40], false, "one byte"),
            (Vec::new(), false, "nothing"),
        ] {
            assert_eq!(is_for_relay(&bytes), expected, "{what}");
        }
    }

    // TURN-1
    #[test]
    fn a_stream_is_known_by_its_first_bytes() {
        let allocate = stun(0x0003, &[]);
        for (bytes, expected) in [
            (&allocate[..], Some(true)),
            (&allocate[..7], None),
            (&allocate[..3], None),
            (&[], None),
            (b"GET / HTTP/1.1\r\n", Some(false)),
            (b"PRI * HTTP/2.0", Some(false)),
            (&[0x16, 3, 1], Some(false)),
            (&[0, 0x5c, 0, 1, 0, 0x48], Some(false)),
        ] {
            assert_eq!(begins_stream(bytes), expected, "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_classified(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let _ = (is_for_relay(&bytes), begins_stream(&bytes));
        }

        #[test]
        fn any_attributes_are_walked(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            let _ = is_for_relay(&stun(BINDING_REQUEST, &bytes));
        }
    }
}
