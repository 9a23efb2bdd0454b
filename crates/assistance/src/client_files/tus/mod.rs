//! A small server of tus 1.0.0 (creation, termination, checksum): files arrive in pieces and go on after any break.
//!
//! <https://tus.io/protocols/resumable-upload>. Our own, because the bytes lie sealed in the blob store; the crates of
//! the protocol are younger than this and bring stores of their own.

pub mod headers;
pub(super) mod places;
pub(super) mod segments;
pub(super) mod service;
pub(super) mod turns;
