//! Usable cases: a sharp picture, by call or by the ladder.

use crate::support::{Case, png, text};
use atalaya_kernel::Role;
use atalaya_testkit::both_engines;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

const SHARP: &[u8] = include_bytes!("../../../../assistance/src/demo/media/dano.jpg");

async fn accept(case: &Case<'_>) -> String {
    case.client("track", json!({"type": "LINK_OPENED"})).await.expect(204);
    case.accept().await
}

async fn join(case: &Case<'_>, key: &str) -> String {
    text(&case.client_with(key, "join", json!({"camera": true, "microphone": true})).await.ok()["identity"])
}

/// Cases of a cause.
fn of(body: &Value, cause: &str) -> Value {
    let causes = body["causes"].as_array().expect("causes");
    causes.iter().find(|one| one["cause"] == cause).map_or(json!(0), |one| one["cases"].clone())
}

both_engines! {
    // REPORT-9, REPORT-10, REPORT-11, RESCUE-3
    async fn a_case_is_usable_with_a_sharp_picture_however_it_came(app) {
        let owner = app.person(Role::Worker).await;
        let case = async || Case::open_by(app, owner.clone(), json!({})).await;
        case().await;
        case().await.client("track", json!({"type": "LINK_OPENED"})).await.expect(204);
        // In the call, with a picture; another whose picture shows nothing.
        for bytes in [SHARP.to_vec(), png()] {
            let inside = case().await;
            let key = accept(&inside).await;
            let identity = join(&inside, &key).await;
            inside.room_starts("RM_1").await;
            inside.joins(&identity, "PA_1").await;
            inside.capture(&key, &json!({"captureId": "a1"}), &bytes).await.ok();
        }
        // The network lets no media through, and the page asks for pictures.
        let ladder = case().await;
        let key = accept(&ladder).await;
        join(&ladder, &key).await;
        let told = json!({"type": "PERMISSION_DENIED", "data": {"permission": "camera", "reason": "CONNECTION_FAILED"}});
        ladder.client_with(&key, "track", told.clone()).await.expect(204);
        assert_eq!(ladder.step("connected").await, ("failed".into(), Some("CONNECTION_FAILED".into())), "the adjuster reads why");
        let permissions = ladder.details().await["progress"]["steps"][4].clone();
        assert_ne!(permissions["detail"]["camera"], "denied", "nobody refused anything");
        ladder.capture(&key, &json!({"captureId": "a1", "method": "file"}), SHARP).await.ok();
        let without = case().await;
        let key = accept(&without).await;
        without.client_with(&key, "track", told).await.expect(204);
        Case::open(app).await;

        let sql = "UPDATE participation SET route = 'relay-tls' WHERE kind = 'client'";
        app.db.read().execute_unprepared(sql).await.expect("the statement runs");

        let principal = app.log_in(&app.person_in(owner.company, Role::Customer).await).await;
        let body = principal.get(&format!("/api/v1/usable/{}", owner.company)).await.ok();
        assert_eq!(body["totals"], json!({"cases": 6, "usable": 2}), "{body}");
        for (cause, cases) in [("call", 1), ("ladder", 1), ("blurred", 1), ("notOpened", 1), ("notAccepted", 1), ("network", 1)] {
            assert_eq!(of(&body, cause), json!(cases), "{cause}: {body}");
        }
        let weeks = body["weeks"].as_array().expect("weeks");
        assert_eq!((weeks.len(), &weeks[11]), (12, &json!({"week": "2026-11-16", "cases": 6, "usable": 2})));
        assert_eq!(body["routes"], json!({"stays": 2, "relayed": 2, "tcp": 2}));
        assert_eq!(body["ladder"]["otherChannel"], json!({"cases": 0, "usable": 0}));
        assert_eq!(body["companies"].as_array().map(Vec::len), Some(1));

        let all = app.as_role(Role::Admin).await.get("/api/v1/usable/0?weeks=1").await.ok();
        assert_eq!((&all["totals"]["cases"], all["companies"].as_array().map(Vec::len)), (&json!(7), Some(2)));
        assert_eq!(all["companies"][0]["companyId"], json!(owner.company));
        principal.get("/api/v1/usable/0").await.problem(403, "ROLE_NOT_ALLOWED");
    }
}
