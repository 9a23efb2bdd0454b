//! Nothing is debited that was not announced, with its amount and its day.

use super::bank_files::{RETURN, ours, send};
use super::{SECRET, one_due, signed};
use crate::invoices::{self, at};
use crate::support::text;
use atalaya_kernel::Role;
use atalaya_testkit::{Client, TestApp, both_engines};
use chrono::TimeDelta;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

async fn mails(admin: &Client, subject: &str) -> Vec<Value> {
    let outbox = admin.get("/api/v1/outbox?channel=email&limit=200").await.ok();
    let all = outbox["outbox"].as_array().expect("a list").clone();
    all.into_iter().filter(|one| one["subject"].as_str().is_some_and(|text| text.contains(subject))).collect()
}

async fn due(admin: &Client) -> Value {
    admin.get("/api/v1/remittance-due").await.ok()
}

async fn remit(admin: &Client) -> Value {
    admin.post("/api/v1/mail-xml-sepa", json!({"secret": SECRET})).await.ok()
}

async fn send_all(app: &TestApp, admin: &Client) {
    admin.post("/api/v1/send-all-invoices", json!({})).await.ok();
    invoices::work(app).await;
}

/// October's invoice, issued when its mandate was signed already, as invoices say how they are paid.
async fn announced(app: &TestApp) -> (Client, Value) {
    app.clock.set(at("2026-10-05T09:00:00Z"));
    invoices::issuer(app).await;
    let (principal, owner) = invoices::customer(app, "Peritaciones Levante, S.L.", "46001").await;
    signed(app, &principal).await;
    invoices::call(app, &owner, "EXP 77", 601).await;
    app.clock.set(at("2026-11-02T09:00:00Z"));
    let admin = app.as_role(Role::Admin).await;
    invoices::generate(app, &admin).await;
    (admin.clone(), invoices::invoices(&admin, None).await.remove(0))
}

both_engines! {
    // REMIT-4
    async fn the_invoice_by_mail_is_the_notice(app) {
        let (admin, _) = announced(app).await;
        assert_eq!(due(&admin).await["invoices"][0]["notified"], false);
        send_all(app, &admin).await;
        let mail = mails(&admin, "Factura A2026-000001").await.remove(0);
        for part in ["36,30 €", "El importe se cargará el 9 de noviembre de 2026", "ES91 **** **** **** **** 1332", "VP-000001-01", "ES77000B85626240"] {
            assert!(text(&mail["text"]).contains(part), "{part} in {mail}");
        }
        let row = due(&admin).await["invoices"][0].clone();
        assert_eq!((row["notified"].clone(), text(&row["collectionDate"])), (json!(true), "2026-11-09".into()));
        app.advance(TimeDelta::days(3));
        let admin = app.as_role(Role::Admin).await;
        assert_eq!(text(&due(&admin).await["invoices"][0]["collectionDate"]), "2026-11-09", "the day that was told");
        remit(&admin).await;
        assert!(mails(&admin, "Aviso de cargo").await.is_empty(), "nobody is told twice");
    }

    // REMIT-4
    async fn a_day_that_has_passed_is_announced_anew(app) {
        let (admin, _) = announced(app).await;
        send_all(app, &admin).await;
        app.clock.set(at("2026-11-09T09:00:00Z"));
        let admin = app.as_role(Role::Admin).await;
        let row = due(&admin).await["invoices"][0].clone();
        assert_eq!((row["notified"].clone(), text(&row["collectionDate"])), (json!(false), "2026-11-16".into()));
        remit(&admin).await;
        let mail = mails(&admin, "Aviso de cargo: factura A2026-000001").await.remove(0);
        let parts = ["El 16/11/2026 se cargarán 36,30 €", "ES91 **** **** **** **** 1332", "Atalaya Remota, S.L.", "ES77000B85626240", "VP-000001-01"];
        for part in parts {
            assert!(text(&mail["text"]).contains(part), "{part} in {mail}");
        }
        assert!(!text(&mail["text"]).contains("devuelto"));
    }

    // REMIT-5
    async fn who_cannot_be_told_is_not_debited(app) {
        let (admin, _, invoice) = one_due(app).await;
        app.db.read().execute_unprepared("UPDATE company SET email = NULL").await.unwrap();
        let out = due(&admin).await["excluded"][0].clone();
        assert_eq!((text(&out["reason"]), &out["number"]), ("NOT_NOTIFIED".into(), &invoice["number"]));
        admin.post("/api/v1/mail-xml-sepa", json!({"secret": SECRET})).await.problem(409, "REMITTANCE_EMPTY");
        app.db.read().execute_unprepared("UPDATE company SET email = 'nadie'").await.unwrap();
        admin.post("/api/v1/mail-xml-sepa", json!({"secret": SECRET})).await.problem(409, "REMITTANCE_EMPTY");
        assert!(mails(&admin, "Aviso de cargo").await.is_empty());
    }

    // REMIT-4
    async fn a_notice_that_did_not_arrive_tells_nothing(app) {
        let (admin, _) = announced(app).await;
        send_all(app, &admin).await;
        app.db.read().execute_unprepared("UPDATE outbox SET state = 'failed' WHERE purpose = 'invoice'").await.unwrap();
        assert_eq!(due(&admin).await["invoices"][0]["notified"], false);
    }

    // REMIT-4, BANK-8
    async fn a_second_attempt_has_its_own_notice(app) {
        let (admin, _) = announced(app).await;
        send_all(app, &admin).await;
        remit(&admin).await;
        send(&admin, ours(RETURN).as_bytes()).await.ok();
        let mail = mails(&admin, "Recibo devuelto").await.remove(0);
        assert!(text(&mail["text"]).contains("Compruebe que la cuenta tiene saldo"), "{mail}");
        app.clock.set(at("2026-11-27T09:00:00Z"));
        let admin = app.as_role(Role::Admin).await;
        let row = due(&admin).await["invoices"][0].clone();
        assert_eq!((row["attempt"].clone(), row["notified"].clone(), text(&row["collectionDate"])), (json!(2), json!(false), "2026-12-04".into()));
        remit(&admin).await;
        let mail = mails(&admin, "Aviso de cargo").await.remove(0);
        assert!(text(&mail["text"]).contains("El recibo anterior fue devuelto"), "{mail}");
    }

    // BANK-7
    async fn two_refunds_in_a_row_are_the_customers_not_the_invoices(app) {
        let (admin, principal, _) = one_due(app).await;
        remit(&admin).await;
        let refund = |number: &str, day: &str| ours(RETURN).replace("AM04", "MD06").replace("A2026-000001", number).replace("2026-11-17", day);
        let first = send(&admin, refund("A2026-000001", "2026-11-17").as_bytes()).await.ok();
        assert_eq!(text(&first["items"][0]["action"]), "returned");
        let owner = app.person_in(principal.company, Role::Worker).await;
        for (expedient, seconds) in [("EXP 77", 601), ("exp77", 1500), ("EXP 78", 600), ("EXP 79", 59)] {
            invoices::call(app, &owner, expedient, seconds).await;
        }
        app.clock.set(at("2026-12-02T09:00:00Z"));
        let admin = app.as_role(Role::Admin).await;
        invoices::generate(app, &admin).await;
        let made = remit(&admin).await;
        assert_eq!((made["nbOfTxs"].clone(), text(&made["excluded"][0]["reason"])), (json!(1), "NO_RETRY_LEFT".into()));
        let second = send(&admin, refund("A2026-000002", "2026-12-11").as_bytes()).await.ok();
        assert_eq!(text(&second["items"][0]["action"]), "unpaid", "{second}");
    }

    // BANK-8
    async fn one_file_rings_once(app) {
        let (admin, _, _) = one_due(app).await;
        remit(&admin).await;
        send(&admin, ours(RETURN).as_bytes()).await.ok();
        let bells = count(app, "SELECT COUNT(*) FROM personal_notification WHERE text_id = 'bank-file'").await;
        assert_eq!(bells, count(app, "SELECT COUNT(DISTINCT user_id) FROM personal_notification WHERE text_id = 'bank-file'").await);
        assert!(bells > 0, "administrators are told");
        assert_eq!(count(app, "SELECT COUNT(*) FROM personal_notification WHERE text_id = 'debit-returned'").await, 1);
    }
}

async fn count(app: &TestApp, sql: &str) -> i64 {
    let db = app.db.read();
    let row = db.query_one_raw(Statement::from_string(db.get_database_backend(), sql)).await.unwrap().expect("a row");
    row.try_get_by_index(0).expect("a number")
}
