//! Requests for files and the client's uploads.

mod interruptions;
mod requests;
mod uploads;

use crate::support::{Case, text};
use atalaya_testkit::{Answer, Client, TestApp};
use axum::http::Method;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chrono::TimeDelta;
use serde_json::{Value, json};

/// A conference that lasted so many seconds and is closed.
pub async fn lasted(app: &TestApp, seconds: i64) -> Case<'_> {
    let case = Case::open(app).await;
    hold(&case, seconds).await;
    case
}

/// Both sides in the call for so many seconds, then the end.
pub async fn hold(case: &Case<'_>, seconds: i64) {
    case.accept().await;
    case.room_starts("RM_1").await;
    case.joins(&case.staff_identity(), "PA_1").await;
    case.joins("client:0001", "PA_2").await;
    case.app.advance(TimeDelta::seconds(seconds));
    case.post("conference-close", json!({})).await.ok();
}

/// A body for `client-files/new`.
pub fn asking(case: &Case<'_>, fields: Value) -> Value {
    let mut body = json!({"contactType": 1, "contactText": "Necesitamos fotos de su expediente.", "to": "600 123 456",
        "pageShowText": "Haga fotos del golpe, de cerca y de lejos.", "conferenceId": case.id, "emailTitle": null});
    body.as_object_mut().expect("an object").extend(fields.as_object().expect("an object").clone());
    body
}

pub async fn ask(case: &Case<'_>, fields: Value) -> Answer {
    case.staff.post("/api/v1/client-files/new", asking(case, fields)).await
}

/// An open request with the token of its link.
pub struct Asked<'a> {
    pub case: Case<'a>,
    pub request: Value,
    pub token: String,
}

impl<'a> Asked<'a> {
    pub async fn new(app: &'a TestApp, fields: Value) -> Self {
        let case = lasted(app, 60).await;
        let request = ask(&case, fields).await.ok()["request"].clone();
        let token = token_of(&case).await;
        Self { case, request, token }
    }

    pub fn path(&self, rest: &str) -> String {
        format!("/api/v1/external/files/{}{rest}", self.token)
    }

    /// The client's phone, speaking tus.
    pub fn phone(&self) -> Client {
        self.case.app.anonymous().with("tus-resumable", "1.0.0")
    }

    pub async fn page(&self) -> Value {
        self.case.app.anonymous().get(&self.path("")).await.ok()
    }

    pub async fn list(&self) -> Value {
        self.case.staff.get(&format!("/api/v1/client-files/{}", self.case.id)).await.ok()["requests"].clone()
    }

    pub fn item(&self, nth: usize) -> String {
        text(&self.request["items"][nth]["_id"])
    }

    /// Begins an upload; answers its address.
    pub async fn begin(&self, nth: usize, name: &str, kind: &str, size: usize, key: &str) -> Answer {
        let meta = metadata(&[("filename", name), ("filetype", kind), ("item", &self.item(nth)), ("uploadKey", key)]);
        let phone = self.phone().with("upload-length", &size.to_string()).with("upload-metadata", &meta);
        phone.send(Method::POST, &self.path("/uploads"), None).await
    }

    /// Sends bytes to an address.
    pub async fn patch(&self, address: &str, offset: usize, bytes: &[u8]) -> Answer {
        let phone = self.phone().with("upload-offset", &offset.to_string());
        phone.send_body(Method::PATCH, address, Some("application/offset+octet-stream"), bytes.to_vec()).await
    }

    pub async fn head(&self, address: &str) -> Answer {
        self.phone().send(Method::HEAD, address, None).await
    }

    /// A whole file at once; answers the last answer.
    pub async fn upload(&self, nth: usize, name: &str, kind: &str, bytes: &[u8]) -> Answer {
        let key = self.case.app.next().to_string();
        let begun = self.begin(nth, name, kind, bytes.len(), &key).await;
        if begun.status != 201 {
            return begun;
        }
        self.patch(begun.header("location").expect("an address"), 0, bytes).await
    }
}

/// The token behind the short link of the conference's last message.
pub async fn token_of(case: &Case<'_>) -> String {
    let messages = case.details().await["messages"].clone();
    let link = text(&messages.as_array().and_then(|all| all.last()).expect("a message")["link"]);
    let answer = case.app.anonymous().get(&link[link.find("/f/").expect("a short link")..]).await;
    answer.expect(302);
    answer.header("location").and_then(|to| to.strip_prefix("/external/files/")).expect("the client's page").to_owned()
}

pub fn metadata(pairs: &[(&str, &str)]) -> String {
    let pairs: Vec<String> = pairs.iter().map(|(key, value)| format!("{key} {}", STANDARD.encode(value))).collect();
    pairs.join(",")
}
