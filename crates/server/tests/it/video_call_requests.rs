//! Requests for a video call.

mod answers;
mod callbacks;
mod events;
mod shared_cases;

use crate::support::text;
use atalaya_kernel::{CompanyId, Role};
use atalaya_testkit::{Client, Person, TestApp};
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

pub const REQUESTS: &str = "/api/v1/video-call-request";

/// An insurance company that this customer works for.
pub async fn insurer_of(app: &TestApp, customer: CompanyId) -> String {
    let admin = app.as_role(Role::Admin).await;
    let body = json!({"insuranceCompany": {"name": format!("Mutua {}", app.next())}});
    let insurer = text(&admin.post("/api/v1/insuranceCompanies", body).await.ok()["insuranceCompany"]["_id"]);
    let path = format!("/api/v1/company-insurers/{customer}");
    admin.put(&path, json!({"insuranceCompanies": [insurer]})).await.ok();
    insurer
}

/// A body that asks this customer.
pub fn asking(customer: CompanyId, insurer: &str) -> Value {
    json!({"region": "Valencia/València", "customerId": customer, "insuranceCompanyId": insurer, "expedient": "EXP-7",
        "type": 1, "starterPhone": "600 123 456", "plate": "1234 bcd"})
}

/// A statement past the application.
pub async fn run(app: &TestApp, sql: &str, values: Vec<sea_orm::Value>) {
    let backend = app.db.read().get_database_backend();
    app.db.read().execute_raw(Statement::from_sql_and_values(backend, sql, values)).await.expect("the statement runs");
}

/// This person has the app open.
pub async fn go_online(app: &TestApp, person: &Person) {
    let now = app.sources.now();
    let sql = "INSERT INTO open_socket (id, node_id, user_id, company_id, session_id, connected_at, registered_at) \
               VALUES ($1, $2, $3, $4, $5, $6, $6)";
    let id = format!("socket-{}", person.id);
    let node = app.identity.node.0;
    let values = vec![id.into(), node.into(), person.id.0.into(), person.company.0.into(), app.sources.uuid().into(), now.into()];
    run(app, sql, values).await;
}

/// This person has closed the app.
pub async fn go_offline(app: &TestApp, person: &Person) {
    run(app, "DELETE FROM open_socket WHERE user_id = $1", vec![person.id.0.into()]).await;
}

/// A workshop's operator and a customer whom he may ask.
pub struct Desk<'a> {
    pub app: &'a TestApp,
    pub insurer: String,
    pub operator: Person,
    pub worker: Person,
}

impl<'a> Desk<'a> {
    pub async fn new(app: &'a TestApp) -> Self {
        let operator = app.person(Role::WorkshopOperator).await;
        let worker = app.person(Role::Worker).await;
        let insurer = insurer_of(app, worker.company).await;
        Self { app, insurer, operator, worker }
    }

    /// Somebody's browser; sessions end after an hour.
    pub async fn of(&self, person: &Person) -> Client {
        self.app.log_in(person).await
    }

    pub fn asking(&self) -> Value {
        asking(self.worker.company, &self.insurer)
    }

    /// The operator asks; answers the request.
    pub async fn ask(&self) -> Value {
        let made = self.of(&self.operator).await.post(REQUESTS, self.asking()).await.expect(201);
        made["videoCallRequest"].clone()
    }

    /// What a person sees of requests.
    pub async fn seen_by(&self, person: &Person) -> Vec<Value> {
        let seen = self.of(person).await.get(REQUESTS).await.ok();
        seen["videoCallRequests"].as_array().expect("a list").clone()
    }

    /// What this person's counter shows.
    pub async fn count(&self, person: &Person) -> u64 {
        let path = format!("/api/v1/videoCallNumber/{}", person.company);
        self.of(person).await.get(&path).await.ok()["count"].as_u64().expect("a number")
    }

    /// Texts of somebody's notifications, the newest first.
    pub async fn told(&self, person: &Person) -> Vec<String> {
        let all = self.of(person).await.get("/api/v1/notifications/get-by-user").await.ok();
        let personal = all["notificationsByUser"]["personalNotifications"].as_array().expect("a list").clone();
        personal.iter().map(|notice| text(&notice["notificationTextId"])).collect()
    }
}

pub fn respond(request: &Value) -> Value {
    json!({"activeVideoCallRequest": request})
}
