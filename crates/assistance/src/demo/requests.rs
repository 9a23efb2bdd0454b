//! What the example cases need of requests for files, which are made and answered in a crate above.

use crate::Assistance;
use crate::client_page::service::Origin;
use crate::media::MediaError;
use async_trait::async_trait;
use atalaya_rest::caller::Caller;
use serde_json::Value;
use uuid::Uuid;

/// Requests for files of the example cases.
#[async_trait]
pub trait FileRequests: Send + Sync {
    /// Asks the client of a case for files, with the body of `client-files/new`; answers the request's id.
    async fn ask(&self, deps: &Assistance, caller: &Caller, body: Value) -> Result<Uuid, MediaError>;
    /// The client opens the request's link.
    async fn visit(&self, deps: &Assistance, request: Uuid, origin: &Origin) -> Result<(), MediaError>;
    /// The client sends a file for the `nth` item of a request.
    async fn send(
        &self,
        deps: &Assistance,
        request: Uuid,
        nth: usize,
        name: &str,
        bytes: &'static [u8],
    ) -> Result<(), MediaError>;
}
