//! Digests of tokens and names that are stored in the place of the text itself.

/// Lower-case hex of SHA-256.
pub(crate) fn sha256_hex(bytes: &[u8]) -> String {
    hex::encode(aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, bytes))
}
