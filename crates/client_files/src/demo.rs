//! Requests for files of the example cases (`serve --demo`), made and answered by the same services as real ones.

use crate::FilesError;
use crate::requests::{link, service};
use crate::uploads::single_upload;
use async_trait::async_trait;
use atalaya_assistance::Assistance;
use atalaya_assistance::client_page::service::Origin;
use atalaya_assistance::demo::FileRequests;
use atalaya_assistance::media::MediaError;
use atalaya_cases::conferences::ConferenceError;
use atalaya_rest::caller::Caller;
use serde_json::Value;
use uuid::Uuid;

/// The requests of the example cases.
pub struct Requests;

/// The services refuse none of the examples, so that only lower layers can fail.
fn plain(error: FilesError) -> MediaError {
    match error {
        FilesError::Media(error) => error,
        other => ConferenceError::EngineUnavailable(other.to_string()).into(),
    }
}

#[async_trait]
impl FileRequests for Requests {
    async fn ask(&self, deps: &Assistance, caller: &Caller, body: Value) -> Result<Uuid, MediaError> {
        let input = serde_json::from_value(body).expect("the cases are good requests");
        Ok(service::create(deps, caller, &input).await.map_err(plain)?.id)
    }

    async fn visit(&self, deps: &Assistance, request: Uuid, origin: &Origin) -> Result<(), MediaError> {
        link::visit(deps, request, origin).await.map_err(plain)
    }

    async fn send(
        &self,
        deps: &Assistance,
        request: Uuid,
        nth: usize,
        name: &str,
        bytes: &'static [u8],
    ) -> Result<(), MediaError> {
        single_upload::send(deps, request, nth, name, bytes).await.map_err(plain)
    }
}
