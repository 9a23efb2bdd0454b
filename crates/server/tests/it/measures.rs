//! Measuring by what is in the picture (issue 20).

use crate::public_api::key_of;
use crate::support::{Case, pdf, png, sha256, text};
use atalaya_kernel::Role;
use atalaya_testkit::{Answer, both_engines};
use axum::http::Method;
use chrono::TimeDelta;
use serde_json::{Value, json};
use std::process::Command;

async fn picture(case: &Case<'_>) -> String {
    text(&case.upload("golpe.png", "image/png", &png()).await.ok()["media"]["_id"])
}

async fn measure(case: &Case<'_>, media: &str, add: Value, remove: Value) -> Answer {
    let path = format!("/api/v1/media-measure/{media}");
    case.staff.send(Method::PUT, &path, Some(json!({"measure": {"add": add, "remove": remove}}))).await
}

async fn measures(case: &Case<'_>) -> Value {
    case.staff.get(&format!("/api/v1/conference-measures/{}", case.id)).await.ok()
}

/// A plate seen from the front with the length of its upper side.
fn plate(id: &str) -> Value {
    json!({"id": id, "reference": "plate", "corners": [0.3, 0.4, 0.7, 0.4, 0.7, 0.55, 0.3, 0.55], "found": true,
        "shapes": [{"id": "shape0001", "kind": "length", "points": [0.3, 0.4, 0.7, 0.4]}]})
}

/// The same with other fields.
fn with(changes: Value) -> Value {
    let mut plane = plate("aaaaaaaa");
    plane.as_object_mut().expect("an object").extend(changes.as_object().expect("an object").clone());
    json!([plate("bbbbbbbb"), plane])
}

fn fields(problem: &Value) -> Vec<String> {
    problem["errors"].as_array().expect("errors").iter().map(|error| text(&error["field"])).collect()
}

both_engines! {
    // MEASURE-2, MEASURE-6, MEASURE-7
    async fn a_measure_is_computed_here_and_its_layer_is_told_to_the_chain(app) {
        let case = Case::open(app).await;
        let media = picture(&case).await;
        assert_eq!(measures(&case).await, json!({"measures": []}));
        // A value that comes along does not count.
        let mut lying = plate("aaaaaaaa");
        lying["shapes"][0]["value"] = json!(9_999);
        let body = measure(&case, &media, json!([lying]), json!([])).await.ok();
        let seen = &body["measure"];
        let shape = &seen["planes"][0]["shapes"][0];
        assert_eq!((&seen["revision"], &shape["value"], &seen["planes"][0]["wide"]), (&json!(1), &json!(520.0), &json!(false)));
        assert!(shape["error"].as_f64().is_some_and(|error| error > 1.0 && error < 20.0), "{shape}");
        assert_eq!(measures(&case).await["measures"][0], *seen);

        let url = text(&seen["url"]);
        assert_eq!(url, format!("/uploads/{media}.measures.svg?revision=1"));
        let layer = case.staff.get(&url).await;
        assert_eq!((layer.status, layer.header("content-type")), (200, Some("image/svg+xml")));
        assert!(layer.header("content-security-policy").is_some_and(|policy| policy.contains("sandbox")));
        assert_eq!(sha256(&layer.body), text(&seen["sha256"]));
        assert!(String::from_utf8_lossy(&layer.body).contains(">1: 520 mm ± "));
        app.log_in(&app.person(Role::Worker).await).await.get(&url).await.problem(404, "MEDIA_NOT_FOUND");

        let again = measure(&case, &media, json!([plate("aaaaaaaa")]), json!(["cccccccc"])).await.ok();
        assert_eq!(again["measure"]["revision"], 1, "repeated, nothing changes");
        let none = measure(&case, &media, json!([]), json!(["aaaaaaaa"])).await.ok();
        assert_eq!((&none["measure"]["revision"], &none["measure"]["url"]), (&json!(2), &Value::Null));
        case.staff.get(&url).await.problem(404, "MEDIA_NOT_FOUND");
        let details = case.details().await;
        let told: Vec<&Value> =
            details["tracks"].as_array().expect("tracks").iter().filter(|track| track["type"] == "MEASURE_CHANGED").collect();
        assert_eq!(told.len(), 2);
        let value = json!({"value": 520, "error": shape["error"].as_f64().expect("a number").ceil() as i64, "unit": "mm"});
        assert_eq!(told[0]["data"], json!({"mediaId": media, "revision": 1, "sha256": seen["sha256"], "values": [value]}));
        assert_eq!((&told[1]["data"]["values"], &told[1]["actor"]), (&json!([]), &json!(format!("user:{}", case.owner.id))));
    }

    // MEASURE-4
    async fn bad_input_is_refused_field_by_field(app) {
        let case = Case::open(app).await;
        let media = picture(&case).await;
        let shape = |changes: Value| {
            let mut shape = json!({"id": "shape0002", "kind": "area", "points": [0.1, 0.1, 0.2, 0.1, 0.2, 0.2]});
            shape.as_object_mut().expect("an object").extend(changes.as_object().expect("an object").clone());
            with(json!({"shapes": [shape]}))
        };
        for (add, field) in [
            (with(json!({"corners": [0.3, 0.4, 0.7, "0.4", 0.7, 0.55, 0.3, 0.55]})), "measure.add[1].corners[3]"),
            (with(json!({"corners": [0.3, 0.4, 0.7, null, 0.7, 0.55, 0.3, 0.55]})), "measure.add[1].corners[3]"),
            (with(json!({"corners": [0.3, 0.4, 0.7, 1e300, 0.7, 0.55, 0.3, 0.55]})), "measure.add.1.corners.3"),
            (with(json!({"corners": [0.3, 0.4, 0.7, -0.1, 0.7, 0.55, 0.3, 0.55]})), "measure.add.1.corners.3"),
            (with(json!({"corners": [0.3, 0.4]})), "measure.add.1.corners"),
            (with(json!({"corners": [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5]})), "measure.add.1.corners"),
            (with(json!({"corners": [0.1, 0.1, 0.9, 0.9, 0.9, 0.1, 0.1, 0.9]})), "measure.add.1.corners"),
            (with(json!({"reference": "moon"})), "measure.add[1].reference"),
            (with(json!({"id": "<svg onload>"})), "measure.add.1.id"),
            (shape(json!({"points": vec![0.5; 82]})), "measure.add.1.shapes.0.points"),
            (shape(json!({"points": [0.1, 0.1, 0.2, 0.1, 0.2]})), "measure.add.1.shapes.0.points"),
            (shape(json!({"points": [0.1, 0.1, 0.9, 0.9, 0.9, 0.1, 0.1, 0.9]})), "measure.add.1.shapes.0.points"),
            (shape(json!({"points": [0.1, 0.1, 0.2, 2.0, 0.2, 0.2]})), "measure.add.1.shapes.0.points.3"),
            (shape(json!({"kind": "volume"})), "measure.add[1].shapes[0].kind"),
            (shape(json!({"id": "1"})), "measure.add.1.shapes.0.id"),
            ((0..9).map(|n| plate(&format!("plane{n:06}"))).collect(), "measure.add"),
        ] {
            let problem = measure(&case, &media, add, json!([])).await.problem(422, "INVALID_FIELDS");
            assert_eq!(fields(&problem), [field]);
        }
        let many = with(json!({"shapes": vec![json!({"id": "shape0002", "kind": "length", "points": [0.1, 0.1, 0.2, 0.2]}); 61]}));
        let problem = measure(&case, &media, many, json!([])).await.problem(422, "INVALID_FIELDS");
        assert_eq!(fields(&problem), ["measure.add.1.shapes"]);
        let large = with(json!({"corners": vec![0.123_456_789; 20_000]}));
        measure(&case, &media, large, json!([])).await.problem(413, "BODY_TOO_LARGE");
        assert_eq!(measures(&case).await["measures"], json!([]), "nothing was saved");
    }

    // MEASURE-1, MEASURE-6
    async fn only_a_kept_picture_of_ones_own_is_measured_also_after_the_call(app) {
        let (case, other) = (Case::open(app).await, Case::open(app).await);
        case.enters([]).await;
        let foreign = picture(&other).await;
        measure(&case, &foreign, json!([plate("aaaaaaaa")]), json!([])).await.problem(404, "MEDIA_NOT_FOUND");
        let paper = text(&case.upload("parte.pdf", "application/pdf", &pdf()).await.ok()["media"]["_id"]);
        measure(&case, &paper, json!([plate("aaaaaaaa")]), json!([])).await.problem(404, "MEDIA_NOT_FOUND");
        let media = picture(&case).await;
        case.post("conference-close", json!({})).await.ok();
        measure(&case, &media, json!([plate("aaaaaaaa")]), json!([])).await.ok();
        let mut case = case;
        app.advance(TimeDelta::days(31));
        case.log_in_again().await;
        measure(&case, &media, json!([plate("bbbbbbbb")]), json!([])).await.problem(410, "MEDIA_EXPIRED");
        atalaya_privacy::erasures::expiry::run(&app.privacy).await.expect("the job runs");
        assert_eq!(measures(&case).await, json!({"measures": []}), "they go with the picture");
    }

    // MEASURE-4
    async fn a_flood_of_changes_is_slowed_down(app) {
        let case = Case::open(app).await;
        let media = picture(&case).await;
        for _ in 0..120 {
            measure(&case, &media, json!([]), json!([])).await.ok();
        }
        measure(&case, &media, json!([]), json!([])).await.problem(429, "TOO_MANY_TRIES");
        app.advance(TimeDelta::seconds(61));
        measure(&case, &media, json!([plate("aaaaaaaa")]), json!([])).await.ok();
    }

    // MEASURE-10, PUBLIC-10
    async fn programs_read_measures_as_data(app) {
        let case = Case::open(app).await;
        let media = picture(&case).await;
        measure(&case, &media, json!([plate("aaaaaaaa")]), json!([])).await.ok();
        let principal = app.person_in(case.owner.company, Role::Customer).await;
        let program = app.anonymous().with("x-api-key", &key_of(app, &principal).await);
        let files = program.get(&format!("/ext-api/v1/conferences/{}/media", case.id)).await.ok();
        let told = &files["media"][0]["measures"][0];
        assert_eq!((&told["reference"], &told["kind"], &told["value"]), (&json!("plate"), &json!("length"), &json!(520.0)));
        assert!(told["error"].as_f64().is_some_and(|error| error > 0.0) && told["wideLens"] == false, "{told}");
    }

    // MEASURE-11
    async fn measures_go_with_an_erased_conference(app) {
        let mut case = Case::open(app).await;
        case.enters([]).await;
        let media = picture(&case).await;
        measure(&case, &media, json!([plate("aaaaaaaa")]), json!([])).await.ok();
        case.post("conference-close", json!({})).await.ok();
        app.advance(TimeDelta::seconds(1));
        case.log_in_again().await;
        let principal = app.log_in(&app.person_in(case.owner.company, Role::Customer).await).await;
        principal.post(&format!("/api/v1/conference-erase/{}", case.id), json!({"reason": "Lo pide el cliente"})).await.ok();
        assert_eq!(measures(&case).await, json!({"measures": []}));
        measure(&case, &media, json!([plate("aaaaaaaa")]), json!([])).await.problem(410, "MEDIA_ERASED");
    }

    // MEASURE-8
    async fn the_marker_is_printed_without_a_session(app) {
        for (query, words) in [("", "100 %"), ("?language=en", "100%")] {
            let sheet = app.anonymous().get(&format!("/api/v1/measure-marker{query}")).await;
            assert_eq!((sheet.status, sheet.header("content-type")), (200, Some("application/pdf")));
            let path = app.folder().join("marker.pdf");
            std::fs::write(&path, &sheet.body).expect("written");
            let text = Command::new("pdftotext").args(["-layout"]).arg(&path).arg("-").output().expect("pdftotext");
            assert!(String::from_utf8_lossy(&text.stdout).contains(words), "{query}");
        }
        app.anonymous().get("/api/v1/measure-marker?language=xx").await.problem(400, "MALFORMED_QUERY");
    }
}
