//! How long incidences are kept, and what an erasure removes from them.

use super::{bell, change, id, picture, read, rows, send, sent};
use crate::support::{Case, png, text};
use atalaya_kernel::{Role, limits};
use atalaya_privacy::erasures::expiry;
use atalaya_testkit::both_engines;
use chrono::TimeDelta;
use futures::TryStreamExt;
use serde_json::{Value, json};

both_engines! {
    // INCID-19
    async fn an_erased_conference_takes_what_was_written_about_it(app) {
        let case = Case::open(app).await;
        let admin_person = app.person(Role::Admin).await;
        let admin = app.log_in(&admin_person).await;
        let incidence = json!({"type": 1, "reason": 5, "comments": "Remedios no recibió nada", "conferenceId": case.id});
        let made = send(&case.staff, incidence, json!([picture("Remedios.png", "image/png", &png())])).await.expect(201)["incidence"].clone();
        let src = text(&made["images"][0]["src"]);
        change(&admin, &id(&made), json!({"answer": "Remedios ya lo tiene", "note": "Remedios", "status": 2})).await.ok();
        let other = id(&sent(&case.staff).await);
        case.post("conference-close", json!({})).await.ok();
        let boss = app.log_in(&app.person_in(case.owner.company, Role::Customer).await).await;
        boss.post(&format!("/api/v1/conference-erase/{}", case.id), json!({"reason": "Lo pide"})).await.ok();
        for table in ["incidence", "incidence_entry", "incidence_image", "incidence_log"] {
            let all = crate::privacy::dump(app, table).await;
            assert!(!all.contains("Remedios") && !all.contains("EXP-1"), "{table}: {all}");
        }
        let left = read(&case.staff, &id(&made)).await;
        assert_eq!((&left["erased"], &left["comments"], &left["diagnostics"], &left["status"]), (&json!(true), &json!(""), &Value::Null, &json!(2)));
        assert_eq!((&left["answers"][0]["text"], &left["images"]), (&json!(""), &json!([])));
        case.staff.get(&src).await.problem(404, "INCIDENCE_IMAGE_NOT_FOUND");
        assert_eq!(app.assistance.blobs.list(None).try_collect::<Vec<_>>().await.unwrap().iter().filter(|b| b.name.as_str().contains(&id(&made))).count(), 0);
        let told = bell(&admin).await;
        assert_eq!(told.len(), 1, "only the other one: {told:?}");
        let files = json!([picture("a.png", "image/png", &png())]);
        send(&case.staff, json!({"incidenceId": id(&made), "comments": "Sigue"}), files).await.problem(410, "MEDIA_ERASED");
        send(&case.staff, json!({"incidenceId": id(&made), "comments": "Sigue"}), json!([])).await.expect(201);
        assert_eq!(read(&case.staff, &other).await["erased"], false);
    }

    // INCID-21
    async fn the_copy_of_a_person_s_data_holds_what_was_written_about_his_conference(app) {
        let case = Case::open(app).await;
        let admin = app.as_role(Role::Admin).await;
        let incidence = json!({"type": 1, "reason": 5, "comments": "Luis no recibió nada", "conferenceId": case.id});
        let made = send(&case.staff, incidence, json!([picture("Luis.png", "image/png", &png())])).await.expect(201)["incidence"].clone();
        change(&admin, &id(&made), json!({"answer": "Luis ya lo tiene", "note": "Luis se queja"})).await.ok();
        sent(&case.staff).await;
        let boss = app.log_in(&app.person_in(case.owner.company, Role::Customer).await).await;
        let copy = boss.post(&format!("/api/v1/person-export/{}", case.owner.company), json!({"search": "600123456"})).await;
        copy.ok();
        let holds = |needle: &str| copy.body.windows(needle.len()).any(|window| window == needle.as_bytes());
        for needle in ["INC-000001", "Luis no recibi", "Luis ya lo tiene", "INC-000001 001 Luis.png"] {
            assert!(holds(needle), "{needle}");
        }
        assert!(!holds("Luis se queja") && !holds("INC-000002"), "no notes, and nothing about somebody else");
    }

    // INCID-20
    async fn archived_ones_go_after_two_years(app) {
        let worker = app.person(Role::Worker).await;
        let admin_person = app.person(Role::Admin).await;
        let author = app.log_in(&worker).await;
        let (old, reopened) = (id(&sent(&author).await), id(&sent(&author).await));
        let admin = app.log_in(&admin_person).await;
        for incidence in [&old, &reopened] {
            change(&admin, incidence, json!({"status": 2})).await.ok();
            change(&admin, incidence, json!({"status": 4})).await.ok();
        }
        change(&admin, &reopened, json!({"status": 3})).await.ok();
        app.advance(TimeDelta::days(limits::INCIDENCE_KEPT_DAYS) - TimeDelta::seconds(1));
        expiry::run(&app.privacy).await.unwrap();
        let author = app.log_in(&worker).await;
        read(&author, &old).await;
        app.advance(TimeDelta::seconds(1));
        expiry::run(&app.privacy).await.unwrap();
        author.get(&format!("/api/v1/incidence/{old}")).await.problem(404, "INCIDENCE_NOT_FOUND");
        read(&author, &reopened).await;
        for table in ["incidence_image", "incidence_log", "incidence_reading", "incidence_entry"] {
            let sql = format!("SELECT count(*) AS n FROM {table} WHERE incidence_id NOT IN (SELECT id FROM incidence)");
            assert_eq!(rows(app, &sql).await[0].try_get::<i64>("", "n").unwrap(), 0, "{table}");
        }
        let left = app.assistance.blobs.list(None).try_collect::<Vec<_>>().await.unwrap();
        assert_eq!(left.iter().filter(|blob| blob.name.as_str().starts_with("incidences/")).count(), 1);
    }
}
