//! Notifications of other rooms: files that arrived, a client who has finished; and what an erasure deletes.

use super::{Recorder, panel, publish, tell, unread};
use crate::client_files::Asked;
use crate::support::{parts_of, png};
use atalaya_assistance::{Assistance, Parts};
use atalaya_client_files::jobs;
use atalaya_kernel::live::{Audience, LiveMessage};
use atalaya_kernel::{Role, UserId};
use atalaya_outreach::notifications::{NewNotification, NoticeAction, NoticeText};
use atalaya_testkit::{Client, TestApp, both_engines};
use chrono::TimeDelta;
use serde_json::{Value, json};
use std::time::Duration;

/// The client's files arrive, and the minutes pass after which the requester is notified.
async fn a_file_comes(asked: &Asked<'_>, deps: &Assistance) {
    let app = asked.case.app;
    asked.upload(0, "golpe.png", "image/png", &png()).await.expect(204);
    app.advance(TimeDelta::minutes(2));
    jobs::run(deps).await.expect("the messages are written");
}

async fn finishes(asked: &Asked<'_>) {
    asked.case.app.anonymous().post(&asked.path("/finish"), json!({})).await.expect(204);
}

async fn told(client: &Client) -> Vec<Value> {
    panel(client).await["notificationsByUser"]["personalNotifications"].as_array().expect("a list").clone()
}

fn watched(app: &TestApp, recorder: &Recorder) -> Assistance {
    Assistance::new(Parts { outreach: recorder.watch(app), ..parts_of(app) })
}

fn event(user: UserId, id: &Value) -> LiveMessage {
    let name = format!("newPersonalNotification_{user}");
    LiveMessage::Event { audience: Audience::User(user), name, data: json!({"_id": id}) }
}

both_engines! {
    // NOTICE-15
    async fn the_requester_is_told_of_arriving_files_and_of_the_end(app) {
        let recorder = Recorder::default();
        let deps = watched(app, &recorder);
        let asked = Asked::new(app, json!({"notify": true, "items": [{"label": "Golpe"}, {"label": "Parte"}]})).await;
        let staff = &asked.case.staff;
        assert_eq!(unread(staff).await, 0);
        a_file_comes(&asked, &deps).await;
        let rows = told(staff).await;
        assert_eq!(rows.len(), 1);
        let row = &rows[0];
        let shown = ["notificationTextId", "expedientNumber", "type", "targetValue", "readed"].map(|key| row[key].clone());
        assert_eq!(shown, [json!("files-arrived"), json!("EXP-1"), json!(1), json!(asked.case.id), json!(false)]);
        assert_eq!(recorder.take(), [event(asked.case.owner.id, &row["_id"])]);
        jobs::run(&deps).await.unwrap();
        assert_eq!((told(staff).await.len(), recorder.take()), (1, vec![]), "once");

        // Later than the earlier notification, so that the order is certain.
        app.advance(TimeDelta::seconds(10));
        asked.upload(1, "parte.png", "image/png", &png()).await.expect(204);
        finishes(&asked).await;
        finishes(&asked).await;
        app.advance(TimeDelta::minutes(5));
        jobs::run(&deps).await.unwrap();
        let rows = told(staff).await;
        let texts: Vec<_> = rows.iter().map(|row| row["notificationTextId"].as_str().unwrap()).collect();
        assert_eq!(texts, ["files-finished", "files-arrived"], "the end is told once, and says that the rest has come");
        let colleague = app.person_in(asked.case.owner.company, Role::Customer).await;
        assert_eq!(unread(&app.log_in(&colleague).await).await, 0, "nobody else is told");
    }

    // NOTICE-15
    async fn who_wants_no_message_is_told_of_the_end_only(app) {
        let asked = Asked::new(app, json!({"notify": false})).await;
        a_file_comes(&asked, &app.assistance).await;
        assert_eq!(unread(&asked.case.staff).await, 0);
        finishes(&asked).await;
        assert_eq!(told(&asked.case.staff).await[0]["notificationTextId"], "files-finished");
    }

    // NOTICE-14
    async fn an_erased_conference_is_forgotten(app) {
        let asked = Asked::new(app, json!({"notify": true})).await;
        a_file_comes(&asked, &app.assistance).await;
        let owner = asked.case.owner.clone();
        let other = NewNotification::new(NoticeText::Written("Otra cosa".into()), NoticeAction::Message);
        tell(app, &[owner.id], &other).await;
        let about = NewNotification::new(NoticeText::Written("De la misma".into()), NoticeAction::Url("/x".into()));
        tell(app, &[owner.id], &about.about(asked.case.id.parse().unwrap())).await;
        assert_eq!(unread(&asked.case.staff).await, 3);
        let principal = app.log_in(&app.person_in(owner.company, Role::Customer).await).await;
        let path = format!("/api/v1/conference-erase/{}", asked.case.id);
        principal.post(&path, json!({"reason": "Lo pide el cliente"})).await.ok();
        let rows = told(&asked.case.staff).await;
        assert_eq!((rows.len(), &rows[0]["text"]), (1, &json!("Otra cosa")));
        assert_eq!(unread(&asked.case.staff).await, 1);
    }

    // NOTICE-5
    async fn what_is_not_committed_was_not_told(app) {
        let person = app.person(Role::Worker).await;
        let recorder = Recorder::default();
        let outreach = recorder.watch(app);
        let new = NewNotification::new(NoticeText::Written("Nunca".into()), NoticeAction::Message);
        let tx = app.db.write().await.unwrap();
        let told = outreach.notify(&tx, &[person.id], &new).await.unwrap();
        assert!(!told.is_empty());
        tx.rollback().await.unwrap();
        assert_eq!(recorder.take(), [], "screens hear nothing before `announce`");
        assert_eq!(unread(&app.log_in(&person).await).await, 0);
        let tx = app.db.write().await.unwrap();
        let nobody = outreach.notify(&tx, &[], &new).await.unwrap();
        tx.commit().await.unwrap();
        assert!(nobody.is_empty());
        outreach.announce(nobody);
        assert_eq!(recorder.take(), []);
    }

    // NOTICE-16
    async fn open_screens_hear_what_is_theirs(app) {
        let person = app.person(Role::Worker).await;
        let colleague = app.person_in(person.company, Role::Worker).await;
        let mut mine = app.socket(&app.log_in(&person).await).await;
        let mut beside = app.socket(&app.log_in(&colleague).await).await;
        let mut foreign = app.socket(&app.as_role(Role::Repairer).await).await;
        let new = NewNotification::new(NoticeText::Written("Para una persona".into()), NoticeAction::Message);
        tell(app, &[person.id], &new).await;
        let own = told(&app.log_in(&person).await).await[0]["_id"].clone();
        let workers = publish(app, json!({"roleGroup": 3})).await["_id"].clone();
        let everybody = publish(app, json!({"roleGroup": 0})).await["_id"].clone();
        let general = |id: &Value| ("newGeneralNotification".to_owned(), json!({"_id": id}));
        let personal = (format!("newPersonalNotification_{}", person.id), json!({"_id": own}));
        let while_open = Duration::from_secs(10);
        for (socket, heard) in [
            (&mut mine, vec![personal, general(&workers), general(&everybody)]),
            (&mut beside, vec![general(&workers), general(&everybody)]),
            (&mut foreign, vec![general(&everybody)]),
        ] {
            for event in heard {
                assert_eq!(socket.next_event(while_open).await, Some(event));
            }
            assert_eq!(socket.next_event(Duration::from_millis(100)).await, None);
        }
    }
}
