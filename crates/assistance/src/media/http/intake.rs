//! Bounds the bytes of uploads in memory: two hundred files sent at once take turns (STORE-18).

use atalaya_kernel::limits;
use atalaya_rest::Problem;
use axum::http::{HeaderMap, StatusCode, header};
use std::sync::LazyLock;
use std::time::Duration;
use tokio::sync::{Semaphore, SemaphorePermit};

/// Budget for all uploads under way, in KiB: ten of the largest.
const BUDGET_KIB: usize = 10 * (limits::UPLOAD_MAX_BYTES >> 10) + 1;
/// An upload that sends nothing for this long is ended.
pub(super) const STALL: Duration = Duration::from_secs(30);

static BUDGET: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(BUDGET_KIB));

/// Waits until there is room for a body of the announced length; dropping the permit frees it.
pub(super) async fn room_for(headers: &HeaderMap) -> Result<SemaphorePermit<'static>, Problem> {
    let announced = headers.get(header::CONTENT_LENGTH).and_then(|v| v.to_str().ok()).and_then(|v| v.parse::<usize>().ok());
    let bytes = announced.unwrap_or(limits::UPLOAD_MAX_BYTES).min(limits::UPLOAD_MAX_BYTES);
    let kib = u32::try_from((bytes >> 10) + 1).unwrap_or(u32::MAX);
    BUDGET.acquire_many(kib).await.map_err(Problem::internal)
}

/// `UPLOAD_STALLED` (408)
pub(super) fn stalled<T>(_: T) -> Problem {
    Problem::new(StatusCode::REQUEST_TIMEOUT, "UPLOAD_STALLED")
}
