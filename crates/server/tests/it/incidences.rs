//! Incidences: sending, reading, answering, moving, keeping.

mod lifecycle;
mod lists;
mod registration;
mod retention;

use crate::support::png;
use atalaya_testkit::{Answer, Client, TestApp};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

/// A picture as the modal sends it.
pub fn picture(name: &str, kind: &str, bytes: &[u8]) -> Value {
    json!({"src": format!("data:{kind};base64,{}", STANDARD.encode(bytes)), "name": name})
}

/// A general incidence.
pub fn general() -> Value {
    json!({"type": 2, "reason": 5, "comments": "No encuentro el informe de octubre."})
}

pub async fn send(client: &Client, incidence: Value, files: Value) -> Answer {
    client.post("/api/v1/send-incidence", json!({"incidence": incidence, "files": files, "user": {"_id": "ignored"}})).await
}

/// Sends a general incidence with an image and returns it.
pub async fn sent(client: &Client) -> Value {
    send(client, general(), json!([picture("pantalla.png", "image/png", &png())])).await.expect(201)["incidence"].clone()
}

pub fn id(incidence: &Value) -> String {
    incidence["_id"].as_str().expect("an id").to_owned()
}

async fn change(client: &Client, incidence: &str, mut wish: Value) -> Answer {
    wish["_id"] = incidence.into();
    client.put("/api/v1/incidence/", json!({"incidence": wish})).await
}

async fn read(client: &Client, incidence: &str) -> Value {
    client.get(&format!("/api/v1/incidence/{incidence}")).await.ok()["incidence"].clone()
}

/// Actions of the log with their values.
async fn log(client: &Client, incidence: &str) -> Vec<(String, Value, Value)> {
    let logs = client.get(&format!("/api/v1/logs/{incidence}")).await.ok()["logs"].clone();
    let line = |line: &Value| (line["action"].as_str().expect("an action").to_owned(), line["from"].clone(), line["to"].clone());
    logs.as_array().expect("a list").iter().map(line).collect()
}

/// Purpose, recipient and subject of the messages about incidences, in order.
async fn mails(app: &TestApp) -> Vec<(String, String, String)> {
    let sql = "SELECT purpose, to_address, subject FROM outbox WHERE purpose LIKE 'incidence%' ORDER BY created_at, id";
    let rows = rows(app, sql).await;
    let text = |row: &sea_orm::QueryResult, column: &str| row.try_get::<String>("", column).expect("a text");
    rows.iter().map(|row| (text(row, "purpose"), text(row, "to_address"), text(row, "subject"))).collect()
}

pub async fn rows(app: &TestApp, sql: &str) -> Vec<sea_orm::QueryResult> {
    let backend = app.db.read().get_database_backend();
    app.db.read().query_all_raw(Statement::from_string(backend, sql)).await.expect("the query runs")
}

/// Key, number and address of a user's notifications about incidences, the newest first.
async fn bell(client: &Client) -> Vec<(String, String, String)> {
    let all = client.get("/api/v1/notifications/get-by-user").await.ok();
    let personal = all["notificationsByUser"]["personalNotifications"].as_array().expect("a list").clone();
    let text = |row: &Value, field: &str| row[field].as_str().unwrap_or_default().to_owned();
    let line = |row: &Value| (text(row, "notificationTextId"), text(row, "expedientNumber"), text(row, "url"));
    personal.iter().map(line).filter(|(key, ..)| key.starts_with("incidence")).collect()
}
