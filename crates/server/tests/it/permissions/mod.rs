//! Who may do what: every operation of the API × every role × {own tenant, colleague, other tenant, nobody}.
//!
//! The expectation is written by hand from the specified permissions in [`table`], not recorded from the program. An
//! operation without a row fails, and so does a row without an operation. DO NOT SKIP an operation here, not even for
//! a first draft of it.

mod certificates;
mod client_files;
mod companies;
mod fiscal;
mod foreign;
mod incidences;
mod invitations;
mod invoices;
mod live;
mod marketing;
mod messaging;
mod notifications;
mod people;
mod privacy;
mod public_api;
mod push;
mod reviews;
mod security;
mod sepa;
mod table;
mod terms;
mod verifactu;
mod video_call_requests;
mod world;

use atalaya_kernel::Role;
use atalaya_testkit::{Client, Engine, Person, TestApp};
use std::collections::BTreeSet;
use table::{Access, Cell, Row};
use world::World;

/// Who is asking, in the order of the table's columns.
const CALLERS: [(&str, Option<Role>, Tenant); 18] = [
    ("nobody", None, Tenant::Other),
    ("1 own", Some(Role::Admin), Tenant::Own),
    ("2 own", Some(Role::Customer), Tenant::Own),
    ("3 own", Some(Role::Worker), Tenant::Own),
    ("4 own", Some(Role::Repairer), Tenant::Own),
    ("5 own", Some(Role::RepairerOperator), Tenant::Own),
    ("6 own", Some(Role::CarRepairShop), Tenant::Own),
    ("7 own", Some(Role::WorkshopOperator), Tenant::Own),
    ("8 own", Some(Role::PasswordOperator), Tenant::Own),
    ("3 colleague", Some(Role::Worker), Tenant::Colleague),
    ("1 other", Some(Role::Admin), Tenant::Other),
    ("2 other", Some(Role::Customer), Tenant::Other),
    ("3 other", Some(Role::Worker), Tenant::Other),
    ("4 other", Some(Role::Repairer), Tenant::Other),
    ("5 other", Some(Role::RepairerOperator), Tenant::Other),
    ("6 other", Some(Role::CarRepairShop), Tenant::Other),
    ("7 other", Some(Role::WorkshopOperator), Tenant::Other),
    ("8 other", Some(Role::PasswordOperator), Tenant::Other),
];

/// Where the caller stands to the thing asked for.
#[derive(Clone, Copy, PartialEq)]
enum Tenant {
    /// The owner's company; role 3 is the owner himself. Roles that no customer has are put into it all the same, so
    /// that it is the role that refuses them. Administrators and password operators belong to the platform.
    Own,
    /// Another worker of the owner's company.
    Colleague,
    Other,
}

async fn client_of(app: &TestApp, world: &World, nth: usize) -> Client {
    let (_, role, tenant) = CALLERS[nth];
    // Everybody has his own address, so that no limiter of addresses gets in the way.
    let address = [10, 0, 0, u8::try_from(nth).expect("few callers")];
    let Some(role) = role else { return app.anonymous().from(address) };
    let person: Person = match (tenant, role) {
        (_, Role::Admin | Role::PasswordOperator) => app.person(role).await,
        (Tenant::Own, Role::Worker) => world.owner.clone(),
        (Tenant::Own | Tenant::Colleague, _) => app.person_in(world.owner.company, role).await,
        (Tenant::Other, _) => app.person(role).await,
    };
    app.log_in(&person).await.from(address)
}

async fn check(app: &TestApp, row: &Row, failures: &mut Vec<String>) {
    let mut world = World::new(app, row.needs).await;
    let cells = table::expected(row.access);
    assert_eq!(cells.len(), CALLERS.len());
    for (nth, (who, ..)) in CALLERS.iter().enumerate() {
        if row.fresh && nth > 0 {
            world = World::new(app, row.needs).await;
        }
        let cell = cells[nth];
        let client = client_of(app, &world, nth).await;
        let (status, code) = world.ask(row, client).await;
        let fits = match cell {
            Cell::Ok => row.ok.contains(&(status, code.as_str())),
            Cell::NoSession => (status, code.as_str()) == (401, "SESSION_REQUIRED"),
            Cell::NoKey => (status, code.as_str()) == (401, "API_KEY_REQUIRED"),
            Cell::Role => (status, code.as_str()) == (403, row.refused),
            Cell::Hidden => (status, code.as_str()) == (404, row.hidden),
        };
        if !fits {
            failures.push(format!("{} by {who}: expected {cell:?}, got {status} {code}", row.operation));
        }
        if cell == Cell::Hidden {
            world.assert_owner_sees_it(app, row).await;
        }
    }
}

async fn matrix(engine: Engine, rows: &[Row]) {
    let Some(app) = TestApp::on(engine).await else {
        eprintln!("{}", atalaya_testkit::databases::NO_POSTGRES);
        return;
    };
    let mut failures = Vec::new();
    for row in rows {
        check(&app, row, &mut failures).await;
    }
    assert!(failures.is_empty(), "{} cells differ:\n{}", failures.len(), failures.join("\n"));
}

/// The rows of all rooms, and of each room a test on either engine.
macro_rules! rooms {
    ($($name:ident: $rows:expr),+ $(,)?) => {
        const ROOMS: &[&[Row]] = &[$($rows),+];

        mod cells {
            $(mod $name {
                #[tokio::test]
                async fn sqlite() {
                    super::super::matrix(atalaya_testkit::Engine::Sqlite, super::super::$name()).await;
                }

                #[tokio::test]
                async fn postgres() {
                    super::super::matrix(atalaya_testkit::Engine::Postgres, super::super::$name()).await;
                }
            })+
        }

        $(fn $name() -> &'static [Row] {
            $rows
        })+
    };
}

rooms! {
    calls: table::CALLS,
    invitations: invitations::ROWS,
    companies: companies::ROWS,
    fiscal: fiscal::ROWS,
    security: security::ROWS,
    people: people::ROWS,
    public_api: public_api::ROWS,
    client_files: client_files::ROWS,
    certificates: certificates::ROWS,
    privacy: privacy::ROWS,
    live: live::ROWS,
    messaging: messaging::ROWS,
    marketing: marketing::ROWS,
    notifications: notifications::ROWS,
    invoices: invoices::ROWS,
    sepa: sepa::ROWS,
    terms: terms::ROWS,
    verifactu: verifactu::ROWS,
    push: push::ROWS,
    video_call_requests: video_call_requests::ROWS,
    reviews: reviews::ROWS,
    incidences: incidences::ROWS,
}

fn table() -> impl Iterator<Item = &'static Row> {
    ROOMS.iter().copied().flatten()
}

/// Every operation of the API description as `METHOD /path`, with whether it may be called without a session.
pub fn operations(api: &utoipa::openapi::OpenApi) -> Vec<(String, bool)> {
    let document = serde_json::to_value(api).expect("a description is plain data");
    let mut all = Vec::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("a path item") {
            let security = operation.get("security").or_else(|| document.get("security"));
            let schemes = security.and_then(|list| list.as_array()).expect("the default is a session");
            let public = schemes.is_empty() || schemes.iter().any(|scheme| scheme.as_object().is_some_and(|s| s.is_empty()));
            all.push((format!("{} {path}", method.to_uppercase()), public));
        }
    }
    all
}

// ACCESS-1
#[tokio::test]
async fn every_operation_has_a_row_and_says_truly_whether_it_needs_a_session() {
    let app = TestApp::on(Engine::Sqlite).await.expect("SQLite needs nothing");
    let operations = operations(&app.openapi);
    let have: BTreeSet<&str> = operations.iter().map(|(operation, _)| operation.as_str()).collect();
    let rows: BTreeSet<&str> = table().map(|row| row.operation).collect();
    assert_eq!(rows.len(), table().count(), "one row per operation");
    let without: Vec<_> = have.difference(&rows).collect();
    let stale: Vec<_> = rows.difference(&have).collect();
    assert!(without.is_empty() && stale.is_empty(), "operations without a row: {without:?}; rows without: {stale:?}");
    for (operation, public) in &operations {
        let row = table().find(|row| row.operation == operation).expect("checked above");
        assert_eq!(*public, row.access == Access::Public, "{operation}: its `security` in the API description");
    }
}
