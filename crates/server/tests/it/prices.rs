//! Price tables: who reads them, how they are added, and the tariff tried on a file.

use atalaya_kernel::Role;
use atalaya_testkit::both_engines;
use chrono::TimeDelta;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

const VECTORS: &str = include_str!("../../../../vectors/pricing.json");

fn table() -> Value {
    json!({"connection": 7.5, "otherConnections": 3, "minuteLimit": null, "exceededMinute": 0, "guestMinute": 0.15,
        "minPayment": 25, "discounts": [{"to": 200, "percent": 12.5}, {"to": 50, "percent": 0}]})
}

fn with(change: Value) -> Value {
    let mut body = table();
    body.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    body
}

both_engines! {
    async fn a_newcomer_reads_the_table_in_force(app) {
        let price = app.anonymous().get("/api/v1/price-id/0").await.ok()["price"].clone();
        let id = price["_id"].as_str().unwrap();
        assert_eq!(price, json!({"_id": id, "connection": 6, "otherConnections": 3, "minuteLimit": 10, "exceededMinute": 0.35,
            "guestMinute": 0.2, "minPayment": 30, "validFrom": "2025-12-31T23:00:00Z", "companyId": null,
            "discounts": [{"to": 50, "percent": 0.0}, {"to": 100, "percent": 5.0}, {"to": 250, "percent": 10.0}, {"to": 500, "percent": 15.0}]}));
        assert_eq!(app.anonymous().get(&format!("/api/v1/price-id/{id}")).await.ok()["price"], price);
        for unknown in ["x", "1", &app.sources.uuid().to_string()] {
            app.anonymous().get(&format!("/api/v1/price-id/{unknown}")).await.problem(404, "PRICE_NOT_FOUND");
        }
    }

    // TERMS-1, TERMS-2
    async fn tables_are_added_for_everybody_or_for_one(app) {
        let admin = app.as_role(Role::Admin).await;
        let customer = app.person(Role::Customer).await;
        let own = app.log_in(&customer).await;
        let later = (app.sources.now() + TimeDelta::days(10)).to_rfc3339();
        let coming = admin.post("/api/v1/price", with(json!({"validFrom": later}))).await.expect(201)["price"].clone();
        assert_eq!(coming["discounts"], json!([{"to": 50, "percent": 0.0}, {"to": 200, "percent": 12.5}]));
        let offered = admin.post("/api/v1/price", with(json!({"companyId": customer.company}))).await.expect(201)["price"].clone();
        let offered_id = offered["_id"].as_str().unwrap();
        assert_eq!(own.get("/api/v1/price-id/0").await.ok()["price"], offered, "its own goes before everybody's");
        assert_eq!(app.anonymous().get("/api/v1/price-id/0").await.ok()["price"]["connection"], 6, "the other is to come");
        for (client, seen) in [(&own, true), (&admin, true), (&app.anonymous(), false), (&app.as_role(Role::Customer).await, false)] {
            let answer = client.get(&format!("/api/v1/price-id/{offered_id}")).await;
            if seen { answer.ok(); } else { answer.problem(404, "PRICE_NOT_FOUND"); }
        }
        app.accept_terms(&customer).await;
        let listed = admin.get("/api/v1/prices").await.ok()["prices"].clone();
        let rows: Vec<_> = listed.as_array().unwrap().iter().map(|row| (row["connection"].clone(), row["inForce"].clone(), row["accepted"].clone(), row["company"].is_string())).collect();
        assert_eq!(rows, [
            (json!(7.5), json!(false), json!(0), false),
            (json!(7.5), json!(true), json!(1), true),
            (json!(6), json!(true), json!(0), false),
        ]);
        assert!(listed[0]["createdBy"].is_string() && listed[2]["createdBy"].is_null());
        for statement in ["UPDATE price SET connection = 1", "DELETE FROM price"] {
            assert!(app.db.read().execute_unprepared(statement).await.is_err(), "{statement}");
        }
        let log = admin.get("/api/v1/audit?action=PRICE_PUBLISHED").await.ok();
        assert_eq!(log["total"], 2);
    }

    // TERMS-2
    async fn every_wrong_field_of_a_table_is_told(app) {
        let admin = app.as_role(Role::Admin).await;
        let nobody = app.sources.uuid();
        let repairer = app.person(Role::Repairer).await.company;
        for (change, field, code) in [
            (json!({"connection": -1}), "connection", "NEGATIVE"),
            (json!({"guestMinute": 0.155}), "guestMinute", "AMOUNT_INVALID"),
            (json!({"discounts": [{"to": 9, "percent": 5}, {"to": 20, "percent": 1}]}), "discounts", "PERCENT_FALLING"),
            (json!({"discounts": [{"to": 9, "percent": 5}, {"to": 9, "percent": 8}]}), "discounts", "TIERS_NOT_RISING"),
            (json!({"companyId": nobody}), "companyId", "COMPANY_NOT_FOUND"),
            (json!({"companyId": repairer}), "companyId", "COMPANY_NOT_FOUND"),
            (json!({"validFrom": "2020-01-01"}), "validFrom", "DATE_PAST"),
        ] {
            let problem = admin.post("/api/v1/price", with(change)).await.problem(422, "INVALID_FIELDS");
            let errors = problem["errors"].as_array().unwrap();
            assert_eq!((errors.len(), &errors[0]["field"], &errors[0]["code"]), (1, &json!(field), &json!(code)), "{problem}");
        }
        let problem = admin.post("/api/v1/price", json!({})).await.problem(422, "INVALID_FIELDS");
        assert_eq!(problem["errors"].as_array().unwrap().len(), 5, "{problem}");
        assert_eq!(admin.get("/api/v1/prices").await.ok()["prices"].as_array().unwrap().len(), 1, "nothing was added");
    }

    // TERMS-7
    async fn the_tariff_is_tried_on_a_file(app) {
        let admin = app.as_role(Role::Admin).await;
        let vectors: Value = serde_json::from_str(VECTORS).unwrap();
        let answer = admin.post("/api/v1/price-simulate", vectors.clone()).await.ok();
        let (expected, found) = (vectors["examples"].as_array().unwrap(), answer["examples"].as_array().unwrap());
        assert_eq!(expected.len(), found.len());
        for (expected, found) in expected.iter().zip(found) {
            assert_eq!((&found["name"], &found["expected"]), (&expected["name"], &expected["expected"]));
        }
        let mut wrong = vectors["examples"][0].clone();
        wrong["prices"][0]["discounts"] = json!([{"to": 5, "percent": 9}, {"to": 9, "percent": 1}]);
        let problem = admin.post("/api/v1/price-simulate", wrong.clone()).await.problem(422, "SIMULATION_INVALID");
        assert_eq!((&problem["errors"][0]["field"], &problem["errors"][0]["code"]), (&json!("E1-minimum"), &json!("PERCENT_FALLING")));
        wrong["prices"] = json!("none");
        let problem = admin.post("/api/v1/price-simulate", wrong).await.problem(422, "SIMULATION_INVALID");
        assert_eq!(problem["errors"][0]["code"], "FORMAT_INVALID");
        let large = json!({"examples": [], "filler": "x".repeat(900_000)});
        assert_eq!(admin.post("/api/v1/price-simulate", large).await.ok()["examples"], json!([]));
        let larger = json!({"examples": [], "filler": "x".repeat(1_100_000)});
        assert_eq!(admin.post("/api/v1/price-simulate", larger).await.status, 413);
    }
}
