//! An invoice with everything that rectifies it is one sum; what is annulled, and what was delivered.

use super::*;
use crate::sepa::{SECRET, one_due};
use atalaya_testkit::both_engines;

/// Issues a rectifying invoice of this difference of the base.
async fn difference(admin: &Client, invoice: &Value, amount: f64) -> Value {
    let body = json!({"reason": "Ajuste", "kind": "differences", "amount": amount});
    admin.post(&format!("/api/v1/invoice-rectify/{}", id(invoice)), body).await.expect(201)["invoice"].clone()
}

async fn due(admin: &Client) -> Value {
    admin.get("/api/v1/remittance-due").await.ok()
}

async fn status(admin: &Client, invoice: &Value) -> String {
    let all = invoices(admin, None).await;
    text(&all.iter().find(|one| one["_id"] == invoice["_id"]).expect("the invoice")["status"])
}

fn about(call: &str, invoice: &Value) -> String {
    format!("/api/v1/{call}/{}", id(invoice))
}

both_engines! {
    // REMIT-2
    async fn a_group_is_debited_what_it_leaves_open(app) {
        let (admin, _, invoice) = one_due(app).await;
        difference(&admin, &invoice, 10.0).await;
        difference(&admin, &invoice, -5.0).await;
        let now = due(&admin).await;
        assert_eq!((&now["nbOfTxs"], &now["ctrlSum"]), (&json!(2), &json!(42.35)), "36.30 and 12.10 less 6.05: {now}");
        let made = admin.post("/api/v1/mail-xml-sepa", json!({"secret": SECRET})).await.ok();
        assert_eq!(made["ctrlSum"], 42.35);
        assert_eq!(due(&admin).await["nbOfTxs"], 0);
    }

    // REMIT-2, REMIT-9, RECT-5, RECT-6
    async fn money_that_came_counts_for_the_whole_group(app) {
        let (admin, _, invoice) = one_due(app).await;
        admin.post(&about("invoice-paid", &invoice), json!({"paidAt": "2026-11-02"})).await.ok();
        difference(&admin, &invoice, -10.0).await;
        let more = difference(&admin, &invoice, 5.0).await;
        let now = due(&admin).await;
        assert_eq!(now["nbOfTxs"], 0, "the customer is owed 6.05: {now}");
        assert_eq!((&now["excluded"][0]["number"], &now["excluded"][0]["reason"]), (&more["number"], &json!("AMOUNT_NOT_POSITIVE")));
        let further = difference(&admin, &invoice, 7.0).await;
        assert_eq!(due(&admin).await["ctrlSum"], 2.42, "30 − 10 + 5 + 7 are 32, of which 30 came");

        // While one of the group is at the bank, nothing is corrected.
        let made = admin.post("/api/v1/mail-xml-sepa", json!({"secret": SECRET})).await.ok();
        assert_eq!(made["ctrlSum"], 2.42);
        let zero = json!({"reason": "Error", "kind": "to-zero"});
        admin.post(&about("invoice-rectify", &invoice), zero.clone()).await.problem(409, "INVOICE_IN_REMITTANCE");
        let remittance = admin.get("/api/v1/remittances").await.ok()["remittances"][0].clone();
        admin.post(&about("remittance-cancel", &remittance), json!({"reason": "rechazado"})).await.ok();

        // To zero, and nobody is asked for anything any more.
        let back = admin.post(&about("invoice-rectify", &invoice), zero).await.expect(201)["invoice"].clone();
        assert_eq!(back["base"], -32);
        for one in [&invoice, &more, &further] {
            assert_eq!(status(&admin, one).await, "rectified");
        }
        let now = due(&admin).await;
        assert_eq!((&now["nbOfTxs"], &now["excluded"]), (&json!(0), &json!([])));
        // It cannot be taken away from under them.
        admin.post(&about("invoice-cancel", &back), json!({})).await.problem(409, "INVOICE_STATUS_REFUSED");
    }

    // RECT-7
    async fn what_others_rectify_is_not_annulled(app) {
        let (admin, _, invoice) = one_invoice(app).await;
        let less = difference(&admin, &invoice, -5.0).await;
        admin.post(&about("invoice-cancel", &invoice), json!({})).await.problem(409, "INVOICE_STATUS_REFUSED");
        assert_eq!(status(&admin, &invoice).await, "issued");
        admin.post(&about("invoice-cancel", &less), json!({})).await.ok();
        admin.post(&about("invoice-cancel", &invoice), json!({})).await.ok();
        assert_eq!(status(&admin, &invoice).await, "cancelled");
    }

    // PRINT-5, RECT-7
    async fn what_the_customer_took_was_delivered(app) {
        let (admin, principal, invoice) = one_invoice(app).await;
        admin.get(&about("print-invoice", &invoice)).await.ok();
        assert_eq!(status(&admin, &invoice).await, "issued", "an administrator is nobody's customer");
        app.log_in(&principal).await.get(&about("print-invoice", &invoice)).await.ok();
        assert_eq!(status(&admin, &invoice).await, "sent");
        admin.post(&about("invoice-cancel", &invoice), json!({})).await.problem(409, "INVOICE_SENT");
        let sending = admin.post("/api/v1/send-all-invoices", json!({})).await.ok();
        assert_eq!(sending["queued"], 1, "the notice of the debit goes out all the same");
    }

    // RUN-8
    async fn an_invoice_is_mailed_or_annulled_never_both(app) {
        let (admin, _, invoice) = one_invoice(app).await;
        assert_eq!(admin.post("/api/v1/send-all-invoices", json!({})).await.ok()["queued"], 1);
        let path = about("invoice-cancel", &invoice);
        let (_, cancelled) = tokio::join!(work(app), admin.post(&path, json!({})));
        let outbox = admin.get("/api/v1/outbox?channel=email&limit=50").await.ok();
        let mails = outbox["outbox"].as_array().expect("a list").iter()
            .filter(|mail| mail["subject"].as_str().is_some_and(|subject| subject.starts_with("Factura "))).count();
        match cancelled.status {
            200 => assert_eq!((mails, status(&admin, &invoice).await.as_str()), (0, "cancelled")),
            _ => assert_eq!((mails, status(&admin, &invoice).await.as_str()), (1, "sent")),
        }
    }
}
