//! What the details of a conference show (issue 4, Details panel).

use crate::support::{Case, png};
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

    async fn messages_tell_their_delivery(app) {
        let case = Case::open(app).await;
        let message = case.details().await["messages"][0].clone();
        assert_eq!((&message["channel"], &message["state"]), (&json!("sms"), &json!("captured")));
        assert_ne!(message["to"], "+34600123456", "the recipient is masked");
    }
}
