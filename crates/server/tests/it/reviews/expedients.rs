//! One case with everything of it (issue 4, one page per expedient).

use crate::support::{Case, png, text};
use atalaya_kernel::Role;
use atalaya_testkit::{Client, both_engines};
use chrono::TimeDelta;
use serde_json::{Value, json};

fn ids(list: &Value) -> Vec<String> {
    list.as_array().expect("a list").iter().map(|one| text(&one["_id"])).collect()
}

async fn open(client: &Client, number: &str) -> Value {
    client.get(&format!("/api/v1/expedient/{number}")).await.ok()
}

both_engines! {
    // EXPED-1, EXPED-2
    async fn calls_of_one_number_are_one_case_within_the_caller_s_scope(app) {
        let worker = app.person(Role::Worker).await;
        let colleague = app.person_in(worker.company, Role::Worker).await;
        let first = Case::open_by(app, worker.clone(), json!({"expedientNumber": "exp 7/26"})).await;
        let media = text(&first.upload("uno.png", "image/png", &png()).await.ok()["media"]["_id"]);
        app.advance(TimeDelta::minutes(1));
        let second = Case::open_by(app, colleague.clone(), json!({"expedientNumber": "EXP7/26"})).await;
        let stranger = Case::open_with(app, json!({"expedientNumber": "EXP7/26"})).await;
        let principal = app.log_in(&app.person_in(worker.company, Role::Customer).await).await;
        let admin = app.log_in(&app.person(Role::Admin).await).await;

        let all = open(&principal, "Exp%207%2F26").await;
        assert_eq!(ids(&all["conferences"]), [second.id.clone(), first.id.clone()], "newest first");
        assert_eq!(all["expedientNumber"], "EXP7/26", "as the latest writes it");
        assert_eq!(ids(&all["media"]), [media]);
        assert_eq!((&all["requests"], &all["incidences"]), (&json!([]), &json!([])));
        assert_eq!(all["conferences"][0].get("derived"), None);
        assert_eq!(ids(&open(&first.staff, "EXP7%2F26").await["conferences"]), std::slice::from_ref(&first.id));
        assert_eq!(open(&admin, "EXP7%2F26").await["conferences"].as_array().map(Vec::len), Some(3));
        assert_eq!(ids(&open(&stranger.staff, "EXP7%2F26").await["conferences"]), std::slice::from_ref(&stranger.id));
        for number in ["EXP7", "%20", "EXP7%2F2"] {
            principal.get(&format!("/api/v1/expedient/{number}")).await.problem(404, "EXPEDIENT_NOT_FOUND");
        }
    }

    // EXPED-2
    async fn requests_for_files_of_every_call_are_there(app) {
        let case = Case::open_with(app, json!({"expedientNumber": "R-1"})).await;
        let key = case.accept().await;
        let joined = case.client_with(&key, "join", json!({"camera": true, "microphone": true})).await.ok();
        case.room_starts("RM_1").await;
        case.joins(&case.staff_identity(), "PA_1").await;
        case.joins(&text(&joined["identity"]), "PA_2").await;
        app.advance(TimeDelta::seconds(23));
        case.post("conference-close", json!({})).await.ok();
        assert_eq!(open(&case.staff, "R-1").await["requests"], json!([]));
        let body = json!({"contactType": 1, "contactText": "Envíenos las fotos", "pageShowText": "Fotos del contador",
            "conferenceId": case.id, "to": "+34600123456", "emailTitle": null});
        let made = case.staff.post("/api/v1/client-files/new", body).await.ok()["request"].clone();
        let requests = open(&case.staff, "R-1").await["requests"].clone();
        assert_eq!(requests, json!([made]));
        assert!(!requests.to_string().contains("600123456"), "the recipient is masked");
    }

    // EXPED-3, EXPED-4
    async fn notes_are_the_company_s_and_deleted_by_their_writer_or_its_principal(app) {
        let worker = app.person(Role::Worker).await;
        let colleague = app.person_in(worker.company, Role::Worker).await;
        let case = Case::open_by(app, worker.clone(), json!({"expedientNumber": "N-1"})).await;
        let other = Case::open_by(app, colleague.clone(), json!({"expedientNumber": "N 1"})).await;
        let stranger = Case::open_with(app, json!({"expedientNumber": "N-1"})).await;
        let third = Case::open_by(app, colleague, json!({"expedientNumber": "n-1"})).await;
        let note = case.staff.post("/api/v1/expedient-notes/N-1", json!({"text": " Falta el contador.\nLlamar. "})).await.ok();
        assert_eq!((&note["note"]["text"], &note["note"]["own"]), (&json!("Falta el contador.\nLlamar."), &json!(true)));
        let id = text(&note["note"]["_id"]);
        let seen = open(&third.staff, "N-1").await["notes"].clone();
        assert_eq!((ids(&seen), &seen[0]["own"]), (vec![id.clone()], &json!(false)), "a colleague with the same case reads it");
        assert_eq!(open(&stranger.staff, "N-1").await["notes"], json!([]));

        let delete = format!("/api/v1/expedient-note-delete/{id}");
        stranger.staff.post(&delete, json!({})).await.problem(404, "NOTE_NOT_FOUND");
        other.staff.post(&delete, json!({})).await.problem(403, "ROLE_NOT_ALLOWED");
        case.staff.post(&delete, json!({})).await.expect(204);
        case.staff.post(&delete, json!({})).await.problem(404, "NOTE_NOT_FOUND");
        assert_eq!(open(&case.staff, "N-1").await["notes"], json!([]));

        let again = case.staff.post("/api/v1/expedient-notes/n%20-1", json!({"text": "Otra"})).await.ok();
        let principal = app.log_in(&app.person_in(worker.company, Role::Customer).await).await;
        principal.post(&format!("/api/v1/expedient-note-delete/{}", text(&again["note"]["_id"])), json!({})).await.expect(204);
    }

    // EXPED-5
    async fn notes_have_their_limits(app) {
        let case = Case::open_with(app, json!({"expedientNumber": "N-2"})).await;
        let path = "/api/v1/expedient-notes/N-2";
        for (text, code) in [(json!("  "), "REQUIRED"), (json!("ñ".repeat(1001)), "TOO_LONG"), (json!("a\u{0}b"), "CHARACTERS_NOT_ALLOWED")] {
            let problem = case.staff.post(path, json!({"text": text})).await.problem(422, "INVALID_FIELDS");
            assert_eq!((&problem["errors"][0]["field"], &problem["errors"][0]["code"]), (&json!("text"), &json!(code)));
        }
        case.staff.post(path, json!({})).await.problem(422, "INVALID_FIELDS");
        case.staff.post(path, json!({"text": "ñ".repeat(1000)})).await.ok();
        case.staff.post("/api/v1/expedient-notes/N-3", json!({"text": "x"})).await.problem(404, "EXPEDIENT_NOT_FOUND");
    }
}
