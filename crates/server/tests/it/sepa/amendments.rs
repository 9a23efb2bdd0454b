//! What changes of a mandate: its scheme, its account, who collects; and the notice that was promised with it.

use super::bank_files::{RETURN, confirmation, count_mails, ours, send};
use super::outcomes::{next_month, remit};
use super::{SECRET, mailed, one_due, signed};
use crate::invoices::{self, at};
use crate::support::text;
use crate::verifactu::office::fits;
use atalaya_kernel::Role;
use atalaya_testkit::{Client, Engine, TestApp, both_engines};
use serde_json::{Value, json};

/// The newest file, which the bank's own rules accept.
async fn file(admin: &Client) -> String {
    remit(admin).await;
    let xml = mailed(admin, SECRET).await.expect("a file");
    assert!(fits("pain.008.001.08.xsd", &xml), "{xml}");
    xml
}

/// The bank pays the newest remittance, whose only debit is of this amount.
async fn paid(admin: &Client, amount: &str) {
    let id = text(&admin.get("/api/v1/remittances").await.ok()["remittances"][0]["msgId"]);
    let credit = confirmation().replace("VP-20261102-0001", &id).replace("36.30", amount).replace("BANK-Stmt", &id);
    let answer = send(admin, credit.as_bytes()).await.ok();
    assert_eq!(text(&answer["items"][0]["action"]), "paid", "{answer}");
}

async fn platform(app: &TestApp, admin: &Client, change: Value) {
    let mut body = json!({"_id": app.platform().await});
    for (field, value) in change.as_object().expect("fields") {
        body[field] = value.clone();
    }
    admin.put("/api/v1/customer", json!({"customer": body})).await.ok();
}

both_engines! {
    // MAND-7, BANK-5
    async fn a_signature_between_companies_never_stands_in_for_core(app) {
        let (admin, principal, _) = invoices::one_invoice(app).await;
        let mandate = signed(app, &principal).await;
        admin.post(&format!("/api/v1/mandate-scheme/{}", text(&mandate["_id"])), json!({"scheme": "B2B"})).await.ok();
        signed(app, &principal).await;
        remit(&admin).await;
        let answer = send(&admin, ours(RETURN).replace("AM04", "AC13").as_bytes()).await.ok();
        assert_eq!((text(&answer["items"][0]["action"]), text(&answer["items"][0]["mandate"])), ("retry".into(), "core".into()));
        app.clock.set(at("2026-11-18T09:00:00Z"));
        let admin = app.as_role(Role::Admin).await;
        let seen = admin.get("/api/v1/mandates").await.ok()["mandates"][0].clone();
        assert_eq!((text(&seen["scheme"]), &seen["signedAt"], &seen["evidence"]), ("CORE".into(), &Value::Null, &Value::Null));
        let due = admin.get("/api/v1/remittance-due").await.ok();
        assert_eq!((&due["nbOfTxs"], text(&due["excluded"][0]["reason"])), (&json!(0), "MANDATE_UNSIGNED".into()));
        signed(app, &principal).await;
        let xml = file(&admin).await;
        assert!(xml.contains("<Cd>CORE</Cd>") && xml.contains("<DtOfSgntr>2026-11-18</DtOfSgntr>"), "{xml}");
        assert_eq!(count_mails(&admin, "Recibo devuelto").await, 1);
    }

    // MAND-7
    async fn back_to_core_is_signed_anew_too(app) {
        let (admin, principal, _) = invoices::one_invoice(app).await;
        let mandate = signed(app, &principal).await;
        let scheme = async |scheme: &str| {
            let path = format!("/api/v1/mandate-scheme/{}", text(&mandate["_id"]));
            admin.post(&path, json!({"scheme": scheme})).await.ok()["mandate"].clone()
        };
        assert_eq!(scheme("B2B").await["signedAt"], Value::Null);
        signed(app, &principal).await;
        assert_eq!(scheme("CORE").await["signedAt"], Value::Null);
        // A code for consumers under a mandate that is CORE already asks for nothing
        signed(app, &principal).await;
        remit(&admin).await;
        send(&admin, ours(RETURN).replace("AM04", "AC13").as_bytes()).await.ok();
        assert_ne!(admin.get("/api/v1/mandates").await.ok()["mandates"][0]["signedAt"], Value::Null);
    }

    // MAND-12
    async fn a_changed_creditor_is_told_until_a_debit_is_paid(app) {
        let (admin, principal, _) = one_due(app).await;
        let xml = file(&admin).await;
        assert!(xml.contains("<AmdmntInd>false</AmdmntInd>"), "{xml}");
        paid(&admin, "36.30").await;
        let admin = next_month(app, principal.company).await;
        platform(app, &admin, json!({"company": "Atalaya Nueva, S.L.", "cif": "B12345674"})).await;
        let xml = file(&admin).await;
        for part in ["<AmdmntInd>true</AmdmntInd>", "<Nm>Atalaya Remota, S.L.</Nm>", "<Id>ES77000B85626240</Id>", "<Id>ES11000B12345674</Id>"] {
            assert!(xml.contains(part), "{part}: {xml}");
        }
        assert!(!xml.contains("SMNDA"), "the account is the same");
        let sum = admin.get("/api/v1/remittances").await.ok()["remittances"][0]["ctrlSum"].as_f64().expect("euros");
        paid(&admin, &format!("{sum:.2}")).await;
        // From then on the bank knows
        let owner = app.person_in(principal.company, Role::Worker).await;
        invoices::call(app, &owner, "EXP 91", 601).await;
        app.clock.set(at("2027-01-04T09:00:00Z"));
        let admin = app.as_role(Role::Admin).await;
        invoices::generate(app, &admin).await;
        assert!(file(&admin).await.contains("<AmdmntInd>false</AmdmntInd>"));
    }

    // MAND-12, SEPA-14
    async fn a_changed_account_is_told_with_the_next_debit(app) {
        let (admin, principal, _) = one_due(app).await;
        file(&admin).await;
        paid(&admin, "36.30").await;
        let admin = next_month(app, principal.company).await;
        let client = app.log_in(&principal).await;
        let change = json!({"customer": {"_id": principal.company, "bankAccount": "ES9200490001561234567890"}});
        client.put("/api/v1/customer", change).await.ok();
        assert_eq!(text(&signed(app, &principal).await["umr"]), "VP-000001-02");
        let xml = file(&admin).await;
        for part in [
            "<MndtId>VP-000001-02</MndtId>",
            "<AmdmntInd>true</AmdmntInd>",
            "<OrgnlMndtId>VP-000001-01</OrgnlMndtId>",
            "<OrgnlDbtrAcct><Id><Othr><Id>SMNDA</Id></Othr></Id></OrgnlDbtrAcct>",
        ] {
            assert!(xml.contains(part), "{part}: {xml}");
        }
    }

    // MAND-12
    async fn an_account_that_was_never_debited_amends_nothing(app) {
        let (admin, principal, _) = one_due(app).await;
        let client = app.log_in(&principal).await;
        let change = json!({"customer": {"_id": principal.company, "bankAccount": "ES9200490001561234567890"}});
        client.put("/api/v1/customer", change).await.ok();
        signed(app, &principal).await;
        assert!(file(&admin).await.contains("<AmdmntInd>false</AmdmntInd>"), "no bank has heard of the first");
    }
}

// MAND-13
#[tokio::test]
async fn the_notice_is_at_least_what_was_signed() {
    use sea_orm::ConnectionTrait;
    let Some(app) = TestApp::configured(Engine::Sqlite, |config| config.billing.sepa.notice_days = 3).await else { return };
    let (admin, principal, _) = invoices::one_invoice(&app).await;
    let client = app.log_in(&principal).await;
    let made = client.post("/api/v1/sepa", json!({"customer": principal.company})).await.ok()["mandate"].clone();
    assert_eq!(made["noticeDays"], 3, "as the text would say");
    assert_eq!(signed(&app, &principal).await["noticeDays"], 3);
    assert_eq!(text(&admin.get("/api/v1/remittance-due").await.ok()["collectionDate"]), "2026-11-05");
    // A text that promised more, before the operator chose less
    let longer = "UPDATE mandate SET signature = REPLACE(signature, '\"noticeDays\":3', '\"noticeDays\":21')";
    app.db.read().execute_unprepared(longer).await.expect("the evidence");
    let admin = app.as_role(Role::Admin).await;
    assert_eq!(text(&admin.get("/api/v1/remittance-due").await.ok()["collectionDate"]), "2026-11-23");
    assert_eq!(admin.get("/api/v1/mandates").await.ok()["mandates"][0]["noticeDays"], 21);
    let admin = next_month(&app, principal.company).await;
    let invoice = invoices::invoices(&admin, None).await.remove(0);
    assert_eq!((text(&invoice["issueDate"]), text(&invoice["dueDate"])), ("2026-12-02".into(), "2026-12-23".into()));
}
