//! The file for the bank as a ZIP that opens with the secret.

use secrecy::{ExposeSecret, SecretString};
use std::io::{Cursor, Write as _};
use zip::result::ZipResult;
use zip::write::SimpleFileOptions;
use zip::{AesMode, CompressionMethod, ZipWriter};

/// One entry, encrypted with AES-256. Takes computing time: call it where blocking is allowed.
pub(super) fn encrypted(name: &str, content: &[u8], secret: &SecretString) -> ZipResult<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .with_aes_encryption(AesMode::Aes256, secret.expose_secret());
    zip.start_file(name, options)?;
    zip.write_all(content)?;
    Ok(zip.finish()?.into_inner())
}
