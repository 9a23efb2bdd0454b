//! Unpaid invoices whose taxable base is lowered (art. 80 LIVA): the debt stays as it was.

use super::*;
use crate::sepa::{SECRET, one_due};
use atalaya_testkit::both_engines;

fn about(call: &str, invoice: &Value) -> String {
    format!("/api/v1/{call}/{}", id(invoice))
}

async fn seen(client: &Client, invoice: &Value) -> Value {
    invoices(client, None).await.into_iter().find(|one| one["_id"] == invoice["_id"]).expect("the invoice")
}

/// The conditions of a bad debt, as they are met in May 2027.
fn bad_debt(change: &Value) -> Value {
    let mut relief = json!({"claimedOn": "2027-01-10", "claim": "provable", "reference": "Burofax 123", "smallCompany": true,
        "businessRecipient": true, "notExcluded": true});
    for (field, value) in change.as_object().expect("fields") {
        relief[field] = value.clone();
    }
    json!({"reason": "Impago", "kind": "to-zero", "cause": "bad-debt", "relief": relief})
}

both_engines! {
    // RECT-8, RECT-9
    async fn a_bad_debt_lowers_the_base_and_stays_due(app) {
        let (_, principal, invoice) = one_due(app).await;
        app.clock.set(at("2027-05-03T09:00:00Z"));
        let admin = app.as_role(Role::Admin).await;
        let before = seen(&admin, &invoice).await;
        let made = admin.post(&about("invoice-rectify", &invoice), bad_debt(&json!({}))).await.expect(201)["invoice"].clone();
        assert_eq!((&made["base"], &made["vat"], &made["total"], &made["connections"]), (&json!(-30), &json!(-6.3), &json!(-36.3), &json!(0)));
        let relief = &made["relief"];
        assert_eq!((text(&relief["claim"]), text(&relief["reference"]), text(&relief["notifyBy"]), text(&relief["deadline"])),
            ("provable".into(), "Burofax 123".into(), "2027-06-03".into(), "2028-04-30".into()));
        // The original stands, with its calls, and is collected as before
        let after = seen(&admin, &invoice).await;
        assert_eq!((&after["status"], &after["connections"]), (&before["status"], &before["connections"]));
        assert_eq!(text(&after["rectifiedBy"]["number"]), "R2027-000001");
        assert_eq!(after["overdue"], true);
        let details = admin.get(&about("get-details", &invoice)).await.ok();
        assert_eq!(details["connectionsTotal"], before["connections"]);
        let due = admin.get("/api/v1/remittance-due").await.ok();
        assert_eq!((&due["nbOfTxs"], &due["ctrlSum"]), (&json!(1), &json!(36.3)), "{due}");
        assert_eq!(admin.post("/api/v1/mail-xml-sepa", json!({"secret": SECRET})).await.ok()["ctrlSum"], 36.3);
        // What is kept is shown again, to the customer too
        let client = app.log_in(&principal).await;
        let own = invoices(&client, Some(principal.company)).await;
        assert_eq!(own.iter().find(|one| one["_id"] == made["_id"]).expect("it")["relief"], *relief);
        let records = admin.get("/api/v1/verifactu-records").await.ok()["records"].clone();
        assert_eq!(text(&records[0]["invoiceType"]), "R3");
        let statistics = client.get(&format!("/api/v1/invoice-statistics/{}?from=2026-10&to=2026-10", principal.company)).await.ok();
        assert_eq!((&statistics["months"][0]["total"], &statistics["months"][0]["connections"]), (&json!(0), &before["connections"]));
    }

    // RECT-8
    async fn an_invoice_with_a_lowered_base_is_paid_by_hand(app) {
        let (_, _, invoice) = one_invoice(app).await;
        app.clock.set(at("2027-05-03T09:00:00Z"));
        let admin = app.as_role(Role::Admin).await;
        admin.post(&about("invoice-unpaid", &invoice), json!({})).await.ok();
        admin.post(&about("invoice-rectify", &invoice), bad_debt(&json!({}))).await.expect(201);
        assert_eq!(text(&seen(&admin, &invoice).await["status"]), "unpaid");
        admin.post(&about("invoice-rectify", &invoice), bad_debt(&json!({}))).await.problem(409, "INVOICE_NOT_RECTIFIABLE");
        // Up again, when the claim is given up: without conditions, never above what was
        let up = |amount: f64| json!({"reason": "Desistimiento", "kind": "differences", "cause": "bad-debt", "amount": amount});
        let problem = admin.post(&about("invoice-rectify", &invoice), up(30.01)).await.problem(422, "INVALID_FIELDS");
        assert_eq!((text(&problem["errors"][0]["field"]), text(&problem["errors"][0]["code"])), ("amount".into(), "AMOUNT_TOO_HIGH".into()));
        let made = admin.post(&about("invoice-rectify", &invoice), up(30.0)).await.expect(201)["invoice"].clone();
        assert_eq!((&made["relief"], &made["overdue"]), (&Value::Null, &json!(false)), "nobody owes it twice");
        let paid = admin.post(&about("invoice-paid", &invoice), json!({"paidAt": "2027-05-03"})).await.ok()["invoice"].clone();
        assert_eq!(text(&paid["status"]), "paid");
        let due = admin.get("/api/v1/remittance-due").await.ok();
        assert_eq!((&due["nbOfTxs"], &due["excluded"]), (&json!(0), &json!([])), "{due}");
        // Of what was paid the base stays
        admin.post(&about("invoice-rectify", &invoice), bad_debt(&json!({}))).await.problem(409, "INVOICE_NOT_RECTIFIABLE");
    }

    // RECT-9
    async fn the_conditions_of_the_law_are_asked_for(app) {
        let (admin, _, invoice) = one_invoice(app).await;
        let path = about("invoice-rectify", &invoice);
        let problem = admin.post(&path, bad_debt(&json!({"claimedOn": "2026-11-01"}))).await.problem(422, "INVALID_FIELDS");
        assert_eq!((text(&problem["errors"][0]["field"]), text(&problem["errors"][0]["code"])), ("relief.smallCompany".into(), "TOO_EARLY".into()));
        assert!(text(&problem["errors"][0]["message"]).contains("30/04/2027"), "{problem}");
        let insolvency = |relief: Value| json!({"reason": "Concurso", "kind": "to-zero", "cause": "insolvency", "relief": relief});
        for (relief, fields) in [
            (json!({}), vec!["relief.reference REQUIRED", "relief.notExcluded REQUIRED", "relief.orderDate REQUIRED", "relief.publishedOn REQUIRED"]),
            (json!({"orderDate": "2026-10-31", "publishedOn": "2026-11-03", "reference": "Autos 1", "notExcluded": true}),
                vec!["relief.orderDate DATE_BEFORE_OPERATION", "relief.publishedOn DATE_IN_FUTURE"]),
        ] {
            let problem = admin.post(&path, insolvency(relief)).await.problem(422, "INVALID_FIELDS");
            let found: Vec<String> =
                problem["errors"].as_array().expect("errors").iter().map(|one| format!("{} {}", text(&one["field"]), text(&one["code"]))).collect();
            assert_eq!(found, fields);
        }
        let good = json!({"orderDate": "2026-11-01", "publishedOn": "2026-11-02", "reference": "Autos 1", "notExcluded": true});
        let mut anew = insolvency(good.clone());
        anew["reissue"] = json!(true);
        assert_eq!(admin.post(&path, anew).await.problem(422, "INVALID_FIELDS")["errors"][0]["field"], "reissue");
        app.clock.set(at("2028-05-01T09:00:00Z"));
        let admin = app.as_role(Role::Admin).await;
        for body in [bad_debt(&json!({})), insolvency(good)] {
            let problem = admin.post(&path, body).await.problem(422, "INVALID_FIELDS");
            assert_eq!(text(&problem["errors"][0]["code"]), "DEADLINE_PASSED");
        }
        assert_eq!(invoices(&admin, None).await.len(), 1, "nothing was issued");
    }
}
