//! Appointments: both sides agree on a moment, and the same link opens then.

use crate::support::{Case, text};
use atalaya_assistance::call_page::closing::close_idle;
use atalaya_cases::appointments::jobs;
use atalaya_kernel::Role;
use atalaya_messaging::SmsCeiling;
use atalaya_testkit::{Answer, Engine, TestApp, both_engines, databases};
use axum::http::Method;
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

/// 25 hours after tests begin: beyond the link's 24 hours.
const MOMENT: &str = "2026-11-21T10:00:00Z";

async fn ours(case: &Case<'_>, at: &str) -> Answer {
    case.post("conference-appointment", json!({"at": at})).await
}

async fn client(case: &Case<'_>, at: &str) -> Answer {
    case.client("appointment", json!({"at": at})).await
}

/// Channel and text of the messages to the client, oldest first.
async fn messages(case: &Case<'_>) -> Vec<(String, String)> {
    let details = case.details().await;
    details["messages"].as_array().expect("messages").iter().map(|one| (text(&one["channel"]), text(&one["text"]))).collect()
}

async fn to_staff(app: &TestApp, address: &str) -> Vec<Value> {
    let path = format!("/api/v1/outbox?to={address}");
    app.as_role(Role::Admin).await.get(&path).await.ok()["outbox"].as_array().expect("messages").clone()
}

fn moment(value: &Value) -> DateTime<Utc> {
    text(value).parse().expect("a moment")
}

both_engines! {
    // VISIT-1, VISIT-2, VISIT-4, VISIT-9
    async fn both_sides_agree_on_a_moment(app) {
        let case = Case::open(app).await;
        app.advance(TimeDelta::seconds(1));
        let proposed = ours(&case, "2026-11-21T10:00:42Z").await.ok()["appointment"].clone();
        assert_eq!(proposed, json!({"at": MOMENT, "state": "proposed", "proposedBy": "staff"}));
        let sent = messages(&case).await;
        assert_eq!((sent.len(), sent[1].0.as_str()), (2, "sms"));
        assert!(sent[1].1.contains("21 de noviembre de 2026, 11:00"), "Madrid's time: {}", sent[1].1);
        assert_eq!(case.link().await["appointment"], proposed, "the page shows it");
        case.app.anonymous().get(&format!("/api/v1/external/{}/calendar", case.hash)).await.problem(404, "APPOINTMENT_NOT_FOUND");

        app.advance(TimeDelta::seconds(1));
        assert_eq!(client(&case, MOMENT).await.ok()["appointment"]["state"], "agreed");
        assert_eq!(messages(&case).await.len(), 3, "in writing");
        let file = case.app.anonymous().get(&format!("/api/v1/external/{}/calendar", case.hash)).await;
        assert!(file.header("content-type").is_some_and(|kind| kind.starts_with("text/calendar")));
        assert_eq!(file.status, 200);
        let file = String::from_utf8(file.body.to_vec()).expect("text");
        assert!(file.contains("DTSTART:20261121T100000Z") && file.contains("STATUS:CONFIRMED"), "{file}");
        let tracks = case.tracks().await;
        assert!(tracks.contains(&"APPOINTMENT_PROPOSED".into()) && tracks.contains(&"APPOINTMENT_AGREED".into()), "{tracks:?}");

        // Said again, it changes nothing; another moment is a proposal again.
        client(&case, MOMENT).await.ok();
        assert_eq!(messages(&case).await.len(), 3);
        app.advance(TimeDelta::seconds(1));
        let other = client(&case, "2026-11-22T09:30:00Z").await.ok()["appointment"].clone();
        assert_eq!((&other["state"], &other["proposedBy"]), (&json!("proposed"), &json!("client")));
        assert_eq!(ours(&case, "2026-11-22T09:30:00Z").await.ok()["appointment"]["state"], "agreed");
    }

    // VISIT-1, VISIT-3
    async fn bad_moments_are_refused(app) {
        let case = Case::open(app).await;
        for (at, code) in [
            ("2026-11-20T09:10:00Z", "APPOINTMENT_TOO_SOON"),
            ("2025-11-20T09:10:00Z", "APPOINTMENT_TOO_SOON"),
            ("2026-12-20T09:10:00Z", "APPOINTMENT_TOO_LATE"),
        ] {
            for answer in [ours(&case, at).await, client(&case, at).await] {
                let refused = answer.problem(422, "INVALID_FIELDS");
                assert_eq!((&refused["errors"][0]["field"], &refused["errors"][0]["code"]), (&json!("at"), &json!(code)));
            }
        }
        case.app.anonymous().post("/api/v1/external/ffff/appointment", json!({"at": MOMENT})).await.problem(404, "LINK_UNKNOWN");
        for minute in 0..21 {
            client(&case, &format!("2026-11-21T10:{minute:02}:00Z")).await.ok();
        }
        client(&case, "2026-11-21T11:00:00Z").await.problem(409, "APPOINTMENT_CHANGES");
        case.post("conference-close", json!({})).await.ok();
        ours(&case, MOMENT).await.problem(410, "CONFERENCE_CLOSED");
        client(&case, MOMENT).await.problem(410, "CONFERENCE_CLOSED");
        case.app.anonymous().get(&format!("/api/v1/external/{}/calendar", case.hash)).await.problem(404, "APPOINTMENT_NOT_FOUND");
    }

    // VISIT-5
    async fn both_sides_are_reminded_once(app) {
        let case = Case::open(app).await;
        let address = case.owner.user_name.clone();
        client(&case, MOMENT).await.ok();
        assert_eq!(to_staff(app, &address).await.len(), 1, "the client's proposal");
        app.advance(TimeDelta::seconds(1));
        ours(&case, MOMENT).await.ok();
        let before = messages(&case).await.len();
        app.clock.set(moment(&json!(MOMENT)) - TimeDelta::minutes(15) - TimeDelta::seconds(1));
        assert!(!jobs::is_due(&app.assistance).await.unwrap());
        app.advance(TimeDelta::seconds(1));
        for _ in 0..2 {
            jobs::run(&app.assistance).await.unwrap();
        }
        assert!(!jobs::is_due(&app.assistance).await.unwrap());
        let mut case = case;
        case.log_in_again().await;
        let sent = messages(&case).await;
        assert_eq!(sent.len(), before + 1, "once");
        assert!(sent.last().is_some_and(|(_, text)| text.contains("11:00")), "{sent:?}");
        assert_eq!(to_staff(app, &address).await.len(), 2);
    }

    // VISIT-6, VISIT-7
    async fn the_same_link_opens_then(app) {
        let mut case = Case::open(app).await;
        ours(&case, MOMENT).await.ok();
        client(&case, MOMENT).await.ok();
        assert_eq!(moment(&case.details().await["conference"]["expiredAt"]), moment(&json!("2026-11-21T11:00:00Z")));
        app.clock.set(moment(&json!(MOMENT)));
        close_idle(&app.assistance).await.unwrap();
        assert_eq!(case.link().await["state"], "open", "24 hours are over, the appointment is not");
        case.enters([]).await;
        case.log_in_again().await;
        let people = case.details().await["participants"].clone();
        let client = people.as_array().expect("people").iter().find(|one| one["kind"] == "client").expect("the client").clone();
        case.leaves(&case.staff_identity(), "PA_1").await;
        case.leaves(&text(&client["identity"]), "PA_2").await;
        app.advance(TimeDelta::minutes(10));
        close_idle(&app.assistance).await.unwrap();
        assert_eq!(case.link().await["state"], "open", "held until it is over");
        app.clock.set(moment(&json!("2026-11-21T11:00:00Z")));
        assert_eq!(case.link().await["appointment"], Value::Null);
        let file = format!("/api/v1/external/{}/calendar", case.hash);
        app.anonymous().get(&file).await.problem(404, "APPOINTMENT_NOT_FOUND");
        close_idle(&app.assistance).await.unwrap();
        assert_eq!(case.link().await["state"], "closed");

        // Without an appointment a link that nobody used is closed as ever.
        let other = Case::open_with(app, json!({"expedientNumber": "EXP-2"})).await;
        app.advance(TimeDelta::hours(24));
        close_idle(&app.assistance).await.unwrap();
        assert_eq!(other.link().await["state"], "expired");
    }

    // VISIT-6
    async fn a_client_alone_keeps_a_link_no_longer_than_a_day(app) {
        let case = Case::open(app).await;
        app.advance(TimeDelta::hours(23));
        client(&case, "2026-11-25T10:00:00Z").await.ok();
        app.advance(TimeDelta::hours(23));
        client(&case, "2026-11-26T10:00:00Z").await.ok();
        app.advance(TimeDelta::hours(1));
        client(&case, "2026-11-27T10:00:00Z").await.problem(410, "LINK_EXPIRED");
        close_idle(&app.assistance).await.unwrap();
        assert_ne!(case.link().await["state"], "open");
    }

    // VISIT-4, VISIT-8
    async fn the_agenda_lists_what_is_to_come(app) {
        let case = Case::open(app).await;
        ours(&case, MOMENT).await.ok();
        let path = format!("/api/v1/appointments/{}", case.owner.company);
        let entries = case.staff.get(&path).await.ok()["appointments"].clone();
        assert_eq!((entries.as_array().map(Vec::len), &entries[0]["conferenceId"]), (Some(1), &json!(case.id)));
        assert_eq!((&entries[0]["state"], &entries[0]["expedientNumber"]), (&json!("proposed"), &json!("EXP-1")));
        let colleague = app.person_in(case.owner.company, Role::Worker).await;
        assert_eq!(app.log_in(&colleague).await.get(&path).await.ok()["appointments"], json!([]), "those of his own conferences");
        let principal = app.person_in(case.owner.company, Role::Customer).await;
        assert_eq!(app.log_in(&principal).await.get(&path).await.ok()["appointments"].as_array().map(Vec::len), Some(1));
        assert_eq!(app.as_role(Role::Admin).await.get("/api/v1/appointments/0").await.ok()["appointments"].as_array().map(Vec::len), Some(1));
        case.staff.get("/api/v1/appointments/0").await.problem(403, "ROLE_NOT_ALLOWED");

        let gone = format!("/api/v1/conference-appointment/{}", case.id);
        app.advance(TimeDelta::seconds(1));
        for _ in 0..2 {
            case.staff.send(Method::DELETE, &gone, None).await.expect(204);
        }
        assert_eq!(case.staff.get(&path).await.ok()["appointments"], json!([]));
        assert_eq!(messages(&case).await.len(), 3, "the client reads it once");
        assert_eq!(case.link().await["appointment"], Value::Null);
    }
}

// VISIT-5
#[tokio::test]
async fn a_reminder_that_a_ceiling_refuses_keeps_no_other_waiting() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let two = SmsCeiling { per_hour: 2, per_day: 2 };
        let Some(app) = TestApp::configured(engine, |config| config.sms_ceiling = two).await else {
            eprintln!("{}", databases::NO_POSTGRES);
            continue;
        };
        let app = &app;
        let case = Case::open(app).await;
        let address = case.owner.user_name.clone();
        client(&case, "2026-11-20T15:00:00Z").await.ok();
        ours(&case, "2026-11-20T15:00:00Z").await.ok();
        app.clock.set(moment(&json!("2026-11-20T14:45:00Z")));
        jobs::run(&app.assistance).await.unwrap();
        assert!(!jobs::is_due(&app.assistance).await.unwrap(), "it is not tried again and again before others");
        assert_eq!(to_staff(app, &address).await.len(), 2, "whoever opened the conference is reminded all the same");
    }
}
