//! SMS by any HTTP gateway, described in the configuration.

use super::client::Client;
use super::template::{Escape, Values, fill};
use super::{GatewayError, provider_id, signature};
use crate::failure::{Reason, SendFailure};
use crate::model::{Message, Provider, Receipt};
use crate::receipts::{Delivery, DeliveryReport, ReceiptCall, ReceiptError};
use async_trait::async_trait;
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use std::ops::RangeInclusive;

/// Maximum number of receipts in one call.
const RECEIPTS_MAX: usize = 1000;

/// The settings `sms_…` of a generic gateway.
#[derive(Clone, Debug)]
pub struct HttpGatewayOptions {
    /// May contain the four values, escaped for a URL.
    pub url: SecretString,
    /// `POST`, `PUT` or `GET`.
    pub method: String,
    /// `Name: value`, one per line.
    pub headers: Option<SecretString>,
    /// With `{{to}}`, `{{text}}`, `{{sender}}`, `{{id}}`; JSON when it begins with a brace, else a form.
    pub body: String,
    /// JSON pointer to the message's id in the answer; `-` when the answer has none.
    pub id: String,
    /// Statuses of an accepted message: `200-299`, `200,202`.
    pub success: String,
    /// Signs receipts.
    pub receipt_secret: Option<SecretString>,
    /// The platform's own registered sender name.
    pub sender: Option<String>,
}

/// An HTTP gateway.
pub struct HttpGateway {
    client: Client,
    url: SecretString,
    method: Method,
    headers: HeaderMap,
    body: String,
    escape: Escape,
    /// `None` when the answer has no id.
    id: Option<String>,
    success: Vec<RangeInclusive<u16>>,
    receipt_secret: Option<SecretString>,
    sender: Option<String>,
}

impl HttpGateway {
    /// Checks the settings by building a message that is not sent (MSG-11).
    pub fn new(options: HttpGatewayOptions) -> Result<Self, GatewayError> {
        let wrong = |setting, why: &str| GatewayError::Option { setting, why: why.to_owned() };
        let method = match options.method.to_ascii_uppercase().as_str() {
            "POST" => Method::POST,
            "PUT" => Method::PUT,
            "GET" => Method::GET,
            _ => return Err(wrong("sms_method", "expected POST, PUT or GET")),
        };
        let escape = if options.body.trim_start().starts_with(['{', '[']) { Escape::Json } else { Escape::Form };
        let gateway = Self {
            client: Client::new(),
            headers: headers(options.headers.as_ref(), escape, method != Method::GET)?,
            success: statuses(&options.success)
                .ok_or_else(|| wrong("sms_success", "expected statuses such as 200-299 or 200,202"))?,
            id: (options.id != "-").then_some(options.id),
            url: options.url,
            method,
            body: options.body,
            escape,
            receipt_secret: options.receipt_secret,
            sender: options.sender,
        };
        if gateway.id.as_ref().is_some_and(|id| !id.starts_with('/')) {
            return Err(wrong("sms_id", "expected a JSON pointer such as /id, or -"));
        }
        gateway.try_out()?;
        Ok(gateway)
    }

    fn try_out(&self) -> Result<(), GatewayError> {
        let wrong = |setting, why: String| GatewayError::Option { setting, why };
        let sample = Values { to: "+34600000000", text: "«\"\\\n", sender: "S & C", id: "018f" };
        let url = fill(self.url.expose_secret(), &sample, Escape::Form).map_err(|why| wrong("sms_url", why))?;
        let parsed = url::Url::parse(&url).map_err(|_| GatewayError::Url("http(s)://host/path"))?;
        if !matches!(parsed.scheme(), "http" | "https") {
            return Err(GatewayError::Url("http(s)://host/path"));
        }
        let body = fill(&self.body, &sample, self.escape).map_err(|why| wrong("sms_body", why))?;
        if self.escape == Escape::Json && serde_json::from_str::<Value>(&body).is_err() {
            return Err(wrong("sms_body", "is no JSON once the values are in it".into()));
        }
        let carrier = if self.method == Method::GET { self.url.expose_secret() } else { &self.body };
        let names = |name: &str| carrier.contains(&format!("{{{{{name}}}}}")) || carrier.contains(&format!("{{{{ {name} }}}}"));
        if !names("to") || !names("text") {
            let setting = if self.method == Method::GET { "sms_url" } else { "sms_body" };
            return Err(wrong(setting, "{{to}} and {{text}} must be in it".into()));
        }
        Ok(())
    }

    /// The id in the answer.
    fn named(&self, json: Option<&Value>) -> Result<Option<String>, SendFailure> {
        let Some(pointer) = &self.id else { return Ok(None) };
        let id = json.and_then(|json| json.pointer(pointer)).and_then(|id| match id {
            Value::String(text) => provider_id(text),
            Value::Number(number) => provider_id(&number.to_string()),
            _ => None,
        });
        id.map(Some).ok_or_else(|| SendFailure::temporary(Reason::BadAnswer, "the gateway's answer names no message"))
    }
}

fn headers(given: Option<&SecretString>, escape: Escape, body: bool) -> Result<HeaderMap, GatewayError> {
    let wrong = || GatewayError::Option { setting: "sms_headers", why: "expected `Name: value`, one a line".into() };
    let mut headers = HeaderMap::new();
    if body {
        let kind = if escape == Escape::Json { "application/json" } else { "application/x-www-form-urlencoded" };
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    }
    for line in given.map_or("", |text| text.expose_secret()).lines().map(str::trim).filter(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':').ok_or_else(wrong)?;
        let name: HeaderName = name.trim().parse().map_err(|_| wrong())?;
        let mut value: HeaderValue = value.trim().parse().map_err(|_| wrong())?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    Ok(headers)
}

fn statuses(text: &str) -> Option<Vec<RangeInclusive<u16>>> {
    let status = |text: &str| text.trim().parse::<u16>().ok().filter(|status| (200..600).contains(status));
    let range = |part: &str| match part.split_once('-') {
        Some((from, to)) => Some(status(from)?..=status(to)?),
        None => status(part).map(|status| status..=status),
    };
    text.split(',').map(range).collect()
}

#[async_trait]
impl Provider for HttpGateway {
    fn name(&self) -> &'static str {
        "http"
    }

    async fn send(&self, message: &Message) -> Result<Receipt, SendFailure> {
        let id = message.id.to_string();
        let sender = message.sender.as_deref().or(self.sender.as_deref()).unwrap_or_default();
        let values = Values { to: &message.to, text: &message.text, sender, id: &id };
        let write =
            |template: &str, escape| fill(template, &values, escape).map_err(|why| SendFailure::permanent(Reason::Refused, why));
        let url = write(self.url.expose_secret(), Escape::Form)?;
        let mut request = self.client.request(self.method.clone(), url).headers(self.headers.clone());
        if self.method != Method::GET {
            request = request.body(write(&self.body, self.escape)?);
        }
        let answer = self.client.ask(request).await?;
        if !self.success.iter().any(|range| range.contains(&answer.status.as_u16())) {
            return Err(super::client::refusal(answer.status));
        }
        Ok(Receipt { provider_id: self.named(answer.json().as_ref())? })
    }

    /// Whether anybody listens there; an unknown gateway cannot be checked further without sending an SMS.
    async fn check(&self) -> Result<(), SendFailure> {
        let origin = url::Url::parse(self.url.expose_secret()).map(|url| url.origin().ascii_serialization());
        let origin = origin.map_err(|_| SendFailure::permanent(Reason::Refused, "the address cannot be understood"))?;
        self.client.ask(self.client.request(Method::GET, origin)).await.map(drop)
    }

    /// `{"id"?, "reference"?, "status", "reason"?}`, or several as `{"receipts": […]}`; `id` is the gateway's, `reference`
    /// the `{{id}}` that it was given, `status` `sent`, `delivered` or `failed`.
    fn receipts(&self, call: &ReceiptCall<'_>) -> Result<Vec<DeliveryReport>, ReceiptError> {
        let secret = self.receipt_secret.as_ref().ok_or(ReceiptError::NotOffered)?;
        signature::check(secret.expose_secret(), call)?;
        let json: Value = serde_json::from_slice(call.body).map_err(|_| ReceiptError::Unreadable)?;
        let several = json.get("receipts").and_then(Value::as_array).map(Vec::as_slice);
        let all = several.unwrap_or(std::slice::from_ref(&json));
        if all.len() > RECEIPTS_MAX {
            return Err(ReceiptError::Unreadable);
        }
        let reports: Result<Vec<Option<DeliveryReport>>, ReceiptError> = all.iter().map(report).collect();
        Ok(reports?.into_iter().flatten().collect())
    }
}

/// One receipt; `None` for a status without meaning here.
fn report(json: &Value) -> Result<Option<DeliveryReport>, ReceiptError> {
    let text = |name: &str| match &json[name] {
        Value::String(text) => provider_id(text),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let (provider_id, reference) = (text("id"), text("reference"));
    let message = reference.as_deref().and_then(|id| id.parse().ok());
    if provider_id.is_none() && message.is_none() {
        return Err(ReceiptError::Unreadable);
    }
    let outcome = match json["status"].as_str().ok_or(ReceiptError::Unreadable)?.to_ascii_lowercase().as_str() {
        "sent" => Delivery::Sent,
        "delivered" => Delivery::Delivered,
        "failed" | "undelivered" | "rejected" | "expired" => {
            // The gateway's words, shortened. They may name the recipient, so they stay in the message's row.
            let reason: String = json["reason"].as_str().unwrap_or("the gateway reports a failure").chars().take(200).collect();
            Delivery::Failed(reason.chars().filter(|c| !c.is_control()).collect())
        }
        _ => return Ok(None),
    };
    Ok(Some(DeliveryReport { message, provider_id, outcome }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> HttpGatewayOptions {
        HttpGatewayOptions {
            url: "https://sms.example/send".to_owned().into(),
            method: "POST".into(),
            headers: Some("Authorization: Bearer hunter2\nX-A: b".to_owned().into()),
            body: r#"{"to":"{{to}}","text":"{{text}}"}"#.into(),
            id: "/id".into(),
            success: "200-299".into(),
            receipt_secret: None,
            sender: None,
        }
    }

    // MSG-8, MSG-11
    #[test]
    fn settings_are_tried_out_at_the_start() {
        assert!(HttpGateway::new(options()).is_ok());
        type Change = fn(&mut HttpGatewayOptions);
        let bad: [(Change, &str); 9] = [
            (|o| o.method = "DELETE".into(), "sms_method"),
            (|o| o.body = r#"{"to":"{{to}}","text":{{text}}}"#.into(), "sms_body"),
            (|o| o.body = r#"{"to":"{{to}}"}"#.into(), "sms_body"),
            (|o| o.body = "to={{to}}&text={{text}}&k={{key}}".into(), "sms_body"),
            (|o| o.headers = Some("hunter2".to_owned().into()), "sms_headers"),
            (|o| o.success = "ok".into(), "sms_success"),
            (|o| o.id = "id".into(), "sms_id"),
            (|o| o.method = "GET".into(), "sms_url"),
            (|o| o.url = "ftp://hunter2@x/".to_owned().into(), "address"),
        ];
        for (change, named) in bad {
            let mut with = options();
            change(&mut with);
            let Err(error) = HttpGateway::new(with) else { panic!("{named}") };
            assert!(error.to_string().contains(named) && !error.to_string().contains("hunter2"), "{error}");
        }
        let get = HttpGatewayOptions {
            method: "get".into(),
            url: "https://sms.example/send?to={{to}}&text={{text}}".to_owned().into(),
            body: String::new(),
            id: "-".into(),
            ..options()
        };
        assert!(HttpGateway::new(get).is_ok());
    }
}
