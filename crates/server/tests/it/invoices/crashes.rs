//! A crash after each statement of the issue transaction, and one between two steps: no gap, no double.

use super::*;
use atalaya_testkit::{Engine, both_engines};
use sea_orm::ConnectionTrait;
use std::collections::BTreeSet;

/// What the transaction of a step writes to, in any order.
const WRITES: [(&str, &str); 8] = [
    ("UPDATE", "invoice_run"),
    ("INSERT", "invoice_draft"),
    ("INSERT", "invoice_series"),
    ("UPDATE", "invoice_series"),
    ("INSERT", "invoice"),
    ("INSERT", "invoice_detail"),
    ("INSERT", "verifactu_record"),
    ("UPDATE", "verifactu_chain"),
];

async fn run(app: &TestApp, statement: &str) {
    app.db.read().execute_unprepared(statement).await.unwrap_or_else(|error| panic!("{statement}: {error}"));
}

/// From now on, after this kind of statement on this table, everything is lost.
async fn break_after(app: &TestApp, verb: &str, table: &str) {
    match app.engine {
        Engine::Sqlite => {
            run(app, &format!("CREATE TRIGGER boom AFTER {verb} ON {table} BEGIN SELECT RAISE(ABORT, 'boom'); END")).await
        }
        Engine::Postgres => {
            run(
                app,
                "CREATE OR REPLACE FUNCTION boom() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'boom'; END $$",
            )
            .await;
            run(app, &format!("CREATE TRIGGER boom AFTER {verb} ON {table} FOR EACH ROW EXECUTE FUNCTION boom()")).await;
        }
    }
}

async fn mend(app: &TestApp, table: &str) {
    match app.engine {
        Engine::Sqlite => run(app, "DROP TRIGGER boom").await,
        Engine::Postgres => run(app, &format!("DROP TRIGGER boom ON {table}")).await,
    }
}

/// Numbers are 1 to `count`, each customer has one invoice, and each invoice has its record in the chain.
async fn is_whole(app: &TestApp, admin: &Client, count: usize) {
    let all = invoices(admin, None).await;
    let numbers: BTreeSet<String> = all.iter().map(|invoice| text(&invoice["number"])).collect();
    let expected: BTreeSet<String> = (1..=count).map(|n| format!("A2026-{n:06}")).collect();
    assert_eq!(numbers, expected);
    let customers: BTreeSet<String> = all.iter().map(|invoice| text(&invoice["customerId"])).collect();
    assert_eq!((all.len(), customers.len()), (count, count));
    let query =
        sea_orm::Statement::from_string(app.db.read().get_database_backend(), "SELECT COUNT(*) AS n FROM verifactu_record");
    let row = app.db.read().query_one_raw(query).await.unwrap().unwrap();
    assert_eq!(row.try_get::<i64>("", "n").unwrap(), i64::try_from(count).unwrap());
}

both_engines! {
    // INV-2, ISSUE-1
    async fn a_crash_after_any_statement_leaves_no_gap(app) {
        app.clock.set(at("2026-10-05T09:00:00Z"));
        issuer(app).await;
        for nth in 0..3 {
            let (_, owner) = customer(app, &format!("Cliente {nth}"), "46001").await;
            call(app, &owner, "EXP 1", 60).await;
        }
        app.clock.set(at("2026-11-02T09:00:00Z"));
        for (verb, table) in WRITES {
            // Past the waiting time of the attempt before.
            app.advance(TimeDelta::minutes(15));
            let admin = app.as_role(Role::Admin).await;
            admin.post("/api/v1/generate-all-invoices", json!({})).await.expect(202);
            break_after(app, verb, table).await;
            assert!(worker(app).run_next().await.expect("the failure is a failed attempt"), "{verb} {table}");
            assert!(invoices(&admin, None).await.is_empty(), "{verb} {table}");
            mend(app, table).await;
        }
        app.advance(TimeDelta::hours(2));
        work(app).await;
        let admin = app.as_role(Role::Admin).await;
        is_whole(app, &admin, 3).await;
        assert_eq!(process(&admin).await["state"], "issued");
        // A later month goes on behind them.
        app.clock.set(at("2026-12-01T09:00:00Z"));
        let admin = app.as_role(Role::Admin).await;
        generate(app, &admin).await;
        let numbers: BTreeSet<String> = invoices(&admin, None).await.iter().map(|invoice| text(&invoice["number"])).collect();
        assert_eq!(numbers.last().map(String::as_str), Some("A2026-000006"));
    }

    // RUN-6
    async fn a_killed_run_goes_on_after_the_restart(app) {
        app.clock.set(at("2026-10-05T09:00:00Z"));
        issuer(app).await;
        for nth in 0..3 {
            customer(app, &format!("Cliente {nth}"), "46001").await;
        }
        app.clock.set(at("2026-11-02T09:00:00Z"));
        let admin = app.as_role(Role::Admin).await;
        admin.post("/api/v1/generate-all-invoices", json!({})).await.expect(202);
        // The process dies with the job in its hands: the row stays claimed.
        run(app, "UPDATE job SET state = 'running', attempts = 1, locked_until = '2099-01-01 00:00:00+00:00' WHERE kind = 'invoice-run'").await;
        work(app).await;
        assert!(invoices(&admin, None).await.is_empty());
        atalaya_billing::recover(&app.billing).await.unwrap();
        work(app).await;
        is_whole(app, &admin, 3).await;
        assert_eq!(process(&admin).await["job"], Value::Null);
        // The lost worker comes back with its step: it was made already.
        run(app, "UPDATE job SET state = 'queued' WHERE kind = 'invoice-run' AND locked_until IS NOT NULL").await;
        work(app).await;
        is_whole(app, &admin, 3).await;
    }

    // RUN-6
    async fn a_killed_run_forgets_none_of_its_months(app) {
        app.clock.set(at("2026-08-05T09:00:00Z"));
        issuer(app).await;
        customer(app, "Cliente", "46001").await;
        app.clock.set(at("2026-11-02T09:00:00Z"));
        let admin = app.as_role(Role::Admin).await;
        admin.post("/api/v1/update-invoice-processes", json!({})).await.expect(202);
        run(app, "UPDATE job SET state = 'running', attempts = 1, locked_until = '2099-01-01 00:00:00+00:00' WHERE kind = 'invoice-run'").await;
        atalaya_billing::recover(&app.billing).await.unwrap();
        work(app).await;
        let processes = admin.get("/api/v1/invoice-processes").await.ok()["processes"].clone();
        let processes = processes.as_array().unwrap();
        let calculated = |process: &&Value| !process["calculatedAt"].is_null();
        assert!(processes.len() >= 3, "{processes:?}");
        assert_eq!(processes.iter().filter(calculated).count(), processes.len(), "{processes:?}");
    }
}
