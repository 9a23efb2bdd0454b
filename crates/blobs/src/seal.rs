//! The sealed format of a finished file, and the arithmetic of its places.
//!
//! ```text
//! head    magic 8 ‖ prefix 16                        the prefix is random for each writing
//! chunks  65536 bytes (the last one 0 to 65536) + tag 16, at least one
//! foot    size 8 ‖ SHA-256 32 ‖ CRC-32 4 + tag 16
//! ```
//!
//! Each chunk is sealed by XChaCha20-Poly1305 with the nonce `prefix ‖ index` and, as associated data, the file's
//! name, the index and whether it is the last one. A chunk that was altered, moved, taken from another file, or
//! became the last one by truncation, therefore does not open; the foot binds all chunks to one length.

use crate::{BlobError, BlobName, DataKey, Digest};
use chacha20poly1305::aead::{AeadInOut, KeyInit};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};

pub(crate) const MAGIC: [u8; 8] = *b"ATALAYB1";
pub(crate) const PREFIX_BYTES: usize = 16;
pub(crate) const HEAD_BYTES: u64 = (MAGIC.len() + PREFIX_BYTES) as u64;
pub(crate) const TAG_BYTES: usize = 16;
pub(crate) const CHUNK_BYTES: usize = 64 << 10;
pub(crate) const SEALED_CHUNK_BYTES: usize = CHUNK_BYTES + TAG_BYTES;
pub(crate) const FOOT_BYTES: u64 = (Digest::BYTES + TAG_BYTES) as u64;

/// The index under which the foot is sealed; no file has so many chunks.
pub(crate) const FOOT_INDEX: u64 = u64::MAX;

/// What a sealed piece is, as part of what its seal covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Part {
    Chunk = 0,
    LastChunk = 1,
    Foot = 2,
    /// The rest are of the spool's growing files.
    SpoolHead = 3,
    SpoolRecord = 4,
    SpoolEnd = 5,
}

/// Seals and opens the pieces of one file.
#[derive(Clone)]
pub(crate) struct Sealer {
    cipher: XChaCha20Poly1305,
    prefix: [u8; PREFIX_BYTES],
    name: String,
}

impl Sealer {
    pub fn new(key: &DataKey, prefix: [u8; PREFIX_BYTES], name: &BlobName) -> Self {
        Self { cipher: XChaCha20Poly1305::new(key.bytes().into()), prefix, name: name.as_str().to_owned() }
    }

    pub fn prefix(&self) -> [u8; PREFIX_BYTES] {
        self.prefix
    }

    /// Seals `piece` where it lies; it grows by the tag.
    pub fn seal(&self, piece: &mut Vec<u8>, index: u64, part: Part) {
        self.cipher
            .encrypt_in_place(&self.nonce(index), &self.associated(index, part), piece)
            .expect("pieces are far shorter than the cipher's 256 GiB, and a Vec grows");
    }

    /// Opens `piece` where it lies; it shrinks by the tag. Errors: `BLOB_TAMPERED`.
    pub fn open(&self, piece: &mut Vec<u8>, index: u64, part: Part) -> Result<(), BlobError> {
        self.cipher
            .decrypt_in_place(&self.nonce(index), &self.associated(index, part), piece)
            .map_err(|_| BlobError::Tampered("seal"))
    }

    fn nonce(&self, index: u64) -> XNonce {
        let mut nonce = XNonce::default();
        nonce[..PREFIX_BYTES].copy_from_slice(&self.prefix);
        nonce[PREFIX_BYTES..].copy_from_slice(&index.to_be_bytes());
        nonce
    }

    fn associated(&self, index: u64, part: Part) -> Vec<u8> {
        let mut data = Vec::with_capacity(self.name.len() + 9);
        data.extend_from_slice(self.name.as_bytes());
        data.extend_from_slice(&index.to_be_bytes());
        data.push(part as u8);
        data
    }
}

/// Seals a short value under a nonce of its own.
pub(crate) fn seal(key: &[u8; 32], nonce: &[u8; 24], associated: &[u8], plain: &[u8]) -> Vec<u8> {
    let mut piece = plain.to_vec();
    XChaCha20Poly1305::new(key.into())
        .encrypt_in_place(nonce.into(), associated, &mut piece)
        .expect("short values are within the cipher's limits, and a Vec grows");
    piece
}

/// Opens what [`seal`] sealed.
pub(crate) fn open(key: &[u8; 32], nonce: &[u8; 24], associated: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
    let mut piece = sealed.to_vec();
    XChaCha20Poly1305::new(key.into()).decrypt_in_place(nonce.into(), associated, &mut piece).ok()?;
    Some(piece)
}

/// How many chunks a file of this length has.
pub(crate) fn chunk_count(plain_bytes: u64) -> u64 {
    plain_bytes.div_ceil(CHUNK_BYTES as u64).max(1)
}

/// How long the stored file is.
pub(crate) fn sealed_bytes(plain_bytes: u64) -> u64 {
    HEAD_BYTES + plain_bytes + chunk_count(plain_bytes) * TAG_BYTES as u64 + FOOT_BYTES
}

/// How long the content is, from the stored file's length. `None` for a length that no file has.
pub(crate) fn plain_bytes(sealed: u64) -> Option<u64> {
    let body = sealed.checked_sub(HEAD_BYTES + FOOT_BYTES)?;
    let chunks = body.div_ceil(SEALED_CHUNK_BYTES as u64).max(1);
    let plain = body.checked_sub(chunks * TAG_BYTES as u64)?;
    (sealed_bytes(plain) == sealed).then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lengths_at_the_edges() {
        let chunk = CHUNK_BYTES as u64;
        for plain in [0, 1, chunk - 1, chunk, chunk + 1, 2 * chunk, 5 << 30] {
            assert_eq!(plain_bytes(sealed_bytes(plain)), Some(plain));
        }
        assert_eq!(sealed_bytes(0), 24 + 16 + 60);
        for short in 0..sealed_bytes(0) {
            assert_eq!(plain_bytes(short), None);
        }
        // A tag alone after a full chunk is no chunk.
        assert_eq!(plain_bytes(sealed_bytes(chunk) + 16), None);
    }

    proptest! {
        #[test]
        fn lengths_are_one_to_one(plain in 0u64..1 << 50) {
            prop_assert_eq!(plain_bytes(sealed_bytes(plain)), Some(plain));
        }
    }
}
