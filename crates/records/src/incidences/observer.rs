//! Learning of changes of incidences.

use async_trait::async_trait;
use atalaya_db::{DbResult, Tx};
use atalaya_kernel::{CompanyId, Sources};
use uuid::Uuid;

/// A change of an incidence as others are told of it: ids, numbers and states, no text (HOOK-13).
#[derive(Clone, Debug)]
pub struct Changed {
    pub incidence: Uuid,
    pub company: CompanyId,
    pub conference: Option<Uuid>,
    /// As shown: `INC-000001`.
    pub number: String,
    pub expedient: Option<String>,
    pub status: i16,
    pub status_changed: bool,
    pub answered: bool,
}

/// Learns of every change that an incidence's author can see, in its transaction; an error undoes the change.
#[async_trait]
pub trait Observer: Send + Sync {
    async fn changed(&self, tx: &Tx, sources: &Sources, change: &Changed) -> DbResult<()>;
}
