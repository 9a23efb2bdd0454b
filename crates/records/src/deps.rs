//! What this context needs, built once by the server.

use crate::evidence_days;
use crate::incidences::Observer;
use atalaya_assistance::Assistance;
use std::ops::Deref;
use std::sync::Arc;

/// The parts from which [`Records`] is built. They lead on to those of [`Assistance`].
#[derive(Clone)]
pub struct Parts {
    pub assistance: Assistance,
    /// Learn of every change of an incidence in its transaction.
    pub observers: Vec<Arc<dyn Observer>>,
    /// Learn of every closed day of evidence in its transaction.
    pub day_observers: Vec<Arc<dyn evidence_days::Observer>>,
}

impl Deref for Parts {
    type Target = Assistance;
    fn deref(&self) -> &Assistance {
        &self.assistance
    }
}

/// The context's dependencies. Cheap to clone.
#[derive(Clone)]
pub struct Records {
    parts: Arc<Parts>,
    /// Certificates are set one at a time: setting one takes a core and some memory.
    pub(crate) issuing: Arc<tokio::sync::Mutex<()>>,
}

impl Records {
    pub fn new(parts: Parts) -> Self {
        Self { parts: Arc::new(parts), issuing: Arc::default() }
    }
}

impl Deref for Records {
    type Target = Parts;
    fn deref(&self) -> &Parts {
        &self.parts
    }
}
