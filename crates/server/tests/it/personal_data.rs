//! What somebody with an account takes of his own data.

use crate::support::text;
use atalaya_kernel::Role;
use atalaya_testkit::both_engines;
use serde_json::{Value, json};

both_engines! {
    // MYDATA-1, MYDATA-2
    async fn everybody_takes_his_own_data(app) {
        let person = app.person(Role::Customer).await;
        let other = app.person_in(person.company, Role::Worker).await;
        let client = app.log_in(&person).await;
        client.put("/api/v1/user", json!({"user": {"_id": person.id, "name": "Nombre Propio"}})).await.ok();
        let answer = client.get("/api/v1/my-data").await;
        let data = answer.ok();
        assert_eq!(answer.header("content-disposition"), Some("attachment; filename=\"mis-datos.json\""));
        assert_eq!((text(&data["account"]["id"]), text(&data["account"]["name"])), (person.id.to_string(), "Nombre Propio".to_owned()));
        assert_eq!(data["sessions"].as_array().map(Vec::len), Some(1));
        assert!(data["more"]["notifications"].is_array() && data["more"]["marketing"].is_array(), "{data}");
        let activity = data["activity"].as_array().expect("a list");
        assert!(activity.iter().any(|entry| entry["action"] == "USER_CHANGED" && entry["own"] == true), "{data}");
        let whole = data.to_string();
        assert!(!whole.contains(&other.id.to_string()) && !whole.contains("argon2"), "{whole}");
        // Taking it is in the log, and so in the next file.
        let again = client.get("/api/v1/my-data").await.ok();
        let taken = |data: &Value| data["activity"].to_string().matches("PERSON_EXPORTED").count();
        assert_eq!((taken(&data), taken(&again)), (0, 1));
    }
}
