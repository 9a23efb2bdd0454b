//! The keys by which this installation signs seals and certificates, so that nobody else can make them
//! (`docs/rules/evidence.md`).
//!
//! *Invariants:* the database holds public keys only and forgets none; the private key lies in the data folder or in a
//! token, and that of a retired key nowhere. A key that follows another is endorsed by it: who trusts the first trusts the second. A key that
//! follows a stolen or a lost one begins anew.

mod entity;
pub mod http;
mod model;
pub mod service;
mod store;

pub use model::{
    KeyPair, KeySource, PublicKey, SigningKey, Statement, TokenSigner, Unsigned, der_of_raw, key_blocks, pem_blocks,
};
pub use service::Signed;
pub use store::{Key, list};
