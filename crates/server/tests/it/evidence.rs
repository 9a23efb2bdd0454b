//! The chain of a conference: complete, append-only, without personal values (`docs/rules/evidence.md`).

use crate::support::{Case, png, text};
use atalaya_cases::evidence::{self, chain};
use atalaya_kernel::ConferenceId;
use atalaya_testkit::{Engine, TestApp, both_engines};
use chrono::TimeDelta;
use sea_orm::{ConnectionTrait, Statement};
use serde_json::{Value, json};

fn id_of(case: &Case<'_>) -> ConferenceId {
    case.id.parse().expect("an id")
}

async fn run(app: &TestApp, sql: &str) -> Result<u64, sea_orm::DbErr> {
    app.db.read().execute_unprepared(sql).await.map(|done| done.rows_affected())
}

/// One text column of every row, in order.
async fn column(app: &TestApp, sql: &str) -> Vec<String> {
    let backend = app.db.read().get_database_backend();
    let rows = app.db.read().query_all_raw(Statement::from_string(backend, sql)).await.expect("the query runs");
    rows.iter().map(|row| row.try_get_by_index(0).expect("a text")).collect()
}

/// The head of the chain, or the first event that does not follow from the one before.
pub async fn verified(app: &TestApp, case: &Case<'_>) -> Result<String, i32> {
    evidence::verify(app.db.read(), id_of(case)).await.expect("the database answers")
}

/// Drops the triggers, as somebody with the database's password could.
pub async fn lift_triggers(app: &TestApp) {
    let statements: &[&str] = match app.engine {
        Engine::Sqlite => &["DROP TRIGGER evidence_event_no_update", "DROP TRIGGER evidence_event_no_delete"],
        Engine::Postgres => &["DROP TRIGGER evidence_event_append_only ON evidence_event"],
    };
    for statement in statements {
        run(app, statement).await.expect("the trigger was there");
    }
}

/// A closed conference with every kind of event.
async fn lived(app: &TestApp) -> Case<'_> {
    let case = Case::open(app).await;
    let robot = app.anonymous().with("user-agent", "Mozilla/5.0 (Linux; Android 16; Pixel 9) Chrome/142.0 Mobile");
    robot.post(&format!("/api/v1/external/{}/track", case.hash), json!({"type": "LINK_OPENED"})).await.expect(204);
    app.advance(TimeDelta::seconds(5));
    let steps = [
        json!({"type": "PERMISSION_GRANTED", "data": {"permission": "camera"}}),
        json!({"type": "PERMISSION_GRANTED", "data": {"permission": "microphone"}}),
        json!({"type": "GEO_FIX", "data": {"latitude": 40.4168, "longitude": -3.7038, "accuracy": 11.2}}),
    ];
    let key = case.enters(steps).await;
    let meta = json!({"method": "takePhoto", "latitude": 40.4168, "longitude": -3.7038, "accuracy": 7.5});
    case.capture(&key, &meta, &png()).await.ok();
    case.client_with(&key, "chat", json!({"text": "Vivo en la calle Mayor ñ \"14\""})).await.ok();
    app.advance(TimeDelta::seconds(90));
    case.post("conference-close", json!({})).await.ok();
    case
}

both_engines! {
    // EVID-3, EVID-9
    async fn the_chain_verifies_and_its_summary_can_be_rebuilt(app) {
        let case = lived(app).await;
        let details = case.details().await;
        let tracks = details["tracks"].as_array().expect("tracks").clone();
        let seqs: Vec<_> = tracks.iter().map(|t| t["seq"].as_i64().expect("a number")).collect();
        assert_eq!(seqs, (1..=tracks.len() as i64).collect::<Vec<_>>(), "no gaps");
        assert_eq!(verified(app, &case).await, Ok(text(&tracks.last().unwrap()["hash"])));
        let tx = app.db.write().await.unwrap();
        assert!(evidence::rebuild(&tx, id_of(&case)).await.unwrap(), "the stored summary is what the tracks say");
        tx.commit().await.unwrap();

        run(app, "UPDATE conference SET projection = '{}'").await.unwrap();
        assert_eq!(case.details().await["conference"]["observation"], "noLink", "wrecked");
        let tx = app.db.write().await.unwrap();
        assert!(!evidence::rebuild(&tx, id_of(&case)).await.unwrap(), "the difference is told");
        tx.commit().await.unwrap();
        let mended = case.details().await;
        assert_eq!(mended["conference"]["observation"], "correct");
        assert_eq!(mended["progress"], details["progress"]);
    }

    // EVID-4
    async fn events_cannot_be_changed_or_taken_away(app) {
        let case = lived(app).await;
        for sql in [
            "UPDATE evidence_event SET actor = 'system'",
            "UPDATE evidence_event SET at = at WHERE seq = 1",
            "DELETE FROM evidence_event WHERE seq = 3",
            "DELETE FROM evidence_event",
        ] {
            let refused = run(app, sql).await.expect_err(sql).to_string();
            assert!(refused.contains("append-only"), "{sql}: {refused}");
        }
        if app.engine == Engine::Postgres {
            run(app, "TRUNCATE evidence_event").await.expect_err("append-only");
        }
        assert!(verified(app, &case).await.is_ok());
    }

    // EVID-5
    async fn what_somebody_changes_all_the_same_is_found(app) {
        let case = lived(app).await;
        let count = case.tracks().await.len() as i32;
        lift_triggers(app).await;
        run(app, "UPDATE evidence_event SET actor = 'system' WHERE seq = 4").await.unwrap();
        assert_eq!(verified(app, &case).await, Err(4));
        run(app, "UPDATE evidence_event SET actor = 'client' WHERE seq = 4").await.unwrap();
        assert!(verified(app, &case).await.is_ok(), "put back as it was");
        run(app, &format!("DELETE FROM evidence_event WHERE seq = {count}")).await.unwrap();
        assert_eq!(verified(app, &case).await, Err(count), "the end is missing");
        run(app, "DELETE FROM evidence_event WHERE seq = 2").await.unwrap();
        assert_eq!(verified(app, &case).await, Err(3), "a gap");
        run(app, "DELETE FROM evidence_event").await.unwrap();
        assert_eq!(verified(app, &case).await, Err(1));
    }

    // EVID-2, EVID-6, EVID-7
    async fn personal_values_are_beside_the_chain_and_can_be_erased(app) {
        let case = lived(app).await;
        let inside = column(app, "SELECT data FROM evidence_event ORDER BY seq").await.join("\n");
        for personal in ["192.0.2.1", "Pixel", "40.41", "-3.70", "600123456", "calle Mayor", "Luis"] {
            assert!(!inside.contains(personal), "{personal} is in the chain: {inside}");
        }
        let shown = case.details().await["tracks"].to_string();
        for personal in ["192.0.2.1", "40.416800,-3.703800", "calle Mayor"] {
            assert!(shown.contains(personal), "{personal} is shown while it is kept");
        }
        let head = verified(app, &case).await.expect("whole");
        // Every commitment is of the value and salt kept beside it.
        let backend = app.db.read().get_database_backend();
        let sql = "SELECT salt, value, commitment FROM evidence_value";
        let kept = app.db.read().query_all_raw(Statement::from_string(backend, sql)).await.unwrap();
        assert!(kept.len() >= 6);
        for row in kept {
            let get = |name: &str| row.try_get::<String>("", name).expect("a text");
            let salt = hex::decode(get("salt")).expect("hex");
            assert_eq!(chain::commitment(&salt, &get("value")), get("commitment"));
            assert!(inside.contains(&get("commitment")));
        }
        assert!(run(app, "DELETE FROM evidence_value").await.unwrap() >= 6, "erasing is allowed");
        assert_eq!(verified(app, &case).await, Ok(head), "and breaks nothing");
        let erased = case.details().await["tracks"].to_string();
        assert!(!erased.contains("192.0.2.1") && !erased.contains("calle Mayor") && erased.contains("ipC"), "{erased}");
    }

    // EVID-3
    async fn many_at_once_take_turns(app) {
        let case = Case::open(app).await;
        let one = |n: u8| {
            let client = app.anonymous().from([10, 0, 0, n]);
            let path = format!("/api/v1/external/{}/track", case.hash);
            async move { client.post(&path, json!({"type": "LINK_OPENED"})).await.status }
        };
        let all = futures::future::join_all((0..16).map(one)).await;
        assert_eq!(all, vec![204; 16]);
        assert_eq!(case.tracks().await.len(), 17);
        assert!(verified(app, &case).await.is_ok());
    }

    // EVID-8
    async fn a_change_that_fails_leaves_no_track(app) {
        let case = Case::open(app).await;
        let before = verified(app, &case).await;
        case.post("conference-chat", json!({"text": "con\u{0}nulo"})).await.problem(422, "INVALID_FIELDS");
        case.client("legal", json!({"accept": true, "documentId": "x", "version": 1, "language": "es"})).await.expect(422);
        case.post("conference-resend", json!({"channel": "sms", "to": "x"})).await.expect(422);
        assert_eq!(verified(app, &case).await, before);
        assert_eq!(case.details().await["tracks"].as_array().map(Vec::len), Some(1));
        assert_eq!(case.details().await["tracks"][0]["data"]["type"], json!(2));
        assert_ne!(case.link().await["legal"], Value::Null);
    }
}
