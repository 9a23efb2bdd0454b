//! Length and checksums of a file, computed while it is streamed.

use aws_lc_rs::digest::{Context, SHA256};

/// Length and checksums of a file's content in the clear.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digest {
    pub size_bytes: u64,
    pub sha256: [u8; 32],
    /// The CRC-32, which ZIP needs before the content.
    pub crc32: u32,
}

impl Digest {
    /// The digest of bytes in memory.
    pub fn of(bytes: &[u8]) -> Self {
        let mut running = RunningDigest::new();
        running.update(bytes);
        running.finish()
    }

    /// SHA-256 as lower-case hex, the form of the media item's `hash`.
    pub fn sha256_hex(&self) -> String {
        hex::encode(self.sha256)
    }

    pub(crate) const BYTES: usize = 8 + 32 + 4;

    pub(crate) fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..8].copy_from_slice(&self.size_bytes.to_be_bytes());
        bytes[8..40].copy_from_slice(&self.sha256);
        bytes[40..].copy_from_slice(&self.crc32.to_be_bytes());
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (size, rest) = bytes.split_first_chunk::<8>()?;
        let (sha256, rest) = rest.split_first_chunk::<32>()?;
        let crc32 = u32::from_be_bytes(rest.try_into().ok()?);
        Some(Self { size_bytes: u64::from_be_bytes(*size), sha256: *sha256, crc32 })
    }
}

pub(crate) struct RunningDigest {
    size_bytes: u64,
    sha256: Context,
    crc32: crc32fast::Hasher,
}

impl RunningDigest {
    pub fn new() -> Self {
        Self { size_bytes: 0, sha256: Context::new(&SHA256), crc32: crc32fast::Hasher::new() }
    }

    pub fn update(&mut self, bytes: &[u8]) {
        self.size_bytes += bytes.len() as u64;
        self.sha256.update(bytes);
        self.crc32.update(bytes);
    }

    pub fn size_bytes(&self) -> u64 {
        self.size_bytes
    }

    pub fn finish(self) -> Digest {
        let mut sha256 = [0; 32];
        sha256.copy_from_slice(self.sha256.finish().as_ref());
        Digest { size_bytes: self.size_bytes, sha256, crc32: self.crc32.finalize() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        let digest = Digest::of(b"123456789");
        assert_eq!(digest.crc32, 0xCBF4_3926, "the check value of CRC-32");
        assert_eq!(digest.sha256_hex(), "15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225");
        assert_eq!(Digest::from_bytes(&digest.to_bytes()), Some(digest));
    }
}
