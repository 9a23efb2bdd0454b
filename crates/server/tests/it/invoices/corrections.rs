//! Rectifying invoices, annulment, payment by hand.

use super::*;
use atalaya_testkit::both_engines;

both_engines! {
    // RECT-1, RECT-4, RECT-5, RECT-6
    async fn a_difference_is_a_rectifying_invoice(app) {
        let (admin, principal, invoice) = one_invoice(app).await;
        let path = format!("/api/v1/invoice-rectify/{}", id(&invoice));
        for (body, field, code) in [
            (json!({"reason": " ", "kind": "differences", "amount": -1}), "reason", "REQUIRED"),
            (json!({"reason": "x".repeat(501), "kind": "differences", "amount": -1}), "reason", "TOO_LONG"),
            (json!({"reason": "x", "kind": "differences"}), "amount", "REQUIRED"),
            (json!({"reason": "x", "kind": "differences", "amount": 0}), "amount", "AMOUNT_ZERO"),
            (json!({"reason": "x", "kind": "differences", "amount": -30.01}), "amount", "AMOUNT_TOO_LOW"),
            (json!({"reason": "x", "kind": "differences", "lines": []}), "lines", "REQUIRED"),
        ] {
            let problem = admin.post(&path, body).await.problem(422, "INVALID_FIELDS");
            assert_eq!((problem["errors"][0]["field"].as_str(), problem["errors"][0]["code"].as_str()), (Some(field), Some(code)));
        }
        let made = admin.post(&path, json!({"reason": "Precio mal aplicado", "kind": "differences", "amount": -6})).await.expect(201);
        let made = &made["invoice"];
        assert_eq!((made["number"].as_str(), made["kind"].as_str(), made["series"].as_str()), (Some("R2026-000001"), Some("rectifying"), Some("R")));
        assert_eq!((made["base"].as_f64(), made["vat"].as_f64(), made["total"].as_f64()), (Some(-6.0), Some(-1.26), Some(-7.26)));
        assert_eq!((&made["rectifies"]["number"], made["reason"].as_str()), (&invoice["number"], Some("Precio mal aplicado")));

        // The rest back to zero; then there is nothing more to rectify.
        let zero = admin.post(&path, json!({"reason": "Cliente equivocado", "kind": "to-zero"})).await.expect(201)["invoice"].clone();
        assert_eq!((zero["number"].as_str(), zero["total"].as_f64()), (Some("R2026-000002"), Some(-29.04)));
        admin.post(&path, json!({"reason": "x", "kind": "to-zero"})).await.problem(409, "INVOICE_NOT_RECTIFIABLE");
        admin.post(&format!("/api/v1/invoice-rectify/{}", id(&zero)), json!({"reason": "x", "kind": "to-zero"})).await.problem(409, "INVOICE_NOT_RECTIFIABLE");
        let client = app.log_in(&principal).await;
        let own = invoices(&client, Some(principal.company)).await;
        assert!(own.iter().map(|one| one["total"].as_f64().unwrap()).sum::<f64>().abs() < 0.001, "nothing remains");
        let original = own.iter().find(|one| one["number"] == "A2026-000001").unwrap();
        assert_eq!((original["status"].as_str(), original["rectifiedBy"]["number"].as_str()), (Some("rectified"), Some("R2026-000002")));
        let statistics = client.get(&format!("/api/v1/invoice-statistics/{}?from=2026-10&to=2026-10", principal.company)).await.ok();
        assert_eq!(statistics["months"][0]["total"], 0);
        // Its month stays invoiced.
        assert_eq!(generate(app, &admin).await["issued"], 1);
    }

    // RECT-2
    async fn the_cause_is_the_type_of_the_record(app) {
        let (_, _, invoice) = one_invoice(app).await;
        app.clock.set(at("2027-05-03T09:00:00Z"));
        let admin = app.as_role(Role::Admin).await;
        let path = format!("/api/v1/invoice-rectify/{}", id(&invoice));
        let relief = json!({"orderDate": "2027-04-01", "publishedOn": "2027-04-02", "reference": "Autos 1/2027", "claim": "provable",
            "claimedOn": "2027-01-10", "smallCompany": true, "businessRecipient": true, "notExcluded": true});
        let body =
            |cause: &str| json!({"reason": "Auto de concurso", "kind": "differences", "amount": -1, "cause": cause, "relief": relief});
        for cause in ["error", "insolvency", "bad-debt", "other"] {
            admin.post(&path, body(cause)).await.expect(201);
        }
        let all = admin.get("/api/v1/verifactu-records").await.ok()["records"].clone();
        let types: Vec<String> = all.as_array().unwrap().iter().rev().map(|one| text(&one["invoiceType"])).collect();
        assert_eq!(types, ["F1", "R1", "R2", "R3", "R4"]);
        assert_eq!(admin.post(&path, body("mistake")).await.status, 422);
    }

    // RECT-5
    async fn a_month_can_be_invoiced_anew(app) {
        let (admin, _, invoice) = one_invoice(app).await;
        let path = format!("/api/v1/invoice-rectify/{}", id(&invoice));
        admin.post(&path, json!({"reason": "NIF equivocado", "kind": "to-zero", "reissue": true})).await.expect(201);
        generate(app, &admin).await;
        let numbers: Vec<_> = invoices(&admin, None).await.iter().map(|one| text(&one["number"])).collect();
        assert_eq!(numbers.iter().filter(|number| number.starts_with('A')).count(), 2, "{numbers:?}");
    }

    // RECT-7
    async fn what_was_never_sent_can_be_annulled(app) {
        let (admin, _, invoice) = one_invoice(app).await;
        let path = format!("/api/v1/invoice-cancel/{}", id(&invoice));
        let cancelled = admin.post(&path, json!({})).await.ok()["invoice"].clone();
        assert_eq!((cancelled["status"].as_str(), &cancelled["number"]), (Some("cancelled"), &invoice["number"]));
        admin.post(&path, json!({})).await.problem(409, "INVOICE_STATUS_REFUSED");
        admin.post(&format!("/api/v1/invoice-rectify/{}", id(&invoice)), json!({"reason": "x", "kind": "to-zero"})).await.problem(409, "INVOICE_NOT_RECTIFIABLE");
        // The number stays used.
        generate(app, &admin).await;
        let numbers: Vec<_> = invoices(&admin, None).await.iter().map(|one| (text(&one["number"]), text(&one["status"]))).collect();
        assert_eq!(numbers, [("A2026-000002".into(), "issued".into()), ("A2026-000001".to_owned(), "cancelled".to_owned())]);
        let kept = admin.post(&format!("/api/v1/invoice-cancel/{}", id(&invoices(&admin, None).await[0])), json!({"reissue": false})).await.ok();
        assert_eq!(kept["invoice"]["status"], "cancelled");
        generate(app, &admin).await;
        assert_eq!(invoices(&admin, None).await.len(), 2, "not again");
    }

    // INV-7, INV-5
    async fn payments_by_hand(app) {
        let (admin, _, invoice) = one_invoice(app).await;
        let (paid, unpaid) = (format!("/api/v1/invoice-paid/{}", id(&invoice)), format!("/api/v1/invoice-unpaid/{}", id(&invoice)));
        for (day, code) in [("2026-11-03", "DATE_IN_FUTURE"), ("2026-11-01", "DATE_BEFORE_ISSUE")] {
            let problem = admin.post(&paid, json!({"paidAt": day})).await.problem(422, "INVALID_FIELDS");
            assert_eq!((problem["errors"][0]["field"].as_str(), problem["errors"][0]["code"].as_str()), (Some("paidAt"), Some(code)));
        }
        admin.post(&paid, json!({"paidAt": "ayer"})).await.problem(422, "INVALID_FIELDS");
        assert_eq!(admin.post(&unpaid, json!({})).await.ok()["invoice"]["status"], "unpaid");
        let done = admin.post(&paid, json!({"paidAt": "2026-11-02"})).await.ok()["invoice"].clone();
        assert_eq!((done["status"].as_str(), done["paidBy"].as_str()), (Some("paid"), Some("transfer")));
        admin.post(&paid, json!({"paidAt": "2026-11-02"})).await.problem(409, "INVOICE_STATUS_REFUSED");
        admin.post(&unpaid, json!({})).await.problem(409, "INVOICE_STATUS_REFUSED");
        admin.post(&format!("/api/v1/invoice-cancel/{}", id(&invoice)), json!({})).await.problem(409, "INVOICE_STATUS_REFUSED");
    }
}
