//! An archive of files that are made while it is sent: nobody knows its length before.

use super::format::{Directory, EntryHead};
use super::names::Unique;
use crate::Digest;
use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures::stream::{self, BoxStream};
use futures::{StreamExt, TryStreamExt};

/// A file with its content.
#[derive(Clone, Debug)]
pub struct ZipFile {
    /// May have folders separated by `/`.
    pub name: String,
    pub modified_at: DateTime<Utc>,
    pub content: Bytes,
}

struct State<E> {
    files: BoxStream<'static, Result<ZipFile, E>>,
    directory: Directory,
    names: Unique,
    ended: bool,
}

impl<E> State<E> {
    async fn next(mut self) -> Result<Option<(Bytes, Self)>, E> {
        if self.ended {
            return Ok(None);
        }
        let Some(ZipFile { name, modified_at, content }) = self.files.try_next().await? else {
            self.ended = true;
            let end = std::mem::take(&mut self.directory).finish();
            return Ok(Some((end.into(), self)));
        };
        let head = EntryHead { name: self.names.give(&name), size_bytes: content.len() as u64, modified_at };
        let mut piece = self.directory.add(head, Digest::of(&content).crc32);
        piece.extend_from_slice(&content);
        Ok(Some((piece.into(), self)))
    }
}

/// The archive of these files in their order; one of them is in memory at a time, besides those that their stream holds. An error
/// of theirs ends it: the receiver sees a broken transfer, never a short archive that looks whole.
pub fn archive_of<E: Send + 'static>(files: BoxStream<'static, Result<ZipFile, E>>) -> BoxStream<'static, Result<Bytes, E>> {
    let state = State { files, directory: Directory::default(), names: Unique::default(), ended: false };
    stream::try_unfold(state, State::next).boxed()
}
