//! What positions mean: distance with a geocoder, province without, claims of files.

use crate::certificates::tool;
use crate::support::{Case, parts_of};
use atalaya_assistance::places::{Geocoder, service};
use atalaya_assistance::{Assistance, Parts};
use atalaya_kernel::{ConferenceId, Role};
use atalaya_testkit::{TestApp, both_engines};
use axum::Router;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

const PHOTO: &[u8] = include_bytes!("../../../../vectors/photo-with-position.jpg");

/// What needs a look on a certificate.
const AMBER: &str = "#8a5300";

#[derive(Clone, Default)]
struct Asked {
    questions: Arc<Mutex<Vec<String>>>,
    down: Arc<Mutex<bool>>,
}

impl Asked {
    fn note(&self, question: &str) -> Result<(), Response> {
        if *self.down.lock().expect("unpoisoned") {
            return Err(StatusCode::SERVICE_UNAVAILABLE.into_response());
        }
        self.questions.lock().expect("unpoisoned").push(question.to_owned());
        Ok(())
    }
}

async fn search(State(asked): State<Asked>, Query(query): Query<HashMap<String, String>>) -> Result<Response, Response> {
    asked.note(&query["q"])?;
    let rank = if query["q"].contains("Calle") { 30 } else { 16 };
    let found = json!([{"lat": "40.4168", "lon": "-3.7038", "display_name": "Calle Mayor, Madrid", "place_rank": rank}]);
    Ok(axum::Json(found).into_response())
}

async fn reverse(State(asked): State<Asked>, Query(query): Query<HashMap<String, String>>) -> Result<Response, Response> {
    assert_eq!((query["key"].as_str(), query["format"].as_str()), ("k", "jsonv2"));
    asked.note(&format!("{},{}", query["lat"], query["lon"]))?;
    Ok(axum::Json(json!({"display_name": "Plaza Mayor 1, Madrid"})).into_response())
}

/// The application with a geocoder that knows Madrid.
async fn with_geocoder(app: &TestApp) -> (Assistance, Asked) {
    let asked = Asked::default();
    let router = Router::new().route("/search", get(search)).route("/reverse", get(reverse)).with_state(asked.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let url = format!("http://{}/?key=k", listener.local_addr().expect("an address"));
    tokio::spawn(async move { axum::serve(listener, router).await });
    let geocoder = Some(Arc::new(Geocoder::new(url.into())));
    (Assistance::new(Parts { geocoder, ..parts_of(app) }), asked)
}

async fn fix(case: &Case<'_>, key: &str, latitude: f64, longitude: f64) {
    let step = json!({"type": "GEO_FIX", "data": {"latitude": latitude, "longitude": longitude, "accuracy": 8}});
    case.client_with(key, "track", step).await.expect(204);
}

async fn last(case: &Case<'_>) -> Value {
    case.details().await["positions"].as_array().and_then(|all| all.last()).expect("a position").clone()
}

both_engines! {
    // PLACE-1, PLACE-3
    async fn an_address_and_a_distance_with_a_geocoder(app) {
        let (deps, asked) = with_geocoder(app).await;
        let case = Case::open_with(app, json!({"address": "Calle Mayor 1", "city": "Madrid", "postalCode": "28013"})).await;
        let key = case.accept().await;
        let id = case.id.parse().unwrap();
        fix(&case, &key, 40.4169, -3.7038).await;
        *asked.down.lock().unwrap() = true;
        assert_eq!(service::look_up(&deps, id).await.unwrap(), 0, "it does not answer");
        assert_eq!(last(&case).await["verdict"], "sameProvince");
        *asked.down.lock().unwrap() = false;
        assert_eq!(service::look_up(&deps, id).await.unwrap(), 2);
        let near = last(&case).await;
        assert_eq!((&near["address"], &near["verdict"]), (&json!("Plaza Mayor 1, Madrid"), &json!("near")));
        assert_eq!(near["distanceM"], 11);
        fix(&case, &key, 40.4300, -3.7038).await;
        assert_eq!(service::look_up(&deps, id).await.unwrap(), 1, "each place is asked about once");
        let far = last(&case).await;
        assert_eq!((&far["verdict"], &far["distanceM"]), (&json!("far"), &json!(1468)));
        assert_eq!(*asked.questions.lock().unwrap(), ["Calle Mayor 1, 28013 Madrid", "40.4169,-3.7038", "40.4300,-3.7038"]);
    }

    // PLACE-1, PLACE-3
    async fn the_certificate_prints_the_distance_and_marks_what_is_far(app) {
        let (deps, _) = with_geocoder(app).await;
        let case = Case::open_with(app, json!({"address": "Calle Mayor 1", "city": "Madrid", "postalCode": "28013"})).await;
        let key = case.accept().await;
        fix(&case, &key, 40.4169, -3.7038).await;
        fix(&case, &key, 40.4300, -3.7038).await;
        service::look_up(&deps, case.id.parse().unwrap()).await.unwrap();
        case.post("conference-close", json!({})).await.ok();
        let printed = case.staff.get(&format!("/api/v1/print-cert/{}", case.id)).await;
        printed.expect(200);
        let said = tool(app, &printed.body, "pdftohtml", &["-xml", "-i", "-stdout", "PDF"]);
        // The colour that the text of a distance is set in.
        let colour = |distance: &str| {
            let line = said.lines().find(|line| line.contains(distance)).unwrap_or_else(|| panic!("{distance} is not in {said}"));
            let font = line.split("font=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a font");
            let spec = said.lines().find(|line| line.contains(&format!("<fontspec id=\"{font}\""))).expect("its description");
            spec.split("color=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a colour").to_owned()
        };
        let (near, far) = (colour("11 m del lugar"), colour("1468 m del lugar"));
        assert_eq!(far, AMBER);
        assert_ne!(near, AMBER);
        assert!(said.contains("Plaza Mayor 1, Madrid"), "{said}");
    }

    // PLACE-1
    async fn a_town_says_nothing_about_metres(app) {
        let (deps, _) = with_geocoder(app).await;
        let case = Case::open_with(app, json!({"fullAddress": "Madrid", "postalCode": "28013"})).await;
        let key = case.accept().await;
        fix(&case, &key, 40.4169, -3.7038).await;
        service::look_up(&deps, case.id.parse().unwrap()).await.unwrap();
        let position = last(&case).await;
        assert_eq!((&position["distanceM"], &position["verdict"]), (&Value::Null, &json!("sameProvince")));
    }

    // PLACE-2
    async fn the_province_without_a_geocoder(app) {
        let case = Case::open_with(app, json!({"cityRegion": "Valencia"})).await;
        let key = case.accept().await;
        fix(&case, &key, 39.4699, -0.3763).await;
        let position = last(&case).await;
        assert_eq!((&position["province"], &position["verdict"]), (&json!("Valencia/València"), &json!("sameProvince")));
        assert_eq!((&position["address"], &position["distanceM"]), (&Value::Null, &Value::Null));
        fix(&case, &key, 40.4168, -3.7038).await;
        assert_eq!(last(&case).await["verdict"], "otherProvince");
        assert_eq!(last(&case).await["insuredProvince"], "Valencia/València");
        let nowhere = Case::open_with(app, json!({"expedientNumber": "EXP-2"})).await;
        let key = nowhere.accept().await;
        fix(&nowhere, &key, 40.4168, -3.7038).await;
        assert_eq!(last(&nowhere).await["verdict"], Value::Null, "there is nothing to compare with");
    }

    // PLACE-5
    async fn a_sent_picture_keeps_its_position_as_a_claim(app) {
        let case = Case::open_with(app, json!({"postalCode": "46001"})).await;
        let item = case.upload("foto.jpg", "image/jpeg", PHOTO).await.ok()["media"].clone();
        assert_eq!((&item["claimedLatitude"], &item["claimedLongitude"]), (&json!("40.416800"), &json!("-3.703800")));
        let listed = case.staff.get(&format!("/api/v1/conference-media/{}", case.id)).await.ok()["media"][0].clone();
        assert_eq!((&listed["latitude"], &listed["place"]), (&Value::Null, &Value::Null), "nobody measured it");
        assert_eq!(listed["claimedPlace"]["verdict"], "otherProvince");
        let tracks = case.details().await["tracks"].clone();
        let track = tracks.as_array().unwrap().iter().find(|track| track["type"] == "FILE_UPLOADED").unwrap().clone();
        assert_eq!(track["data"]["claimedPosition"], "40.416800,-3.703800");
        assert!(case.details().await["positions"].as_array().unwrap().is_empty(), "a claim is no position of the client");
    }

    // PLACE-4
    async fn an_erasure_takes_what_the_geocoder_said(app) {
        let (deps, _) = with_geocoder(app).await;
        let case = Case::open_with(app, json!({"address": "Calle Mayor 1", "city": "Madrid", "postalCode": "28013"})).await;
        let key = case.accept().await;
        let id: ConferenceId = case.id.parse().unwrap();
        fix(&case, &key, 40.4169, -3.7038).await;
        service::look_up(&deps, id).await.unwrap();
        case.post("conference-close", json!({})).await.ok();
        let admin = app.as_role(Role::Admin).await;
        admin.post(&format!("/api/v1/conference-erase/{}", case.id), json!({"reason": "Lo pide"})).await.ok();
        assert!(case.details().await["positions"].as_array().unwrap().is_empty());
        assert_eq!(service::look_up(&deps, id).await.unwrap(), 0, "nothing is asked about an erased case");
    }
}
