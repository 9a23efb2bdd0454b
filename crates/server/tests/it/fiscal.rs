//! Fiscal data: requests with a document, decisions, versions, and what invoices, mandates and terms make of them.

use crate::invoices::{self, at};
use crate::sepa;
use crate::support::{multipart_with, opening, pdf, png, text};
use atalaya_fiscal::expiry;
use atalaya_identity::companies::NewCompany;
use atalaya_kernel::{CompanyKind, Role, Status};
use atalaya_testkit::{Answer, Client, Person, TestApp, both_engines};
use axum::http::Method;
use chrono::TimeDelta;
use futures::TryStreamExt;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

const NEW_CIF: &str = "A58818501";

/// A customer that is whole, and its principal's browser.
async fn customer(app: &TestApp) -> (Person, Client) {
    company(app, CompanyKind::Customer, Role::Customer).await
}

async fn company(app: &TestApp, kind: CompanyKind, role: Role) -> (Person, Client) {
    let mut new = NewCompany::named(kind, "Peritos Núñez, S.L.").paying(app.sources.now() - TimeDelta::days(30));
    new.status = Status::Active;
    new.cif = Some(invoices::nif(app.next()));
    new.address = Some("Calle Mayor, 1".into());
    new.city = Some("Valencia".into());
    new.region = Some("Valencia".into());
    new.postal_code = Some("46001".into());
    new.email = Some("ana@ejemplo.es".into());
    let company = app.company_with(new).await;
    let person = app.person_in(company, role).await;
    let client = app.log_in(&person).await;
    (person, client)
}

/// A request by the dedicated form.
async fn ask(client: &Client, person: &Person, fields: &[(&str, &str)], bytes: &[u8]) -> Answer {
    let (kind, body) = multipart_with(fields, "escritura.pdf", "application/pdf", bytes);
    client.send_body(Method::POST, &format!("/api/v1/fiscal-requests/{}", person.company), Some(&kind), body).await
}

/// One that moves the company to Ceuta today.
async fn to_ceuta(app: &TestApp, client: &Client, person: &Person) -> Value {
    let today = atalaya_kernel::calendar::day(app.sources.now()).to_string();
    let fields = [("postalCode", "51001"), ("city", "Ceuta"), ("region", "Ceuta"), ("since", today.as_str())];
    ask(client, person, &fields, &pdf()).await.ok()["fiscalRequest"].clone()
}

async fn attach(client: &Client, request: &str, bytes: &[u8]) -> Answer {
    let (kind, body) = multipart_with(&[], "foto.png", "image/png", bytes);
    client.send_body(Method::POST, &format!("/api/v1/fiscal-request-document/{request}"), Some(&kind), body).await
}

async fn decide(admin: &Client, request: &Value, body: Value) -> Answer {
    admin.post(&format!("/api/v1/fiscal-request-decide/{}", text(&request["_id"])), body).await
}

async fn change(admin: &Client, person: &Person, body: Value) -> Answer {
    admin.put(&format!("/api/v1/fiscal-identity/{}", person.company), json!({"fiscalIdentity": body})).await
}

async fn identity(client: &Client, person: &Person) -> Value {
    client.get(&format!("/api/v1/fiscal-identity/{}", person.company)).await.ok()["fiscalIdentity"].clone()
}

/// Field and code of every wrong field.
fn fields(problem: &Value) -> Vec<(String, String)> {
    problem["errors"].as_array().expect("errors").iter().map(|e| (text(&e["field"]), text(&e["code"]))).collect()
}

fn one(field: &str, code: &str) -> Vec<(String, String)> {
    vec![(field.to_owned(), code.to_owned())]
}

/// The invoice of this company and month's last day.
async fn invoice_of(admin: &Client, person: &Person, operation: &str) -> Value {
    let all = invoices::invoices(admin, Some(person.company)).await;
    all.into_iter().find(|one| one["operationDate"] == operation).unwrap_or_else(|| panic!("no invoice of {operation}"))
}

async fn recipient(admin: &Client, invoice: &Value) -> Value {
    admin.get(&format!("/api/v1/get-details/{}", invoices::id(invoice))).await.ok()["header"]["recipient"].clone()
}

both_engines! {
    // FISCAL-2
    async fn a_form_of_roles_2_4_and_6_changes_no_fiscal_data(app) {
        for (kind, role, noun) in [
            (CompanyKind::Customer, Role::Customer, "customer"),
            (CompanyKind::Repairer, Role::Repairer, "repairer"),
            (CompanyKind::CarRepairShop, Role::CarRepairShop, "carReparation"),
        ] {
            let (person, client) = company(app, kind, role).await;
            let path = format!("/api/v1/{noun}");
            let put = async |fields: Value| {
                let mut body = fields;
                body["_id"] = json!(person.company);
                client.put(&path, json!({noun: body})).await
            };
            let cif = text(&client.get(&format!("{path}/{}", person.company)).await.ok()[noun]["cif"]).to_lowercase();
            let same = put(json!({"cif": cif, "company": "Peritos Núñez, S.L.", "postalCode": "46001"})).await.ok();
            assert_eq!(same[noun]["fiscalRequest"], Value::Null, "what is in force passes: {role:?}");
            let asked = put(json!({"postalCode": "51001", "city": "Ceuta", "name": "Otra persona"})).await.ok()[noun].clone();
            assert_eq!((text(&asked["postalCode"]), text(&asked["city"]), text(&asked["name"])), ("46001".into(), "Valencia".into(), "Otra persona".into()));
            let request = text(&asked["fiscalRequest"]);
            assert!(!request.is_empty(), "the answer says that it waits");
            assert_eq!(put(json!({"city": "Ceuta", "postalCode": "51001"})).await.ok()[noun]["fiscalRequest"], json!(request), "the same again is the same");
            put(json!({"postalCode": "38001", "name": "Tercera"})).await.problem(409, "FISCAL_REQUEST_OPEN");
            assert_eq!(client.get(&format!("{path}/{}", person.company)).await.ok()[noun]["name"], "Otra persona", "nothing of it was written");
            let open = identity(&client, &person).await["openRequest"].clone();
            assert_eq!((text(&open["_id"]), &open["document"], text(&open["regime"]), text(&open["regimeAfter"])),
                (request, &Value::Null, "general".into(), "outside".into()));
            // An administrator writes the same form at once
            let admin = app.as_role(Role::Admin).await;
            let done = admin.put(&path, json!({noun: {"_id": person.company, "postalCode": "38001"}})).await.ok();
            assert_eq!(done[noun]["postalCode"], "38001");
            let versions = identity(&admin, &person).await["versions"].clone();
            assert_eq!((versions[0]["validFrom"].as_str(), &versions[1]["validFrom"]), (Some("2026-11-20"), &Value::Null));
            assert_eq!((text(&versions[0]["regime"]), text(&versions[1]["block"]["postalCode"])), ("outside".into(), "46001".into()));
        }
    }

    // FISCAL-3
    async fn a_document_is_sniffed_limited_and_sealed(app) {
        let (person, client) = customer(app).await;
        let fields_sent = [("postalCode", "51001"), ("since", "2026-11-20")];
        for (bytes, code) in [(b"MZ\x90 a program".to_vec(), "FILE_TYPE_NOT_ALLOWED"), (Vec::new(), "FILE_EMPTY")] {
            let problem = ask(&client, &person, &fields_sent, &bytes).await.problem(422, "INVALID_FIELDS");
            assert_eq!(fields(&problem), one("file", code));
        }
        let mut huge = pdf();
        huge.resize(atalaya_kernel::limits::FISCAL_DOCUMENT_MAX_BYTES + 1, b' ');
        ask(&client, &person, &fields_sent, &huge).await.problem(413, "FILE_TOO_LARGE");
        assert_eq!(identity(&client, &person).await["openRequest"], Value::Null);
        let request = to_ceuta(app, &client, &person).await;
        assert_eq!((text(&request["document"]["kind"]), request["document"]["sha256"].as_str().map(str::len)), ("application/pdf".into(), Some(64)));
        let path = format!("/api/v1/fiscal-request-document/{}", text(&request["_id"]));
        let admin = app.as_role(Role::Admin).await;
        for reader in [&client, &admin] {
            let answer = reader.get(&path).await;
            assert_eq!((answer.status, answer.body.to_vec(), answer.header("content-type")), (200, pdf(), Some("application/pdf")));
        }
        let (_, stranger) = customer(app).await;
        stranger.get(&path).await.problem(404, "FISCAL_REQUEST_NOT_FOUND");
        stranger.get(&format!("/api/v1/fiscal-request/{}", text(&request["_id"]))).await.problem(404, "FISCAL_REQUEST_NOT_FOUND");
        attach(&client, &text(&request["_id"]), &png()).await.problem(409, "FISCAL_DOCUMENT_KEPT");
    }

    // FISCAL-2, FISCAL-3, FISCAL-4
    async fn a_request_without_a_document_waits_for_it(app) {
        let (person, client) = customer(app).await;
        let admin = app.as_role(Role::Admin).await;
        client.put("/api/v1/customer", json!({"customer": {"_id": person.company, "address": "Otra calle, 2"}})).await.ok();
        let request = identity(&client, &person).await["openRequest"].clone();
        decide(&admin, &request, json!({"approve": true})).await.problem(409, "FISCAL_DOCUMENT_MISSING");
        let outbox = admin.get("/api/v1/outbox?channel=email").await.ok();
        assert!(!outbox.to_string().contains("datos fiscales"), "nothing can be decided yet: {outbox}");
        let id = text(&request["_id"]);
        let problem = attach(&client, &id, b"<html>").await.problem(422, "INVALID_FIELDS");
        assert_eq!(fields(&problem), one("file", "FILE_TYPE_NOT_ALLOWED"));
        let whole = attach(&client, &id, &png()).await.ok()["fiscalRequest"].clone();
        assert_eq!(text(&whole["document"]["kind"]), "image/png");
        let approved = decide(&admin, &request, json!({"approve": true})).await.ok()["fiscalRequest"].clone();
        assert_eq!(text(&approved["status"]), "approved");
        assert_eq!(client.get(&format!("/api/v1/customer/{}", person.company)).await.ok()["customer"]["address"], "Otra calle, 2");
        attach(&client, &id, &png()).await.problem(409, "FISCAL_REQUEST_CLOSED");
    }

    // FISCAL-2
    async fn one_request_is_open_at_a_time(app) {
        let (person, client) = customer(app).await;
        let request = to_ceuta(app, &client, &person).await;
        ask(&client, &person, &[("cif", NEW_CIF), ("since", "2026-11-20")], &pdf()).await.problem(409, "FISCAL_REQUEST_OPEN");
        let withdraw = format!("/api/v1/fiscal-request-withdraw/{}", text(&request["_id"]));
        let (_, stranger) = customer(app).await;
        stranger.post(&withdraw, json!({})).await.problem(404, "FISCAL_REQUEST_NOT_FOUND");
        assert_eq!(client.post(&withdraw, json!({})).await.ok()["fiscalRequest"]["status"], "withdrawn");
        client.post(&withdraw, json!({})).await.problem(409, "FISCAL_REQUEST_CLOSED");
        let admin = app.as_role(Role::Admin).await;
        decide(&admin, &request, json!({"approve": true})).await.problem(409, "FISCAL_REQUEST_CLOSED");
        ask(&client, &person, &[("postalCode", "46001"), ("since", "2026-11-20")], &pdf()).await.problem(409, "FISCAL_UNCHANGED");
        for _ in 1..atalaya_kernel::limits::FISCAL_REQUESTS_A_DAY {
            let request = to_ceuta(app, &client, &person).await;
            client.post(&format!("/api/v1/fiscal-request-withdraw/{}", text(&request["_id"])), json!({})).await.ok();
        }
        ask(&client, &person, &[("postalCode", "51001"), ("since", "2026-11-20")], &pdf()).await.problem(429, "TOO_MANY_REQUESTS");
        let requests = identity(&client, &person).await["requests"].clone();
        assert_eq!(requests.as_array().map(Vec::len), Some(10));
    }

    // FISCAL-4
    async fn two_decisions_at_once_are_one(app) {
        let (person, client) = customer(app).await;
        let request = to_ceuta(app, &client, &person).await;
        let admin = app.as_role(Role::Admin).await;
        let (yes, no) = tokio::join!(
            decide(&admin, &request, json!({"approve": true})),
            decide(&admin, &request, json!({"approve": false, "reason": "No coincide"}))
        );
        let mut statuses = [yes.status, no.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409]);
        let of = identity(&admin, &person).await;
        let is_changed = !of["versions"].as_array().expect("versions").is_empty();
        assert_eq!((is_changed, of["block"]["city"] == "Ceuta"), (yes.status == 200, yes.status == 200), "{of}");
    }

    // FISCAL-4
    async fn an_administrator_refuses_with_a_reason(app) {
        let (person, client) = customer(app).await;
        let request = to_ceuta(app, &client, &person).await;
        let admin = app.as_role(Role::Admin).await;
        let open = admin.get("/api/v1/fiscal-requests?status=open").await.ok();
        assert_eq!((&open["total"], &open["fiscalRequests"][0]["_id"]), (&json!(1), &request["_id"]));
        admin.get("/api/v1/fiscal-requests?status=lost").await.problem(422, "INVALID_FIELDS");
        let problem = decide(&admin, &request, json!({"approve": false, "reason": "  "})).await.problem(422, "INVALID_FIELDS");
        assert_eq!(fields(&problem), one("reason", "REQUIRED"));
        decide(&admin, &request, json!({"approve": false, "reason": "x".repeat(501)})).await.problem(422, "INVALID_FIELDS");
        decide(&admin, &request, json!({"approve": false, "reason": "La escritura es ilegible"})).await.ok();
        let seen = identity(&client, &person).await;
        assert_eq!((&seen["openRequest"], text(&seen["requests"][0]["status"]), text(&seen["requests"][0]["reason"])),
            (&Value::Null, "refused".into(), "La escritura es ilegible".into()));
        assert_eq!(seen["requests"][0]["decidedBy"], Value::Null, "no names of the platform's people");
        assert_eq!((text(&seen["block"]["postalCode"]), seen["versions"].as_array().map(Vec::len)), ("46001".into(), Some(0)));
        assert_eq!(client.get(&format!("/api/v1/customer/{}", person.company)).await.ok()["customer"]["fiscalRequest"], Value::Null);
        assert_eq!(admin.get("/api/v1/fiscal-requests?status=open").await.ok()["total"], 0);
        to_ceuta(app, &client, &person).await;
    }

    // FISCAL-11
    async fn documents_of_requests_that_came_to_nothing_are_deleted_after_their_time(app) {
        let admin = app.as_role(Role::Admin).await;
        let (kept, keeper) = customer(app).await;
        let approved = to_ceuta(app, &keeper, &kept).await;
        decide(&admin, &approved, json!({"approve": true})).await.ok();
        let (person, client) = customer(app).await;
        let refused = to_ceuta(app, &client, &person).await;
        decide(&admin, &refused, json!({"approve": false, "reason": "La escritura es ilegible"})).await.ok();
        let withdrawn = to_ceuta(app, &client, &person).await;
        client.post(&format!("/api/v1/fiscal-request-withdraw/{}", text(&withdrawn["_id"])), json!({})).await.ok();
        let open = to_ceuta(app, &client, &person).await;
        let (fiscal, document) = (&app.billing.fiscal, |request: &Value| format!("/api/v1/fiscal-request-document/{}", text(&request["_id"])));
        app.advance(TimeDelta::days(31) - TimeDelta::seconds(60));
        assert_eq!(expiry::run(fiscal).await.expect("a run"), 0, "nothing is due yet");
        app.advance(TimeDelta::seconds(120));
        let admin = app.as_role(Role::Admin).await;
        assert_eq!(expiry::run(fiscal).await.expect("a run"), 2);
        assert_eq!(expiry::run(fiscal).await.expect("another"), 0, "it is done once");
        for request in [&refused, &withdrawn] {
            admin.get(&document(request)).await.problem(404, "FISCAL_DOCUMENT_NOT_FOUND");
            let seen = admin.get(&format!("/api/v1/fiscal-request/{}", text(&request["_id"]))).await.ok()["fiscalRequest"].clone();
            assert_eq!(seen["document"], Value::Null, "the request stays, without it");
        }
        for request in [&approved, &open] {
            assert_eq!(admin.get(&document(request)).await.body.to_vec(), pdf(), "what counts or waits keeps its proof");
        }
        let stored: Vec<_> = fiscal.blobs.list(None).try_collect().await.expect("the storage answers");
        assert_eq!(stored.iter().filter(|info| info.name.as_str().starts_with("fiscal/")).count(), 2);
        let hashes = "SELECT id FROM fiscal_request WHERE document_id IS NULL AND document_key IS NULL AND length(document_sha256) = 64";
        let statement = Statement::from_string(app.db.read().get_database_backend(), hashes);
        assert_eq!(app.db.read().query_all_raw(statement).await.expect("rows").len(), 2, "their hashes stay");
    }

    // FISCAL-4
    async fn a_tax_id_of_another_customer_is_not_approved(app) {
        let (person, client) = customer(app).await;
        let mut other = NewCompany::named(CompanyKind::Customer, "Otra, S.L.");
        other.cif = Some(NEW_CIF.into());
        app.company_with(other).await;
        let request = ask(&client, &person, &[("cif", NEW_CIF), ("since", "2026-11-20")], &pdf()).await.ok()["fiscalRequest"].clone();
        let admin = app.as_role(Role::Admin).await;
        decide(&admin, &request, json!({"approve": true})).await.problem(409, "COMPANY_EXISTS");
        assert_eq!(text(&admin.get(&format!("/api/v1/fiscal-request/{}", text(&request["_id"]))).await.ok()["fiscalRequest"]["status"]), "open");
    }

    // FISCAL-1
    async fn versions_are_never_changed(app) {
        let (person, _) = customer(app).await;
        let admin = app.as_role(Role::Admin).await;
        change(&admin, &person, json!({"address": "Otra calle, 2", "since": "2026-11-20", "reason": "Traslado"})).await.ok();
        let backend = app.db.read().get_database_backend();
        for sql in ["UPDATE fiscal_version SET regime = 'outside'", "DELETE FROM fiscal_version"] {
            let tx = app.db.write().await.unwrap();
            assert!(tx.execute_raw(Statement::from_string(backend, sql)).await.is_err(), "{sql}");
        }
        let versions = identity(&admin, &person).await["versions"].clone();
        assert_eq!((versions[0]["number"].as_i64(), text(&versions[0]["reason"]), versions.as_array().map(Vec::len)), (Some(2), "Traslado".into(), Some(2)));
        assert!(versions[0]["approvedBy"].is_string() && versions[1]["approvedBy"].is_null());
    }

    // FISCAL-6
    async fn a_day_has_come_in_madrid(app) {
        let (person, _) = customer(app).await;
        // Half an hour before midnight in London it is the next day in Madrid.
        app.clock.set(at("2026-11-30T23:30:00Z"));
        let admin = app.as_role(Role::Admin).await;
        let since = |day: &str| json!({"postalCode": "51001", "since": day, "reason": "Traslado"});
        let problem = change(&admin, &person, since("2026-12-02")).await.problem(422, "INVALID_FIELDS");
        assert_eq!(fields(&problem), one("since", "DATE_IN_FUTURE"));
        let done = change(&admin, &person, since("2026-12-01")).await.ok()["fiscalIdentity"].clone();
        assert_eq!((text(&done["regime"]), done["versions"][0]["validFrom"].as_str()), ("outside".into(), Some("2026-12-01")));
        let back = json!({"postalCode": "46001", "since": "2026-11-30", "reason": "Error"});
        let problem = change(&admin, &person, back).await.problem(422, "INVALID_FIELDS");
        assert_eq!(fields(&problem), one("since", "DATE_BEFORE_VERSION"));
        let wrong = json!({"postalCode": "1", "since": "ayer", "reason": "", "regime": "free"});
        let problem = change(&admin, &person, wrong).await.problem(422, "INVALID_FIELDS");
        for field in ["postalCode", "since", "reason", "regime"] {
            assert!(fields(&problem).iter().any(|(of, _)| of == field), "{field}: {problem}");
        }
        change(&admin, &person, since("2026-12-01")).await.problem(409, "FISCAL_UNCHANGED");
        // The administrator may say otherwise than the postal code.
        let done = change(&admin, &person, json!({"regime": "general", "since": "2026-12-01", "reason": "Sede en la península"})).await.ok();
        assert_eq!(text(&done["fiscalIdentity"]["regime"]), "general");
        let done = change(&admin, &person, json!({"address": "Otra, 1", "since": "2026-12-01", "reason": "Calle"})).await.ok();
        assert_eq!(text(&done["fiscalIdentity"]["regime"]), "general", "it stays until the postal code changes");
    }

    // FISCAL-5, FISCAL-7
    async fn the_regime_is_that_of_the_operation_and_the_name_that_of_the_issue(app) {
        app.clock.set(at("2026-10-05T09:00:00Z"));
        invoices::issuer(app).await;
        let (principal, owner) = invoices::customer(app, "Peritaciones Levante, S.L.", "46001").await;
        invoices::call(app, &owner, "EXP 1", 600).await;
        // On the last day of October in Madrid, which is still the 31st; the operation of October is of that day.
        app.clock.set(at("2026-10-31T23:30:00Z"));
        let admin = app.as_role(Role::Admin).await;
        let move_to_ceuta = json!({"postalCode": "51001", "city": "Ceuta", "since": "2026-11-01", "reason": "Traslado"});
        change(&admin, &principal, move_to_ceuta).await.ok();
        app.clock.set(at("2026-11-02T09:00:00Z"));
        let admin = app.as_role(Role::Admin).await;
        invoices::call(app, &owner, "EXP 2", 600).await;
        invoices::generate(app, &admin).await;
        let october = invoice_of(&admin, &principal, "2026-10-31").await;
        assert_eq!(october["vatRate"].as_f64(), Some(21.0), "{october}");
        assert_eq!(text(&recipient(&admin, &october).await["postalCode"]), "51001", "as it is called on the day of issue");
        app.clock.set(at("2026-12-02T09:00:00Z"));
        let admin = app.as_role(Role::Admin).await;
        invoices::generate(app, &admin).await;
        let november = invoice_of(&admin, &principal, "2026-11-30").await;
        assert_eq!((november["vatRate"].as_f64(), november["vat"].as_f64()), (Some(0.0), Some(0.0)), "{november}");
    }

    // FISCAL-5
    async fn a_move_on_the_last_day_of_a_month_counts_for_it(app) {
        app.clock.set(at("2026-10-05T09:00:00Z"));
        invoices::issuer(app).await;
        let (principal, owner) = invoices::customer(app, "Peritaciones Levante, S.L.", "46001").await;
        invoices::call(app, &owner, "EXP 1", 600).await;
        app.clock.set(at("2026-11-02T09:00:00Z"));
        let admin = app.as_role(Role::Admin).await;
        change(&admin, &principal, json!({"postalCode": "52001", "since": "2026-10-31", "reason": "Traslado"})).await.ok();
        invoices::generate(app, &admin).await;
        assert_eq!(invoice_of(&admin, &principal, "2026-10-31").await["vatRate"].as_f64(), Some(0.0));
    }

    // FISCAL-7
    async fn a_change_within_a_run_is_on_what_is_issued_after_it(app) {
        app.clock.set(at("2026-10-05T09:00:00Z"));
        invoices::issuer(app).await;
        let mut people = Vec::new();
        for nth in 0..52 {
            people.push(invoices::customer(app, &format!("Cliente {nth:02}"), "46001").await.0);
        }
        app.clock.set(at("2026-11-02T09:00:00Z"));
        let admin = app.as_role(Role::Admin).await;
        admin.post("/api/v1/generate-all-invoices", json!({})).await.expect(202);
        // The first step issues fifty of them.
        let worker = invoices::worker(app);
        while invoices::invoices(&admin, None).await.is_empty() {
            assert!(worker.run_next().await.unwrap(), "the run goes on");
        }
        let (mut issued, mut waiting) = (Vec::new(), Vec::new());
        for person in &people {
            let has = !invoices::invoices(&admin, Some(person.company)).await.is_empty();
            if has { issued.push(person) } else { waiting.push(person) }
        }
        let (before, after) = (issued[0], waiting[0]);
        let old = text(&invoice_of(&admin, before, "2026-10-31").await["company"]);
        for person in [before, after] {
            change(&admin, person, json!({"company": "Nombre nuevo, S.L.", "since": "2026-11-02", "reason": "Cambio de nombre"})).await.ok();
        }
        invoices::work(app).await;
        let name = async |person: &Person| text(&invoice_of(&admin, person, "2026-10-31").await["company"]);
        assert_eq!(name(before).await, old);
        assert_eq!(name(after).await, "Nombre nuevo, S.L.");
    }

    // FISCAL-7
    async fn a_rectification_names_the_same_taxpayer_as_today(app) {
        let (admin, principal, invoice) = invoices::one_invoice(app).await;
        let nif = text(&recipient(&admin, &invoice).await["cif"]);
        let rectify = async || {
            let path = format!("/api/v1/invoice-rectify/{}", invoices::id(&invoice));
            let body = json!({"reason": "Precio mal aplicado", "kind": "differences", "amount": -1});
            let made = admin.post(&path, body).await.expect(201)["invoice"].clone();
            let of = recipient(&admin, &made).await;
            (text(&of["cif"]), text(&of["company"]), made["vatRate"].as_f64())
        };
        let body = json!({"company": "Peritaciones del Sur, S.L.", "postalCode": "51001", "since": "2026-11-02", "reason": "Cambio"});
        change(&admin, &principal, body).await.ok();
        assert_eq!(rectify().await, (nif.clone(), "Peritaciones del Sur, S.L.".into(), Some(21.0)), "at the rate of the operation");
        change(&admin, &principal, json!({"cif": NEW_CIF, "company": "Otra, S.L.", "since": "2026-11-02", "reason": "Fusión"})).await.ok();
        assert_eq!(rectify().await, (nif, "Peritaciones Levante, S.L.".into(), Some(21.0)), "another one's invoice is given back to that one");
    }

    // FISCAL-8
    async fn another_tax_id_suspends_mandate_and_terms(app) {
        let (admin, principal, _) = sepa::one_due(app).await;
        let client = app.log_in(&principal).await;
        client.post("/api/v1/getToken", opening()).await.ok();
        let today = "2026-11-02";
        let request = ask(&client, &principal, &[("cif", NEW_CIF), ("since", today)], &pdf()).await.ok()["fiscalRequest"].clone();
        assert_eq!(request["anotherTaxpayer"], true);
        let mandate = client.get("/api/v1/mandates").await.ok()["mandates"][0].clone();
        assert_eq!(text(&mandate["status"]), "active", "nothing happens before the decision");
        decide(&admin, &request, json!({"approve": true})).await.ok();
        let suspended = client.get("/api/v1/mandates").await.ok()["mandates"][0].clone();
        assert_eq!((text(&suspended["status"]), text(&suspended["statusReason"])), ("suspended".into(), "TAX_ID_CHANGED".into()));
        let id = text(&suspended["_id"]);
        admin.post(&format!("/api/v1/mandate-resume/{id}"), json!({})).await.problem(409, "MANDATE_OUTDATED");
        let due = admin.get("/api/v1/remittance-due").await.ok();
        assert_eq!((&due["nbOfTxs"], text(&due["excluded"][0]["reason"])), (&json!(0), "MANDATE_SUSPENDED".into()));
        // As without terms: no calls, and what is in force waits to be accepted.
        client.post("/api/v1/getToken", opening()).await.problem(403, "VIDEO_CALL_NOT_ALLOWED_CUSTOMER");
        let company = client.get(&format!("/api/v1/customer/{}", principal.company)).await.ok()["customer"].clone();
        assert_eq!((&company["legal"], &company["missing"]), (&json!(false), &json!(["legal"])));
        assert!(company["legalHistory"].as_array().unwrap().iter().all(|entry| entry["expires_at"].is_string()), "{company}");
        // Both are signed anew.
        app.accept_terms(&principal).await;
        let next = sepa::signed(app, &principal).await;
        assert_ne!(next["umr"], suspended["umr"], "another debtor has another mandate");
        assert_eq!((text(&next["status"]), next["signedAt"].is_string()), ("active".into(), true));
        let client = app.log_in(&principal).await;
        client.post("/api/v1/getToken", opening()).await.ok();
        let all = client.get("/api/v1/mandates").await.ok();
        assert_eq!(text(&all["mandates"][1]["status"]), "cancelled");
    }

    // FISCAL-8
    async fn a_first_tax_id_and_another_name_suspend_nothing(app) {
        let (admin, principal, _) = sepa::one_due(app).await;
        change(&admin, &principal, json!({"company": "Nombre nuevo, S.L.", "since": "2026-11-02", "reason": "Nombre"})).await.ok();
        assert_eq!(text(&admin.get("/api/v1/mandates").await.ok()["mandates"][0]["status"]), "active");
        let company = app.company_with(NewCompany { legal: true, ..NewCompany::named(CompanyKind::Customer, "Sin NIF") }).await;
        admin.put("/api/v1/customer", json!({"customer": {"_id": company, "cif": NEW_CIF}})).await.ok();
        let seen = admin.get(&format!("/api/v1/customer/{company}")).await.ok()["customer"].clone();
        assert_eq!((text(&seen["cif"]), &seen["legal"]), (NEW_CIF.into(), &json!(true)));
    }

    // FISCAL-9
    async fn nobody_else_asks_or_reads(app) {
        let (person, client) = customer(app).await;
        let worker = app.log_in(&app.person_in(person.company, Role::Worker).await).await;
        let (_, stranger) = customer(app).await;
        let admin = app.as_role(Role::Admin).await;
        let fields = [("postalCode", "51001"), ("since", "2026-11-20")];
        ask(&worker, &person, &fields, &pdf()).await.problem(403, "ROLE_NOT_ALLOWED");
        ask(&admin, &person, &fields, &pdf()).await.problem(403, "ROLE_NOT_ALLOWED");
        ask(&stranger, &person, &fields, &pdf()).await.problem(404, "COMPANY_NOT_FOUND");
        let path = format!("/api/v1/fiscal-identity/{}", person.company);
        worker.get(&path).await.problem(403, "ROLE_NOT_ALLOWED");
        stranger.get(&path).await.problem(404, "COMPANY_NOT_FOUND");
        change(&client, &person, json!({"postalCode": "51001", "since": "2026-11-20", "reason": "x"})).await.problem(403, "ROLE_NOT_ALLOWED");
        let request = to_ceuta(app, &client, &person).await;
        decide(&client, &request, json!({"approve": true})).await.problem(403, "ROLE_NOT_ALLOWED");
        client.get("/api/v1/fiscal-requests").await.problem(403, "ROLE_NOT_ALLOWED");
    }

    // FISCAL-10
    async fn both_sides_are_notified(app) {
        let (person, client) = customer(app).await;
        let admin = app.as_role(Role::Admin).await;
        let request = to_ceuta(app, &client, &person).await;
        let mails = async |to: &str| {
            let outbox = admin.get(&format!("/api/v1/outbox?channel=email&to={to}")).await.ok();
            outbox["outbox"].as_array().unwrap().iter().map(|mail| text(&mail["subject"])).collect::<Vec<_>>()
        };
        assert_eq!(mails("admin@localhost").await, ["Peritos Núñez, S.L. pide cambiar sus datos fiscales"]);
        let received = "Hemos recibido su solicitud de cambio de datos fiscales";
        assert_eq!(mails("ana@ejemplo.es").await, [received]);
        app.advance(TimeDelta::seconds(1));
        decide(&admin, &request, json!({"approve": true})).await.ok();
        assert_eq!(mails("ana@ejemplo.es").await, ["Sus datos fiscales han cambiado", received]);
        let bells = async |id: &str| {
            let sql = format!("SELECT COUNT(*) AS n FROM personal_notification WHERE text_id = '{id}'");
            let backend = app.db.read().get_database_backend();
            let row = app.db.read().query_one_raw(Statement::from_string(backend, sql)).await.unwrap().unwrap();
            row.try_get::<i64>("", "n").unwrap()
        };
        assert!(bells("fiscal-request").await >= 1);
        assert_eq!(bells("fiscal-approved").await, 1);
    }
}
