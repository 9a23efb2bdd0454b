//! A conference to talk about, and bodies to send.

use atalaya_assistance::calls::{CallEvent, Gone};
use atalaya_assistance::media::{NewMedia, service::CaptureMeta};
use atalaya_assistance::media_items::Origin;
use atalaya_assistance::{Parts, tasks};
use atalaya_cases::evidence::Actor;
use atalaya_kernel::Role;
use atalaya_testkit::{Answer, Client, Person, TestApp};
use axum::http::Method;
use chrono::TimeDelta;
use serde_json::{Value, json};

/// A body for `getToken`.
pub fn opening() -> Value {
    json!({"phoneNumber": "+34600123456", "expedientNumber": "EXP-1", "type": 2, "contactPerson": "Luis"})
}

/// The opening with other fields.
pub fn opening_with(fields: Value) -> Value {
    let mut body = opening();
    let all = body.as_object_mut().expect("an object");
    all.extend(fields.as_object().expect("an object").clone());
    body
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

/// The parts of the application, for a test that puts another one in.
pub fn parts_of(app: &TestApp) -> Parts {
    Parts::clone(&app.assistance)
}

/// A picture that the client's device took in the call.
pub fn still(bytes: &'static [u8]) -> NewMedia {
    NewMedia {
        bytes: bytes.into(),
        origin: Origin::Call,
        actor: Actor::Client,
        participant: "client:00000000".into(),
        meta: CaptureMeta::default(),
        picture_only: true,
    }
}

/// A worker's open conference.
pub struct Case<'a> {
    pub app: &'a TestApp,
    pub owner: Person,
    /// The owner's browser. Sessions end after an hour: [`Case::staff`] logs in anew.
    pub staff: Client,
    /// The answer of `getToken`.
    pub opened: Value,
    pub id: String,
    pub hash: String,
}

impl<'a> Case<'a> {
    pub async fn open(app: &'a TestApp) -> Self {
        Self::open_with(app, json!({})).await
    }

    pub async fn open_with(app: &'a TestApp, fields: Value) -> Self {
        let owner = app.person(Role::Worker).await;
        Self::open_by(app, owner, fields).await
    }

    pub async fn open_by(app: &'a TestApp, owner: Person, fields: Value) -> Self {
        let staff = app.log_in(&owner).await;
        let opened = staff.post("/api/v1/getToken", opening_with(fields)).await.ok();
        let (id, hash) = (text(&opened["conference"]["_id"]), text(&opened["conference"]["hash"]));
        Self { app, owner, staff, opened, id, hash }
    }

    /// Logs the owner in again, after the clock has moved.
    pub async fn log_in_again(&mut self) {
        self.staff = self.app.log_in(&self.owner).await;
    }

    pub async fn details(&self) -> Value {
        self.staff.get(&format!("/api/v1/conferences-details/{}", self.id)).await.ok()
    }

    /// A call about the conference by its owner.
    pub async fn post(&self, call: &str, body: Value) -> Answer {
        self.staff.post(&format!("/api/v1/{call}/{}", self.id), body).await
    }

    /// The names of the tracks, in their order.
    pub async fn tracks(&self) -> Vec<String> {
        let details = self.details().await;
        details["tracks"].as_array().expect("tracks").iter().map(|track| text(&track["type"])).collect()
    }

    /// State and reason of a step of the client's progress.
    pub async fn step(&self, name: &str) -> (String, Option<String>) {
        let details = self.details().await;
        let steps = details["progress"]["steps"].as_array().expect("six steps").clone();
        let step = steps.iter().find(|step| step["step"] == name).expect("a step of this name");
        (text(&step["state"]), step["reason"].as_str().map(str::to_owned))
    }

    /// The client's link, read.
    pub async fn link(&self) -> Value {
        self.app.anonymous().get(&format!("/api/v1/external/{}", self.hash)).await.ok()
    }

    /// A call of the client's page without a key.
    pub async fn client(&self, call: &str, body: Value) -> Answer {
        self.app.anonymous().post(&format!("/api/v1/external/{}/{call}", self.hash), body).await
    }

    /// The same with a device's key.
    pub async fn client_with(&self, key: &str, call: &str, body: Value) -> Answer {
        let client = self.app.anonymous().with("x-client-key", key);
        client.post(&format!("/api/v1/external/{}/{call}", self.hash), body).await
    }

    /// A body that answers the notice in force.
    pub async fn notice(&self, accept: bool) -> Value {
        let legal = self.link().await["legal"].clone();
        json!({"accept": accept, "documentId": legal["documentId"], "version": legal["version"], "language": legal["language"]})
    }

    /// The client accepts; answers the device's key.
    pub async fn accept(&self) -> String {
        text(&self.client("legal", self.notice(true).await).await.ok()["clientKey"])
    }

    /// The client accepts, answers the browser's questions with these steps and joins; both sides are in the call then.
    /// Answers the device's key.
    pub async fn enters(&self, steps: impl IntoIterator<Item = Value>) -> String {
        let key = self.accept().await;
        for step in steps {
            self.app.advance(TimeDelta::milliseconds(1234));
            self.client_with(&key, "track", step).await.expect(204);
        }
        let joined = self.client_with(&key, "join", json!({"camera": true, "microphone": true})).await.ok();
        self.room_starts("RM_1").await;
        self.joins(&self.staff_identity(), "PA_1").await;
        self.joins(&text(&joined["identity"]), "PA_2").await;
        key
    }

    /// What the media engine tells when somebody comes.
    pub async fn joins(&self, identity: &str, sid: &str) {
        let event = CallEvent::Joined {
            room: self.id.clone(),
            identity: identity.into(),
            participant_sid: sid.into(),
            name: "Alguien".into(),
        };
        tasks::handle(&self.app.assistance, event).await;
    }

    pub async fn leaves(&self, identity: &str, sid: &str) {
        self.goes(identity, sid, Gone::Lost).await;
    }

    pub async fn goes(&self, identity: &str, sid: &str, gone: Gone) {
        let event = CallEvent::Left { room: self.id.clone(), identity: identity.into(), participant_sid: sid.into(), gone };
        tasks::handle(&self.app.assistance, event).await;
    }

    pub async fn room_starts(&self, sid: &str) {
        tasks::handle(&self.app.assistance, CallEvent::RoomStarted { room: self.id.clone(), sid: sid.into() }).await;
    }

    /// The owner's identity in the media room.
    pub fn staff_identity(&self) -> String {
        format!("user:{}", self.owner.id)
    }

    /// The owner uploads a file; answers the media item.
    pub async fn upload(&self, name: &str, kind: &str, bytes: &[u8]) -> Answer {
        let (content_type, body) = multipart(None, name, kind, bytes);
        let path = format!("/api/v1/conference-media/{}", self.id);
        self.staff.send_body(Method::POST, &path, Some(&content_type), body).await
    }

    /// The client's device sends a still.
    pub async fn capture(&self, key: &str, meta: &Value, bytes: &[u8]) -> Answer {
        let (content_type, body) = multipart(Some(meta), "foto.png", "image/png", bytes);
        let path = format!("/api/v1/external/{}/media", self.hash);
        self.app.anonymous().with("x-client-key", key).send_body(Method::POST, &path, Some(&content_type), body).await
    }
}

/// Content type and body of a form with a file.
pub fn multipart(meta: Option<&Value>, name: &str, kind: &str, bytes: &[u8]) -> (String, Vec<u8>) {
    let meta = meta.map(Value::to_string);
    let fields: Vec<(&str, &str)> = meta.iter().map(|meta| ("meta", meta.as_str())).collect();
    multipart_with(&fields, name, kind, bytes)
}

/// A form with these texts and then the file.
pub fn multipart_with(fields: &[(&str, &str)], name: &str, kind: &str, bytes: &[u8]) -> (String, Vec<u8>) {
    let field =
        |(field, text): &(&str, &str)| format!("--frame\r\nContent-Disposition: form-data; name=\"{field}\"\r\n\r\n{text}\r\n");
    let fields: String = fields.iter().map(field).collect();
    let head =
        format!("--frame\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\nContent-Type: {kind}\r\n\r\n");
    let body = [fields.as_bytes(), head.as_bytes(), bytes, b"\r\n--frame--\r\n"].concat();
    ("multipart/form-data; boundary=frame".to_owned(), body)
}

/// A picture of one grey pixel.
pub fn png() -> Vec<u8> {
    let hex = "89504e470d0a1a0a0000000d49484452000000010000000108000000003a7e9b550000000a49444154789c63680000008200\
               8177cd72b60000000049454e44ae426082";
    hex::decode(hex).expect("hex")
}

pub fn pdf() -> Vec<u8> {
    b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n\
      trailer<</Root 1 0 R>>\n%%EOF\n"
        .to_vec()
}

/// Lower-case hex of SHA-256.
pub fn sha256(bytes: &[u8]) -> String {
    hex::encode(aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, bytes))
}
