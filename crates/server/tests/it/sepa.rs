//! Direct debits: mandates, the secret, remittances, bank files.

mod amendments;
pub mod bank_files;
mod dates;
mod outcomes;
mod prenotification;
mod safeguards;
mod signatures;
mod statements;

use crate::invoices::{self, at};
use crate::support::text;
use atalaya_kernel::Role;
use atalaya_testkit::{Client, Person, TestApp, both_engines};
use chrono::TimeDelta;
use serde_json::{Value, json};
use std::io::{Cursor, Read as _};

pub const SECRET: &str = "correcto caballo batería grapa";

/// A customer's signed mandate.
pub async fn signed(app: &TestApp, principal: &Person) -> Value {
    let client = app.log_in(principal).await;
    let made = client.post("/api/v1/sepa", json!({"customer": principal.company})).await.ok();
    let path = format!("/api/v1/mandate-sign/{}", text(&made["mandate"]["_id"]));
    client.post(&path, json!({"accept": true})).await.ok()["mandate"].clone()
}

/// October's invoice of one customer with a signed mandate; the administrator and the principal.
pub async fn one_due(app: &TestApp) -> (Client, Person, Value) {
    let (_, principal, invoice) = invoices::one_invoice(app).await;
    signed(app, &principal).await;
    (app.as_role(Role::Admin).await, principal, invoice)
}

/// The newest file that was mailed, unpacked with this secret.
async fn mailed(admin: &Client, secret: &str) -> Result<String, String> {
    let outbox = admin.get("/api/v1/outbox?channel=email&to=admin@localhost").await.ok();
    let message = &outbox["outbox"][0];
    let file = &message["attachments"][0];
    assert!(text(&file["name"]).ends_with(".zip"), "{message}");
    let answer = admin.get(&format!("/api/v1/outbox-attachment/{}", text(&file["_id"]))).await;
    assert_eq!(answer.header("content-type"), Some("application/zip"));
    let mut zip = zip::ZipArchive::new(Cursor::new(answer.body.to_vec())).map_err(|e| e.to_string())?;
    let mut entry = zip.by_index_decrypt(0, secret.as_bytes()).map_err(|e| e.to_string())?;
    let mut xml = String::new();
    entry.read_to_string(&mut xml).map_err(|e| e.to_string())?;
    Ok(xml)
}

async fn status(admin: &Client, invoice: &Value) -> String {
    let all = invoices::invoices(admin, None).await;
    text(&all.iter().find(|one| one["_id"] == invoice["_id"]).expect("the invoice")["status"])
}

both_engines! {
    // MAND-1, MAND-2
    async fn a_mandate_is_made_signed_and_ends_with_its_account(app) {
        let (admin, principal, _) = invoices::one_invoice(app).await;
        let client = app.log_in(&principal).await;
        let body = json!({"customer": principal.company});
        let made = client.post("/api/v1/sepa", body.clone()).await.ok();
        let mandate = &made["mandate"];
        assert_eq!((text(&mandate["umr"]), text(&mandate["scheme"]), text(&mandate["type"])), ("VP-000001-01".into(), "CORE".into(), "RCUR".into()));
        assert_eq!((mandate["signedAt"].clone(), text(&mandate["status"])), (Value::Null, "active".into()));
        assert_eq!(text(&mandate["iban"]), "ES91 **** **** **** **** 1332");
        assert_eq!(text(&mandate["creditorId"]), "ES77000B85626240");
        assert_eq!(admin.post("/api/v1/sepa", json!({"customer": {"_id": principal.company}})).await.ok()["mandate"]["_id"], mandate["_id"], "made once");
        let id = text(&mandate["_id"]);
        let pdf = client.get(&format!("/api/v1/mandate-pdf/{id}")).await;
        assert!(pdf.body.starts_with(b"%PDF-") && pdf.header("content-type") == Some("application/pdf"));
        assert_eq!(pdf.body, client.get(&format!("/api/v1/mandate-pdf/{id}")).await.body, "the same bytes");
        let sign = format!("/api/v1/mandate-sign/{id}");
        admin.post(&sign, json!({"accept": true})).await.problem(422, "INVALID_FIELDS");
        let signed = client.post(&sign, json!({"accept": true})).await.ok();
        assert_eq!((text(&signed["mandate"]["signature"]), text(&signed["mandate"]["signedAt"])), ("acceptance".into(), "2026-11-02".into()));
        client.post(&sign, json!({"accept": true})).await.problem(409, "MANDATE_SIGNED");
        // Another tenant sees nothing of it
        let stranger = app.as_role(Role::Customer).await;
        stranger.post("/api/v1/sepa", body.clone()).await.problem(404, "COMPANY_NOT_FOUND");
        stranger.get(&format!("/api/v1/mandate-pdf/{id}")).await.problem(404, "MANDATE_NOT_FOUND");
        stranger.post(&sign, json!({"accept": true})).await.problem(404, "MANDATE_NOT_FOUND");
        assert_eq!(stranger.get("/api/v1/mandates").await.ok()["total"], 0);
        // A new account needs a new mandate; the same one typed again does not
        let change = |iban: &str| json!({"customer": {"_id": principal.company, "bankAccount": iban}});
        client.put("/api/v1/customer", change("ES91 2100 0418 4502 0005 1332")).await.ok();
        assert_eq!(client.post("/api/v1/sepa", body.clone()).await.ok()["mandate"]["_id"], mandate["_id"]);
        client.put("/api/v1/customer", change("ES9200490001561234567890")).await.ok();
        let next = client.post("/api/v1/sepa", body.clone()).await.ok()["mandate"].clone();
        assert_eq!((text(&next["umr"]), next["signedAt"].clone()), ("VP-000001-02".into(), Value::Null));
        let all = client.get("/api/v1/mandates").await.ok();
        assert_eq!((all["total"].clone(), text(&all["mandates"][1]["status"])), (json!(2), "cancelled".into()));
        client.post(&sign, json!({"accept": true})).await.problem(409, "MANDATE_ENDED");
        // B2B is another text: it is signed anew
        admin.post(&format!("/api/v1/mandate-scheme/{}", text(&next["_id"])), json!({"scheme": "B2B"})).await.ok();
        client.post(&format!("/api/v1/mandate-cancel/{}", text(&next["_id"])), json!({})).await.ok();
    }

    // MAND-9, MAND-10
    async fn the_secret_protects_accounts(app) {
        let (admin, principal, _) = one_due(app).await;
        let id = principal.company;
        let body = |secret: &str| json!({"secret": secret, "customerId": id});
        assert_eq!(admin.get("/api/v1/sepa-secret").await.ok(), json!({"set": false, "protected": 0, "unprotected": 1}));
        let problem = admin.post("/api/v1/encrypt-iban", body("corta")).await.problem(422, "INVALID_FIELDS");
        assert_eq!(problem["errors"][0]["code"], "SECRET_TOO_SHORT");
        let problem = admin.post("/api/v1/encrypt-iban", body("password12345678")).await.problem(422, "INVALID_FIELDS");
        assert_eq!((&problem["errors"][0]["field"], &problem["errors"][0]["code"]), (&json!("secret"), &json!("SECRET_WEAK")));
        let state = admin.get("/api/v1/sepa-secret").await.ok();
        assert_eq!(state["set"], false, "and it did not become the secret");
        let answer = admin.post("/api/v1/encrypt-iban", body(SECRET)).await.ok();
        assert_eq!(answer["customer"], json!({"_id": id, "bankAccount": "ES** **** **** **** **** 1332", "ibanProtected": true}));
        assert_eq!(admin.get("/api/v1/sepa-secret").await.ok(), json!({"set": true, "protected": 1, "unprotected": 0}));
        let problem = admin.post("/api/v1/encrypt-iban", body("otra clave bien larga")).await.problem(422, "SECRET_MISMATCH");
        assert_eq!(problem["errors"][0]["field"], "secret");
        admin.post("/api/v1/encrypt-iban", body(SECRET)).await.ok();
        let party = atalaya_identity::companies::accounts::find(&app.identity, id).await.unwrap();
        assert!(atalaya_identity::companies::accounts::iban(&app.identity, &party).is_none(), "the server alone cannot read it");
        // The mandate stays in force, and the secret opens the account for a remittance
        admin.post("/api/v1/mail-xml-sepa", json!({"secret": "otra clave bien larga"})).await.problem(422, "SECRET_MISMATCH");
        assert_eq!(admin.post("/api/v1/mail-xml-sepa", json!({"secret": SECRET})).await.ok()["nbOfTxs"], 1);
        assert!(mailed(&admin, SECRET).await.unwrap().contains("<IBAN>ES9121000418450200051332</IBAN>"));
        for _ in 0..20 {
            admin.post("/api/v1/encrypt-iban", body("otra clave bien larga")).await;
        }
        admin.post("/api/v1/encrypt-iban", body(SECRET)).await.problem(429, "TOO_MANY_REQUESTS");
        // A new account lies under the server's key again
        let client = app.log_in(&principal).await;
        let change = json!({"customer": {"_id": id, "bankAccount": "ES9200490001561234567890"}});
        assert_eq!(client.put("/api/v1/customer", change).await.ok()["customer"]["ibanProtected"], false);
    }

    // MAND-2, MAND-10
    async fn an_account_under_the_secret_can_be_cleared(app) {
        let (admin, principal, _) = one_due(app).await;
        let id = principal.company;
        admin.post("/api/v1/encrypt-iban", json!({"secret": SECRET, "customerId": id})).await.ok();
        assert_eq!(atalaya_bank_files::run_daily(&app.billing).await.unwrap(), (0, 0), "the mandate stands");
        let change = json!({"customer": {"_id": id, "bankAccount": ""}});
        let cleared = admin.put("/api/v1/customer", change).await.ok()["customer"].clone();
        assert_eq!((&cleared["bankAccount"], &cleared["ibanProtected"]), (&Value::Null, &json!(false)), "{cleared}");
        let party = atalaya_identity::companies::accounts::find(&app.identity, id).await.unwrap();
        assert!(party.account.is_none() && !party.company.billing.has_iban);
        assert_eq!(admin.get("/api/v1/sepa-secret").await.ok()["protected"], 0);
        let due = admin.get("/api/v1/remittance-due").await.ok();
        assert!(due.to_string().contains("IBAN_MISSING"), "{due}");
        assert_eq!(atalaya_bank_files::run_daily(&app.billing).await.unwrap(), (0, 0), "it ended with the account");
        assert_eq!(admin.get("/api/v1/mandates?status=cancelled").await.ok()["total"], 1);
        // The same account again is another one: it needs a mandate of its own
        let change = json!({"customer": {"_id": id, "bankAccount": "ES91 2100 0418 4502 0005 1332"}});
        admin.put("/api/v1/customer", change).await.ok();
        let made = app.log_in(&principal).await.post("/api/v1/sepa", json!({"customer": id})).await.ok();
        assert_eq!((text(&made["mandate"]["umr"]), &made["mandate"]["signedAt"]), ("VP-000001-02".into(), &Value::Null));
    }

    // MAND-10
    async fn only_customers_accounts_go_under_the_secret(app) {
        let (admin, _, _) = one_due(app).await;
        let operator = app.person(Role::Repairer).await;
        for company in [app.platform().await, operator.company] {
            let body = json!({"secret": SECRET, "customerId": company});
            admin.post("/api/v1/encrypt-iban", body).await.problem(404, "COMPANY_NOT_FOUND");
        }
        assert_eq!(admin.get("/api/v1/sepa-secret").await.ok()["set"], false, "and made no secret");
    }

    // REMIT-1, REMIT-3, REMIT-6, REMIT-9
    async fn a_remittance_takes_what_is_due_and_says_what_is_not(app) {
        let (admin, principal, invoice) = invoices::one_invoice(app).await;
        let post = || admin.post("/api/v1/mail-xml-sepa", json!({"secret": SECRET}));
        let due = admin.get("/api/v1/remittance-due").await.ok();
        assert_eq!((due["nbOfTxs"].clone(), text(&due["excluded"][0]["reason"])), (json!(0), "NO_MANDATE".into()));
        post().await.problem(409, "REMITTANCE_EMPTY");
        assert_eq!(status(&admin, &invoice).await, "issued");
        signed(app, &principal).await;
        let admin = app.as_role(Role::Admin).await;
        let due = admin.get("/api/v1/remittance-due").await.ok();
        assert_eq!((due["ctrlSum"].clone(), text(&due["collectionDate"])), (json!(36.3), "2026-11-09".into()));
        let (first, second) = tokio::join!(
            admin.post("/api/v1/mail-xml-sepa", json!({"secret": SECRET})),
            admin.post("/api/v1/mail-xml-sepa", json!({"secret": SECRET})),
        );
        let mut statuses = [first.status, second.status];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "one file, however many press");
        let made = if first.status == 200 { first.json() } else { second.json() };
        assert_eq!((text(&made["msgId"]), made["nbOfTxs"].clone(), made["ctrlSum"].clone()), ("VP-20261102-0001".into(), json!(1), json!(36.3)));
        assert!(mailed(&admin, "otra clave").await.is_err(), "the ZIP opens with the secret only");
        let xml = mailed(&admin, SECRET).await.unwrap();
        for part in [
            "<CtrlSum>36.30</CtrlSum>",
            "<EndToEndId>A2026-000001</EndToEndId>",
            "<MndtId>VP-000001-01</MndtId>",
            "<ReqdColltnDt>2026-11-09</ReqdColltnDt>",
            "<Id>ES77000B85626240</Id>",
            "Factura A2026-000001 octubre 2026",
        ] {
            assert!(xml.contains(part), "{part} in {xml}");
        }
        assert_eq!(status(&admin, &invoice).await, "in_remittance");
        admin.post("/api/v1/mail-xml-sepa", json!({"secret": SECRET})).await.problem(409, "REMITTANCE_EMPTY");
        let list = admin.get("/api/v1/remittances").await.ok();
        let row = &list["remittances"][0];
        assert_eq!((text(&row["status"]), row["open"].clone(), text(&row["blocks"][0]["pmtInfId"])), ("live".into(), json!({"count": 1, "amount": 36.3}), "VP-20261102-0001-RCUR".into()));
        let detail = admin.get(&format!("/api/v1/remittance/{}", text(&row["_id"]))).await.ok();
        assert_eq!(text(&detail["attempts"][0]["company"]), "Peritaciones Levante, S.L.");
        // The bank refuses the file: everything as before, and the next file has another name and reference
        let cancel = format!("/api/v1/remittance-cancel/{}", text(&row["_id"]));
        admin.post(&cancel, json!({"reason": " "})).await.problem(422, "INVALID_FIELDS");
        assert_eq!(text(&admin.post(&cancel, json!({"reason": "rechazado"})).await.ok()["remittance"]["status"]), "cancelled");
        admin.post(&cancel, json!({"reason": "rechazado"})).await.problem(409, "REMITTANCE_ENDED");
        assert_eq!(status(&admin, &invoice).await, "issued");
        app.advance(TimeDelta::seconds(1));
        let again = admin.post("/api/v1/mail-xml-sepa", json!({"secret": SECRET})).await.ok();
        assert_eq!(text(&again["msgId"]), "VP-20261102-0002");
        assert!(mailed(&admin, SECRET).await.unwrap().contains("<EndToEndId>A2026-000001-2</EndToEndId>"));
    }

    // MAND-3, BANK-6
    async fn dates_end_mandates_and_give_invoices_up(app) {
        let (admin, _, _) = one_due(app).await;
        app.clock.set(at("2029-11-02T09:00:00Z"));
        assert_eq!(atalaya_bank_files::run_daily(&app.billing).await.unwrap(), (1, 0));
        let _ = admin;
        let admin = app.as_role(Role::Admin).await;
        assert_eq!(admin.get("/api/v1/mandates?status=expired").await.ok()["total"], 1);
        assert_eq!(text(&admin.get("/api/v1/remittance-due").await.ok()["excluded"][0]["reason"]), "MANDATE_EXPIRED");
    }
}
