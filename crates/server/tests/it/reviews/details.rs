//! What the details of a conference show (issue 4, Details panel).

use crate::client_files::{asking, hold};
use crate::support::{Case, png};
use atalaya_kernel::Role;
use atalaya_testkit::both_engines;
use chrono::TimeDelta;
use serde_json::json;

both_engines! {
    async fn positions_are_those_of_the_device_and_of_the_files_in_order(app) {
        let case = Case::open(app).await;
        let key = case.accept().await;
        assert_eq!(case.details().await["positions"], json!([]));
        let fix = json!({"type": "GEO_FIX", "data": {"latitude": 40.4168, "longitude": -3.7038, "accuracy": 11.2}});
        case.client_with(&key, "track", fix).await.expect(204);
        app.advance(TimeDelta::seconds(5));
        let meta = json!({"captureId": "a1", "latitude": 40.42, "longitude": -3.7, "accuracy": 4});
        let media = case.capture(&key, &meta, &png()).await.ok()["media"]["_id"].clone();
        case.upload("sin-posicion.png", "image/png", &png()).await.ok();
        let positions = case.details().await["positions"].clone();
        let told: Vec<_> = positions.as_array().expect("a list").iter().map(|p| {
            (p["latitude"].as_f64(), p["longitude"].as_f64(), p["accuracy"].as_i64(), p["mediaId"].clone())
        }).collect();
        assert_eq!(told, [
            (Some(40.4168), Some(-3.7038), Some(12), json!(null)),
            (Some(40.42), Some(-3.7), Some(4), media),
        ]);
        assert!(positions[0]["at"].as_str() < positions[1]["at"].as_str());
    }

    async fn whoever_did_something_has_a_name(app) {
        let owner = app.person(Role::Worker).await;
        let principal = app.person_with(owner.company, Role::Customer, |new| (new.name, new.surname) = ("Pilar".into(), "Soria".into())).await;
        let admin = app.person(Role::Admin).await;
        let case = Case::open_by(app, owner, json!({})).await;
        let silent = app.person_in(case.owner.company, Role::Worker).await;
        hold(&case, 60).await;
        for person in [&principal, &admin] {
            app.log_in(person).await.post("/api/v1/client-files/new", asking(&case, json!({}))).await.ok();
        }
        let people = case.details().await["people"].clone();
        let named = |id: String| people.as_array().unwrap().iter().find(|p| p["_id"] == id).map(|p| (p["name"].clone(), p["role"].clone()));
        assert_eq!(named(principal.id.to_string()), Some((json!("Pilar Soria"), json!(2))));
        assert_eq!(named(admin.id.to_string()), Some((json!("Atalaya"), json!(1))));
        assert_eq!(named(case.owner.id.to_string()), Some((json!("Nombre Apellido"), json!(3))));
        assert_eq!((named(silent.id.to_string()), people.as_array().map(Vec::len)), (None, Some(3)));
        let foreign = Case::open(app).await;
        assert_eq!(foreign.details().await["people"].as_array().map(Vec::len), Some(1));
    }

    async fn messages_tell_their_delivery(app) {
        let case = Case::open(app).await;
        let message = case.details().await["messages"][0].clone();
        assert_eq!((&message["channel"], &message["state"]), (&json!("sms"), &json!("captured")));
        assert_ne!(message["to"], "+34600123456", "the recipient is masked");
    }
}
