//! What this context needs, built once by the server.

use crate::erasures::register::Register;
use atalaya_records::Records;
use std::ops::Deref;

/// The context's dependencies, which lead on to those of [`Records`]. Cheap to clone.
#[derive(Clone)]
pub struct Privacy {
    pub records: Records,
    /// The register of erasures, outside database and backup.
    pub erasures: Register,
}

impl Deref for Privacy {
    type Target = Records;
    fn deref(&self) -> &Records {
        &self.records
    }
}
