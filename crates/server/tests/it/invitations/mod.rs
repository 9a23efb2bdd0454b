//! Invitations and what they become.

mod accounts;
mod companies;
mod lifecycle;

use atalaya_kernel::{CompanyId, CompanyKind, Role};
use atalaya_messaging::{Message, OutboxFilter};
use atalaya_testkit::{Answer, Person, TestApp};
use chrono::TimeDelta;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

/// Strong enough for anybody.
pub const PASSWORD: &str = "caballo-correcto-grapa";

/// Where companies that registered themselves are announced when nothing else is configured.
pub const MAILBOX: &str = "admin@localhost";

/// The newest message to an address.
pub async fn message_to(app: &TestApp, to: &str) -> Message {
    let filter = OutboxFilter { channel: None, to: Some(to.to_owned()), limit: 1, ..Default::default() };
    let mut found = app.outbox.list(app.db.read(), filter).await.expect("the outbox is read");
    found.pop().unwrap_or_else(|| panic!("no message to {to}"))
}

/// What a provider's refusal leaves behind.
pub async fn fail(app: &TestApp, to: &str) {
    let sql = format!("UPDATE outbox SET state = 'failed' WHERE to_address = '{to}'");
    app.db.read().execute_unprepared(&sql).await.expect("the message is marked");
}

pub async fn messages_to(app: &TestApp, to: &str) -> usize {
    let filter = OutboxFilter { channel: None, to: Some(to.to_owned()), limit: 50, ..Default::default() };
    app.outbox.list(app.db.read(), filter).await.expect("the outbox is read").len()
}

/// The path of a message's link and the token at its end.
pub fn link_of(message: &Message) -> (String, String) {
    let link = message.link.clone().expect("a link");
    assert!(message.text.contains(&link), "the link is in the text");
    let path = link.strip_prefix("http://localhost:8080").unwrap_or_else(|| panic!("{link} is not ours")).to_owned();
    let token = path.rsplit('/').next().expect("a token").to_owned();
    (path, token)
}

/// An invitation by somebody, to an address in its stored form; answers the token that was sent.
pub async fn invite(app: &TestApp, by: &Person, to: &str, role: Role, customer: Option<CompanyId>) -> String {
    // So that what comes later is later.
    app.advance(TimeDelta::milliseconds(1));
    let client = app.log_in(by).await;
    let body = json!({"emailOPhone": to, "type": i16::from(role), "customerId": customer});
    client.post("/api/v1/activation", body).await.ok();
    link_of(&message_to(app, to).await).1
}

/// A principal with a company of its kind.
pub async fn principal(app: &TestApp, kind: CompanyKind, name: &str) -> Person {
    let company = app.company(kind, name).await;
    let role = Role::try_from(i16::from(kind)).expect("a principal's role");
    app.person_in(company, role).await
}

pub fn user_body(company: CompanyId, token: &str) -> Value {
    json!({"customerId": company, "token": token,
        "user": {"name": "Ana", "surname": "Ruiz", "phone": "600 11 22 33", "password": PASSWORD, "legal": true}})
}

pub fn company_form() -> Value {
    json!({"cif": "B-64717838", "name": "Carmen Soler Gil", "company": "Peritos Soler S.L.", "address": "Calle Mayor, 1",
        "city": "Valencia", "region": "Valencia", "postalCode": "46001", "email": "otra@ejemplo.es", "phone": "",
        "mobile": "600 12 34 56", "legal": true, "password": PASSWORD})
}

/// The form with some fields changed.
pub fn with(mut form: Value, fields: Value) -> Value {
    form.as_object_mut().expect("an object").extend(fields.as_object().expect("an object").clone());
    form
}

pub async fn register(app: &TestApp, noun: &str, form: Value, token: &str) -> Answer {
    let body: Value = [(noun.to_owned(), form), ("token".to_owned(), json!(token))].into_iter().collect();
    app.anonymous().post(&format!("/api/v1/{noun}"), body).await
}

/// `field CODE` of every wrong field.
pub fn codes(problem: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let errors = problem["errors"].as_array().expect("fields").iter();
    errors.map(|error| format!("{} {}", text(&error["field"]), text(&error["code"]))).collect()
}

pub async fn is_refused(app: &TestApp, token: &str, code: &str) {
    let body = json!({"activationToken": token});
    app.anonymous().post("/api/v1/verify-token-activation", body.clone()).await.problem(422, code);
    app.anonymous().post("/api/v1/activation-email-token", body).await.problem(422, code);
}
