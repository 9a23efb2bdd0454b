//! Which starters may call a company's people by push: those with an open request to it (PUSH-12).

use async_trait::async_trait;
use atalaya_db::DbResult;
use atalaya_kernel::{CompanyId, UserId, VideoCallRequestId};

/// Finds open video-call requests. They belong to a layer above this one, so the server injects them.
#[async_trait]
pub trait OpenRequests: Send + Sync {
    /// The open request of this person to that customer.
    async fn open_request(&self, starter: UserId, customer: CompanyId) -> DbResult<Option<VideoCallRequestId>>;
}

/// Without any open requests.
pub struct NoRequests;

#[async_trait]
impl OpenRequests for NoRequests {
    async fn open_request(&self, _: UserId, _: CompanyId) -> DbResult<Option<VideoCallRequestId>> {
        Ok(None)
    }
}
