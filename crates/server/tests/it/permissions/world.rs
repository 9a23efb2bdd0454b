//! Something of one tenant to ask for: a worker, his conference, its media.

use super::table::{self, Cell, Row};
use crate::support::{multipart, opening_with, pdf, png};
use atalaya_assistance::calls::CallEvent;
use atalaya_assistance::tasks;
use atalaya_identity::presence::service as presence;
use atalaya_kernel::Role;
use atalaya_testkit::{Answer, Client, Person, TestApp};
use axum::http::Method;
use chrono::TimeDelta;
use serde_json::{Value, json};

/// How much of a world a row needs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Needs {
    Nothing,
    /// The owner is an operator of a repairer.
    Repairer,
    /// The owner is an operator of a workshop.
    Workshop,
    Conference,
    /// A conference whose client accepted the notice, with a picture and a document.
    Media,
    /// A conference of a minute, whose client was asked for files and sent one.
    FileRequest,
    /// An API key of the owner's company.
    ApiKey,
    /// A webhook of the owner's company.
    Webhook,
    /// A registered socket of the owner.
    Socket,
    /// The owner's company works for an insurance company; no request.
    Insurer,
    /// The same, and a workshop asked it for a video call.
    VideoCall,
    /// An incidence of the owner's, with an image.
    Incidence,
    /// The owner is an operator of a workshop, and asked a customer for a video call.
    OwnVideoCall,
}

pub struct World {
    pub owner: Person,
    pub conference: String,
    /// Its case number, of no other world.
    pub expedient: String,
    pub hash: String,
    pub short_link: String,
    /// A body that accepts the notice in force.
    pub acceptance: Value,
    pub client_key: String,
    pub picture: String,
    pub picture_id: String,
    pub document: String,
    pub api_key: String,
    pub webhook: String,
    /// A request for files: its id, its link's secret, its short link, and the file that came.
    pub request: String,
    pub request_token: String,
    pub request_link: String,
    pub sent_file: String,
    /// An insurance company, and a request for a video call.
    pub insurer: String,
    pub video_call: String,
    pub incidence: String,
    pub incidence_image: String,
}

/// A request.
pub struct Ask {
    method: Method,
    path: String,
    body: Body,
    header: Option<(&'static str, String)>,
    endless: bool,
}

enum Body {
    Empty,
    Json(Value),
    Picture,
}

impl Ask {
    pub fn get(path: impl Into<String>) -> Self {
        Self::empty(Method::GET, path)
    }

    pub fn empty(method: Method, path: impl Into<String>) -> Self {
        Self { method, path: path.into(), body: Body::Empty, header: None, endless: false }
    }

    pub fn post(path: impl Into<String>, body: Value) -> Self {
        Self { body: Body::Json(body), ..Self::empty(Method::POST, path) }
    }

    pub fn put(path: impl Into<String>, body: Value) -> Self {
        Self { body: Body::Json(body), ..Self::empty(Method::PUT, path) }
    }

    /// The same by another method.
    pub fn by(mut self, method: Method) -> Self {
        self.method = method;
        self
    }

    /// A picture in a multipart body.
    pub fn file(path: impl Into<String>) -> Self {
        Self { body: Body::Picture, ..Self::empty(Method::POST, path) }
    }

    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        self.header = Some((name, value.to_owned()));
        self
    }

    /// The answer's body does not end.
    pub fn endless(mut self) -> Self {
        self.endless = true;
        self
    }

    /// What is asked for, for a message and for what an answer may repeat.
    pub fn said(&self) -> String {
        match &self.body {
            Body::Json(body) => format!("{} {} {body}", self.method, self.path),
            _ => format!("{} {}", self.method, self.path),
        }
    }

    pub fn path(&self) -> &str {
        &self.path
    }

    pub fn set_path(&mut self, path: String) {
        self.path = path;
    }

    /// The JSON body to change; an empty one becomes an object. `None` for a file.
    pub fn body_mut(&mut self) -> Option<&mut Value> {
        if matches!(self.body, Body::Empty) {
            self.body = Body::Json(json!({}));
        }
        match &mut self.body {
            Body::Json(body) => Some(body),
            _ => None,
        }
    }

    /// Status and whole text of the answer; of an answer that does not end, its status.
    pub async fn read(self, mut client: Client) -> (u16, String) {
        if self.endless {
            return self.send(client).await;
        }
        if let Some((name, value)) = &self.header {
            client = client.with(name, value);
        }
        let answer = self.answer(client).await;
        (answer.status, String::from_utf8_lossy(&answer.body).into_owned())
    }

    async fn answer(self, client: Client) -> Answer {
        match self.body {
            Body::Empty => client.send(self.method, &self.path, None).await,
            Body::Json(body) => client.send(self.method, &self.path, Some(body)).await,
            Body::Picture => {
                let (kind, body) = multipart(None, "daños.png", "image/png", &png());
                client.send_body(self.method, &self.path, Some(&kind), body).await
            }
        }
    }

    async fn send(self, mut client: Client) -> (u16, String) {
        if let Some((name, value)) = &self.header {
            client = client.with(name, value);
        }
        if self.endless {
            let (status, kind, code) = client.head_of(&self.path).await;
            assert!(status != 200 || kind.as_deref() == Some("text/event-stream"), "{kind:?}");
            return (status, code);
        }
        let answer = self.answer(client).await;
        // Good answers may have a `code` of their own.
        let code =
            if answer.status < 400 { String::new() } else { answer.json()["code"].as_str().unwrap_or_default().to_owned() };
        (answer.status, code)
    }
}

impl World {
    pub async fn new(app: &TestApp, needs: Needs) -> Self {
        let owner = match needs {
            Needs::Repairer => Role::RepairerOperator,
            Needs::Workshop | Needs::OwnVideoCall => Role::WorkshopOperator,
            _ => Role::Worker,
        };
        let mut world = World {
            owner: app.person(owner).await,
            conference: String::new(),
            expedient: String::new(),
            hash: String::new(),
            short_link: String::new(),
            acceptance: Value::Null,
            client_key: String::new(),
            picture: String::new(),
            picture_id: String::new(),
            document: String::new(),
            api_key: String::new(),
            webhook: String::new(),
            request: String::new(),
            request_token: String::new(),
            request_link: String::new(),
            sent_file: String::new(),
            insurer: String::new(),
            video_call: String::new(),
            incidence: String::new(),
            incidence_image: String::new(),
        };
        if matches!(needs, Needs::Conference | Needs::Media | Needs::FileRequest) {
            world.open(app).await;
        }
        if needs == Needs::ApiKey {
            let principal = app.person_in(world.owner.company, Role::Customer).await;
            let made = app.log_in(&principal).await.post("/api/v1/generate-apiKey", json!({})).await.ok();
            world.api_key = made["key"]["_id"].as_str().expect("an id").to_owned();
        }
        if needs == Needs::Webhook {
            let principal = app.person_in(world.owner.company, Role::Customer).await;
            let added =
                app.log_in(&principal).await.post("/api/v1/webhooks", json!({"url": "https://8.8.8.8/hook"})).await.expect(201);
            world.webhook = added["webhook"]["_id"].as_str().expect("an id").to_owned();
        }
        if needs == Needs::Socket {
            let owner = app.log_in(&world.owner).await;
            let token = owner.token.as_deref().expect("logged in");
            presence::enter(&app.identity, token, &world.socket()).await.expect("let in");
            let path = format!("/api/v1/socket-user/{}", world.owner.id);
            owner.post(&path, json!({"socketId": world.socket()})).await.ok();
        }
        if matches!(needs, Needs::Insurer | Needs::VideoCall | Needs::OwnVideoCall) {
            world.ask_for_a_call(app, needs).await;
        }
        if needs == Needs::Incidence {
            let made = crate::incidences::sent(&app.log_in(&world.owner).await).await;
            world.incidence = made["_id"].as_str().expect("an id").to_owned();
            world.incidence_image = made["images"][0]["_id"].as_str().expect("an image").to_owned();
        }
        if needs == Needs::Media {
            world.fill(app).await;
        }
        if needs == Needs::FileRequest {
            world.request_files(app).await;
        }
        world
    }

    /// The id of the owner's socket.
    pub fn socket(&self) -> String {
        format!("socket-{}", self.owner.id)
    }

    async fn ask_for_a_call(&mut self, app: &TestApp, needs: Needs) {
        let (starter, customer) = match needs {
            Needs::OwnVideoCall => (self.owner.clone(), app.person(Role::Customer).await.company),
            _ => (app.person(Role::WorkshopOperator).await, self.owner.company),
        };
        self.insurer = crate::video_call_requests::insurer_of(app, customer).await;
        if needs != Needs::Insurer {
            let asked = crate::video_call_requests::asking(customer, &self.insurer);
            let made = app.log_in(&starter).await.post("/api/v1/video-call-request", asked).await.expect(201);
            self.video_call = made["videoCallRequest"]["_id"].as_str().expect("an id").to_owned();
        }
    }

    async fn open(&mut self, app: &TestApp) {
        self.expedient = format!("EXP-{}", self.owner.id);
        let body = opening_with(json!({"expedientNumber": self.expedient}));
        let opened = app.log_in(&self.owner).await.post("/api/v1/getToken", body).await.ok();
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        self.conference = text(&opened["conference"]["_id"]);
        self.hash = text(&opened["conference"]["hash"]);
        let link = text(&opened["link"]);
        self.short_link = link[link.find("/c/").expect("a short link")..].to_owned();
        let legal = app.anonymous().get(&format!("/api/v1/external/{}", self.hash)).await.ok()["legal"].clone();
        self.acceptance = json!({"accept": true, "documentId": legal["documentId"], "version": legal["version"], "language": legal["language"]});
    }

    async fn fill(&mut self, app: &TestApp) {
        let accepted = app.anonymous().post(&format!("/api/v1/external/{}/legal", self.hash), self.acceptance.clone()).await.ok();
        self.client_key = accepted["clientKey"].as_str().expect("a key").to_owned();
        let owner = app.log_in(&self.owner).await;
        let path = format!("/api/v1/conference-media/{}", self.conference);
        for (name, kind, bytes) in [("daños.png", "image/png", png()), ("parte.pdf", "application/pdf", pdf())] {
            let (content_type, body) = multipart(None, name, kind, &bytes);
            let media = owner.send_body(Method::POST, &path, Some(&content_type), body).await.ok()["media"].clone();
            let url = media["url"].as_str().expect("an address").to_owned();
            if kind == "image/png" {
                self.picture_id = media["_id"].as_str().expect("an id").to_owned();
                self.picture = url;
            } else {
                self.document = url;
            }
        }
    }

    async fn request_files(&mut self, app: &TestApp) {
        let staff = format!("user:{}", self.owner.id);
        let room = CallEvent::RoomStarted { room: self.conference.clone(), sid: "RM_1".into() };
        tasks::handle(&app.assistance, room).await;
        for (identity, sid) in [(staff.as_str(), "PA_1"), ("client:0001", "PA_2")] {
            let event = CallEvent::Joined {
                room: self.conference.clone(),
                identity: identity.into(),
                participant_sid: sid.into(),
                name: "Alguien".into(),
            };
            tasks::handle(&app.assistance, event).await;
        }
        app.advance(TimeDelta::seconds(60));
        let owner = app.log_in(&self.owner).await;
        owner.post(&format!("/api/v1/conference-close/{}", self.conference), json!({})).await.ok();
        let body = json!({"contactType": 1, "contactText": "Fotos, por favor.", "pageShowText": "Fotos", "to": "600123456",
            "conferenceId": self.conference});
        let request = owner.post("/api/v1/client-files/new", body).await.ok()["request"].clone();
        self.request = request["_id"].as_str().expect("an id").to_owned();
        let details = owner.get(&format!("/api/v1/conferences-details/{}", self.conference)).await.ok();
        let messages = details["messages"].as_array().expect("messages");
        let link = messages.last().and_then(|m| m["link"].as_str()).expect("a link");
        self.request_link = link[link.find("/f/").expect("a short link")..].to_owned();
        let page = app.anonymous().get(&self.request_link).await;
        self.request_token = page.header("location").and_then(|to| to.rsplit('/').next()).expect("the page").to_owned();
        let phone = app.anonymous().with("tus-resumable", "1.0.0");
        let uploads = format!("/api/v1/external/files/{}/uploads", self.request_token);
        let begun = phone.clone().with("upload-length", &png().len().to_string()).send(Method::POST, &uploads, None).await;
        let address = begun.header("location").expect("an address").to_owned();
        let kind = Some("application/offset+octet-stream");
        let sent = phone.with("upload-offset", "0").send_body(Method::PATCH, &address, kind, png()).await;
        self.sent_file = sent.header("upload-media").expect("a media item").to_owned();
    }

    /// A call of the upload page.
    pub fn upload_page(&self, method: Method, rest: &str) -> Ask {
        Ask::empty(method, format!("/api/v1/external/files/{}{rest}", self.request_token)).header("tus-resumable", "1.0.0")
    }

    pub fn get(&self, call: &str) -> Ask {
        Ask::get(format!("/api/v1/{call}/{}", self.conference))
    }

    pub fn post(&self, call: &str, body: Value) -> Ask {
        Ask::post(format!("/api/v1/{call}/{}", self.conference), body)
    }

    /// A call of the client's page, with the device's key.
    pub fn client(&self, call: &str, body: Value) -> Ask {
        Ask::post(format!("/api/v1/external/{}/{call}", self.hash), body).header("x-client-key", &self.client_key)
    }

    pub async fn ask(&self, row: &Row, client: Client) -> (u16, String) {
        (row.ask)(self).send(client).await
    }

    /// The thing that was hidden exists, and its owner is answered, or its principal when workers are not.
    pub async fn assert_owner_sees_it(&self, app: &TestApp, row: &Row) {
        const OWNER: usize = 3;
        let worker = table::expected(row.access)[OWNER] == Cell::Ok;
        let person = if worker { self.owner.clone() } else { app.person_in(self.owner.company, Role::Customer).await };
        let owner = app.log_in(&person).await;
        let got = self.ask(row, owner).await;
        assert!(row.ok.contains(&(got.0, got.1.as_str())), "{} by its owner: {got:?}", row.operation);
    }
}
