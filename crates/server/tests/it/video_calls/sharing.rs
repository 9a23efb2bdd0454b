//! What the repair side reads of the conferences that its requests became (DESIGN §5 "both companies' lists").

use super::{Desk, respond};
use crate::support::{multipart, png, text};
use atalaya_kernel::Role;
use atalaya_testkit::both_engines;
use axum::http::Method;
use serde_json::{Value, json};

both_engines! {
    async fn a_conference_is_in_both_lists_and_only_its_starter_s_side_reads_it(app) {
        let desk = Desk::new(app).await;
        let request = desk.ask().await;
        let worker = desk.of(&desk.worker).await;
        let opened = worker.post("/api/v1/video-call-respond", respond(&request)).await.ok()["conference"].clone();
        let id = text(&opened["_id"]);
        let (kind, body) = multipart(None, "golpe.png", "image/png", &png());
        let media = format!("/api/v1/conference-media/{id}");
        let picture = text(&worker.send_body(Method::POST, &media, Some(&kind), body).await.ok()["media"]["url"]);

        let boss = app.person_in(desk.operator.company, Role::CarRepairShop).await;
        let colleague = app.person_in(desk.operator.company, Role::WorkshopOperator).await;
        let stranger = app.person(Role::CarRepairShop).await;
        let admin = app.person(Role::Admin).await;
        let path = |company| format!("/api/v1/conferences-autos-details/{company}");
        let listed = async |person, company| {
            let found = desk.of(person).await.post(&path(company), json!({})).await.ok();
            found["conferences"].as_array().unwrap().clone()
        };
        let shops = desk.operator.company;
        for (person, company, rows) in [
            (&desk.worker, desk.worker.company, 1), (&desk.operator, shops, 1), (&boss, shops, 1), (&colleague, shops, 0),
            (&stranger, stranger.company, 0), (&admin, shops, 1), (&admin, desk.worker.company, 1),
        ] {
            assert_eq!(listed(person, company).await.len(), rows, "{:?} of {company}", person.role);
        }
        desk.of(&stranger).await.post(&path(shops), json!({})).await.problem(404, "COMPANY_NOT_FOUND");
        desk.of(&boss).await.post(&path(desk.worker.company), json!({})).await.problem(404, "COMPANY_NOT_FOUND");

        let details = format!("/api/v1/conferences-details/{id}");
        for person in [&desk.operator, &boss] {
            let browser = desk.of(person).await;
            let seen = browser.get(&details).await.ok();
            assert_eq!(seen["conference"]["expedientNumber"], "EXP-7");
            for hidden in [&seen["conference"]["hash"], &seen["link"]] {
                assert_eq!(hidden, "", "the client's secret is not handed on");
            }
            assert_eq!((&seen["conference"]["jwt"], &seen["conference"]["mayRequestFiles"]), (&Value::Null, &json!(false)));
            assert_eq!(listed(person, shops).await[0]["hash"], "");
            let files = browser.get(&media).await.ok();
            assert_eq!((files["media"].as_array().map(Vec::len), &files["conference"]["hash"]), (Some(1), &json!("")));
            assert_eq!(browser.get(&picture).await.status, 200);
            assert_eq!(browser.get(&format!("/uploads/{id}.zip")).await.status, 200);
            for call in ["conference-close", "conference-resend", "conference-code", "conference-chat"] {
                browser.post(&format!("/api/v1/{call}/{id}"), json!({"channel": "sms", "text": "x"})).await.problem(403, "ROLE_NOT_ALLOWED");
            }
            for call in ["conference-events", "print-cert", "client-files"] {
                browser.get(&format!("/api/v1/{call}/{id}")).await.problem(403, "ROLE_NOT_ALLOWED");
            }
        }
        assert_eq!(listed(&desk.worker, desk.worker.company).await[0]["newFiles"], 1, "their looking makes nothing seen");
        for person in [&colleague, &stranger] {
            let browser = desk.of(person).await;
            browser.get(&details).await.problem(404, "CONFERENCE_NOT_FOUND");
            browser.get(&media).await.problem(404, "CONFERENCE_NOT_FOUND");
            browser.get(&picture).await.problem(404, "MEDIA_NOT_FOUND");
            browser.get(&format!("/uploads/{id}.zip")).await.problem(404, "CONFERENCE_NOT_FOUND");
        }
        // A conference that nobody asked for is the customer's alone.
        let other = crate::support::Case::open_by(app, desk.worker.clone(), json!({})).await;
        desk.of(&boss).await.get(&format!("/api/v1/conferences-details/{}", other.id)).await.problem(404, "CONFERENCE_NOT_FOUND");
    }

    async fn an_erasure_takes_the_case_out_of_its_request(app) {
        let desk = Desk::new(app).await;
        let request = desk.ask().await;
        let opened = desk.of(&desk.worker).await.post("/api/v1/video-call-respond", respond(&request)).await.ok();
        let boss = desk.of(&app.person_in(desk.worker.company, Role::Customer).await).await;
        let id = text(&opened["conference"]["_id"]);
        boss.post(&format!("/api/v1/conference-close/{id}"), json!({})).await.ok();
        let path = format!("/api/v1/conference-erase/{id}");
        boss.post(&path, json!({"reason": "Lo pide la clienta"})).await.ok();
        let seen = desk.seen_by(&desk.operator).await[0].clone();
        assert_eq!((&seen["expedient"], &seen["plate"], &seen["starterPhone"]), (&json!(""), &Value::Null, &Value::Null));
        assert_eq!(seen["url"], Value::Null);
        assert!(desk.told(&desk.operator).await.is_empty(), "the notice named the case");
    }
}
