//! Secrets of messages: the part of a link that opens an account or a call (MSG-20, MSG-21).
//!
//! A row of the outbox never holds it in clear: subject, texts and link have [`MASK`] in its place, and it lies sealed
//! beside them until it was handed over or is spent.

mod field_key;
mod store;

use crate::entity::Model;
use crate::model::{Message, NewMessage};
pub use field_key::{FieldKey, OutboxSeal};
use std::sync::Arc;

/// Replaces the secret in the row.
pub const MASK: &str = "••••••••";

/// Seals short texts for one place; the server puts its field key in.
pub trait Seal: Send + Sync {
    fn seal(&self, context: &str, text: &str) -> String;
    /// `None` when it was changed, moved or sealed with another key.
    fn open(&self, context: &str, sealed: &str) -> Option<String>;
}

/// The seal of an outbox; none in tests of this crate, and then nothing is hidden.
pub(crate) type Sealing = Option<Arc<dyn Seal>>;

fn context(id: uuid::Uuid) -> String {
    format!("outbox.secret:{id}")
}

/// Takes the secret out of a message that is to be written, and answers it sealed.
pub(crate) fn hide(sealing: &Sealing, id: uuid::Uuid, new: &mut NewMessage) -> Option<String> {
    let (seal, secret) = (sealing.as_ref()?, new.secret.take()?);
    let cover = |text: &mut String| *text = text.replace(&secret, MASK);
    cover(&mut new.text);
    [&mut new.subject, &mut new.html, &mut new.link].into_iter().flatten().for_each(cover);
    Some(seal.seal(&context(id), &secret))
}

/// The secret of a row while it is kept.
pub(crate) fn open(sealing: &Sealing, row: &Model) -> Option<String> {
    sealing.as_ref()?.open(&context(row.id), row.secret.as_deref()?)
}

impl Message {
    fn swap(mut self, from: &str, to: &str) -> Self {
        let change = |text: &mut String| *text = text.replace(from, to);
        change(&mut self.text);
        [&mut self.subject, &mut self.html, &mut self.link].into_iter().flatten().for_each(change);
        self
    }

    /// With its secret in its place.
    pub(crate) fn whole(self) -> Self {
        match self.secret.clone() {
            Some(secret) => self.swap(MASK, &secret),
            None => self,
        }
    }

    /// Without its secret, for people who have not proved that they may see it.
    pub fn masked(self) -> Self {
        match self.secret.clone() {
            Some(secret) => Self { secret: None, ..self.swap(&secret, MASK) },
            None => self,
        }
    }
}

/// Lower-case hex of SHA-256.
pub(crate) fn sha256_hex(bytes: &[u8]) -> String {
    hex::encode(aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, bytes))
}
