//! From calls to issued and sent invoices, and what customers read of them.

use super::*;
use atalaya_testkit::{Engine, both_engines};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tracing::field::Field;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

/// The same process without what moves by itself.
fn counts(process: &Value) -> (Value, i64, i64, i64) {
    let number = |name: &str| process[name].as_i64().expect("a count");
    (process["state"].clone(), number("toInvoice"), number("issued"), number("sent"))
}

/// Counts the statements that read companies, as the database's driver logs them.
#[derive(Clone, Default)]
struct CompanyReads(Arc<AtomicUsize>);

impl<S: tracing::Subscriber> Layer<S> for CompanyReads {
    fn on_event(&self, event: &tracing::Event<'_>, _: Context<'_, S>) {
        let mut reads = false;
        event.record(&mut |_: &Field, value: &dyn std::fmt::Debug| {
            reads |= format!("{value:?}").contains(r#"FROM \"company\""#);
        });
        self.0.fetch_add(usize::from(reads), Ordering::Relaxed);
    }
}

async fn process_sent(admin: &Client) -> i64 {
    process(admin).await["sent"].as_i64().expect("a count")
}

both_engines! {
    // RUN-2, RUN-4, ISSUE-2, ISSUE-3, ISSUE-7, INV-4, INV-6, INV-9, TARIFF-12
    async fn a_month_is_calculated_issued_and_read(app) {
        app.clock.set(at("2026-10-05T09:00:00Z"));
        let (principal, owner) = customer(app, "Peritaciones Levante, S.L.", "46001").await;
        for (expedient, seconds) in [("EXP 77", 601), ("exp77", 1500), ("EXP 78", 600), ("EXP 79", 59)] {
            call(app, &owner, expedient, seconds).await;
        }
        let (_, idle) = customer(app, "Sin consumo", "35001").await;
        app.clock.set(at("2026-11-02T09:00:00Z"));
        let admin = app.as_role(Role::Admin).await;

        // Nothing is calculated yet, and the issuer lacks its data.
        assert_eq!(counts(&process(&admin).await), (json!("pending"), 0, 0, 0));
        let refused = admin.get("/api/v1/generate-all-invoices").await.problem(409, "ISSUER_INCOMPLETE");
        let fields: Vec<_> = refused["errors"].as_array().unwrap().iter().map(|error| text(&error["field"])).collect();
        assert_eq!(fields, ["cif", "address", "city", "postalCode"]);
        assert_eq!(process(&admin).await["errors"][0]["code"], "ISSUER_INCOMPLETE");
        issuer(app).await;

        // Drafts give no numbers.
        let answer = admin.get("/api/v1/update-invoice-processes").await.expect(202);
        assert!(answer["running"].as_bool().unwrap());
        work(app).await;
        let calculated = process(&admin).await;
        assert_eq!(counts(&calculated), (json!("calculated"), 2, 0, 0));
        assert_eq!((calculated["base"].as_f64(), calculated["vat"].as_f64(), calculated["total"].as_f64()), (Some(60.0), Some(6.3), Some(66.3)));
        assert!(invoices(&admin, None).await.is_empty());

        let issued = generate(app, &admin).await;
        assert_eq!(counts(&issued), (json!("issued"), 2, 2, 0));
        assert_eq!((issued["late"].as_bool(), issued["deadline"].as_str()), (Some(false), Some("2026-11-15")));
        assert_eq!(issued["errors"], json!([]));

        // The customer reads its own, down to the calls.
        let client = app.log_in(&principal).await;
        let own = invoices(&client, Some(principal.company)).await;
        assert_eq!(own.len(), 1);
        let invoice = &own[0];
        assert_eq!(invoice["number"], "A2026-000001");
        assert_eq!((invoice["issueDate"].as_str(), invoice["operationDate"].as_str(), invoice["dueDate"].as_str()),
            (Some("2026-11-02"), Some("2026-10-31"), Some("2026-11-09")));
        assert_eq!((invoice["status"].as_str(), invoice["total"].as_f64(), invoice["connections"].as_i64()), (Some("issued"), Some(36.3), Some(4)));
        let details = client.get(&format!("/api/v1/get-details/{}?limit=3", id(invoice))).await.ok();
        let lines: Vec<_> = details["lines"].as_array().unwrap().iter()
            .map(|line| (text(&line["code"]), line["quantity"].as_i64().unwrap(), line["amount"].as_f64().unwrap())).collect();
        assert_eq!(lines, [
            ("connection".into(), 3, 18.0), ("otherConnections".into(), 1, 3.0), ("exceededMinute".into(), 16, 5.6), ("minimum".into(), 1, 3.4),
        ]);
        assert_eq!(details["lines"][2]["formula"]["values"]["minuteLimit"], 10.0);
        assert_eq!(details["lines"][3]["formula"]["values"]["net"], 26.6);
        assert_eq!((details["connections"].as_array().unwrap().len(), &details["connectionsTotal"], &details["nextCursor"]), (3, &json!(4), &json!("3")));
        assert_eq!((details["header"]["issuer"]["cif"].as_str(), details["header"]["recipient"]["company"].as_str()), (Some("B85626240"), Some("Peritaciones Levante, S.L.")));
        let exceeded = client.get(&format!("/api/v1/get-details/{}?line=exceededMinute", id(invoice))).await.ok();
        let minutes: i64 = exceeded["connections"].as_array().unwrap().iter().map(|row| row["exceeded"].as_i64().unwrap()).sum();
        assert_eq!((minutes, &exceeded["connectionsTotal"]), (16, &json!(2)));

        // Another tenant's is none; Canaries pay no IVA.
        client.get(&format!("/api/v1/get-invoices/{}", idle.company)).await.problem(404, "COMPANY_NOT_FOUND");
        client.get("/api/v1/get-invoices/0").await.problem(404, "COMPANY_NOT_FOUND");
        let other = invoices(&admin, Some(idle.company)).await.remove(0);
        client.get(&format!("/api/v1/get-details/{}", id(&other))).await.problem(404, "INVOICE_NOT_FOUND");
        assert_eq!((other["vatRate"].as_i64(), other["total"].as_f64()), (Some(0), Some(30.0)));
        let exempt = admin.get(&format!("/api/v1/get-details/{}", id(&other))).await.ok()["totals"]["exempt"].clone();
        assert!(text(&exempt).starts_with("Operación no sujeta"));

        // The running month, provisional.
        let running = client.get(&format!("/api/v1/get-details/{}", principal.company)).await.ok();
        assert_eq!((running["invoice"].is_null(), running["provisional"].as_bool()), (true, Some(true)));
        assert_eq!(running["totals"]["base"], 30);
        client.get(&format!("/api/v1/get-details/{}", idle.company)).await.problem(404, "INVOICE_NOT_FOUND");

        // Once more changes nothing.
        let again = generate(app, &admin).await;
        assert_eq!(counts(&again), counts(&issued));
        assert_eq!(invoices(&admin, None).await.len(), 2);

        let statistics = client.get(&format!("/api/v1/invoice-statistics/{}?from=2026-09&to=2026-11", principal.company)).await.ok();
        let months: Vec<_> = statistics["months"].as_array().unwrap().iter()
            .map(|month| (text(&month["period"]), month["total"].as_f64().unwrap(), month["provisional"].as_bool().unwrap())).collect();
        assert_eq!(months, [("2026-09".into(), 0.0, false), ("2026-10".into(), 36.3, false), ("2026-11".into(), 36.3, true)]);
        assert_eq!(statistics["nextCharge"], Value::Null, "who pays by transfer is charged nothing by itself");
        let everybody = admin.get("/api/v1/invoice-statistics/0?from=2026-10&to=2026-10").await.ok();
        assert_eq!(everybody["months"][0]["total"], 66.3);
        client.get(&format!("/api/v1/invoice-statistics/{}?from=2026-13", principal.company)).await.problem(422, "INVALID_FIELDS");
        client.get(&format!("/api/v1/invoice-statistics/{}?from=1990-01", principal.company)).await.problem(422, "INVALID_FIELDS");
    }

    // TARIFF-10, RUN-4
    async fn without_a_payment_start_the_creation_counts(app) {
        app.clock.set(at("2026-09-21T09:00:00Z"));
        issuer(app).await;
        let mut new = NewCompany::named(CompanyKind::Customer, "Sin inicio, S.L.");
        (new.status, new.legal, new.pay_start_at) = (Status::Active, true, None);
        (new.cif, new.address, new.city, new.postal_code) =
            (Some(nif(app.next())), Some("Calle 1".into()), Some("Madrid".into()), Some("28013".into()));
        new.iban = Some("ES9121000418450200051332".into());
        let company = app.company_with(new).await;
        let principal = app.person_in(company, Role::Customer).await;
        app.accept_terms(&principal).await;
        let owner = app.person_in(company, Role::Worker).await;
        app.clock.set(at("2026-10-05T09:00:00Z"));
        call(app, &owner, "EXP 1", 300).await;
        app.clock.set(at("2026-11-02T09:00:00Z"));
        let admin = app.as_role(Role::Admin).await;
        let issue = async |period: &str| {
            admin.post(&format!("/api/v1/generate-all-invoices?period={period}"), json!({})).await.expect(202);
            work(app).await;
            invoices(&admin, Some(company)).await
        };
        // No month before anybody's start can be issued (RUN-1).
        admin.post("/api/v1/generate-all-invoices?period=2026-08", json!({})).await.problem(422, "INVALID_FIELDS");
        // The month of the creation owes the minimum of ten days; the next one has the call.
        let september = issue("2026-09").await;
        assert_eq!(september.len(), 1);
        let minimum = admin.get(&format!("/api/v1/get-details/{}", id(&september[0]))).await.ok();
        assert_eq!((minimum["totals"]["base"].as_f64(), minimum["lines"].as_array().map(Vec::len)), (Some(10.0), Some(1)), "{minimum}");
        let all = issue("2026-10").await;
        let october: Vec<_> = all.iter().filter(|invoice| invoice["operationDate"] == "2026-10-31").collect();
        assert_eq!((all.len(), october.len()), (2, 1));
        let called = admin.get(&format!("/api/v1/get-details/{}", id(october[0]))).await.ok()["lines"][0].clone();
        assert_eq!((&called["code"], &called["quantity"]), (&json!("connection"), &json!(1)));
    }

    // INV-6, INV-8
    async fn lists_are_searched_and_filtered(app) {
        let (admin, principal, invoice) = one_invoice(app).await;
        let details = admin.get(&format!("/api/v1/get-details/{}", id(&invoice))).await.ok();
        let by_nif = format!("search={}", text(&details["header"]["recipient"]["cif"]).to_lowercase());
        let found = |query: &str| {
            let query = query.to_owned();
            let admin = &admin;
            async move { admin.get(&format!("/api/v1/get-invoices/0?{query}")).await.ok()["total"].as_u64().unwrap() }
        };
        for (query, expected) in [
            ("search=peritaciones%20A2026", 1), (by_nif.as_str(), 1), ("search=nadie", 0), ("status=issued", 1), ("status=paid", 0),
            ("from=2026-11-02&to=2026-11-02", 1), ("from=2026-11-03", 0), ("from=2026-10&to=2026-10", 1), ("from=2026-11&to=2026-12", 0),
        ] {
            assert_eq!(found(query).await, expected, "{query}");
        }
        for (query, field) in [("status=new", "status"), ("from=x", "from"), ("to=2026-14", "to"), ("cursor=x", "cursor")] {
            let problem = admin.get(&format!("/api/v1/get-invoices/0?{query}")).await.problem(422, "INVALID_FIELDS");
            assert_eq!(problem["errors"][0]["field"], field);
        }
        let book = admin.get("/api/v1/invoices-excel/0").await;
        assert_eq!((book.status, &book.body[..2]), (200, &b"PK"[..]));
        let client = app.log_in(&principal).await;
        assert_eq!(client.get(&format!("/api/v1/get-invoices/{}?format=xlsx", principal.company)).await.status, 200);
        assert_eq!(invoice["rectifies"], Value::Null);
    }

    // RUN-9
    async fn a_step_reads_its_customers_once(app) {
        app.clock.set(at("2026-10-05T09:00:00Z"));
        issuer(app).await;
        for name in ["Uno", "Dos", "Tres"] {
            let (_, owner) = customer(app, name, "46001").await;
            call(app, &owner, "EXP 1", 300).await;
        }
        app.clock.set(at("2026-11-02T09:00:00Z"));
        let admin = app.as_role(Role::Admin).await;
        admin.post("/api/v1/generate-all-invoices", json!({})).await.expect(202);
        let reads = CompanyReads::default();
        {
            // With a single listener, whichever thread runs a query first decides for all whether queries are logged; a second
            // listener makes every one of them be asked.
            let _second = tracing::Dispatch::new(tracing_subscriber::registry());
            // SQLite's driver logs in a thread of its own, where nobody listens.
            let _listening = tracing::subscriber::set_default(tracing_subscriber::registry().with(reads.clone()));
            assert!(worker(app).run_next().await.expect("the first step"));
        }
        assert_eq!(invoices(&admin, None).await.len(), 3);
        if app.engine == Engine::Postgres {
            assert_eq!(reads.0.load(Ordering::Relaxed), 5, "the three customers together, once more under lock, the issuer with its account, and the platform for the place of supply");
        }
    }

    // ISSUE-2
    async fn who_lacks_tax_data_is_named_and_the_rest_goes_on(app) {
        app.clock.set(at("2026-10-05T09:00:00Z"));
        issuer(app).await;
        let (_, _) = customer(app, "Completa, S.L.", "46001").await;
        let bare = app.company(CompanyKind::Customer, "Sin datos").await;
        let person = app.person_in(bare, Role::Customer).await;
        app.accept_terms(&person).await;
        app.clock.set(at("2026-11-20T09:00:00Z"));
        let admin = app.as_role(Role::Admin).await;
        let process = generate(app, &admin).await;
        assert_eq!((process["issued"].as_i64(), process["late"].as_bool()), (Some(1), Some(true)), "after the fifteenth");
        let error = &process["errors"][0];
        assert_eq!((error["customerId"].as_str(), error["code"].as_str()), (Some(bare.to_string().as_str()), Some("CUSTOMER_INCOMPLETE")));
        assert_eq!(error["fields"], json!(["cif", "address", "city", "postalCode"]));
    }

    // RUN-5
    async fn two_administrators_press_at_once(app) {
        app.clock.set(at("2026-10-05T09:00:00Z"));
        issuer(app).await;
        for nth in 0..3 {
            customer(app, &format!("Cliente {nth}"), "46001").await;
        }
        app.clock.set(at("2026-11-02T09:00:00Z"));
        let (ana, eva) = (app.as_role(Role::Admin).await, app.as_role(Role::Admin).await);
        let (one, two) = tokio::join!(
            ana.post("/api/v1/generate-all-invoices", json!({})),
            eva.post("/api/v1/generate-all-invoices", json!({}))
        );
        let (one, two) = (one.expect(202)["process"].clone(), two.expect(202)["process"].clone());
        assert_eq!((&one["job"]["kind"], &two["job"]["kind"]), (&json!("issue"), &json!("issue")), "both see the one job");
        ana.get("/api/v1/update-invoice-processes").await.expect(202);
        work(app).await;
        let numbers: Vec<_> = invoices(&ana, None).await.iter().map(|invoice| text(&invoice["number"])).collect();
        assert_eq!(numbers.len(), 3, "{numbers:?}");
        assert!(process(&ana).await["job"].is_null());
    }

    // RUN-5
    async fn nothing_is_said_to_be_done_while_another_job_works(app) {
        app.clock.set(at("2026-10-05T09:00:00Z"));
        issuer(app).await;
        customer(app, "Cliente", "46001").await;
        app.clock.set(at("2026-11-02T09:00:00Z"));
        let admin = app.as_role(Role::Admin).await;
        admin.post("/api/v1/update-invoice-processes", json!({})).await.expect(202);
        for path in ["generate-all-invoices", "send-all-invoices"] {
            let problem = admin.post(&format!("/api/v1/{path}"), json!({})).await.problem(409, "INVOICE_JOB_RUNNING");
            assert!(text(&problem["detail"]).contains("2026-10"), "{problem}");
        }
        work(app).await;
        assert_eq!(process(&admin).await["issued"], 0, "nothing was begun");
        admin.post("/api/v1/generate-all-invoices", json!({})).await.expect(202);
        admin.post("/api/v1/send-all-invoices", json!({})).await.problem(409, "INVOICE_JOB_RUNNING");
        admin.post("/api/v1/generate-all-invoices", json!({})).await.expect(202);
        work(app).await;
        for _ in 0..2 {
            assert_eq!(admin.post("/api/v1/send-all-invoices", json!({})).await.ok()["queued"], 1, "it is being sent");
        }
        work(app).await;
        assert_eq!(process_sent(&admin).await, 1);
    }

    // RUN-4, INV-3
    async fn only_closed_months_are_issued(app) {
        app.clock.set(at("2026-10-05T09:00:00Z"));
        issuer(app).await;
        customer(app, "Cliente", "46001").await;
        app.clock.set(at("2026-11-02T09:00:00Z"));
        let admin = app.as_role(Role::Admin).await;
        for (period, code) in [("2026-11", "PERIOD_OPEN"), ("2027-01", "PERIOD_OPEN"), ("x", "INVALID"), ("1999-01", "INVALID")] {
            let problem = admin.get(&format!("/api/v1/generate-all-invoices?period={period}")).await.problem(422, "INVALID_FIELDS");
            assert_eq!(problem["errors"][0]["code"], code, "{period}");
        }
        // Dates never go back: with its invoice annulled the month is open again, but the clock was set back.
        admin.get("/api/v1/generate-all-invoices?period=2026-10").await.expect(202);
        work(app).await;
        let annulled = invoices(&admin, None).await.remove(0);
        admin.post(&format!("/api/v1/invoice-cancel/{}", id(&annulled)), json!({})).await.ok();
        app.clock.set(at("2026-11-01T09:00:00Z"));
        let admin = app.as_role(Role::Admin).await;
        admin.get("/api/v1/generate-all-invoices?period=2026-10").await.expect(202);
        work(app).await;
        let october = process(&admin).await;
        assert_eq!(october["errors"][0]["code"], "ISSUE_DATE_BACKWARDS");
        assert_eq!((&october["issued"], &october["job"]), (&json!(0), &Value::Null));
    }

    // RUN-8
    async fn issued_invoices_go_out_once_with_their_pdf(app) {
        let (_, principal, invoice) = one_invoice(app).await;
        // One who cannot be reached.
        let mut new = NewCompany::named(CompanyKind::Customer, "Sin correo").paying(at("2026-08-01T00:00:00Z"));
        (new.cif, new.address, new.city, new.postal_code) = (Some("A28015865".into()), Some("Calle 1".into()), Some("Madrid".into()), Some("28013".into()));
        let silent = app.company_with(new).await;
        let person = app.person_in(silent, Role::Customer).await;
        app.clock.set(at("2026-10-06T09:00:00Z"));
        app.accept_terms(&person).await;
        app.clock.set(at("2026-11-02T10:00:00Z"));
        let admin_now = app.as_role(Role::Admin).await;
        generate(app, &admin_now).await;

        let answer = admin_now.get("/api/v1/send-all-invoices").await.ok();
        assert_eq!((answer["message"].as_str(), answer["queued"].as_i64()), (Some("Se han enviado los correos"), Some(1)));
        assert_eq!((answer["failed"][0]["code"].as_str(), answer["failed"][0]["company"].as_str()), (Some("EMAIL_MISSING"), Some("Sin correo")));
        work(app).await;
        let process = process(&admin_now).await;
        assert_eq!((process["sent"].as_i64(), process["issued"].as_i64(), &process["job"]), (Some(1), Some(2), &Value::Null));
        let mails = admin_now.get("/api/v1/outbox?channel=email&limit=50").await.ok();
        let of_invoice: Vec<&Value> = mails["outbox"].as_array().unwrap().iter()
            .filter(|mail| mail["subject"].as_str().is_some_and(|subject| subject.starts_with("Factura "))).collect();
        assert_eq!(of_invoice.len(), 1);
        let mail = of_invoice[0];
        assert_eq!((mail["subject"].as_str(), mail["attachments"][0]["name"].as_str()), (Some("Factura A2026-000001"), Some("A2026-000001.pdf")));
        assert!(text(&mail["text"]).contains("36,30 €") && text(&mail["text"]).contains("octubre de 2026"), "{mail}");
        let client = app.log_in(&principal).await;
        let sent = invoices(&client, Some(principal.company)).await.remove(0);
        assert_eq!((sent["status"].as_str(), sent["sentAt"].as_str()), (Some("sent"), Some("2026-11-02T10:00:00Z")));

        // Nobody gets it twice, and what was delivered is not annulled any more.
        let again = admin_now.post("/api/v1/send-all-invoices", json!({})).await.ok();
        assert_eq!(again["queued"], 0);
        work(app).await;
        assert_eq!(process_sent(&admin_now).await, 1);
        admin_now.post(&format!("/api/v1/invoice-cancel/{}", id(&invoice)), json!({})).await.problem(409, "INVOICE_SENT");
    }

    // INV-1
    async fn an_issued_invoice_never_changes(app) {
        use sea_orm::ConnectionTrait;
        one_invoice(app).await;
        for statement in [
            "UPDATE invoice SET total = 1", "UPDATE invoice SET number = 'A2026-000009'", "UPDATE invoice SET lines = '[]'",
            "UPDATE invoice SET status = 'paid', base = 3", "DELETE FROM invoice", "UPDATE invoice_detail SET part = 9", "DELETE FROM invoice_detail",
        ] {
            assert!(app.db.read().execute_unprepared(statement).await.is_err(), "{statement}");
        }
        app.db.read().execute_unprepared("UPDATE invoice SET status = 'paid'").await.expect("states may change");
    }

    // RUN-7
    async fn connections_without_any_price_are_an_error_that_is_seen(app) {
        app.clock.set(at("2026-10-05T09:00:00Z"));
        issuer(app).await;
        let mut new = NewCompany::named(CompanyKind::Customer, "Sin tarifa, S.L.").paying(app.sources.now() - TimeDelta::days(60));
        new.status = Status::Active;
        let company = app.company_with(new).await;
        let owner = app.person_in(company, Role::Worker).await;
        call(app, &owner, "EXP 1", 90).await;
        app.clock.set(at("2026-11-02T09:00:00Z"));
        let admin = app.as_role(Role::Admin).await;
        let errors = generate(app, &admin).await["errors"].clone();
        assert_eq!((text(&errors[0]["code"]), text(&errors[0]["company"])), ("NO_PRICE".into(), "Sin tarifa, S.L.".into()), "{errors}");
        assert!(invoices(&admin, None).await.is_empty());
    }

    // ISSUE-6
    async fn a_firm_without_registry_data_is_warned_and_invoices(app) {
        let (admin, _, _) = one_invoice(app).await;
        app.clock.set(at("2026-12-02T09:00:00Z"));
        let admin_now = app.as_role(Role::Admin).await;
        let _ = admin;
        let body = json!({"customer": {"_id": app.platform().await, "registryData": ""}});
        admin_now.send(axum::http::Method::PUT, "/api/v1/customer", Some(body)).await.ok();
        let error = process(&admin_now).await["errors"][0].clone();
        assert_eq!((text(&error["code"]), &error["fields"]), ("ISSUER_REGISTRY_MISSING".into(), &json!(["registryData"])));
        assert_eq!(generate(app, &admin_now).await["issued"], 1);
    }

    // RUN-5
    async fn however_many_press_at_once_there_is_one_run(app) {
        app.clock.set(at("2026-10-05T09:00:00Z"));
        issuer(app).await;
        for nth in 0..3 {
            customer(app, &format!("Cliente {nth}"), "46001").await;
        }
        app.clock.set(at("2026-11-02T09:00:00Z"));
        let admin = app.as_role(Role::Admin).await;
        let mut presses = tokio::task::JoinSet::new();
        for _ in 0..50 {
            let admin = admin.clone();
            presses.spawn(async move { admin.post("/api/v1/generate-all-invoices", json!({})).await.status });
        }
        let statuses = presses.join_all().await;
        assert!(statuses.iter().all(|status| *status == 202), "{statuses:?}");
        // Several workers at it, as on several nodes.
        let mut workers = tokio::task::JoinSet::new();
        for _ in 0..4 {
            let worker = worker(app);
            workers.spawn(async move { while worker.run_next().await.expect("the job table can be read") {} });
        }
        workers.join_all().await;
        work(app).await;
        let mut numbers: Vec<_> = invoices(&admin, None).await.iter().map(|one| text(&one["number"])).collect();
        numbers.sort();
        assert_eq!(numbers, ["A2026-000001", "A2026-000002", "A2026-000003"]);
    }
}
