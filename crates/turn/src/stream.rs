//! TURN on a byte stream (RFC 8656, sections 3.1 and 12.5): messages say their own length, ChannelData is padded.

/// Longest message accepted from a client, bytes.
const MAX_MESSAGE: usize = 2_048;
const STUN_HEADER: usize = 20;
const CHANNEL_HEADER: usize = 4;

/// The stream is invalid; nothing after it can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a stream of TURN messages")]
pub struct FramingError;

/// Cuts a byte stream into messages. Holds at most one message.
#[derive(Debug, Default)]
pub struct Deframer {
    buffer: Vec<u8>,
}

impl Deframer {
    /// Takes bytes and gives every message that is complete, without its padding. After an error the stream is useless.
    pub fn push(&mut self, bytes: &[u8], mut message: impl FnMut(Vec<u8>)) -> Result<(), FramingError> {
        self.buffer.extend_from_slice(bytes);
        let mut at = 0;
        while let Some(length) = length_of(&self.buffer[at..])? {
            let end = at + length.next_multiple_of(4);
            if self.buffer.len() < end {
                break;
            }
            message(self.buffer[at..at + length].to_vec());
            at = end;
        }
        self.buffer.drain(..at);
        Ok(())
    }
}

/// Length of the message that begins here, without padding; `None` while its header is not there.
fn length_of(bytes: &[u8]) -> Result<Option<usize>, FramingError> {
    let [first, _, high, low, ..] = *bytes else {
        return Ok(None);
    };
    let body = usize::from(u16::from_be_bytes([high, low]));
    let length = match first {
        0..4 if body.is_multiple_of(4) => STUN_HEADER + body,
        0x40..0x50 => CHANNEL_HEADER + body,
        _ => return Err(FramingError),
    };
    if length > MAX_MESSAGE { Err(FramingError) } else { Ok(Some(length)) }
}

/// Pads a message for a stream; messages of STUN need none.
pub fn pad(mut message: Vec<u8>) -> Vec<u8> {
    message.resize(message.len().next_multiple_of(4), 0);
    message
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn channel_data(data: &[u8]) -> Vec<u8> {
        let length = u16::try_from(data.len()).expect("short");
        [&[0x40, 0x01][..], &length.to_be_bytes(), data].concat()
    }

    // TURN-8
    #[test]
    fn what_is_no_message_ends_the_stream() {
        for bytes in [&b"GET / HTTP/1.1"[..], &[0, 3, 0, 5], &[0x40, 0, 0xff, 0xff], &[0, 1, 0x7f, 0xfc], &[0x80, 0, 0, 0]] {
            assert_eq!(Deframer::default().push(bytes, |_| ()), Err(FramingError), "{bytes:?}");
        }
    }

    proptest! {
        // TURN-8
        #[test]
        fn messages_survive_any_cutting(
            data in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..1_400), 0..8),
            cut in 1usize..700,
        ) {
            let messages: Vec<Vec<u8>> = data.iter().map(|d| channel_data(d)).collect();
            let stream: Vec<u8> = messages.iter().cloned().flat_map(pad).collect();
            let mut deframer = Deframer::default();
            let mut read = Vec::new();
            for chunk in stream.chunks(cut) {
                deframer.push(chunk, |m| read.push(m)).expect("our own messages");
            }
            prop_assert_eq!(read, messages);
        }

        #[test]
        fn any_bytes_are_cut_or_refused_and_memory_stays_bounded(
            chunks in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..1500), 0..30),
        ) {
            let mut deframer = Deframer::default();
            for chunk in chunks {
                if deframer.push(&chunk, |_| ()).is_err() {
                    return Ok(());
                }
                prop_assert!(deframer.buffer.len() < MAX_MESSAGE + 4);
            }
        }
    }
}
