//! Edges of a month: when it is run, calls over its end, payment that starts within it.

use super::*;
use crate::support::{Case, opening};
use atalaya_testkit::both_engines;

both_engines! {
    // RUN-3
    async fn a_month_that_was_never_calculated_is_late(app) {
        app.clock.set(at("2026-10-05T09:00:00Z"));
        issuer(app).await;
        let (_, owner) = customer(app, "Peritaciones Levante, S.L.", "46001").await;
        call(app, &owner, "EXP 1", 300).await;
        app.clock.set(at("2026-11-15T22:59:00Z"));
        let admin = app.as_role(Role::Admin).await;
        assert_eq!(process(&admin).await["late"], false, "the fifteenth is in time");
        app.clock.set(at("2026-11-15T23:00:00Z"));
        let seen = process(&admin).await;
        assert_eq!((text(&seen["state"]), &seen["late"]), ("pending".into(), &json!(true)), "{seen}");
    }

    // TARIFF-15, TARIFF-1, RUN-4
    async fn a_call_over_the_end_of_a_month_is_billed_whole(app) {
        app.clock.set(at("2026-10-05T09:00:00Z"));
        issuer(app).await;
        let (_, owner) = customer(app, "Peritaciones Levante, S.L.", "46001").await;
        // It begins at 23:50 in Madrid and goes on
        app.clock.set(at("2026-10-31T22:50:00Z"));
        let case = Case::open_by(app, owner.clone(), json!({"expedientNumber": "EXP 1"})).await;
        case.room_starts("RM_1").await;
        case.joins(&case.staff_identity(), "PA_1").await;
        case.joins("client:00000001", "PA_2").await;
        app.clock.set(at("2026-10-31T23:05:00Z"));
        let admin = app.as_role(Role::Admin).await;
        let early = generate(app, &admin).await;
        assert_eq!((early["issued"].as_i64(), text(&early["errors"][0]["code"])), (Some(0), "CALL_RUNNING".into()), "{early}");
        app.advance(TimeDelta::minutes(15));
        case.leaves("client:00000001", "PA_2").await;
        case.leaves(&case.staff_identity(), "PA_1").await;
        let soon = generate(app, &admin).await;
        assert_eq!(soon["issued"].as_i64(), Some(0), "whoever was cut off may still come back");
        app.advance(TimeDelta::seconds(601));
        let admin = app.as_role(Role::Admin).await;
        assert_eq!(generate(app, &admin).await["issued"].as_i64(), Some(1));
        let invoice = invoices(&admin, None).await.remove(0);
        let details = admin.get(&format!("/api/v1/get-details/{}", id(&invoice))).await.ok();
        assert_eq!((details["connections"][0]["seconds"].as_i64(), &details["connectionsTotal"]), (Some(30 * 60), &json!(1)), "{details}");
    }

    // TARIFF-9, TARIFF-10
    async fn the_minimum_is_that_of_the_month_whenever_it_is_run(app) {
        app.clock.set(at("2026-10-05T09:00:00Z"));
        issuer(app).await;
        let (principal, _) = customer(app, "Peritaciones Levante, S.L.", "46001").await;
        let admin = app.as_role(Role::Admin).await;
        let start = json!({"customer": {"_id": principal.company, "pay_startAt": "2026-10-16"}});
        admin.put("/api/v1/customer", start).await.ok();
        let update = async |at_time: &str| {
            app.clock.set(at(at_time));
            let admin = app.as_role(Role::Admin).await;
            admin.get("/api/v1/update-invoice-processes").await.expect(202);
            work(app).await;
            let all = admin.get("/api/v1/invoice-processes").await.ok()["processes"].clone();
            let october = all.as_array().expect("months").iter().find(|one| one["period"] == "2026-10").expect("October").clone();
            october["base"].as_f64().expect("euros")
        };
        for day in ["2026-11-01T09:00:00Z", "2026-11-16T09:00:00Z", "2027-02-28T09:00:00Z"] {
            assert_eq!(update(day).await, 15.48, "16 of 31 days of 30 €, run on {day}");
        }
    }

    // TARIFF-10, CASE-25, COMPANY-8, USAGE-2
    async fn banner_guard_and_invoice_know_one_payment_start(app) {
        app.clock.set(at("2026-10-05T09:00:00Z"));
        issuer(app).await;
        let (principal, owner) = customer(app, "Peritaciones Levante, S.L.", "46001").await;
        let admin = app.as_role(Role::Admin).await;
        let change = json!({"customer": {"_id": principal.company, "pay_startAt": "2026-10-16", "status": 0}});
        admin.put("/api/v1/customer", change).await.ok();
        let banner = async || {
            let client = app.log_in(&principal).await;
            client.get(&format!("/api/v1/user/{}", principal.id)).await.ok()["user"]["company"]["banner"]["kind"].clone()
        };
        // A second before midnight in Madrid: a trial, in which also a company that is not active calls.
        app.clock.set(at("2026-10-15T21:59:59Z"));
        assert_eq!(banner().await, json!("TRIAL"));
        call(app, &owner, "EXP 1", 300).await;
        assert_eq!(banner().await, json!("BILLING"));
        app.log_in(&owner).await.post("/api/v1/getToken", opening()).await.problem(403, "VIDEO_CALL_NOT_ALLOWED_INACTIVE");
        let admin = app.as_role(Role::Admin).await;
        admin.put("/api/v1/customer", json!({"customer": {"_id": principal.company, "status": 2}})).await.ok();
        call(app, &owner, "EXP 2", 300).await;
        app.clock.set(at("2026-11-02T09:00:00Z"));
        let admin = app.as_role(Role::Admin).await;
        generate(app, &admin).await;
        let invoice = invoices(&admin, None).await.remove(0);
        let details = admin.get(&format!("/api/v1/get-details/{}", id(&invoice))).await.ok();
        assert_eq!((&details["connectionsTotal"], text(&details["connections"][0]["expedientNumber"])), (&json!(1), "EXP 2".into()), "{details}");
        // From the same day on the minimum counts.
        assert_eq!(invoice["base"].as_f64(), Some(15.48));
    }
}
