//! SMS by Twilio's REST API, or a compatible one.

use super::client::{Client, refusal};
use super::{GatewayError, decoded, option, provider_id, signature};
use crate::failure::{Reason, SendFailure};
use crate::model::{Message, Provider, Receipt};
use crate::receipts::{Delivery, DeliveryReport, ReceiptCall, ReceiptError};
use async_trait::async_trait;
use reqwest::Method;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;

const EXPECTED: &str = "twilio://SID:TOKEN@api.twilio.com?from=+34…";

/// An account at Twilio.
pub struct Twilio {
    client: Client,
    /// Scheme and host.
    base: String,
    account: String,
    token: SecretString,
    /// Number, name, or the id of a messaging service.
    from: String,
    /// The platform's own registered sender name.
    sender: Option<String>,
    /// The public address of this server; `None` when it cannot be reached from outside.
    callback: Option<String>,
    public_url: String,
}

impl Twilio {
    /// Reads `twilio://SID:TOKEN@host?from=…`; `http+twilio://` works without TLS, for tests.
    ///
    /// Twilio sends receipts to `{public_url}/hooks/messages/twilio`.
    pub fn new(url: &SecretString, public_url: &str, sender: Option<String>) -> Result<Self, GatewayError> {
        let url = url::Url::parse(url.expose_secret()).map_err(|_| GatewayError::Url(EXPECTED))?;
        let scheme = match url.scheme() {
            "twilio" => "https",
            "http+twilio" => "http",
            _ => return Err(GatewayError::Url(EXPECTED)),
        };
        let (host, password) = match (url.host_str(), url.password()) {
            (Some(host), Some(password)) if !host.is_empty() => (host, decoded(password)),
            _ => return Err(GatewayError::Url(EXPECTED)),
        };
        let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
        let account = decoded(url.username());
        if account.is_empty() || !account.bytes().all(|b| b.is_ascii_alphanumeric()) {
            return Err(GatewayError::Url(EXPECTED));
        }
        let from = option(&url, "from").ok_or(GatewayError::Url(EXPECTED))?;
        // Twilio refuses a message whose callback address it cannot reach.
        let outside = scheme == "http"
            || !["localhost", "127.0.0.1", "[::1]"].iter().any(|host| {
                let rest = public_url.split_once("://").map_or("", |(_, rest)| rest);
                rest == *host || rest.starts_with(&format!("{host}:"))
            });
        Ok(Self {
            client: Client::new(),
            base: format!("{scheme}://{host}{port}"),
            account,
            token: password.into(),
            from,
            sender,
            callback: outside.then(|| format!("{public_url}/hooks/messages/twilio")),
            public_url: public_url.to_owned(),
        })
    }

    fn path(&self, rest: &str) -> String {
        format!("{}/2010-04-01/Accounts/{}{rest}", self.base, self.account)
    }

    fn form(&self, message: &Message) -> Vec<(&'static str, String)> {
        let named = message.sender.clone().or_else(|| self.sender.clone());
        let from = match named {
            Some(name) => ("From", name),
            None if self.from.starts_with("MG") => ("MessagingServiceSid", self.from.clone()),
            None => ("From", self.from.clone()),
        };
        let mut form = vec![("To", message.to.clone()), from, ("Body", message.text.clone())];
        if let Some(callback) = &self.callback {
            // Includes our id, so that a receipt finds its message even when Twilio's answer was lost (MSG-13).
            form.push(("StatusCallback", format!("{callback}?id={}", message.id)));
        }
        form
    }
}

/// Twilio's numbered errors, where they say more than the status.
fn judged(status: reqwest::StatusCode, answer: Option<Value>) -> SendFailure {
    let code = answer.as_ref().and_then(|answer| answer["code"].as_u64()).unwrap_or_default();
    let text = format!("Twilio answered {} (error {code})", status.as_u16());
    match code {
        20003 | 20404 => SendFailure::permanent(Reason::Credentials, text),
        20429 => SendFailure::temporary(Reason::Limited, text),
        21211 | 21214 | 21217 | 21407 | 21408 | 21610 | 21612 | 21614 => SendFailure::permanent(Reason::Recipient, text),
        0 => refusal(status),
        _ => match refusal(status) {
            SendFailure::Temporary(why) => SendFailure::temporary(why.reason, text),
            SendFailure::Permanent(why) => SendFailure::permanent(why.reason, text),
        },
    }
}

#[async_trait]
impl Provider for Twilio {
    fn name(&self) -> &'static str {
        "twilio"
    }

    async fn send(&self, message: &Message) -> Result<Receipt, SendFailure> {
        let request = self.client.request(Method::POST, self.path("/Messages.json"));
        let request = request.basic_auth(&self.account, Some(self.token.expose_secret())).form(&self.form(message));
        let answer = self.client.ask(request).await?;
        let json = answer.json();
        if !answer.status.is_success() {
            return Err(judged(answer.status, json));
        }
        let told =
            json.as_ref().and_then(|json| json["sid"].as_str()).filter(|sid| sid.starts_with("SM") || sid.starts_with("MM"));
        let sid = told.and_then(provider_id);
        let sid = sid.ok_or_else(|| SendFailure::temporary(Reason::BadAnswer, "Twilio's answer names no message"))?;
        match json.as_ref().and_then(|json| json["status"].as_str()) {
            Some("failed" | "undelivered") => {
                Err(SendFailure::permanent(Reason::Refused, "Twilio took the message and gave it up"))
            }
            _ => Ok(Receipt { provider_id: Some(sid) }),
        }
    }

    async fn check(&self) -> Result<(), SendFailure> {
        let request = self.client.request(Method::GET, self.path(".json"));
        let answer = self.client.ask(request.basic_auth(&self.account, Some(self.token.expose_secret()))).await?;
        answer.good().map(drop)
    }

    fn receipts(&self, call: &ReceiptCall<'_>) -> Result<Vec<DeliveryReport>, ReceiptError> {
        let url = format!("{}{}", self.public_url, call.target);
        let parameters = signature::check_twilio(self.token.expose_secret(), &url, call)?;
        let value = |name: &str| parameters.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
        let sid = value("MessageSid").or_else(|| value("SmsSid")).and_then(provider_id).ok_or(ReceiptError::Unreadable)?;
        let outcome = match value("MessageStatus").or_else(|| value("SmsStatus")) {
            Some("sent") => Delivery::Sent,
            Some("delivered" | "read") => Delivery::Delivered,
            Some(status @ ("undelivered" | "failed" | "canceled")) => {
                let code = value("ErrorCode").filter(|code| code.len() < 10 && code.bytes().all(|b| b.is_ascii_digit()));
                Delivery::Failed(format!("Twilio: {status}{}", code.map(|code| format!(" (error {code})")).unwrap_or_default()))
            }
            Some(_) => return Ok(Vec::new()),
            None => return Err(ReceiptError::Unreadable),
        };
        let query = call.target.split_once('?').map_or("", |(_, query)| query);
        let message =
            url::form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == "id").and_then(|(_, id)| id.parse().ok());
        Ok(vec![DeliveryReport { message, provider_id: Some(sid), outcome }])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // MSG-8
    #[test]
    fn addresses_hold_account_token_and_number() {
        let read = |url: &str| Twilio::new(&url.to_owned().into(), "https://v.example.es", None);
        let twilio = read("twilio://AC1:s%2Fecret@api.twilio.com?from=+34600000000").unwrap();
        assert_eq!(
            (twilio.base.as_str(), twilio.account.as_str(), twilio.from.as_str()),
            ("https://api.twilio.com", "AC1", "+34600000000")
        );
        assert_eq!(twilio.token.expose_secret(), "s/ecret");
        assert!(twilio.callback.is_some());
        assert_eq!(read("http+twilio://AC1:t@127.0.0.1:90?from=X").unwrap().base, "http://127.0.0.1:90");
        assert!(
            Twilio::new(&"twilio://AC1:t@h?from=X".to_owned().into(), "http://localhost:8080", None).unwrap().callback.is_none()
        );
        for bad in [
            "twilio://api.twilio.com?from=1",
            "twilio://AC1:hunter2@h",
            "https://AC1:hunter2@h?from=1",
            "twilio://A/C:hunter2@h?from=1",
            "x",
        ] {
            let Err(error) = read(bad) else { panic!("{bad}") };
            assert!(!error.to_string().contains("hunter2"));
        }
    }
}
