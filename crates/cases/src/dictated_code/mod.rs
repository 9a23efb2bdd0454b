//! The digits that the adjuster dictates by phone, and that the client's page turns into a link (CLIENT-11).

mod entity;
mod store;

use aws_lc_rs::digest::{SHA256, digest as digest_of};
pub use store::{DictatedCode, delete, list, replace};

/// How codes and keys of the client are stored: SHA-256 in hex.
pub fn digest(code: &str) -> String {
    hex::encode(digest_of(&SHA256, format!("atalaya:{code}").as_bytes()))
}
