//! What this context needs, built once by the server.

use crate::incidences::Observer;
use crate::retention::register::Register;
use atalaya_assistance::Assistance;
use std::ops::Deref;
use std::sync::Arc;

/// The parts from which [`Records`] is built. They lead on to those of [`Assistance`].
#[derive(Clone)]
pub struct Parts {
    pub assistance: Assistance,
    /// The register of erasures, outside database and backup.
    pub erasures: Register,
    /// Learn of every change of an incidence in its transaction.
    pub observers: Vec<Arc<dyn Observer>>,
}

impl Deref for Parts {
    type Target = Assistance;
    fn deref(&self) -> &Assistance {
        &self.assistance
    }
}

/// The context's dependencies. Cheap to clone.
#[derive(Clone)]
pub struct Records(Arc<Parts>);

impl Records {
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }
}

impl Deref for Records {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.0
    }
}
