//! After an erasure: nothing personal is written any more, and a second erasure wipes again.

use super::{dump, full_case, principal};
use crate::client_files::{Asked, ask, hold, token_of};
use crate::support::{Case, png, text};
use atalaya_client_files::jobs;
use atalaya_testkit::both_engines;
use chrono::TimeDelta;
use sea_orm::ConnectionTrait;
use serde_json::{Value, json};

both_engines! {
    // RETAIN-12
    async fn nothing_personal_is_written_once_a_case_is_erased(app) {
        let case = Case::open(app).await;
        hold(&case, 60).await;
        let request = ask(&case, json!({})).await.ok()["request"].clone();
        let token = token_of(&case).await;
        let asked = Asked { case, request, token };
        let file = asked.upload(0, "foto.png", "image/png", &png()).await.header("upload-media").unwrap().to_owned();
        let under_way = asked.begin(0, "otra.png", "image/png", png().len(), "one").await.header("location").unwrap().to_owned();
        let case = &asked.case;
        let tables = ["conference", "evidence_event", "evidence_value", "media_item", "file_request", "file_upload",
            "file_request_item", "chat_message", "conference_shot", "expedient_note", "outbox", "dictated_code"];
        let all = || async {
            let mut rows = String::new();
            for table in tables {
                rows.push_str(&dump(app, table).await);
            }
            rows
        };
        // The state for a request that read the conference before the erasure and gets its lock afterwards.
        app.db.read().execute_unprepared("UPDATE conference SET erased_at = created_at").await.unwrap();
        let before = all().await;
        let put = |path: String, body: Value| { let staff = case.staff.clone(); async move { staff.send(axum::http::Method::PUT, &path, Some(body)).await } };
        let request = text(&asked.request["_id"]);
        ask(case, json!({})).await.problem(410, "MEDIA_ERASED");
        for call in ["client-files-resend", "client-files-cancel"] {
            case.staff.post(&format!("/api/v1/{call}/{request}"), json!({})).await.problem(410, "MEDIA_ERASED");
        }
        let verdict = json!({"approve": false, "note": "vive en Desengaño"});
        case.staff.post(&format!("/api/v1/media-review/{file}"), verdict).await.problem(410, "MEDIA_ERASED");
        case.upload("dni.png", "image/png", &png()).await.problem(410, "MEDIA_ERASED");
        put(format!("/api/v1/media/{file}"), json!({"media": {"label": "DNI"}})).await.problem(410, "MEDIA_ERASED");
        let tick = json!({"key": "facade", "state": "done", "mediaId": file});
        put(format!("/api/v1/conference-shots/{}", case.id), tick).await.problem(410, "MEDIA_ERASED");
        case.staff.post("/api/v1/expedient-notes/EXP-1", json!({"text": "x"})).await.problem(410, "MEDIA_ERASED");
        for call in ["/open", "/finish"] {
            app.anonymous().post(&asked.path(call), json!({})).await.problem(410, "MEDIA_ERASED");
        }
        asked.begin(0, "dni.png", "image/png", 9, "two").await.problem(410, "MEDIA_ERASED");
        asked.patch(&under_way, 0, &png()).await.problem(410, "MEDIA_ERASED");
        jobs::run(&app.assistance).await.unwrap();
        assert_eq!(all().await, before);
    }

    // RETAIN-13
    async fn erasing_again_wipes_again_and_keeps_the_first_proof(app) {
        let case = full_case(app).await;
        let boss = principal(&case).await;
        let path = format!("/api/v1/conference-erase/{}", case.id);
        let proof = boss.post(&path, json!({"reason": "Lo pide la clienta"})).await.ok()["erasure"].clone();
        app.advance(TimeDelta::minutes(1));
        app.db.read().execute_unprepared("UPDATE media_item SET note = 'Remedios'").await.unwrap();
        app.db.read().execute_unprepared("UPDATE file_request SET to_address = 'Remedios'").await.unwrap();
        let again = boss.post(&path, json!({"reason": "Otra vez"})).await.ok()["erasure"].clone();
        assert_eq!(again, proof);
        for table in ["media_item", "file_request"] {
            assert!(!dump(app, table).await.contains("Remedios"), "{table}");
        }
        assert_eq!(app.privacy.erasures.read().unwrap().len(), 1);
        let audit = boss.get("/api/v1/audit?action=CONFERENCE_ERASED").await.ok();
        assert_eq!(audit["total"], 1);
        assert_eq!(boss.get(&format!("/api/v1/erasures/{}", case.owner.company)).await.ok()["total"], 1);
    }
}
