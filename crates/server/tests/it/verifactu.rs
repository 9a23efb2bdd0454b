//! Records for the tax office, from the transaction of the invoice to the answer; documents.

mod export;
mod history;
mod obligation;
pub mod office;
mod poison;

use crate::invoices::{at, call, customer, generate, id, issuer, one_invoice};
use crate::support::text;
use atalaya_billing::Billing;
use atalaya_billing::issuing::prints::Format;
use atalaya_billing::verifactu::queue::{SendRecords, send_waiting};
use atalaya_billing::verifactu::{Mode, VerifactuSettings};
use atalaya_jobs::{NewJob, Worker};
use atalaya_kernel::Role;
use atalaya_testkit::{Client, Engine, TestApp, both_engines};
use chrono::TimeDelta;
use office::{Mood, Office, Whim, fits};
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

/// The application of this engine with these settings; `None` for PostgreSQL when no server is named.
async fn app_with(engine: Engine, settings: VerifactuSettings) -> Option<TestApp> {
    TestApp::configured(engine, |config| config.billing.verifactu = settings).await
}

/// Runs a test on both engines, each with an office of its own.
async fn with_office(test: impl AsyncFn(&TestApp, &Office)) {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let office = Office::open().await;
        match app_with(engine, office.settings()).await {
            Some(app) => test(&app, &office).await,
            None => eprintln!("{}", atalaya_testkit::databases::NO_POSTGRES),
        }
    }
}

/// Invoices of so many customers.
async fn invoiced(app: &TestApp, customers: usize) -> Client {
    app.clock.set(at("2026-10-05T09:00:00Z"));
    issuer(app).await;
    for n in 0..customers {
        let (_, owner) = customer(app, &format!("Gabinete & <Peña> {n}, S.L."), "46001").await;
        call(app, &owner, "EXP 1", 120).await;
    }
    app.clock.set(at("2026-11-02T09:00:00Z"));
    let admin = app.as_role(Role::Admin).await;
    generate(app, &admin).await;
    admin
}

async fn queue(admin: &Client) -> Value {
    admin.get("/api/v1/verifactu").await.ok()["queue"].clone()
}

async fn records(admin: &Client, query: &str) -> Vec<Value> {
    let body = admin.get(&format!("/api/v1/verifactu-records{query}")).await.ok();
    body["records"].as_array().expect("a list").clone()
}

/// Number and state of every record, oldest first.
async fn states(admin: &Client) -> Vec<(String, String)> {
    let mut all: Vec<_> = records(admin, "").await.iter().map(|one| (text(&one["number"]), text(&one["state"]))).collect();
    all.reverse();
    all
}

async fn send(app: &TestApp) -> usize {
    send_waiting(&app.billing).await.expect("the queue can be worked on")
}

both_engines! {
    // VERI-1, VERI-2
    async fn an_invoice_has_its_record_which_stays_here_while_sending_is_off(app) {
        let (admin, _, invoice) = one_invoice(app).await;
        let overview = admin.get("/api/v1/verifactu").await.ok();
        assert_eq!((&overview["mode"], &overview["certificate"]), (&json!("off"), &Value::Null));
        assert_eq!((&overview["chain"]["records"], &overview["queue"]["local"]), (&json!(1), &json!(1)));
        assert_eq!(overview["environment"]["host"], "prewww1.aeat.es");
        let all = records(&admin, "").await;
        let one = &all[0];
        assert_eq!((&one["number"], &one["total"], &one["invoiceType"]), (&invoice["number"], &invoice["total"], &json!("F1")));
        assert_eq!((&one["state"], &one["resendable"], &one["kind"]), (&json!("local"), &json!(false), &json!("issued")));
        assert_eq!(one["hash"], overview["chain"]["head"]);
        let path = format!("/api/v1/verifactu-record/{}", text(&one["_id"]));
        let xml = admin.get(&path).await;
        assert_eq!(xml.header("content-type"), Some("application/xml"));
        let body = String::from_utf8_lossy(&xml.body).into_owned();
        assert!(body.contains("<sum1:PrimerRegistro>S<") && body.contains(&text(&one["hash"])), "{body}");
        assert!(fits("verifactu/SuministroLR.xsd", &body));
        let resend = format!("/api/v1/verifactu-resend/{}", text(&one["_id"]));
        admin.post(&resend, json!({})).await.problem(409, "RECORD_NOT_RESENDABLE");
        assert_eq!(send(app).await, 0, "nothing is sent");
        for (query, found) in [("?state=local", 1), ("?state=accepted", 0), ("?search=2026-000001", 1), ("?search=X", 0)] {
            assert_eq!(records(&admin, query).await.len(), found, "{query}");
        }
        admin.get("/api/v1/verifactu-records?state=odd").await.problem(422, "INVALID_FIELDS");
    }

    // VERI-3
    async fn what_was_changed_behind_our_back_is_found(app) {
        let admin = invoiced(app, 3).await;
        let check = async || admin.post("/api/v1/verifactu-check", json!({})).await.ok();
        let whole = check().await;
        assert_eq!((&whole["ok"], &whole["records"], &whole["brokenAt"]), (&json!(true), &json!(3), &Value::Null));
        let change = "UPDATE verifactu_record SET xml = REPLACE(xml, 'ImporteTotal>', 'ImporteTotal>1') WHERE seq = 2";
        app.db.read().execute_unprepared(change).await.expect_err("the database refuses");
        app.db.read().execute_unprepared("DELETE FROM verifactu_record").await.expect_err("the database refuses");
        let trigger = match app.engine {
            Engine::Postgres => "ALTER TABLE verifactu_record DISABLE TRIGGER USER",
            Engine::Sqlite => "DROP TRIGGER verifactu_record_no_update",
        };
        app.db.read().execute_unprepared(trigger).await.expect("somebody with the keys to the house");
        app.db.read().execute_unprepared(change).await.expect("it is changed");
        let broken = check().await;
        assert_eq!((&broken["ok"], &broken["records"]), (&json!(false), &json!(1)));
        assert_eq!(broken["brokenAt"]["reason"], "hash");
        assert_eq!((&broken["brokenAt"]["seq"], &broken["brokenAt"]["number"]), (&json!(2), &json!("A2026-000002")));
        let mend = "UPDATE verifactu_record SET xml = REPLACE(xml, 'ImporteTotal>1', 'ImporteTotal>') WHERE seq = 2";
        app.db.read().execute_unprepared(mend).await.expect("it is mended");
        app.db.read().execute_unprepared("UPDATE verifactu_chain SET records = 4").await.expect("it is changed");
        assert_eq!(check().await["brokenAt"]["reason"], "content", "one is missing at the end");
    }

    // PRINT-1, PRINT-4
    async fn the_printed_invoice_is_the_same_for_ever(app) {
        let (admin, principal, invoice) = one_invoice(app).await;
        let path = format!("/api/v1/print-invoice/{}", id(&invoice));
        let owner = app.log_in(&principal).await;
        let first = owner.get(&path).await;
        first.ok();
        assert_eq!(first.header("content-type"), Some("application/pdf"));
        let disposition = format!("inline; filename=\"{}.pdf\"", text(&invoice["number"]));
        assert_eq!(first.header("content-disposition"), Some(disposition.as_str()));
        assert!(first.body.starts_with(b"%PDF-1.7"));
        // Later names and addresses do not reach it.
        app.advance(TimeDelta::minutes(5));
        let change = json!({"customer": {"_id": principal.company, "company": "Otro nombre, S.L."}});
        admin.put("/api/v1/customer", change).await.ok();
        assert_eq!(admin.get(&path).await.body, first.body);
        let stranger = app.as_role(Role::Customer).await;
        stranger.get(&path).await.problem(404, "INVOICE_NOT_FOUND");
        stranger.get(&format!("/api/v1/invoice-facturae/{}", id(&invoice))).await.problem(404, "INVOICE_NOT_FOUND");
        if let Ok(folder) = std::env::var("ATALAYA_TEST_PDF") {
            std::fs::write(format!("{folder}/{}.pdf", text(&invoice["number"])), &first.body).expect("a file");
        }
    }

    // PRINT-2
    async fn a_kept_document_that_was_changed_is_not_handed_out(app) {
        let (admin, _, invoice) = one_invoice(app).await;
        let path = format!("/api/v1/print-invoice/{}", id(&invoice));
        admin.get(&path).await.ok();
        let change = "UPDATE stored_document SET sha256 = 'x'";
        app.db.read().execute_unprepared(change).await.expect_err("the database refuses");
        let trigger = match app.engine {
            Engine::Postgres => "ALTER TABLE stored_document DISABLE TRIGGER USER",
            Engine::Sqlite => "DROP TRIGGER stored_document_no_update",
        };
        app.db.read().execute_unprepared(trigger).await.expect("somebody with the keys to the house");
        app.db.read().execute_unprepared(change).await.expect("it is changed");
        assert_eq!(admin.get(&path).await.status, 500);
    }

    // EINV-7
    async fn facturae_is_what_the_schema_wants(app) {
        let (_, principal, invoice) = one_invoice(app).await;
        let answer = app.log_in(&principal).await.get(&format!("/api/v1/invoice-facturae/{}", id(&invoice))).await;
        answer.ok();
        let xml = String::from_utf8_lossy(&answer.body).into_owned();
        assert!(xml.contains("<InvoiceTotal>36.30</InvoiceTotal>") && xml.contains("<TotalTaxOutputs>6.30<"), "{xml}");
        assert!(answer.header("content-disposition").is_some_and(|value| value.contains("A2026-000001.xml")));
    }

    // VERI-12
    async fn the_statement_of_compliance_is_for_everybody(app) {
        app.as_role(Role::Admin).await;
        issuer(app).await;
        let worker = app.as_role(Role::Worker).await;
        let body = worker.get("/api/v1/verifactu-declaration").await.ok();
        let points: Vec<_> = body["points"].as_array().expect("points").iter().map(|one| text(&one["point"])).collect();
        assert_eq!(points.join(""), "abcdefghijkl");
        assert_eq!(body["points"][8]["text"], "B85626240");
        assert!(text(&body["points"][4]["text"]).starts_with("Sí."), "{body}");
        let english = worker.with("accept-language", "en").get("/api/v1/verifactu-declaration").await.ok();
        assert!(text(&english["points"][4]["text"]).starts_with("Yes."), "{english}");
    }
}

// VERI-4
#[tokio::test]
async fn records_reach_the_office_in_the_order_of_the_chain() {
    with_office(async |app, office| {
        office.set(|memory| memory.wait_s = 90);
        let admin = invoiced(app, 3).await;
        assert_eq!(queue(&admin).await["pending"], 3);
        assert_eq!(send(app).await, 1);
        let now = queue(&admin).await;
        assert_eq!((&now["pending"], &now["accepted"], &now["lastError"]), (&json!(0), &json!(3), &Value::Null));
        assert!(states(&admin).await.iter().all(|(_, state)| state == "accepted"));
        assert_eq!(records(&admin, "").await[0]["csv"], "A-0001");
        assert!(!office.calls()[0].contains("Incidencia"), "they are not late");
        let overview = admin.get("/api/v1/verifactu").await.ok();
        assert!(text(&overview["certificate"]["subject"]).contains("ATALAYA REMOTA"), "{overview}");

        // The waiting time of the answer is kept.
        let number = text(&records(&admin, "").await[0]["invoiceId"]);
        let cancel = json!({"reason": "Emitida por error"});
        admin.post(&format!("/api/v1/invoice-cancel/{number}"), cancel).await.ok();
        assert_eq!(send(app).await, 0);
        app.advance(TimeDelta::seconds(89));
        assert_eq!(send(app).await, 0);
        app.advance(TimeDelta::seconds(1));
        assert_eq!(send(app).await, 1);
        let last = &records(&admin, "").await[0];
        assert_eq!((&last["kind"], &last["state"], &last["seq"]), (&json!("annulled"), &json!("accepted"), &json!(4)));
        assert!(!office.calls()[1].contains("SinRegistroPrevio"));
        let check = admin.post("/api/v1/verifactu-check", json!({})).await.ok();
        assert_eq!((&check["ok"], &check["records"]), (&json!(true), &json!(4)));
    })
    .await;
}

// VERI-6
#[tokio::test]
async fn a_wrong_name_is_put_right_where_the_office_accepted_it() {
    with_office(async |app, office| {
        let admin = invoiced(app, 1).await;
        send(app).await;
        let record = records(&admin, "").await.remove(0);
        assert_eq!(
            (&record["state"], &record["resendable"], &record["correctable"]),
            (&json!("accepted"), &json!(false), &json!(true))
        );
        let resend = format!("/api/v1/verifactu-resend/{}", text(&record["_id"]));
        admin.post(&resend, json!({"recipientName": " "})).await.problem(409, "RECORD_NOT_RESENDABLE");
        let long = admin.post(&resend, json!({"recipientName": "x".repeat(121)})).await.problem(422, "INVALID_FIELDS");
        assert_eq!((&long["errors"][0]["field"], &long["errors"][0]["code"]), (&json!("recipientName"), &json!("TOO_LONG")));
        let body = json!({"recipientName": "Peritos del Turia, S.L.", "description": "Videoasistencia de octubre"});
        let new = admin.post(&resend, body).await.ok()["record"].clone();
        assert_eq!((&new["seq"], &new["correction"], &new["state"]), (&json!(2), &json!(true), &json!("pending")));
        admin.post(&resend, json!({"recipientName": "Otra"})).await.problem(409, "RECORD_NOT_RESENDABLE");
        app.advance(TimeDelta::seconds(90));
        assert_eq!(send(app).await, 1);
        let sent = office.calls()[1].clone();
        assert!(sent.contains("Peritos del Turia, S.L.") && sent.contains("Videoasistencia de octubre"), "{sent}");
        assert_eq!((sent.matches("<sum1:Subsanacion>S<").count(), sent.matches("RechazoPrevio").count()), (1, 0));
        // What was put right stays so when something else is
        let again = format!("/api/v1/verifactu-resend/{}", text(&new["_id"]));
        admin.post(&again, json!({"recipientName": "Peritos del Túria, S.L."})).await.ok();
        app.advance(TimeDelta::seconds(90));
        assert_eq!(send(app).await, 1);
        let sent = office.calls()[2].clone();
        assert!(sent.contains("Peritos del Túria, S.L.") && sent.contains("Videoasistencia de octubre"), "{sent}");
        let check = admin.post("/api/v1/verifactu-check", json!({})).await.ok();
        assert_eq!((&check["ok"], &check["records"]), (&json!(true), &json!(3)));
    })
    .await;
}

// VERI-6
#[tokio::test]
async fn what_is_refused_is_put_right_by_a_new_record() {
    with_office(async |app, office| {
        office.set(|memory| {
            memory.whims.insert("A2026-000001".into(), Whim::Reject);
            memory.whims.insert("A2026-000002".into(), Whim::WithErrors);
        });
        let admin = invoiced(app, 3).await;
        send(app).await;
        let all = records(&admin, "").await;
        let of = |seq: i64| all.iter().find(|one| one["seq"] == seq).expect("a record").clone();
        assert_eq!((&of(1)["state"], &of(1)["code"], &of(1)["csv"]), (&json!("rejected"), &json!("1110"), &Value::Null));
        assert_eq!((&of(2)["state"], &of(2)["code"]), (&json!("withErrors"), &json!("2004")));
        assert_eq!(
            (&of(1)["resendable"], &of(2)["resendable"], &of(3)["resendable"]),
            (&json!(true), &json!(true), &json!(false))
        );
        office.set(|memory| memory.whims.clear());
        let resend = async |seq| admin.post(&format!("/api/v1/verifactu-resend/{}", text(&of(seq)["_id"])), json!({})).await;
        resend(3).await.problem(409, "RECORD_NOT_RESENDABLE");
        for (seq, new) in [(1, 4), (2, 5)] {
            let record = resend(seq).await.ok()["record"].clone();
            assert_eq!((&record["seq"], &record["correction"], &record["state"]), (&json!(new), &json!(true), &json!("pending")));
            resend(seq).await.problem(409, "RECORD_NOT_RESENDABLE");
        }
        app.advance(TimeDelta::seconds(60));
        assert_eq!(send(app).await, 1);
        let sent = office.calls()[1].clone();
        assert_eq!(sent.matches("<sum1:Subsanacion>S<").count(), 2);
        assert_eq!(sent.matches("<sum1:RechazoPrevio>X<").count(), 1, "only the one that the office does not have");
        let states: Vec<String> = states(&admin).await.into_iter().map(|(_, state)| state).collect();
        assert_eq!(states, ["rejected", "withErrors", "accepted", "accepted", "accepted"]);
        let check = admin.post("/api/v1/verifactu-check", json!({})).await.ok();
        assert_eq!(check["ok"], true);
    })
    .await;
}

// VERI-5
#[tokio::test]
async fn an_office_that_does_not_answer_is_asked_again() {
    with_office(async |app, office| {
        office.set(|memory| memory.moods = vec![Mood::Silent, Mood::Fault, Mood::Strange]);
        let admin = invoiced(app, 2).await;
        let mut waited = 60;
        for (code, calls) in [("VERIFACTU_TIMEOUT", 1), ("VERIFACTU_FAULT", 2), ("VERIFACTU_STRANGE_ANSWER", 3)] {
            assert_eq!(send(app).await, 1);
            assert_eq!(send(app).await, 0, "not at once again");
            let now = queue(&admin).await;
            assert_eq!((&now["lastError"], &now["sent"]), (&json!(code), &json!(2)));
            assert_eq!(office.calls().len(), calls);
            app.advance(TimeDelta::seconds(waited));
            waited *= 2;
        }
        assert_eq!(send(app).await, 1);
        let now = queue(&admin).await;
        assert_eq!(
            (&now["lastError"], &now["accepted"]),
            (&Value::Null, &json!(2)),
            "what it kept silently is told as duplicates"
        );
        assert!(office.calls()[3].contains("<sum1:Incidencia>S<"), "they are late by now");
    })
    .await;
}

/// A thousand records before the first, made while another mode was set.
async fn others_before(app: &TestApp) {
    let id = match app.engine {
        Engine::Postgres => "gen_random_uuid()",
        Engine::Sqlite => "randomblob(16)",
    };
    let records = format!(
        "INSERT INTO verifactu_record (id, chain_id, invoice_id, seq, kind, invoice_type, correction, environment, number, \
         issue_date, total, hash, xml, at) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) \
         SELECT {id}, chain_id, invoice_id, -i, kind, invoice_type, correction, 'production', number, issue_date, total, hash, \
         xml, at FROM verifactu_record CROSS JOIN n WHERE seq = 1"
    );
    let sendings = "INSERT INTO verifactu_sending (id, chain_id, seq, state, attempts) \
         SELECT id, chain_id, seq, 'pending', 0 FROM verifactu_record WHERE environment = 'production'";
    for statement in [records.as_str(), sendings] {
        app.db.read().execute_unprepared(statement).await.expect(statement);
    }
}

// VERI-7
#[tokio::test]
async fn records_of_another_environment_hold_none_of_this_one_up() {
    with_office(async |app, office| {
        let admin = invoiced(app, 2).await;
        others_before(app).await;
        assert_eq!(send(app).await, 1, "and no second call for those that do not belong here");
        assert_eq!(office.calls()[0].matches("<sum:RegistroFactura>").count(), 2);
        assert_eq!(queue(&admin).await["accepted"], 2);
        app.advance(TimeDelta::hours(1));
        assert_eq!(send(app).await, 0);
    })
    .await;
}

// VERI-8
#[tokio::test]
async fn sending_has_a_worker_of_its_own() {
    let office = Office::open().await;
    let app = app_with(Engine::Sqlite, office.settings()).await.expect("SQLite needs nothing");
    let admin = invoiced(&app, 1).await;
    let empty = || Worker::new(app.db.clone(), app.billing.jobs.clone());
    let runs = atalaya_billing::worker(&app.billing, empty());
    while runs.run_next().await.expect("the jobs can be read") {}
    let tx = app.db.write().await.expect("a transaction");
    app.billing.jobs.enqueue(&tx, NewJob::new(SendRecords::KIND, Value::Null)).await.expect("a job");
    tx.commit().await.expect("it is written");
    assert!(!runs.run_next().await.expect("the jobs can be read"), "billing's runs do not wait for the office");
    let sending = atalaya_billing::records_worker(&app.billing, empty()).expect("sending is on");
    assert!(sending.run_next().await.expect("the jobs can be read"));
    assert_eq!((office.calls().len(), &queue(&admin).await["accepted"]), (1, &json!(1)));
    let off = app_with(Engine::Sqlite, VerifactuSettings::default()).await.expect("SQLite needs nothing");
    let none = atalaya_billing::records_worker(&off.billing, Worker::new(off.db.clone(), off.billing.jobs.clone()));
    assert!(none.is_none(), "nothing is sent");
}

// VERI-9
#[tokio::test]
async fn a_stranger_is_not_let_in() {
    let office = Office::open().await;
    let app = app_with(Engine::Sqlite, office.strangers_settings()).await.expect("SQLite needs nothing");
    let admin = invoiced(&app, 1).await;
    assert_eq!(send(&app).await, 1);
    assert_eq!(office.calls().len(), 0);
    assert_eq!(queue(&admin).await["lastError"], "VERIFACTU_UNREACHABLE");
    // Failures are repeated at least hourly.
    for _ in 0..12 {
        app.advance(TimeDelta::hours(1));
        assert_eq!(send(&app).await, 1);
    }
}

// VERI-10
#[tokio::test]
async fn records_made_while_sending_was_off_can_be_sent_later() {
    let office = Office::open().await;
    let app = app_with(Engine::Sqlite, VerifactuSettings::default()).await.expect("SQLite needs nothing");
    let admin = invoiced(&app, 1).await;
    let record = records(&admin, "").await.remove(0);
    office.set(|memory| memory.midway = true);
    let mut parts = (*app.billing).clone();
    parts.settings.verifactu = office.settings();
    let sending = Billing::new(parts);
    assert_eq!(sending.settings.verifactu.mode, Mode::Test);
    assert_eq!(send_waiting(&sending).await.expect("the queue"), 0, "they do not go by themselves");
    let caller = caller(&app).await;
    let id = text(&record["_id"]).parse().expect("an id");
    let resent =
        atalaya_billing::verifactu::service::resend(&sending, &caller, id, &Default::default()).await.expect("it is made");
    assert_eq!((resent.seq, resent.correction), (2, true));
    assert_eq!(send_waiting(&sending).await.expect("the queue"), 1);
    assert_eq!(queue(&admin).await["accepted"], 1);
}

// VERI-11
#[tokio::test]
async fn documents_lead_to_where_their_record_is() {
    let app = app_with(Engine::Sqlite, VerifactuSettings::default()).await.expect("SQLite needs nothing");
    let admin = invoiced(&app, 1).await;
    let record = records(&admin, "").await.remove(0);
    let mut parts = (*app.billing).clone();
    parts.settings.verifactu.mode = Mode::Production;
    let later = Billing::new(parts);
    let found = atalaya_billing::invoices::service::find_by_number(&later, &text(&record["number"])).await.expect("a query");
    let invoice = found.expect("the invoice");
    let (_, xml) = atalaya_billing::issuing::prints::xml(&later, &invoice, Format::Facturae).await.expect("a document");
    assert!(!xml.contains("ValidarQR"), "made while sending was off, so that nobody knows it there: {xml}");
    // Put into the production's chain, it leads there.
    let caller = caller(&app).await;
    let of_record = text(&record["_id"]).parse().expect("an id");
    atalaya_billing::verifactu::service::resend(&later, &caller, of_record, &Default::default()).await.expect("it is made");
    let (_, xml) = atalaya_billing::issuing::prints::xml(&app.billing, &invoice, Format::Facturae).await.expect("a document");
    assert!(xml.contains("//www2.agenciatributaria.gob.es") && !xml.contains("prewww2.aeat.es"), "{xml}");
}

// FACTU-7
#[tokio::test]
async fn a_rehearsal_shows_on_no_real_customers_invoice() {
    let office = Office::open().await;
    let app = app_with(Engine::Sqlite, office.settings()).await.expect("SQLite needs nothing");
    let admin = invoiced(&app, 1).await;
    let number = text(&records(&admin, "").await[0]["number"]);
    let invoice = atalaya_billing::invoices::service::find_by_number(&app.billing, &number).await.expect("a query");
    let invoice = invoice.expect("the invoice");
    for (trial, shows) in [(true, true), (false, false)] {
        let mut parts = (*app.billing).clone();
        parts.settings.verifactu.trial = trial;
        let written = atalaya_billing::issuing::prints::xml(&Billing::new(parts), &invoice, Format::Facturae).await;
        let (_, xml) = written.expect("a document");
        assert_eq!(xml.contains("prewww2.aeat.es"), shows, "{xml}");
    }
}

/// An administrator, as the services know him.
async fn caller(app: &TestApp) -> atalaya_rest::Caller {
    let admin = app.person(Role::Admin).await;
    atalaya_rest::Caller {
        user: admin.id,
        role: Role::Admin,
        company: admin.company,
        session: app.sources.id(),
        support: false,
        language: None,
        via: atalaya_rest::caller::Via::Bearer,
    }
}
