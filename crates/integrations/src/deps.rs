//! What this context needs, built once by the server.

use crate::api_keys::ApiLimits;
use crate::webhooks::Gateway;
use atalaya_records::Records;
use std::ops::Deref;

/// The context's dependencies, which lead on to those of [`Records`]. Cheap to clone.
#[derive(Clone)]
pub struct Integrations {
    pub records: Records,
    /// How often programs with an API key may call.
    pub(crate) api_limits: ApiLimits,
    /// Sends webhooks.
    pub(crate) hooks: Gateway,
}

impl Integrations {
    /// `inside`: webhooks may go to internal addresses and without TLS; for tests.
    pub fn new(records: Records, inside: bool) -> Self {
        Self { api_limits: ApiLimits::new(&records.sources), records, hooks: Gateway::new(inside) }
    }
}

impl Deref for Integrations {
    type Target = Records;
    fn deref(&self) -> &Records {
        &self.records
    }
}
