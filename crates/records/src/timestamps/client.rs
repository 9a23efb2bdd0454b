//! Asking an authority for a time stamp over HTTP.

use super::authority::{self, AuthorityError};
use atalaya_cases::evidence::{merkle, stamps};
use std::time::Duration;

/// An authority that stamps; setting `timestamp_url`.
#[derive(Clone, Debug)]
pub struct Authority {
    pub url: String,
    /// Of a qualified trust service provider; setting `timestamp_qualified`.
    pub qualified: bool,
}

/// How long an authority may take.
const PATIENCE: Duration = Duration::from_secs(30);
/// Larger than any real answer with its certificates.
const ANSWER_MAX_BYTES: usize = 256 << 10;

impl Authority {
    /// Asks for a time stamp of this hash.
    pub(crate) async fn ask(&self, imprint: &merkle::Hash, nonce: &[u8; 8]) -> Result<stamps::Stamped, AuthorityError> {
        let unreachable = |error: reqwest::Error| AuthorityError::Unreachable(error.without_url().to_string());
        let none = reqwest::redirect::Policy::none();
        let client = reqwest::Client::builder().timeout(PATIENCE).redirect(none).build().map_err(unreachable)?;
        let mut answer = client
            .post(&self.url)
            .header("content-type", "application/timestamp-query")
            .body(authority::request(imprint, nonce)?)
            .send()
            .await
            .and_then(reqwest::Response::error_for_status)
            .map_err(unreachable)?;
        if !answer.status().is_success() {
            return Err(AuthorityError::Unreachable(format!("status {}", answer.status().as_u16())));
        }
        let mut body = Vec::new();
        while let Some(piece) = answer.chunk().await.map_err(unreachable)? {
            if body.len() + piece.len() > ANSWER_MAX_BYTES {
                return Err(AuthorityError::Unreadable("it is too long".into()));
            }
            body.extend_from_slice(&piece);
        }
        let mut stamped = authority::read(&body, imprint, nonce)?;
        if stamped.authority.is_empty() {
            stamped.authority = host(&self.url).to_owned();
        }
        stamped.qualified = self.qualified;
        Ok(stamped)
    }
}

fn host(url: &str) -> &str {
    url.split('/').nth(2).unwrap_or(url)
}

/// Checks that the authority works, with a time stamp over random bytes. Answers its name.
pub async fn try_authority(authority: &Authority, sources: &atalaya_kernel::Sources) -> Result<String, AuthorityError> {
    let stamped = authority.ask(&sources.bytes::<32>(), &authority::nonce(sources.bytes::<8>())).await?;
    Ok(stamped.authority)
}
