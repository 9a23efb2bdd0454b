//! Invoices by EN 16931, and what their buyers want to read on them.

use super::*;
use atalaya_testkit::{Engine, both_engines};

const OFFICES: [&str; 3] = ["L01280796", "L01280797", "EA0003089"];

async fn taken(client: &Client, format: &str, invoice: &Value) -> String {
    let answer = client.get(&format!("/api/v1/invoice-{format}/{}", id(invoice))).await;
    answer.ok();
    assert_eq!(answer.header("content-type"), Some("application/xml"));
    let ending = if format == "facturae" { String::new() } else { format!("-{format}") };
    let name = format!("attachment; filename=\"{}{ending}.xml\"", text(&invoice["number"]));
    assert_eq!(answer.header("content-disposition"), Some(name.as_str()));
    String::from_utf8_lossy(&answer.body).into_owned()
}

both_engines! {
    // EINV-9, EINV-10, EINV-13
    async fn an_invoice_is_taken_as_ubl_and_as_cii(app) {
        let (admin, principal, invoice) = one_invoice(app).await;
        let client = app.log_in(&principal).await;
        assert!(taken(&admin, "ubl", &invoice).await.contains(">36.30</cbc:PayableAmount>"));
        assert_eq!(invoices(&client, Some(principal.company)).await[0]["sentAt"], Value::Null, "an administrator delivers nothing");
        let ubl = taken(&client, "ubl", &invoice).await;
        assert!(ubl.contains("<cbc:InvoiceTypeCode>380<") && ubl.contains("<cbc:CompanyID>ESB85626240<"), "{ubl}");
        assert!(ubl.contains(">6.30</cbc:TaxAmount>") && ubl.contains("<cbc:Percent>21.00<"), "{ubl}");
        let cii = taken(&client, "cii", &invoice).await;
        assert!(cii.contains("<ram:GrandTotalAmount>36.30<") && cii.contains("<ram:TypeCode>380<"), "{cii}");
        assert_ne!(invoices(&client, Some(principal.company)).await[0]["sentAt"], Value::Null, "its customer has it now");
        let stranger = app.as_role(Role::Customer).await;
        for format in ["ubl", "cii"] {
            stranger.get(&format!("/api/v1/invoice-{format}/{}", id(&invoice))).await.problem(404, "INVOICE_NOT_FOUND");
        }
    }

    // EINV-11
    async fn what_gives_back_is_a_credit_note_and_what_asks_for_more_a_debit_note(app) {
        let (admin, _, invoice) = one_invoice(app).await;
        let path = format!("/api/v1/invoice-rectify/{}", id(&invoice));
        let more = json!({"reason": "Faltaba una", "kind": "differences", "amount": 6});
        let more = admin.post(&path, more).await.expect(201)["invoice"].clone();
        let ubl = taken(&admin, "ubl", &more).await;
        assert!(ubl.contains("<cbc:InvoiceTypeCode>383<") && ubl.contains(">7.26</cbc:PayableAmount>"), "{ubl}");
        let back = admin.post(&path, json!({"reason": "Cliente equivocado", "kind": "to-zero"})).await.expect(201)["invoice"].clone();
        let ubl = taken(&admin, "ubl", &back).await;
        assert!(ubl.contains("<CreditNote ") && ubl.contains("<cbc:CreditNoteTypeCode>381<"), "{ubl}");
        assert!(ubl.contains("<cbc:ID>A2026-000001<") && ubl.contains("Cliente equivocado") && ubl.contains(">43.56</cbc:PayableAmount>"), "{ubl}");
    }

    // EINV-12, EINV-14
    async fn a_public_body_reads_its_offices_and_its_reference(app) {
        let (admin, principal, invoice) = one_invoice(app).await;
        let path = format!("/api/v1/buyer-codes/{}", principal.company);
        let none = admin.get(&path).await.ok();
        assert_eq!((&none["reference"], &none["accounting"]), (&Value::Null, &Value::Null));
        let [accounting, managing, processing] = OFFICES;
        let codes = json!({"reference": " Pedido 7 ", "accounting": accounting.to_lowercase(), "managing": managing, "processing": processing});
        let stored = admin.post(&path, codes.clone()).await.ok();
        assert_eq!((stored["reference"].as_str(), stored["accounting"].as_str()), (Some("Pedido 7"), Some(accounting)));
        assert_eq!(admin.get(&path).await.ok(), stored);
        let facturae = taken(&admin, "facturae", &invoice).await;
        for (code, role) in OFFICES.iter().zip(["01", "02", "03"]) {
            assert!(facturae.contains(&format!("<CentreCode>{code}</CentreCode><RoleTypeCode>{role}<")), "{facturae}");
        }
        assert!(taken(&admin, "ubl", &invoice).await.contains("<cbc:BuyerReference>Pedido 7<"));
        // Twice is once in the activity log.
        admin.post(&path, codes).await.ok();
        let log = admin.get("/api/v1/audit?action=COMPANY_CHANGED").await.ok().to_string();
        assert_eq!(log.matches("buyerCodes").count(), 1, "{log}");

        for (body, field, code) in [
            (json!({"accounting": accounting, "managing": managing}), "processing", "REQUIRED"),
            (json!({"accounting": "L0128", "managing": managing, "processing": processing}), "accounting", "INVALID"),
            (json!({"reference": "x".repeat(101)}), "reference", "TOO_LONG"),
        ] {
            let problem = admin.post(&path, body).await.problem(422, "INVALID_FIELDS");
            assert_eq!((problem["errors"][0]["field"].as_str(), problem["errors"][0]["code"].as_str()), (Some(field), Some(code)));
        }
        admin.post(&path, json!({})).await.ok();
        assert!(!taken(&admin, "facturae", &invoice).await.contains("AdministrativeCentres"));
        assert!(!taken(&admin, "cii", &invoice).await.contains("BuyerReference"));
    }
}

/// The invoice of `one_invoice` in an application that keeps messages.
async fn with_messages(test: impl AsyncFn(&TestApp)) {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        if let Some(app) = TestApp::configured(engine, |config| config.billing.invoice_messages = true).await {
            test(&app).await;
        }
    }
}

// EINV-16
#[tokio::test]
async fn what_a_recipient_says_of_an_invoice_is_kept() {
    with_messages(async |app| {
        let (admin, principal, invoice) = one_invoice(app).await;
        let path = format!("/api/v1/invoice-messages/{}", id(&invoice));
        let client = app.log_in(&principal).await;
        assert_eq!(client.get(&path).await.ok(), json!({"open": true, "messages": []}));
        for (body, field, code) in [
            (json!({"status": "rejected", "day": "2026-11-02"}), "reason", "REQUIRED"),
            (json!({"status": "accepted", "day": "2026-11-03"}), "day", "DATE_IN_FUTURE"),
            (json!({"status": "accepted", "day": "2026-11-01"}), "day", "DATE_BEFORE_ISSUE"),
            (json!({"status": "accepted", "day": "2026-11-02", "reason": "x".repeat(501)}), "reason", "TOO_LONG"),
        ] {
            let problem = client.post(&path, body).await.problem(422, "INVALID_FIELDS");
            assert_eq!(
                (problem["errors"][0]["field"].as_str(), problem["errors"][0]["code"].as_str()),
                (Some(field), Some(code))
            );
        }
        client.post(&path, json!({"status": "rejected", "day": "2026-11-02", "reason": " Importe "})).await.expect(201);
        app.advance(TimeDelta::minutes(1));
        client.post(&path, json!({"status": "accepted", "day": "2026-11-02"})).await.expect(201);
        app.advance(TimeDelta::minutes(1));
        let all = admin.post(&path, json!({"status": "paid", "day": "2026-11-02"})).await.expect(201)["messages"].clone();
        let said: Vec<_> =
            all.as_array().expect("a list").iter().map(|one| (text(&one["status"]), one["byCustomer"].clone())).collect();
        let own = |status: &str, by: bool| (status.to_owned(), json!(by));
        assert_eq!(said, [own("rejected", true), own("accepted", true), own("paid", false)]);
        assert_eq!(all[0]["reason"], "Importe");
        assert_eq!(invoices(&client, Some(principal.company)).await[0]["paidAt"], Value::Null, "it moves nothing");
        let stranger = app.as_role(Role::Customer).await;
        stranger.get(&path).await.problem(404, "INVOICE_NOT_FOUND");
        stranger.post(&path, json!({"status": "paid", "day": "2026-11-02"})).await.problem(404, "INVOICE_NOT_FOUND");
    })
    .await;
}

both_engines! {
    // EINV-17
    async fn without_the_setting_nothing_is_taken(app) {
        let (admin, _, invoice) = one_invoice(app).await;
        let path = format!("/api/v1/invoice-messages/{}", id(&invoice));
        assert_eq!(admin.get(&path).await.ok(), json!({"open": false, "messages": []}));
        admin.post(&path, json!({"status": "paid", "day": "2026-11-02"})).await.problem(404, "NOT_FOUND");
    }
}
