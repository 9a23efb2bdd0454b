//! How debits end: settled by hand, in each scheme and sequence, for every reason.

use super::bank_files::{RETURN, count_mails, ours, remitted, send};
use super::{SECRET, mailed, one_due, signed, status};
use crate::invoices::{self, at};
use crate::support::text;
use crate::verifactu::office::fits;
use atalaya_kernel::Role;
use atalaya_testkit::{Client, Engine, TestApp, both_engines};
use chrono::TimeDelta;
use serde_json::{Value, json};

pub(super) async fn remit(admin: &Client) -> Value {
    admin.post("/api/v1/mail-xml-sepa", json!({"secret": SECRET})).await.ok()
}

async fn attempt(admin: &Client) -> Value {
    let id = text(&admin.get("/api/v1/remittances").await.ok()["remittances"][0]["_id"]);
    admin.get(&format!("/api/v1/remittance/{id}")).await.ok()["attempts"][0].clone()
}

/// Another month's invoice for the same customer.
pub(super) async fn next_month(app: &TestApp, company: atalaya_kernel::CompanyId) -> Client {
    let owner = app.person_in(company, Role::Worker).await;
    invoices::call(app, &owner, "EXP 90", 601).await;
    app.clock.set(at("2026-12-02T09:00:00Z"));
    let admin = app.as_role(Role::Admin).await;
    invoices::generate(app, &admin).await;
    admin
}

both_engines! {
    // BANK-10, BANK-11
    async fn an_open_debit_is_settled_by_hand(app) {
        let (admin, invoice) = remitted(app).await;
        let path = format!("/api/v1/remittance-attempt/{}", text(&attempt(&admin).await["_id"]));
        for (body, field, code) in [
            (json!({"outcome": "paid", "at": "2026-11-03"}), "at", "DATE_IN_FUTURE"),
            (json!({"outcome": "paid", "at": "2026-11-01"}), "at", "DATE_BEFORE_DEBIT"),
            (json!({"outcome": "returned", "at": "2026-11-02"}), "reason", "REQUIRED"),
            (json!({"outcome": "returned", "reason": "no", "at": "2026-11-02"}), "reason", "INVALID"),
            (json!({"outcome": "returned", "reason": "AM05", "at": "2026-11-02"}), "reason", "INVALID"),
        ] {
            let problem = admin.post(&path, body).await.problem(422, "INVALID_FIELDS");
            assert_eq!((text(&problem["errors"][0]["field"]), text(&problem["errors"][0]["code"])), (field.into(), code.into()));
        }
        app.advance(TimeDelta::days(10));
        let admin = app.as_role(Role::Admin).await;
        let paid = admin.post(&path, json!({"outcome": "paid", "at": "2026-11-09"})).await.ok();
        assert_eq!((text(&paid["action"]), text(&paid["attempt"]["status"]), text(&paid["attempt"]["settledAt"])), ("paid".into(), "paid".into(), "2026-11-09".into()));
        assert_eq!(status(&admin, &invoice).await, "paid");
        assert_eq!(text(&admin.get("/api/v1/remittances").await.ok()["remittances"][0]["status"]), "settled");
        admin.post(&path, json!({"outcome": "paid", "at": "2026-11-09"})).await.problem(409, "DEBIT_NOT_OPEN");
        // What a file tells later goes on from there
        let answer = send(&admin, ours(RETURN).as_bytes()).await.ok();
        assert_eq!((text(&answer["items"][0]["action"]), status(&admin, &invoice).await), ("retry".into(), "returned".into()));
    }

    // BANK-10
    async fn a_return_by_hand_is_a_return(app) {
        let (admin, invoice) = remitted(app).await;
        let path = format!("/api/v1/remittance-attempt/{}", text(&attempt(&admin).await["_id"]));
        let back = admin.post(&path, json!({"outcome": "rejected", "reason": "ac04", "at": "2026-11-02"})).await.ok();
        assert_eq!((text(&back["attempt"]["status"]), text(&back["attempt"]["reason"]["label"])), ("rejected".into(), "Cuenta cancelada".into()));
        assert_eq!((text(&back["action"]), status(&admin, &invoice).await), ("returned".into(), "returned".into()));
        assert_eq!(admin.get("/api/v1/mandates?status=suspended").await.ok()["total"], 1);
        assert_eq!(count_mails(&admin, "Recibo devuelto").await, 1);
    }

    // MAND-8, REMIT-8
    async fn a_single_debit_uses_its_mandate_up(app) {
        let (admin, principal, _) = invoices::one_invoice(app).await;
        let client = app.log_in(&principal).await;
        let body = json!({"customer": principal.company, "type": "OOFF"});
        let problem = client.post("/api/v1/sepa", body.clone()).await.problem(422, "INVALID_FIELDS");
        assert_eq!(problem["errors"][0]["field"], "type");
        let made = admin.post("/api/v1/sepa", body).await.ok()["mandate"].clone();
        assert_eq!(text(&made["type"]), "OOFF");
        assert_eq!(signed(app, &principal).await["_id"], made["_id"], "it is that one which is signed");
        remit(&admin).await;
        let xml = mailed(&admin, SECRET).await.unwrap();
        assert!(xml.contains("<SeqTp>OOFF</SeqTp>") && xml.contains("-OOFF</PmtInfId>"), "{xml}");
        assert!(fits("pain.008.001.08.xsd", &xml));
        let admin = next_month(app, principal.company).await;
        assert_eq!(text(&admin.get("/api/v1/remittance-due").await.ok()["excluded"][0]["reason"]), "MANDATE_USED");
        let next = app.log_in(&principal).await.post("/api/v1/sepa", json!({"customer": principal.company})).await.ok()["mandate"].clone();
        assert_eq!((text(&next["type"]), text(&next["umr"]), &next["signedAt"]), ("RCUR".into(), "VP-000001-02".into(), &Value::Null));
    }

    // MAND-7, BANK-3
    async fn a_debit_between_companies_cannot_be_taken_back_without_a_reason(app) {
        let (admin, principal, _) = invoices::one_invoice(app).await;
        let mandate = signed(app, &principal).await;
        admin.post(&format!("/api/v1/mandate-scheme/{}", text(&mandate["_id"])), json!({"scheme": "B2B"})).await.ok();
        let due = admin.get("/api/v1/remittance-due").await.ok();
        assert_eq!(text(&due["excluded"][0]["reason"]), "MANDATE_UNSIGNED", "its text is another one");
        signed(app, &principal).await;
        remit(&admin).await;
        let xml = mailed(&admin, SECRET).await.unwrap();
        assert!(xml.contains("<Cd>B2B</Cd>") && xml.contains("-B2B</PmtInfId>"), "{xml}");
        assert!(fits("pain.008.001.08.xsd", &xml));
        let path = format!("/api/v1/remittance-attempt/{}", text(&attempt(&admin).await["_id"]));
        app.advance(TimeDelta::days(8));
        let admin = app.as_role(Role::Admin).await;
        admin.post(&path, json!({"outcome": "paid", "at": "2026-11-09"})).await.ok();
        assert_eq!(invoices::invoices(&admin, None).await[0]["revocableUntil"], Value::Null);
    }

    // BANK-5
    async fn every_reason_does_what_the_table_says(app) {
        let (admin, principal, invoice) = one_due(app).await;
        admin.post("/api/v1/encrypt-iban", json!({"secret": SECRET, "customerId": principal.company})).await.ok();
        remit(&admin).await;
        let mut references = vec!["A2026-000001".to_owned()];
        // Invoice, mandate, action; then everything as before, for the next reason
        for (code, invoice_at, mandate_at, action) in TABLE {
            let file = ours(RETURN).replace("AM04", code).replace("A2026-000001", references.last().expect("one"));
            let item = send(&admin, file.as_bytes()).await.ok()["items"][0].clone();
            let word = if mandate_at == "active" { Value::Null } else { json!(mandate_at) };
            assert_eq!((text(&item["action"]), item["mandate"].clone()), (action.into(), word), "{code}: {item}");
            assert_eq!(status(&admin, &invoice).await, invoice_at, "{code}");
            for statement in [
                "UPDATE debit_attempt SET state = 'cancelled'".to_owned(),
                "UPDATE mandate SET status = 'active', scheme = 'CORE'".to_owned(),
                "UPDATE invoice SET status = 'issued', returned_at = NULL, return_code = NULL".to_owned(),
            ] {
                sql(app, &statement).await;
            }
            app.advance(TimeDelta::seconds(1));
            // Somebody else every time: one administrator may try the secret a few times only
            let admin = app.as_role(Role::Admin).await;
            remit(&admin).await;
            references.push(text(&attempt(&admin).await["endToEndId"]));
        }
    }
}

/// BANK-5: code, invoice, mandate, what is done.
const TABLE: [(&str, &str, &str, &str); 25] = [
    ("AC01", "returned", "suspended", "returned"),
    ("AC04", "returned", "suspended", "returned"),
    ("AC06", "returned", "suspended", "returned"),
    ("AC13", "returned", "core", "retry"),
    ("AG01", "returned", "suspended", "returned"),
    ("AG02", "returned", "active", "correct"),
    ("AM04", "returned", "active", "retry"),
    ("AM05", "in_remittance", "active", "review"),
    ("BE05", "returned", "active", "correct"),
    ("CNOR", "returned", "active", "returned"),
    ("DNOR", "returned", "active", "returned"),
    ("FF01", "issued", "active", "back-to-sent"),
    ("FF05", "issued", "active", "back-to-sent"),
    ("MD01", "returned", "cancelled", "returned"),
    ("MD02", "returned", "active", "correct"),
    ("MD06", "returned", "active", "returned"),
    ("MD07", "returned", "suspended", "returned"),
    ("MS02", "returned", "active", "returned"),
    ("MS03", "returned", "active", "retry"),
    ("RC01", "returned", "active", "correct"),
    ("RR01", "returned", "active", "correct"),
    ("RR04", "returned", "active", "correct"),
    ("SL01", "returned", "active", "returned"),
    ("ZZ99", "returned", "active", "returned"),
    ("AC01", "returned", "suspended", "returned"),
];

async fn sql(app: &TestApp, statement: &str) {
    use sea_orm::ConnectionTrait;
    app.db.read().execute_unprepared(statement).await.unwrap_or_else(|error| panic!("{statement}: {error}"));
}

// REMIT-8
#[tokio::test]
async fn the_first_debit_of_a_mandate_says_so_where_that_is_configured() {
    let Some(app) = TestApp::configured(Engine::Sqlite, |config| config.billing.sepa.first_sequence = true).await else { return };
    let (admin, principal, _) = one_due(&app).await;
    remit(&admin).await;
    let xml = mailed(&admin, SECRET).await.unwrap();
    assert!(xml.contains("<SeqTp>FRST</SeqTp>") && xml.contains("-FRST</PmtInfId>"), "{xml}");
    assert!(fits("pain.008.001.08.xsd", &xml));
    let admin = next_month(&app, principal.company).await;
    remit(&admin).await;
    assert!(mailed(&admin, SECRET).await.unwrap().contains("<SeqTp>RCUR</SeqTp>"));
}

// BANK-6
#[tokio::test]
async fn a_customer_is_blocked_after_the_configured_returns() {
    let change = |config: &mut atalaya_server::config::Config| {
        config.billing.sepa.max_returns = 1;
        config.billing.sepa.auto_suspend = true;
    };
    let Some(app) = TestApp::configured(Engine::Sqlite, change).await else { return };
    let (admin, principal, invoice) = one_due(&app).await;
    remit(&admin).await;
    let answer = send(&admin, ours(RETURN).as_bytes()).await.ok();
    let item = &answer["items"][0];
    assert_eq!((text(&item["action"]), item["blocked"].clone()), ("unpaid".into(), json!(true)));
    assert_eq!(status(&admin, &invoice).await, "unpaid");
    let party = atalaya_identity::companies::accounts::find(&app.identity, principal.company).await.unwrap();
    assert_eq!(party.company.status, atalaya_kernel::Status::Unpaid);
    assert!(admin.get("/api/v1/remittance-due").await.ok()["invoices"].as_array().unwrap().is_empty());
}
