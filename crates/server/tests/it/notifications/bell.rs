//! A user's own bell: lists, counts, read and unread, access.

use super::{ids, mark, panel, publish, tell, unread};
use crate::support::text;
use atalaya_kernel::{ConferenceId, Role};
use atalaya_outreach::notifications::{NewNotification, NoticeAction, NoticeText, TidyNotifications};
use atalaya_testkit::both_engines;
use axum::http::Method;
use chrono::TimeDelta;
use futures::future::join_all;
use serde_json::json;

const NUMBER: &str = "numberNewNotifications";

fn written(words: &str) -> NewNotification {
    NewNotification::new(NoticeText::Written(words.into()), NoticeAction::Message)
}

both_engines! {
    // NOTICE-1, NOTICE-3, NOTICE-5
    async fn the_panel_has_what_the_specification_lists(app) {
        let person = app.person(Role::Worker).await;
        let client = app.log_in(&person).await;
        assert_eq!(client.get("/api/v1/notifications/has-any").await.ok(), json!({"hasAny": false}));
        assert_eq!(unread(&client).await, 0);
        let nothing = json!({"notificationsByUser": {"generalNotifications": [], "personalNotifications": []},
            "getNotificationTextByLanguage": []});
        assert_eq!(panel(&client).await, nothing);

        let conference: ConferenceId = app.sources.id();
        let files = NewNotification::new(NoticeText::Known("files-arrived"), NoticeAction::Conference(conference));
        tell(app, &[person.id, person.id], &files.expedient("SIN-7")).await;
        let first = app.sources.now();
        app.advance(TimeDelta::seconds(1));
        tell(app, &[person.id], &written("Sin acción")).await;
        app.advance(TimeDelta::seconds(1));
        let url = NewNotification::new(NoticeText::Written("Mire".into()), NoticeAction::Url("/users/1".into()));
        tell(app, &[person.id], &url).await;
        app.advance(TimeDelta::seconds(1));
        let html = NoticeAction::Html("<p onclick=x()>Hola<script>x()</script></p>".into());
        tell(app, &[person.id], &NewNotification::new(NoticeText::Written("Html".into()), html)).await;
        let general = publish(app, json!({"text": "Para todos", "url": "https://atalaya.example/x"})).await;

        let shown = panel(&client).await;
        let own = shown["notificationsByUser"]["personalNotifications"].as_array().unwrap();
        let kinds: Vec<_> = own.iter().map(|row| (row["type"].as_i64().unwrap(), row["targetValue"].clone())).collect();
        let expected = [
            (3, json!("<p>Hola</p>")), (2, json!("/users/1")), (0, json!(null)), (1, json!(conference.to_string())),
        ];
        assert_eq!(kinds, expected, "newest first; twice in the list of people is once");
        let last = &own[3];
        let fields = json!({"_id": last["_id"], "readed": false, "notificationTextId": "files-arrived",
            "text": "Han llegado archivos del expediente", "expedientNumber": "SIN-7", "updatedAt": json!(first), "startAt": null,
            "type": 1, "targetValue": conference.to_string(), "userId": person.id.to_string(), "url": null});
        assert_eq!(*last, fields);
        assert!(own[2].get("expedientNumber").is_none());
        let texts = json!([{"notificationTextId": "files-arrived", "text": "Han llegado archivos del expediente"}]);
        assert_eq!(shown["getNotificationTextByLanguage"], texts);
        let english = client.clone().with("accept-language", "en").get("/api/v1/notifications/get-by-user").await.ok();
        assert_eq!(english["getNotificationTextByLanguage"][0]["text"], "Files have arrived for case");
        assert_eq!(english["notificationsByUser"]["personalNotifications"][3]["text"], "Han llegado archivos del expediente");
        let fields = json!({"_id": general["_id"], "readed": false, "notificationTextId": null, "text": "Para todos",
            "updatedAt": null, "startAt": general["startAt"], "type": 2, "targetValue": "https://atalaya.example/x",
            "url": "https://atalaya.example/x"});
        assert_eq!(shown["notificationsByUser"]["generalNotifications"], json!([fields]));
        assert_eq!(client.get("/api/v1/notifications/has-any").await.ok(), json!({"hasAny": true}));
        assert_eq!(unread(&client).await, 5);
    }

    // NOTICE-4
    async fn read_and_unread_count_once_each_and_never_below_nothing(app) {
        let person = app.person(Role::Repairer).await;
        let client = app.log_in(&person).await;
        tell(app, &[person.id], &written("Uno")).await;
        let general = text(&publish(app, json!({"text": "Dos"})).await["_id"]);
        let own = ids(&client, "personalNotifications").await.remove(0);
        assert_eq!(unread(&client).await, 2);
        for (call, id, left) in [
            ("mark-as-seen-personal", &own, 1), ("mark-as-seen-personal", &own, 1), ("mark-as-seen-general", &general, 0),
            ("mark-as-seen-general", &general, 0), ("mark-as-unseen-personal", &own, 1), ("mark-as-unseen-personal", &own, 1),
            ("mark-as-unseen-general", &general, 2), ("mark-as-unseen-general", &general, 2),
        ] {
            let path = format!("/api/v1/notifications/{call}/{id}");
            assert_eq!(client.get(&path).await.ok(), json!({NUMBER: left}), "{call} by GET");
            assert_eq!(client.post(&path, json!({})).await.ok(), json!({NUMBER: left}), "{call} by POST");
            assert_eq!(unread(&client).await, left);
        }
        assert_eq!(client.get("/api/v1/notifications/mark-as-seen-all/").await.ok(), json!({NUMBER: 0}));
        let shown = panel(&client).await["notificationsByUser"].clone();
        for list in ["generalNotifications", "personalNotifications"] {
            assert_eq!((shown[list].as_array().unwrap().len(), &shown[list][0]["readed"]), (1, &json!(true)), "{list}");
        }
        assert_eq!(client.post("/api/v1/notifications/mark-as-seen-all", json!({})).await.ok(), json!({NUMBER: 0}), "again");
        assert_eq!(client.get("/api/v1/notifications/has-any").await.ok(), json!({"hasAny": true}), "read ones are there");
    }

    // NOTICE-2
    async fn nobody_reads_or_marks_what_is_another_s(app) {
        let owner = app.person(Role::Worker).await;
        let colleague = app.person_in(owner.company, Role::Worker).await;
        let principal = app.person_in(owner.company, Role::Customer).await;
        tell(app, &[owner.id], &written("Mío")).await;
        let mine = app.log_in(&owner).await;
        let id = ids(&mine, "personalNotifications").await.remove(0);
        let general = text(&publish(app, json!({"roleGroup": 3})).await["_id"]);
        let others = [app.log_in(&colleague).await, app.log_in(&principal).await, app.as_role(Role::Admin).await,
            app.as_role(Role::Repairer).await];
        for other in &others {
            assert!(ids(other, "personalNotifications").await.is_empty());
            for call in ["mark-as-seen-personal", "mark-as-unseen-personal", "mark-as-seen-general", "mark-as-unseen-general"] {
                mark(other, call, &id).await.problem(404, "NOTIFICATION_NOT_FOUND");
            }
            mark(other, "mark-as-seen-personal", &general).await.problem(404, "NOTIFICATION_NOT_FOUND");
            other.get("/api/v1/notifications/mark-as-seen-all").await.ok();
        }
        for other in &others[1..] {
            mark(other, "mark-as-seen-general", &general).await.problem(404, "NOTIFICATION_NOT_FOUND");
        }
        mark(&mine, "mark-as-seen-general", &id).await.problem(404, "NOTIFICATION_NOT_FOUND");
        mark(&mine, "mark-as-seen-personal", &general).await.problem(404, "NOTIFICATION_NOT_FOUND");
        for id in ["1", "undefined", "null", "%00", "..%2F..", "0192f0c1-7d2c-7bbb-8a5e-00000000beef", "' OR 1=1 --"] {
            let id = id.replace(' ', "%20");
            for method in [Method::GET, Method::POST] {
                let answer = mine.send(method, &format!("/api/v1/notifications/mark-as-seen-personal/{id}"), None).await;
                assert_eq!(answer.status, 404, "{id}");
            }
        }
        assert_eq!(unread(&mine).await, 2, "nobody's mark touched the owner's");
        app.anonymous().get("/api/v1/notifications/get-by-user").await.problem(401, "SESSION_REQUIRED");
    }

    // NOTICE-4
    async fn marking_everything_at_once_and_while_more_arrives_loses_nothing(app) {
        let person = app.person(Role::Customer).await;
        let client = app.log_in(&person).await;
        for nth in 0..10 {
            publish(app, json!({"text": format!("General {nth}")})).await;
        }
        for nth in 0..30 {
            tell(app, &[person.id], &written(&format!("Personal {nth}"))).await;
        }
        assert_eq!(unread(&client).await, 40);
        let marks = join_all((0..20).map(|_| client.post("/api/v1/notifications/mark-as-seen-all", json!({}))));
        let arriving = async {
            for nth in 0..5 {
                tell(app, &[person.id], &written(&format!("Nueva {nth}"))).await;
            }
        };
        let single = ids(&client, "generalNotifications").await;
        let singles = join_all(single.iter().map(|id| mark(&client, "mark-as-seen-general", id)));
        let (answers, (), singly) = tokio::join!(marks, arriving, singles);
        for answer in answers.iter().chain(&singly) {
            let left = answer.ok()[NUMBER].as_u64().unwrap();
            assert!(left <= 40, "{left}");
        }
        let left = unread(&client).await;
        assert!(left <= 5, "{left}: only what came afterwards");
        assert_eq!(client.post("/api/v1/notifications/mark-as-seen-all", json!({})).await.ok(), json!({NUMBER: 0}));
        assert_eq!(ids(&client, "personalNotifications").await.len(), 35);
    }

    // NOTICE-3
    async fn the_panel_is_bounded(app) {
        let person = app.person(Role::Worker).await;
        let client = app.log_in(&person).await;
        let crowd: Vec<_> = std::iter::repeat_n(person.id, 3).collect();
        for nth in 0..505 {
            app.advance(TimeDelta::milliseconds(1));
            tell(app, &crowd, &written(&format!("n {nth}"))).await;
        }
        let shown = panel(&client).await;
        let own = shown["notificationsByUser"]["personalNotifications"].as_array().unwrap();
        assert_eq!((own.len(), &own[0]["text"], &own[499]["text"]), (500, &json!("n 504"), &json!("n 5")));
        assert_eq!(unread(&client).await, 505);
    }

    // NOTICE-13
    async fn what_was_read_goes_after_180_days(app) {
        let person = app.person(Role::Worker).await;
        for words in ["leída", "sin leer"] {
            tell(app, &[person.id], &written(words)).await;
            app.advance(TimeDelta::seconds(1));
        }
        let client = app.log_in(&person).await;
        let read = ids(&client, "personalNotifications").await.remove(1);
        mark(&client, "mark-as-seen-personal", &read).await.ok();
        app.advance(TimeDelta::days(180) - TimeDelta::seconds(2));
        assert_eq!(TidyNotifications::tidy(&app.outreach).await.unwrap(), 0, "of exactly 180 days");
        app.advance(TimeDelta::milliseconds(1));
        assert_eq!(TidyNotifications::tidy(&app.outreach).await.unwrap(), 1);
        let client = app.log_in(&person).await;
        assert_eq!((ids(&client, "personalNotifications").await.len(), unread(&client).await), (1, 1), "unread ones stay");
        app.advance(TimeDelta::days(185) - TimeDelta::milliseconds(2));
        assert_eq!(TidyNotifications::tidy(&app.outreach).await.unwrap(), 0, "for a year");
        app.advance(TimeDelta::seconds(2));
        assert_eq!(TidyNotifications::tidy(&app.outreach).await.unwrap(), 1);
    }
}
