//! The administrator's ranges and the funnel (issue 4, Administrator's ranges).

use crate::support::{Case, png, text};
use atalaya_kernel::Role;
use atalaya_testkit::{Client, TestApp, both_engines};
use chrono::TimeDelta;
use serde_json::{Value, json};

async fn admin(app: &TestApp) -> Client {
    app.log_in(&app.person(Role::Admin).await).await
}

/// Today, in Madrid: the test's clock begins on 20 November 2026 at nine o'clock UTC.
fn today() -> Value {
    json!({"begin": "2026-11-20", "end": "2026-11-20"})
}

/// The client opens the link and accepts; answers the device's key.
async fn accept(case: &Case<'_>) -> String {
    case.client("track", json!({"type": "LINK_OPENED"})).await.expect(204);
    case.accept().await
}

async fn connect(case: &Case<'_>, key: &str) {
    let joined = case.client_with(key, "join", json!({"camera": true, "microphone": true})).await.ok();
    case.room_starts("RM_1").await;
    case.joins(&text(&joined["identity"]), "PA_1").await;
}

both_engines! {
    // REPORT-2, REPORT-3
    async fn messages_of_a_day_with_masked_recipients(app) {
        let case = Case::open_with(app, json!({"expedientNumber": "L-1"})).await;
        app.advance(TimeDelta::minutes(1));
        case.post("conference-resend", json!({"channel": "email", "to": "luis@ejemplo.es"})).await.ok();
        let admin = admin(app).await;
        let body = admin.post("/api/v1/getLogsByDateRange", today()).await.ok();
        assert_eq!((&body["total"], &body["nextCursor"]), (&json!(2), &json!(null)));
        let (mail, sms) = (&body["logs"][0], &body["logs"][1]);
        assert_eq!((&mail["channel"], &sms["channel"]), (&json!("email"), &json!("sms")), "newest first");
        assert_eq!((&sms["expedientNumber"], &sms["conferenceId"]), (&json!("L-1"), &json!(case.id)));
        assert_eq!((&sms["purpose"], &sms["state"], &sms["error"]), (&json!("session"), &json!("captured"), &json!(null)));
        assert!(!body.to_string().contains("luis@ejemplo.es") && !body.to_string().contains("600123456"));
        assert!(!text(&sms["company"]).is_empty() && !text(&sms["user"]).is_empty());
        let page = admin.post("/api/v1/getLogsByDateRange?limit=1&cursor=1", today()).await.ok();
        assert_eq!((&page["logs"][0]["_id"], &page["nextCursor"]), (&sms["_id"], &json!(null)));
        let yesterday = json!({"begin": "2026-11-19", "end": "2026-11-19"});
        assert_eq!(admin.post("/api/v1/getLogsByDateRange", yesterday).await.ok()["logs"], json!([]));
    }

    // REPORT-4
    async fn tracks_come_without_personal_values(app) {
        let case = Case::open(app).await;
        let key = accept(&case).await;
        let fix = json!({"type": "GEO_FIX", "data": {"latitude": 40.4168, "longitude": -3.7038, "accuracy": 11.2}});
        case.client_with(&key, "track", fix).await.expect(204);
        case.client_with(&key, "chat", json!({"text": "Soy Luis Pérez"})).await.ok();
        case.upload("DNI de Luis.png", "image/png", &png()).await.ok();
        let body = admin(app).await.post("/api/v1/getTracksByDateRange", today()).await.ok();
        let types: Vec<String> = body["tracks"].as_array().expect("tracks").iter().map(|t| text(&t["type"])).collect();
        for name in ["CONFERENCE_CREATED", "LINK_OPENED", "LEGAL_ACCEPTED", "GEO_FIX", "CHAT", "FILE_UPLOADED"] {
            assert!(types.iter().any(|t| t == name), "{name} in {types:?}");
        }
        assert_eq!(types.last().map(String::as_str), Some("CONFERENCE_CREATED"), "newest first");
        let whole = body.to_string();
        for personal in ["Luis", "40.41", "600123456", "127.0.0.1", "positionC", "ipC", "textC"] {
            assert!(!whole.contains(personal), "{personal}");
        }
        let file = body["tracks"].as_array().expect("tracks").iter().find(|t| t["type"] == "FILE_UPLOADED").expect("the file");
        assert_eq!((&file["data"]["type"], &file["expedientNumber"]), (&json!("PICTURE"), &json!("EXP-1")));
    }

    async fn files_of_a_day_with_whose_they_are(app) {
        let case = Case::open(app).await;
        let media = case.upload("daños.png", "image/png", &png()).await.ok()["media"].clone();
        let body = admin(app).await.post("/api/v1/getMediasByDateRange", today()).await.ok();
        assert_eq!(body["total"], 1);
        let told = &body["medias"][0];
        assert_eq!((&told["_id"], &told["hash"], &told["conferenceId"]), (&media["_id"], &media["hash"], &json!(case.id)));
        assert_eq!(told["expedientNumber"], "EXP-1");
        assert!(told["company"].is_string() && told["userName"].is_string());
    }

    // REPORT-1
    async fn ranges_have_their_limits(app) {
        let admin = admin(app).await;
        for call in ["getLogsByDateRange", "getTracksByDateRange", "getMediasByDateRange"] {
            let path = format!("/api/v1/{call}");
            admin.post(&path, json!({"begin": "2025-11-20", "end": "2026-11-20"})).await.ok();
            let problem = admin.post(&path, json!({"begin": "2025-11-19", "end": "2026-11-20"})).await.problem(422, "INVALID_FIELDS");
            assert_eq!((&problem["errors"][0]["field"], &problem["errors"][0]["code"]), (&json!("end"), &json!("RANGE_TOO_LONG")));
            let message = text(&problem["errors"][0]["message"]);
            assert!(message.contains("366"), "{message}");
            admin.post(&path, json!({"begin": "mañana"})).await.problem(422, "INVALID_FIELDS");
            admin.post(&format!("{path}?format=pdf"), today()).await.problem(422, "INVALID_FIELDS");
        }
    }

    // REPORT-2
    async fn every_report_is_a_workbook_too(app) {
        let case = Case::open(app).await;
        case.upload("daños.png", "image/png", &png()).await.ok();
        let admin = admin(app).await;
        for (call, name) in [("getLogsByDateRange", "mensajes"), ("getTracksByDateRange", "sucesos"), ("getMediasByDateRange", "archivos")] {
            let answer = admin.post(&format!("/api/v1/{call}?format=xlsx"), today()).await;
            assert_eq!(answer.status, 200);
            let wanted = format!("{name}-2026-11-20.xlsx");
            assert!(answer.header("content-disposition").is_some_and(|header| header.contains(&wanted)));
        }
        let answer = admin.get("/api/v1/customersWithConferences?format=xlsx").await;
        assert!(answer.header("content-disposition").is_some_and(|header| header.contains("clientes-2026-11-20.xlsx")));
        let answer = case.app.log_in(&app.person_in(case.owner.company, Role::Customer).await).await;
        let answer = answer.get(&format!("/api/v1/customer-conferences/{}?format=xlsx", case.owner.company)).await;
        assert!(answer.header("content-disposition").is_some_and(|header| header.contains("conferencias-2026-11-20.xlsx")));
    }

    // REPORT-5, REPORT-6
    async fn companies_with_conferences_are_counted(app) {
        let case = Case::open(app).await;
        app.person(Role::Customer).await;
        app.advance(TimeDelta::minutes(5));
        Case::open_by(app, case.owner.clone(), json!({"type": 1, "carId": "1234 BCD"})).await;
        let admin = admin(app).await;
        let customers = admin.get("/api/v1/customersWithConferences").await.ok()["customers"].clone();
        assert_eq!(customers.as_array().map(Vec::len), Some(1), "companies without conferences are not there");
        let one = &customers[0];
        assert_eq!((&one["conferences"], &one["autos"], &one["diversos"]), (&json!(2), &json!(1), &json!(1)));
        assert_eq!(one["lastAt"], "2026-11-20T09:05:00Z");
        assert!(!text(&one["company"]).is_empty());

        let principal = app.log_in(&app.person_in(case.owner.company, Role::Customer).await).await;
        let path = format!("/api/v1/customer-conferences/{}", case.owner.company);
        let body = principal.get(&format!("{path}?limit=1")).await.ok();
        assert_eq!((&body["total"], &body["conferences"][0]["type"]), (&json!(2), &json!(1)));
        assert!(text(&body["nextCursor"]).starts_with("1."), "the second page");
        assert_eq!(principal.get(&format!("{path}?search=bcd")).await.ok()["total"], 1);
        principal.get("/api/v1/customer-conferences/0").await.problem(403, "ROLE_NOT_ALLOWED");
        assert_eq!(admin.get("/api/v1/customer-conferences/0").await.ok()["total"], 2);
    }

    // REPORT-6, REPORT-7, REPORT-8
    async fn the_funnel_counts_how_far_clients_came(app) {
        let owner = app.person(Role::Worker).await;
        let case = async || Case::open_by(app, owner.clone(), json!({})).await;
        case().await;
        case().await.client("track", json!({"type": "LINK_OPENED"})).await.expect(204);
        accept(&case().await).await;
        let connected = case().await;
        let key = accept(&connected).await;
        connect(&connected, &key).await;
        let usable = case().await;
        let key = accept(&usable).await;
        connect(&usable, &key).await;
        usable.capture(&key, &json!({"captureId": "a1"}), &png()).await.ok();
        Case::open(app).await;

        let principal = app.log_in(&app.person_in(owner.company, Role::Customer).await).await;
        let body = principal.get(&format!("/api/v1/funnel/{}", owner.company)).await.ok();
        let counts = json!({"invited": 5, "opened": 4, "accepted": 3, "connected": 2, "usable": 1});
        assert_eq!(body["totals"], counts);
        let weeks = body["weeks"].as_array().expect("weeks");
        assert_eq!((weeks.len(), &weeks[0]["week"], &weeks[11]["week"]), (12, &json!("2026-08-31"), &json!("2026-11-16")));
        assert_eq!((&weeks[11]["usable"], &weeks[10]["invited"]), (&json!(1), &json!(0)));
        let all = admin(app).await.get("/api/v1/funnel/0?weeks=1").await.ok();
        assert_eq!((all["weeks"].as_array().map(Vec::len), &all["totals"]["invited"]), (Some(1), &json!(6)));
        principal.get("/api/v1/funnel/0").await.problem(403, "ROLE_NOT_ALLOWED");

        // Sunday, a minute before midnight in Madrid; then Monday.
        app.advance(TimeDelta::hours(2 * 24 + 13) + TimeDelta::minutes(59));
        let before = case().await;
        app.advance(TimeDelta::minutes(1));
        case().await;
        let principal = app.log_in(&app.person_in(owner.company, Role::Customer).await).await;
        let body = principal.get(&format!("/api/v1/funnel/{}?weeks=2", owner.company)).await.ok();
        let told: Vec<_> = body["weeks"].as_array().expect("weeks").iter().map(|w| (w["week"].clone(), w["invited"].clone())).collect();
        assert_eq!(told, [(json!("2026-11-16"), json!(6)), (json!("2026-11-23"), json!(1))], "{}", before.id);
    }
}
