//! Requests to a gateway.

use crate::failure::{Reason, SendFailure};
use reqwest::{RequestBuilder, StatusCode, header, redirect};
use std::time::Duration;

/// The timeout of a request, from the first byte to the last (MSG-10).
const PATIENCE: Duration = Duration::from_secs(10);
/// Maximum size of an answer; the picture of a QR code fits.
const ANSWER_MAX: usize = 256 * 1024;

pub(super) struct Client(reqwest::Client);

pub(super) struct Answer {
    pub status: StatusCode,
    /// Without its parameters.
    pub kind: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Option<serde_json::Value> {
        serde_json::from_slice(&self.body).ok()
    }

    /// The answer, if its status is a success.
    pub fn good(self) -> Result<Self, SendFailure> {
        if self.status.is_success() { Ok(self) } else { Err(refusal(self.status)) }
    }
}

impl Client {
    pub fn new() -> Self {
        let client = reqwest::Client::builder()
            .timeout(PATIENCE)
            .redirect(redirect::Policy::none())
            .no_proxy()
            .user_agent("atalaya")
            .build()
            .expect("a client with fixed settings can be built");
        Self(client)
    }

    pub fn request(&self, method: reqwest::Method, url: impl reqwest::IntoUrl) -> RequestBuilder {
        self.0.request(method, url)
    }

    /// Sends the request and reads the whole answer, whatever its status.
    pub async fn ask(&self, request: RequestBuilder) -> Result<Answer, SendFailure> {
        let mut response = request.send().await.map_err(|error| failure(&error))?;
        let kind = response.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let mut body = Vec::new();
        while let Some(part) = response.chunk().await.map_err(|error| failure(&error))? {
            if body.len() + part.len() > ANSWER_MAX {
                return Err(SendFailure::temporary(Reason::BadAnswer, "the gateway's answer does not end"));
            }
            body.extend_from_slice(&part);
        }
        Ok(Answer { status: response.status(), kind, body })
    }
}

/// Without the address, which may hold a key or a telephone number.
fn failure(error: &reqwest::Error) -> SendFailure {
    if error.is_timeout() {
        SendFailure::temporary(Reason::Timeout, "the gateway did not answer in time")
    } else if error.is_builder() {
        SendFailure::permanent(Reason::Refused, "the request to the gateway cannot be written: look at its settings")
    } else {
        SendFailure::temporary(Reason::Unreachable, "the gateway cannot be reached")
    }
}

/// The meaning of a bad status: what may pass is worth a retry.
pub(super) fn refusal(status: StatusCode) -> SendFailure {
    let number = status.as_u16();
    let text = format!("the gateway answered {number}");
    match number {
        429 => SendFailure::temporary(Reason::Limited, text),
        408 | 425 | 500..=599 => SendFailure::temporary(Reason::Unavailable, text),
        401 | 403 | 407 => SendFailure::permanent(Reason::Credentials, text),
        _ => SendFailure::permanent(Reason::Refused, text),
    }
}
