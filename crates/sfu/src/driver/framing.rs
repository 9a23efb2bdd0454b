//! RFC 4571: each packet on a TCP stream is preceded by its length in two bytes (ENGINE-27).

/// Largest packet accepted from a TCP client; longer ones are no media (str0m stays below 1,500).
pub const MAX_PACKET: usize = 2_048;

/// The stream is invalid: a length of zero or above [`MAX_PACKET`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a framed media stream")]
pub struct FramingError;

/// Cuts a byte stream into packets. Holds at most one packet.
#[derive(Debug, Default)]
pub struct Deframer {
    buffer: Vec<u8>,
}

impl Deframer {
    /// Takes bytes and gives every packet that is complete. After an error the stream is useless.
    pub fn push(&mut self, bytes: &[u8], mut packet: impl FnMut(Vec<u8>)) -> Result<(), FramingError> {
        self.buffer.extend_from_slice(bytes);
        let mut at = 0;
        while let Some(length) = self.length_at(at) {
            if length == 0 || length > MAX_PACKET {
                return Err(FramingError);
            }
            let end = at + 2 + length;
            if self.buffer.len() < end {
                break;
            }
            packet(self.buffer[at + 2..end].to_vec());
            at = end;
        }
        self.buffer.drain(..at);
        Ok(())
    }

    fn length_at(&self, at: usize) -> Option<usize> {
        let bytes = self.buffer.get(at..at + 2)?;
        Some(usize::from(u16::from_be_bytes([bytes[0], bytes[1]])))
    }
}

/// A packet with its length before it; `None` when it does not fit into the two bytes.
pub fn frame(packet: &[u8]) -> Option<Vec<u8>> {
    let length = u16::try_from(packet.len()).ok()?;
    let mut framed = Vec::with_capacity(packet.len() + 2);
    framed.extend_from_slice(&length.to_be_bytes());
    framed.extend_from_slice(packet);
    Some(framed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    // ENGINE-27
    #[test]
    fn a_length_beyond_the_limit_ends_the_stream() {
        assert_eq!(Deframer::default().push(&[0xff, 0xff], |_| ()), Err(FramingError));
        assert_eq!(Deframer::default().push(&[0, 0], |_| ()), Err(FramingError));
        assert_eq!(Deframer::default().push(b"GET / HTTP/1.1\r\n", |_| ()), Err(FramingError));
    }

    proptest! {
        #[test]
        fn packets_survive_any_cutting(
            packets in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 1..MAX_PACKET), 0..8),
            cut in 1usize..700,
        ) {
            let stream: Vec<u8> = packets.iter().flat_map(|p| frame(p).expect("short")).collect();
            let mut deframer = Deframer::default();
            let mut read = Vec::new();
            for chunk in stream.chunks(cut) {
                deframer.push(chunk, |p| read.push(p)).expect("our own frames");
            }
            prop_assert_eq!(read, packets);
        }

        #[test]
        fn any_bytes_are_cut_or_refused_and_memory_stays_bounded(chunks in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..1500), 0..30)) {
            let mut deframer = Deframer::default();
            for chunk in chunks {
                if deframer.push(&chunk, |_| ()).is_err() {
                    return Ok(());
                }
                prop_assert!(deframer.buffer.len() < MAX_PACKET + 2);
            }
        }
    }
}
