//! What both pages tell about their connection, and where it is shown.

use crate::incidences::send;
use crate::support::Case;
use atalaya_kernel::Role;
use atalaya_testkit::both_engines;
use chrono::TimeDelta;
use serde_json::{Value, json};

async fn kept(case: &Case<'_>) -> Vec<Value> {
    let path = format!("/api/v1/conference-connections/{}", case.id);
    let told = case.app.as_role(Role::Admin).await.get(&path).await.ok();
    told["connections"].as_array().expect("a list").clone()
}

both_engines! {
    // CALL-61
    async fn both_sides_tell_what_changes_and_nothing_else_is_kept(app) {
        let case = Case::open(app).await;
        let key = case.accept().await;
        let tell = |body: Value| case.client_with(&key, "connection", body);
        tell(json!({"way": "udp", "rttMs": 40})).await.expect(204);
        tell(json!({"way": "udp", "rttMs": 55})).await.expect(204);
        tell(json!({"way": "relay-tls", "failed": ["tcp", "udp"], "kbps": 300, "lossPercent": 4, "ageS": 5})).await.expect(204);
        case.post("conference-connections", json!({"way": "tcp", "failed": ["udp"]})).await.expect(204);
        let kept = kept(&case).await;
        let told: Vec<Value> = kept.iter().map(|one| json!([one["kind"], one["nth"], one["way"], one["failed"]])).collect();
        assert!(told.contains(&json!(["client", 1, "udp", []])), "{told:?}");
        assert!(told.contains(&json!(["client", 1, "relay-tls", ["udp", "tcp"]])), "{told:?}");
        assert!(told.contains(&json!(["staff", 1, "tcp", ["udp"]])), "{told:?}");
        assert_eq!(told.len(), 3, "the same again is no change");
        assert!(!json!(kept).to_string().contains(&case.owner.id.to_string()), "nobody is named");
    }

    // CALL-62
    async fn what_is_told_has_bounds(app) {
        let case = Case::open(app).await;
        let key = case.accept().await;
        let tell = |body: Value| case.client_with(&key, "connection", body);
        for wrong in [json!({"way": "udp", "rttMs": 600_001}), json!({"way": "udp", "failed": vec!["udp"; 9]}), json!({"ageS": 3601})] {
            tell(wrong).await.problem(422, "INVALID_FIELDS");
        }
        for unread in [json!({"way": "192.0.2.1"}), json!({"way": "udp", "address": "192.0.2.1"})] {
            assert!((400..=422).contains(&tell(unread).await.status), "no word of its own enters");
        }
        assert_eq!(tell(json!({"way": "udp", "failed": ["x".repeat(8000)]})).await.status, 413);
        case.client_with("garbage", "connection", json!({"way": "udp"})).await.problem(403, "CLIENT_KEY_INVALID");
        assert!(kept(&case).await.is_empty());
    }

    // CALL-62
    async fn a_flood_is_slowed_and_ends(app) {
        let case = Case::open(app).await;
        let key = case.accept().await;
        let mut answers = Vec::new();
        for nth in 0..70 {
            // A change each time, in the pace that is allowed.
            let way = if nth < 60 { ["udp", "tcp"][nth % 2] } else { "relay-tls" };
            answers.push(case.client_with(&key, "connection", json!({"way": way})).await.status);
            app.advance(TimeDelta::seconds(4));
        }
        assert_eq!(answers[..60], [204; 60]);
        assert_eq!(answers[60..], [429; 10]);
        assert_eq!(kept(&case).await.len(), 60);
        app.advance(TimeDelta::minutes(2));
        let mut fast = Vec::new();
        for nth in 0..25 {
            let way = ["udp", "tcp"][nth % 2];
            fast.push(case.post("conference-connections", json!({"way": way})).await.status);
        }
        assert_eq!((fast.iter().filter(|status| **status == 204).count(), fast[24]), (20, 429));
    }

    // CALL-61
    async fn a_closed_conference_takes_nothing_and_still_shows_it(app) {
        let case = Case::open(app).await;
        let key = case.accept().await;
        case.client_with(&key, "connection", json!({"way": "tcp", "failed": ["udp"]})).await.expect(204);
        case.post("conference-close", json!({})).await.ok();
        case.client_with(&key, "connection", json!({"way": "udp"})).await.problem(410, "CONFERENCE_CLOSED");
        case.post("conference-connections", json!({"way": "udp"})).await.problem(410, "CONFERENCE_CLOSED");
        assert_eq!(kept(&case).await.len(), 1);
    }

    // INCID-9, CALL-61
    async fn an_incidence_takes_the_connections_with_it(app) {
        let case = Case::open(app).await;
        let key = case.accept().await;
        case.client_with(&key, "connection", json!({"way": null, "failed": ["udp", "tcp", "relay"]})).await.expect(204);
        let incidence = json!({"type": 1, "reason": 2, "comments": "Se corta", "conferenceId": case.id});
        let made = send(&case.staff, incidence, json!([])).await.expect(201);
        let connections = &made["incidence"]["diagnostics"]["connections"];
        assert_eq!(connections[0]["failed"], json!(["udp", "tcp", "relay"]), "{made}");
        assert_eq!(connections[0]["way"], Value::Null);
    }
}
