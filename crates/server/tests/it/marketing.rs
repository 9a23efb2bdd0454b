//! Advertising: consent and its proof, links, the suppression list.

mod campaigns;
mod consent;
mod links;

use atalaya_messaging::{Message, OutboxFilter};
use atalaya_testkit::{Answer, Client, TestApp};
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

/// A text from the first row of a query.
pub async fn value(app: &TestApp, sql: &str) -> String {
    let db = app.db.read();
    let row = db.query_one_raw(Statement::from_string(db.get_database_backend(), sql)).await.expect("it is read");
    row.expect("a row").try_get_by_index(0).expect("a text")
}

pub async fn count(app: &TestApp, sql: &str) -> i64 {
    let db = app.db.read();
    let row = db.query_one_raw(Statement::from_string(db.get_database_backend(), sql)).await.expect("it is read");
    row.expect("a row").try_get_by_index(0).expect("a number")
}

/// Everything in the outbox to an address, newest first.
pub async fn messages_to(app: &TestApp, to: &str) -> Vec<Message> {
    let filter = OutboxFilter { to: Some(to.to_owned()), limit: 100, ..OutboxFilter::default() };
    app.outbox.list(app.db.read(), filter).await.expect("the outbox is read")
}

/// The token of a link.
pub fn token_of(link: &str) -> String {
    link.rsplit('/').next().expect("a token").to_owned()
}

pub async fn allow(client: &Client, allow: impl Into<Value>) -> Answer {
    client.post("/api/v1/marketing-consent", json!({"allow": allow.into()})).await
}

pub async fn own(client: &Client) -> Value {
    client.get("/api/v1/marketing-consent").await.ok()
}

pub async fn read(app: &TestApp, token: &str) -> Answer {
    app.anonymous().post("/api/v1/marketing-token", json!({"marketingToken": token})).await
}

/// An answer on the page of a link.
pub async fn respond(app: &TestApp, token: &str, email: &str, allow: impl Into<Value>) -> Answer {
    let page = app.anonymous().with_token(token).with("user-agent", "Mozilla/5.0 (prueba)");
    page.post("/api/v1/marketing-response", json!({"email": email, "allow": allow.into()})).await
}
