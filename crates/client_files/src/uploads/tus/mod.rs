//! A small tus 1.0.0 server (creation, termination, checksum): files arrive in pieces and continue after any break
//! (FILES-15).
//!
//! <https://tus.io/protocols/resumable-upload>. It is our own because the bytes are sealed in the blob store, while the
//! crates for the protocol have stores of their own.

pub mod headers;
pub mod places;
pub mod segments;
pub mod service;
pub mod turns;
