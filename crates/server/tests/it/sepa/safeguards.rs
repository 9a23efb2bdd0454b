//! What must not move money, block customers or write to them (issue 6, review of the direct debits).

use super::bank_files::{RETURN, confirmation, count_mails, ours, remitted, send};
use super::{SECRET, one_due, status};
use crate::invoices;
use crate::support::{multipart, text};
use atalaya_kernel::Role;
use atalaya_testkit::{Client, TestApp, both_engines};
use axum::http::Method;
use chrono::TimeDelta;
use sea_orm::ConnectionTrait;
use serde_json::json;

async fn sql(app: &TestApp, statement: &str) {
    app.db.read().execute_unprepared(statement).await.unwrap_or_else(|error| panic!("{statement}: {error}"));
}

both_engines! {
    // SEPA-10
    async fn a_credit_in_another_currency_pays_nothing(app) {
        let (admin, invoice) = remitted(app).await;
        for wrong in [
            confirmation().replace("Ccy=\"EUR\"", "Ccy=\"USD\""),
            confirmation().replace(">36.30<", ">36,30<"),
            confirmation().replace("<Amt Ccy=\"EUR\">36.30</Amt>", ""),
            // The entry in euros, its detail not
            ours(RETURN).replace("<Amt Ccy=\"EUR\">36.30</Amt>\n            <CdtDbtInd>", "<Amt Ccy=\"USD\">36.30</Amt>\n            <CdtDbtInd>"),
        ] {
            let answer = send(&admin, wrong.as_bytes()).await.ok();
            assert_eq!((answer["items"].clone(), text(&answer["unmatched"][0]["why"])), (json!([]), "AMOUNT_DIFFERS".into()));
        }
        assert_eq!(status(&admin, &invoice).await, "in_remittance");
        send(&admin, confirmation().as_bytes()).await.ok();
        assert_eq!(status(&admin, &invoice).await, "paid");
    }

    // BANK-8
    async fn a_return_of_a_settled_invoice_writes_to_nobody(app) {
        let (admin, invoice) = remitted(app).await;
        send(&admin, confirmation().as_bytes()).await.ok();
        sql(app, "UPDATE invoice SET status = 'rectified'").await;
        let answer = send(&admin, ours(RETURN).as_bytes()).await.ok();
        assert_eq!((text(&answer["items"][0]["action"]), answer["items"][0]["blocked"].clone()), ("review".into(), json!(false)));
        assert_eq!((status(&admin, &invoice).await, count_mails(&admin, "Recibo devuelto").await), ("rectified".into(), 0));
        assert_eq!(count_mails(&admin, "Fichero del banco").await, 1, "a person is told");
        let id = text(&admin.get("/api/v1/remittances").await.ok()["remittances"][0]["_id"]);
        let attempts = admin.get(&format!("/api/v1/remittance/{id}")).await.ok()["attempts"].clone();
        assert_eq!(text(&attempts[0]["status"]), "returned", "what the bank says is kept");
    }

    // BANK-12
    async fn a_debit_that_cannot_be_read_keeps_nobody_waiting(app) {
        let (admin, invoice) = remitted(app).await;
        send(&admin, ours(RETURN).as_bytes()).await.ok();
        app.advance(TimeDelta::days(90));
        sql(app, "UPDATE invoice SET status = 'paid'").await;
        assert_eq!(atalaya_bank_files::run_daily(&app.billing).await.unwrap().1, 0, "paid otherwise");
        sql(app, "UPDATE invoice SET status = 'returned'").await;
        sql(app, "UPDATE debit_attempt SET collection = 'x'").await;
        assert_eq!(atalaya_bank_files::run_daily(&app.billing).await.unwrap().1, 0);
        sql(app, "UPDATE debit_attempt SET collection = '2026-11-09'").await;
        assert_eq!(atalaya_bank_files::run_daily(&app.billing).await.unwrap().1, 1);
        assert_eq!(status(&app.as_role(Role::Admin).await, &invoice).await, "unpaid");
    }

    // BANK-1
    async fn the_same_news_at_the_same_time_count_once(app) {
        let (admin, invoice) = remitted(app).await;
        let (one, other) = (ours(RETURN), ours(RETURN).replace("BANK-Ntfctn", "BANK-2"));
        let (first, second) = tokio::join!(send(&admin, one.as_bytes()), send(&admin, other.as_bytes()));
        let mut actions = [first.ok(), second.ok()].map(|answer| text(&answer["items"][0]["action"]));
        actions.sort();
        assert_eq!(actions, ["known", "retry"]);
        assert_eq!((status(&admin, &invoice).await, count_mails(&admin, "Recibo devuelto").await), ("returned".into(), 1));
    }

    // BANK-1, BANK-5
    async fn a_look_is_asked_for_once(app) {
        let (admin, _) = remitted(app).await;
        let twice = ours(RETURN).replace("AM04", "AM05");
        let told = async |file: String| text(&send(&admin, file.as_bytes()).await.ok()["items"][0]["action"]);
        assert_eq!(told(twice.clone()).await, "review");
        assert_eq!(told(twice.replace("BANK-Ntfctn", "BANK-2")).await, "known");
        assert_eq!(count_mails(&admin, "Fichero del banco").await, 1);
    }

    // REMIT-3
    async fn what_changes_while_a_file_is_made_stays_out(app) {
        let (admin, principal, invoice) = one_due(app).await;
        // The secret is there, so that making the file waits for nothing but the invoice
        admin.post("/api/v1/encrypt-iban", json!({"secret": SECRET, "customerId": principal.company})).await.ok();
        let making = admin.post("/api/v1/mail-xml-sepa", json!({"secret": SECRET}));
        let meanwhile = async {
            let tx = app.db.write().await.unwrap();
            atalaya_db::lock_row(&tx, "invoice", text(&invoice["_id"]).parse().unwrap()).await.unwrap();
            tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
            tx.execute_unprepared("UPDATE mandate SET status = 'suspended'").await.unwrap();
            tx.commit().await.unwrap();
        };
        let ((), answer) = tokio::join!(meanwhile, making);
        answer.problem(409, "REMITTANCE_EMPTY");
        assert_eq!(status(&admin, &invoice).await, "issued");
        sql(app, "UPDATE mandate SET status = 'active'").await;
        assert_eq!(admin.post("/api/v1/mail-xml-sepa", json!({"secret": SECRET})).await.ok()["nbOfTxs"], 1);
    }

    // MAND-4
    async fn a_signed_paper_is_replaced_by_the_administration_only(app) {
        let (admin, principal, _) = invoices::one_invoice(app).await;
        let client = app.log_in(&principal).await;
        let made = client.post("/api/v1/sepa", json!({"customer": principal.company})).await.ok();
        let id = text(&made["mandate"]["_id"]);
        let sign = async |who: &Client, paper: &[u8]| {
            let (kind, body) = multipart(None, "papel.pdf", "application/pdf", paper);
            who.send_body(Method::POST, &format!("/api/v1/mandate-sign/{id}"), Some(&kind), body).await
        };
        let paper = async || client.get(&format!("/api/v1/mandate-document/{id}")).await.body.to_vec();
        assert_eq!(text(&sign(&client, b"%PDF-1 signed").await.ok()["mandate"]["signature"]), "document");
        sign(&client, b"%PDF-2 forged").await.problem(409, "MANDATE_SIGNED");
        client.post(&format!("/api/v1/mandate-sign/{id}"), json!({"accept": true})).await.problem(409, "MANDATE_SIGNED");
        assert_eq!(paper().await, b"%PDF-1 signed");
        sign(&admin, b"%PDF-3 better scan").await.ok();
        let answer = client.get(&format!("/api/v1/mandate-document/{id}")).await;
        assert_eq!(answer.header("content-disposition"), Some("attachment; filename=\"mandato-firmado.pdf\""));
        assert_eq!(answer.body.to_vec(), b"%PDF-3 better scan");
        // A signature that is not written down loses nothing
        sql(app, "UPDATE mandate SET status = 'cancelled'").await;
        sign(&admin, b"%PDF-4 too late").await.problem(409, "MANDATE_ENDED");
        assert_eq!(paper().await, b"%PDF-3 better scan");
    }
}
