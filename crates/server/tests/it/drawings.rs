//! Freezing a call and drawing on its pictures (issue 20, Pointing and drawing).

use crate::support::{Case, png, sha256, text};
use atalaya_kernel::Role;
use atalaya_testkit::{Answer, both_engines};
use axum::http::Method;
use chrono::TimeDelta;
use serde_json::{Value, json};

async fn picture(case: &Case<'_>) -> String {
    text(&case.upload("golpe.png", "image/png", &png()).await.ok()["media"]["_id"])
}

async fn freeze(case: &Case<'_>, media: Value) -> Answer {
    let path = format!("/api/v1/conference-frozen/{}", case.id);
    case.staff.send(Method::PUT, &path, Some(json!({"mediaId": media}))).await
}

async fn draw(case: &Case<'_>, media: &str, add: Value, remove: Value) -> Answer {
    let path = format!("/api/v1/media-drawing/{media}");
    case.staff.send(Method::PUT, &path, Some(json!({"drawing": {"add": add, "remove": remove}}))).await
}

async fn drawings(case: &Case<'_>) -> Value {
    case.staff.get(&format!("/api/v1/conference-drawings/{}", case.id)).await.ok()
}

async fn frozen_for_client(case: &Case<'_>, key: &str, call: &str) -> Answer {
    let client = case.app.anonymous().with("x-client-key", key);
    client.get(&format!("/api/v1/external/{}/{call}", case.hash)).await
}

fn arrow(id: &str) -> Value {
    json!({"id": id, "kind": "arrow", "tone": 2, "points": [0.1, 0.2, 0.3, 0.4]})
}

fn fields(problem: &Value) -> Vec<String> {
    problem["errors"].as_array().expect("errors").iter().map(|error| text(&error["field"])).collect()
}

both_engines! {
    // DRAW-1, DRAW-2
    async fn both_sides_are_told_what_is_frozen(app) {
        let case = Case::open(app).await;
        let key = case.enters([]).await;
        let media = picture(&case).await;
        assert_eq!(drawings(&case).await, json!({"frozen": null, "drawings": []}));
        assert_eq!(frozen_for_client(&case, &key, "frozen").await.ok(), json!({"frozen": null}));
        frozen_for_client(&case, &key, "frozen-picture").await.problem(404, "PICTURE_NOT_FROZEN");

        let frozen = freeze(&case, json!(media)).await.ok();
        assert_eq!((&frozen["frozen"]["mediaId"], &frozen["frozen"]["by"]), (&json!(media), &json!(case.owner.id)));
        assert_eq!(drawings(&case).await["frozen"], frozen["frozen"]);
        draw(&case, &media, json!([arrow("aaaaaaaa")]), json!([])).await.ok();
        let seen = frozen_for_client(&case, &key, "frozen").await.ok();
        assert_eq!(seen["frozen"], json!({"mediaId": media, "revision": 1, "marks": [arrow("aaaaaaaa")]}));
        let shown = frozen_for_client(&case, &key, "frozen-picture").await;
        assert_eq!((shown.status, shown.header("content-type")), (200, Some("image/jpeg")));

        assert_eq!(freeze(&case, Value::Null).await.ok(), json!({"frozen": null}));
        assert_eq!(frozen_for_client(&case, &key, "frozen").await.ok(), json!({"frozen": null}));
        // The end of the call lets the picture live again.
        freeze(&case, json!(media)).await.ok();
        case.post("conference-close", json!({})).await.ok();
        assert_eq!(drawings(&case).await["frozen"], Value::Null);
        freeze(&case, json!(media)).await.problem(410, "CONFERENCE_CLOSED");
        draw(&case, &media, json!([arrow("bbbbbbbb")]), json!([])).await.problem(410, "CONFERENCE_CLOSED");
    }

    // DRAW-1, DRAW-2
    async fn only_a_picture_of_the_call_is_frozen_and_only_by_the_adjuster(app) {
        let (case, other) = (Case::open(app).await, Case::open(app).await);
        let key = case.enters([]).await;
        let foreign = picture(&other).await;
        let paper = case.upload("parte.pdf", "application/pdf", &crate::support::pdf()).await.ok();
        for media in [json!(foreign), paper["media"]["_id"].clone(), json!("01900000-0000-7000-8000-000000000000")] {
            let problem = freeze(&case, media).await.problem(422, "INVALID_FIELDS");
            assert_eq!(fields(&problem), ["mediaId"]);
        }
        draw(&case, &foreign, json!([arrow("aaaaaaaa")]), json!([])).await.problem(404, "MEDIA_NOT_FOUND");
        let media = picture(&case).await;
        let client = app.anonymous().with("x-client-key", &key);
        let body = json!({"drawing": {"add": [arrow("aaaaaaaa")]}});
        client.send(Method::PUT, &format!("/api/v1/media-drawing/{media}"), Some(body)).await.expect(401);
        client.send(Method::PUT, &format!("/api/v1/conference-frozen/{}", case.id), Some(json!({"mediaId": media}))).await.expect(401);
        frozen_for_client(&case, &"0".repeat(64), "frozen").await.problem(403, "CLIENT_KEY_INVALID");
    }

    // DRAW-3, DRAW-5, DRAW-7
    async fn a_change_makes_the_layer_and_an_event_and_repeating_it_does_not(app) {
        let case = Case::open(app).await;
        case.enters([]).await;
        let media = picture(&case).await;
        let evil = json!({"id": "bbbbbbbb", "kind": "text", "tone": 1, "points": [0.5, 0.5], "text": "</text><script>alert(1)</script>"});
        let body = draw(&case, &media, json!([arrow("aaaaaaaa"), evil]), json!([])).await.ok();
        let drawing = &body["drawing"];
        assert_eq!((&drawing["revision"], drawing["marks"].as_array().map(Vec::len)), (&json!(1), Some(2)));
        let url = text(&drawing["url"]);
        assert_eq!(url, format!("/uploads/{media}.svg?revision=1"));
        let layer = case.staff.get(&url).await;
        assert_eq!((layer.status, layer.header("content-type")), (200, Some("image/svg+xml")));
        assert!(layer.header("content-security-policy").is_some_and(|policy| policy.contains("sandbox")));
        assert_eq!(sha256(&layer.body), text(&drawing["sha256"]));
        let svg = String::from_utf8(layer.body.to_vec()).expect("text");
        assert!(svg.contains("&lt;script&gt;") && !svg.contains("<script"), "{svg}");
        app.log_in(&app.person(Role::Worker).await).await.get(&url).await.problem(404, "MEDIA_NOT_FOUND");

        let events = case.tracks().await.iter().filter(|name| *name == "DRAWING_CHANGED").count();
        assert_eq!(events, 1);
        let again = draw(&case, &media, json!([arrow("aaaaaaaa")]), json!(["cccccccc"])).await.ok();
        assert_eq!(again["drawing"]["revision"], 1);
        let fewer = draw(&case, &media, json!([]), json!(["aaaaaaaa", "bbbbbbbb"])).await.ok();
        assert_eq!((&fewer["drawing"]["revision"], &fewer["drawing"]["url"]), (&json!(2), &Value::Null));
        case.staff.get(&url).await.problem(404, "MEDIA_NOT_FOUND");
        let details = case.details().await;
        let tracks = details["tracks"].as_array().expect("tracks");
        let drawn: Vec<&Value> = tracks.iter().filter(|track| track["type"] == "DRAWING_CHANGED").collect();
        assert_eq!(drawn.len(), 2);
        assert_eq!(drawn[0]["data"], json!({"mediaId": media, "revision": 1, "marks": 2, "sha256": drawing["sha256"]}));
        assert_eq!((&drawn[1]["data"]["marks"], &drawn[1]["actor"]), (&json!(0), &json!(format!("user:{}", case.owner.id))));
    }

    // DRAW-4
    async fn bad_input_is_refused_field_by_field(app) {
        let case = Case::open(app).await;
        case.enters([]).await;
        let media = picture(&case).await;
        let with = |changes: Value| {
            let mut mark = arrow("aaaaaaaa");
            mark.as_object_mut().expect("an object").extend(changes.as_object().expect("an object").clone());
            json!([arrow("bbbbbbbb"), mark])
        };
        for (add, field) in [
            (with(json!({"points": [0.1, 0.2, 0.3, 1.4]})), "drawing.add.1.points.3"),
            (with(json!({"points": [0.1, 0.2, 0.3, -1e300]})), "drawing.add.1.points.3"),
            (with(json!({"points": [0.1, 0.2, 0.3, "0.4"]})), "drawing.add[1].points[3]"),
            (with(json!({"points": [0.1, 0.2, 0.3, null]})), "drawing.add[1].points[3]"),
            (with(json!({"points": [0.1]})), "drawing.add.1.points"),
            (with(json!({"kind": "svg"})), "drawing.add[1].kind"),
            (with(json!({"kind": "text", "points": [0.5, 0.5], "text": "x".repeat(81)})), "drawing.add.1.text"),
            (with(json!({"kind": "number", "points": [0.5, 0.5], "number": 100})), "drawing.add.1.number"),
            (with(json!({"id": "<svg onload>"})), "drawing.add.1.id"),
            (with(json!({"tone": 7})), "drawing.add.1.tone"),
            ((0..201).map(|n| arrow(&format!("mark{n:06}"))).collect(), "drawing.add"),
        ] {
            let problem = draw(&case, &media, add, json!([])).await.problem(422, "INVALID_FIELDS");
            assert_eq!(fields(&problem), [field]);
        }
        let large = json!([{"id": "aaaaaaaa", "kind": "pen", "tone": 1, "points": vec![0.123_456_789; 100_000]}]);
        draw(&case, &media, large, json!([])).await.problem(413, "BODY_TOO_LARGE");
        assert_eq!(drawings(&case).await["drawings"], json!([]), "nothing was saved");
    }

    // DRAW-7
    async fn a_flood_of_changes_is_slowed_down(app) {
        let case = Case::open(app).await;
        case.enters([]).await;
        let media = picture(&case).await;
        for _ in 0..240 {
            draw(&case, &media, json!([]), json!([])).await.ok();
        }
        draw(&case, &media, json!([]), json!([])).await.problem(429, "TOO_MANY_TRIES");
        let other = Case::open(app).await;
        let theirs = picture(&other).await;
        draw(&other, &theirs, json!([arrow("aaaaaaaa")]), json!([])).await.ok();
        app.advance(TimeDelta::seconds(61));
        draw(&case, &media, json!([arrow("aaaaaaaa")]), json!([])).await.ok();
    }

    // DRAW-10
    async fn marks_go_with_an_erased_conference(app) {
        let mut case = Case::open(app).await;
        case.enters([]).await;
        let media = picture(&case).await;
        draw(&case, &media, json!([arrow("aaaaaaaa")]), json!([])).await.ok();
        case.post("conference-close", json!({})).await.ok();
        app.advance(TimeDelta::seconds(1));
        case.log_in_again().await;
        let principal = app.log_in(&app.person_in(case.owner.company, Role::Customer).await).await;
        principal.post(&format!("/api/v1/conference-erase/{}", case.id), json!({"reason": "Lo pide el cliente"})).await.ok();
        assert_eq!(drawings(&case).await, json!({"frozen": null, "drawings": []}));
    }
}
