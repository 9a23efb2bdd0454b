//! What is accepted, what is refused, and the diagnostics an incidence carries.

use super::{bell, general, id, log, mails, picture, read, send, sent};
use crate::support::{Case, pdf, png, text};
use atalaya_kernel::{CompanyKind, Role, limits};
use atalaya_testkit::{TestApp, both_engines};
use axum::http::Method;
use chrono::TimeDelta;
use futures::TryStreamExt;
use futures::future::join_all;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const PHOTO: &[u8] = include_bytes!("../../../../assistance/src/demo/media/frontal.jpg");

/// How many images the storage holds.
async fn stored(app: &TestApp) -> usize {
    let all: Vec<_> = app.assistance.blobs.list(None).try_collect().await.expect("the storage can be listed");
    all.iter().filter(|info| info.name.as_str().starts_with("incidences/")).count()
}

both_engines! {
    // INCID-1, INCID-7, INCID-15
    async fn an_incidence_is_registered_and_told(app) {
        let admin = app.person(Role::Admin).await;
        let company = app.company(CompanyKind::Customer, "Peritos").await;
        let worker = app.person_in(company, Role::Worker).await;
        let client = app.log_in(&worker).await;
        let made = sent(&client).await;
        assert_eq!((&made["number"], &made["status"], &made["type"], &made["reason"]), (&json!("INC-000001"), &json!(1), &json!(2), &json!(5)));
        assert_eq!((&made["author"]["_id"], &made["company"]["company"]), (&json!(worker.id), &json!("Peritos")));
        assert_eq!((&made["imageCount"], &made["answerCount"], &made["moves"], &made["unread"]), (&json!(1), &json!(0), &json!([]), &json!(false)));
        assert_eq!(made["images"][0]["name"], "pantalla.png");
        let actions: Vec<String> = log(&client, &id(&made)).await.into_iter().map(|(action, ..)| action).collect();
        assert_eq!(actions, ["created", "image"]);
        let mut told = mails(app).await;
        told.sort();
        let expected = [("incidence-new", "admin@localhost"), ("incidence-registered", worker.user_name.as_str())];
        assert_eq!(told.iter().map(|(purpose, to, _)| (purpose.as_str(), to.as_str())).collect::<Vec<_>>(), expected);
        assert!(told.iter().all(|(.., subject)| subject.contains("INC-000001")));
        let admin_client = app.log_in(&admin).await;
        let url = format!("/incidences/{}?incidence={}", admin.id, id(&made));
        assert_eq!(bell(&admin_client).await, [("incidence-new".to_owned(), "INC-000001".to_owned(), url)]);
        assert!(bell(&client).await.is_empty(), "nobody is told of what he did himself");
        let seen = read(&admin_client, &id(&made)).await;
        assert_eq!(seen["moves"], json!([2]));
        assert_eq!(seen["diagnostics"]["sender"]["network"], json!({}));
    }

    // INCID-9
    async fn one_about_a_conference_carries_its_diagnostics(app) {
        let case = Case::open(app).await;
        case.enters([json!({"type": "PERMISSION_DENIED", "data": {"permission": "camera", "reason": "NotReadableError"}})]).await;
        app.advance(TimeDelta::seconds(42));
        let incidence = json!({"type": 1, "reason": 2, "comments": "Vídeo congelado", "conferenceId": case.id,
            "expedientId": "of no account", "browser": {"language": "es-ES"}, "network": {"type": "4g", "rtt": 180}});
        let staff = case.staff.clone().with("user-agent", "Mozilla/5.0 (Windows NT 10.0) Chrome/142.0.0.0");
        let made = send(&staff, incidence, json!([])).await.expect(201)["incidence"].clone();
        assert_eq!((&made["expedientNumber"], &made["phoneNumber"]), (&json!("EXP-1"), &json!("+34600123456")));
        let summary = &made["diagnostics"];
        assert_eq!((&summary["full"], &summary["sender"], &summary["tracks"]), (&json!(false), &Value::Null, &json!([])));
        assert_eq!(summary["network"]["client"]["connections"], 1);
        assert_eq!(summary["network"]["staff"]["connectedS"], 42);
        let full = read(&app.as_role(Role::Admin).await, &id(&made)).await["diagnostics"].clone();
        assert_eq!(full["sender"]["network"], json!({"type": "4g", "rtt": 180}));
        assert_eq!((&full["sender"]["browser"]["browser"], &full["adjuster"]["os"]), (&json!("Chrome"), &json!("Windows")));
        let tracks: Vec<String> = full["tracks"].as_array().unwrap().iter().map(|t| text(&t["type"])).collect();
        assert_eq!(tracks, case.tracks().await);
        assert!(full["tracks"].as_array().unwrap().iter().any(|t| t["detail"] == "camera · NotReadableError"), "{full}");
        assert_eq!(full["steps"].as_array().map(Vec::len), Some(6));
        assert_eq!(full["presence"].as_array().map(Vec::len), Some(2));
        assert!(!full.to_string().contains("Luis"), "the client's name stays with the conference: {full}");
        let case_page = case.staff.get("/api/v1/expedient/EXP-1").await.ok();
        assert_eq!(case_page["incidences"][0]["_id"], made["_id"]);
    }

    // INCID-4
    async fn only_conferences_of_the_last_seven_days(app) {
        let mut case = Case::open(app).await;
        let about = |id: &str| json!({"type": 1, "reason": 1, "comments": "No se oye", "conferenceId": id});
        let stranger = app.as_role(Role::Worker).await;
        send(&stranger, about(&case.id), json!([])).await.problem(404, "CONFERENCE_NOT_FOUND");
        send(&case.staff, about("no-id"), json!([])).await.problem(404, "CONFERENCE_NOT_FOUND");
        // Opened at ten in the morning; the seventh day ends at Madrid's midnight, for the list and for the incidence.
        let midnight = "2026-11-27T23:00:00Z".parse::<chrono::DateTime<chrono::Utc>>().unwrap();
        app.clock.set(midnight - TimeDelta::seconds(1));
        case.log_in_again().await;
        let list = format!("/api/v1/conferences-div-details/{}", case.owner.company);
        assert_eq!(case.staff.post(&list, json!({})).await.ok()["total"], 1);
        let sent = send(&case.staff, about(&case.id), json!([])).await.expect(201)["incidence"].clone();
        assert_eq!((&sent["parent"], &sent["jwt"]), (&json!(case.owner.company), &Value::Null));
        assert_eq!((&sent["expedientId"], sent["expedientId"].is_string()), (&sent["expedientNumber"], true));
        app.clock.set(midnight);
        case.log_in_again().await;
        assert_eq!(case.staff.post(&list, json!({})).await.ok()["total"], 0);
        let old = send(&case.staff, about(&case.id), json!([])).await.problem(422, "INCIDENCE_CONFERENCE_OLD");
        assert_eq!(old["errors"][0]["field"], "conferenceId");
        let principal = app.log_in(&app.person_in(case.owner.company, Role::Customer).await).await;
        assert_eq!(principal.get(&format!("/api/v1/incidences/{}", case.owner.id)).await.ok()["total"], 1);
    }

    // INCID-2, INCID-3, INCID-5
    async fn what_is_missing_or_wrong_is_named_and_leaves_nothing(app) {
        let client = app.as_role(Role::CarRepairShop).await;
        let missing = send(&client, json!({}), json!([])).await.problem(422, "INCIDENCE_FIELDS_MISSING");
        let fields: Vec<String> = missing["errors"].as_array().unwrap().iter().map(|e| text(&e["field"])).collect();
        assert_eq!(fields, ["type", "reason", "comments"]);
        let long = json!({"type": 2, "reason": 5, "comments": "x".repeat(limits::INCIDENCE_TEXT_MAX + 1)});
        send(&client, long, json!([])).await.problem(422, "INVALID_FIELDS");
        let good = picture("a.png", "image/png", &png());
        send(&client, general(), json!(vec![good.clone(); 6])).await.problem(422, "INCIDENCE_FILES_TOO_MANY");
        let over = vec![0; limits::INCIDENCE_FILE_MAX_BYTES + 1];
        for (file, code) in [
            (picture("a.png", "image/png", &over), "INCIDENCE_FILE_TOO_LARGE"),
            (picture("a.png", "image/png", &pdf()), "INCIDENCE_FILE_NOT_IMAGE"),
            (picture("a.svg", "image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"), "INCIDENCE_FILE_NOT_IMAGE"),
            (picture("a.gif", "image/gif", b"GIF89a\x01\x00\x01\x00"), "INCIDENCE_FILE_NOT_IMAGE"),
            (picture("a.png", "image/png", &png()[..40]), "INCIDENCE_FILE_NOT_IMAGE"),
            (json!({"src": "https://evil.example/a.png", "name": "a"}), "INCIDENCE_FILE_NOT_IMAGE"),
        ] {
            let refused = send(&client, general(), json!([good, file])).await.problem(422, code);
            assert_eq!(refused["errors"][0]["field"], "files.1", "{code}");
        }
        assert_eq!(stored(app).await, 0);
        assert!(mails(app).await.is_empty());
    }

    // INCID-6, INCID-12
    async fn images_are_made_anew_and_shown_to_who_may_see_them(app) {
        let worker = app.person(Role::Worker).await;
        let client = app.log_in(&worker).await;
        let hidden = [&PHOTO[..2], b"\xff\xfe\x00\x17<script>alert(1)</scr", &PHOTO[2..], b"trailer"].concat();
        let files = json!([picture("../../mi foto.jpg", "image/png", &hidden), picture("b", "image/jpeg", &png())]);
        let made = send(&client, general(), files).await.expect(201)["incidence"].clone();
        assert_eq!(made["images"].as_array().unwrap().iter().map(|i| text(&i["name"])).collect::<Vec<_>>(), ["mi foto.jpg", "b.png"]);
        assert_eq!((&made["images"][0]["width"], &made["images"][0]["height"]), (&json!(1600), &json!(1200)));
        let src = text(&made["images"][0]["src"]);
        let shown = client.get(&src).await;
        shown.ok();
        assert_eq!((shown.header("content-type"), shown.header("cache-control")), (Some("image/jpeg"), Some("private, no-store")));
        for word in [&b"script"[..], b"trailer"] {
            assert!(!shown.body.windows(word.len()).any(|w| w == word));
        }
        app.log_in(&app.person_in(worker.company, Role::Customer).await).await.get(&src).await.ok();
        app.as_role(Role::Admin).await.get(&src).await.ok();
        let colleague = app.log_in(&app.person_in(worker.company, Role::Worker).await).await;
        colleague.get(&src).await.problem(404, "INCIDENCE_IMAGE_NOT_FOUND");
        app.as_role(Role::Customer).await.get(&src).await.problem(404, "INCIDENCE_IMAGE_NOT_FOUND");
        app.anonymous().get(&src).await.problem(401, "SESSION_REQUIRED");
    }

    // INCID-22
    async fn the_media_cookie_shows_images_and_nothing_else_of_it(app) {
        let worker = app.person(Role::Worker).await;
        let body = json!({"userName": worker.user_name, "password": atalaya_testkit::PASSWORD, "login": true});
        let answer = app.anonymous().post("/api/v1/login", body).await;
        let made = sent(&app.anonymous().with_token(text(&answer.ok()["token"]))).await;
        let cookie = answer.cookies("atalaya_media")[2].split(';').next().unwrap().to_owned();
        let browser = app.anonymous().with("cookie", &cookie);
        browser.get(&text(&made["images"][0]["src"])).await.ok();
        browser.get(&format!("/api/v1/incidence/{}", id(&made))).await.problem(401, "SESSION_REQUIRED");
    }

    // INCID-7
    async fn many_at_once_get_a_number_each(app) {
        let mut clients = Vec::new();
        for _ in 0..4 {
            clients.push(app.as_role(Role::Repairer).await);
        }
        let all = join_all((0..20).map(|nth| send(&clients[nth % 4], general(), json!([])))).await;
        let numbers: BTreeSet<String> = all.iter().map(|answer| text(&answer.expect(201)["incidence"]["number"])).collect();
        let expected: BTreeSet<String> = (1..=20).map(|n| format!("INC-{n:06}")).collect();
        assert_eq!(numbers, expected);
    }

    // INCID-8
    async fn somebody_who_sends_without_end_is_stopped(app) {
        let client = app.as_role(Role::WorkshopOperator).await;
        for _ in 0..limits::INCIDENCES_AN_HOUR {
            send(&client, general(), json!([])).await.expect(201);
        }
        send(&client, general(), json!([])).await.problem(429, "TOO_MANY_REQUESTS");
    }

    // INCID-12
    async fn password_operators_and_strange_bodies_are_refused(app) {
        let operator = app.as_role(Role::PasswordOperator).await;
        send(&operator, general(), json!([])).await.problem(403, "ROLE_NOT_ALLOWED");
        let client = app.as_role(Role::Worker).await;
        for body in [json!({"incidence": 7}), json!({"incidence": {"comments": {}}}), json!({"files": [{"src": 1}]})] {
            let answer = client.post("/api/v1/send-incidence", body).await;
            assert_eq!(answer.status, 422, "{}", String::from_utf8_lossy(&answer.body));
        }
        let long = "x".repeat((40 << 20) + 1);
        let kind = Some("application/json");
        client.send_body(Method::POST, "/api/v1/send-incidence", kind, long).await.problem(413, "BODY_TOO_LARGE");
    }
}
