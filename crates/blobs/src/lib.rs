//! Files at rest: sealed with a key per conference, in a local folder, an S3 bucket or memory.
//!
//! Called by the rooms that keep media and documents. What is stored is never in the clear, can be read from any
//! offset, and destroying a conference's key erases its files everywhere, backups included (STORE-1).
//!
//! - [`BlobStore`] keeps finished files; [`BlobWriter`] publishes one at once or leaves nothing, [`BlobReader`]
//!   reads any range of one.
//! - [`Spool`] keeps recordings while they grow: append-only on the local disk, whole up to the last flush.
//! - [`MasterKeys`] wrap the [`DataKey`] of each conference for the database.
//! - [`zip`] streams stored entries with a length known beforehand.
//!
//! *Invariant:* a byte that was changed, moved or cut off is noticed before anything made from it is returned (STORE-2).

mod config;
mod digest;
mod error;
mod keys;
mod name;
mod reader;
mod seal;
mod spool;
mod store;
mod writer;
pub mod zip;

pub use config::{S3Config, S3Credentials, StorageConfig, StorageUrlError};
pub use digest::Digest;
pub use error::BlobError;
pub use keys::{DataKey, KEY_ID_BYTES, Master, MasterKeys, Sealed, TOKEN_NONCE_BYTES, TokenKey};
pub use name::BlobName;
pub use reader::BlobReader;
pub use spool::{LiveReader, LiveWriter, Spool, SpoolEnd};
pub use store::{BlobInfo, BlobStore};
pub use writer::{BlobWriter, BlockingBlobWriter};
