//! The bell: general and personal notifications.

mod bell;
mod general;
mod html;
mod rooms;

use crate::support::text;
use atalaya_jobs::{Handler, Job, Jobs, Worker};
use atalaya_kernel::live::{Announcer, LiveMessage};
use atalaya_kernel::{JobId, Role, UserId};
use atalaya_outreach::notifications::{AnnounceGeneral, NewNotification};
use atalaya_outreach::{Outreach, Parts};
use atalaya_testkit::{Answer, Client, TestApp};
use chrono::TimeDelta;
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// Records the messages to open screens.
#[derive(Clone, Default)]
pub struct Recorder(Arc<Mutex<Vec<LiveMessage>>>);

impl Recorder {
    pub fn take(&self) -> Vec<LiveMessage> {
        std::mem::take(&mut *self.0.lock().expect("no test panics while it holds it"))
    }

    /// The room of the application whose screens are this recorder.
    pub fn watch(&self, app: &TestApp) -> Outreach {
        let told = self.0.clone();
        let announcer = Announcer::new(move |message| told.lock().expect("as above").push(message));
        Outreach::new(Parts { announcer, ..(*app.outreach).clone() })
    }
}

/// A job worker that handles only the announcement of general notifications.
pub fn starter(app: &TestApp, outreach: &Outreach) -> Worker {
    let worker = Worker::new(app.db.clone(), Jobs::new(app.sources.clone()));
    worker.handle(AnnounceGeneral::KIND, Arc::new(AnnounceGeneral(outreach.clone())))
}

/// Runs the job that announces one again.
pub async fn start_again(outreach: &Outreach, id: &str) {
    let job = Job {
        id: JobId(uuid::Uuid::nil()),
        kind: AnnounceGeneral::KIND.into(),
        payload: json!({"id": id}),
        attempt: 2,
        max_attempts: 10,
    };
    AnnounceGeneral(outreach.clone()).run(&job).await.expect("telling twice is no error");
}

/// Writes a personal notification, as a room does.
pub async fn tell(app: &TestApp, to: &[UserId], new: &NewNotification) {
    let tx = app.db.write().await.expect("a transaction");
    let told = app.outreach.notify(&tx, to, new).await.expect("it is written");
    tx.commit().await.expect("committed");
    app.outreach.announce(told);
}

/// A body for `new-general-from-admin`, from now on for a day.
pub fn announcement(app: &TestApp, fields: Value) -> Value {
    let mut body =
        json!({"text": "Aviso", "url": "", "startAt": "", "expiresAt": at(app, TimeDelta::days(1)), "roleGroup": 0, "body": ""});
    body.as_object_mut().expect("an object").extend(fields.as_object().expect("an object").clone());
    body
}

/// A time after now.
pub fn at(app: &TestApp, after: TimeDelta) -> Value {
    json!(app.sources.now() + after)
}

/// Writes a general notification as an administrator and returns it.
pub async fn publish(app: &TestApp, fields: Value) -> Value {
    let admin = app.as_role(Role::Admin).await;
    post_general(&admin, announcement(app, fields)).await.expect(201)["notification"].clone()
}

pub async fn post_general(admin: &Client, body: Value) -> Answer {
    admin.post("/api/v1/notifications/new-general-from-admin", body).await
}

pub async fn unread(client: &Client) -> u64 {
    let answer = client.get("/api/v1/notifications/get-number-notifications").await.ok();
    answer["numberNewNotifications"].as_u64().expect("a number")
}

pub async fn panel(client: &Client) -> Value {
    client.get("/api/v1/notifications/get-by-user").await.ok()
}

/// Ids of one of the panel's lists.
pub async fn ids(client: &Client, category: &str) -> Vec<String> {
    let panel = panel(client).await;
    let rows = panel["notificationsByUser"][category].as_array().expect("a list").clone();
    rows.iter().map(|row| text(&row["_id"])).collect()
}

/// Marks by POST.
pub async fn mark(client: &Client, call: &str, id: &str) -> Answer {
    client.post(&format!("/api/v1/notifications/{call}/{id}"), json!({})).await
}
