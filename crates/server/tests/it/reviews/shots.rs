//! Shot lists and their ticks (issue 4, Shot lists).

use crate::support::{Case, multipart, png, text};
use atalaya_kernel::Role;
use atalaya_testkit::{Client, both_engines};
use axum::http::Method;
use chrono::TimeDelta;
use serde_json::{Value, json};

fn keys(shots: &Value) -> Vec<String> {
    shots.as_array().expect("a list").iter().map(|shot| text(&shot["key"])).collect()
}

async fn put(client: &Client, path: &str, body: Value) -> atalaya_testkit::Answer {
    client.send(Method::PUT, path, Some(body)).await
}

/// State and file of a shot of the conference.
async fn tick(case: &Case<'_>, key: &str) -> (String, Value) {
    let body = case.staff.get(&format!("/api/v1/conference-shots/{}", case.id)).await.ok();
    let shot = body["shots"].as_array().expect("shots").iter().find(|shot| shot["key"] == key).expect("in the list").clone();
    (text(&shot["state"]), shot["mediaId"].clone())
}

async fn mark(case: &Case<'_>, body: Value) -> atalaya_testkit::Answer {
    put(&case.staff, &format!("/api/v1/conference-shots/{}", case.id), body).await
}

both_engines! {
    // SHOT-3
    async fn the_platform_s_lists_speak_the_request_s_language(app) {
        let worker = app.log_in(&app.person(Role::Worker).await).await;
        let body = worker.get("/api/v1/shots/0").await.ok();
        assert_eq!(keys(&body["shots"]["autos"]), [
            "frontLeft", "frontRight", "rearLeft", "rearRight", "plate", "vin", "odometer", "damageFar", "damageNear",
        ]);
        assert_eq!(keys(&body["shots"]["diversos"]), ["facade", "room", "origin", "detail", "meter"]);
        assert_eq!((&body["shots"]["autos"][4]["label"], &body["shots"]["autos"][4]["overlay"]), (&json!("Matrícula"), &json!("plate")));
        assert_eq!(body["custom"], json!({"autos": false, "diversos": false}));
        let english = worker.with("accept-language", "en").get("/api/v1/shots/0").await.ok();
        assert_eq!(english["shots"]["diversos"][0]["label"], "Façade");
    }

    // SHOT-2, SHOT-3
    async fn a_company_edits_its_lists_and_goes_back(app) {
        let principal = app.person(Role::Customer).await;
        let worker = app.person_in(principal.company, Role::Worker).await;
        let client = app.log_in(&principal).await;
        let path = format!("/api/v1/shots/{}", principal.company);
        let list = json!([
            {"key": "plate", "label": "Matrícula trasera", "overlay": "plate"},
            {"label": " Techo ", "hint": "Desde arriba"},
        ]);
        let body = put(&client, &path, json!({"type": 1, "shots": list})).await.ok();
        assert_eq!(body["custom"], json!({"autos": true, "diversos": false}));
        let read = app.log_in(&worker).await.get(&path).await.ok();
        assert_eq!(read["shots"]["autos"], body["shots"]["autos"]);
        let made = text(&read["shots"]["autos"][1]["key"]);
        assert_eq!((read["shots"]["autos"][1]["label"].as_str(), made.len()), (Some("Techo"), 8));
        assert_eq!(keys(&read["shots"]["diversos"]).len(), 5, "the other type is as it was");

        let case = Case::open_by(app, worker, json!({"type": 1, "carId": "1234 BCD"})).await;
        let shots = case.staff.get(&format!("/api/v1/conference-shots/{}", case.id)).await.ok();
        assert_eq!(keys(&shots["shots"]), ["plate".to_owned(), made]);

        let body = client.post(&format!("/api/v1/shots-reset/{}", principal.company), json!({"type": 1})).await.ok();
        assert_eq!((keys(&body["shots"]["autos"]).len(), &body["custom"]["autos"]), (9, &json!(false)));
        let log = client.get("/api/v1/audit?action=SHOTS_CHANGED").await.ok();
        assert_eq!(log["total"], 2);
    }

    // SHOT-1
    async fn a_wrong_list_is_told_field_by_field(app) {
        let principal = app.person(Role::Customer).await;
        let client = app.log_in(&principal).await;
        let path = format!("/api/v1/shots/{}", principal.company);
        for (body, fields) in [
            (json!({"type": 3, "shots": [{"label": "x"}]}), vec!["type"]),
            (json!({"type": 1, "shots": []}), vec!["shots"]),
            (json!({"type": 1, "shots": vec![json!({"label": "x"}); 31]}), vec!["shots"]),
            (json!({"type": 1, "shots": [{"label": "x".repeat(61)}, {"key": "a b", "label": ""}]}),
                vec!["shots.0.label", "shots.1.label", "shots.1.key"]),
            (json!({"type": 1, "shots": [{"label": "x", "overlay": "circle"}]}), vec!["shots[0].overlay"]),
        ] {
            let problem = put(&client, &path, body).await.problem(422, "INVALID_FIELDS");
            let wrong: Vec<&str> = problem["errors"].as_array().expect("errors").iter().filter_map(|e| e["field"].as_str()).collect();
            assert_eq!(wrong, fields);
        }
        put(&client, &path, json!({"type": 1, "shots": vec![json!({"label": "x"}); 30]})).await.ok();
    }

    // SHOT-4
    async fn pictures_tick_and_people_judge(app) {
        let case = Case::open(app).await;
        let key = case.accept().await;
        assert_eq!(tick(&case, "facade").await, ("missing".into(), Value::Null));
        case.capture(&key, &json!({"captureId": "a1", "shot": "facade"}), &png()).await.ok();
        let (state, first) = tick(&case, "facade").await;
        assert_eq!((state.as_str(), first.is_string()), ("done", true));
        app.advance(TimeDelta::seconds(1));
        mark(&case, json!({"key": "facade", "state": "poor"})).await.ok();
        assert_eq!(tick(&case, "facade").await, ("poor".into(), first.clone()));
        app.advance(TimeDelta::seconds(1));
        case.capture(&key, &json!({"captureId": "a2", "shot": "facade"}), &png()).await.ok();
        let (state, second) = tick(&case, "facade").await;
        assert_eq!(state, "done", "a better picture came");
        assert_ne!(first, second);
        mark(&case, json!({"key": "facade", "state": "missing"})).await.ok();
        assert_eq!(tick(&case, "facade").await.0, "missing", "no picture counts as it any more");

        // A picture of the adjuster, named afterwards.
        let media = case.upload("contador.png", "image/png", &png()).await.ok()["media"]["_id"].clone();
        let body = mark(&case, json!({"key": "meter", "state": "done", "mediaId": media})).await.ok();
        assert_eq!(body["shots"][4]["mediaId"], media);
        mark(&case, json!({"key": "room", "state": "done"})).await.ok();
        assert_eq!(tick(&case, "room").await, ("done".into(), Value::Null), "seen, without a picture");
    }

    // SHOT-5
    async fn marks_name_what_there_is(app) {
        let case = Case::open(app).await;
        let other = Case::open(app).await;
        let foreign = other.upload("otra.png", "image/png", &png()).await.ok()["media"]["_id"].clone();
        for (body, field) in [
            (json!({"key": "vin", "state": "done"}), "key"),
            (json!({"key": "room", "state": "good"}), "state"),
            (json!({"key": "room", "state": "done", "mediaId": foreign}), "mediaId"),
        ] {
            let problem = mark(&case, body).await.problem(422, "INVALID_FIELDS");
            assert_eq!(problem["errors"][0]["field"], field);
        }
        assert_eq!(tick(&case, "room").await.0, "missing");
        let path = format!("/api/v1/conference-shots/{}", other.id);
        put(&case.staff, &path, json!({"key": "room", "state": "done"})).await.problem(404, "CONFERENCE_NOT_FOUND");
    }

    // SHOT-6
    async fn an_upload_carries_its_shot_and_nonsense_is_left_out(app) {
        let case = Case::open(app).await;
        for (shot, state) in [("../../x", "missing"), ("detail", "done")] {
            let (kind, body) = multipart(Some(&json!({"shot": shot})), "foto.png", "image/png", &png());
            case.staff.send_body(Method::POST, &format!("/api/v1/conference-media/{}", case.id), Some(&kind), body).await.ok();
            assert_eq!(tick(&case, "detail").await.0, state, "{shot}");
        }
    }
}
