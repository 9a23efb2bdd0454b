//! Limits how many bytes of incidences are held in memory: concurrent requests take turns.

use atalaya_kernel::limits;
use atalaya_rest::Problem;
use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;
use std::sync::LazyLock;
use tokio::sync::{Semaphore, SemaphorePermit};

/// Budget for all bodies under way, in KiB: four of the largest.
const BUDGET_KIB: usize = 4 * (super::BODY_BYTES >> 10) + 1;

static BUDGET: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(BUDGET_KIB));

/// Room for a body of the announced length, held until the request is answered. A handler lists it before the body and
/// after the caller, so that a request without a session takes no room.
pub(super) struct Turn {
    _room: SemaphorePermit<'static>,
}

impl<S: Send + Sync> FromRequestParts<S> for Turn {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let announced =
            parts.headers.get(header::CONTENT_LENGTH).and_then(|v| v.to_str().ok()).and_then(|v| v.parse::<usize>().ok());
        let bytes = announced.unwrap_or(limits::INCIDENCE_FILE_MAX_BYTES).min(super::BODY_BYTES);
        let kib = u32::try_from((bytes >> 10) + 1).unwrap_or(u32::MAX);
        Ok(Self { _room: BUDGET.acquire_many(kib).await.map_err(Problem::internal)? })
    }
}
