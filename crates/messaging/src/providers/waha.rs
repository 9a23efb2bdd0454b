//! WhatsApp by a WAHA server, or a compatible one: one session, that is one telephone, linked by a QR code.

use super::client::{Answer, Client};
use super::{GatewayError, option, provider_id, signature};
use crate::failure::{Reason, SendFailure};
use crate::model::{Message, Provider, Receipt};
use crate::receipts::{Delivery, DeliveryReport, ReceiptCall, ReceiptError};
use async_trait::async_trait;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::Method;
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};

const EXPECTED: &str = "http(s)://host:port?session=default";

/// States of a session.
const STATES: [&str; 5] = ["STOPPED", "STARTING", "SCAN_QR_CODE", "WORKING", "FAILED"];

/// A session of a WAHA server.
pub struct Waha {
    client: Client,
    /// Without a trailing slash.
    base: String,
    session: String,
    key: Option<SecretString>,
    receipt_secret: Option<SecretString>,
}

/// The session now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WhatsappState {
    /// `STOPPED`, `STARTING`, `SCAN_QR_CODE`, `WORKING` or `FAILED`.
    pub status: &'static str,
    /// The code to be scanned, as a data URL of a picture.
    pub qr: Option<String>,
    /// Number of the linked telephone.
    pub me: Option<String>,
}

impl Waha {
    /// Reads `http(s)://host:port/path?session=name`.
    pub fn new(
        url: &SecretString,
        key: Option<SecretString>,
        receipt_secret: Option<SecretString>,
    ) -> Result<Self, GatewayError> {
        let mut url = url::Url::parse(url.expose_secret()).map_err(|_| GatewayError::Url(EXPECTED))?;
        if !matches!(url.scheme(), "http" | "https") || !url.username().is_empty() || url.password().is_some() {
            return Err(GatewayError::Url(EXPECTED));
        }
        let session = option(&url, "session").unwrap_or_else(|| "default".into());
        if session.len() > 54 || !session.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')) {
            return Err(GatewayError::Url(EXPECTED));
        }
        url.set_query(None);
        url.set_fragment(None);
        Ok(Self { client: Client::new(), base: url.as_str().trim_end_matches('/').to_owned(), session, key, receipt_secret })
    }

    async fn ask(&self, method: Method, path: &str, body: Option<Value>) -> Result<Answer, SendFailure> {
        let mut request = self.client.request(method, format!("{}{path}", self.base)).header("Accept", "application/json");
        if let Some(key) = &self.key {
            request = request.header("X-Api-Key", key.expose_secret());
        }
        if let Some(body) = body {
            request = request.json(&body);
        }
        self.client.ask(request).await
    }

    /// The state of the session, with the QR code when it waits to be scanned.
    pub async fn state(&self) -> Result<WhatsappState, SendFailure> {
        let answer = self.ask(Method::GET, &format!("/api/sessions/{}", self.session), None).await?;
        if answer.status.as_u16() == 404 {
            return Ok(WhatsappState { status: "STOPPED", qr: None, me: None });
        }
        let json = answer.good()?.json().unwrap_or_default();
        let status = STATES.into_iter().find(|state| json["status"].as_str() == Some(state));
        let status = status.ok_or_else(|| SendFailure::temporary(Reason::BadAnswer, "the gateway names no state"))?;
        // The code may have been scanned between the two calls.
        let qr = if status == "SCAN_QR_CODE" { self.qr().await.unwrap_or_default() } else { None };
        let me = json["me"]["id"].as_str().and_then(|id| id.split(['@', ':']).next()).filter(|id| is_number(id));
        Ok(WhatsappState { status, qr, me: me.map(|number| format!("+{number}")) })
    }

    async fn qr(&self) -> Result<Option<String>, SendFailure> {
        let answer = self.ask(Method::GET, &format!("/api/{}/auth/qr?format=image", self.session), None).await?.good()?;
        let picture = |kind: &str| matches!(kind, "image/png" | "image/jpeg");
        if picture(&answer.kind) {
            return Ok(Some(format!("data:{};base64,{}", answer.kind, STANDARD.encode(&answer.body))));
        }
        let json = answer.json().unwrap_or_default();
        let (kind, data) = (json["mimetype"].as_str().unwrap_or_default(), json["data"].as_str().unwrap_or_default());
        // Decoded, so that only a picture reaches the page (MSG-18).
        Ok(STANDARD
            .decode(data)
            .ok()
            .filter(|bytes| picture(kind) && !bytes.is_empty())
            .map(|_| format!("data:{kind};base64,{data}")))
    }

    async fn act(&self, action: &str) -> Result<Answer, SendFailure> {
        self.ask(Method::POST, &format!("/api/sessions/{}/{action}", self.session), None).await
    }

    /// Restarts the session, or starts it for the first time.
    pub async fn restart(&self) -> Result<(), SendFailure> {
        let answer = self.act("restart").await?;
        if answer.status.as_u16() != 404 {
            return answer.good().map(drop);
        }
        let body = json!({"name": self.session, "start": true});
        self.ask(Method::POST, "/api/sessions", Some(body)).await?.good().map(drop)
    }

    pub async fn stop(&self) -> Result<(), SendFailure> {
        self.act("stop").await?.good().map(drop)
    }

    /// Unlinks the telephone and restarts; a new code waits to be scanned.
    pub async fn clean(&self) -> Result<(), SendFailure> {
        self.act("logout").await?.good()?;
        self.act("start").await?.good().map(drop)
    }

    /// Whether this number has no WhatsApp account; false when the server cannot say.
    async fn is_absent(&self, digits: &str) -> bool {
        let path = format!("/api/contacts/check-exists?phone={digits}&session={}", self.session);
        let answer = self.ask(Method::GET, &path, None).await.and_then(Answer::good);
        answer.ok().and_then(|answer| answer.json()).is_some_and(|json| json["numberExists"] == false)
    }
}

fn is_number(text: &str) -> bool {
    (5..=15).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit())
}

/// WAHA's engines answer with different objects.
fn id_of(json: &Value) -> Option<String> {
    ["/id", "/id/_serialized", "/key/id", "/_data/id/_serialized"]
        .iter()
        .find_map(|pointer| json.pointer(pointer).and_then(Value::as_str).and_then(provider_id))
}

#[async_trait]
impl Provider for Waha {
    fn name(&self) -> &'static str {
        "waha"
    }

    async fn send(&self, message: &Message) -> Result<Receipt, SendFailure> {
        let digits = message.to.trim_start_matches('+');
        if self.is_absent(digits).await {
            return Err(SendFailure::permanent(Reason::Recipient, "nobody has WhatsApp at this number"));
        }
        let body = json!({"session": self.session, "chatId": format!("{digits}@c.us"), "text": message.text});
        let answer = self.ask(Method::POST, "/api/sendText", Some(body)).await?.good()?;
        let id = answer.json().as_ref().and_then(id_of);
        let id = id.ok_or_else(|| SendFailure::temporary(Reason::BadAnswer, "the gateway's answer names no message"))?;
        Ok(Receipt { provider_id: Some(id) })
    }

    async fn check(&self) -> Result<(), SendFailure> {
        match self.state().await?.status {
            "WORKING" => Ok(()),
            other => Err(SendFailure::temporary(Reason::Unavailable, format!("the session is {other}"))),
        }
    }

    /// The event `message.ack`: -1 failed, 1 with the server, 2 on the device, 3 and 4 seen.
    fn receipts(&self, call: &ReceiptCall<'_>) -> Result<Vec<DeliveryReport>, ReceiptError> {
        let secret = self.receipt_secret.as_ref().ok_or(ReceiptError::NotOffered)?;
        signature::check_waha(secret.expose_secret(), call)?;
        let json: Value = serde_json::from_slice(call.body).map_err(|_| ReceiptError::Unreadable)?;
        if json["event"] != "message.ack" {
            return Ok(Vec::new());
        }
        let id = id_of(&json["payload"]).ok_or(ReceiptError::Unreadable)?;
        let outcome = match json["payload"]["ack"].as_i64() {
            Some(-1) => Delivery::Failed("WhatsApp reports a failure".into()),
            Some(1) => Delivery::Sent,
            Some(2..=4) => Delivery::Delivered,
            _ => return Ok(Vec::new()),
        };
        Ok(vec![DeliveryReport { message: None, provider_id: Some(id), outcome }])
    }
}
