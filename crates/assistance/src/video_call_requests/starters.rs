//! Which starter waits for which customer, for `send-web-push`.

use super::store;
use async_trait::async_trait;
use atalaya_db::{Db, DbResult};
use atalaya_kernel::{CompanyId, Sources, UserId, VideoCallRequestId};
use atalaya_outreach::push::OpenRequests;

/// The requests that ring, as web push asks for them.
pub struct StarterRequests {
    pub db: Db,
    pub sources: Sources,
}

#[async_trait]
impl OpenRequests for StarterRequests {
    async fn open_request(&self, starter: UserId, customer: CompanyId) -> DbResult<Option<VideoCallRequestId>> {
        store::open_towards(self.db.read(), starter, customer, self.sources.now()).await
    }
}
