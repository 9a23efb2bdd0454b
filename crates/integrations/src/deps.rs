//! What this context needs, built once by the server.

use crate::webhooks::Gateway;
use atalaya_records::Records;
use std::ops::Deref;

/// The context's dependencies, which lead on to those of [`Records`]. Cheap to clone.
#[derive(Clone)]
pub struct Integrations {
    pub records: Records,
    /// Sends webhooks.
    pub(crate) hooks: Gateway,
}

impl Integrations {
    /// `inside`: webhooks may go to internal addresses and without TLS; for tests.
    pub fn new(records: Records, inside: bool) -> Self {
        Self { records, hooks: Gateway::new(inside) }
    }
}

impl Deref for Integrations {
    type Target = Records;
    fn deref(&self) -> &Records {
        &self.records
    }
}
