//! Which starters may call a company's people by push: those who wait for it (DESIGN §10 `send-web-push`).

use async_trait::async_trait;
use atalaya_db::DbResult;
use atalaya_kernel::{CompanyId, UserId, VideoCallRequestId};

/// Knows the open video-call requests. They belong to a layer above this one, so the server passes them in.
#[async_trait]
pub trait OpenRequests: Send + Sync {
    /// The open request of this person to that customer.
    async fn open_request(&self, starter: UserId, customer: CompanyId) -> DbResult<Option<VideoCallRequestId>>;
}

/// Nobody waits for anybody.
pub struct NoRequests;

#[async_trait]
impl OpenRequests for NoRequests {
    async fn open_request(&self, _: UserId, _: CompanyId) -> DbResult<Option<VideoCallRequestId>> {
        Ok(None)
    }
}
