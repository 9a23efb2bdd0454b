//! Foreign ids in every place where an id can stand: path, query, body, nested, alone and beside one's own.
//!
//! The places come from the API description ([`fields`]), the requests from the table of permissions, the ids from
//! everything that other tenants have ([`victims`]). Nothing of it may be told, and nothing of it may be changed: the whole
//! database is compared after every operation ([`database`]).

mod database;
mod fields;
mod victims;

use super::table::{self, Access, Cell, Row};
use super::world::{Ask, Needs, World};
use crate::support::text;
use atalaya_kernel::Role;
use atalaya_testkit::people::kind_of;
use atalaya_testkit::{Client, TestApp, both_engines};
use chrono::TimeDelta;
use database::{Stored, Tables};
use fields::{Class, Field, Place, Reader};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use victims::Victims;

/// What may be answered about others, or done to them, and why.
const BY_RIGHT: &[(&str, &str)] = &[
    ("GET /api/v1/get-parent/{id}", "the name of a company, to everybody"),
    ("GET /api/v1/legalbylanguage/{legalId}/{languageCode}", "the texts in force, to everybody"),
    ("GET /api/v1/legal-id/{id}", "the texts in force, to everybody"),
    ("GET /api/v1/price-id/{id}", "the prices in force, to everybody"),
    ("GET /api/v1/customer-insurance/{companyId}", "the customers of an insurance company, to those who ask them"),
    ("GET /api/v1/availability/{companyId}", "whether a customer can be asked, to those who ask (REQUEST-17)"),
    ("POST /api/v1/video-call-request", "any customer of an insurance company can be asked"),
];

/// Tables that write down what was tried.
const NOTED: &[&str] = &["audit_entry", "audit_chain", "audit_read", "login_failure", "api_request", "session"];

/// Who tries.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Attacker {
    Nobody,
    /// With an API key of its own company.
    Program,
    Role(Role),
}

const ROLES: [Role; 6] =
    [Role::Customer, Role::Worker, Role::Repairer, Role::RepairerOperator, Role::CarRepairShop, Role::WorkshopOperator];

/// The attacker's own things and its browser.
struct Home {
    world: World,
    client: Client,
}

async fn home(app: &TestApp, needs: Needs, who: Attacker) -> Home {
    let world = World::new(app, needs).await;
    let client = match who {
        Attacker::Nobody => app.anonymous(),
        Attacker::Program => {
            let principal = app.person_in(world.owner.company, Role::Customer).await;
            let made = app.log_in(&principal).await.post("/api/v1/generate-apiKey", json!({})).await.ok();
            app.anonymous().with("x-api-key", &text(&made["apiKey"]))
        }
        Attacker::Role(role) if role == world.owner.role => app.log_in(&world.owner).await,
        Attacker::Role(role) if kind_of(role) == kind_of(world.owner.role) => {
            app.log_in(&app.person_in(world.owner.company, role).await).await
        }
        Attacker::Role(role) => app.as_role(role).await,
    };
    let nth = app.next().to_be_bytes();
    Home { world, client: client.from([10, nth[1], nth[2], nth[3]]) }
}

fn set_in(target: &mut Value, way: &[String], value: Value) {
    let Some((step, rest)) = way.split_first() else {
        *target = value;
        return;
    };
    if step == "0" {
        if !target.is_array() {
            *target = json!([]);
        }
        let list = target.as_array_mut().expect("a list");
        if list.is_empty() {
            list.push(Value::Null);
        }
        set_in(&mut list[0], rest, value);
    } else {
        if !target.is_object() {
            *target = json!({});
        }
        set_in(&mut target[step], rest, value);
    }
}

/// Puts a value in its place; false where the request is a file and has no such place.
fn put(ask: &mut Ask, field: &Field, value: &Value) -> bool {
    let plain = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match &field.place {
        Place::Path(nth) => {
            let (path, query) = ask.path().split_once('?').unwrap_or((ask.path(), ""));
            let mut segments: Vec<&str> = path.split('/').collect();
            segments[*nth] = &plain;
            let query = if query.is_empty() { String::new() } else { format!("?{query}") };
            ask.set_path(format!("{}{query}", segments.join("/")));
        }
        Place::Query => {
            let (path, query) = ask.path().split_once('?').unwrap_or((ask.path(), ""));
            let own = format!("{}=", field.name);
            let others = query.split('&').filter(|pair| !pair.is_empty() && !pair.starts_with(&own));
            let pairs: Vec<String> = others.map(str::to_owned).chain([format!("{own}{plain}")]).collect();
            ask.set_path(format!("{path}?{}", pairs.join("&")));
        }
        Place::Body(way) => {
            let Some(body) = ask.body_mut() else { return false };
            set_in(body, way, value.clone());
        }
    }
    true
}

/// The values that are tried in a place.
fn values(victims: &Victims, row: &Row, field: &Field, all: bool) -> Vec<Value> {
    if field.class == Class::Search {
        return victims.texts.iter().map(|text| json!(text)).collect();
    }
    let mut ids: BTreeSet<String> = victims.main.iter().cloned().collect();
    if let Place::Path(nth) = field.place {
        let theirs = (row.ask)(victims.world(row.needs));
        let path = theirs.path().split('?').next().unwrap_or_default();
        ids.extend(path.split('/').nth(nth).map(str::to_owned));
    }
    if all {
        ids.extend(victims.pool.iter().cloned());
    }
    let mut values: Vec<Value> = ids.iter().map(|id| json!(id)).collect();
    // A few take the thing itself instead of its id.
    if matches!(field.name.as_str(), "activeVideoCallRequest" | "customer") && matches!(field.place, Place::Body(_)) {
        values.extend(ids.iter().map(|id| json!({ "_id": id })));
    }
    values
}

struct Attack<'a> {
    app: &'a TestApp,
    tables: Tables,
    victims: Victims,
    known: BTreeSet<Stored>,
    homes: Vec<((Needs, Attacker), Home)>,
    tries: usize,
    failures: Vec<String>,
}

impl<'a> Attack<'a> {
    async fn new(app: &'a TestApp) -> Self {
        let tables = Tables::of(app).await;
        let victims = Victims::new(app, &tables).await;
        let known = tables.read(app).await;
        Self { app, tables, victims, known, homes: Vec::new(), tries: 0, failures: Vec::new() }
    }

    async fn home(&mut self, needs: Needs, who: Attacker) -> &Home {
        let at = match self.homes.iter().position(|(key, _)| *key == (needs, who)) {
            Some(at) => at,
            None => {
                let made = home(self.app, needs, who).await;
                self.homes.push(((needs, who), made));
                self.homes.len() - 1
            }
        };
        &self.homes[at].1
    }

    fn leave(&mut self, needs: Needs, who: Attacker) {
        self.homes.retain(|(key, _)| *key != (needs, who));
    }

    /// One request, and what must not come of it. `make` builds it from the attacker's own things.
    async fn try_one(
        &mut self,
        row: &Row,
        who: Attacker,
        needs_acceptance: bool,
        make: impl Fn(&World, &Victims) -> Option<Ask>,
    ) {
        self.tries += 1;
        for again in [false, true] {
            self.home(row.needs, who).await;
            let home = &self.homes.iter().find(|(key, _)| *key == (row.needs, who)).expect("made").1;
            let Some(ask) = make(&home.world, &self.victims) else { return };
            let said = ask.said();
            let (status, answer) = ask.read(home.client.clone()).await;
            let limited = status == 429;
            if !again && (limited || (status == 401 && who != Attacker::Nobody)) {
                // The attacker has ended its own session, or asked too much: somebody like it goes on.
                self.leave(row.needs, who);
                if limited {
                    self.app.advance(TimeDelta::seconds(61));
                }
                continue;
            }
            let mut wrong = Vec::new();
            if limited {
                wrong.push("is refused for its number alone".to_owned());
            }
            if status >= 500 && !row.ok.iter().any(|(known, _)| *known == status) {
                wrong.push("fails".to_owned());
            }
            if !BY_RIGHT.iter().any(|(operation, _)| *operation == row.operation) {
                let told = self
                    .victims
                    .secrets
                    .iter()
                    .find(|secret| answer.contains(secret.as_str()) && !said.contains(secret.as_str()));
                wrong.extend(told.map(|secret| format!("tells {secret}")));
                if needs_acceptance && status < 300 {
                    wrong.push("is accepted".to_owned());
                }
            }
            for what in wrong {
                let mut answer = answer.clone();
                answer.truncate(answer.char_indices().nth(300).map_or(answer.len(), |(at, _)| at));
                self.failures.push(format!("{said} by {who:?} {what}: {status} {answer}"));
            }
            return;
        }
    }

    async fn operation(&mut self, row: &Row, fields: &[Field]) {
        let attackers: Vec<Attacker> = match row.access {
            Access::Public => vec![Attacker::Nobody],
            Access::ApiKey => vec![Attacker::Program],
            _ => ROLES.map(Attacker::Role).to_vec(),
        };
        // Every id there is by the first who may; the others try what most things hang on.
        let mut all = true;
        for who in attackers {
            let cell = match who {
                Attacker::Role(role) => table::expected(row.access)[usize::try_from(i16::from(role)).expect("a small number")],
                _ => Cell::Ok,
            };
            // The secret of a link is what opens it: only an id beside it is foreign.
            if who != Attacker::Nobody {
                let named = fields.iter().any(|field| matches!(field.place, Place::Path(_)) && field.class == Class::Id);
                self.try_one(row, who, named, |_, victims| Some((row.ask)(victims.world(row.needs)))).await;
            }
            if cell == Cell::Role {
                continue;
            }
            for field in fields {
                if row.fresh {
                    self.leave(row.needs, who);
                }
                let by_path = matches!(field.place, Place::Path(_));
                for value in values(&self.victims, row, field, all) {
                    self.try_one(row, who, by_path, |own, _| {
                        let mut ask = (row.ask)(own);
                        put(&mut ask, field, &value).then_some(ask)
                    })
                    .await;
                }
            }
            all = false;
        }
        self.compare(row).await;
    }

    /// Nothing of the victims' has changed, and nothing new hangs on it.
    async fn compare(&mut self, row: &Row) {
        let now = self.tables.read(self.app).await;
        let by_right = BY_RIGHT.iter().any(|(operation, _)| *operation == row.operation);
        let gone: Vec<Stored> = self.victims.rows.difference(&now).cloned().collect();
        for lost in &gone {
            self.victims.rows.remove(lost);
            if !by_right {
                self.failures.push(format!("{} changed {}", row.operation, self.tables.shown(lost)));
            }
        }
        let new = now.difference(&self.known).filter(|one| !NOTED.contains(&one.table.as_str()));
        for added in new.filter(|one| !by_right && self.tables.concerns(one, &self.victims.ids)) {
            self.failures.push(format!("{} added {}", row.operation, self.tables.shown(added)));
        }
        self.known = now;
    }
}

/// How many tests share the operations.
const SHARES: usize = 4;

async fn share(app: &TestApp, nth: usize) {
    let document = serde_json::to_value(&app.openapi).expect("a description is plain data");
    let mut reader = Reader::new(&document);
    let rows: Vec<(&Row, Vec<Field>)> = super::table().map(|row| (row, reader.fields(row.operation))).collect();
    let with_ids = rows.iter().filter(|(_, fields)| !fields.is_empty());
    let mut attack = Attack::new(app).await;
    let mut operations = 0;
    for (row, fields) in with_ids.skip(nth).step_by(SHARES) {
        attack.operation(row, fields).await;
        operations += 1;
    }
    eprintln!("foreign ids: {} tries on {operations} operations, {} wrong", attack.tries, attack.failures.len());
    assert!(operations > 20 && attack.tries > 500, "{operations} operations, {} tries", attack.tries);
    assert!(attack.failures.is_empty(), "{} wrong:\n{}", attack.failures.len(), attack.failures.join("\n"));
}

both_engines! {
    // ACCESS-5
    async fn foreign_ids_read_and_change_nothing_first_share(app) {
        share(app, 0).await;
    }

    // ACCESS-5
    async fn foreign_ids_read_and_change_nothing_second_share(app) {
        share(app, 1).await;
    }

    // ACCESS-5
    async fn foreign_ids_read_and_change_nothing_third_share(app) {
        share(app, 2).await;
    }

    // ACCESS-5
    async fn foreign_ids_read_and_change_nothing_fourth_share(app) {
        share(app, 3).await;
    }

    // ACCESS-5
    async fn a_device_s_key_opens_its_own_link_only(app) {
        let (own, other) = (World::new(app, Needs::Media).await, World::new(app, Needs::Media).await);
        for (link, key) in [(&own.hash, &other.client_key), (&other.hash, &own.client_key)] {
            let device = app.anonymous().with("x-client-key", key);
            let path = |call: &str| format!("/api/v1/external/{link}/{call}");
            for (call, body) in [
                ("join", json!({"camera": true, "microphone": true})),
                ("leave", json!({})),
                ("chat", json!({"text": "Hola"})),
                ("track", json!({"type": "CAMERA_GRANTED"})),
                ("connection", json!({"way": "udp"})),
            ] {
                let answer = device.post(&path(call), body).await;
                assert!(matches!(answer.status, 401 | 403 | 404 | 422), "{call}: {} {}", answer.status, String::from_utf8_lossy(&answer.body));
            }
            for call in ["frozen", "frozen-picture"] {
                let answer = device.get(&path(call)).await;
                assert!(matches!(answer.status, 401 | 403 | 404), "{call}: {}", answer.status);
            }
            let picture = Ask::file(path("media")).header("x-client-key", key);
            let (status, answer) = picture.read(app.anonymous()).await;
            assert!(matches!(status, 401 | 403 | 404), "{status} {answer}");
        }
    }
}
