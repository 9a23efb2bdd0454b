//! What is kept, what is forgotten, and when: files of mails that nobody carried, BICs that a bank refused, contracts.

use super::bank_files::{RETURN, ours, remitted, send};
use super::{SECRET, mailed};
use crate::invoices;
use crate::support::text;
use atalaya_jobs::{Jobs, NewJob, Worker};
use atalaya_kernel::Role;
use atalaya_testkit::{TestApp, both_engines};
use chrono::TimeDelta;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

/// The job that dates bring, as the server's worker does it.
async fn tend(app: &TestApp) {
    let jobs = Jobs::new(app.sources.clone());
    let tx = app.db.write().await.expect("a transaction");
    jobs.enqueue(&tx, NewJob::new("tend_debits", Value::Null)).await.expect("it is written");
    tx.commit().await.expect("committed");
    let worker = atalaya_bank_files::worker(&app.billing, Worker::new(app.db.clone(), jobs));
    while worker.run_next().await.expect("the job table can be read") {}
}

async fn number(app: &TestApp, query: &str) -> i64 {
    let db = app.db.read();
    let row = db.query_one_raw(Statement::from_string(db.get_database_backend(), query)).await.expect(query).expect("a row");
    row.try_get_by_index(0).expect("a number")
}

const CONTRACTS: &str = "SELECT count(*) FROM stored_document WHERE kind = 'contract'";

both_engines! {
    // REMIT-10
    async fn files_of_captured_mails_are_forgotten_after_thirty_days(app) {
        let (admin, _) = remitted(app).await;
        assert!(mailed(&admin, SECRET).await.is_ok(), "the remittance can be looked at");
        let outbox = admin.get("/api/v1/outbox?channel=email&to=admin@localhost").await.ok();
        let file = outbox["outbox"][0]["attachments"][0].clone();
        app.advance(TimeDelta::days(30));
        tend(app).await;
        let admin = app.as_role(Role::Admin).await;
        assert!(mailed(&admin, SECRET).await.is_ok(), "thirty days are not over by a moment");
        app.advance(TimeDelta::milliseconds(1));
        tend(app).await;
        admin.get(&format!("/api/v1/outbox-attachment/{}", text(&file["_id"]))).await.expect(404);
        let outbox = admin.get("/api/v1/outbox?channel=email&to=admin@localhost").await.ok();
        let after = &outbox["outbox"][0]["attachments"][0];
        assert_eq!((&after["name"], &after["size"]), (&file["name"], &file["size"]), "that there was one is kept");
        assert_eq!(number(app, "SELECT count(*) FROM outbox_attachment WHERE bytes IS NOT NULL").await, 0);
    }

    // BANK-13
    async fn a_refused_bic_is_forgotten(app) {
        let (admin, _) = remitted(app).await;
        let set = "UPDATE company SET bic = 'CAIXESBBXXX' WHERE id IN (SELECT company_id FROM debit_attempt)";
        app.db.read().execute_unprepared(set).await.unwrap();
        let with = "SELECT count(*) FROM company WHERE bic = 'CAIXESBBXXX'";
        assert_eq!(number(app, with).await, 1);
        send(&admin, ours(RETURN).replace("AM04", "RC01").as_bytes()).await.ok();
        assert_eq!(number(app, with).await, 0, "the bank takes the account alone");
    }

    // TERMS-9
    async fn a_contract_accepted_at_activation_is_kept_by_the_day(app) {
        let principal = app.person(Role::Customer).await;
        // As an activation does, which knows nothing of documents
        app.accept_terms(&principal).await;
        assert_eq!(number(app, CONTRACTS).await, 0);
        tend(app).await;
        tend(app).await;
        assert_eq!(number(app, CONTRACTS).await, 1);
        let before = app.log_in(&principal).await.get("/api/v1/contract").await.body.to_vec();
        app.advance(TimeDelta::days(40));
        let client = app.log_in(&principal).await;
        assert_eq!(client.get("/api/v1/contract").await.body.to_vec(), before, "what was kept is what is shown");
    }

    // TERMS-9
    async fn a_contract_of_long_ago_is_not_looked_at_every_day(app) {
        let (_, principal, _) = invoices::one_invoice(app).await;
        app.db.read().execute_unprepared("DELETE FROM stored_document").await.unwrap();
        app.advance(TimeDelta::days(90));
        tend(app).await;
        assert_eq!(number(app, CONTRACTS).await, 0);
        let client = app.log_in(&principal).await;
        assert_eq!(client.get(&format!("/api/v1/contract?company={}", principal.company)).await.status, 200, "made when asked for");
        assert_eq!(number(app, CONTRACTS).await, 1, "{}", json!(principal.company));
    }
}
