//! What shows later that a debtor signed, on the screen or on paper, and what ends with the account.

use super::signed;
use crate::invoices;
use crate::support::{multipart_with, text};
use atalaya_testkit::{Client, both_engines};
use axum::http::Method;
use chrono::TimeDelta;
use serde_json::{Value, json};

async fn sign_paper(client: &Client, id: &str, fields: &[(&str, &str)]) -> atalaya_testkit::Answer {
    let (kind, body) = multipart_with(fields, "papel.pdf", "application/pdf", b"%PDF-1 signed by hand");
    client.send_body(Method::POST, &format!("/api/v1/mandate-sign/{id}"), Some(&kind), body).await
}

fn sha256(bytes: &[u8]) -> String {
    atalaya_blobs::Digest::of(bytes).sha256_hex()
}

both_engines! {
    // MAND-5, MAND-7
    async fn the_document_that_was_shown_is_kept(app) {
        let (admin, principal, _) = invoices::one_invoice(app).await;
        let client = app.log_in(&principal).await;
        let made = client.post("/api/v1/sepa", json!({"customer": principal.company})).await.ok()["mandate"].clone();
        let id = text(&made["_id"]);
        assert_eq!(made["evidence"], Value::Null);
        let path = format!("/api/v1/mandate-evidence/{id}");
        client.get(&path).await.problem(404, "MANDATE_DOCUMENT_NOT_FOUND");
        let shown = client.get(&format!("/api/v1/mandate-pdf/{id}")).await.body.to_vec();
        let mandate = signed(app, &principal).await;
        let evidence = &mandate["evidence"];
        assert_eq!((text(&evidence["pdfSha256"]), text(&evidence["scheme"]), text(&evidence["pdf"])), (sha256(&shown), "CORE".into(), path.clone()));
        assert!(!text(&evidence["legalId"]).is_empty(), "the terms in force: {evidence}");
        assert_eq!(client.get(&path).await.body.to_vec(), shown, "the very bytes");
        // Whatever the debtor is called later
        let change = json!({"customer": {"_id": principal.company, "company": "Otro nombre, S.L.", "address": "Otra calle, 1"}});
        admin.send(Method::PUT, "/api/v1/customer", Some(change)).await.ok();
        assert_eq!(admin.get(&path).await.body.to_vec(), shown);
        assert_ne!(admin.get(&format!("/api/v1/mandate-pdf/{id}")).await.body.to_vec(), shown);
        app.as_role(atalaya_kernel::Role::Customer).await.get(&path).await.problem(404, "MANDATE_NOT_FOUND");
        // Another text is another evidence
        admin.post(&format!("/api/v1/mandate-scheme/{id}"), json!({"scheme": "B2B"})).await.ok();
        let again = client.post(&format!("/api/v1/mandate-sign/{id}"), json!({"accept": true})).await.ok()["mandate"].clone();
        assert_eq!(text(&again["evidence"]["scheme"]), "B2B");
        assert_ne!(text(&again["evidence"]["pdfSha256"]), sha256(&shown));
    }

    // MAND-4, MAND-6
    async fn a_paper_has_the_whole_account_and_its_own_day(app) {
        let (admin, principal, _) = invoices::one_invoice(app).await;
        let client = app.log_in(&principal).await;
        let made = client.post("/api/v1/sepa", json!({"customer": principal.company})).await.ok()["mandate"].clone();
        let id = text(&made["_id"]);
        let form = client.get(&format!("/api/v1/mandate-pdf/{id}?paper=true")).await;
        assert!(form.body.starts_with(b"%PDF-"));
        assert_ne!(form.body, client.get(&format!("/api/v1/mandate-pdf/{id}")).await.body);
        app.advance(TimeDelta::days(5));
        let client = app.log_in(&principal).await;
        for (day, code) in [("2026-11-08", "DATE_IN_FUTURE"), ("2026-11-01", "DATE_BEFORE_MANDATE"), ("ayer", "INVALID")] {
            let problem = sign_paper(&client, &id, &[("signedAt", day)]).await.problem(422, "INVALID_FIELDS");
            assert_eq!((text(&problem["errors"][0]["field"]), text(&problem["errors"][0]["code"])), ("signedAt".into(), code.into()));
        }
        let mandate = sign_paper(&client, &id, &[("signedAt", "2026-11-03"), ("place", "Valencia")]).await.ok()["mandate"].clone();
        assert_eq!((text(&mandate["signedAt"]), text(&mandate["signature"])), ("2026-11-03".into(), "document".into()));
        let evidence = &mandate["evidence"];
        assert_eq!((text(&evidence["place"]), text(&evidence["documentSha256"])), ("Valencia".into(), sha256(b"%PDF-1 signed by hand")));
        let _ = admin;
    }

    // MAND-2
    async fn a_mandate_ends_with_its_account_at_once(app) {
        let (_, principal, _) = invoices::one_invoice(app).await;
        signed(app, &principal).await;
        let client = app.log_in(&principal).await;
        client.put("/api/v1/customer", json!({"customer": {"_id": principal.company, "bankAccount": "ES91 2100 0418 4502 0005 1332"}})).await.ok();
        assert_eq!(text(&client.get("/api/v1/mandates").await.ok()["mandates"][0]["status"]), "active", "the same account");
        client.put("/api/v1/customer", json!({"customer": {"_id": principal.company, "bankAccount": ""}})).await.ok();
        let mandate = client.get("/api/v1/mandates").await.ok()["mandates"][0].clone();
        assert_eq!((text(&mandate["status"]), text(&mandate["statusReason"])), ("cancelled".into(), "ACCOUNT_CHANGED".into()));
    }

    // TERMS-8
    async fn what_was_accepted_is_kept_as_it_was(app) {
        let (admin, principal, _) = invoices::one_invoice(app).await;
        atalaya_bank_files::run_daily(&app.billing).await.unwrap();
        let contract = async || admin.get(&format!("/api/v1/contract?company={}", principal.company)).await.body.to_vec();
        let first = contract().await;
        let change = json!({"customer": {"_id": principal.company, "company": "Otro nombre, S.L."}});
        admin.send(Method::PUT, "/api/v1/customer", Some(change)).await.ok();
        assert_eq!(contract().await, first);
    }
}
